//! Which realm belongs to which document.
//!
//! Scripts are sent to realms, not to browsing contexts: a popup that keeps its opener hangs everything that is sent to
//! its context (ChromeDriver 156), and a page that came back from the history is refused by context when it has frames.

use crate::script;
use bidi::event::EventType;
use bidi::event::browsing_context::ContextDestroyed;
use bidi::event::script::{RealmCreated, RealmDestroyed};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The live realms that scripts of this crate run in: each page's own world and our isolated one.
#[derive(Debug, Default)]
pub(crate) struct Realms(Mutex<HashMap<String, Worlds>>);

#[derive(Debug, Default)]
struct Worlds {
    page: Option<String>,
    isolated: Option<String>,
}

impl Realms {
    /// The events to subscribe to.
    pub(crate) const EVENTS: &[&str] = &["script.realmCreated", "script.realmDestroyed"];

    /// Takes one event.
    pub(crate) fn hear(&self, event: &bidi::Event) {
        if let Some(RealmCreated { realm, context: Some(context), sandbox, .. }) = typed(event) {
            let mut contexts = self.contexts();
            let worlds = contexts.entry(context).or_default();
            match sandbox.as_deref() {
                None => worlds.page = Some(realm),
                Some(script::SANDBOX) => worlds.isolated = Some(realm),
                Some(_) => {}
            }
        } else if let Some(RealmDestroyed { realm }) = typed(event) {
            for worlds in self.contexts().values_mut() {
                worlds.page.take_if(|known| *known == realm);
                worlds.isolated.take_if(|known| *known == realm);
            }
        } else if let Some(ContextDestroyed { context, .. }) = typed(event) {
            self.contexts().remove(&context);
        }
    }

    /// The realm of a browsing context's document, when it has told of one.
    pub(crate) fn of(&self, context: &str, sandbox: Option<&str>) -> Option<String> {
        let contexts = self.contexts();
        let worlds = contexts.get(context)?;
        if sandbox.is_some() { worlds.isolated.clone() } else { worlds.page.clone() }
    }

    fn contexts(&self) -> MutexGuard<'_, HashMap<String, Worlds>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn typed<T: EventType>(event: &bidi::Event) -> Option<T> {
    event.as_type().ok().flatten()
}
