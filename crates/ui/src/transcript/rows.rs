//! Each kind of row but tools and the footer.

use std::rc::Rc;

use client::{NoticeKind, Row};
use leptos::prelude::*;
use send_wrapper::SendWrapper;

use super::{footer, tool};
use crate::icons;
use crate::markdown::Markdown;
use crate::state::{Local, Ui};
use crate::strings::fill;

/// A row that may change under its element.
pub(super) type RowSignal = ArcRwSignal<Local<Rc<Row>>>;

/// The element of a row. Its kind never changes.
pub(super) fn row(ui: Ui, row: RowSignal) -> AnyView {
    let now = row.get_untracked();
    match &**now {
        Row::User { .. } => user(ui, row),
        Row::Thinking { .. } => thinking(ui, row),
        Row::Text { .. } => text(ui, row),
        Row::Tool { .. } => tool::tool(ui, row),
        Row::Retry { .. } => retry(ui, row),
        Row::Failure { .. } => failure(ui, row),
        Row::Stopped { .. } => view! { <p class="note" data-row="stopped">{ui.strings.stopped}</p> }.into_any(),
        Row::Notice { .. } => notice(ui, row),
        Row::TurnFooter { .. } => footer::footer(ui, row),
    }
}

fn user(ui: Ui, row: RowSignal) -> AnyView {
    let strings = ui.strings;
    let text = {
        let row = row.clone();
        move || row.with(|row| if let Row::User { text, .. } = &***row { text.clone() } else { String::new() })
    };
    let pending = Memo::new(move |_| row.with(|row| matches!(&***row, Row::User { pending: true, .. })));
    view! {
        <article class="user" data-row="user" aria-label=strings.you data-pending=move || pending.get()>
            <p data-part="text">{text}</p>
            <Show when=move || pending.get()>
                <span class="pending">{strings.sending}</span>
            </Show>
        </article>
    }
    .into_any()
}

/// A row that opens: what stands in its button, and what it opens.
pub(super) struct Disclosure {
    /// The row's kind.
    pub(super) kind: &'static str,
    /// The tool it shows a call of.
    pub(super) tool: Signal<Option<String>>,
    /// More is coming.
    pub(super) streaming: Signal<bool>,
    /// Inside the button.
    pub(super) head: AnyView,
}

impl Disclosure {
    /// A row that does not grow and belongs to no tool.
    fn still(kind: &'static str, head: AnyView) -> Self {
        Self { kind, tool: Signal::stored(None), streaming: Signal::stored(false), head }
    }

    /// The element, closed at first.
    pub(super) fn closed(self, body: impl Fn() -> AnyView + Send + Sync + 'static) -> AnyView {
        let open = RwSignal::new(false);
        let Self { kind, tool, streaming, head } = self;
        view! {
            <div class="disclosure" data-row=kind data-tool=tool data-streaming=streaming>
                <button
                    class="disclosure-head"
                    type="button"
                    aria-expanded=move || open.get().to_string()
                    on:click=move |_| open.update(|open| *open = !*open)
                >
                    {head}
                    <span class="turning">{icons::chevron()}</span>
                </button>
                {move || open.get().then(&body)}
            </div>
        }
        .into_any()
    }
}

fn thinking(ui: Ui, row: RowSignal) -> AnyView {
    let read = move || {
        row.with(|row| match &***row {
            Row::Thinking { text, streaming, .. } => (text.clone(), *streaming),
            _ => (String::new(), false),
        })
    };
    let now = Memo::new(move |_| read());
    let streaming = Memo::new(move |_| now.with(|(_, streaming)| *streaming));
    let word = move || if streaming.get() { ui.strings.thinking } else { ui.strings.thought };
    let preview =
        move || now.with(|(text, _)| text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned());
    let head = view! {
        {icons::thought()}
        <span class="what">{word}</span>
        " "
        <span class="detail">{preview}</span>
    };
    let row = Disclosure { streaming: streaming.into(), ..Disclosure::still("thinking", head.into_any()) };
    row.closed(move || {
        view! { <div class="thinking-text" data-part="text">{move || now.with(|(text, _)| text.clone())}</div> }
            .into_any()
    })
}

fn text(ui: Ui, row: RowSignal) -> AnyView {
    let host = NodeRef::<leptos::html::Div>::new();
    let streaming = {
        let row = row.clone();
        move || row.with(|row| matches!(&***row, Row::Text { streaming: true, .. }))
    };
    let markdown = StoredValue::new(SendWrapper::new(Markdown::new(ui.strings)));
    Effect::new(move |_| {
        let Some(host) = host.get() else { return };
        row.with(|row| {
            if let Row::Text { markdown: text, .. } = &***row {
                markdown.update_value(|markdown| markdown.show(&host, text));
            }
        });
    });
    view! {
        <div data-row="text" data-streaming=streaming>
            <div class="markdown" data-part="text" node_ref=host></div>
        </div>
    }
    .into_any()
}

fn retry(ui: Ui, row: RowSignal) -> AnyView {
    let text = move || {
        row.with(|row| match &***row {
            Row::Retry { retry, max, message, done, .. } => {
                let strings = ui.strings;
                let which = max.map_or_else(|| retry.to_string(), |max| format!("{retry}/{max}"));
                fill(&fill(if *done { strings.retry_done } else { strings.retry_waits }, which), message)
            }
            _ => String::new(),
        })
    };
    view! { <p class="note" data-row="retry">{icons::warning()}<span>{text}</span></p> }.into_any()
}

fn failure(ui: Ui, row: RowSignal) -> AnyView {
    let read = move || {
        row.with(|row| match &***row {
            Row::Failure { message, code, .. } => (message.clone(), code.clone()),
            _ => (String::new(), String::new()),
        })
    };
    let now = Memo::new(move |_| read());
    view! {
        <div class="problem failure" data-row="failure" role="alert">
            {icons::warning()}
            <div>
                <strong>{ui.strings.turn_failed}</strong>
                <p>{move || now.with(|(message, _)| message.clone())}</p>
            </div>
            <code>{move || now.with(|(_, code)| code.clone())}</code>
        </div>
    }
    .into_any()
}

fn notice(ui: Ui, row: RowSignal) -> AnyView {
    let strings = ui.strings;
    let now = row.get_untracked();
    let Row::Notice { kind, text, .. } = &**now else { return ().into_any() };
    let word = match kind {
        NoticeKind::Context { producer } => fill(strings.context, producer),
        NoticeKind::Compacted => strings.compacted.to_owned(),
        NoticeKind::Blocked => strings.blocked.to_owned(),
        NoticeKind::OutputLimit => strings.output_limit.to_owned(),
        NoticeKind::Interrupted => strings.interrupted.to_owned(),
        NoticeKind::Unreadable => strings.unreadable.to_owned(),
    };
    if text.is_empty() {
        return view! { <p class="note" data-row="notice">{word}</p> }.into_any();
    }
    let text = text.clone();
    let head = view! { {icons::note()}<span class="what">{word}</span> };
    Disclosure::still("notice", head.into_any())
        .closed(move || view! { <div class="thinking-text">{text.clone()}</div> }.into_any())
}
