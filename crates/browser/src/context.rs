//! An isolated profile within a browser (a BiDi user context).

mod cookies;
mod emulation;
mod handle;
mod options;
mod permissions;
mod storage;

pub use bidi::command::browsing_context::Viewport;
pub use cookies::{Cookie, SameSite};
pub use emulation::{Geolocation, Media};
pub(crate) use emulation::{owned, set, set_headers, set_media};
pub use handle::Context;
pub use options::{ColorScheme, ContextOptions};
pub use permissions::PermissionState;
pub use storage::{OriginStorage, StorageItem, StorageState};
