use std::collections::{HashSet, VecDeque};

use serde::Deserialize;
use serde_json::json;
use session::{Event, EventDraft, Message, Payload};

/// When a message is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Target {
    /// As the next turn, one a turn.
    NextTurn,
    /// At the next step, all that are there.
    NextStep,
}

impl Target {
    fn as_str(self) -> &'static str {
        match self {
            Self::NextTurn => "next-turn",
            Self::NextStep => "next-step",
        }
    }
}

/// Messages that wait to be read. Every change is an `agent/inbox/spliced` event, so that a resumed session has the
/// same inbox.
#[derive(Debug, Default)]
pub(crate) struct Inbox {
    next_turn: VecDeque<Message>,
    next_step: VecDeque<Message>,
    /// Prompts ever accepted, by the id of their request: one sent again after a lost answer is not taken twice.
    rpc_ids: HashSet<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Splice {
    target: Target,
    start: usize,
    #[serde(default)]
    removed_count: usize,
    #[serde(default)]
    inserted: Vec<Message>,
}

impl Inbox {
    /// The inbox a log leaves. Splices that do not fit (items of another program's shape) are passed over: they can't
    /// be delivered, and nothing else depends on them.
    pub(crate) fn of(events: &[Event]) -> Self {
        let mut inbox = Self::default();
        for event in events {
            match event.kind.as_str() {
                "agent/inbox/spliced" => {
                    if let Ok(splice) = Splice::deserialize(&event.data) {
                        inbox.splice(splice);
                    }
                }
                "user/message" => {
                    if let Ok(Payload::UserMessage(message)) = event.payload() {
                        inbox.rpc_ids.extend(message.source.fact("rpcId").map(str::to_owned));
                    }
                }
                _ => {}
            }
        }
        inbox
    }

    fn splice(&mut self, Splice { target, start, removed_count, inserted }: Splice) {
        self.rpc_ids.extend(inserted.iter().filter_map(|message| message.source.fact("rpcId")).map(str::to_owned));
        let list = self.list(target);
        let start = start.min(list.len());
        let end = (start + removed_count).min(list.len());
        let after = list.split_off(end);
        list.truncate(start);
        list.extend(inserted);
        list.extend(after);
    }

    fn list(&mut self, target: Target) -> &mut VecDeque<Message> {
        match target {
            Target::NextTurn => &mut self.next_turn,
            Target::NextStep => &mut self.next_step,
        }
    }

    /// True for the first prompt of this request id.
    pub(crate) fn admit(&mut self, rpc_id: &str) -> bool {
        self.rpc_ids.insert(rpc_id.to_owned())
    }

    /// Puts a message at the end; the event that says so.
    pub(crate) fn push(&mut self, target: Target, message: Message) -> EventDraft {
        let list = self.list(target);
        let draft = spliced(json!({"target": target.as_str(), "start": list.len(), "inserted": [message]}));
        list.push_back(message);
        draft
    }

    /// Takes what a step reads: everything for the next step and, for the first step of a turn, one prompt.
    pub(crate) fn claim(&mut self, first_step: bool) -> (Vec<Message>, Vec<EventDraft>) {
        let mut messages: Vec<_> = self.next_step.drain(..).collect();
        let mut drafts = Vec::new();
        if !messages.is_empty() {
            drafts.push(removed(Target::NextStep, messages.len()));
        }
        if first_step && let Some(prompt) = self.next_turn.pop_front() {
            drafts.push(removed(Target::NextTurn, 1));
            messages.push(prompt);
        }
        (messages, drafts)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.next_turn.is_empty() && self.next_step.is_empty()
    }

    pub(crate) fn has_steering(&self) -> bool {
        !self.next_step.is_empty()
    }

    /// In words, for timeouts.
    pub(crate) fn describe(&self) -> String {
        format!("{} queued for the next turn, {} for the next step", self.next_turn.len(), self.next_step.len())
    }
}

fn removed(target: Target, count: usize) -> EventDraft {
    spliced(json!({"target": target.as_str(), "start": 0, "removedCount": count, "inserted": []}))
}

fn spliced(data: serde_json::Value) -> EventDraft {
    Payload::InboxSpliced(data).into_draft()
}

#[cfg(test)]
mod tests {
    use session::{Content, MessageSource, Role};

    use super::*;

    fn message(text: &str) -> Message {
        Message {
            id: format!("m-{text}"),
            role: Role::User,
            content: vec![Content::text(text)],
            source: MessageSource::new("user").with("rpcId", format!("r-{text}")),
        }
    }

    fn texts(messages: &[Message]) -> Vec<String> {
        messages.iter().map(Message::text).collect()
    }

    #[test]
    fn a_step_takes_all_steering_and_a_turn_one_prompt() {
        let mut inbox = Inbox::default();
        for (target, text) in
            [(Target::NextTurn, "a"), (Target::NextStep, "x"), (Target::NextTurn, "b"), (Target::NextStep, "y")]
        {
            inbox.push(target, message(text));
        }
        assert_eq!(texts(&inbox.claim(true).0), ["x", "y", "a"]);
        assert_eq!(texts(&inbox.claim(false).0), [""; 0]);
        assert_eq!(texts(&inbox.claim(true).0), ["b"]);
        assert!(inbox.is_empty());
    }

    #[test]
    fn the_events_of_an_inbox_give_the_same_inbox_back() {
        let mut inbox = Inbox::default();
        let mut drafts = Vec::new();
        for text in ["a", "b", "c"] {
            drafts.push(inbox.push(Target::NextTurn, message(text)));
        }
        drafts.push(inbox.push(Target::NextStep, message("x")));
        drafts.extend(inbox.claim(true).1);
        let events: Vec<_> = drafts.into_iter().enumerate().map(|(seq, draft)| draft.at(seq as u64, 0)).collect();
        let mut again = Inbox::of(&events);
        assert_eq!(texts(&again.claim(true).0), ["b"]);
        assert_eq!(texts(&again.claim(true).0), ["c"]);
        assert!(again.is_empty());
        assert!(!again.admit("r-a") && !again.admit("r-x") && again.admit("r-new"));
    }
}
