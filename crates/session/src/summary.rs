use crate::{Event, Payload, TitleSource};

/// What a list shows of a session, derived from its events.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The title; one that a person gave is not replaced by a later one of another source.
    pub title: Option<String>,
    /// Time of the last message with source kind `user`, milliseconds since the Unix epoch.
    pub last_prompt_at: Option<i64>,
    /// No turn has started.
    pub blank: bool,
    /// A turn is open.
    pub running: bool,
    title_pinned: bool,
}

impl Default for Summary {
    fn default() -> Self {
        Self { title: None, last_prompt_at: None, blank: true, running: false, title_pinned: false }
    }
}

impl Summary {
    /// The summary of a log.
    pub fn of(events: &[Event]) -> Self {
        let mut summary = Self::default();
        for event in events {
            summary.apply(event);
        }
        summary
    }

    /// Takes one more event in; says whether anything changed.
    pub fn apply(&mut self, event: &Event) -> bool {
        match event.kind.as_str() {
            "turn/start" => {
                let changed = self.blank || !self.running;
                (self.blank, self.running) = (false, true);
                changed
            }
            "turn/end" => std::mem::replace(&mut self.running, false),
            "user/message" => match event.payload() {
                Ok(Payload::UserMessage(message)) if message.source.kind == "user" => {
                    self.last_prompt_at.replace(event.time) != Some(event.time)
                }
                _ => false,
            },
            "session/title" => match event.payload() {
                Ok(Payload::SessionTitle { title, source, .. }) => {
                    let pins = source == TitleSource::User;
                    if self.title_pinned && !pins {
                        return false;
                    }
                    self.title_pinned = pins;
                    self.title.replace(title) != self.title
                }
                _ => false,
            },
            _ => false,
        }
    }
}
