//! The transcript: rows one below the other, following the end while the reader is there.

mod footer;
mod rows;
mod tool;

use leptos::prelude::*;

use crate::icons;
use crate::state::{Entry, Stage, Ui};

/// So close to the end counts as at the end, in pixels.
const NEAR: i32 = 24;

/// The scrolling list of rows.
#[component]
pub(crate) fn Transcript() -> impl IntoView {
    let ui = Ui::here();
    let scroller = NodeRef::<leptos::html::Div>::new();
    // The reader is at the end and wants to stay there.
    let follows = RwSignal::new(true);
    let to_end = move || {
        if let Some(scroller) = scroller.get_untracked() {
            scroller.set_scroll_top(scroller.scroll_height());
        }
    };
    Effect::new(move |_| {
        ui.view.track();
        if follows.get_untracked() {
            // After the rows took their new height.
            request_animation_frame(move || {
                if follows.get_untracked() {
                    to_end();
                }
            });
        }
    });
    Effect::new(move |_| {
        ui.selected.track();
        follows.set(true);
    });
    let scrolled = move |_| {
        if let Some(scroller) = scroller.get_untracked() {
            let below = scroller.scroll_height() - scroller.scroll_top() - scroller.client_height();
            follows.set(below <= NEAR);
        }
    };
    let has_more = Memo::new(move |_| ui.view.with(|view| view.as_deref().is_some_and(|view| view.has_more)));
    let loading = Memo::new(move |_| ui.view.with(|view| view.as_deref().is_some_and(|view| view.loading_older)));
    let problem = Memo::new(move |_| ui.view.with(|view| view.as_deref().and_then(|view| view.problem.clone())));
    view! {
        // Reached by the keyboard, so that arrows scroll it.
        <div class="transcript" tabindex="0" node_ref=scroller on:scroll=scrolled>
            <div class="rows">
                <Show when=move || has_more.get()>
                    <button
                        class="quiet"
                        type="button"
                        disabled=move || loading.get()
                        on:click=move |_| {
                            if let Some(id) = ui.selected.get_untracked() {
                                ui.client().load_older(&id);
                            }
                        }
                    >
                        {ui.strings.load_earlier}
                    </button>
                </Show>
                <For
                    each=move || ui.rows.get()
                    key=|entry: &Entry| entry.key.clone()
                    children=move |entry| rows::row(ui, entry.row)
                />
                {move || problem.get().map(|problem| view! { <p class="problem" role="alert">{problem}</p> })}
                // Always there: a live region is read when its text changes, not when it appears.
                <p class="working" role="status">
                    {move || (ui.stage() == Stage::Running).then_some(ui.strings.working)}
                </p>
            </div>
            <Show when=move || !follows.get()>
                <button
                    class="to-bottom"
                    type="button"
                    aria-label=ui.strings.to_bottom
                    on:click=move |_| {
                        follows.set(true);
                        to_end();
                    }
                >
                    {icons::arrow_down()}
                </button>
            </Show>
        </div>
    }
}
