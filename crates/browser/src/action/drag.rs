//! Dragging.

use super::options::DragOptions;
use super::strike::{Aimed, Attempts};
use crate::error::Result;
use crate::input::{Button, Finger, Gesture};
use crate::locator::Locator;
use serde_json::{Value, json};

impl Locator {
    /// Drags the middle of the element to the middle of another and lets go there, once both are visible, at rest and
    /// not covered. Both kinds work: pages that follow the pointer, and HTML drag and drop (`draggable`), whose events
    /// are trusted too.
    ///
    /// # Errors
    /// As for [`click`](Self::click), for either element.
    pub async fn drag_to(&self, target: &Locator) -> Result<()> {
        self.drag_to_with(target, DragOptions::default()).await
    }

    /// [`drag_to`](Self::drag_to) from and to other places, or in more steps.
    ///
    /// # Errors
    /// As for [`click`](Self::click), for either element.
    pub async fn drag_to_with(&self, target: &Locator, options: DragOptions) -> Result<()> {
        let mut taking = Attempts::new(self, "drag");
        let dropping = Attempts::new(target, "drop on");
        let title = format!("drag {self} to {target}");
        let work = async {
            // Whether there is anything to drop on is known before anything happens.
            let ahead = aim(&dropping, "hover", options.to, true).await?.point;
            let from = loop {
                let aimed = aim(&taking, "press", options.from, false).await?;
                let press = Gesture::new(Finger::Mouse, &[]).to(aimed.point).down(Button::Left);
                // A drag of the browser's own lives within one command.
                let whole = aimed.answer["draggable"] == true;
                let gesture =
                    if whole { carry(press, aimed.point, ahead, options.steps).up(Button::Left) } else { press };
                match taking.perform_to_the_end(&aimed, gesture).await? {
                    None if whole => return Ok(()),
                    None => break aimed.point,
                    Some(reason) => {
                        self.let_go(&title).await?;
                        taking.missed(reason)?;
                    }
                }
            };
            // Pages make room once something is taken up, and what is taken may lie over the target.
            let dropped = async {
                let to = aim(&dropping, "none", options.to, false).await?.point;
                let gesture = carry(Gesture::new(Finger::Mouse, &[]), from, to, options.steps);
                self.page().point(&title, gesture).await?;
                Ok(to)
            };
            let dropped: Result<_> = dropped.await;
            self.let_go(&title).await?;
            let to = dropped?;
            self.page().core().devices.note(self.page().id(), |state| state.mouse = to);
            Ok(())
        };
        self.page().act(title.clone(), work).await
    }

    async fn let_go(&self, title: &str) -> Result<()> {
        self.page().point(title, Gesture::new(Finger::Mouse, &[]).up(Button::Left)).await
    }
}

/// First a little, then all the way, and a little around the end: pages start to drag only after a few pixels, and the
/// first event over a target is no drop yet.
fn carry(gesture: Gesture, from: (f64, f64), to: (f64, f64), steps: u32) -> Gesture {
    gesture.to((from.0 + 1.0, from.1 + 1.0)).along(from, to, steps).to((to.0 + 1.0, to.1 + 1.0)).to(to)
}

async fn aim(attempts: &Attempts<'_>, guard: &str, offset: Option<(f64, f64)>, trial: bool) -> Result<Aimed> {
    let offset = offset.map_or(Value::Null, |(x, y)| json!({ "x": x, "y": y }));
    let arguments = [
        ("guard", guard.into()),
        ("offset", offset),
        ("trial", trial.into()),
        ("until", "down".into()),
        ("clicks", 1.into()),
        ("button", 0.into()),
    ];
    let clicks = (guard == "press").then_some(1);
    loop {
        if let Some(aimed) = attempts.aim("aim", &arguments, false, clicks).await? {
            return Ok(aimed);
        }
    }
}
