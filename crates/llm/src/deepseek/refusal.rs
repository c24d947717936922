//! What the provider says when it does not answer, to error codes.

use std::time::SystemTime;

use hyper::StatusCode;
use hyper::header::{DATE, HeaderMap, RETRY_AFTER};
use serde::Deserialize;

use crate::{LlmError, LlmErrorCode};

/// The provider's error object.
#[derive(Default, Deserialize)]
pub(super) struct Refusal {
    #[serde(default)]
    message: String,
    #[serde(rename = "type")]
    kind: Option<String>,
    code: Option<serde_json::Value>,
}

/// Longer explanations are cut.
const LONGEST_MESSAGE: usize = 1000;

/// The error of an answer whose status is not 200.
pub(super) fn from_response(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> LlmError {
    #[derive(Deserialize)]
    struct Body {
        error: Refusal,
    }
    let said = serde_json::from_slice::<Body>(body).map(|body| body.error.message).unwrap_or_default();
    let (code, what, next) = match status.as_u16() {
        401 | 403 => (LlmErrorCode::Auth, "the provider refused the API key", "check the key"),
        402 => (LlmErrorCode::BadRequest, "the account with the provider has no balance left", "top it up"),
        404 => (LlmErrorCode::BadRequest, "the provider does not know this address", "check the base URL"),
        408 => (LlmErrorCode::Timeout, "the provider gave up waiting", "try again"),
        429 => (LlmErrorCode::RateLimit, "the provider got too many requests", "wait, then try again"),
        300..=399 => (LlmErrorCode::Transport, "the provider sent us to another address", "check the base URL"),
        500.. => (LlmErrorCode::Server, "the provider failed", "try again later"),
        _ => (LlmErrorCode::BadRequest, "the provider refused the request", "check the model and the settings"),
    };
    LlmError {
        code,
        message: sentence(&format!("{what} (HTTP {})", status.as_u16()), &said, next),
        status: Some(status.as_u16()),
        request_id: request_id(headers),
        retry_after_ms: retry_after_ms(headers),
    }
}

/// The error of an error object inside an answer that began well.
pub(super) fn in_stream(refusal: &Refusal) -> LlmError {
    let code = refusal.code.as_ref().and_then(serde_json::Value::as_str).or(refusal.kind.as_deref());
    let code = match code.unwrap_or_default() {
        "authentication_error" | "invalid_api_key" => LlmErrorCode::Auth,
        "rate_limit_error" | "rate_limit_exceeded" | "rate_limit_reached_error" => LlmErrorCode::RateLimit,
        "invalid_request_error" => LlmErrorCode::BadRequest,
        _ => LlmErrorCode::Server,
    };
    LlmError::new(code, sentence("the provider broke off its answer", &refusal.message, "try again"))
}

fn sentence(what: &str, said: &str, next: &str) -> String {
    let said = said.trim();
    match said.char_indices().nth(LONGEST_MESSAGE) {
        _ if said.is_empty() => format!("{what}; {next}"),
        Some((end, _)) => format!("{what}: {}…; {next}", &said[..end]),
        None => format!("{what}: {said}; {next}"),
    }
}

/// The id by which the provider can find the request.
pub(super) fn request_id(headers: &HeaderMap) -> Option<String> {
    ["x-request-id", "x-ds-trace-id"].iter().find_map(|name| text(headers, name)).map(str::to_owned)
}

/// `retry-after` in seconds or as a date (RFC 9110, 10.2.3). A date counts from the answer's own `date`, so that the
/// two clocks need not agree.
fn retry_after_ms(headers: &HeaderMap) -> Option<u64> {
    let after = text(headers, RETRY_AFTER.as_str())?.trim();
    if let Ok(seconds) = after.parse::<u64>() {
        return seconds.checked_mul(1000);
    }
    let until = httpdate::parse_http_date(after).ok()?;
    let now: SystemTime = httpdate::parse_http_date(text(headers, DATE.as_str())?).ok()?;
    until.duration_since(now).ok()?.as_millis().try_into().ok()
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().filter(|value| !value.is_empty())
}
