//! An answer the test gives in the server's place.

use super::headers::command_header;
use super::{Request, bytes};
use crate::error::{Error, Result};
use bidi::command::network::ProvideResponse;
use serde::Serialize;
use std::path::Path;
use url::Url;

/// An answer in the server's place; status 200 unless said otherwise.
#[derive(Debug, Clone)]
pub struct Fulfill {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Fulfill {
    /// An answer without a body.
    pub fn status(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new() }
    }

    /// Bytes of a MIME type.
    pub fn bytes(mime_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("content-type".to_owned(), mime_type.to_owned())];
        Self { status: 200, headers, body: body.into() }
    }

    /// Plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::bytes("text/plain; charset=utf-8", text.into())
    }

    /// A document.
    pub fn html(html: impl Into<String>) -> Self {
        Self::bytes("text/html; charset=utf-8", html.into())
    }

    /// A value as JSON. One that has no JSON form (a map with keys that are no text) is answered as `null`.
    pub fn json(value: &impl Serialize) -> Self {
        Self::bytes("application/json", serde_json::to_vec(value).unwrap_or_else(|_| b"null".to_vec()))
    }

    /// A file, with the MIME type of its extension.
    ///
    /// # Errors
    /// [`Error::File`] when it can't be read.
    pub fn file(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let body = std::fs::read(path).map_err(|source| Error::File {
            action: "answering with a file",
            path: path.to_owned(),
            source,
        })?;
        Ok(Self::bytes(mime_type_of(path), body))
    }

    /// The same with another status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// The same with a header; one with this name that was there is replaced, except `Set-Cookie`.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        if !name.eq_ignore_ascii_case("set-cookie") {
            self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        }
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(super) fn command(self, request: &Request) -> ProvideResponse {
        let mut headers = self.headers;
        let has = |name: &str, headers: &[(String, String)]| headers.iter().any(|(n, _)| n.eq_ignore_ascii_case(name));
        // The page may read it: a test that answers for another origin means it to be read.
        if let Some(origin) = foreign_origin(request)
            && !has("access-control-allow-origin", &headers)
        {
            if origin != "*" {
                headers.push(("access-control-allow-credentials".to_owned(), "true".to_owned()));
            }
            headers.push(("access-control-allow-origin".to_owned(), origin));
        }
        ProvideResponse {
            request: request.id.clone(),
            status_code: self.status,
            headers: headers.iter().map(command_header).collect(),
            body: Some(bytes::encoded(&self.body)),
        }
    }
}

/// Who may read the answer, when the request goes to another origin than that of its document.
fn foreign_origin(request: &Request) -> Option<String> {
    if request.is_navigation() {
        return None;
    }
    let origin = |url: &str| Url::parse(url).map(|url| url.origin().ascii_serialization()).ok();
    // Chrome adds `Origin` only when the request goes out.
    let headers = request.headers();
    match headers.get("origin").map(str::to_owned).or_else(|| origin(headers.get("referer")?)) {
        Some(asking) => (origin(&request.url)? != asking).then_some(asking),
        None => matches!(request.resource_type(), "fetch" | "xhr").then(|| "*".to_owned()),
    }
}

fn mime_type_of(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "html" | "htm" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "txt" | "md" => "text/plain; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "wasm" => "application/wasm",
        "woff2" => "font/woff2",
        "pdf" => "application/pdf",
        _ => "application/octet-stream",
    }
}
