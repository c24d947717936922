//! What a pointer does, as the protocol wants it: in step with the keys that are held meanwhile.

use super::keys::Modifier;
use super::mouse::Button;
use bidi::command::input::{KeyAction, PointerAction, PointerParameters, PointerType, Source};
use std::time::Duration;

/// Mouse or finger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finger {
    /// The mouse.
    Mouse,
    /// A finger on the screen.
    Touch,
}

/// One movement of a pointer.
#[derive(Debug, Clone)]
pub(crate) struct Gesture {
    finger: Finger,
    modifiers: Vec<Modifier>,
    actions: Vec<PointerAction>,
}

impl Gesture {
    pub(crate) fn new(finger: Finger, modifiers: &[Modifier]) -> Self {
        Self { finger, modifiers: modifiers.to_vec(), actions: Vec::new() }
    }

    pub(crate) fn to(mut self, (x, y): (f64, f64)) -> Self {
        self.actions.push(PointerAction::PointerMove { x, y });
        self
    }

    /// From a point to another in equal steps; the last one is there.
    pub(crate) fn along(self, from: (f64, f64), to: (f64, f64), steps: u32) -> Self {
        let steps = steps.max(1);
        (1..=steps).fold(self, |gesture, step| {
            let part = f64::from(step) / f64::from(steps);
            gesture.to((from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part))
        })
    }

    pub(crate) fn down(mut self, button: Button) -> Self {
        self.actions.push(PointerAction::PointerDown { button: button.code() });
        self
    }

    pub(crate) fn up(mut self, button: Button) -> Self {
        self.actions.push(PointerAction::PointerUp { button: button.code() });
        self
    }

    pub(crate) fn pause(mut self, time: Duration) -> Self {
        if time > Duration::ZERO {
            self.actions.push(PointerAction::Pause { duration: time.as_millis() as u64 });
        }
        self
    }

    /// Clicks so many times where the pointer is.
    pub(crate) fn clicks(self, button: Button, count: u32, delay: Duration) -> Self {
        (0..count).fold(self, |gesture, _| gesture.down(button).pause(delay).up(button))
    }

    /// Whether it is a click of the mouse at a point and nothing else.
    pub(super) fn is_plain_click(&self) -> bool {
        let [PointerAction::PointerMove { .. }, presses @ ..] = self.actions.as_slice() else { return false };
        let is_press = |action: &PointerAction| {
            matches!(action, PointerAction::PointerDown { .. } | PointerAction::PointerUp { .. })
        };
        self.finger == Finger::Mouse
            && self.modifiers.is_empty()
            && !presses.is_empty()
            && presses.len().is_multiple_of(2)
            && presses.iter().all(is_press)
    }

    pub(super) fn actions(&self) -> &[PointerAction] {
        &self.actions
    }

    /// One source a device. Modifiers are down before the first and up after the last of the actions.
    pub(crate) fn sources(self) -> Vec<Source> {
        let Self { finger, modifiers, mut actions } = self;
        let (id, pointer_type) = match finger {
            Finger::Mouse => ("mouse", PointerType::Mouse),
            Finger::Touch => ("finger", PointerType::Touch),
        };
        let mut sources = Vec::new();
        if !modifiers.is_empty() {
            let values: Vec<String> = modifiers.iter().map(|modifier| modifier.code().to_string()).collect();
            let down = values.iter().map(|value| KeyAction::KeyDown { value: value.clone() });
            let up = values.iter().rev().map(|value| KeyAction::KeyUp { value: value.clone() });
            let wait = std::iter::repeat_n(KeyAction::Pause { duration: 0 }, actions.len());
            let keys = down.chain(wait).chain(up).collect();
            // Another keyboard than the one that may hold keys already.
            sources.push(Source::Key { id: "modifiers".into(), actions: keys });
            let before = std::iter::repeat_n(PointerAction::Pause { duration: 0 }, modifiers.len());
            actions = before.chain(actions).collect();
        }
        sources.push(Source::Pointer { id: id.into(), parameters: PointerParameters { pointer_type }, actions });
        sources
    }
}
