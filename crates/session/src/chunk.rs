use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One piece of a model's streamed answer. A closed union: an unknown `type` is refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Chunk {
    /// A content block begins.
    BlockStart {
        /// Position of the block in the answer.
        index: u32,
        /// What kind of block.
        block_type: BlockType,
    },
    /// More text of a text block.
    TextDelta {
        /// Block index.
        index: u32,
        /// The piece.
        text: String,
    },
    /// More text of a reasoning block.
    ReasoningDelta {
        /// Block index.
        index: u32,
        /// The piece.
        text: String,
    },
    /// More of a tool call. The first delta of a block fixes `id`; `name` may come later.
    ToolCallDelta {
        /// Block index.
        index: u32,
        /// Call id.
        id: String,
        /// Tool name, where this delta carries it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// Piece of the raw JSON argument text.
        arguments_delta: String,
    },
    /// The block is complete; `block` is its whole content and replaces what the deltas built.
    BlockEnd {
        /// Block index.
        index: u32,
        /// The finished block.
        block: Block,
    },
    /// Token counts so far.
    Usage {
        /// The counts.
        usage: Usage,
    },
    /// The call is over.
    Finish {
        /// Why.
        reason: FinishReason,
        /// Opaque provider state to hand back with the next request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        replay_state: Option<Value>,
    },
}

/// Kind of a content block in a model's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BlockType {
    /// Visible text.
    Text,
    /// The model's reasoning.
    Reasoning,
    /// A tool call.
    ToolCall,
}

/// A finished content block of a model's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Block {
    /// Visible text (Markdown).
    Text {
        /// The text.
        text: String,
    },
    /// The model's reasoning.
    Reasoning {
        /// The text.
        text: String,
    },
    /// A call of a tool.
    ToolCall {
        /// Call id.
        id: String,
        /// Tool name.
        name: String,
        /// Raw JSON text of the arguments, as the model wrote it.
        arguments: String,
    },
}

/// Token counts of one model call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Input tokens not read from a cache.
    pub input_tokens: u64,
    /// Output tokens, reasoning included.
    pub output_tokens: u64,
    /// Input tokens read from the provider's cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read_tokens: Option<u64>,
    /// Input tokens written to the provider's cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write_tokens: Option<u64>,
    /// Output tokens spent on reasoning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_tokens: Option<u64>,
}

/// Why a model call ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum FinishReason {
    /// The answer is complete.
    Stop,
    /// The model waits for tool results.
    ToolCalls,
    /// The output limit was reached.
    MaxTokens,
    /// The provider gave up; facts in the fields it sent.
    Error {
        /// What the provider said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// The call was cancelled.
    Aborted,
}
