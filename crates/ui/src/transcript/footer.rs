//! The end of a turn: copy, when it ended, how long it took, what it used.

use std::time::Duration;

use client::Row;
use leptos::prelude::*;

use super::rows::RowSignal;
use crate::state::Ui;
use crate::strings::fill;
use crate::{dom, format, icons};

/// How long the button says that it copied.
const SAID: Duration = Duration::from_secs(2);

/// The footer of a turn.
pub(super) fn footer(ui: Ui, row: RowSignal) -> AnyView {
    let strings = ui.strings;
    let now = row.get_untracked();
    let Row::TurnFooter { started_at, ended_at, usage, text, .. } = &**now else { return ().into_any() };
    // A turn that said nothing has nothing to copy.
    let copy = (!text.trim().is_empty()).then(|| view! { <Copy row /> });
    let duration = started_at.map(|started_at| {
        let text = format::duration(strings, ended_at - started_at);
        view! { <span data-volatile="duration">{text}</span> }
    });
    let tokens = usage.map(|usage| {
        let input = usage.input_tokens + usage.cache_read_tokens.unwrap_or(0) + usage.cache_write_tokens.unwrap_or(0);
        let text = fill(strings.tokens, format::count(strings, input));
        view! { <span>{fill(&text, format::count(strings, usage.output_tokens))}</span> }
    });
    view! {
        <div class="footer" data-row="turn-footer">
            {copy}
            <span data-volatile="clock">{dom::clock(*ended_at)}</span>
            {duration}
            {tokens}
        </div>
    }
    .into_any()
}

/// Copies the turn's final text and says for a moment that it did.
#[component]
fn Copy(row: RowSignal) -> impl IntoView {
    let ui = Ui::here();
    let strings = ui.strings;
    let copied = RwSignal::new(None::<bool>);
    let copy = move |_| {
        let text =
            row.with_untracked(
                |row| if let Row::TurnFooter { text, .. } = &***row { text.clone() } else { String::new() },
            );
        dom::spawn(async move {
            let done = dom::copy(&text).await;
            ui.spoken.set(if done { strings.copied } else { strings.copy_failed });
            // The row may be gone by now.
            if copied.try_set(Some(done)).is_none() {
                set_timeout(
                    move || {
                        copied.try_set(None);
                        ui.spoken.set("");
                    },
                    SAID,
                );
            }
        });
    };
    let said = move || match copied.get() {
        None => "",
        Some(true) => strings.copied,
        Some(false) => strings.copy_failed,
    };
    view! {
        <button class="icon-button" type="button" aria-label=strings.copy on:click=copy>
            {move || if copied.get() == Some(true) { icons::check() } else { icons::copy() }}
        </button>
        // For the eye; readers of the page hear `spoken`.
        <span class="said" aria-hidden="true">{said}</span>
    }
}
