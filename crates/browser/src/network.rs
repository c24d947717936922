//! Requests and responses: watched, and answered in the server's place.

mod bytes;
mod fulfill;
mod headers;
mod hold;
mod pattern;
mod request;
mod response;
mod route;
mod routing;

pub use fulfill::Fulfill;
pub use headers::Headers;
pub use hold::Hold;
pub use pattern::UrlPattern;
pub(crate) use request::{Finish, Remote, Told};
pub use request::{Request, RequestState};
pub(crate) use response::Head;
pub use response::{Response, Timing};
pub use route::{RequestChanges, Route};
pub use routing::RouteHandle;
pub(crate) use routing::{Arrival, Routes, dispatch};
