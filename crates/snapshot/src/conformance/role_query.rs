//! Role selectors as they stand in the corpus, `role=button[name="Send"i][pressed=mixed]`, as calls of `get_by_role`.

use anyhow::{Context, bail};
use browser::{Locator, Page, RoleOptions, TextMatch};

/// What a selector of the corpus means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Query {
    /// Elements of a role.
    Role(String, RoleOptions),
    /// A plain CSS selector.
    Css(String),
}

impl Query {
    /// The elements on a page.
    pub(super) fn on(&self, page: &Page) -> Locator {
        match self {
            Self::Role(role, options) => page.get_by_role(role, options.clone()),
            Self::Css(css) => page.locator(css),
        }
    }
}

/// Reads a selector. With `internal:` in front a name is part of the accessible name, upper or lower case, when it is
/// followed by `i`.
pub(super) fn parse(selector: &str) -> anyhow::Result<Query> {
    let (internal, rest) = match selector.strip_prefix("internal:") {
        Some(rest) => (true, rest),
        None => (false, selector),
    };
    let Some(rest) = rest.strip_prefix("role=") else { return Ok(Query::Css(selector.to_owned())) };
    let end = rest.find('[').unwrap_or(rest.len());
    let (role, mut rest) = rest.split_at(end);
    let mut states = Vec::new();
    let (mut hidden, mut name) = (false, TextMatch::Any);
    while !rest.is_empty() {
        let inside = rest.strip_prefix('[').with_context(|| format!("`{rest}` in {selector} is no attribute"))?;
        let end = inside.find(['=', '*', ']']).with_context(|| format!("`{rest}` in {selector} is not closed"))?;
        let (attribute, value) = inside.split_at(end);
        let (operator, written, after) = split_value(value).with_context(|| format!("`{rest}` in {selector}"))?;
        rest = after;
        match attribute {
            "include-hidden" => hidden = !matches!(written, Written::Bare("false")),
            "name" => name = name_match(internal, operator, written)?,
            _ => states.push((attribute, written)),
        }
    }
    let mut options = RoleOptions::name(name);
    for (state, written) in states {
        options = with_state(options, state, &written).with_context(|| format!("in {selector}"))?;
    }
    Ok(Query::Role(role.to_owned(), if hidden { options.include_hidden() } else { options }))
}

fn with_state(options: RoleOptions, state: &str, written: &Written<'_>) -> anyhow::Result<RoleOptions> {
    let value = match written {
        Written::Bare(text) => text,
        Written::Quoted { text, .. } => text.as_str(),
        Written::Regex { .. } => bail!("[{state}] takes no regular expression"),
    };
    Ok(match (state, value) {
        ("checked", "mixed") => options.checked_mixed(),
        ("pressed", "mixed") => options.pressed_mixed(),
        ("level", level) => options.level(level.parse().with_context(|| format!("[level={level}] is no number"))?),
        (_, "true" | "false") => match state {
            "checked" => options.checked(value == "true"),
            "disabled" => options.disabled(value == "true"),
            "expanded" => options.expanded(value == "true"),
            "pressed" => options.pressed(value == "true"),
            "selected" => options.selected(value == "true"),
            _ => bail!("there is no attribute [{state}]"),
        },
        _ => bail!("[{state}={value}] is neither true nor false"),
    })
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

fn name_match(internal: bool, operator: &str, written: Written<'_>) -> anyhow::Result<TextMatch> {
    Ok(match written {
        Written::Regex { source, flags } => TextMatch::Regex { pattern: source.to_owned(), flags: flags.to_owned() },
        Written::Quoted { text, insensitive: true } if internal || operator == "*=" => TextMatch::Contains(text),
        Written::Quoted { insensitive: true, .. } => bail!("a whole name in upper or lower case is not offered"),
        Written::Quoted { text, .. } => part_or_whole(operator, text),
        Written::Bare(text) => part_or_whole(operator, text.to_owned()),
    })
}

fn part_or_whole(operator: &str, text: String) -> TextMatch {
    if operator == "*=" { TextMatch::regex(escaped(&text)) } else { TextMatch::Exact(text) }
}

/// A JavaScript pattern for this very text.
fn escaped(text: &str) -> String {
    let special = |c: char| r"\^$.*+?()[]{}|/".contains(c);
    text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read() {
        let role = |selector: &str, role: &str, options: RoleOptions| {
            assert_eq!(parse(selector).unwrap(), Query::Role(role.into(), options), "{selector}");
        };
        let any = RoleOptions::default;
        assert_eq!(parse("ul > li").unwrap(), Query::Css("ul > li".into()));
        role("role=list", "list", any());
        role(
            "role=button[pressed=\"mixed\"][disabled][expanded=false]",
            "button",
            any().pressed_mixed().disabled(true).expanded(false),
        );
        role("role=heading[level=2]", "heading", any().level(2));
        role("role=checkbox[checked=mixed]", "checkbox", any().checked_mixed());
        role("role=option[selected=false]", "option", any().selected(false));
        role("role=button[name=\" \n a]\\\" \"]", "button", RoleOptions::name(" \n a]\" "));
        role("internal:role=button[name=\"A\"i]", "button", RoleOptions::name(TextMatch::contains("A")));
        role("role=button[name*=\"A.\"]", "button", RoleOptions::name(TextMatch::regex("A\\.")));
        let pattern = TextMatch::Regex { pattern: r"a\/]$".into(), flags: "i".into() };
        role(r"role=button[name=/a\/]$/i]", "button", RoleOptions::name(pattern));
        role("role=button[name=12][include-hidden]", "button", RoleOptions::name("12").include_hidden());
        role("role=button[include-hidden=false]", "button", any());
    }

    #[test]
    fn a_selector_that_can_not_be_read_is_an_error() {
        for selector in
            ["role=button[name", "role=button[name=\"a", "role=button[name=/a]", "role=button[x]y", "role=a[checked=2]"]
        {
            assert!(parse(selector).is_err(), "{selector}");
        }
    }
}
