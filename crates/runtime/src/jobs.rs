//! Work shared among threads, answered in the order of the jobs: the number of threads changes the time, never the answer.
//!
//! Between two jobs each thread looks whether the work was stopped ([`crate::check`]).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Does jobs 0 to n − 1 on several threads; the answers come in the order of the jobs.
pub fn in_order<T: Send>(jobs: usize, threads: usize, job: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(jobs));
    let work = || {
        loop {
            crate::check();
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= jobs {
                break;
            }
            let answer = job(index);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((index, answer));
        }
    };
    crate::together(threads.min(jobs), work);
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, answer)| answer).collect()
}

/// `total` things cut into pieces of at most `size`: the lengths of piece 0, 1, ... do not depend on the threads.
pub fn pieces(total: u32, size: u32) -> Vec<u32> {
    (0..total.div_ceil(size)).map(|piece| size.min(total - piece * size)).collect()
}

#[cfg(test)]
mod tests {
    use crate::{Stop, Stopped};

    use super::*;

    #[test]
    fn a_stop_ends_all_threads_between_two_jobs() {
        for threads in [1, 3] {
            let (stop, done) = (Stop::default(), AtomicUsize::new(0));
            let job = |index: usize| {
                if done.fetch_add(1, Ordering::Relaxed) == 20 {
                    stop.ask();
                }
                // Jobs within jobs are stopped too, on whichever thread.
                in_order(2, threads, |inner| inner + index)
            };
            assert_eq!(stop.watch(|| in_order(1_000_000, threads, job)).map(drop), Err(Stopped));
            assert!(done.into_inner() <= 21 + threads);
        }
    }

    #[test]
    fn answers_come_in_order_and_pieces_add_up() {
        let squares: Vec<usize> = (0..100).map(|i| i * i).collect();
        assert_eq!(in_order(100, 1, |i| i * i), squares);
        assert_eq!(in_order(100, 3, |i| i * i), squares);
        assert!(in_order(0, 2, |i| i).is_empty());
        assert_eq!(pieces(10, 4), [4, 4, 2]);
        assert!(pieces(0, 4).is_empty());
    }
}
