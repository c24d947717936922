//! What a new session shows: a question, and where the agent will work.

use leptos::prelude::*;

use crate::icons;
use crate::state::Ui;

/// The middle of the column before anything was said. The composer stands right below.
#[component]
pub(crate) fn Hero() -> impl IntoView {
    let ui = Ui::here();
    let several = move || ui.workspaces.with(|workspaces| workspaces.len() > 1);
    view! {
        <div class="hero">
            <h1>{ui.strings.slogan}</h1>
            {move || {
                ui.workspace().map(|workspace| {
                    let name = if several() {
                        view! { <Choice /> }.into_any()
                    } else {
                        view! { <span class="place-name" data-volatile="workspace-name">{workspace.title}</span> }.into_any()
                    };
                    view! {
                        <div class="place">
                            {icons::folder()} {name}
                            <span class="place-path" data-volatile="workspace-path">{workspace.path}</span>
                        </div>
                    }
                })
            }}
        </div>
    }
}

/// Choosing one of several workspaces.
#[component]
fn Choice() -> impl IntoView {
    let ui = Ui::here();
    let current = move || ui.workspace().map(|workspace| workspace.workspace_id).unwrap_or_default();
    view! {
        <label class="choice">
            <span class="hidden">{ui.strings.workspace}</span>
            <select
                prop:value=current
                on:change=move |event| ui.chosen_workspace.set(Some(event_target_value(&event)))
            >
                <For
                    each=move || ui.workspaces.get()
                    key=|group| group.workspace.workspace_id.clone()
                    children=move |group| {
                        let workspace = group.workspace;
                        view! {
                            <option value=workspace.workspace_id data-volatile="workspace-name">{workspace.title}</option>
                        }
                    }
                />
            </select>
        </label>
    }
}
