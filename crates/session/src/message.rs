use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Who speaks in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A person, or the host on their behalf.
    User,
    /// The model.
    Assistant,
    /// A tool.
    Tool,
    /// The system prompt.
    System,
}

/// One part of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Content {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// The model's reasoning.
    Reasoning {
        /// The text.
        text: String,
    },
    /// A tool call the model made.
    ToolCall {
        /// Call id.
        id: String,
        /// Tool name.
        name: String,
        /// Raw JSON argument text.
        arguments: String,
    },
    /// What a tool gave back.
    ToolResult {
        /// Id of the call this answers.
        tool_call_id: String,
        /// Result parts (text).
        content: Vec<Content>,
        /// The tool reports a failure.
        #[serde(default)]
        is_error: bool,
    },
}

impl Content {
    /// A text part.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }
}

/// Where a message came from: `kind` plus facts of that kind (`rpcId`, `plugin`, `provider`, `model`, `callId`, …).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MessageSource {
    /// `user`, `plugin`, `provider`, `tool`, …
    pub kind: String,
    /// Further facts, kept as they are.
    #[serde(flatten)]
    pub facts: serde_json::Map<String, Value>,
}

impl MessageSource {
    /// A source with one kind and no further facts.
    pub fn new(kind: impl Into<String>) -> Self {
        Self { kind: kind.into(), facts: serde_json::Map::new() }
    }

    /// The same with one more fact.
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.facts.insert(key.to_owned(), value.into());
        self
    }

    /// A fact as text.
    pub fn fact(&self, key: &str) -> Option<&str> {
        self.facts.get(key).and_then(Value::as_str)
    }
}

/// A message of the conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Message id. Empty for messages read from logs of the older shape, which had none.
    pub id: String,
    /// Who speaks.
    pub role: Role,
    /// Parts in order.
    pub content: Vec<Content>,
    /// Where it came from.
    pub source: MessageSource,
}

impl Message {
    /// The text parts joined, nothing between them.
    pub fn text(&self) -> String {
        self.content
            .iter()
            .filter_map(|part| match part {
                Content::Text { text } => Some(text.as_str()),
                _ => None,
            })
            .collect()
    }
}
