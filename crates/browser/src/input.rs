//! The devices of a page: keyboard, mouse, touch screen. What they do reaches the page as trusted events, wherever it
//! lands; actions of locators wait and check before.

mod chrome;
mod devices;
mod gesture;
mod keyboard;
pub(crate) mod keys;
mod layout;
mod mouse;
mod touchscreen;

pub(crate) use devices::Devices;
pub(crate) use gesture::{Finger, Gesture};
pub use keyboard::Keyboard;
pub(crate) use keyboard::{compose, press, type_text};
pub use keys::Modifier;
pub(crate) use mouse::wheel;
pub use mouse::{Button, Mouse};
pub use touchscreen::Touchscreen;
