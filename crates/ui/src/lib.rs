//! The web interface. wasm only: native builds see an empty crate.
#![cfg(target_arch = "wasm32")]

use leptos::prelude::*;
use wasm_bindgen::prelude::wasm_bindgen;

/// Mounts the interface on the page's body. Called once by the bundle's loader.
#[wasm_bindgen]
pub fn start() {
    leptos::mount::mount_to_body(|| view! { <p>"dsh"</p> });
}
