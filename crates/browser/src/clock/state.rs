//! What a clock shows, as told to pages.

use serde::Serialize;

/// The state of a context's clock. Times are milliseconds.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClockState {
    pub(super) told: Told,
    /// Whether documents get the clock at all.
    pub(super) prepared: bool,
    /// Preload script that tells new documents.
    pub(super) script: Option<String>,
}

/// What the page's half is told. `mono` is what timers go by; dates are `mono + shift`, or `fixed`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(super) struct Told {
    /// Whether timers are ours.
    pub(super) installed: bool,
    pub(super) running: bool,
    pub(super) mono: f64,
    /// The machine's time when `mono` was right; it goes on from there while it runs.
    pub(super) real: f64,
    pub(super) shift: f64,
    pub(super) fixed: Option<f64>,
}

impl Told {
    /// The time timers go by, when the machine's is `real`.
    pub(super) fn mono_at(&self, real: f64) -> f64 {
        match (self.installed, self.running) {
            (false, _) => real,
            (true, true) => self.mono + (real - self.real),
            (true, false) => self.mono,
        }
    }

    /// Frozen at the date `time`, with timers that are ours.
    pub(super) fn frozen(&self, time: f64, real: f64) -> Self {
        let mono = self.mono_at(real);
        Self { installed: true, running: false, mono, real, shift: time - mono, fixed: None }
    }

    /// With dates that stand still.
    pub(super) fn with_fixed(&self, time: f64) -> Self {
        Self { fixed: Some(time), ..self.clone() }
    }

    /// With dates that go on from `time`.
    pub(super) fn with_date(&self, time: f64, real: f64) -> Self {
        Self { shift: time - self.mono_at(real), fixed: None, ..self.clone() }
    }

    /// After `by` more milliseconds, at which it stands still or runs as before.
    pub(super) fn later(&self, by: f64, real: f64) -> Self {
        Self { mono: self.mono_at(real) + by, real, ..self.clone() }
    }

    /// Standing still, or running.
    pub(super) fn with_running(&self, running: bool, real: f64) -> Self {
        Self { mono: self.mono_at(real), real, running, ..self.clone() }
    }

    /// The date it shows.
    pub(super) fn date_at(&self, real: f64) -> f64 {
        self.fixed.unwrap_or(self.mono_at(real) + self.shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frozen_clock_stands_until_it_is_advanced_and_runs_from_there() {
        let frozen = Told::default().frozen(1_000.0, 50.0);
        assert_eq!((frozen.date_at(50.0), frozen.date_at(900.0)), (1_000.0, 1_000.0));
        let later = frozen.later(30.0, 900.0);
        assert_eq!(later.date_at(5_000.0), 1_030.0);
        let running = later.with_running(true, 5_000.0);
        assert_eq!((running.date_at(5_000.0), running.date_at(5_007.0)), (1_030.0, 1_037.0));
        assert_eq!(running.with_running(false, 5_010.0).date_at(9_999.0), 1_040.0);
    }

    #[test]
    fn dates_alone_are_fixed_or_moved_while_timers_stay_the_browsers() {
        let fixed = Told::default().with_fixed(7.0);
        assert_eq!((fixed.installed, fixed.date_at(100.0)), (false, 7.0));
        let moved = fixed.with_date(1_000.0, 100.0);
        assert_eq!((moved.installed, moved.date_at(100.0), moved.date_at(130.0)), (false, 1_000.0, 1_030.0));
    }
}
