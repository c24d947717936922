//! `script.*` events.

use super::event;
use serde::Deserialize;

/// A document (or a worker) got a world to run scripts in. Said again when a document comes back from the history.
#[derive(Debug, Clone, Deserialize)]
pub struct RealmCreated {
    /// Realm id.
    pub realm: String,
    /// Browsing context id; `None` for workers.
    #[serde(default)]
    pub context: Option<String>,
    /// Name of the isolated world; `None` for the page's own.
    #[serde(default)]
    pub sandbox: Option<String>,
    /// `window`, `dedicated-worker`, `service-worker` …
    #[serde(default, rename = "type")]
    pub kind: String,
    /// The document's origin; for workers Chrome gives the address of the script.
    #[serde(default)]
    pub origin: String,
    /// The realms that a dedicated worker belongs to.
    #[serde(default)]
    pub owners: Vec<String>,
}
event!(RealmCreated, "script.realmCreated");

/// A realm is gone.
#[derive(Debug, Clone, Deserialize)]
pub struct RealmDestroyed {
    /// Realm id.
    pub realm: String,
}
event!(RealmDestroyed, "script.realmDestroyed");
