//! An isolated profile within a browser (a BiDi user context).

mod handle;
mod options;

pub use bidi::command::browsing_context::Viewport;
pub use handle::Context;
pub use options::{ColorScheme, ContextOptions};
