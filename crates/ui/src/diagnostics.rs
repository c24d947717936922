//! `globalThis.__dsh`: the client's state for tests and reports. Read only.

use client::Client;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::Closure;

/// Installs `__dsh.state()`, which returns the client's diagnostics as a JSON text.
pub(crate) fn install(client: Client) {
    let state = Closure::<dyn Fn() -> String>::new(move || {
        serde_json::to_string(&client.diagnostics()).expect("diagnostics are plain data")
    });
    let door = js_sys::Object::new();
    js_sys::Reflect::set(&door, &JsValue::from_str("state"), &state.into_js_value())
        .and_then(|_| js_sys::Reflect::set(&js_sys::global(), &JsValue::from_str("__dsh"), &door))
        .expect("plain objects take properties");
}
