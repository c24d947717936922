//! Recorded chunks to the events of a streamed chat completion.

use serde_json::{Value, json};
use session::{Block, Chunk, FinishReason, Usage};

/// The events of one answer, each `data: …\n\n`, the terminator last. Fails on what the protocol cannot carry: a chat
/// completion has one text, one reasoning and a list of tool calls, not blocks.
pub(super) fn events(chunks: &[Chunk]) -> Result<Vec<String>, String> {
    let mut writer = Writer::default();
    for chunk in chunks {
        writer.chunk(chunk)?;
    }
    Ok(writer.events)
}

#[derive(Default)]
struct Writer {
    events: Vec<String>,
    blocks: Vec<Written>,
    usage: Option<Usage>,
}

/// What was written of one block.
struct Written {
    index: u32,
    kind: Kind,
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Reasoning,
    ToolCall { position: usize },
}

impl Writer {
    fn chunk(&mut self, chunk: &Chunk) -> Result<(), String> {
        match chunk {
            Chunk::BlockStart { .. } => {}
            Chunk::TextDelta { index, text } => self.text(*index, Kind::Text, text)?,
            Chunk::ReasoningDelta { index, text } => self.text(*index, Kind::Reasoning, text)?,
            Chunk::ToolCallDelta { index, id, name, arguments_delta } => {
                self.tool_call(*index, id, name.as_deref(), arguments_delta)?;
            }
            Chunk::BlockEnd { index, block } => self.block_end(*index, block)?,
            Chunk::Usage { usage } => self.usage = Some(*usage),
            Chunk::Finish { reason, .. } => self.finish(reason)?,
        }
        Ok(())
    }

    fn text(&mut self, index: u32, kind: Kind, piece: &str) -> Result<(), String> {
        let written = self.block(index, kind)?;
        written.text.push_str(piece);
        let field = if kind == Kind::Text { "content" } else { "reasoning_content" };
        self.delta(json!({field: piece}), Value::Null);
        Ok(())
    }

    fn tool_call(&mut self, index: u32, id: &str, name: Option<&str>, piece: &str) -> Result<(), String> {
        let known = self.blocks.iter().any(|block| block.index == index);
        let calls = self.blocks.iter().filter(|block| matches!(block.kind, Kind::ToolCall { .. })).count();
        let written = self.block(index, Kind::ToolCall { position: calls })?;
        written.text.push_str(piece);
        let Kind::ToolCall { position } = written.kind else { return Ok(()) };
        let mut function = json!({"arguments": piece});
        if let Some(name) = name {
            function["name"] = name.into();
        }
        let mut call = json!({"index": position, "function": function});
        if !known {
            call["id"] = id.into();
            call["type"] = "function".into();
        }
        self.delta(json!({"tool_calls": [call]}), Value::Null);
        Ok(())
    }

    /// Writes what the deltas left out.
    fn block_end(&mut self, index: u32, block: &Block) -> Result<(), String> {
        let whole = match block {
            Block::Text { text } | Block::Reasoning { text } => text,
            Block::ToolCall { arguments, .. } => arguments,
        };
        let known = self.blocks.iter().find(|written| written.index == index);
        let written = known.map_or("", |written| written.text.as_str());
        let Some(rest) = whole.strip_prefix(written).map(str::to_owned) else {
            return Err(format!("block {index} ends with another content than its deltas"));
        };
        match block {
            _ if rest.is_empty() && known.is_some() => Ok(()),
            Block::Text { .. } => self.text(index, Kind::Text, &rest),
            Block::Reasoning { .. } => self.text(index, Kind::Reasoning, &rest),
            Block::ToolCall { id, name, .. } => {
                let name = known.is_none().then_some(name.as_str());
                self.tool_call(index, id, name, &rest)
            }
        }
    }

    fn finish(&mut self, reason: &FinishReason) -> Result<(), String> {
        let reason = match reason {
            FinishReason::Stop => "stop",
            FinishReason::ToolCalls => "tool_calls",
            FinishReason::MaxTokens => "length",
            FinishReason::Error { .. } => "content_filter",
            FinishReason::Aborted => return Err("it was cancelled".to_owned()),
        };
        self.delta(json!({}), reason.into());
        if let Some(usage) = self.usage {
            self.event(&json!({"choices": [], "usage": usage_fields(&usage)}));
        }
        self.events.push("data: [DONE]\n\n".to_owned());
        Ok(())
    }

    /// The block with this index, new where it is not known yet.
    fn block(&mut self, index: u32, kind: Kind) -> Result<&mut Written, String> {
        if let Some(at) = self.blocks.iter().position(|block| block.index == index) {
            return Ok(&mut self.blocks[at]);
        }
        let single = matches!(kind, Kind::Text | Kind::Reasoning);
        if single && self.blocks.iter().any(|block| block.kind == kind) {
            return Err(format!("block {index} is a second block of text or reasoning"));
        }
        self.blocks.push(Written { index, kind, text: String::new() });
        let at = self.blocks.len() - 1;
        Ok(&mut self.blocks[at])
    }

    fn delta(&mut self, delta: Value, finish_reason: Value) {
        self.event(&json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}));
    }

    fn event(&mut self, fields: &Value) {
        let mut event = json!({"id": "replay", "object": "chat.completion.chunk"});
        if let (Some(event), Some(fields)) = (event.as_object_mut(), fields.as_object()) {
            event.extend(fields.clone());
        }
        self.events.push(format!("data: {event}\n\n"));
    }
}

fn usage_fields(usage: &Usage) -> Value {
    let hit = usage.cache_read_tokens.unwrap_or(0);
    let mut fields = json!({
        "prompt_tokens": usage.input_tokens + hit,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.input_tokens + hit + usage.output_tokens,
        "prompt_cache_miss_tokens": usage.input_tokens,
    });
    if usage.cache_read_tokens.is_some() {
        fields["prompt_cache_hit_tokens"] = hit.into();
    }
    if let Some(reasoning) = usage.reasoning_tokens {
        fields["completion_tokens_details"] = json!({"reasoning_tokens": reasoning});
    }
    fields
}
