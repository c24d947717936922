//! Logs written by hand, one payload after the other.

use std::ops::Range;

use session::{
    Block, BlockType, Chunk, Content, Event, Failure, Message, MessageSource, Payload, Role, TurnEndReason, Usage,
};
use wire::HistoryPage;

/// A log that grows. Event `n` has the time `1000 + n`.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) events: Vec<Event>,
    turn: u64,
    step: u64,
}

/// A person's message, sent by the call `rpc_id`.
pub(crate) fn user_message(rpc_id: &str, text: &str) -> Message {
    Message {
        id: format!("m-{rpc_id}"),
        role: Role::User,
        content: vec![Content::text(text)],
        source: MessageSource::new("user").with("rpcId", rpc_id),
    }
}

impl Log {
    pub(crate) fn push(&mut self, payload: Payload) -> Event {
        let seq = self.events.len() as u64;
        let event = payload.into_draft().at(seq, 1000 + seq as i64);
        self.events.push(event.clone());
        event
    }

    pub(crate) fn raw(&mut self, kind: &str, data: serde_json::Value) -> Event {
        let seq = self.events.len() as u64;
        let event = Event {
            kind: kind.to_owned(),
            seq,
            time: 1000 + seq as i64,
            data,
            ignorable: false,
            source_event_seqs: None,
            surface_op: None,
        };
        self.events.push(event.clone());
        event
    }

    /// A turn with its first step and prompt.
    pub(crate) fn begin_turn(&mut self, rpc_id: &str, text: &str) {
        self.turn += 1;
        self.step = 0;
        let turn = self.turn;
        self.push(Payload::TurnStart { turn, trigger: None });
        self.begin_step();
        self.push(Payload::UserMessage(user_message(rpc_id, text)));
    }

    pub(crate) fn begin_step(&mut self) {
        self.step += 1;
        self.push(Payload::StepStart { turn: self.turn, step: self.step });
    }

    pub(crate) fn chunk(&mut self, chunk: Chunk) -> Event {
        self.push(Payload::AssistantChunk { turn: self.turn, step: self.step, chunk })
    }

    pub(crate) fn reasoning(&mut self, index: u32, text: &str) {
        self.chunk(Chunk::BlockStart { index, block_type: BlockType::Reasoning });
        for piece in text.split_inclusive(' ') {
            self.chunk(Chunk::ReasoningDelta { index, text: piece.to_owned() });
        }
        self.chunk(Chunk::BlockEnd { index, block: Block::Reasoning { text: text.to_owned() } });
    }

    pub(crate) fn text(&mut self, index: u32, text: &str) {
        self.chunk(Chunk::BlockStart { index, block_type: BlockType::Text });
        for piece in text.split_inclusive(' ') {
            self.chunk(Chunk::TextDelta { index, text: piece.to_owned() });
        }
        self.chunk(Chunk::BlockEnd { index, block: Block::Text { text: text.to_owned() } });
    }

    pub(crate) fn answer(&mut self, content: Vec<Content>) -> Event {
        let usage = Usage { input_tokens: 10, output_tokens: 2, reasoning_tokens: Some(1), ..Usage::default() };
        self.push(Payload::AssistantMessage {
            turn: self.turn,
            step: self.step,
            message: Message {
                id: String::new(),
                role: Role::Assistant,
                content,
                source: MessageSource::new("provider"),
            },
            usage: Some(usage),
            interrupted: false,
        })
    }

    pub(crate) fn call(&mut self, call_id: &str) -> Event {
        let (turn, step) = (self.turn, self.step);
        let (name, arguments) = ("bash".to_owned(), "{}".to_owned());
        self.push(Payload::ToolCall { turn, step, call_id: call_id.to_owned(), name, arguments })
    }

    pub(crate) fn result(&mut self, call_id: &str, text: &str, is_error: bool) -> Event {
        let content = vec![Content::text(text)];
        let result = Content::ToolResult { tool_call_id: call_id.to_owned(), content: content.clone(), is_error };
        self.push(Payload::ToolResult {
            turn: self.turn,
            step: self.step,
            call_id: call_id.to_owned(),
            content,
            is_error,
            message: Message {
                id: String::new(),
                role: Role::Tool,
                content: vec![result],
                source: MessageSource::new("tool"),
            },
            meta: None,
        })
    }

    pub(crate) fn end_turn(&mut self, reason: TurnEndReason) -> Event {
        self.push(Payload::StepEnd { turn: self.turn, step: self.step });
        self.push(Payload::TurnEnd { turn: self.turn, reason })
    }

    /// A whole turn: a prompt and one answer. 10 events for an answer of two words.
    pub(crate) fn round(&mut self, rpc_id: &str, prompt: &str, answer: &str) {
        self.begin_turn(rpc_id, prompt);
        self.text(0, answer);
        self.answer(vec![Content::text(answer)]);
        self.end_turn(TurnEndReason::Completed);
    }

    pub(crate) fn failure(message: &str) -> TurnEndReason {
        TurnEndReason::Error {
            error: Failure {
                message: message.to_owned(),
                code: "AUTH".to_owned(),
                status: None,
                provider_retry_after_ms: None,
                request_id: None,
            },
        }
    }

    /// Some of its events as a page.
    pub(crate) fn page(&self, range: Range<usize>) -> HistoryPage {
        HistoryPage { has_more: range.start > 0, events: self.events[range].to_vec() }
    }

    /// All of it as the tail page.
    pub(crate) fn whole(&self) -> HistoryPage {
        self.page(0..self.events.len())
    }

    /// Last sequence number.
    pub(crate) fn tail(&self) -> i64 {
        self.events.len() as i64 - 1
    }
}
