//! What the tests of this crate share: a log builder, and a platform whose every answer the test gives.

mod fake;
mod log;

pub(crate) use fake::{Fake, run, settle};
pub(crate) use log::{Log, user_message};
