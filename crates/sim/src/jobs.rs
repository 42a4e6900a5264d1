//! Work shared among threads, answered in the order of the jobs.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Does jobs 0 to n − 1 on several threads; the answers come in the order of the jobs.
pub fn in_order<T: Send>(jobs: usize, threads: usize, job: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(jobs));
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= jobs {
                break;
            }
            let answer = job(index);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((index, answer));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(jobs) {
            scope.spawn(work);
        }
        work();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, answer)| answer).collect()
}
