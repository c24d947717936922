//! Which session the address names: `#/session/<id>`, so that a reload and the back button find it again.

use crate::dom;

const PREFIX: &str = "#/session/";

/// The session in the address.
pub(crate) fn current() -> Option<String> {
    let hash = dom::window().location().hash().ok()?;
    let id = js_sys::decode_uri_component(hash.strip_prefix(PREFIX)?).ok()?;
    Some(String::from(id)).filter(|id| !id.is_empty())
}

/// Names a session in the address, as a new entry of the history.
pub(crate) fn show(id: Option<&str>) {
    if current().as_deref() == id {
        return;
    }
    let location = dom::window().location();
    let path = location.pathname().unwrap_or_else(|_| "/".to_owned());
    let address = match id {
        Some(id) => format!("{PREFIX}{}", String::from(js_sys::encode_uri_component(id))),
        None => path,
    };
    if let Ok(history) = dom::window().history() {
        let _ = history.push_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&address));
    }
}
