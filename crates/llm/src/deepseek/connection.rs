use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use http_body_util::Full;
use hyper::Uri;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio_util::sync::CancellationToken;

use super::call::Call;
use crate::{Adapter, ChunkStream, LlmError, LlmErrorCode, Request, Secret};

/// Where and as whom to call.
#[derive(Clone, Debug)]
pub struct DeepSeekConfig {
    /// Address of the API without `/chat/completions`, for example `https://api.deepseek.com`. Plain `http` only to
    /// loopback: the key goes along with every request.
    pub base_url: String,
    /// The API key.
    pub api_key: Secret,
    /// Longest wait for the next byte of an answer, its first included.
    pub idle_timeout: Duration,
}

/// A connection to the DeepSeek API, or to anything that speaks like it.
pub struct DeepSeek(Arc<Connection>);

pub(super) type HttpClient = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

pub(super) struct Connection {
    pub(super) client: HttpClient,
    pub(super) endpoint: Uri,
    pub(super) api_key: Secret,
    pub(super) idle_timeout: Duration,
}

/// How long an unused connection is kept for the next call.
const KEPT_FOR: Duration = Duration::from_secs(30);

impl DeepSeek {
    /// A connection with these settings. Nothing is sent yet.
    ///
    /// # Errors
    /// [`LlmErrorCode::BadRequest`] when the base URL is not usable.
    pub fn new(config: DeepSeekConfig) -> Result<Self, LlmError> {
        let endpoint = endpoint(&config.base_url)?;
        let connector = HttpsConnectorBuilder::new()
            .with_provider_and_webpki_roots(rustls::crypto::ring::default_provider())
            .map_err(|error| LlmError::new(LlmErrorCode::Transport, format!("TLS cannot be set up: {error}")))?
            .https_or_http()
            .enable_http1()
            .build();
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(KEPT_FOR)
            .pool_timer(TokioTimer::new())
            .build(connector);
        let DeepSeekConfig { api_key, idle_timeout, .. } = config;
        Ok(Self(Arc::new(Connection { client, endpoint, api_key, idle_timeout })))
    }
}

impl Adapter for DeepSeek {
    fn stream(&self, request: Request, cancel: CancellationToken) -> ChunkStream {
        let call = Call::new(Arc::clone(&self.0), &request, cancel);
        stream::unfold(Some(call), |call| async {
            let mut call = call?;
            let item = call.next().await;
            let more = matches!(&item, Ok(chunk) if !matches!(chunk, session::Chunk::Finish { .. }));
            Some((item, more.then_some(call)))
        })
        .boxed()
    }
}

fn endpoint(base_url: &str) -> Result<Uri, LlmError> {
    let refuse = |why: &str| {
        // What stands before an `@` or behind a `?` may be a credential.
        let shown = if base_url.contains(['@', '?']) { String::new() } else { format!(" {base_url:?}") };
        let message = format!("the provider's base URL{shown} {why}; set one such as https://api.deepseek.com");
        LlmError::new(LlmErrorCode::BadRequest, message)
    };
    let base: Uri = base_url.parse().map_err(|_| refuse("is not a URL"))?;
    let host = base.host().ok_or_else(|| refuse("has no host"))?;
    if base.authority().is_some_and(|authority| authority.as_str().contains('@')) {
        return Err(refuse("holds a user name or password"));
    }
    match base.scheme_str() {
        Some("https") => {}
        Some("http") if is_loopback(host) => {}
        Some("http") => return Err(refuse("would send the API key unencrypted to another machine")),
        _ => return Err(refuse("is neither https nor http")),
    }
    if base.query().is_some() {
        return Err(refuse("has a query"));
    }
    format!("{}/chat/completions", base_url.trim_end_matches('/')).parse().map_err(|_| refuse("is not a URL"))
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_endpoint_is_under_the_base_url() {
        for (base, expected) in [
            ("https://api.deepseek.com", "https://api.deepseek.com/chat/completions"),
            ("https://example.org/v1/", "https://example.org/v1/chat/completions"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/chat/completions"),
            ("http://[::1]:8080", "http://[::1]:8080/chat/completions"),
            ("http://localhost:8080", "http://localhost:8080/chat/completions"),
        ] {
            assert_eq!(endpoint(base).unwrap().to_string(), expected);
        }
    }

    #[test]
    fn unusable_base_urls_are_refused_with_the_reason() {
        for (base, why) in [
            ("", "is not a URL"),
            ("/v1", "has no host"),
            ("ftp://example.org", "is neither https nor http"),
            ("http://example.org", "would send the API key unencrypted to another machine"),
            ("http://localhost.example.org", "would send the API key unencrypted to another machine"),
        ] {
            let error = endpoint(base).unwrap_err();
            assert_eq!(
                error.message,
                format!("the provider's base URL {base:?} {why}; set one such as https://api.deepseek.com")
            );
        }
    }

    #[test]
    fn a_base_url_that_may_hold_a_credential_is_not_shown() {
        for (base, why) in [
            ("https://me:pw@example.org", "holds a user name or password"),
            ("https://example.org/?key=pw", "has a query"),
            ("://me:pw@", "is not a URL"),
        ] {
            let error = endpoint(base).unwrap_err();
            assert_eq!(
                error.message,
                format!("the provider's base URL {why}; set one such as https://api.deepseek.com")
            );
        }
    }

    #[test]
    fn the_key_is_not_in_the_debug_form() {
        let config = DeepSeekConfig {
            base_url: "https://api.deepseek.com".to_owned(),
            api_key: Secret::new("sk-very-secret"),
            idle_timeout: Duration::from_secs(1),
        };
        assert!(!format!("{config:?}").contains("very-secret"));
    }
}
