//! Cookies of a context.

use super::Context;
use super::emulation::set;
use crate::error::{Error, Result};
use base64::Engine;
use bidi::command::storage::{self, DeleteCookies, GetCookies, Partition};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};
use url::Url;

/// A cookie. Its JSON form is that of Playwright's files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cookie {
    /// Name.
    pub name: String,
    /// Value.
    pub value: String,
    /// Host; with a leading dot when it holds for subdomains too.
    pub domain: String,
    /// Where on the host it holds.
    #[serde(default = "root")]
    pub path: String,
    /// When it ends, in seconds since the epoch; `None` (-1 in JSON) with the context.
    #[serde(default, serialize_with = "write_expires", deserialize_with = "read_expires")]
    pub expires: Option<u64>,
    /// Whether scripts can't see it.
    #[serde(default)]
    pub http_only: bool,
    /// Whether it is for HTTPS only.
    #[serde(default)]
    pub secure: bool,
    /// Whether other sites' requests carry it.
    #[serde(default)]
    pub same_site: SameSite,
}

/// When requests from other sites carry a cookie.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SameSite {
    /// Never.
    Strict,
    /// When a link is followed.
    #[default]
    Lax,
    /// Always.
    None,
}

fn root() -> String {
    "/".to_owned()
}

fn write_expires<S: Serializer>(expires: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
    match expires {
        Some(seconds) => to.serialize_u64(*seconds),
        None => to.serialize_i8(-1),
    }
}

fn read_expires<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    let seconds = Option::<f64>::deserialize(from)?;
    Ok(seconds.filter(|seconds| *seconds >= 0.0).map(|seconds| seconds as u64))
}

impl Cookie {
    /// A cookie of the host in `url`, for all its paths, until the context ends.
    ///
    /// # Errors
    /// [`Error::OptionRefused`] when `url` names no host.
    pub fn new(name: impl Into<String>, value: impl Into<String>, url: &str) -> Result<Self> {
        let refused = |reason: String| Error::OptionRefused { option: "the cookie's url", reason };
        let parsed = Url::parse(url).map_err(|error| refused(format!("{url:?}: {error}")))?;
        let host = parsed.host_str().ok_or_else(|| refused(format!("{url:?} names no host")))?;
        Ok(Self {
            name: name.into(),
            value: value.into(),
            domain: host.to_owned(),
            path: root(),
            expires: None,
            http_only: false,
            secure: parsed.scheme() == "https",
            same_site: SameSite::Lax,
        })
    }

    /// Whether a request to `url` carries it (RFC 6265, sections 5.1.3, 5.1.4 and 5.4).
    fn goes_to(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default();
        let domain = match self.domain.strip_prefix('.') {
            None => host == self.domain,
            Some(parent) => host == parent || host.ends_with(&self.domain),
        };
        let rest = url.path().strip_prefix(&self.path);
        let path = rest.is_some_and(|rest| rest.is_empty() || self.path.ends_with('/') || rest.starts_with('/'));
        let local = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
        domain && path && (!self.secure || url.scheme() == "https" || local)
    }

    fn to_wire(&self) -> storage::Cookie {
        storage::Cookie {
            name: self.name.clone(),
            value: json!({ "type": "string", "value": self.value }),
            domain: self.domain.clone(),
            path: Some(self.path.clone()),
            http_only: self.http_only,
            secure: self.secure,
            same_site: Some(format!("{:?}", self.same_site).to_lowercase()),
            expiry: self.expires,
        }
    }

    fn of_wire(cookie: storage::Cookie) -> Self {
        Self {
            name: cookie.name,
            value: text(&cookie.value),
            domain: cookie.domain,
            path: cookie.path.unwrap_or_else(root),
            expires: cookie.expiry,
            http_only: cookie.http_only,
            secure: cookie.secure,
            same_site: match cookie.same_site.as_deref() {
                Some("strict") => SameSite::Strict,
                // Chrome's driver says so too of a cookie that says nothing, which is lax; one for all sites must be secure.
                Some("none") if cookie.secure => SameSite::None,
                _ => SameSite::Lax,
            },
        }
    }
}

/// The text of a `network.BytesValue`.
fn text(value: &Value) -> String {
    let text = value["value"].as_str().unwrap_or_default();
    if value["type"] != "base64" {
        return text.to_owned();
    }
    let bytes = base64::engine::general_purpose::STANDARD.decode(text).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Context {
    fn partition(&self) -> Partition {
        Partition::StorageKey { user_context: self.id().to_owned() }
    }

    /// Adds cookies; those of the same name, domain and path are replaced.
    ///
    /// # Errors
    /// [`Error::OptionRefused`] names the first one the browser does not take.
    pub async fn add_cookies(&self, cookies: &[Cookie]) -> Result<()> {
        for cookie in cookies {
            let command = storage::SetCookie { cookie: cookie.to_wire(), partition: self.partition() };
            set(self.core(), "cookies", &command).await.map_err(|error| match error {
                // The browser does not say what it dislikes.
                Error::OptionRefused { option, .. } => {
                    let reason = format!("{:?} for domain {:?}, path {:?}", cookie.name, cookie.domain, cookie.path);
                    Error::OptionRefused { option, reason }
                }
                other => other,
            })?;
        }
        Ok(())
    }

    /// All cookies, those scripts can't see included, ordered by domain, path and name.
    ///
    /// # Errors
    /// [`Error::BrowserGone`].
    pub async fn cookies(&self) -> Result<Vec<Cookie>> {
        let found = self.core().link.call(&GetCookies { partition: self.partition() }).await?.cookies;
        let mut cookies: Vec<Cookie> = found.into_iter().map(Cookie::of_wire).collect();
        cookies.sort_by(|a, b| (&a.domain, &a.path, &a.name).cmp(&(&b.domain, &b.path, &b.name)));
        Ok(cookies)
    }

    /// The cookies a request to `url` carries. Relative to [`base_url`](super::ContextOptions::base_url).
    ///
    /// # Errors
    /// [`Error::Navigation`] when `url` is no address.
    pub async fn cookies_for(&self, url: &str) -> Result<Vec<Cookie>> {
        let absolute = self.resolve(url)?;
        let url =
            Url::parse(&absolute).map_err(|error| Error::Navigation { url: absolute, reason: error.to_string() })?;
        Ok(self.cookies().await?.into_iter().filter(|cookie| cookie.goes_to(&url)).collect())
    }

    /// Forgets all cookies.
    ///
    /// # Errors
    /// [`Error::BrowserGone`].
    pub async fn clear_cookies(&self) -> Result<()> {
        self.core().link.call(&DeleteCookies { partition: self.partition() }).await.map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookie_goes_where_its_domain_path_and_security_allow() {
        let cookie = |url, domain: &str, path: &str| Cookie {
            domain: domain.to_owned(),
            path: path.to_owned(),
            ..Cookie::new("a", "b", url).unwrap()
        };
        let goes = |cookie: &Cookie, url: &str| cookie.goes_to(&Url::parse(url).unwrap());
        let own = cookie("http://example.com", "example.com", "/docs");
        assert!(goes(&own, "http://example.com/docs") && goes(&own, "https://example.com/docs/a?b"));
        assert!(!goes(&own, "http://example.com/docsets") && !goes(&own, "http://a.example.com/docs"));
        let shared = cookie("https://example.com", ".example.com", "/");
        assert!(goes(&shared, "https://a.example.com/") && goes(&shared, "https://example.com/"));
        assert!(!goes(&shared, "http://example.com/") && !goes(&shared, "https://notexample.com/"));
    }

    #[test]
    fn session_cookie_is_minus_one_in_json_and_fractions_are_read() {
        let cookie = Cookie::new("a", "b", "http://localhost/").unwrap();
        let json = serde_json::to_value(&cookie).unwrap();
        assert_eq!(
            (&json["expires"], &json["sameSite"], &json["httpOnly"]),
            (&json!(-1), &json!("Lax"), &json!(false))
        );
        let mut later = json.clone();
        later["expires"] = json!(1_800_000_000.75);
        assert_eq!(serde_json::from_value::<Cookie>(json).unwrap(), cookie);
        assert_eq!(serde_json::from_value::<Cookie>(later).unwrap().expires, Some(1_800_000_000));
    }

    #[test]
    fn cookie_of_an_address_without_host_is_refused() {
        let error = Cookie::new("a", "b", "about:blank").unwrap_err().to_string();
        assert!(error.starts_with("cannot set the cookie's url: \"about:blank\" names no host"), "{error}");
    }
}
