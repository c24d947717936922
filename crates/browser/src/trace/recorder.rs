//! Collects: each action with the page before and after it.

use crate::context::Context;
use crate::error::Result;
use crate::page::{Page, SnapshotOptions};
use serde::Serialize;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A picture that takes longer is left out: a page that does not answer must not hold the test up.
const LOOK_DEADLINE: Duration = Duration::from_secs(3);

/// The running recordings of a browser, by user context.
#[derive(Debug, Default)]
pub(crate) struct Recorders(Mutex<HashMap<String, Arc<Recorder>>>);

impl Recorders {
    fn all(&self) -> MutexGuard<'_, HashMap<String, Arc<Recorder>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts one; the one before it of the same user context goes on no more.
    pub(super) fn start(&self, user_context: &str, recorder: Arc<Recorder>) {
        self.all().insert(user_context.to_owned(), recorder);
    }

    /// Ends `recorder`, unless another has taken its place.
    pub(super) fn end(&self, user_context: &str, recorder: &Arc<Recorder>) {
        let mut all = self.all();
        if all.get(user_context).is_some_and(|running| Arc::ptr_eq(running, recorder)) {
            all.remove(user_context);
        }
    }

    /// The one that listens to a user context.
    pub(crate) fn of(&self, user_context: &str) -> Option<Arc<Recorder>> {
        self.all().get(user_context).cloned()
    }
}

/// One recording.
#[derive(Debug)]
pub(crate) struct Recorder {
    pub(super) started: f64,
    options: super::TraceOptions,
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    actions: Vec<Action>,
    shots: Vec<Shot>,
}

/// One action of the test. Times are milliseconds since the epoch, shots are indices.
#[derive(Debug, Serialize)]
pub(super) struct Action {
    pub(super) at: f64,
    pub(super) until: f64,
    pub(super) title: String,
    pub(super) page: String,
    pub(super) error: Option<String>,
    #[serde(skip)]
    is_action: bool,
    pub(super) before: Option<usize>,
    pub(super) after: Option<usize>,
}

/// How a page looked.
#[derive(Debug, Serialize)]
pub(super) struct Shot {
    pub(super) at: f64,
    pub(super) url: Option<String>,
    /// A `data:` address.
    pub(super) picture: Option<String>,
    /// Its accessibility snapshot.
    pub(super) tree: Option<String>,
}

pub(super) fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64() * 1000.0
}

impl Recorder {
    pub(super) fn new(options: super::TraceOptions) -> Self {
        Self { started: now(), options, seen: Mutex::default() }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was collected, once the recording is over.
    pub(super) fn take(&self) -> (Vec<Action>, Vec<Shot>) {
        let Seen { actions, shots } = std::mem::take(&mut *self.seen());
        (actions, shots)
    }

    /// Runs an action and notes it down. The shot before it is the shot after the one before it: what
    /// the page does between two actions belongs to the first.
    pub(crate) async fn record_action<T>(
        &self,
        page: &Page,
        title: String,
        work: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let before = self.shoot(page).await;
        self.fill_after(page.id(), before);
        self.record(page, title, true, before, work).await
    }

    /// Runs an assertion and notes it down: it changes nothing, so a page is only shown that fails it.
    pub(crate) async fn record_look<T>(
        &self,
        page: &Page,
        title: String,
        work: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        self.record(page, title, false, None, work).await
    }

    async fn record<T>(
        &self,
        page: &Page,
        title: String,
        is_action: bool,
        before: Option<usize>,
        work: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let at = now();
        let result = work.await;
        let until = now();
        let error = result.as_ref().err().map(ToString::to_string);
        // Of a failure there may be no next action.
        let after = if error.is_some() { self.shoot(page).await } else { None };
        self.seen().actions.push(Action {
            at,
            until,
            title,
            page: page.id().to_owned(),
            error,
            is_action,
            before,
            after,
        });
        result
    }

    /// The shots that end the recording, one of each page that something was done to.
    pub(super) async fn look_last(&self, context: &Context) {
        let mut pages: Vec<String> = self.seen().actions.iter().map(|action| action.page.clone()).collect();
        pages.sort();
        pages.dedup();
        for page in pages {
            let last = self.shoot(&Page::known(context.clone(), &page)).await;
            self.fill_after(&page, last);
        }
    }

    fn fill_after(&self, page: &str, shot: Option<usize>) {
        let mut seen = self.seen();
        let is_meant = |action: &&mut Action| action.page == page && action.is_action;
        if let Some(action) = seen.actions.iter_mut().rev().find(is_meant)
            && action.after.is_none()
        {
            action.after = shot;
        }
    }

    /// Takes a picture and the tree. A page that is gone, or does not answer, gives none.
    async fn shoot(&self, page: &Page) -> Option<usize> {
        let at = now();
        let picture =
            async { if self.options.pictures { page.thumbnail_within(LOOK_DEADLINE).await.ok() } else { None } };
        let options = SnapshotOptions::default();
        let body = page.locator("body").within(LOOK_DEADLINE);
        let tree = async {
            if self.options.trees { body.aria_snapshot(&options).await.ok().map(|tree| tree.to_yaml()) } else { None }
        };
        let (picture, tree) = tokio::join!(picture, tree);
        let url = (!page.is_closed()).then(|| page.last_url());
        if picture.is_none() && tree.is_none() {
            return None;
        }
        let shot = Shot { at, url, picture, tree };
        let mut seen = self.seen();
        let is_same = |last: &Shot| (&last.picture, &last.tree, &last.url) == (&shot.picture, &shot.tree, &shot.url);
        if !seen.shots.last().is_some_and(is_same) {
            seen.shots.push(shot);
        }
        Some(seen.shots.len() - 1)
    }
}
