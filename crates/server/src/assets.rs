use std::collections::HashMap;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use sha2::{Digest, Sha256};

use crate::secret::hex;

/// Content under a hashed name never changes. Only the browser may keep it: it was given for a credential.
const IMMUTABLE: &str = "private, max-age=31536000, immutable";
/// Kept, but asked for again each time.
const REVALIDATE: &str = "private, no-cache";
const HTML: &str = "text/html; charset=utf-8";

/// One file of the bundle.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Path of its address from the root, such as `/assets/ui-0123456789abcdef.wasm`.
    pub path: &'static str,
    /// The content as it is.
    pub bytes: &'static [u8],
    /// The content as gzip.
    pub gzip: Option<&'static [u8]>,
    /// Value of `Content-Type`.
    pub content_type: &'static str,
    /// The name changes with the content.
    pub immutable: bool,
}

/// The page and its files. They are looked up by exact path in memory, so no path can lead elsewhere.
#[derive(Clone, Debug)]
pub struct StaticAssets {
    page: Served,
    files: HashMap<&'static str, Served>,
}

#[derive(Clone, Debug)]
struct Served {
    plain: Representation,
    gzip: Option<Representation>,
    content_type: &'static str,
    cache_control: &'static str,
}

#[derive(Clone, Debug)]
struct Representation {
    bytes: &'static [u8],
    etag: HeaderValue,
}

impl Representation {
    fn new(bytes: &'static [u8]) -> Self {
        let etag = format!("\"{}\"", &hex(&Sha256::digest(bytes))[..32]);
        Self { bytes, etag: etag.try_into().expect("digits and quotes are a header value") }
    }
}

impl StaticAssets {
    /// A bundle: the page, answered for `/` and every address of the application, and the files beside it.
    pub fn new(index_html: &'static str, files: impl IntoIterator<Item = Asset>) -> Self {
        let page = Served {
            plain: Representation::new(index_html.as_bytes()),
            gzip: None,
            content_type: HTML,
            cache_control: REVALIDATE,
        };
        let serve = |asset: Asset| Served {
            plain: Representation::new(asset.bytes),
            gzip: asset.gzip.map(Representation::new),
            content_type: asset.content_type,
            cache_control: if asset.immutable { IMMUTABLE } else { REVALIDATE },
        };
        Self { page, files: files.into_iter().map(|asset| (asset.path, serve(asset))).collect() }
    }

    /// The paths of the files.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &'static str> {
        self.files.keys().copied()
    }

    /// The answer for a path: its file; the page for an address of the application; nothing for a file that is not
    /// there, because a missing script must not look like a page.
    pub(crate) fn respond(&self, path: &str, request: &HeaderMap) -> Option<Response> {
        let is_file_name = path.rsplit('/').next().is_some_and(|segment| segment.contains('.'));
        let served = match self.files.get(path) {
            Some(file) => file,
            None if is_file_name => return None,
            None => &self.page,
        };
        Some(served.respond(request))
    }
}

impl Served {
    fn respond(&self, request: &HeaderMap) -> Response {
        let gzip = self.gzip.as_ref().filter(|_| accepts_gzip(request));
        let chosen = gzip.unwrap_or(&self.plain);
        let mut response = Response::new(Body::empty());
        let headers = response.headers_mut();
        headers.insert(header::ETAG, chosen.etag.clone());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(self.cache_control));
        if self.gzip.is_some() {
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        if holds(request, &chosen.etag) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        if gzip.is_some() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        *response.body_mut() = Body::from(Bytes::from_static(chosen.bytes));
        response
    }
}

/// Every comma-separated member of every header of that name.
fn members(headers: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = &str> {
    headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','))
}

/// RFC 9110 section 12.5.3, as far as gzip is concerned.
fn accepts_gzip(request: &HeaderMap) -> bool {
    members(request, header::ACCEPT_ENCODING).any(|member| {
        let mut parts = member.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|coding| coding.eq_ignore_ascii_case("gzip"));
        let weight = parts.find_map(|part| part.strip_prefix("q=")).map_or(Ok(1.0), str::parse::<f32>);
        is_gzip && weight.is_ok_and(|weight| weight > 0.0)
    })
}

/// RFC 9110 section 13.1.2: whether `If-None-Match` names the tag.
fn holds(request: &HeaderMap, etag: &HeaderValue) -> bool {
    members(request, header::IF_NONE_MATCH).map(str::trim).any(|known| {
        let known = known.strip_prefix("W/").unwrap_or(known);
        known == "*" || known.as_bytes() == etag.as_bytes()
    })
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};

    use super::accepts_gzip;

    #[test]
    fn gzip_is_sent_only_to_who_accepts_it() {
        let accepts = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
            accepts_gzip(&headers)
        };
        for value in ["gzip", "deflate, gzip, br", "br;q=1, GZIP;q=0.5"] {
            assert!(accepts(value), "{value}");
        }
        for value in ["", "br", "gzip;q=0", "gzip; q=0.0", "gzip;q=much", "gzipped", "x-gzip"] {
            assert!(!accepts(value), "{value}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }
}
