//! The conversation column: header, transcript or hero, composer.

use client::{ConnectionState, Phase};
use leptos::prelude::*;

use crate::composer::Composer;
use crate::hero::Hero;
use crate::state::{Stage, Ui};
use crate::strings::fill;
use crate::transcript::Transcript;
use crate::{dom, icons};

/// The column to the right of the sidebar.
#[component]
pub(crate) fn Conversation() -> impl IntoView {
    let ui = Ui::here();
    let stage = Memo::new(move |_| ui.stage());
    let title = Memo::new(move |_| ui.title());
    Effect::new(move |_| {
        let name = title.get().map_or("dsh".to_owned(), |title| format!("{title} · dsh"));
        dom::document().set_title(&name);
    });
    let opener = NodeRef::<leptos::html::Button>::new();
    Effect::new(move |before: Option<bool>| {
        let open = ui.drawer.get();
        // A drawer that closed gives the keyboard back; where another place took it, nothing happens.
        if !open && before == Some(true) {
            request_animation_frame(move || {
                if let Some(opener) = opener.get_untracked()
                    && dom::nothing_has_focus()
                {
                    let _ = opener.focus();
                }
            });
        }
        open
    });
    view! {
        <main
            class="conversation"
            data-region="conversation"
            data-phase=move || stage.get().name()
            aria-label=ui.strings.conversation
            inert=move || ui.drawer.get()
        >
            <header class="top">
                <button
                    class="icon-button drawer-only"
                    type="button"
                    node_ref=opener
                    aria-label=ui.strings.open_sidebar
                    aria-controls="sidebar"
                    aria-expanded=move || ui.drawer.get().to_string()
                    on:click=move |_| ui.drawer.set(true)
                >
                    {icons::menu()}
                </button>
                <Show when=move || stage.get() != Stage::Hero && title.with(Option::is_some)>
                    <h1 class="title">{move || title.get()}</h1>
                </Show>
                <Connection />
            </header>
            {move || match stage.get() {
                Stage::Hero => view! { <Hero /> }.into_any(),
                Stage::Loading => view! { <Loading /> }.into_any(),
                Stage::Failed => view! { <Failed /> }.into_any(),
                Stage::Settled | Stage::Running => ().into_any(),
            }}
            // Kept apart from the switch above: a turn that begins or ends must not rebuild the transcript.
            <Show when=move || matches!(stage.get(), Stage::Settled | Stage::Running)>
                <Transcript />
            </Show>
            <Composer stage />
        </main>
    }
}

/// What is wrong with the connection; nothing while it is there.
#[component]
fn Connection() -> impl IntoView {
    let ui = Ui::here();
    let text = move || match ui.connection.get() {
        ConnectionState::Connected => None,
        ConnectionState::Stopped | ConnectionState::Connecting => Some(ui.strings.connecting.to_owned()),
        ConnectionState::Reconnecting { attempt } => Some(fill(ui.strings.reconnecting, attempt)),
    };
    move || text().map(|text| view! { <p class="connection" role="status">{text}</p> })
}

#[component]
fn Loading() -> impl IntoView {
    let ui = Ui::here();
    // While the host itself is not reached the header says so.
    let waits = move || ui.selected.with(Option::is_some);
    view! {
        <div class="middle">
            <Show when=waits>
                <p class="hint">{ui.strings.loading}</p>
            </Show>
        </div>
    }
}

#[component]
fn Failed() -> impl IntoView {
    let ui = Ui::here();
    let reason = move || {
        ui.view.with(|view| match view.as_deref().map(|view| &view.phase) {
            Some(Phase::Failed(reason)) => fill(ui.strings.load_failed, reason),
            _ => String::new(),
        })
    };
    view! {
        <div class="middle">
            <p class="problem" role="alert">{reason}</p>
            <button class="quiet" type="button" on:click=move |_| ui.retry()>{ui.strings.try_again}</button>
        </div>
    }
}
