//! Moments given by tests.

use crate::error::{Error, Result};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// A moment: a [`SystemTime`], or text in the form of RFC 3339 such as `2026-03-01T08:30:00Z`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClockTime(Given);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Given {
    Time(SystemTime),
    Text(String),
}

impl From<SystemTime> for ClockTime {
    fn from(time: SystemTime) -> Self {
        Self(Given::Time(time))
    }
}

impl From<&str> for ClockTime {
    fn from(text: &str) -> Self {
        Self(Given::Text(text.to_owned()))
    }
}

impl ClockTime {
    /// Milliseconds since the epoch.
    pub(super) fn milliseconds(&self) -> Result<f64> {
        let time = match &self.0 {
            Given::Time(time) => *time,
            Given::Text(text) => OffsetDateTime::parse(text, &Rfc3339).map(SystemTime::from).map_err(|error| {
                let reason = format!("{text:?} has not the form of 2026-03-01T08:30:00Z: {error}");
                Error::OptionRefused { option: "the clock", reason }
            })?,
        };
        let milliseconds = |duration: Duration| duration.as_micros() as f64 / 1000.0;
        Ok(match time.duration_since(UNIX_EPOCH) {
            Ok(since) => milliseconds(since),
            Err(before) => -milliseconds(before.duration()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_system_time_are_the_same_moment() {
        let text = ClockTime::from("1970-01-01T01:00:00.250+01:00");
        assert_eq!(text.milliseconds().unwrap(), 250.0);
        assert_eq!(ClockTime::from(UNIX_EPOCH - Duration::from_secs(1)).milliseconds().unwrap(), -1000.0);
    }

    #[test]
    fn text_of_another_form_is_refused_with_the_form_wanted() {
        let error = ClockTime::from("tomorrow").milliseconds().unwrap_err().to_string();
        let start = "cannot set the clock: \"tomorrow\" has not the form of 2026-03-01T08:30:00Z: ";
        assert!(error.starts_with(start), "{error}");
    }
}
