//! Long work that can be told to end.
//!
//! Whoever starts work (the Python package, for which Ctrl-C must end a call) has a [`Stop`] and does the work under
//! [`Stop::watch`]. The work calls [`check`] between its pieces: where a thread takes the next job or the next block of a file, where
//! a replicate gets its generator, at every record and topic that is read. Once a stop was asked for, `check` does not return.
//!
//! The one decision: work that is stopped unwinds. A stop is nobody's answer: no measure, test or study can do anything about
//! it but pass it on, and an error in each of their types would be a case that nobody may forget, in hundreds of signatures, with the
//! danger that one of them is taken for "no interval" or "a file that is wrong" and the rest goes on to half an answer. Unwinding cannot
//! be mistaken for an answer, drops what was half made, and costs nothing where nobody stops. It is thrown without the panic hook, so nothing is printed, and
//! [`Stop::watch`] is the only place that catches it; who catches panics for another reason hands what is caught to [`pass_on`].
//!
//! The flag belongs to the threads that do the work, not to the process: a call sees its own stop only, and a thread that helps is
//! given it by [`together`]. Without a watch `check` does nothing, so libraries that are used without one, and the program, never
//! unwind.

pub mod jobs;

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// The stop of the work that this thread does, where it has one.
    static HERE: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

/// A wish that work should end, shared by those who may have it and those who do the work.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

/// The work was stopped, and has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl Stop {
    /// Asks the work to end. It does so at its next [`check`].
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Does the work on this thread, and gives its answer or says that it was stopped.
    ///
    /// # Errors
    /// It was stopped. What the work shares with its caller may be half changed then, and should be dropped.
    pub fn watch<T>(&self, work: impl FnOnce() -> T) -> Result<T, Stopped> {
        match catch_unwind(AssertUnwindSafe(|| under(Some(self.clone()), work))) {
            Ok(answer) => Ok(answer),
            Err(thrown) if thrown.is::<Stopped>() => Err(Stopped),
            Err(panic) => resume_unwind(panic),
        }
    }
}

/// Does the same work on this thread and on others, so many in all; the answers, this thread's first. All are stopped by what this
/// thread is stopped by. Where the system gives no more threads, the work is done with those there are.
pub fn together<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    let stop = HERE.with_borrow(Clone::clone);
    std::thread::scope(|scope| {
        let help = || under(stop.clone(), &work);
        let others: Vec<_> =
            (1..threads).map_while(|_| std::thread::Builder::new().spawn_scoped(scope, help).ok()).collect();
        let mut answers = vec![work()];
        for other in others {
            // Joined one by one, so that a stop (or a panic) is here what it was there.
            answers.push(other.join().unwrap_or_else(|thrown| resume_unwind(thrown)));
        }
        answers
    })
}

fn under<T>(stop: Option<Stop>, work: impl FnOnce() -> T) -> T {
    let _restore = Restore(HERE.replace(stop));
    work()
}

/// What the thread did before, put back however the work ends.
struct Restore(Option<Stop>);

impl Drop for Restore {
    fn drop(&mut self) {
        HERE.set(self.0.take());
    }
}

/// Ends the work here if that was asked for.
#[inline]
pub fn check() {
    if HERE.with_borrow(|stop| stop.as_ref().is_some_and(Stop::is_asked)) {
        resume_unwind(Box::new(Stopped));
    }
}

/// For who catches panics: goes on with a stop, returns with anything else.
pub fn pass_on(caught: Box<dyn Any + Send>) {
    if caught.is::<Stopped>() {
        resume_unwind(caught);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_nobody_stops_is_done() {
        check();
        assert_eq!(
            Stop::default().watch(|| {
                check();
                7
            }),
            Ok(7)
        );
        // Asked after the work is done, it changes nothing.
        let stop = Stop::default();
        let answer = stop.watch(|| 7);
        stop.ask();
        assert_eq!(answer, Ok(7));
    }

    #[test]
    fn work_ends_at_the_check_and_drops_what_it_made() {
        struct Half<'a>(&'a AtomicBool);
        impl Drop for Half<'_> {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        let (stop, dropped) = (Stop::default(), AtomicBool::new(false));
        let mut pieces = 0;
        let ended = stop.watch(|| {
            let _half = Half(&dropped);
            for piece in 0..10 {
                check();
                pieces += 1;
                if piece == 2 {
                    stop.ask();
                }
            }
        });
        assert_eq!((ended, pieces, dropped.into_inner()), (Err(Stopped), 3, true));
        // The thread is free again.
        check();
    }

    #[test]
    fn a_stop_is_of_its_own_work_only() {
        let (outer, inner) = (Stop::default(), Stop::default());
        inner.ask();
        let done = outer.watch(|| {
            let stopped = inner.watch(check);
            check();
            stopped
        });
        assert_eq!(done, Ok(Err(Stopped)));
        // Another thread has none, unless it helps.
        assert_eq!(inner.watch(|| std::thread::spawn(check).join().is_ok()), Ok(true));
        let (here, waiting) = (std::thread::current().id(), Stop::default());
        let helped = waiting.watch(|| {
            together(2, || {
                if std::thread::current().id() == here {
                    return waiting.ask();
                }
                loop {
                    check();
                }
            })
        });
        assert_eq!(helped, Err(Stopped));
    }

    #[test]
    fn all_threads_answer() {
        let next = std::sync::atomic::AtomicUsize::new(0);
        let mut found = together(3, || next.fetch_add(1, Ordering::Relaxed));
        found.sort_unstable();
        assert_eq!(found, [0, 1, 2]);
        assert_eq!(together(0, || 7), [7]);
    }

    #[test]
    fn a_panic_is_still_a_panic() {
        let caught = catch_unwind(|| Stop::default().watch(|| resume_unwind(Box::new("a fault"))));
        let caught: Box<dyn Any + Send> = caught.map(|_: Result<(), Stopped>| ()).unwrap_err();
        assert!(caught.is::<&str>());
        pass_on(caught);
        let stop = catch_unwind(|| pass_on(Box::new(Stopped))).unwrap_err();
        assert!(stop.is::<Stopped>());
    }
}
