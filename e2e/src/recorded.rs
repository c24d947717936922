//! What a recorded log shows a reader, to compare with a new log and with the page.

use std::collections::HashMap;
use std::fmt;

use anyhow::{bail, ensure};
use pulldown_cmark::{Event as Markdown, Options, Parser};
use serde::Deserialize;
use session::{Content, Event, Payload, TurnEndReason};

use crate::Stage;

/// One thing a reader sees.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Entry {
    /// What a person typed.
    Prompt {
        /// The text.
        text: String,
    },
    /// The model's reasoning.
    Thinking {
        /// The text.
        text: String,
    },
    /// The model's visible text: Markdown in a log, plain on the page.
    Text {
        /// The text.
        text: String,
    },
    /// A tool call with its result.
    Tool {
        /// Tool name.
        name: String,
        /// Raw JSON argument text.
        arguments: String,
        /// Result text.
        result: String,
    },
    /// The end of a turn.
    TurnEnd {
        /// `completed`, or what else.
        reason: String,
    },
}

/// A conversation as a reader sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation(Vec<Entry>);

/// Reads the rows of the transcript, disclosures opened first.
const READ_PAGE: &str = r"() => [...document.querySelectorAll('[data-region=conversation] [data-row]')]
    .map(row => {
        const part = name => row.querySelector(`[data-part=${name}]`)?.textContent ?? '';
        switch (row.dataset.row) {
            case 'user': return { kind: 'prompt', text: part('text') };
            case 'thinking': return { kind: 'thinking', text: part('text') };
            case 'text': return { kind: 'text', text: part('text') };
            case 'tool': return { kind: 'tool', name: row.dataset.tool, arguments: row.querySelector('[role=group][aria-label=Command]')?.textContent.replace(/^\$ /, '') ?? '',
                result: part('result') };
            case 'turn-footer': return { kind: 'turn-end', reason: 'completed' };
            default: return { kind: 'turn-end', reason: row.dataset.row };
        }
    })";

impl Conversation {
    /// What a log shows, in order.
    pub fn of(events: &[Event]) -> anyhow::Result<Self> {
        let mut entries = Vec::new();
        let mut calls = HashMap::new();
        for event in events {
            match event.payload()? {
                Payload::UserMessage(message) if message.source.kind == "user" => {
                    entries.push(Entry::Prompt { text: message.text() });
                }
                Payload::AssistantMessage { message, .. } => {
                    for part in message.content {
                        match part {
                            Content::Reasoning { text } => entries.push(Entry::Thinking { text }),
                            Content::Text { text } => entries.push(Entry::Text { text }),
                            Content::ToolCall { id, name, arguments } => {
                                calls.insert(id, entries.len());
                                entries.push(Entry::Tool { name, arguments, result: String::new() });
                            }
                            Content::ToolResult { .. } => {}
                        }
                    }
                }
                Payload::ToolResult { call_id, content, .. } => {
                    let text: String = content
                        .into_iter()
                        .filter_map(|part| match part {
                            Content::Text { text } => Some(text),
                            _ => None,
                        })
                        .collect();
                    let call = calls.get(&call_id).and_then(|index| entries.get_mut(*index));
                    let Some(Entry::Tool { result, .. }) = call else {
                        bail!("event {}: a result of {call_id}, which was not called", event.seq);
                    };
                    *result = text;
                }
                Payload::TurnEnd { reason, .. } => {
                    let reason = serde_json::to_value(reason)?;
                    entries.push(Entry::TurnEnd { reason: reason["kind"].as_str().unwrap_or_default().to_owned() });
                }
                _ => {}
            }
        }
        Ok(Self(entries))
    }

    /// What the page shows, every disclosure opened.
    pub async fn on_page(stage: &Stage) -> anyhow::Result<Self> {
        let closed = "[data-region=conversation] [data-row] button[aria-expanded=false]";
        for _ in 0..stage.page().locator(closed).count().await? {
            stage.page().locator(closed).first().click().await?;
        }
        Ok(Self(stage.page().evaluate(READ_PAGE, &[]).await?))
    }

    /// The prompts, in order.
    pub fn prompts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|entry| match entry {
            Entry::Prompt { text } => Some(text.as_str()),
            _ => None,
        })
    }

    /// Fails with the first entry that differs; `whose` says who showed `shown`.
    pub fn compare(&self, shown: &Self, whose: &str) -> anyhow::Result<()> {
        for (index, (recorded, shown)) in self.0.iter().zip(&shown.0).enumerate() {
            ensure!(
                same(recorded, shown),
                "entry {} of the conversation differs:\n  recorded: {recorded:?}\n  {whose}: {shown:?}",
                index + 1
            );
        }
        ensure!(
            self.0.len() == shown.0.len(),
            "{} entries were recorded, {whose} has {}; the first without a partner: {:?}",
            self.0.len(),
            shown.0.len(),
            self.0.get(shown.0.len()).or_else(|| shown.0.get(self.0.len()))
        );
        Ok(())
    }
}

impl fmt::Display for Conversation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |wanted: fn(&Entry) -> bool| self.0.iter().filter(|entry| wanted(entry)).count();
        write!(
            formatter,
            "{} prompts, {} tool calls, {} texts, {} turn ends",
            count(|entry| matches!(entry, Entry::Prompt { .. })),
            count(|entry| matches!(entry, Entry::Tool { .. })),
            count(|entry| matches!(entry, Entry::Text { .. })),
            count(|entry| matches!(entry, Entry::TurnEnd { .. })),
        )
    }
}

/// Same for a reader. The page shows Markdown as plain text, ends lines of its own accord and shows a call's arguments
/// in its own words; a log has all of it to the byte.
fn same(recorded: &Entry, shown: &Entry) -> bool {
    match (recorded, shown) {
        (Entry::Text { text: recorded }, Entry::Text { text: shown }) => {
            let (plain, shown_letters) = (letters(&plain(recorded)), letters(shown));
            // CommonMark leaves some `**` beside CJK text standing; the page shows them as bold.
            let bold = || plain.chars().any(is_cjk) && plain.replace("**", "") == shown_letters;
            recorded == shown || plain == shown_letters || bold()
        }
        (Entry::Thinking { text: recorded }, Entry::Thinking { text: shown }) => letters(recorded) == letters(shown),
        (
            Entry::Tool { name, arguments, result },
            Entry::Tool { name: shown_name, arguments: shown_arguments, result: shown_result },
        ) => {
            name == shown_name
                && (arguments == shown_arguments || command(arguments).as_deref() == Some(shown_arguments.trim_end()))
                && result.trim_end() == shown_result.trim_end()
        }
        _ => recorded == shown,
    }
}

/// What a shell tool's arguments ask for: the page shows this, not the JSON around it.
fn command(arguments: &str) -> Option<String> {
    let arguments: serde_json::Value = serde_json::from_str(arguments).ok()?;
    Some(arguments["command"].as_str()?.trim_end().to_owned())
}

fn is_cjk(letter: char) -> bool {
    matches!(letter, '\u{3000}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{ff00}'..='\u{ffef}')
}

/// Without white space: where the page puts lines and blanks around marks is its own affair.
fn letters(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The text a rendered Markdown document shows.
fn plain(markdown: &str) -> String {
    let mut text = String::new();
    for event in
        Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS)
    {
        match event {
            // Raw HTML is text to a reader: the page shows its source.
            Markdown::Text(part) | Markdown::Code(part) | Markdown::Html(part) | Markdown::InlineHtml(part) => {
                text.push_str(&part);
            }
            Markdown::SoftBreak | Markdown::HardBreak => text.push(' '),
            _ => {}
        }
    }
    text
}

/// What a log asks for that is not built yet, a line each. Empty for a log that can be driven.
pub fn needs(events: &[Event]) -> Vec<String> {
    let mut needs = Vec::new();
    let mut need = |event: &Event, what: String| needs.push(format!("event {} ({}): {what}", event.seq, event.kind));
    let mut turn_open = false;
    let mut prompt_in_turn = false;
    for event in events {
        let payload = match event.payload() {
            Ok(payload) => payload,
            Err(error) => {
                need(event, error.detail);
                continue;
            }
        };
        match payload {
            Payload::TurnStart { trigger, .. } => {
                (turn_open, prompt_in_turn) = (true, false);
                if let Some(trigger) = trigger.filter(|trigger| trigger.kind != "message") {
                    need(event, format!("a turn started by {}", trigger.kind));
                }
            }
            Payload::TurnEnd { reason, .. } => {
                turn_open = false;
                if reason != TurnEndReason::Completed {
                    need(event, "a turn that does not complete needs an override script".to_owned());
                }
            }
            Payload::UserMessage(message) if message.source.kind == "user" => {
                if turn_open && prompt_in_turn {
                    need(event, "steering: a second prompt inside a turn".to_owned());
                }
                prompt_in_turn = true;
            }
            Payload::UserMessage(message) => need(event, format!("a message put in by {}", message.source.kind)),
            Payload::ToolCall { name, .. } if name != "bash" => need(event, format!("the tool {name}")),
            Payload::LlmRetry(_) => need(event, "a retried call needs an override script".to_owned()),
            Payload::InboxSpliced(_) => need(event, "a changed inbox".to_owned()),
            Payload::Other(_) if event.kind != "request/context" && !event.ignorable => {
                need(event, "this kind of event".to_owned());
            }
            _ => {}
        }
    }
    if turn_open {
        needs.push("the end of the log: a turn that never ends".to_owned());
    }
    needs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(seq: u64, kind: &str, data: serde_json::Value) -> Event {
        session::EventDraft { kind: kind.to_owned(), data, surface_op: None, source_event_seqs: None }.at(seq, 0)
    }

    #[test]
    fn what_is_not_built_is_named_with_its_event() {
        let events = [
            event(0, "turn/start", serde_json::json!({"turn": 1})),
            event(1, "permission/preset", serde_json::json!({"preset": "read-only"})),
            event(
                2,
                "tool/call",
                serde_json::json!({"turn": 1, "step": 1, "callId": "c", "name": "ask_user", "arguments": "{}"}),
            ),
            event(3, "turn/end", serde_json::json!({"turn": 1, "reason": {"kind": "aborted"}})),
        ];
        assert_eq!(
            needs(&events),
            [
                "event 1 (permission/preset): this kind of event",
                "event 2 (tool/call): the tool ask_user",
                "event 3 (turn/end): a turn that does not complete needs an override script",
            ]
        );
    }

    #[test]
    fn the_first_difference_is_named() {
        let text = |text: &str| Entry::Text { text: text.to_owned() };
        let recorded = Conversation(vec![text("It **works**."), text("Yes.")]);
        recorded.compare(&Conversation(vec![text("It works."), text("Yes.")]), "the page").expect("same for a reader");
        let error = recorded.compare(&Conversation(vec![text("It works."), text("No.")]), "the page").expect_err("no");
        assert!(error.to_string().starts_with("entry 2 of the conversation differs"), "{error}");
        let error = recorded.compare(&Conversation(vec![text("It works.")]), "the page").expect_err("short");
        assert!(error.to_string().contains("2 entries were recorded, the page has 1"), "{error}");
    }
}
