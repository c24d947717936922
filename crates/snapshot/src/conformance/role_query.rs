//! Role selectors as they stand in the corpus: `role=button[name="Send"i][pressed=mixed]`.

use anyhow::{Context, bail};
use serde_json::{Value, json};

/// A role selector as the page-side half takes it; `None` for a plain CSS selector.
///
/// With `internal:` in front a name is part of the accessible name, upper or lower case, when it is followed by `i`.
pub(super) fn parse(selector: &str) -> anyhow::Result<Option<Value>> {
    let (internal, rest) = match selector.strip_prefix("internal:") {
        Some(rest) => (true, rest),
        None => (false, selector),
    };
    let Some(rest) = rest.strip_prefix("role=") else { return Ok(None) };
    let end = rest.find('[').unwrap_or(rest.len());
    let (role, mut rest) = rest.split_at(end);
    let mut states = serde_json::Map::new();
    let (mut hidden, mut name) = (false, Value::Null);
    while !rest.is_empty() {
        let inside = rest.strip_prefix('[').with_context(|| format!("`{rest}` in {selector} is no attribute"))?;
        let end = inside.find(['=', '*', ']']).with_context(|| format!("`{rest}` in {selector} is not closed"))?;
        let (attribute, value) = inside.split_at(end);
        let (operator, written, after) = split_value(value).with_context(|| format!("`{rest}` in {selector}"))?;
        rest = after;
        match attribute {
            "include-hidden" => hidden = !matches!(written, Written::Bare("false")),
            "name" => name = name_test(internal, operator, &written)?,
            _ => {
                let text = match &written {
                    Written::Bare(text) => (*text).to_owned(),
                    Written::Quoted { text, .. } => text.clone(),
                    Written::Regex { .. } => bail!("[{attribute}] of {selector} takes no regular expression"),
                };
                let value = serde_json::from_str(&text).unwrap_or(Value::String(text));
                states.insert(attribute.to_owned(), value);
            }
        }
    }
    Ok(Some(json!({ "role": role, "states": states, "hidden": hidden, "name": name })))
}

enum Written<'a> {
    Bare(&'a str),
    Quoted { text: String, insensitive: bool },
    Regex { source: &'a str, flags: &'a str },
}

/// Splits `="x"i][…` into operator, value and what follows the bracket.
fn split_value(text: &str) -> anyhow::Result<(&str, Written<'_>, &str)> {
    if let Some(rest) = text.strip_prefix(']') {
        return Ok(("=", Written::Bare("true"), rest));
    }
    let (operator, value) = match text.strip_prefix("*=") {
        Some(value) => ("*=", value),
        None => ("=", text.strip_prefix('=').context("has no value")?),
    };
    if let Some(body) = value.strip_prefix('"') {
        let end = closing(body, '"').context("has no closing quote")?;
        // Line breaks stand in it as they are, which JSON does not allow.
        let text = serde_json::from_str(&value[..end + 2].replace('\n', "\\n").replace('\t', "\\t"))?;
        let flags = body[end + 1..].find(']').context("is not closed")?;
        let insensitive = &body[end + 1..end + 1 + flags] == "i";
        return Ok((operator, Written::Quoted { text, insensitive }, &body[end + flags + 2..]));
    }
    if let Some(body) = value.strip_prefix('/') {
        let end = closing(body, '/').context("has no closing slash")?;
        let flags = body[end + 1..].find(']').context("is not closed")?;
        let regex = Written::Regex { source: &body[..end], flags: &body[end + 1..end + 1 + flags] };
        return Ok((operator, regex, &body[end + flags + 2..]));
    }
    let end = value.find(']').context("is not closed")?;
    Ok((operator, Written::Bare(&value[..end]), &value[end + 1..]))
}

/// Where `mark` first stands without a backslash before it.
fn closing(text: &str, mark: char) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().find_map(|(at, c)| {
        let found = c == mark && !escaped;
        escaped = c == '\\' && !escaped;
        found.then_some(at)
    })
}

fn name_test(internal: bool, operator: &str, written: &Written<'_>) -> anyhow::Result<Value> {
    Ok(match written {
        Written::Regex { source, flags } => json!({ "regex": source, "flags": flags }),
        Written::Bare(text) => json!({ "text": text, "part": operator == "*=", "insensitive": false }),
        Written::Quoted { text, insensitive } => {
            let part = operator == "*=" || (internal && *insensitive);
            json!({ "text": text, "part": part, "insensitive": insensitive })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read() {
        let states = |selector: &str| parse(selector).unwrap().unwrap()["states"].to_string();
        let name = |selector: &str| parse(selector).unwrap().unwrap()["name"].to_string();
        assert_eq!(parse("ul > li").unwrap(), None);
        assert_eq!(parse("role=list").unwrap().unwrap()["role"], "list");
        assert_eq!(
            states("role=button[pressed=\"mixed\"][disabled][expanded=false]"),
            r#"{"pressed":"mixed","disabled":true,"expanded":false}"#
        );
        assert_eq!(states("role=heading[level=2]"), r#"{"level":2}"#);
        assert_eq!(
            name(r#"role=button[name=" \n a]\" "]"#),
            r#"{"text":" \n a]\" ","part":false,"insensitive":false}"#
        );
        assert_eq!(name("role=button[name=\"\n\"]"), r#"{"text":"\n","part":false,"insensitive":false}"#);
        assert_eq!(name(r#"internal:role=button[name="A"i]"#), r#"{"text":"A","part":true,"insensitive":true}"#);
        assert_eq!(name(r#"role=button[name*="A"]"#), r#"{"text":"A","part":true,"insensitive":false}"#);
        assert_eq!(name(r"role=button[name=/a\/]$/i]"), r#"{"regex":"a\\/]$","flags":"i"}"#);
        assert_eq!(parse("role=button[name=12][include-hidden]").unwrap().unwrap()["hidden"], true);
    }

    #[test]
    fn a_selector_that_is_not_closed_is_an_error() {
        for selector in ["role=button[name", "role=button[name=\"a", "role=button[name=/a]", "role=button[x]y"] {
            assert!(parse(selector).is_err(), "{selector}");
        }
    }
}
