//! A mouse at points of the viewport.

use super::gesture::{Finger, Gesture};
use crate::error::Result;
use crate::page::Page;
use bidi::command::input::{Source, WheelAction};
use std::time::Duration;

/// Buttons of a mouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Button {
    /// The main one.
    #[default]
    Left,
    /// The wheel's.
    Middle,
    /// The one for context menus.
    Right,
}

impl Button {
    /// As in `MouseEvent.button`.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Left => 0,
            Self::Middle => 1,
            Self::Right => 2,
        }
    }
}

/// A page's mouse. It goes to points of the viewport in CSS pixels and acts on whatever is there; nothing is waited
/// for. [`Locator::click`](crate::Locator::click) and its like find the point, and wait until it is the element's.
#[derive(Debug, Clone, Copy)]
pub struct Mouse<'a> {
    page: &'a Page,
}

impl Page {
    /// The mouse. It starts at the upper left corner.
    pub fn mouse(&self) -> Mouse<'_> {
        Mouse { page: self }
    }
}

impl Mouse<'_> {
    fn at(&self) -> (f64, f64) {
        self.page.core().devices.of(self.page.id()).mouse
    }

    /// A gesture at the place where the mouse is.
    fn starting_here(&self) -> Gesture {
        let here = Gesture::new(Finger::Mouse, &[]);
        if self.page.core().devices.of(self.page.id()).is_ahead { here.to(self.at()) } else { here }
    }

    async fn perform(&self, title: String, gesture: Gesture, at: (f64, f64)) -> Result<()> {
        let work = async {
            self.page.point(&title, gesture).await?;
            self.page.core().devices.note(self.page.id(), |state| state.mouse = at);
            Ok(())
        };
        self.page.act(title.clone(), work).await
    }

    /// Moves to a point in one step.
    ///
    /// # Errors
    /// [`PageClosed`](crate::Error::PageClosed), [`PageCrashed`](crate::Error::PageCrashed).
    pub async fn move_to(&self, x: f64, y: f64) -> Result<()> {
        self.move_in_steps(x, y, 1).await
    }

    /// Moves to a point in a straight line, with so many events on the way.
    ///
    /// # Errors
    /// As for [`move_to`](Self::move_to).
    pub async fn move_in_steps(&self, x: f64, y: f64, steps: u32) -> Result<()> {
        let gesture = Gesture::new(Finger::Mouse, &[]).along(self.at(), (x, y), steps);
        self.perform(format!("move the mouse to {x}, {y}"), gesture, (x, y)).await
    }

    /// Presses a button where the mouse is.
    ///
    /// # Errors
    /// As for [`move_to`](Self::move_to).
    pub async fn down(&self, button: Button) -> Result<()> {
        let gesture = self.starting_here().down(button);
        self.perform(format!("press the {button:?} mouse button"), gesture, self.at()).await
    }

    /// Releases a button where the mouse is.
    ///
    /// # Errors
    /// As for [`move_to`](Self::move_to).
    pub async fn up(&self, button: Button) -> Result<()> {
        let gesture = self.starting_here().up(button);
        self.perform(format!("release the {button:?} mouse button"), gesture, self.at()).await
    }

    /// Moves to a point and clicks there with the main button.
    ///
    /// # Errors
    /// As for [`move_to`](Self::move_to).
    pub async fn click(&self, x: f64, y: f64) -> Result<()> {
        let gesture = Gesture::new(Finger::Mouse, &[]).to((x, y)).clicks(Button::Left, 1, Duration::ZERO);
        self.perform(format!("click at {x}, {y}"), gesture, (x, y)).await
    }

    /// Moves to a point and clicks there twice with the main button.
    ///
    /// # Errors
    /// As for [`move_to`](Self::move_to).
    pub async fn dblclick(&self, x: f64, y: f64) -> Result<()> {
        let gesture = Gesture::new(Finger::Mouse, &[]).to((x, y)).clicks(Button::Left, 2, Duration::ZERO);
        self.perform(format!("double-click at {x}, {y}"), gesture, (x, y)).await
    }

    /// Turns the wheel where the mouse is, by so many pixels to the right and down. The page may still scroll when this
    /// is over: wait for what it should show.
    ///
    /// # Errors
    /// As for [`move_to`](Self::move_to).
    pub async fn wheel(&self, delta_x: f64, delta_y: f64) -> Result<()> {
        let title = format!("turn the wheel by {delta_x}, {delta_y}");
        let work = self.page.perform(&title, wheel(self.at(), delta_x, delta_y));
        self.page.act(title.clone(), work).await
    }
}

/// The wheel at a point. The protocol takes whole pixels.
pub(crate) fn wheel((x, y): (f64, f64), delta_x: f64, delta_y: f64) -> Vec<Source> {
    let whole = |number: f64| number.round() as i64;
    let turn = WheelAction::Scroll { x: whole(x), y: whole(y), delta_x: whole(delta_x), delta_y: whole(delta_y) };
    vec![Source::Wheel { id: "wheel".into(), actions: vec![turn] }]
}
