use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{LlmError, LlmErrorCode};

/// When a failed call is made again: which codes, how often, how long between.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RetryPolicy {
    /// Most retries of one call.
    pub max_retries: u32,
    /// Wait before the first retry, milliseconds; doubles with each.
    pub base_delay_ms: u64,
    /// Longest wait, milliseconds. A provider's `retry-after` above it ends the retries.
    pub max_delay_ms: u64,
    /// Share of the wait that is random, 0 to 1.
    pub jitter: f64,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { max_retries: 5, base_delay_ms: 500, max_delay_ms: 10_000, jitter: 0.1 }
    }
}

impl RetryPolicy {
    /// The wait before retry number `retry` (from 1), or `None` when the failure is final. `random` is in 0..1.
    pub fn delay(&self, error: &LlmError, retry: u32, random: f64) -> Option<Duration> {
        let retryable = matches!(
            error.code,
            LlmErrorCode::EmptyResponse
                | LlmErrorCode::RateLimit
                | LlmErrorCode::Server
                | LlmErrorCode::Timeout
                | LlmErrorCode::Transport
        );
        if !retryable || retry > self.max_retries {
            return None;
        }
        if let Some(asked) = error.retry_after_ms {
            return (asked <= self.max_delay_ms).then(|| Duration::from_millis(asked));
        }
        let doubled = self.base_delay_ms.saturating_mul(1_u64.checked_shl(retry - 1).unwrap_or(u64::MAX));
        let capped = doubled.min(self.max_delay_ms) as f64;
        let spread = 1.0 + self.jitter * (2.0 * random - 1.0);
        Some(Duration::from_millis((capped * spread) as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delay(error: &LlmError, retry: u32, random: f64) -> Option<u64> {
        RetryPolicy::default().delay(error, retry, random).map(|wait| wait.as_millis() as u64)
    }

    fn error(code: LlmErrorCode) -> LlmError {
        LlmError::new(code, "")
    }

    #[test]
    fn waits_double_up_to_the_longest_and_end_after_the_last_retry() {
        let waits: Vec<_> = (1..=6).map(|retry| delay(&error(LlmErrorCode::Server), retry, 0.5)).collect();
        assert_eq!(waits, [Some(500), Some(1000), Some(2000), Some(4000), Some(8000), None]);
        let patient = RetryPolicy { max_retries: 100, ..RetryPolicy::default() };
        assert_eq!(patient.delay(&error(LlmErrorCode::Server), 100, 0.5), Some(Duration::from_secs(10)));
    }

    #[test]
    fn jitter_spreads_the_wait_both_ways() {
        let server = error(LlmErrorCode::Server);
        assert_eq!((delay(&server, 1, 0.0), delay(&server, 1, 1.0)), (Some(450), Some(550)));
    }

    #[test]
    fn only_passing_failures_are_retried() {
        use LlmErrorCode::*;
        for code in [EmptyResponse, RateLimit, Server, Timeout, Transport] {
            assert!(delay(&error(code), 1, 0.5).is_some(), "{code:?}");
        }
        for code in [Aborted, Auth, BadRequest, ModelUnavailable, Replay] {
            assert_eq!(delay(&error(code), 1, 0.5), None, "{code:?}");
        }
    }

    #[test]
    fn the_provider_says_how_long_unless_it_is_too_long() {
        let asked = |ms| LlmError { retry_after_ms: Some(ms), ..error(LlmErrorCode::RateLimit) };
        assert_eq!((delay(&asked(7000), 1, 0.9), delay(&asked(10_001), 1, 0.9)), (Some(7000), None));
    }
}
