//! A contiguous range of a session's events, and how pages and live events join it.

use session::Event;

/// Contiguous events. Empty at first: the next event would be the first of the log.
#[derive(Clone, Debug, Default)]
pub(crate) struct Window {
    events: Vec<Event>,
}

/// A page that is not contiguous in itself, or does not join the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Discontinuous(pub(crate) String);

/// How a tail page changed the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joined {
    /// Its later events were appended; this many.
    Appended(usize),
    /// It begins past the window, which it replaced.
    Replaced,
}

impl Window {
    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    /// Last sequence number; -1 for none.
    pub(crate) fn tail(&self) -> i64 {
        self.events.last().map_or(-1, |event| as_seq(event.seq))
    }

    /// First sequence number; 0 for none.
    pub(crate) fn base(&self) -> u64 {
        self.events.first().map_or(0, |event| event.seq)
    }

    /// Appends the event that comes next. Panics on another: the caller compares with [`Window::tail`] first.
    pub(crate) fn append(&mut self, event: Event) {
        assert_eq!(as_seq(event.seq), self.tail() + 1, "only the next event can be appended");
        self.events.push(event);
    }

    /// Takes a tail page as the truth from its first event on. Loaded events before it stay when the page shares an
    /// event with the window that is still the same; a log repaired after a crash may have other events under the same
    /// numbers. Whether they stayed.
    pub(crate) fn install(&mut self, page: Vec<Event>) -> Result<bool, Discontinuous> {
        contiguous(&page)?;
        let Some(first) = page.first() else {
            self.events.clear();
            return Ok(false);
        };
        let shared = first.seq.checked_sub(self.base()).and_then(|at| usize::try_from(at).ok());
        match shared.filter(|at| self.events.get(*at) == Some(first)) {
            Some(at) if at > 0 => {
                self.events.truncate(at);
                self.events.extend(page);
                Ok(true)
            }
            _ => {
                self.events = page;
                Ok(false)
            }
        }
    }

    /// Appends what a tail page has beyond the window. A page that begins past the window replaces it.
    pub(crate) fn join_tail(&mut self, page: Vec<Event>) -> Result<Joined, Discontinuous> {
        contiguous(&page)?;
        let next = self.tail() + 1;
        if page.first().is_some_and(|first| as_seq(first.seq) > next) {
            self.events = page;
            return Ok(Joined::Replaced);
        }
        let before = self.events.len();
        self.events.extend(page.into_iter().filter(|event| as_seq(event.seq) >= next));
        Ok(Joined::Appended(self.events.len() - before))
    }

    /// Puts an older page before the window; it must end right before it.
    pub(crate) fn prepend(&mut self, mut page: Vec<Event>) -> Result<(), Discontinuous> {
        contiguous(&page)?;
        let base = self.base();
        match page.last() {
            Some(last) if last.seq + 1 == base => {}
            Some(last) => {
                return Err(Discontinuous(format!(
                    "the older page ends at event {}, the window begins at {base}",
                    last.seq
                )));
            }
            None => return Err(Discontinuous(format!("the older page is empty, the window begins at event {base}"))),
        }
        page.append(&mut self.events);
        self.events = page;
        Ok(())
    }
}

fn contiguous(page: &[Event]) -> Result<(), Discontinuous> {
    match page.windows(2).find(|pair| pair[0].seq + 1 != pair[1].seq) {
        Some(pair) => Err(Discontinuous(format!("in the page, event {} follows event {}", pair[1].seq, pair[0].seq))),
        None => Ok(()),
    }
}

/// A sequence number beside -1 for "none".
pub(crate) fn as_seq(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use session::Event;

    use super::{Discontinuous, Joined, Window};

    fn event(seq: u64, mark: &str) -> Event {
        Event {
            kind: "step/start".to_owned(),
            seq,
            time: 0,
            data: json!({"mark": mark}),
            ignorable: false,
            source_event_seqs: None,
            surface_op: None,
        }
    }
    fn range(seqs: std::ops::Range<u64>) -> Vec<Event> {
        seqs.map(|seq| event(seq, "old")).collect()
    }
    fn window(seqs: std::ops::Range<u64>) -> Window {
        Window { events: range(seqs) }
    }
    fn seqs(window: &Window) -> Vec<u64> {
        window.events().iter().map(|event| event.seq).collect()
    }

    #[test]
    fn an_empty_window_waits_for_event_zero() {
        let mut window = Window::default();
        assert_eq!((window.base(), window.tail()), (0, -1));
        window.append(event(0, "old"));
        assert_eq!((window.base(), window.tail()), (0, 0));
    }

    #[test]
    fn an_older_page_joins_or_is_refused() {
        let table: &[(&str, std::ops::Range<u64>, Result<(), &str>)] = &[
            ("right before", 2..5, Ok(())),
            ("a hole", 1..4, Err("the older page ends at event 3, the window begins at 5")),
            ("an overlap", 3..6, Err("the older page ends at event 5, the window begins at 5")),
            ("nothing", 0..0, Err("the older page is empty, the window begins at event 5")),
        ];
        for (name, page, expected) in table {
            let mut window = window(5..8);
            let outcome = window.prepend(range(page.clone()));
            assert_eq!(outcome, expected.map_err(|text| Discontinuous(text.to_owned())), "{name}");
            let wanted: Vec<u64> = if outcome.is_ok() { (2..8).collect() } else { (5..8).collect() };
            assert_eq!(seqs(&window), wanted, "{name}");
        }
    }

    #[test]
    fn a_page_with_a_hole_is_refused_everywhere() {
        let mut holed = range(3..5);
        holed.push(event(7, "old"));
        let expected = Discontinuous("in the page, event 7 follows event 4".to_owned());
        assert_eq!(window(8..9).prepend(holed.clone()), Err(expected.clone()));
        assert_eq!(window(0..3).install(holed.clone()), Err(expected.clone()));
        assert_eq!(window(0..3).join_tail(holed), Err(expected));
    }

    #[test]
    fn a_tail_page_appends_only_what_is_new() {
        let mut joined = window(0..4);
        assert_eq!(joined.join_tail(range(2..7)), Ok(Joined::Appended(3)));
        assert_eq!(seqs(&joined), (0..7).collect::<Vec<_>>());
        assert_eq!(joined.join_tail(range(2..7)), Ok(Joined::Appended(0)));
        assert_eq!(joined.join_tail(Vec::new()), Ok(Joined::Appended(0)));
        assert_eq!(joined.join_tail(range(9..11)), Ok(Joined::Replaced));
        assert_eq!(seqs(&joined), [9, 10]);
    }

    #[test]
    fn an_installed_page_keeps_older_events_only_where_it_meets_the_same_log() {
        let mut kept = window(0..6);
        assert_eq!(kept.install(range(4..9)), Ok(true));
        assert_eq!(seqs(&kept), (0..9).collect::<Vec<_>>());

        let mut rewritten = window(0..6);
        assert_eq!(rewritten.install(vec![event(4, "new"), event(5, "new")]), Ok(false));
        assert_eq!(seqs(&rewritten), [4, 5]);

        let mut apart = window(0..6);
        assert_eq!(apart.install(range(6..8)), Ok(false), "next to it is not proof of the same log");
        assert_eq!(seqs(&apart), [6, 7]);

        let mut emptied = window(0..6);
        assert_eq!(emptied.install(Vec::new()), Ok(false));
        assert_eq!(emptied.tail(), -1);
    }
}
