use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use percent_encoding::percent_decode_str;

use crate::authority::{Authorities, same_origin};
use crate::credentials::{Credentials, Limited, TOKEN_FIELD};
use crate::headers::harden;
use crate::record::{Record, Sink, quote};
use crate::refusal::{Code, Refusal};
use crate::router::API_PREFIX;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Who is on the other end of the socket; an extension of the request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// Stands before every route, the unknown ones included.
pub(crate) struct Gate {
    pub(crate) authorities: Authorities,
    pub(crate) credentials: Arc<Credentials>,
    pub(crate) sink: Sink,
    /// Whether to write a record of answered requests too.
    pub(crate) log_served: bool,
}

enum Admission {
    /// On to the route.
    Pass,
    /// A one-time token was traded in, or is no longer needed: go to the same address without it.
    Exchange { location: String, cookie: Option<String> },
}

/// The middleware: admits or refuses, puts the security headers on whatever the answer is, and writes the log.
pub(crate) async fn guard(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<Peer>().map(|peer| peer.0);
    let line = format!("{} {}", request.method(), request.uri().path().escape_debug());
    let mut response = match gate.admit(&request) {
        Ok(Admission::Pass) => next.run(request).await,
        Ok(Admission::Exchange { location, cookie }) => exchange(&location, cookie),
        Err(refusal) => refusal.into_response(),
    };
    harden(response.headers_mut());
    if let Some(refusal) = response.extensions_mut().remove::<Arc<Refusal>>() {
        let (received, expected) = (refusal.received.clone(), refusal.expected.clone());
        (gate.sink)(&Record::Refused { peer, request: line, code: refusal.code, received, expected });
    } else if gate.log_served {
        (gate.sink)(&Record::Served { peer, request: line, status: response.status().as_u16() });
    }
    response
}

fn exchange(location: &str, cookie: Option<String>) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    let location = HeaderValue::try_from(location).expect("a part of an address is a header value");
    response.headers_mut().insert(header::LOCATION, location);
    if let Some(cookie) = cookie {
        let cookie = HeaderValue::try_from(cookie).expect("a cookie of digits is a header value");
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

impl Gate {
    /// The cheap and public checks come first: who fails them learns nothing about credentials and spends no attempt.
    fn admit(&self, request: &Request) -> Result<Admission, Refusal> {
        let host = self.check_host(request)?;
        check_fetch_site(request.headers())?;
        check_origin(request.headers(), host)?;
        check_path(request.uri().path())?;
        self.check_credential(request)
    }

    /// DNS rebinding: a foreign name may lead here, but the browser says which name it used.
    fn check_host<'r>(&self, request: &'r Request) -> Result<&'r str, Refusal> {
        let mut given = request.headers().get_all(header::HOST).into_iter();
        let (host, second) = (given.next(), given.next());
        let of_line = request.uri().authority();
        let fits = |host: &str| self.authorities.contains(host);
        if let (Some(host), None) = (host.and_then(|host| host.to_str().ok()), second)
            && fits(host)
            && of_line.is_none_or(|authority| fits(authority.as_str()))
        {
            return Ok(host);
        }
        let mut received: Vec<String> = [host, second].iter().flatten().map(|host| quote(host.as_bytes())).collect();
        received
            .extend(of_line.map(|authority| format!("{} in the request line", quote(authority.as_str().as_bytes()))));
        let received = if received.is_empty() { "no Host".to_owned() } else { received.join(" and ") };
        let message = "this server does not answer under that host name: open the address the program printed, or \
                       declare the name as a trusted host";
        Err(Refusal::new(Code::HostRefused, message, received, self.authorities.to_string()))
    }

    fn check_credential(&self, request: &Request) -> Result<Admission, Refusal> {
        let headers = request.headers();
        let cookies = || headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        let known = cookies().any(|cookies| self.credentials.cookie(cookies));
        if let Some((token, location)) = one_time_token(request) {
            return match self.credentials.redeem(&token) {
                Ok(true) => Ok(Admission::Exchange { location, cookie: Some(self.credentials.set_cookie()) }),
                _ if known => Ok(Admission::Exchange { location, cookie: None }),
                Ok(false) => Err(Refusal::new(
                    Code::TokenUsed,
                    "this one-time address was used already, or belongs to an earlier start: ask the program for a new one",
                    "a one-time token that is not outstanding",
                    "an outstanding one-time token",
                )),
                Err(limited) => Err(too_many_attempts(limited)),
            };
        }
        if known {
            return Ok(Admission::Pass);
        }
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).and_then(bearer_token);
        match bearer.map(|presented| self.credentials.bearer(presented)) {
            Some(Ok(true)) => Ok(Admission::Pass),
            Some(Ok(false)) => Err(credential_wrong("a bearer token that is not the secret")),
            Some(Err(limited)) => Err(too_many_attempts(limited)),
            None if headers.contains_key(header::AUTHORIZATION) => {
                Err(credential_wrong("an Authorization header of another scheme"))
            }
            None if cookies().any(|cookies| cookies.contains(self.credentials.cookie_name())) => {
                Err(credential_wrong("a cookie of an earlier start"))
            }
            None => Err(Refusal::new(
                Code::CredentialMissing,
                "this server answers only to who was let in: open the one-time address the program printed",
                "no credential",
                "the cookie of this server, or the secret as bearer token",
            )),
        }
    }
}

/// The token of a one-time address and where to go without it. Only pages have such addresses.
fn one_time_token(request: &Request) -> Option<(String, String)> {
    let (path, query) = (request.uri().path(), request.uri().query()?);
    if request.method() != Method::GET || path.starts_with(API_PREFIX) {
        return None;
    }
    let is_token = |pair: &&str| pair.split('=').next() == Some(TOKEN_FIELD);
    let token = query.split('&').find(is_token)?.split_once('=').map_or("", |(_, token)| token);
    let rest: Vec<&str> = query.split('&').filter(|pair| !is_token(pair)).collect();
    let location = if rest.is_empty() { path.to_owned() } else { format!("{path}?{}", rest.join("&")) };
    Some((token.to_owned(), location))
}

fn bearer_token(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn credential_wrong(received: &str) -> Refusal {
    let message = "this credential does not admit (any more): open a new one-time address of the program";
    Refusal::new(Code::CredentialWrong, message, received, "the cookie of this server, or the secret as bearer token")
}

fn too_many_attempts(Limited(wait): Limited) -> Refusal {
    let seconds = wait.as_secs_f64().ceil();
    let message = format!("too many wrong credentials came in: wait {seconds} s, then try again");
    Refusal::new(Code::AttemptsLimited, message, "one more attempt", format!("none for {seconds} s"))
        .with_header(header::RETRY_AFTER, HeaderValue::from(seconds as u64))
}

/// A browser tells which site caused a request. Another port of this host is `same-site`, and as foreign as any.
fn check_fetch_site(headers: &HeaderMap) -> Result<(), Refusal> {
    let Some(site) = headers.get_all(SEC_FETCH_SITE).into_iter().find(|site| *site != "same-origin" && *site != "none")
    else {
        return Ok(());
    };
    let message = "another site's page caused this request: open the address by hand, not by a link";
    Err(Refusal::new(
        Code::CrossSiteRefused,
        message,
        format!("Sec-Fetch-Site {}", quote(site.as_bytes())),
        "same-origin or none",
    ))
}

/// A request that names its origin has to come from the page of this very authority; `null` is nobody's page.
fn check_origin(headers: &HeaderMap, host: &str) -> Result<(), Refusal> {
    let own = |origin: &HeaderValue| origin.to_str().is_ok_and(|origin| same_origin(origin, host));
    match headers.get_all(header::ORIGIN).into_iter().find(|origin| !own(origin)) {
        None => Ok(()),
        Some(origin) => Err(Refusal::new(
            Code::OriginRefused,
            "a page of another origin sent this request: use the page of this server",
            format!("Origin {}", quote(origin.as_bytes())),
            format!("http://{host}"),
        )),
    }
}

/// Refuses what could mean another file, or another server in `Location`, to anyone on the way: empty, `.` and `..`
/// components, and separators or percent signs that were hidden by encoding. No path of ours needs them.
fn check_path(path: &str) -> Result<(), Refusal> {
    let components = path.strip_prefix('/').map(|rest| rest.split('/').collect::<Vec<_>>());
    let fits = |component: &str| {
        percent_decode_str(component).decode_utf8().is_ok_and(|component| {
            !matches!(&*component, "." | "..")
                && !component.chars().any(|char| matches!(char, '/' | '\\' | '%') || char.is_control())
        })
    };
    let ok = components.is_some_and(|components| {
        let last = components.len() - 1;
        components
            .iter()
            .enumerate()
            .all(|(index, &component)| fits(component) && (!component.is_empty() || index == last))
    });
    if ok {
        return Ok(());
    }
    let message = "the path does not stay below the root, or hides where it leads: use the plain path";
    Err(Refusal::new(Code::PathRefused, message, quote(path.as_bytes()), "plain components below the root"))
}

#[cfg(test)]
mod tests {
    use super::check_path;

    #[test]
    fn paths_that_lead_or_may_lead_elsewhere_are_refused_by_component() {
        for path in ["/", "/assets/ui-01.wasm", "/sessions/a..b", "/sessions/...", "/gr%C3%BC%C3%9Fe", "/a/"] {
            assert!(check_path(path).is_ok(), "{path}");
        }
        let refused = [
            "",
            "*",
            "//etc/passwd",
            "/a//b",
            "/..",
            "/../etc/passwd",
            "/assets/../../etc/passwd",
            "/%2e%2e/etc/passwd",
            "/%2E./x",
            "/assets/.%2e/x",
            "/./x",
            "/%252e%252e/x",
            "/a%2fb",
            "/a%5cb",
            "/..\\x",
            "/a%00",
            "/a%0d%0ab",
            "/%ff",
        ];
        for path in refused {
            assert!(check_path(path).is_err(), "{path}");
        }
    }
}
