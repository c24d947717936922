//! Setting the clock of a context.

use super::ClockTime;
use super::state::{ClockState, Told};
use crate::context::Context;
use crate::error::{CallLog, Error, Result};
use crate::frame::Frame;
use crate::page::Page;
use crate::script;
use bidi::command::browsing_context::GetTree;
use bidi::command::script::{AddPreloadScript, RemovePreloadScript};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime};

const CLOCK: &str = include_str!("clock.js");
const TELL: &str = "(key, state) => globalThis[Symbol.for(key)].set(state)";

/// The clock of a context's pages: one for all of them, their frames included, kept over navigations. Until it is set it
/// is the machine's.
///
/// It stands behind `Date`, `performance.now`, `setTimeout`, `setInterval`, `requestAnimationFrame`,
/// `requestIdleCallback`, `Temporal.Now` and the default date of `Intl.DateTimeFormat`. Workers, CSS animations, media, the
/// network and the time stamps of events keep the machine's time, and so does this library: actions and assertions wait
/// as ever. Timers a document started before the clock was installed stay the browser's; install it before
/// [`goto`](Page::goto).
#[derive(Debug, Clone, Copy)]
pub struct Clock<'a> {
    context: &'a Context,
}

/// How timers fire when time goes on at once.
#[derive(Debug, Clone, Copy)]
enum Advance {
    /// Each as often as it is due.
    All,
    /// Once, at the end.
    Skip,
}

impl<'a> Clock<'a> {
    pub(crate) fn new(context: &'a Context) -> Self {
        Self { context }
    }

    /// Freezes the clock at `time`: nothing fires until time is let go on.
    ///
    /// # Errors
    /// [`Error::OptionRefused`] for text that is no time.
    pub async fn install(&self, time: impl Into<ClockTime>) -> Result<()> {
        let time = time.into().milliseconds()?;
        self.change(None, |told, real| Ok(told.frozen(time, real))).await
    }

    /// Makes dates stand still at `time`. Timers fire as before.
    ///
    /// # Errors
    /// As for [`install`](Self::install).
    pub async fn set_fixed_time(&self, time: impl Into<ClockTime>) -> Result<()> {
        let time = time.into().milliseconds()?;
        self.change(None, |told, _| Ok(told.with_fixed(time))).await
    }

    /// Makes it `time` now, as when the machine's clock is set: dates go on from there, and no timer fires earlier or
    /// later for it.
    ///
    /// # Errors
    /// As for [`install`](Self::install).
    pub async fn set_system_time(&self, time: impl Into<ClockTime>) -> Result<()> {
        let time = time.into().milliseconds()?;
        self.change(None, |told, real| Ok(told.with_date(time, real))).await
    }

    /// Lets this much time pass at once: every timer and frame that is due fires, in order, as often as it is due, with
    /// the promises it resolves dealt with before the next.
    ///
    /// # Errors
    /// [`Error::ClockNotInstalled`]; [`Error::Timeout`] for timers that are not done with in the time for a navigation.
    pub async fn run_for(&self, time: Duration) -> Result<()> {
        self.go_on(time, Advance::All).await
    }

    /// Skips this much time, as when a laptop was shut: timers that came due fire once, at the end.
    ///
    /// # Errors
    /// As for [`run_for`](Self::run_for).
    pub async fn fast_forward(&self, time: Duration) -> Result<()> {
        self.go_on(time, Advance::Skip).await
    }

    /// Skips to `time` and stands still there.
    ///
    /// # Errors
    /// [`Error::OptionRefused`] when it is over already; else as for [`run_for`](Self::run_for).
    pub async fn pause_at(&self, time: impl Into<ClockTime>) -> Result<()> {
        let time = time.into();
        let target = time.milliseconds()?;
        let mut state = self.context.clock_state().await;
        let real = now();
        let told = installed(&state.told)?;
        let by = target - told.date_at(real);
        if by < 0.0 {
            let reason = format!("{time:?} is {} ms before the time it shows; it goes forward only", -by);
            return Err(Error::OptionRefused { option: "the clock", reason });
        }
        let mut wanted = told.with_running(false, real).later(by, real);
        wanted.fixed = None;
        self.tell(&mut state, wanted, Some(Advance::Skip)).await
    }

    /// Lets a frozen clock go on at the machine's pace.
    ///
    /// # Errors
    /// [`Error::ClockNotInstalled`].
    pub async fn resume(&self) -> Result<()> {
        self.change(None, |told, real| Ok(installed(told)?.with_running(true, real))).await
    }

    async fn go_on(&self, time: Duration, advance: Advance) -> Result<()> {
        let by = time.as_micros() as f64 / 1000.0;
        self.change(Some(advance), |told, real| Ok(installed(told)?.later(by, real))).await
    }

    async fn change(&self, advance: Option<Advance>, change: impl FnOnce(&Told, f64) -> Result<Told>) -> Result<()> {
        let mut state = self.context.clock_state().await;
        let wanted = change(&state.told, now())?;
        self.tell(&mut state, wanted, advance).await
    }

    /// Tells all documents: those to come first, so that none is missed.
    async fn tell(&self, state: &mut ClockState, wanted: Told, advance: Option<Advance>) -> Result<()> {
        let key = Value::from(format!("browser.clock.{}", self.context.id()));
        let told = serde_json::to_value(&wanted).unwrap_or_default();
        if !state.prepared {
            self.preload(script::call(CLOCK, std::slice::from_ref(&key))).await?;
            state.prepared = true;
        }
        let new = self.preload(script::call(TELL, &[key.clone(), told.clone()])).await?;
        if let Some(old) = state.script.replace(new) {
            self.context.core().link.call(&RemovePreloadScript { script: old }).await?;
        }
        state.told = wanted.clone();
        let deadline = self.context.core().settings.navigation_deadline;
        let order = advance.map(|advance| {
            json!({ "to": wanted.mono, "skip": matches!(advance, Advance::Skip), "deadline": deadline.as_millis() as u64 })
        });
        let function = format!(
            "async (key, state, order) => {{\n\
             const at = Symbol.for(key);\n\
             const known = globalThis[at];\n\
             if (!known) ({CLOCK})(key);\n\
             const reached = known && order ? await known.advance(order) : null;\n\
             globalThis[at].set(state);\n\
             return reached;\n}}"
        );
        let arguments = [key, told, order.unwrap_or_default()];
        let mut done = tokio::task::JoinSet::new();
        for frame in self.frames().await? {
            let (function, arguments) = (function.clone(), arguments.clone());
            // A page that is busy gets a little longer than its timers.
            let within = deadline + Duration::from_secs(5);
            done.spawn(
                async move { (frame.evaluate_within::<Option<f64>>(&function, &arguments, within).await, frame) },
            );
        }
        while let Some(joined) = done.join_next().await {
            let Ok((result, frame)) = joined else { continue };
            match result {
                Ok(Some(reached)) if reached < wanted.mono => {
                    let left = wanted.mono - reached;
                    let seen =
                        format!("timers still fired, {left} ms before the time asked for, in frame {}", frame.id());
                    return Err(Error::Timeout {
                        action: "advancing the clock".into(),
                        deadline,
                        log: CallLog(vec![seen]),
                    });
                }
                // The next document was told already.
                Ok(_) | Err(Error::PageClosed { .. } | Error::FrameDetached { .. } | Error::PageCrashed { .. }) => {}
                Err(Error::Protocol(bidi::Error::Refused { .. })) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    async fn preload(&self, function_declaration: String) -> Result<String> {
        let user_contexts = vec![self.context.id().to_owned()];
        let command = AddPreloadScript { function_declaration, user_contexts, ..AddPreloadScript::default() };
        Ok(self.context.core().link.call(&command).await?.script)
    }

    /// All documents of the context's pages.
    async fn frames(&self) -> Result<Vec<Frame>> {
        let tree = self.context.core().link.call(&GetTree::default()).await?;
        let mut frames = Vec::new();
        for root in tree.contexts {
            if root.user_context.as_deref() != Some(self.context.id()) {
                continue;
            }
            let page = Page::known(self.context.clone(), &root.context);
            let mut pending = vec![root];
            while let Some(node) = pending.pop() {
                pending.extend(node.children.unwrap_or_default());
                frames.push(Frame::new(page.clone(), node.context));
            }
        }
        Ok(frames)
    }
}

fn installed(told: &Told) -> Result<&Told> {
    if told.installed { Ok(told) } else { Err(Error::ClockNotInstalled) }
}

fn now() -> f64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    since.as_micros() as f64 / 1000.0
}
