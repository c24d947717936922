//! A finger at points of the viewport.

use super::gesture::{Finger, Gesture};
use super::mouse::Button;
use crate::error::Result;
use crate::page::Page;
use std::time::Duration;

/// A page's touch screen. Pages get touch events whether or not they are told that there is such a screen.
#[derive(Debug, Clone, Copy)]
pub struct Touchscreen<'a> {
    page: &'a Page,
}

impl Page {
    /// The touch screen.
    pub fn touchscreen(&self) -> Touchscreen<'_> {
        Touchscreen { page: self }
    }
}

impl Touchscreen<'_> {
    /// Taps a point of the viewport, in CSS pixels, with one finger. Mouse events and a click follow unless the page
    /// forbids them.
    ///
    /// # Errors
    /// [`PageClosed`](crate::Error::PageClosed), [`PageCrashed`](crate::Error::PageCrashed).
    pub async fn tap(&self, x: f64, y: f64) -> Result<()> {
        let title = format!("tap at {x}, {y}");
        let gesture = Gesture::new(Finger::Touch, &[]).to((x, y)).clicks(Button::Left, 1, Duration::ZERO);
        self.page.act(title.clone(), self.page.perform(&title, gesture.sources())).await
    }
}
