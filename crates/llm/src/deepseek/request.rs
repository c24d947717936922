//! A model call to the body of `POST /chat/completions`.

use serde_json::{Value, json};
use session::{Content, Message, Role};

use crate::Request;

/// The JSON body of a streamed call.
pub(super) fn body(request: &Request) -> Value {
    let mut messages = Vec::new();
    if !request.system.is_empty() {
        messages.push(json!({"role": "system", "content": request.system}));
    }
    for message in &request.messages {
        push(message, &mut messages);
    }
    let mut body = json!({
        "model": request.model,
        "messages": messages,
        "stream": true,
        "stream_options": {"include_usage": true},
    });
    if !request.tools.is_empty() {
        let tool = |tool: &crate::ToolSpec| json!({"type": "function", "function": tool});
        body["tools"] = request.tools.iter().map(tool).collect();
    }
    if let Some(limit) = request.max_tokens {
        body["max_tokens"] = limit.into();
    }
    body
}

fn push(message: &Message, messages: &mut Vec<Value>) {
    match message.role {
        Role::Assistant => messages.extend(assistant(message)),
        Role::System => messages.push(json!({"role": "system", "content": message.text()})),
        Role::User => messages.push(json!({"role": "user", "content": message.text()})),
        Role::Tool => {
            for part in &message.content {
                if let Content::ToolResult { tool_call_id, content, .. } = part {
                    let text: String = content.iter().filter_map(text).collect();
                    messages.push(json!({"role": "tool", "tool_call_id": tool_call_id, "content": text}));
                }
            }
        }
    }
}

/// The reasoning goes back too: while tools are on offer, the API refuses an assistant message that lacks the reasoning
/// it came with. A message without any content (cut off before it began) is refused as well, so it is left out.
fn assistant(message: &Message) -> Option<Value> {
    let mut reasoning = String::new();
    let mut calls = Vec::new();
    for part in &message.content {
        match part {
            Content::Reasoning { text } => reasoning.push_str(text),
            Content::ToolCall { id, name, arguments } => {
                calls.push(json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}))
            }
            Content::Text { .. } | Content::ToolResult { .. } => {}
        }
    }
    let content = message.text();
    if content.is_empty() && reasoning.is_empty() && calls.is_empty() {
        return None;
    }
    let mut sent = json!({"role": "assistant", "content": content});
    if !reasoning.is_empty() {
        sent["reasoning_content"] = reasoning.into();
    }
    if !calls.is_empty() {
        sent["tool_calls"] = calls.into();
    }
    Some(sent)
}

fn text(part: &Content) -> Option<&str> {
    match part {
        Content::Text { text } => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use session::MessageSource;

    use super::*;
    use crate::ToolSpec;

    fn message(role: Role, content: Vec<Content>) -> Message {
        Message { id: "m".to_owned(), role, content, source: MessageSource::new("user") }
    }

    fn request(messages: Vec<Message>) -> Request {
        Request {
            session_id: "s".to_owned(),
            provider: "deepseek".to_owned(),
            model: "deepseek-v4-flash".to_owned(),
            system: String::new(),
            tools: Vec::new(),
            messages,
            max_tokens: None,
        }
    }

    #[test]
    fn a_turn_with_a_tool_call_is_sent_whole() {
        let mut request = request(vec![
            message(Role::User, vec![Content::text("run "), Content::text("it")]),
            message(
                Role::Assistant,
                vec![
                    Content::Reasoning { text: "think".to_owned() },
                    Content::text("I run it."),
                    Content::ToolCall {
                        id: "c1".to_owned(),
                        name: "bash".to_owned(),
                        arguments: "{\"command\":\"true\"}".to_owned(),
                    },
                ],
            ),
            message(
                Role::Tool,
                vec![Content::ToolResult {
                    tool_call_id: "c1".to_owned(),
                    content: vec![Content::text("OK\n")],
                    is_error: false,
                }],
            ),
        ]);
        request.system = "You help.".to_owned();
        request.max_tokens = Some(100);
        request.tools = vec![ToolSpec {
            name: "bash".to_owned(),
            description: "Runs a command.".to_owned(),
            parameters: json!({"type": "object"}),
        }];
        assert_eq!(
            body(&request),
            json!({
                "model": "deepseek-v4-flash",
                "messages": [
                    {"role": "system", "content": "You help."},
                    {"role": "user", "content": "run it"},
                    {
                        "role": "assistant",
                        "content": "I run it.",
                        "reasoning_content": "think",
                        "tool_calls": [{
                            "id": "c1",
                            "type": "function",
                            "function": {"name": "bash", "arguments": "{\"command\":\"true\"}"},
                        }],
                    },
                    {"role": "tool", "tool_call_id": "c1", "content": "OK\n"},
                ],
                "stream": true,
                "stream_options": {"include_usage": true},
                "tools": [{
                    "type": "function",
                    "function": {"name": "bash", "description": "Runs a command.", "parameters": {"type": "object"}},
                }],
                "max_tokens": 100,
            })
        );
    }

    #[test]
    fn an_empty_assistant_message_is_left_out() {
        let request = request(vec![message(Role::User, vec![Content::text("hi")]), message(Role::Assistant, vec![])]);
        assert_eq!(body(&request)["messages"], json!([{"role": "user", "content": "hi"}]));
    }

    #[test]
    fn no_tools_and_no_limit_are_not_sent() {
        let body = body(&request(Vec::new()));
        assert_eq!((body.get("tools"), body.get("max_tokens")), (None, None));
    }
}
