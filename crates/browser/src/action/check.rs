//! Checkboxes, radios and switches.

use super::options::PointOptions;
use super::strike::Attempts;
use crate::error::Result;
use crate::input::{Button, Finger, Gesture};
use crate::locator::Locator;
use std::time::Duration;

impl Locator {
    /// Checks a checkbox, radio or switch, unless it is checked already, by a click on it or on its label; then makes
    /// sure that it is checked.
    ///
    /// # Errors
    /// [`Unsuitable`](crate::Error::Unsuitable) for elements that can't be checked; [`Timeout`](crate::Error::Timeout)
    /// also when the click does not change the state; else as for [`click`](Self::click).
    pub async fn check(&self) -> Result<()> {
        self.set_checked(true).await
    }

    /// Unchecks a checkbox or switch, as [`check`](Self::check) does the other way.
    ///
    /// # Errors
    /// As for [`check`](Self::check), and [`Unsuitable`](crate::Error::Unsuitable) for radios.
    pub async fn uncheck(&self) -> Result<()> {
        self.set_checked(false).await
    }

    /// Checks, or unchecks.
    ///
    /// # Errors
    /// As for [`check`](Self::check) and [`uncheck`](Self::uncheck).
    pub async fn set_checked(&self, checked: bool) -> Result<()> {
        self.set_checked_with(checked, PointOptions::default()).await
    }

    /// [`set_checked`](Self::set_checked) with a click at another place, with keys held and so on.
    ///
    /// # Errors
    /// As for [`set_checked`](Self::set_checked).
    pub async fn set_checked_with(&self, checked: bool, options: PointOptions) -> Result<()> {
        let mut attempts = Attempts::new(self, if checked { "check" } else { "uncheck" });
        let title = attempts.title();
        let mut arguments = options.arguments();
        arguments.push(("checked", checked.into()));
        let clicks = (!options.force && !options.trial).then_some(1);
        let work = async {
            loop {
                let aimed = attempts.aim("aimAtCheck", &arguments, options.force, clicks).await?;
                let Some(aimed) = aimed.filter(|_| !options.trial) else { return Ok(()) };
                let gesture = Gesture::new(Finger::Mouse, &options.modifiers).to(aimed.point);
                let gesture = gesture.clicks(Button::Left, 1, Duration::ZERO);
                match attempts.perform(&aimed, gesture).await? {
                    Some(reason) => attempts.missed(reason)?,
                    // What is neither checked nor not may become either by the first click.
                    None if aimed.answer["was"] == "mixed" => {}
                    None => return attempts.ask("checkedIs", &[("checked", checked.into())]).await.map(|_| ()),
                }
            }
        };
        self.page().act(title, work).await
    }
}
