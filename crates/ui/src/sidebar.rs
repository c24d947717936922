//! The sidebar: brand, new session, workspaces with their sessions.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlElement;

use crate::icons;
use crate::state::{Group, Ui};

/// One visible row of the tree.
#[derive(Clone, PartialEq)]
enum Item {
    Workspace { id: String, title: String, expanded: bool },
    Session { id: String, title: Option<String>, running: bool },
}

impl Item {
    fn key(&self) -> String {
        match self {
            Self::Workspace { id, .. } => format!("workspace {id}"),
            Self::Session { id, .. } => format!("session {id}"),
        }
    }
}

/// The sidebar; a drawer on narrow pages.
#[component]
pub(crate) fn Sidebar() -> impl IntoView {
    let ui = Ui::here();
    let strings = ui.strings;
    let drawer = NodeRef::<leptos::html::Nav>::new();
    Effect::new(move |before: Option<bool>| {
        let open = ui.drawer.get();
        // The keyboard follows the drawer, once it can be seen.
        if open && before == Some(false) {
            request_animation_frame(move || {
                if let Some(drawer) = drawer.get_untracked()
                    && let Ok(Some(first)) = drawer.query_selector("button")
                {
                    let _ = first.unchecked_into::<HtmlElement>().focus();
                }
            });
        }
        open
    });
    view! {
        <nav
            class="sidebar"
            id="sidebar"
            data-region="sidebar"
            aria-label=strings.sidebar
            node_ref=drawer
        >
            <div class="brand">
                <span class="mark">{icons::prompt()}</span>
                <span class="name">"dsh"</span>
                <button
                    class="icon-button drawer-only"
                    type="button"
                    aria-label=strings.close_sidebar
                    on:click=move |_| ui.drawer.set(false)
                >
                    {icons::cross()}
                </button>
            </div>
            <button
                class="new-session"
                type="button"
                on:click=move |_| {
                    ui.select(None);
                    ui.drawer.set(false);
                }
            >
                {icons::plus()}
                {strings.new_session}
            </button>
            <h2 class="caption">{strings.workspaces}</h2>
            <Tree />
            <Show when=move || ui.arrived.get() && ui.workspaces.with(|workspaces| workspaces.is_empty())>
                <p class="hint">{strings.no_workspaces}</p>
            </Show>
        </nav>
    }
}

/// Workspaces and their sessions (WAI-ARIA tree view pattern: one tab stop, arrows move).
#[component]
fn Tree() -> impl IntoView {
    let ui = Ui::here();
    let collapsed = RwSignal::new(Vec::<String>::new());
    let items = Memo::new(move |_| ui.workspaces.with(|groups| collapsed.with(|collapsed| list(groups, collapsed))));
    // The item with the tab stop: the one that had focus last, else the selected session, else the first.
    let focused = RwSignal::new(None::<String>);
    let stop = Memo::new(move |_| {
        let selected = ui.selected.get().map(|id| format!("session {id}"));
        items.with(|items| {
            let keys: Vec<String> = items.iter().map(Item::key).collect();
            let wanted = [focused.get(), selected];
            wanted.into_iter().flatten().find(|key| keys.contains(key)).or(keys.first().cloned())
        })
    });
    let tree = NodeRef::<leptos::html::Div>::new();
    let toggle = move |id: &str, open: bool| {
        collapsed.update(|collapsed| {
            collapsed.retain(|other| other != id);
            if !open {
                collapsed.push(id.to_owned());
            }
        });
    };
    let activate = move |item: &Item| match item {
        Item::Workspace { id, expanded, .. } => toggle(id, !expanded),
        Item::Session { id, .. } => {
            ui.select(Some(id));
            ui.drawer.set(false);
        }
    };
    let keydown = move |event: KeyboardEvent| {
        let Some(tree) = tree.get_untracked() else { return };
        let items = items.get_untracked();
        let at = stop.with_untracked(|stop| items.iter().position(|item| Some(item.key()) == *stop));
        let Some(at) = at else { return };
        let to = match (event.key().as_str(), &items[at]) {
            ("ArrowDown", _) => at + 1,
            ("ArrowUp", _) => at.saturating_sub(1),
            ("Home", _) => 0,
            ("End", _) => items.len() - 1,
            ("ArrowRight", Item::Workspace { id, expanded: false, .. }) => {
                toggle(id, true);
                at
            }
            ("ArrowRight", Item::Workspace { .. }) => at + 1,
            ("ArrowLeft", Item::Workspace { id, .. }) => {
                toggle(id, false);
                at
            }
            ("ArrowLeft", Item::Session { .. }) => {
                items[..at].iter().rposition(|item| matches!(item, Item::Workspace { .. })).unwrap_or(at)
            }
            ("Enter" | " ", item) => {
                activate(item);
                at
            }
            _ => return,
        };
        event.prevent_default();
        let to = to.min(items.len() - 1);
        focused.set(Some(items[to].key()));
        let rows = tree.children();
        if let Some(row) = rows.item(to as u32) {
            let _ = row.unchecked_into::<HtmlElement>().focus();
        }
    };
    view! {
        <div class="tree" role="tree" aria-label=ui.strings.sessions node_ref=tree on:keydown=keydown>
            <For
                each=move || items.get()
                key=Item::key
                children=move |item| {
                    let key = item.key();
                    let now = {
                        let key = key.clone();
                        Memo::new(move |_| {
                            items.with(|items| items.iter().find(|item| item.key() == key).cloned()).unwrap_or(item.clone())
                        })
                    };
                    let tab = {
                        let key = key.clone();
                        move || if stop.with(|stop| stop.as_ref() == Some(&key)) { "0" } else { "-1" }
                    };
                    row(ui, now, tab, move || {
                        focused.set(Some(key.clone()));
                        activate(&now.get_untracked());
                    })
                }
            />
        </div>
    }
}

/// One row of the tree.
fn row(
    ui: Ui,
    item: Memo<Item>,
    tab: impl Fn() -> &'static str + Send + Sync + 'static,
    activate: impl Fn() + Send + Sync + 'static,
) -> AnyView {
    let strings = ui.strings;
    let title = move || {
        item.with(|item| match item {
            Item::Workspace { title, .. } | Item::Session { title: Some(title), .. } => title.clone(),
            Item::Session { title: None, .. } => strings.untitled.to_owned(),
        })
    };
    // The view macro knows no `aria-level`: it is set as a custom attribute.
    match item.get_untracked() {
        Item::Workspace { .. } => {
            let expanded = move || item.with(|item| matches!(item, Item::Workspace { expanded: true, .. }));
            view! {
                <div
                    class="row workspace"
                    role="treeitem"
                    aria-expanded=move || expanded().to_string()
                    tabindex=tab
                    on:click=move |_| activate()
                >
                    {icons::folder()}
                    <span class="label" data-volatile="workspace-name">{title}</span>
                </div>
            }
            .attr("aria-level", "1")
            .into_any()
        }
        Item::Session { id, .. } => {
            let running = move || item.with(|item| matches!(item, Item::Session { running: true, .. }));
            view! {
                <div
                    class="row session"
                    role="treeitem"
                    aria-selected=move || ui.selected.with(|selected| selected.as_ref() == Some(&id)).to_string()
                    tabindex=tab
                    on:click=move |_| activate()
                >
                    <span class="label">{title}</span>
                    <Show when=running>
                        <span class="dot"></span>
                        <span class="hidden">{strings.running}</span>
                    </Show>
                </div>
            }
            .attr("aria-level", "2")
            .into_any()
        }
    }
}

/// The visible rows: each workspace, and below an open one its sessions.
fn list(groups: &[Group], collapsed: &[String]) -> Vec<Item> {
    let mut items = Vec::new();
    for Group { workspace, sessions } in groups {
        let expanded = !collapsed.contains(&workspace.workspace_id);
        items.push(Item::Workspace { id: workspace.workspace_id.clone(), title: workspace.title.clone(), expanded });
        if expanded {
            items.extend(sessions.iter().map(|session| Item::Session {
                id: session.session_id.clone(),
                title: session.title.clone(),
                running: session.running,
            }));
        }
    }
    items
}
