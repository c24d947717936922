//! Writing to the agent.

use leptos::ev::{KeyboardEvent, SubmitEvent};
use leptos::prelude::*;

use crate::icons;
use crate::state::{Stage, Ui};
use crate::strings::fill;

/// The key code that browsers report for every key an input method handles.
const COMPOSING: u32 = 229;

/// Text field, Send, and Stop while the agent works. Enter sends, Shift+Enter makes a line.
#[component]
pub(crate) fn Composer(stage: Memo<Stage>) -> impl IntoView {
    let ui = Ui::here();
    let strings = ui.strings;
    let field = NodeRef::<leptos::html::Textarea>::new();
    let key = move || ui.selected.get().unwrap_or_default();
    let draft = move || {
        let key = key();
        ui.drafts.with(|drafts| drafts.get(&key).cloned().unwrap_or_default())
    };
    let hero = move || stage.get() == Stage::Hero;
    let label = move || if hero() { strings.describe } else { strings.message };
    // There is nowhere to write to.
    let locked = move || ui.selected.with(Option::is_none) && ui.workspace().is_none();
    // A draft can be written, but not sent yet.
    let unready = move || locked() || matches!(stage.get(), Stage::Loading | Stage::Failed);
    let running = move || stage.get() == Stage::Running;
    let empty = Memo::new(move |_| draft().trim().is_empty());

    let focus = move || {
        if let Some(field) = field.get_untracked() {
            let _ = field.focus();
        }
    };
    let send = move || {
        if !unready() {
            ui.send();
            focus();
        }
    };
    // A session that was opened can be written to at once; where the drawer was used, on a small touch screen, the
    // keyboard on the screen would cover what was opened.
    Effect::new(move |_| {
        ui.selected.track();
        if !locked() && !ui.drawer.get_untracked() {
            focus();
        }
    });

    view! {
        <form
            class="composer"
            data-composer=""
            on:submit=move |event: SubmitEvent| {
                event.prevent_default();
                send();
            }
        >
            {move || {
                ui.send_problem.get().map(|problem| {
                    view! {
                        <div class="problem" role="alert">
                            <span>{fill(strings.send_failed, problem)}</span>
                            <button
                                class="icon-button"
                                type="button"
                                aria-label=strings.dismiss
                                on:click=move |_| {
                                    ui.send_problem.set(None);
                                    focus();
                                }
                            >
                                {icons::cross()}
                            </button>
                        </div>
                    }
                })
            }}
            <div class="card">
                <textarea
                    node_ref=field
                    rows="1"
                    aria-label=label
                    placeholder=label
                    disabled=locked
                    prop:value=draft
                    on:input=move |event| {
                        let key = ui.selected.get_untracked().unwrap_or_default();
                        let text = event_target_value(&event);
                        ui.drafts.update(|drafts| drop(drafts.insert(key, text)));
                    }
                    on:keydown=move |event: KeyboardEvent| {
                        let composing = event.is_composing() || event.key_code() == COMPOSING;
                        if event.key() == "Enter" && !event.shift_key() && !composing {
                            event.prevent_default();
                            send();
                        }
                    }
                ></textarea>
                <div class="actions">
                    <Show when=running>
                        <button
                            class="stop"
                            type="button"
                            aria-label=strings.stop
                            on:click=move |_| {
                                ui.stop();
                                focus();
                            }
                        >
                            {icons::square()}
                        </button>
                    </Show>
                    <button class="send" type="submit" aria-label=strings.send disabled=move || unready() || empty.get()>
                        {icons::arrow_up()}
                    </button>
                </div>
            </div>
        </form>
    }
}
