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
