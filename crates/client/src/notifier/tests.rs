//! Many marks, one flush.

use std::cell::RefCell;
use std::rc::Rc;

use super::{Change, Notifier, Urgency};
use crate::counters::Meter;
use crate::testing::{Fake, run, settle};

type Told = Rc<RefCell<Vec<Change>>>;

fn notifier() -> (Fake, Rc<Meter>, Rc<Notifier>) {
    let (fake, meter) = (Fake::default(), Rc::new(Meter::default()));
    let notifier = Notifier::new(Rc::new(fake.clone()), Rc::clone(&meter));
    (fake, meter, notifier)
}

fn listener(told: &Told) -> Rc<dyn Fn(&Change)> {
    let told = Rc::clone(told);
    Rc::new(move |change| told.borrow_mut().push(change.clone()))
}

fn session(id: &str) -> Change {
    Change::Session(id.to_owned())
}

#[test]
fn many_marks_are_one_flush_after_the_running_task() {
    run(async {
        let (_, _, notifier) = notifier();
        let told = Told::default();
        let _subscription = notifier.subscribe(listener(&told));
        for _ in 0..100 {
            notifier.mark(session("a"), Urgency::Microtask);
            notifier.mark(Change::Catalogue, Urgency::Microtask);
        }
        assert_eq!(*told.borrow(), [], "not inside the call that marks");
        assert!(notifier.is_pending());
        settle().await;
        assert_eq!(*told.borrow(), [Change::Catalogue, session("a")]);
        assert!(!notifier.is_pending());
    });
}

#[test]
fn pieces_wait_for_one_frame() {
    run(async {
        let (fake, _, notifier) = notifier();
        let told = Told::default();
        let _subscription = notifier.subscribe(listener(&told));
        for _ in 0..100 {
            notifier.mark(session("a"), Urgency::Frame);
            settle().await;
        }
        assert_eq!((told.borrow().len(), fake.asked_frames()), (0, 1));
        fake.tick().await;
        assert_eq!(*told.borrow(), [session("a")]);
        notifier.mark(session("a"), Urgency::Frame);
        settle().await;
        fake.tick().await;
        assert_eq!(told.borrow().len(), 2, "one publication a frame");
    });
}

#[test]
fn structure_takes_along_what_waits_for_the_frame() {
    run(async {
        let (fake, _, notifier) = notifier();
        let told = Told::default();
        let _subscription = notifier.subscribe(listener(&told));
        notifier.mark(session("a"), Urgency::Frame);
        notifier.mark(session("b"), Urgency::Microtask);
        notifier.mark(session("c"), Urgency::Frame);
        settle().await;
        assert_eq!(*told.borrow(), [session("a"), session("b"), session("c")]);
        fake.tick().await;
        assert_eq!(told.borrow().len(), 3, "the frame has nothing left to tell");
        notifier.mark(session("a"), Urgency::Frame);
        settle().await;
        fake.tick().await;
        assert_eq!(told.borrow().len(), 4);
    });
}

#[test]
fn a_panicking_listener_is_counted_and_the_others_are_told() {
    run(async {
        let (_, meter, notifier) = notifier();
        let told = Told::default();
        let _first = notifier.subscribe(Rc::new(|_| panic!("a listener of this test panics on purpose")));
        let _second = notifier.subscribe(listener(&told));
        notifier.mark(Change::Selection, Urgency::Microtask);
        settle().await;
        assert_eq!((meter.read().sink_panics, told.borrow().len()), (1, 1));
        notifier.mark(Change::Selection, Urgency::Microtask);
        settle().await;
        assert_eq!((meter.read().sink_panics, told.borrow().len()), (2, 2), "and it stays subscribed");
    });
}

#[test]
fn a_dropped_subscription_is_told_nothing_even_in_the_running_flush() {
    run(async {
        let (_, _, notifier) = notifier();
        let told = Told::default();
        let held = Rc::new(RefCell::new(None));
        let drops = Rc::clone(&held);
        let _first = notifier.subscribe(Rc::new(move |_| drop(drops.borrow_mut().take())));
        *held.borrow_mut() = Some(notifier.subscribe(listener(&told)));
        notifier.mark(Change::Connection, Urgency::Microtask);
        settle().await;
        assert_eq!(*told.borrow(), []);
    });
}

#[test]
fn a_listener_may_mark_and_subscribe() {
    run(async {
        let (_, _, notifier) = notifier();
        let told = Told::default();
        let subscriptions = Rc::new(RefCell::new(Vec::new()));
        let (again, inner, keep) = (Rc::clone(&notifier), Rc::clone(&told), Rc::clone(&subscriptions));
        let first = notifier.subscribe(Rc::new(move |change| {
            if *change == Change::Connection {
                keep.borrow_mut().push(again.subscribe(listener(&inner)));
                again.mark(Change::Catalogue, Urgency::Microtask);
            }
        }));
        notifier.mark(Change::Connection, Urgency::Microtask);
        settle().await;
        assert_eq!(*told.borrow(), [Change::Catalogue]);
        drop(first);
    });
}
