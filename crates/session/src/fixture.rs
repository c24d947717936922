//! Between a live log and a committed fixture: what differs from run to run becomes a token, and back.

use serde_json::Value;

use crate::{Event, Header, LogError, Packing, Payload, SurfaceOp, decode_log, encode_log};

const SESSION_ID: &str = "{{sessionId}}";
const CWD: &str = "{{cwd}}";
const RPC_ID: &str = "{{rpcId}}";

/// The texts a person sent, in order: `user/message` events with a source of kind `user`.
pub fn user_prompts(events: &[Event]) -> Vec<String> {
    events
        .iter()
        .filter(|event| event.kind == "user/message" && event.surface_op == Some(SurfaceOp::APPEND))
        .filter_map(|event| match event.payload() {
            Ok(Payload::UserMessage(message)) if message.source.kind == "user" => Some(message.text()),
            _ => None,
        })
        .collect()
}

/// The committed form of a recorded log: packed, session id as `{{sessionId}}`, every `rpcId` as `{{rpcId}}`, the
/// session's working directory as `{{cwd}}`, and the request header's system prompt and tools as `{{system}}` and
/// `{{tools}}` (they are the program's, not the recording's).
pub fn tokenize_fixture(header: &Header, events: &[Event]) -> String {
    let mut header = header.clone();
    let mut replacements = vec![(std::mem::replace(&mut header.id, SESSION_ID.to_owned()), SESSION_ID)];
    if let Some(cwd) = header.cwd.as_mut() {
        replacements.push((std::mem::replace(cwd, CWD.to_owned()), CWD));
    }
    // The root directory is in every path, an empty id everywhere: neither can be told apart from the text around it.
    replacements.retain(|(from, _)| from.len() > 1);
    let mut events = events.to_vec();
    for event in &mut events {
        if event.kind == "request/header" {
            for (key, token) in [("system", "{{system}}"), ("tools", "{{tools}}")] {
                if let Some(value) = event.data.get_mut("header").and_then(|header| header.get_mut(key)) {
                    *value = token.into();
                }
            }
        }
        replace_rpc_ids(&mut event.data);
        replace_in_strings(&mut event.data, &replacements);
    }
    encode_log(&header, &events, Packing::Packed)
}

/// A fixture in this world: its session id becomes `session_id`; the working directory it was recorded in, a path or
/// `{{cwd}}` with a suffix, becomes `cwd`, as does every other `{{cwd}}`. `{{rpcId}}` and the header's tokens stay.
pub fn realize_fixture(text: &str, session_id: &str, cwd: &str) -> Result<(Header, Vec<Event>), LogError> {
    let (mut header, mut events) = decode_log(text)?;
    let recorded_id = std::mem::replace(&mut header.id, session_id.to_owned());
    let recorded_cwd = header.cwd.replace(cwd.to_owned());
    let replacements: Vec<(String, &str)> = [
        (Some(recorded_id), session_id),
        (Some(SESSION_ID.to_owned()), session_id),
        (recorded_cwd, cwd),
        (Some(CWD.to_owned()), cwd),
    ]
    .into_iter()
    .filter_map(|(recorded, here)| recorded.filter(|recorded| recorded.len() > 1).map(|recorded| (recorded, here)))
    .collect();
    for event in &mut events {
        replace_in_strings(&mut event.data, &replacements);
    }
    Ok((header, events))
}

fn replace_rpc_ids(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (key, field) in fields {
                if key == "rpcId" && field.is_string() {
                    *field = RPC_ID.into();
                } else {
                    replace_rpc_ids(field);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(replace_rpc_ids),
        _ => {}
    }
}

fn replace_in_strings(value: &mut Value, replacements: &[(String, &str)]) {
    match value {
        Value::String(text) => {
            for (from, to) in replacements {
                if text.contains(from.as_str()) {
                    *text = replace_whole(text, from, to);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace_in_strings(item, replacements)),
        Value::Object(fields) => fields.values_mut().for_each(|field| replace_in_strings(field, replacements)),
        _ => {}
    }
}

/// Replaces `from` where it stands alone: an id `s1` is not part of `its1`, nor a directory `/tmp/a` of `/tmp/ab`. A
/// token ends by itself.
fn replace_whole(text: &str, from: &str, to: &str) -> String {
    let is_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    let token = from.ends_with("}}");
    let mut replaced = String::new();
    let mut done = 0;
    for (at, _) in text.match_indices(from) {
        let end = at + from.len();
        let joined = text[..at].ends_with(is_word) || text[end..].starts_with(is_word);
        if token || !joined {
            replaced.push_str(&text[done..at]);
            replaced.push_str(to);
            done = end;
        }
    }
    replaced + &text[done..]
}
