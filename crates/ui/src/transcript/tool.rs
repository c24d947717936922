//! A tool call: one quiet line that opens into what was run and what came of it.

use client::{Row, ToolResultView};
use leptos::prelude::*;
use serde_json::Value;

use super::rows::{Disclosure, RowSignal};
use super::terminal::{self, Piece};
use crate::icons;
use crate::state::Ui;

/// Arguments that say best what a call does, in order of preference.
const TELLING: &[&str] = &["description", "command", "path", "file_path", "pattern", "query", "question", "name"];

/// What the row shows of a call.
#[derive(Clone, PartialEq)]
struct Call {
    name: String,
    arguments: String,
    active: bool,
    result: Option<ToolResultView>,
}

impl Call {
    fn of(row: &Row) -> Self {
        match row {
            Row::Tool { name, arguments, streaming, running, result, .. } => Self {
                name: name.clone().unwrap_or_default(),
                arguments: arguments.clone(),
                active: *streaming || *running,
                result: result.clone(),
            },
            _ => Self { name: String::new(), arguments: String::new(), active: false, result: None },
        }
    }

    /// An argument as text; none while they are incomplete or of another shape.
    fn argument(&self, name: &str) -> Option<String> {
        let arguments: Value = serde_json::from_str(&self.arguments).ok()?;
        arguments.get(name)?.as_str().map(str::to_owned)
    }

    /// The name as a word: `bash` is Bash, `ask_user` is Ask user.
    fn title(&self, unnamed: &str) -> String {
        let words = self.name.replace(['_', '-'], " ");
        let mut letters = words.chars();
        match letters.next() {
            Some(first) => first.to_uppercase().chain(letters).collect(),
            None => unnamed.to_owned(),
        }
    }

    /// One line on what the call does.
    fn detail(&self) -> String {
        let telling = TELLING.iter().find_map(|name| self.argument(name)).unwrap_or_default();
        telling.lines().next().unwrap_or_default().to_owned()
    }

    fn failed(&self) -> bool {
        self.result.as_ref().is_some_and(|result| result.is_error)
    }
}

/// The row of a tool call.
pub(super) fn tool(ui: Ui, row: RowSignal) -> AnyView {
    let strings = ui.strings;
    let call = Memo::new(move |_| row.with(|row| Call::of(row)));
    let name = Memo::new(move |_| call.with(|call| call.name.clone()));
    let active = Memo::new(move |_| call.with(|call| call.active));
    let failed = Memo::new(move |_| call.with(Call::failed));
    let head = view! {
        {move || if name.with(|name| name == "bash") { icons::terminal() } else { icons::tool() }}
        <span class="what">{move || call.with(|call| call.title(strings.tool))}</span>
        " "
        <span class="detail">{move || call.with(Call::detail)}</span>
        <Show when=move || failed.get()>
            " "
            <span class="failed">{strings.tool_failed}</span>
        </Show>
        <Show when=move || active.get()>
            " "
            <span class="dot"></span>
            <span class="hidden">{strings.running}</span>
        </Show>
    };
    let tool = Signal::derive(move || Some(name.get()).filter(|name| !name.is_empty()));
    Disclosure { kind: "tool", tool, streaming: active.into(), head: head.into_any() }.closed(move || body(ui, call))
}

fn body(ui: Ui, call: Memo<Call>) -> AnyView {
    let strings = ui.strings;
    let command = move || call.with(|call| call.argument("command"));
    let arguments = move || {
        call.with(|call| match serde_json::from_str::<Value>(&call.arguments) {
            Ok(arguments) => format!("{arguments:#}"),
            Err(_) => call.arguments.clone(),
        })
    };
    let output = move || {
        call.with(|call| {
            call.result.as_ref().map(|result| {
                let text = result.text.trim_end_matches('\n').to_owned();
                let failed = result.is_error;
                if text.is_empty() {
                    view! { <p class="no-output">{strings.no_output}</p> }.into_any()
                } else {
                    // What a command printed was meant for a terminal; a file that was read shows as it is.
                    let shown = if call.name == "bash" { terminal::pieces(&text) } else { vec![Piece::Shown(&text)] };
                    let shown: Vec<AnyView> = shown
                        .into_iter()
                        .map(|piece| match piece {
                            Piece::Shown(text) => text.to_owned().into_any(),
                            Piece::Unseen(text) => view! { <span hidden>{text.to_owned()}</span> }.into_any(),
                        })
                        .collect();
                    view! {
                        <pre
                            class="output"
                            data-part="result"
                            role="group"
                            tabindex="0"
                            aria-label=strings.tool_output
                            data-failed=failed
                        >
                            {shown}
                        </pre>
                    }
                    .into_any()
                }
            })
        })
    };
    view! {
        <div class="terminal">
            {move || match command() {
                Some(command) => view! {
                    <pre class="command" role="group" tabindex="0" aria-label=strings.tool_command>
                        <span class="sign" aria-hidden="true">"$ "</span>
                        {command}
                    </pre>
                }
                .into_any(),
                None => view! { <pre class="command" role="group" tabindex="0" aria-label=strings.tool_arguments>{arguments()}</pre> }.into_any(),
            }}
            {output}
        </div>
    }
    .into_any()
}
