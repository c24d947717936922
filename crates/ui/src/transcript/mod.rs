//! The transcript: rows one below the other, following the end while the reader is there.

mod footer;
mod rows;
mod scroll;
mod terminal;
mod tool;

use leptos::prelude::*;

use scroll::Scroll;

use crate::icons;
use crate::state::{Entry, Stage, Ui};

/// The scrolling list of rows.
#[component]
pub(crate) fn Transcript() -> impl IntoView {
    let ui = Ui::here();
    let scroll = Scroll::new(ui);
    let has_more = Memo::new(move |_| ui.view.with(|view| view.as_deref().is_some_and(|view| view.has_more)));
    let loading = Memo::new(move |_| ui.view.with(|view| view.as_deref().is_some_and(|view| view.loading_older)));
    let problem = Memo::new(move |_| ui.view.with(|view| view.as_deref().and_then(|view| view.problem.clone())));
    let disclosed = move |event: leptos::ev::MouseEvent| {
        let target: web_sys::Element = event_target(&event);
        if target.closest(".disclosure-head").is_ok_and(|head| head.is_some()) {
            scroll.reads();
        }
    };
    view! {
        <div class="transcript">
            // Reached by the keyboard, so that arrows scroll it.
            <div
                class="scroller"
                tabindex="0"
                node_ref=scroll.scroller
                on:scroll=move |_| scroll.scrolled()
                on:click=disclosed
            >
                <div class="rows" node_ref=scroll.list>
                    <Show when=move || has_more.get()>
                        // Not disabled while it loads: that would take the keyboard away from it.
                        <button
                            class="quiet"
                            type="button"
                            aria-disabled=move || loading.get().then_some("true")
                            on:click=move |_| {
                                if !loading.get_untracked() {
                                    scroll.load_older();
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
                        <span class="hidden">{move || ui.spoken.get()}</span>
                    </p>
                </div>
            </div>
            <Show when=move || !scroll.follows.get()>
                <button class="to-bottom" type="button" aria-label=ui.strings.to_bottom on:click=move |_| scroll.follow()>
                    {icons::arrow_down()}
                </button>
            </Show>
        </div>
    }
}
