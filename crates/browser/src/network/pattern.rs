//! Which requests are meant.

use super::Request;
use regex::Regex;
use std::fmt;
use std::sync::Arc;

/// Which requests are meant: a glob (from text), a regular expression, or any function of the request.
///
/// In a glob `*` stands for anything but a slash, `**` for anything, `{a,b}` for one of several texts; all else stands
/// for itself, a question mark too. It must match the whole address without its fragment. A glob that starts with `/` is
/// matched against path and query alone, whatever the host.
#[derive(Clone)]
pub struct UrlPattern(Kind);

#[derive(Clone)]
enum Kind {
    Glob(String, Regex),
    Regex(Regex),
    Predicate(Arc<dyn Fn(&Request) -> bool + Send + Sync>),
}

impl UrlPattern {
    /// Requests that `predicate` holds for.
    pub fn matching(predicate: impl Fn(&Request) -> bool + Send + Sync + 'static) -> Self {
        Self(Kind::Predicate(Arc::new(predicate)))
    }

    pub(crate) fn matches(&self, request: &Request) -> bool {
        let url = request.url.split('#').next().unwrap_or_default();
        match &self.0 {
            Kind::Glob(glob, regex) if glob.starts_with('/') => regex.is_match(path_of(url)),
            Kind::Glob(_, regex) => regex.is_match(url),
            Kind::Regex(regex) => regex.is_match(&request.url),
            Kind::Predicate(predicate) => predicate(request),
        }
    }
}

/// Path and query of an address; all of it when it has no host.
fn path_of(url: &str) -> &str {
    let Some((_, rest)) = url.split_once("://") else { return url };
    rest.find('/').map_or("/", |slash| &rest[slash..])
}

impl From<&str> for UrlPattern {
    fn from(glob: &str) -> Self {
        Self(Kind::Glob(glob.to_owned(), glob_regex(glob)))
    }
}

impl From<String> for UrlPattern {
    fn from(glob: String) -> Self {
        Self::from(glob.as_str())
    }
}

/// The expression may match anywhere in the address.
impl From<Regex> for UrlPattern {
    fn from(regex: Regex) -> Self {
        Self(Kind::Regex(regex))
    }
}

fn glob_regex(glob: &str) -> Regex {
    let mut source = String::from("(?s)^");
    let mut depth = 0;
    let mut rest = glob.chars().peekable();
    // A brace that is never closed stands for itself.
    let mut closing = glob.matches('}').count();
    while let Some(c) = rest.next() {
        match c {
            '*' if rest.next_if_eq(&'*').is_some() => source.push_str(".*"),
            '*' => source.push_str("[^/]*"),
            '{' if closing > 0 => {
                depth += 1;
                source.push_str("(?:");
            }
            '}' => {
                closing -= 1;
                if depth > 0 {
                    depth -= 1;
                    source.push(')');
                } else {
                    source.push_str(r"\}");
                }
            }
            ',' if depth > 0 => source.push('|'),
            other => source.push_str(&regex::escape(other.encode_utf8(&mut [0; 4]))),
        }
    }
    source.push_str(&")".repeat(depth));
    source.push('$');
    // Everything was escaped, so only a glob of megabytes can fail: it then matches itself.
    Regex::new(&source).unwrap_or_else(|_| never())
}

/// An expression that matches nothing.
fn never() -> Regex {
    #[expect(clippy::unwrap_used, reason = "a literal that is tested")]
    Regex::new("[^\\s\\S]").unwrap()
}

impl fmt::Debug for UrlPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for UrlPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Glob(glob, _) => write!(f, "{glob:?}"),
            Kind::Regex(regex) => write!(f, "/{regex}/"),
            Kind::Predicate(_) => f.write_str("a function"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(glob: &str, url: &str) -> bool {
        UrlPattern::from(glob).matches(&Request::for_test("GET", url))
    }

    #[test]
    fn globs_match_whole_addresses() {
        for (glob, url, expected) in [
            ("http://a/b", "http://a/b", true),
            ("http://a/b", "http://a/b#part", true),
            ("http://a/b", "http://a/bc", false),
            ("**/api/*", "http://a/api/users", true),
            ("**/api/*", "http://a/api/users/1", false),
            ("**/api/**", "http://a/api/users/1?q=2", true),
            ("**/*.{png,jpg}", "http://a/x/y.jpg", true),
            ("**/*.{png,jpg}", "http://a/x/y.gif", false),
            ("**/a?b=1", "http://h/a?b=1", true),
            ("**/a?b=1", "http://h/axb=1", false),
            ("**/a.b", "http://h/axb", false),
            ("**/{open", "http://h/{open", true),
            ("**/}odd{", "http://h/}odd{", true),
            ("/api/*", "http://any:81/api/x", true),
            ("/api/*", "http://any:81/v1/api/x", false),
            ("/", "http://any", true),
            ("**", "data:text/plain,x", true),
        ] {
            assert_eq!(matches(glob, url), expected, "{glob} {url}");
        }
        assert!(!never().is_match("") && !never().is_match("x\n"));
    }

    #[test]
    fn expressions_match_anywhere_and_functions_see_the_request() {
        let request = Request::for_test("POST", "http://a/api/users?page=2");
        assert!(UrlPattern::from(Regex::new(r"page=\d").unwrap()).matches(&request));
        assert!(UrlPattern::matching(|request| request.method == "POST").matches(&request));
    }
}
