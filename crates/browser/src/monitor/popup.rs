//! Pages opened by pages, and what Chrome forgets about them.
//!
//! A popup that keeps its opener and goes to an address of the same origin keeps the JavaScript global of its first,
//! empty document. ChromeDriver 156 waits for a new one, for ever, and with it every command that names the page's
//! browsing context: screenshots, input, looking for elements. Turning the Runtime domain off and on makes Chrome say
//! again which globals there are, which ends the wait.

use super::router::Monitor;
use bidi::command::cdp::{GetSession, SendCommand};
use serde_json::json;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// The popups that are open, by browsing context.
#[derive(Debug, Default)]
pub(crate) struct Popups(Mutex<HashMap<String, watch::Sender<Popup>>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Popup {
    /// It shows the empty document it was made with.
    #[default]
    Empty,
    /// Its first real document is there; whether with a global of its own is being found out.
    Asked { has_realm: bool },
    /// Chrome is telling again. Console entries are told again, too.
    Mending,
    /// It is as usable as any page.
    Usable,
}

impl Popups {
    pub(super) fn opened(&self, page: &str) {
        self.known().insert(page.to_owned(), watch::Sender::default());
    }

    pub(super) fn closed(&self, page: &str) {
        self.known().remove(page);
    }

    pub(super) fn got_realm(&self, page: &str) {
        self.change(page, |popup| {
            if let Popup::Asked { has_realm } = popup {
                *has_realm = true;
            }
        });
    }

    pub(super) fn is_mending(&self, page: &str) -> bool {
        self.known().get(page).is_some_and(|popup| *popup.borrow() == Popup::Mending)
    }

    /// A document has replaced the one before it.
    pub(super) fn committed(&self, monitor: &Arc<Monitor>, page: &str) {
        let known = self.known();
        let Some(popup) = known.get(page).filter(|popup| *popup.borrow() == Popup::Empty) else { return };
        popup.send_replace(Popup::Asked { has_realm: false });
        let (monitor, page) = (monitor.clone(), page.to_owned());
        tokio::spawn(async move {
            // A page that is gone meanwhile needs no help.
            let _ = mend(&monitor, &page).await;
            monitor.popups.change(&page, |popup| *popup = Popup::Usable);
        });
    }

    /// Waits until commands for the page are answered.
    pub(crate) async fn usable(&self, page: &str) {
        let Some(mut popup) = self.known().get(page).map(watch::Sender::subscribe) else { return };
        // An error means that the page is gone: nothing is to be waited for.
        let _ = popup.wait_for(|popup| matches!(popup, Popup::Empty | Popup::Usable)).await;
    }

    fn change(&self, page: &str, change: impl FnOnce(&mut Popup)) {
        if let Some(popup) = self.known().get(page) {
            popup.send_modify(change);
        }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<Popup>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn mend(monitor: &Monitor, page: &str) -> crate::error::Result<()> {
    let link = monitor.remote.link("looking after a popup")?;
    let session = link.call(&GetSession { context: page.to_owned() }).await?.session;
    let send = async |method: &str, params| {
        let session = Some(session.clone());
        link.call(&SendCommand { method: method.to_owned(), params, session }).await.map(|_| ())
    };
    // The page's process answers in order: after this a global of its own has been told of.
    send("Runtime.evaluate", json!({ "expression": "0" })).await?;
    let has_realm = monitor.popups.known().get(page).is_none_or(|popup| {
        let has_realm = *popup.borrow() != Popup::Asked { has_realm: false };
        if !has_realm {
            popup.send_replace(Popup::Mending);
        }
        has_realm
    });
    if has_realm {
        return Ok(());
    }
    send("Runtime.disable", json!({})).await?;
    send("Runtime.enable", json!({})).await
}
