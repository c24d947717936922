use crate::{Event, Message, Payload, Role, SurfaceOp};

/// The messages the model sees: surface events in order, `append` adding one, `replace` putting one in the place of a
/// range. An answer without any part says nothing to a model and is left out of the result (it still counts for
/// ranges).
///
/// The events are those of a checked log (`decode_log`, [`crate::LogCheck`]); an event that would not pass the check
/// changes nothing here. A log that a crash cut short gives tool calls without results until [`crate::balance`] has
/// closed its turn.
pub fn surface(events: &[Event]) -> Vec<Message> {
    let mut nodes: Vec<Message> = Vec::new();
    for event in events {
        let Some(op) = &event.surface_op else { continue };
        let message = match event.payload() {
            Ok(Payload::UserMessage(message)) => message,
            Ok(Payload::AssistantMessage { message, .. } | Payload::ToolResult { message, .. }) => message,
            _ => continue,
        };
        match op {
            SurfaceOp::Append(_) => nodes.push(message),
            SurfaceOp::Replace { start, end, .. } if start <= end && *end <= nodes.len() as u64 => {
                nodes.splice(*start as usize..*end as usize, [message]);
            }
            SurfaceOp::Replace { .. } => {}
        }
    }
    nodes.retain(|message| message.role != Role::Assistant || !message.content.is_empty());
    nodes
}
