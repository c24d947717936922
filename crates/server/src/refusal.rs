use std::sync::Arc;

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $status:ident;)*) => {
        /// The stable name of a refusal: the `code` of its JSON body `{code, message}`. Other answers of the carrier
        /// are the host's, with status 200 and a code of [`wire::ErrorCode`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// As it stands in the body.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The HTTP status it comes with.
            pub fn status(self) -> StatusCode {
                match self { $(Self::$name => StatusCode::$status,)* }
            }
        }
    };
}

codes! {
    /// `Host` (or the address of the request line) names another server: DNS rebinding.
    HostRefused = "host-refused", FORBIDDEN;
    /// `Origin` is another one than the server's own, or `null`.
    OriginRefused = "origin-refused", FORBIDDEN;
    /// The browser says that another site caused the request.
    CrossSiteRefused = "cross-site-refused", FORBIDDEN;
    /// The path does not stay below the root, or hides where it leads.
    PathRefused = "path-refused", FORBIDDEN;
    /// No credential at all.
    CredentialMissing = "credential-missing", UNAUTHORIZED;
    /// A bearer token or cookie that is not valid (any more).
    CredentialWrong = "credential-wrong", UNAUTHORIZED;
    /// A one-time token that was used already, or was never given out.
    TokenUsed = "token-used", UNAUTHORIZED;
    /// Too many wrong credentials in the last minute; `Retry-After` says how long to wait.
    AttemptsLimited = "attempts-limited", TOO_MANY_REQUESTS;
    /// A call that is not `application/json`.
    MediaType = "media-type", UNSUPPORTED_MEDIA_TYPE;
    /// The body is not JSON.
    BodyNotJson = "body-not-json", BAD_REQUEST;
    /// The body broke off.
    BodyBroken = "body-broken", BAD_REQUEST;
    /// The body is longer than a call may be.
    BodyTooLarge = "body-too-large", PAYLOAD_TOO_LARGE;
    /// The body did not arrive in time.
    BodyTimeout = "body-timeout", REQUEST_TIMEOUT;
    /// The request's head is longer than it may be.
    HeadersTooLarge = "headers-too-large", REQUEST_HEADER_FIELDS_TOO_LARGE;
    /// No call, stream or file has this path.
    UnknownPath = "unknown-path", NOT_FOUND;
    /// The path exists, but not for this HTTP method; `Allow` says for which.
    MethodNotAllowed = "method-not-allowed", METHOD_NOT_ALLOWED;
    /// As many streams as there may be are open.
    TooManyStreams = "too-many-streams", SERVICE_UNAVAILABLE;
    /// The implementation behind the call or stream panicked.
    Internal = "internal", INTERNAL_SERVER_ERROR;
}

/// One refused request: what the caller reads and what the log says.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) code: Code,
    /// For the caller: what was wrong and what to do.
    pub(crate) message: String,
    /// For the log; never a credential.
    pub(crate) received: String,
    /// For the log.
    pub(crate) expected: String,
    /// A header the status asks for, such as `Allow`.
    pub(crate) header: Option<Box<(HeaderName, HeaderValue)>>,
}

impl Refusal {
    pub(crate) fn new(
        code: Code,
        message: impl Into<String>,
        received: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        Self { code, message: message.into(), received: received.into(), expected: expected.into(), header: None }
    }

    /// What is behind `subject` panicked. The panic itself is on the standard error, not in the answer.
    pub(crate) fn panicked(subject: &str) -> Self {
        let message = format!("the program failed inside {subject}: see its error output, then try again");
        Self::new(Code::Internal, message, format!("a panic in {subject}"), "an answer")
    }

    pub(crate) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.header = Some(Box::new((name, value)));
        self
    }
}

impl IntoResponse for Refusal {
    /// The refusal itself rides along as an extension, so that the outermost layer can write the log line.
    fn into_response(self) -> Response {
        let body = Json(json!({"code": self.code.as_str(), "message": self.message}));
        let mut response = (self.code.status(), body).into_response();
        if let Some(header) = &self.header {
            let (name, value) = &**header;
            response.headers_mut().insert(name, value.clone());
        }
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}
