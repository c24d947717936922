use std::fmt::Write as _;

use browser::{Problem, ProblemKind};
use client::Counters;

/// Paths of the two event streams.
const STREAMS: [&str; 2] = ["/api/events.mux", "/api/events.host"];

/// The documents a scenario loaded, and what those that are gone had counted. A page that loads itself anew would
/// start its counters anew, too: that is found by counting.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    loaded: u64,
    gone: Counters,
}

impl Documents {
    /// The scenario is about to load the page; `counters` are those of the document that goes, if one was there.
    pub(crate) fn leave(&mut self, counters: Option<Counters>) {
        self.loaded += 1;
        self.gone = self.gone.plus(counters.unwrap_or_default());
    }

    /// How many were loaded by the scenario.
    pub(crate) fn loaded(&self) -> u64 {
        self.loaded
    }

    /// What all of them counted; `last` is the document that is there now.
    pub(crate) fn total(&self, last: Counters) -> Counters {
        self.gone.plus(last)
    }
}

/// What a scenario declares beforehand. Everything else is a failure, also when the page healed itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Lost connections, exactly.
    pub reconnects: u64,
    /// Filled holes, exactly.
    pub gap_repairs: u64,
}

impl Budget {
    /// Problems of the page that the scenario did not declare. A lost connection is two broken streams; they are what
    /// was declared, every other failed request is not.
    pub(crate) fn undeclared(&self, problems: Vec<Problem>) -> Vec<Problem> {
        let mut broken_streams = 2 * self.reconnects;
        let is_stream = |problem: &Problem| {
            problem.kind == ProblemKind::RequestFailed
                && STREAMS.iter().any(|path| problem.url.split('?').next().is_some_and(|url| url.ends_with(path)))
        };
        problems
            .into_iter()
            .filter(|problem| {
                let declared = broken_streams > 0 && is_stream(problem);
                broken_streams -= u64::from(declared);
                !declared
            })
            .collect()
    }

    /// What differs from the declaration, a line each. `documents` is how often the scenario loaded the page, each with
    /// a connection of its own.
    pub(crate) fn check(&self, counters: &Counters, documents: u64) -> Result<(), String> {
        let rows = [
            ("generations", counters.generations, documents + self.reconnects),
            ("reconnects", counters.reconnects, self.reconnects),
            ("gap repairs", counters.gap_repairs, self.gap_repairs),
            ("dropped frames", counters.dropped_frames, 0),
            ("malformed frames", counters.malformed_frames, 0),
            ("discontinuous pages", counters.discontinuous_pages, 0),
            ("sink panics", counters.sink_panics, 0),
            ("failed calls", counters.failed_calls, 0),
            ("failed sessions", counters.failed_sessions, 0),
        ];
        let mut message = String::new();
        for (name, counted, declared) in rows {
            if counted != declared {
                let _ = write!(message, "\n  - {name}: {counted}, declared {declared}");
            }
        }
        if message.is_empty() {
            Ok(())
        } else {
            Err(format!("client counters differ from what the scenario declares (Scenario::budget):{message}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLEAN: Counters = Counters {
        generations: 1,
        reconnects: 0,
        gap_repairs: 0,
        dropped_frames: 0,
        malformed_frames: 0,
        discontinuous_pages: 0,
        sink_panics: 0,
        failed_calls: 0,
        failed_sessions: 0,
    };

    #[test]
    fn a_clean_page_passes() {
        assert_eq!(Budget::default().check(&CLEAN, 1), Ok(()));
    }

    #[test]
    fn what_a_document_that_is_gone_counted_still_counts() {
        let mut documents = Documents::default();
        documents.leave(None);
        documents.leave(Some(Counters { generations: 2, reconnects: 1, ..CLEAN }));
        let total = documents.total(CLEAN);
        let message = Budget::default().check(&total, documents.loaded()).expect_err("a healed loss");
        assert!(message.contains("reconnects: 1, declared 0"), "{message}");
        let declared = Budget { reconnects: 1, gap_repairs: 0 };
        assert_eq!(declared.check(&total, documents.loaded()), Ok(()));
    }

    #[test]
    fn every_counter_is_seen() {
        type Spoil = fn(&mut Counters);
        let spoil: [(&str, Spoil); 9] = [
            ("generations", |counters| counters.generations = 2),
            ("reconnects", |counters| counters.reconnects = 1),
            ("gap repairs", |counters| counters.gap_repairs = 1),
            ("dropped frames", |counters| counters.dropped_frames = 1),
            ("malformed frames", |counters| counters.malformed_frames = 1),
            ("discontinuous pages", |counters| counters.discontinuous_pages = 1),
            ("sink panics", |counters| counters.sink_panics = 1),
            ("failed calls", |counters| counters.failed_calls = 1),
            ("failed sessions", |counters| counters.failed_sessions = 1),
        ];
        for (name, spoil) in spoil {
            let mut counters = CLEAN;
            spoil(&mut counters);
            let message = Budget::default().check(&counters, 1).expect_err(name);
            assert!(message.contains(name), "{message}");
        }
    }

    #[test]
    fn a_declared_reconnect_covers_its_two_streams_and_nothing_else() {
        let failed = |path: &str| Problem {
            kind: ProblemKind::RequestFailed,
            text: "GET failed".to_owned(),
            url: format!("http://127.0.0.1:1{path}"),
            stack: Vec::new(),
        };
        let broken = || vec![failed(STREAMS[0]), failed("/api/session.list"), failed(STREAMS[1]), failed(STREAMS[1])];
        let declared = Budget { reconnects: 1, gap_repairs: 0 };
        assert_eq!(declared.undeclared(broken()), [failed("/api/session.list"), failed(STREAMS[1])]);
        assert_eq!(Budget::default().undeclared(broken()), broken());
    }

    #[test]
    fn a_declared_reconnect_that_does_not_happen_fails_too() {
        let declared = Budget { reconnects: 1, gap_repairs: 0 };
        assert!(declared.check(&CLEAN, 1).expect_err("none happened").contains("reconnects: 0, declared 1"));
        assert_eq!(declared.check(&Counters { generations: 2, reconnects: 1, ..CLEAN }, 1), Ok(()));
    }
}
