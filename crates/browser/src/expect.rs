//! What is expected, and waited for until it holds.

mod element;
mod page;
mod poll;
mod snapshot;
mod soft;

pub use element::Expect;
pub use page::PageExpect;
pub use poll::{Poll, poll};
pub use soft::Soft;
