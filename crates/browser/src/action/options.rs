//! How actions differ from the plain ones.

use crate::input::{Button, Modifier};
use serde_json::{Value, json};
use std::time::Duration;

/// Where and how a pointer meets an element, for `hover_with`, `tap_with` and `set_checked_with`.
///
/// ```
/// use browser::{Modifier, PointOptions};
///
/// let upper_left_corner = PointOptions::default().position(2.0, 2.0);
/// let with_shift = PointOptions::default().modifiers([Modifier::Shift]);
/// # let _ = (upper_left_corner, with_shift);
/// ```
#[derive(Debug, Clone, Default)]
pub struct PointOptions {
    pub(super) position: Option<(f64, f64)>,
    pub(super) modifiers: Vec<Modifier>,
    pub(super) force: bool,
    pub(super) trial: bool,
}

impl PointOptions {
    /// This far right and down of the element's upper left corner, in CSS pixels, instead of its middle.
    pub fn position(mut self, x: f64, y: f64) -> Self {
        self.position = Some((x, y));
        self
    }

    /// With these keys held.
    pub fn modifiers(mut self, modifiers: impl IntoIterator<Item = Modifier>) -> Self {
        self.modifiers = modifiers.into_iter().collect();
        self
    }

    /// Without waiting until the element is visible, enabled, at rest and not covered: whatever is there is hit.
    pub fn force(mut self) -> Self {
        self.force = true;
        self
    }

    /// Everything but the action itself: waits until it could be done.
    pub fn trial(mut self) -> Self {
        self.trial = true;
        self
    }

    /// What the page script needs to know of it.
    pub(super) fn arguments(&self) -> Vec<(&'static str, Value)> {
        let offset = self.position.map_or(Value::Null, |(x, y)| json!({ "x": x, "y": y }));
        vec![("offset", offset), ("force", self.force.into()), ("trial", self.trial.into())]
    }
}

/// How to click, for `click_with` and `dblclick_with`.
///
/// ```
/// use browser::{Button, ClickOptions, Modifier};
///
/// let context_menu = ClickOptions::default().button(Button::Right);
/// let in_a_new_tab = ClickOptions::default().modifiers([Modifier::ControlOrMeta]);
/// # let _ = (context_menu, in_a_new_tab);
/// ```
#[derive(Debug, Clone)]
pub struct ClickOptions {
    pub(super) point: PointOptions,
    pub(super) button: Button,
    pub(super) count: u32,
    pub(super) delay: Duration,
}

impl Default for ClickOptions {
    fn default() -> Self {
        Self { point: PointOptions::default(), button: Button::Left, count: 1, delay: Duration::ZERO }
    }
}

impl ClickOptions {
    /// With this button instead of the left one.
    pub fn button(mut self, button: Button) -> Self {
        self.button = button;
        self
    }

    /// So many times in a row: 2 is a double click.
    pub fn count(mut self, count: u32) -> Self {
        self.count = count.max(1);
        self
    }

    /// The button stays down for this long.
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// See [`PointOptions::position`].
    pub fn position(mut self, x: f64, y: f64) -> Self {
        self.point = self.point.position(x, y);
        self
    }

    /// See [`PointOptions::modifiers`].
    pub fn modifiers(mut self, modifiers: impl IntoIterator<Item = Modifier>) -> Self {
        self.point = self.point.modifiers(modifiers);
        self
    }

    /// See [`PointOptions::force`].
    pub fn force(mut self) -> Self {
        self.point = self.point.force();
        self
    }

    /// See [`PointOptions::trial`].
    pub fn trial(mut self) -> Self {
        self.point = self.point.trial();
        self
    }
}

/// How to drag, for `drag_to_with`.
#[derive(Debug, Clone)]
pub struct DragOptions {
    pub(super) from: Option<(f64, f64)>,
    pub(super) to: Option<(f64, f64)>,
    pub(super) steps: u32,
}

impl Default for DragOptions {
    fn default() -> Self {
        Self { from: None, to: None, steps: 5 }
    }
}

impl DragOptions {
    /// Where to take the element, from its upper left corner in CSS pixels, instead of its middle.
    pub fn from_position(mut self, x: f64, y: f64) -> Self {
        self.from = Some((x, y));
        self
    }

    /// Where to let go, from the upper left corner of the other element, instead of its middle.
    pub fn to_position(mut self, x: f64, y: f64) -> Self {
        self.to = Some((x, y));
        self
    }

    /// How many moves it takes on the way; 5 if not told.
    pub fn steps(mut self, steps: u32) -> Self {
        self.steps = steps.max(1);
        self
    }
}

/// How to type, for `press_with` and `press_sequentially_with`.
#[derive(Debug, Clone, Default)]
pub struct TypeOptions {
    pub(super) delay: Duration,
}

impl TypeOptions {
    /// After each key, or while a combination is held, this long.
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }
}
