//! Clicks, taps and the like.

use super::options::{ClickOptions, PointOptions};
use super::strike::Attempts;
use crate::error::Result;
use crate::input::{Button, Finger, Gesture, wheel};
use crate::locator::Locator;
use serde_json::Value;
use std::time::Duration;

impl Locator {
    /// Clicks the middle of the element with a real mouse, once it is visible, enabled, at rest and not covered. Of an
    /// element in parts, like a link broken over lines, a part is clicked.
    ///
    /// It is over when the page gets the `click` event, and waits for nothing that the page does then: not for a
    /// navigation that the click starts, and not for a dialog to be closed. When the page changes at the moment of the
    /// click, so that something else would get it, the event is kept away and the element is looked for anew.
    ///
    /// # Errors
    /// [`Timeout`](crate::Error::Timeout) with what was in the way, [`Strict`](crate::Error::Strict),
    /// [`PageClosed`](crate::Error::PageClosed), [`PageCrashed`](crate::Error::PageCrashed).
    pub async fn click(&self) -> Result<()> {
        self.click_with(ClickOptions::default()).await
    }

    /// [`click`](Self::click) with another button, more than once, with keys held and so on.
    ///
    /// # Errors
    /// As for [`click`](Self::click).
    pub async fn click_with(&self, options: ClickOptions) -> Result<()> {
        let verb = match (options.button, options.count) {
            (Button::Left, 1) => "click",
            (Button::Left, 2) => "double-click",
            (Button::Right, 1) => "right-click",
            _ => "click several times or with another button",
        };
        let ClickOptions { point, button, count, delay } = options;
        self.strike(verb, Finger::Mouse, &point, button, count, delay).await
    }

    /// Clicks twice; the page gets `dblclick` too.
    ///
    /// # Errors
    /// As for [`click`](Self::click).
    pub async fn dblclick(&self) -> Result<()> {
        self.dblclick_with(ClickOptions::default()).await
    }

    /// [`dblclick`](Self::dblclick) with another button, keys held and so on.
    ///
    /// # Errors
    /// As for [`click`](Self::click).
    pub async fn dblclick_with(&self, options: ClickOptions) -> Result<()> {
        self.click_with(options.count(2)).await
    }

    /// Taps the element with a finger, once it is visible, enabled, at rest and not covered. The page gets touch
    /// events, then those of the mouse and a click, unless it forbids them.
    ///
    /// # Errors
    /// As for [`click`](Self::click).
    pub async fn tap(&self) -> Result<()> {
        self.tap_with(PointOptions::default()).await
    }

    /// [`tap`](Self::tap) at another place, with keys held and so on.
    ///
    /// # Errors
    /// As for [`click`](Self::click).
    pub async fn tap_with(&self, options: PointOptions) -> Result<()> {
        self.strike("tap", Finger::Touch, &options, Button::Left, 1, Duration::ZERO).await
    }

    async fn strike(
        &self,
        verb: &str,
        finger: Finger,
        options: &PointOptions,
        button: Button,
        count: u32,
        delay: Duration,
    ) -> Result<()> {
        let mut attempts = Attempts::new(self, verb);
        let mut arguments = options.arguments();
        arguments.extend([
            ("guard", "press".into()),
            ("clicks", count.into()),
            ("button", button.code().into()),
            ("touch", (finger == Finger::Touch).into()),
        ]);
        let gesture = |at| Gesture::new(finger, &options.modifiers).to(at).clicks(button, count, delay);
        let title = attempts.title();
        let work = async {
            loop {
                let aimed = attempts.aim("aim", &arguments, options.force, options.guarded(count)).await?;
                let Some(aimed) = aimed.filter(|_| !options.trial) else { return Ok(()) };
                match attempts.perform(&aimed, gesture(aimed.point)).await? {
                    None => return Ok(()),
                    Some(reason) => attempts.missed(reason)?,
                }
            }
        };
        self.page().act(title, work).await
    }

    /// Moves the mouse over the element, once it is visible, at rest and not covered.
    ///
    /// # Errors
    /// As for [`click`](Self::click).
    pub async fn hover(&self) -> Result<()> {
        self.hover_with(PointOptions::default()).await
    }

    /// [`hover`](Self::hover) at another place, with keys held and so on.
    ///
    /// # Errors
    /// As for [`click`](Self::click).
    pub async fn hover_with(&self, options: PointOptions) -> Result<()> {
        let mut attempts = Attempts::new(self, "hover");
        let work = async { over(&mut attempts, &options).await.map(|_| ()) };
        self.page().act(format!("hover {self}"), work).await
    }

    /// Turns the wheel over the element, by so many pixels to the right and down. The page may still scroll when this
    /// is over: wait for what it should show.
    ///
    /// # Errors
    /// As for [`click`](Self::click).
    pub async fn wheel(&self, delta_x: f64, delta_y: f64) -> Result<()> {
        let mut attempts = Attempts::new(self, "turn the wheel over");
        let title = attempts.title();
        let work = async {
            let at = over(&mut attempts, &PointOptions::default()).await?;
            self.page().perform(&title, wheel(at, delta_x, delta_y)).await
        };
        self.page().act(title.clone(), work).await
    }
}

impl PointOptions {
    /// For the guards of the documents around: how many presses to keep away, if any.
    fn guarded(&self, presses: u32) -> Option<u32> {
        (!self.force && !self.trial).then_some(presses)
    }
}

/// Moves the mouse over the element; gives back where that is.
async fn over(attempts: &mut Attempts<'_>, options: &PointOptions) -> Result<(f64, f64)> {
    let mut arguments = options.arguments();
    arguments.push(("guard", Value::from("hover")));
    loop {
        let Some(aimed) = attempts.aim("aim", &arguments, options.force, None).await? else { continue };
        if options.trial {
            return Ok(aimed.point);
        }
        let gesture = Gesture::new(Finger::Mouse, &options.modifiers).to(aimed.point);
        match attempts.perform(&aimed, gesture).await? {
            None => return Ok(aimed.point),
            Some(reason) => attempts.missed(reason)?,
        }
    }
}
