//! Header lists.

use bidi::event::network::Header;
use serde_json::json;
use std::sync::Arc;

/// Headers in the order they were sent. Names are compared without regard to case. Cheap to clone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Headers(Arc<[(String, String)]>);

impl Headers {
    /// The value of the first header with this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The values of all headers with this name: `Set-Cookie` may be there many times.
    pub fn get_all(&self, name: &str) -> Vec<&str> {
        self.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value).collect()
    }

    /// Name and value of each.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub(super) fn of(headers: &[Header]) -> Self {
        let text = |header: &Header| String::from_utf8_lossy(&super::bytes::decoded(&header.value)).into_owned();
        // Chrome says each header that the network stack confirms once more.
        let mut seen = Vec::<(String, String)>::with_capacity(headers.len());
        for header in headers {
            let pair = (header.name.clone(), text(header));
            let is_known = |(name, value): &(String, String)| name.eq_ignore_ascii_case(&pair.0) && *value == pair.1;
            if !seen.iter().any(is_known) {
                seen.push(pair);
            }
        }
        Self(seen.into())
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Headers {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        Self(pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

/// A header as commands take it.
pub(super) fn command_header((name, value): &(String, String)) -> bidi::command::network::Header {
    bidi::command::network::Header { name: name.clone(), value: json!({ "type": "string", "value": value }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_case_and_repeated_ones_are_all_there() {
        let headers: Headers = [("Set-Cookie", "a=1"), ("set-cookie", "b=2"), ("X-Y", "z")].into_iter().collect();
        assert_eq!(headers.get("x-y"), Some("z"));
        assert_eq!(headers.get_all("SET-COOKIE"), ["a=1", "b=2"]);
        assert_eq!(headers.get("none"), None);
    }
}
