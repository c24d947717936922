//! What a template says about a name, a text or a property: the text itself, or a pattern between slashes.

use regex::{Regex, RegexBuilder};

use crate::chars::{is_invisible, is_space};
use crate::printed::Scalar;
use crate::template::Dialect;

/// A text or a pattern of a template.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    /// A pattern with its slashes and flags, or a literal.
    source: String,
    /// `None`: a literal.
    regex: Option<Regex>,
    /// Whether a text equal to the source is a match as well. Texts are written without quotes of their own, so
    /// `/a/b/` may be an address.
    is_also_literal: bool,
}

impl Pattern {
    pub(crate) fn literal(text: &str) -> Pattern {
        Pattern { source: text.to_owned(), regex: None, is_also_literal: true }
    }

    /// A name's pattern, with its slashes and flags.
    pub(crate) fn name(source: String, dialect: Dialect) -> Result<Pattern, String> {
        let (body, flags) = source[1..].rsplit_once('/').unwrap_or((&source[1..], ""));
        let regex = compile(body, flags, dialect)?;
        Ok(Pattern { source, regex: Some(regex), is_also_literal: false })
    }

    /// A text or a property: a pattern when it stands between slashes.
    pub(crate) fn value(text: &str, dialect: Dialect) -> Result<Pattern, String> {
        let Some((body, flags)) = parts(text) else { return Ok(Pattern::literal(text)) };
        let regex = compile(body, flags, dialect).map_err(|problem| {
            format!("{problem}; for this very text write it in double quotes with `\\/` for its first slash")
        })?;
        Ok(Pattern { source: text.to_owned(), regex: Some(regex), is_also_literal: true })
    }

    pub(crate) fn matches(&self, actual: &str) -> bool {
        // A snapshot's names and texts are normalised, its properties are as the page wrote them.
        (self.is_also_literal && (self.source == actual || normalised(&self.source) == actual))
            || self.regex.as_ref().is_some_and(|regex| regex.is_match(actual))
    }

    pub(crate) fn is_regex(&self) -> bool {
        self.regex.is_some()
    }

    pub(crate) fn is_empty(&self) -> bool {
        normalised(&self.source).is_empty()
    }

    pub(crate) fn scalar(&self) -> Scalar<'_> {
        Scalar { text: self.source.as_str().into(), is_pattern: self.is_regex() }
    }
}

/// White space as in a snapshot's texts.
fn normalised(text: &str) -> String {
    let visible: String = text.chars().filter(|&c| !is_invisible(c)).collect();
    visible.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Body and flags of a text that stands between slashes.
fn parts(text: &str) -> Option<(&str, &str)> {
    let (body, flags) = text.strip_prefix('/')?.rsplit_once('/')?;
    flags.chars().all(|flag| FLAGS.contains(flag)).then_some((body, flags))
}

/// Whether a template can hold the text as a value written as it is.
pub(crate) fn is_readable(text: &str) -> bool {
    parts(text).is_none_or(|(body, flags)| compile(body, flags, Dialect::Standard).is_ok())
}

/// Whether a pattern that does not match the whole text matches a part of it.
pub(crate) fn matches_part(source: &str, text: &str) -> bool {
    parts(source)
        .and_then(|(body, flags)| compile(body, flags, Dialect::Playwright).ok())
        .is_some_and(|regex| regex.is_match(text))
}

/// JavaScript's flags that say something about a match in one text. `u` is always on.
const FLAGS: &str = "imsu";

fn compile(body: &str, flags: &str, dialect: Dialect) -> Result<Regex, String> {
    if let Some(flag) = flags.chars().find(|&flag| !FLAGS.contains(flag)) {
        return Err(format!("a pattern has no flag `{flag}`; known are i (any case), m, s and u"));
    }
    let body = with_tokens_escaped(body);
    let whole = match dialect {
        Dialect::Standard => format!(r"\A(?:{body})\z"),
        Dialect::Playwright => body.clone(),
    };
    let build = |pattern: &str| {
        RegexBuilder::new(pattern)
            .case_insensitive(flags.contains('i'))
            .multi_line(flags.contains('m'))
            .dot_matches_new_line(flags.contains('s'))
            .build()
    };
    // The body by itself first: `a)(b` must not be made valid by what is put around it.
    build(&body).and_then(|regex| if whole == body { Ok(regex) } else { build(&whole) }).map_err(|error| {
        let message = error.to_string();
        let reason = message.rsplit("error: ").next().unwrap_or(&message).trim();
        format!("the pattern is no regular expression: {reason}")
    })
}

/// The token of a volatile value, `{{kind}}`, stands for itself in a pattern.
fn with_tokens_escaped(body: &str) -> String {
    let mut escaped = String::new();
    let mut rest = body;
    while let Some((before, after)) = rest.split_once("{{") {
        escaped.push_str(before);
        match after.split_once("}}") {
            Some((kind, after)) if kind.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_') => {
                escaped.push_str(&format!(r"\{{\{{{}\}}\}}", regex::escape(kind)));
                rest = after;
            }
            _ => {
                escaped.push_str("{{");
                rest = after;
            }
        }
    }
    escaped.push_str(rest);
    escaped
}
