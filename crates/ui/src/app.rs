//! The frame: client, sidebar, conversation.

use std::rc::Rc;

use client::Client;
use leptos::prelude::*;
use send_wrapper::SendWrapper;

use crate::conversation::Conversation;
use crate::platform::Page;
use crate::sidebar::Sidebar;
use crate::state::Ui;
use crate::{diagnostics, dom, route, strings};

/// Below this width the sidebar is a drawer; the style sheet has the same number.
const NARROW: &str = "(max-width: 719px)";

/// The whole interface.
#[component]
pub(crate) fn App() -> impl IntoView {
    let strings = strings::for_language(&dom::window().navigator().language().unwrap_or_default());
    if let Some(root) = dom::document().document_element() {
        let _ = root.set_attribute("lang", strings.lang);
    }

    let client = Client::new(Rc::new(Page));
    let ui = Ui::new(client.clone(), strings);
    provide_context(ui);
    diagnostics::install(client.clone());
    let subscription = client.subscribe(move |change| ui.apply(change));
    // Lives as long as this component.
    StoredValue::new(SendWrapper::new(subscription));
    client.start();
    ui.select(route::current().as_deref());

    let window = dom::window();
    dom::listen(&window, "popstate", move || ui.select(route::current().as_deref()));
    // An address edited by hand, as well as the back button.
    dom::listen(&window, "hashchange", move || ui.select(route::current().as_deref()));
    // On the window, not on the drawer: a click on its empty part leaves the keyboard with the page.
    let escape = window_event_listener(leptos::ev::keydown, move |event| {
        if event.key() == "Escape" && ui.drawer.get_untracked() {
            ui.drawer.set(false);
        }
    });
    on_cleanup(move || escape.remove());
    if let Ok(Some(narrow)) = window.match_media(NARROW) {
        dom::listen(&narrow, "change", move || ui.drawer.set(false));
    }

    view! {
        <div class="frame" data-drawer=move || ui.drawer.get().then_some("open")>
            <Sidebar />
            <button
                class="backdrop"
                type="button"
                tabindex="-1"
                aria-hidden="true"
                on:click=move |_| ui.drawer.set(false)
            ></button>
            <Conversation />
        </div>
    }
}
