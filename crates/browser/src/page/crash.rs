//! Pages whose process dies. WebDriver BiDi does not tell of it, and leaves what is pending without an answer: this is
//! Chromium's own event.

use crate::browser::Core;
use bidi::command::cdp::GetSession;
use bidi::{Event, EventStream};
use std::sync::Weak;

/// The event to subscribe to.
pub(crate) const TARGET_CRASHED: &str = "goog:cdp.Inspector.targetCrashed";

/// Notes which pages crash, until the connection ends; then there are no pages any more.
pub(crate) async fn watch(core: Weak<Core>, mut crashes: EventStream) {
    while let Ok(Event { params, .. }) = crashes.next().await {
        let Some(core) = core.upgrade() else { return };
        for page in core.lifecycles.pages() {
            // A page that went away meanwhile has no session.
            let opened = core.link.call(&GetSession { context: page.clone() }).await;
            if opened.is_ok_and(|opened| params["session"] == opened.session) {
                core.lifecycles.crashed(&page);
                core.monitor.crashed(&page);
                break;
            }
        }
    }
    if let Some(core) = core.upgrade() {
        core.lifecycles.end();
    }
}
