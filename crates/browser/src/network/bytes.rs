//! `network.BytesValue`, both ways.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use bidi::event::network::BytesValue;
use serde_json::{Value, json};

/// The bytes of a value; those of text that is no base64 when it should be.
pub(super) fn decoded(value: &BytesValue) -> Vec<u8> {
    match value.kind.as_str() {
        "base64" => BASE64.decode(&value.value).unwrap_or_else(|_| value.value.clone().into_bytes()),
        _ => value.value.clone().into_bytes(),
    }
}

/// A value of any bytes.
pub(super) fn encoded(bytes: &[u8]) -> Value {
    json!({ "type": "base64", "value": BASE64.encode(bytes) })
}
