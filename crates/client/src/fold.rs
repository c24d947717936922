//! Events to rows. Rows come from the append-only log alone: what compaction hides from the model stays visible here.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use serde_json::Value;
use session::{Content, Event, Message, Payload, PayloadError, SurfaceOp, TitleSource, TurnEndReason, Usage};

use crate::partial::{Partial, PartialBlock};
use crate::{NoticeKind, Row, ToolResultView};

/// What an event did to the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Folded {
    /// Nothing a reader sees.
    Nothing,
    /// Only what is being streamed.
    Streamed,
    /// Rows.
    Structure,
}

/// The rows of a window, kept while events are pushed in order. The window may begin anywhere in the log.
#[derive(Default)]
pub(crate) struct Fold {
    rows: Vec<Rc<Row>>,
    keys: HashSet<String>,
    tools: HashMap<(u64, u64, String), usize>,
    running_tools: Vec<usize>,
    retries: HashMap<String, usize>,
    answer: Option<Answer>,
    streamed: Vec<Rc<Row>>,
    /// How many of `rows` the last reader saw.
    shown: usize,
    turn: Turn,
    open: bool,
    title: Option<(String, TitleSource)>,
    prompts: HashSet<String>,
}

/// What a model is writing, with its step.
struct Answer {
    turn: u64,
    step: u64,
    partial: Partial,
}

#[derive(Default)]
struct Turn {
    started_at: Option<i64>,
    usage: Option<Usage>,
    text: String,
}

impl Fold {
    /// The rows of a whole window, and what could not be read. Rows equal to one of `before` keep its `Rc`.
    pub(crate) fn of(events: &[Event], before: &Self) -> (Self, Vec<PayloadError>) {
        let mut fold = Self::default();
        let unreadable = events.iter().filter_map(|event| fold.push(event).err()).collect();
        let known: HashMap<&str, &Rc<Row>> = before.rows.iter().map(|row| (row.key(), row)).collect();
        for row in &mut fold.rows {
            if let Some(same) = known.get(row.key()).filter(|same| **same == row) {
                *row = Rc::clone(same);
            }
        }
        fold.streamed.clone_from(&before.streamed);
        (fold, unreadable)
    }

    /// Takes the next event. One that can't be read becomes a notice and an error; the next is read all the same.
    pub(crate) fn push(&mut self, event: &Event) -> Result<Folded, PayloadError> {
        match event.payload() {
            Ok(payload) => Ok(self.read(event, payload)),
            Err(problem) => {
                let key = format!("event:{}", event.seq);
                self.add(event, key, |key| Row::Notice {
                    key,
                    kind: NoticeKind::Unreadable,
                    text: problem.to_string(),
                });
                Err(problem)
            }
        }
    }

    fn read(&mut self, event: &Event, payload: Payload) -> Folded {
        match payload {
            Payload::TurnStart { .. } => {
                self.turn = Turn { started_at: Some(event.time), ..Turn::default() };
                self.open = true;
            }
            Payload::StepStart { .. } => {
                self.answer = None;
                self.open = true;
            }
            Payload::StepEnd { .. } => self.answer = None,
            Payload::TurnEnd { turn, reason } => self.end_turn(event, turn, reason),
            Payload::UserMessage(message) => self.user(event, &message),
            Payload::AssistantChunk { turn, step, chunk } => {
                self.open = true;
                let same = self.answer.as_ref().is_some_and(|answer| (answer.turn, answer.step) == (turn, step));
                if !same {
                    self.answer = Some(Answer { turn, step, partial: Partial::default() });
                }
                let changed = self.answer.as_mut().is_some_and(|answer| answer.partial.apply(&chunk));
                return if changed { Folded::Streamed } else { Folded::Nothing };
            }
            Payload::AssistantMessage { turn, step, message, usage, .. } => {
                self.open = true;
                self.answer = None;
                self.turn.usage = sum(self.turn.usage, usage);
                self.answer_rows(event, turn, step, message);
            }
            Payload::ToolCall { turn, step, call_id, name, arguments } => {
                self.open = true;
                let at = self.tool(event, turn, step, &call_id);
                self.running_tools.push(at);
                self.change(at, |row| {
                    if let Row::Tool { name: named, arguments: text, running, started, .. } = row {
                        *named = Some(name);
                        *text = arguments;
                        *running = true;
                        *started = Some(event.time);
                    }
                });
            }
            Payload::ToolResult { turn, step, call_id, content, is_error, .. } => {
                self.open = true;
                let at = self.tool(event, turn, step, &call_id);
                self.running_tools.retain(|running| *running != at);
                let text = texts(&content).concat();
                self.change(at, |row| {
                    if let Row::Tool { running, result, ended, .. } = row {
                        *running = false;
                        *result = Some(ToolResultView { text, is_error });
                        *ended = Some(event.time);
                    }
                });
            }
            Payload::LlmRetry(facts) => self.retry(event, &facts),
            Payload::LlmRetryStarted(facts) => {
                if let Some(at) = self.retries.get(&retry_id(&facts)).copied() {
                    self.change(at, |row| {
                        if let Row::Retry { done, .. } = row {
                            *done = true;
                        }
                    });
                }
            }
            Payload::SessionTitle { title, source, .. } => {
                let pinned = matches!(self.title, Some((_, TitleSource::User))) && source != TitleSource::User;
                if !pinned {
                    self.title = Some((title, source));
                }
            }
            Payload::RequestHeader { .. } | Payload::InboxSpliced(_) | Payload::EndSeed | Payload::Other(_) => {
                return Folded::Nothing;
            }
        }
        Folded::Structure
    }

    /// Rows of the log, then of what is being streamed. What did not change since the last call keeps its `Rc`.
    pub(crate) fn rows(&mut self) -> Vec<Rc<Row>> {
        let fresh = self.answer.as_ref().map(streamed_rows).unwrap_or_default();
        let before = std::mem::take(&mut self.streamed);
        let known = |row: &Row| before.iter().find(|same| ***same == *row).cloned();
        self.streamed = fresh.into_iter().map(|row| known(&row).unwrap_or_else(|| Rc::new(row))).collect();
        for row in &mut self.rows[self.shown..] {
            // What was streamed to its end is the same row once it is durable.
            if let Some(same) = known(row) {
                *row = same;
            }
        }
        self.shown = self.rows.len();
        self.rows.iter().chain(&self.streamed).cloned().collect()
    }

    /// The last title event's title; a person's is not replaced by another source's.
    pub(crate) fn title(&self) -> Option<&str> {
        self.title.as_ref().map(|(title, _)| title.as_str())
    }

    /// A turn of this window is open.
    pub(crate) fn turn_is_open(&self) -> bool {
        self.open
    }

    /// The prompt sent by this call is in the window.
    pub(crate) fn holds_prompt(&self, rpc_id: &str) -> bool {
        self.prompts.contains(rpc_id)
    }

    fn user(&mut self, event: &Event, message: &Message) {
        let text = texts(&message.content).concat();
        if matches!(event.surface_op, Some(SurfaceOp::Replace { .. })) {
            let kind = NoticeKind::Compacted;
            self.add(event, format!("message:{}", event.seq), |key| Row::Notice { key, kind, text });
        } else if message.source.kind == "user" {
            let rpc_id = message.source.fact("rpcId");
            self.prompts.extend(rpc_id.map(str::to_owned));
            let key = rpc_id.map_or_else(|| format!("message:{}", event.seq), prompt_key);
            self.add(event, key, |key| Row::User { key, text, time: event.time, pending: false });
        } else {
            let producer = message.source.fact("plugin").unwrap_or(&message.source.kind).to_owned();
            let kind = NoticeKind::Context { producer };
            self.add(event, format!("message:{}", event.seq), |key| Row::Notice { key, kind, text });
        }
    }

    fn answer_rows(&mut self, event: &Event, turn: u64, step: u64, message: Message) {
        let visible = texts(&message.content);
        if visible.iter().any(|text| !text.is_empty()) {
            self.turn.text = visible.join("\n\n");
        }
        for (at, part) in message.content.into_iter().enumerate() {
            let key = answer_key(turn, step, at);
            match part {
                Content::Text { text } if !text.is_empty() => {
                    self.add(event, key, |key| Row::Text { key, markdown: text, streaming: false });
                }
                Content::Reasoning { text } if !text.is_empty() => {
                    self.add(event, key, |key| Row::Thinking { key, text, streaming: false });
                }
                Content::ToolCall { id, name: called, arguments: written } => {
                    let at = self.tool(event, turn, step, &id);
                    self.change(at, |row| {
                        if let Row::Tool { name, arguments, .. } = row {
                            *name = Some(called);
                            *arguments = written;
                        }
                    });
                }
                Content::Text { .. } | Content::Reasoning { .. } | Content::ToolResult { .. } => {}
            }
        }
    }

    /// The index of the call's row. Made when the window holds none: its name stays unknown until a call tells it.
    fn tool(&mut self, event: &Event, turn: u64, step: u64, call_id: &str) -> usize {
        let id = (turn, step, call_id.to_owned());
        if let Some(at) = self.tools.get(&id) {
            return *at;
        }
        let at = self.add(event, tool_key(turn, step, call_id), |key| Row::Tool {
            key,
            call_id: call_id.to_owned(),
            name: None,
            arguments: String::new(),
            streaming: false,
            running: false,
            result: None,
            started: None,
            ended: None,
        });
        self.tools.insert(id, at);
        at
    }

    fn retry(&mut self, event: &Event, facts: &Value) {
        self.answer = None;
        let number = |key: &str| facts.get(key).and_then(Value::as_u64);
        let id = retry_id(facts);
        let message = facts.pointer("/failure/message").and_then(Value::as_str).unwrap_or_default().to_owned();
        let at = self.add(event, format!("retry:{id}"), |key| Row::Retry {
            key,
            retry: number("retry").unwrap_or(1),
            max: number("maxRetries"),
            delay_ms: number("delayMs").unwrap_or(0),
            message,
            done: false,
        });
        self.retries.insert(id, at);
    }

    fn end_turn(&mut self, event: &Event, turn: u64, reason: TurnEndReason) {
        self.answer = None;
        self.open = false;
        for at in std::mem::take(&mut self.running_tools) {
            self.change(at, |row| {
                if let Row::Tool { running, .. } = row {
                    *running = false;
                }
            });
        }
        let key = format!("end:{turn}");
        let notice = |kind| move |key| Row::Notice { key, kind, text: String::new() };
        match reason {
            TurnEndReason::Completed => {}
            TurnEndReason::Aborted { .. } => drop(self.add(event, key, |key| Row::Stopped { key })),
            TurnEndReason::Error { error } => {
                self.add(event, key, |key| Row::Failure { key, message: error.message, code: error.code });
            }
            TurnEndReason::Blocked => drop(self.add(event, key, notice(NoticeKind::Blocked))),
            TurnEndReason::MaxTokens => drop(self.add(event, key, notice(NoticeKind::OutputLimit))),
            TurnEndReason::Interrupted => drop(self.add(event, key, notice(NoticeKind::Interrupted))),
        }
        let Turn { started_at, usage, text } = std::mem::take(&mut self.turn);
        let ended_at = event.time;
        self.add(event, format!("footer:{turn}"), |key| Row::TurnFooter {
            key,
            turn,
            started_at,
            ended_at,
            usage,
            text,
        });
    }

    /// Adds a row. A key that is taken (logs may repeat ids) is told apart by the event's sequence number.
    fn add(&mut self, event: &Event, key: String, row: impl FnOnce(String) -> Row) -> usize {
        let key = if self.keys.contains(&key) { format!("{key}#{}", event.seq) } else { key };
        self.keys.insert(key.clone());
        self.rows.push(Rc::new(row(key)));
        self.rows.len() - 1
    }

    fn change(&mut self, at: usize, change: impl FnOnce(&mut Row)) {
        let mut row = (*self.rows[at]).clone();
        change(&mut row);
        if row != *self.rows[at] {
            self.rows[at] = Rc::new(row);
        }
    }
}

/// Key of a prompt's row, pending or durable.
pub(crate) fn prompt_key(rpc_id: &str) -> String {
    format!("prompt:{rpc_id}")
}

fn answer_key(turn: u64, step: u64, at: usize) -> String {
    format!("answer:{turn}.{step}.{at}")
}

fn tool_key(turn: u64, step: u64, call_id: &str) -> String {
    format!("call:{turn}.{step}:{call_id}")
}

fn streamed_rows(answer: &Answer) -> Vec<Row> {
    let Answer { turn, step, partial } = answer;
    let rows = partial.blocks().enumerate().filter_map(|(at, (block, streaming))| match block {
        PartialBlock::Text(text) if !text.is_empty() => {
            Some(Row::Text { key: answer_key(*turn, *step, at), markdown: text.clone(), streaming })
        }
        PartialBlock::Reasoning(text) if !text.is_empty() => {
            Some(Row::Thinking { key: answer_key(*turn, *step, at), text: text.clone(), streaming })
        }
        PartialBlock::Tool { id: Some(id), name, arguments } => Some(Row::Tool {
            key: tool_key(*turn, *step, id),
            call_id: id.clone(),
            name: name.clone(),
            arguments: arguments.clone(),
            streaming,
            running: false,
            result: None,
            started: None,
            ended: None,
        }),
        PartialBlock::Text(_) | PartialBlock::Reasoning(_) | PartialBlock::Tool { .. } => None,
    });
    rows.collect()
}

fn retry_id(facts: &Value) -> String {
    let text = |key: &str| facts.get(key).map(Value::to_string).unwrap_or_default();
    match facts.get("retryId").and_then(Value::as_str) {
        Some(id) => format!("{id}.{}", text("retry")),
        None => format!("{}.{}.{}", text("turn"), text("step"), text("retry")),
    }
}

fn texts(content: &[Content]) -> Vec<&str> {
    let text = content.iter().filter_map(|part| match part {
        Content::Text { text } => Some(text.as_str()),
        _ => None,
    });
    text.collect()
}

fn sum(one: Option<Usage>, other: Option<Usage>) -> Option<Usage> {
    let (Some(a), Some(b)) = (one, other) else { return one.or(other) };
    let plus = |a: Option<u64>, b: Option<u64>| (a.is_some() || b.is_some()).then(|| a.unwrap_or(0) + b.unwrap_or(0));
    Some(Usage {
        input_tokens: a.input_tokens + b.input_tokens,
        output_tokens: a.output_tokens + b.output_tokens,
        cache_read_tokens: plus(a.cache_read_tokens, b.cache_read_tokens),
        cache_write_tokens: plus(a.cache_write_tokens, b.cache_write_tokens),
        reasoning_tokens: plus(a.reasoning_tokens, b.reasoning_tokens),
    })
}

#[cfg(test)]
mod tests;
