//! `input.*` commands: what a person does, as trusted events.

use super::{Empty, command};
use serde::Serialize;

/// Performs actions of one or more devices, tick by tick.
#[derive(Debug, Clone, Serialize)]
pub struct PerformActions {
    /// Browsing context id.
    pub context: String,
    /// One per device.
    pub actions: Vec<Source>,
}
command!(PerformActions, "input.performActions" => Empty);

/// Releases all keys and buttons that are down.
#[derive(Debug, Clone, Serialize)]
pub struct ReleaseActions {
    /// Browsing context id.
    pub context: String,
}
command!(ReleaseActions, "input.releaseActions" => Empty);

/// A device and what it does: one action a tick, in step with the other devices.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Source {
    /// A keyboard.
    Key {
        /// Name of the device within the session.
        id: String,
        /// In order.
        actions: Vec<KeyAction>,
    },
    /// A mouse or a finger.
    Pointer {
        /// Name of the device within the session.
        id: String,
        /// Which of them.
        parameters: PointerParameters,
        /// In order.
        actions: Vec<PointerAction>,
    },
    /// A wheel.
    Wheel {
        /// Name of the device within the session.
        id: String,
        /// In order.
        actions: Vec<WheelAction>,
    },
}

/// What kind of pointer a [`Source::Pointer`] is.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PointerParameters {
    /// Mouse or finger.
    pub pointer_type: PointerType,
}

/// Kinds of pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PointerType {
    /// A mouse.
    Mouse,
    /// A finger.
    Touch,
}

/// One step of a keyboard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum KeyAction {
    /// A key goes down.
    KeyDown {
        /// One character, or a key's code point from the WebDriver table.
        value: String,
    },
    /// A key comes up.
    KeyUp {
        /// As for down.
        value: String,
    },
    /// Nothing happens.
    Pause {
        /// Milliseconds the tick takes at least.
        duration: u64,
    },
}

/// One step of a pointer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum PointerAction {
    /// Moves to a point of the viewport.
    PointerMove {
        /// CSS pixels from the left.
        x: f64,
        /// CSS pixels from the top.
        y: f64,
    },
    /// A button goes down.
    PointerDown {
        /// 0 left, 1 middle, 2 right.
        button: u8,
    },
    /// A button comes up.
    PointerUp {
        /// As for down.
        button: u8,
    },
    /// Nothing happens.
    Pause {
        /// Milliseconds the tick takes at least.
        duration: u64,
    },
}

/// One step of a wheel.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum WheelAction {
    /// Turns over a point of the viewport.
    #[serde(rename_all = "camelCase")]
    Scroll {
        /// CSS pixels from the left; whole ones only.
        x: i64,
        /// CSS pixels from the top; whole ones only.
        y: i64,
        /// Pixels to the right; whole ones only.
        delta_x: i64,
        /// Pixels down; whole ones only.
        delta_y: i64,
    },
}
