//! What a test does with the element of a locator. All of it waits until a person could do it, acts on one element, and
//! says what was in the way when it gives up.

mod check;
mod click;
mod drag;
mod edit;
mod files;
mod keys;
mod options;
mod select;
mod strike;

pub use files::InputFile;
pub use options::{ClickOptions, DragOptions, PointOptions, TypeOptions};
pub use select::SelectOption;
