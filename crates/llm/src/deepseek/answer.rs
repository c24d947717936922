//! The events of a streamed chat completion to chunks.

use std::collections::VecDeque;

use serde::Deserialize;
use session::{Block, BlockType, Chunk, FinishReason, Usage};

use super::call::transport;
use super::refusal::{self, Refusal};
use crate::{LlmError, LlmErrorCode};

/// The answer as far as it has come.
///
/// The protocol has no blocks: a block starts with the first piece of its kind and ends with the answer.
#[derive(Default)]
pub(super) struct Answer {
    blocks: Vec<Block>,
    /// Of each tool call the position the provider gives it and its block index.
    calls: Vec<(u32, usize)>,
    usage: Option<Usage>,
    finish: Option<FinishReason>,
}

#[derive(Deserialize)]
struct Event {
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<Counts>,
    error: Option<Refusal>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    delta: Delta,
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
struct Delta {
    content: Option<String>,
    reasoning_content: Option<String>,
    tool_calls: Option<Vec<ToolCallDelta>>,
}

#[derive(Deserialize)]
struct ToolCallDelta {
    index: u32,
    id: Option<String>,
    #[serde(default)]
    function: FunctionDelta,
}

#[derive(Default, Deserialize)]
struct FunctionDelta {
    name: Option<String>,
    arguments: Option<String>,
}

/// `prompt_tokens` counts cache hits too.
#[derive(Deserialize)]
struct Counts {
    prompt_tokens: u64,
    completion_tokens: u64,
    prompt_cache_hit_tokens: Option<u64>,
    completion_tokens_details: Option<OutputDetails>,
}

#[derive(Deserialize)]
struct OutputDetails {
    reasoning_tokens: Option<u64>,
}

impl Answer {
    /// Takes the data of one event; appends the chunks it makes to `chunks`.
    pub(super) fn event(&mut self, data: &[u8], chunks: &mut VecDeque<Chunk>) -> Result<(), LlmError> {
        if data == b"[DONE]" {
            return self.finish(chunks);
        }
        let event: Event = serde_json::from_slice(data).map_err(|error| {
            transport(format!("the provider sent an event that is not a completion's: {error}; try again"))
        })?;
        if let Some(error) = event.error {
            return Err(refusal::in_stream(&error));
        }
        if let Some(counts) = event.usage {
            self.usage = Some(counts.into());
        }
        for choice in event.choices {
            let Delta { content, reasoning_content, tool_calls } = choice.delta;
            self.reasoning(reasoning_content.unwrap_or_default(), chunks);
            self.text(content.unwrap_or_default(), chunks);
            for delta in tool_calls.unwrap_or_default() {
                self.tool_call(delta, chunks)?;
            }
            if let Some(reason) = choice.finish_reason {
                self.finish = Some(finish_reason(&reason)?);
            }
        }
        Ok(())
    }

    fn text(&mut self, piece: String, chunks: &mut VecDeque<Chunk>) {
        if piece.is_empty() {
            return;
        }
        let known = self.blocks.iter().position(|block| matches!(block, Block::Text { .. }));
        let at = known.unwrap_or_else(|| self.start(BlockType::Text, Block::Text { text: String::new() }, chunks));
        if let Block::Text { text } = &mut self.blocks[at] {
            text.push_str(&piece);
        }
        chunks.push_back(Chunk::TextDelta { index: at as u32, text: piece });
    }

    fn reasoning(&mut self, piece: String, chunks: &mut VecDeque<Chunk>) {
        if piece.is_empty() {
            return;
        }
        let known = self.blocks.iter().position(|block| matches!(block, Block::Reasoning { .. }));
        let new = || Block::Reasoning { text: String::new() };
        let at = known.unwrap_or_else(|| self.start(BlockType::Reasoning, new(), chunks));
        if let Block::Reasoning { text } = &mut self.blocks[at] {
            text.push_str(&piece);
        }
        chunks.push_back(Chunk::ReasoningDelta { index: at as u32, text: piece });
    }

    fn tool_call(&mut self, delta: ToolCallDelta, chunks: &mut VecDeque<Chunk>) -> Result<(), LlmError> {
        let FunctionDelta { name: said, arguments: piece } = delta.function;
        let said = said.filter(|name| !name.is_empty());
        let piece = piece.unwrap_or_default();
        let known = self.calls.iter().find(|(position, _)| *position == delta.index).map(|(_, at)| *at);
        let at = match (known, delta.id) {
            (Some(at), _) => at,
            (None, Some(id)) if !id.is_empty() => {
                let block = Block::ToolCall { id, name: String::new(), arguments: String::new() };
                let at = self.start(BlockType::ToolCall, block, chunks);
                self.calls.push((delta.index, at));
                at
            }
            (None, _) => {
                let message = format!("the provider began tool call {} without an id; try again", delta.index);
                return Err(transport(message));
            }
        };
        let Block::ToolCall { id, name, arguments } = &mut self.blocks[at] else { return Ok(()) };
        if let Some(said) = &said {
            name.clone_from(said);
        }
        arguments.push_str(&piece);
        // The first piece is mostly empty; it still tells the reader the call's id and name.
        if known.is_none() || said.is_some() || !piece.is_empty() {
            chunks.push_back(Chunk::ToolCallDelta {
                index: at as u32,
                id: id.clone(),
                name: said,
                arguments_delta: piece,
            });
        }
        Ok(())
    }

    fn start(&mut self, block_type: BlockType, block: Block, chunks: &mut VecDeque<Chunk>) -> usize {
        let at = self.blocks.len();
        self.blocks.push(block);
        chunks.push_back(Chunk::BlockStart { index: at as u32, block_type });
        at
    }

    fn finish(&mut self, chunks: &mut VecDeque<Chunk>) -> Result<(), LlmError> {
        let reason =
            self.finish.take().ok_or_else(|| transport("the provider ended its answer without a reason; try again"))?;
        if self.blocks.is_empty() && !matches!(reason, FinishReason::Error { .. }) {
            return Err(LlmError::new(LlmErrorCode::EmptyResponse, "the provider's answer is empty; try again"));
        }
        let nameless = |block: &Block| matches!(block, Block::ToolCall { name, .. } if name.is_empty());
        if self.blocks.iter().any(nameless) {
            return Err(transport("the provider called a tool without naming it; try again"));
        }
        // Some answers that call tools say that they stopped.
        let reason = match reason {
            FinishReason::Stop if !self.calls.is_empty() => FinishReason::ToolCalls,
            reason => reason,
        };
        let blocks = std::mem::take(&mut self.blocks);
        chunks.extend((0..).zip(blocks).map(|(index, block)| Chunk::BlockEnd { index, block }));
        chunks.extend(self.usage.take().map(|usage| Chunk::Usage { usage }));
        chunks.push_back(Chunk::Finish { reason, replay_state: None });
        Ok(())
    }
}

impl From<Counts> for Usage {
    fn from(counts: Counts) -> Self {
        let hit = counts.prompt_cache_hit_tokens;
        Self {
            input_tokens: counts.prompt_tokens.saturating_sub(hit.unwrap_or(0)),
            output_tokens: counts.completion_tokens,
            cache_read_tokens: hit,
            cache_write_tokens: None,
            reasoning_tokens: counts.completion_tokens_details.and_then(|details| details.reasoning_tokens),
        }
    }
}

fn finish_reason(reason: &str) -> Result<FinishReason, LlmError> {
    Ok(match reason {
        "stop" => FinishReason::Stop,
        "tool_calls" => FinishReason::ToolCalls,
        "length" => FinishReason::MaxTokens,
        "content_filter" => {
            FinishReason::Error { message: Some("the provider's content filter stopped the answer".to_owned()) }
        }
        "insufficient_system_resource" => {
            let message = "the provider broke off the answer for lack of resources; try again";
            return Err(LlmError::new(LlmErrorCode::Server, message));
        }
        other => {
            return Err(transport(format!("the provider ended its answer for an unknown reason {other:?}; try again")));
        }
    })
}
