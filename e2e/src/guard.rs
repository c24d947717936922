use std::fmt::Write as _;

use browser::{Problem, ProblemKind};
use client::Counters;

/// Paths of the two event streams.
const STREAMS: [&str; 2] = ["/api/events.mux", "/api/events.host"];

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

    /// What differs from the declaration, a line each.
    pub(crate) fn check(&self, counters: &Counters) -> Result<(), String> {
        let rows = [
            ("generations", counters.generations, 1 + self.reconnects),
            ("reconnects", counters.reconnects, self.reconnects),
            ("gap repairs", counters.gap_repairs, self.gap_repairs),
            ("dropped frames", counters.dropped_frames, 0),
            ("malformed frames", counters.malformed_frames, 0),
            ("discontinuous pages", counters.discontinuous_pages, 0),
            ("sink panics", counters.sink_panics, 0),
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
    };

    #[test]
    fn a_clean_page_passes() {
        assert_eq!(Budget::default().check(&CLEAN), Ok(()));
    }

    #[test]
    fn every_counter_is_seen() {
        type Spoil = fn(&mut Counters);
        let spoil: [(&str, Spoil); 7] = [
            ("generations", |counters| counters.generations = 2),
            ("reconnects", |counters| counters.reconnects = 1),
            ("gap repairs", |counters| counters.gap_repairs = 1),
            ("dropped frames", |counters| counters.dropped_frames = 1),
            ("malformed frames", |counters| counters.malformed_frames = 1),
            ("discontinuous pages", |counters| counters.discontinuous_pages = 1),
            ("sink panics", |counters| counters.sink_panics = 1),
        ];
        for (name, spoil) in spoil {
            let mut counters = CLEAN;
            spoil(&mut counters);
            let message = Budget::default().check(&counters).expect_err(name);
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
        assert!(declared.check(&CLEAN).expect_err("none happened").contains("reconnects: 0, declared 1"));
        assert_eq!(declared.check(&Counters { generations: 2, reconnects: 1, ..CLEAN }), Ok(()));
    }
}
