//! The web interface of dsh: Leptos components over the `client` object layer. wasm only: native builds of the
//! workspace see an empty crate.
//!
//! `state` turns the client's changes into signals, the components show them and call the client; nothing here keeps
//! facts of its own but what a person is doing (a draft, an opened row, the drawer). What tests rely on is markup:
//! - `data-region="sidebar|conversation"`: the regions that snapshots are taken of;
//! - `data-phase="loading|hero|settled|running|failed"` on the conversation: what it shows;
//! - `data-row="user|thinking|text|tool|retry|failure|stopped|notice|turn-footer"` on rows of the transcript, with
//!   `data-part="text|result"` on the element that holds the raw text inside, `data-tool` naming the tool;
//! - `data-composer` on the form that holds the text field;
//! - `data-streaming` on rows that still grow;
//! - `data-volatile="clock|duration|workspace-name|workspace-path"` on elements whose whole text is such a value;
//! - `globalThis.__dsh.state()`: the client's diagnostics as JSON.
#![cfg(target_arch = "wasm32")]
#![allow(unreachable_pub, reason = "the component macro writes `pub` in front of what it generates")]

mod app;
mod composer;
mod conversation;
mod diagnostics;
mod dom;
mod format;
mod hero;
mod icons;
mod markdown;
mod platform;
mod route;
mod sidebar;
mod state;
mod strings;
mod transcript;

use wasm_bindgen::prelude::wasm_bindgen;

/// Starts the interface on the page's body. The bundle's loader calls it once.
#[wasm_bindgen]
pub fn start() {
    leptos::mount::mount_to_body(app::App);
}
