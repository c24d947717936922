//! The agent's tools and the trait they share. First of them: [`Bash`].
//!
//! A tool never fails as Rust does: whatever goes wrong is a [`ToolOutput`] with `is_error`, in words the model can act
//! on. Nothing is inherited from this process: directory and environment come with each [`Invocation`].

mod bash;
mod tool;

pub use bash::{Bash, BashLimits};
pub use tool::{Invocation, Tool, ToolOutput};
