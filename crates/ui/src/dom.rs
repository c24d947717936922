//! The few things asked of the browser directly.

use std::future::Future;

use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::Closure;

/// The window. The interface runs in a page, nowhere else.
pub(crate) fn window() -> web_sys::Window {
    web_sys::window().expect("the interface runs in a page")
}

/// The page's document.
pub(crate) fn document() -> web_sys::Document {
    window().document().expect("a page has a document")
}

/// Runs a task on this thread.
pub(crate) fn spawn(task: impl Future<Output = ()> + 'static) {
    wasm_bindgen_futures::spawn_local(task);
}

/// Whether keys go nowhere: what had focus is gone or hidden.
pub(crate) fn nothing_has_focus() -> bool {
    document().active_element().is_none_or(|element| {
        element.tag_name() == "BODY" || element.closest(".sidebar").is_ok_and(|sidebar| sidebar.is_some())
    })
}

/// Listens for as long as the page lives.
pub(crate) fn listen(target: &web_sys::EventTarget, event: &str, heard: impl FnMut() + 'static) {
    let closure = Closure::<dyn FnMut()>::new(heard);
    target
        .add_event_listener_with_callback(event, closure.as_ref().unchecked_ref())
        .expect("a window and its queries take listeners");
    closure.forget();
}

/// Puts a text on the clipboard; false when the browser refuses.
pub(crate) async fn copy(text: &str) -> bool {
    let navigator = window().navigator();
    // Absent on plain HTTP to another machine.
    let present =
        js_sys::Reflect::get(&navigator, &"clipboard".into()).is_ok_and(|clipboard| !clipboard.is_undefined());
    present && wasm_bindgen_futures::JsFuture::from(navigator.clipboard().write_text(text)).await.is_ok()
}

/// The local time of day, `14:05`, of milliseconds since the Unix epoch.
pub(crate) fn clock(time: i64) -> String {
    let date = js_sys::Date::new(&wasm_bindgen::JsValue::from_f64(time as f64));
    format!("{:02}:{:02}", date.get_hours(), date.get_minutes())
}
