//! From what was collected to one HTML file that needs nothing else.

use super::recorder::{Action, Shot};
use crate::monitor::ConsoleEntry;
use crate::network::{Request, RequestState};
use serde::Serialize;

const PAGE: &str = include_str!("viewer/page.html");
const STYLE: &str = include_str!("viewer/style.css");
const SCRIPT: &str = include_str!("viewer/viewer.js");

/// All that is shown.
#[derive(Debug, Serialize)]
pub(super) struct Document {
    pub(super) title: String,
    /// Milliseconds since the epoch.
    pub(super) started: f64,
    /// Name and version.
    pub(super) browser: String,
    /// What the test says of its failure.
    pub(super) failure: Option<String>,
    pub(super) entries: Vec<Entry>,
    pub(super) shots: Vec<Shot>,
}

/// A line of the list.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Entry {
    Action(Action),
    Console { at: f64, level: String, text: String, stack: String, page: String },
    Network { at: f64, until: Option<f64>, method: String, url: String, state: String, bad: bool, page: String },
}

impl Entry {
    pub(super) fn console(entry: ConsoleEntry, page: &str) -> Self {
        let stack = entry.stack.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        Self::Console { at: entry.timestamp, level: entry.level, text: entry.text, stack, page: page.to_owned() }
    }

    pub(super) fn request(request: Request, page: &str) -> Self {
        let (state, bad) = match &request.state {
            RequestState::Pending => ("pending".to_owned(), false),
            RequestState::Answering { status } => (format!("{status}, body not ended"), *status >= 400),
            RequestState::Completed { status } => (status.to_string(), *status >= 400),
            RequestState::Aborted => ("aborted".to_owned(), false),
            RequestState::Failed { reason } => (reason.clone(), true),
        };
        Self::Network {
            at: request.timestamp,
            until: None,
            method: request.method,
            url: request.url,
            state,
            bad,
            page: page.to_owned(),
        }
    }

    /// When it began, in milliseconds since the epoch.
    pub(super) fn at(&self) -> f64 {
        match self {
            Self::Action(action) => action.at,
            Self::Console { at, .. } | Self::Network { at, .. } => *at,
        }
    }
}

impl Document {
    /// The file. Entries are put in the order of time.
    pub(super) fn html(mut self) -> String {
        self.entries.sort_by(|a, b| a.at().total_cmp(&b.at()));
        // Within a script element only `<` can end it or begin a comment.
        let data = serde_json::to_string(&self).unwrap_or_default().replace('<', "\\u003c");
        let mut html = String::with_capacity(PAGE.len() + STYLE.len() + SCRIPT.len() + data.len());
        for part in PAGE.split("/*{").flat_map(|part| part.split("}*/")) {
            html.push_str(match part {
                "style" => STYLE,
                "data" => &data,
                "script" => SCRIPT,
                text => text,
            });
        }
        html
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_page_cannot_end_the_script_they_are_in() {
        let text = "</script><script>alert(1)</script><!-- {script}";
        let entry = Entry::Console {
            at: 1.0,
            level: "error".into(),
            text: text.into(),
            stack: String::new(),
            page: "p".into(),
        };
        let document = Document {
            title: "hostile".into(),
            started: 0.0,
            browser: "Chromium".into(),
            failure: None,
            entries: vec![entry],
            shots: Vec::new(),
        };
        let html = document.html();
        assert_eq!(html.matches("<script").count(), 2, "data and viewer");
        assert_eq!(html.matches("</script>").count(), 2);
        assert!(html.contains(r"\u003c/script>\u003cscript>alert(1)"));
        assert!(!html.contains("/*{"), "every part is filled in");
    }
}
