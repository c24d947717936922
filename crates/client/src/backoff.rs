//! How long to wait before the next connection attempt.

use std::time::Duration;

const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(10);

/// The wait before attempt `attempt` (from 1): uniform in the upper half of `min(10 s, 500 ms · 2^(attempt-1))`, so that
/// many pages do not come back in step. `random` is in `0.0..1.0`.
pub(crate) fn delay(attempt: u32, random: f64) -> Duration {
    let cap = FIRST.saturating_mul(1 << attempt.saturating_sub(1).min(16)).min(LONGEST);
    cap / 2 + (cap / 2).mul_f64(random.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::delay;
    use std::time::Duration;

    #[test]
    fn delay_doubles_from_half_a_second_to_ten_seconds() {
        let caps = [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000];
        for (attempt, cap) in (1..).zip(caps) {
            assert_eq!(delay(attempt, 1.0), Duration::from_millis(cap), "attempt {attempt}");
            assert_eq!(delay(attempt, 0.0), Duration::from_millis(cap / 2), "attempt {attempt}");
        }
        assert_eq!(delay(u32::MAX, 1.0), Duration::from_secs(10));
    }
}
