//! A first draft of a template: the snapshot with patterns where values look volatile.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::parse::Dialect;
use crate::deep;
use crate::printed::{Printed, Scalar};
use crate::states::Form;
use crate::tree::{Child, Node, Snapshot};
use crate::yaml::write::to_text;

impl Snapshot {
    /// A draft of a [`Template`](crate::Template) that this snapshot matches: names, texts and addresses that hold numbers become
    /// patterns which other numbers match. Meant to be read and corrected; where values are known to be volatile,
    /// [`Snapshot::apply_tokens`] is exact.
    ///
    /// Generalised are UUIDs, hashes, dates, times, sizes (`2.4 MB`), lengths of time (`1h 30m`), counts (`1.5k`),
    /// ordinals, percentages, versions and numbers of more than one digit. A single digit (`Step 2`) stays, and so does
    /// every word without a digit.
    pub fn to_template(&self) -> String {
        self.to_template_as(Dialect::Standard)
    }

    /// As [`Snapshot::to_template`], by a dialect's rules. [`Dialect::Playwright`] writes exactly what Playwright
    /// writes when it updates a snapshot: a text that nearly repeats its node's name is dropped as well.
    pub fn to_template_as(&self, dialect: Dialect) -> String {
        deep::on_stack_for(deep::levels_of(self), || to_text(&draft(&self.children, dialect)))
    }
}

fn draft(children: &[Child], dialect: Dialect) -> Vec<Printed<'_>> {
    children.iter().map(|child| draft_child(child, dialect)).collect()
}

fn draft_child(child: &Child, dialect: Dialect) -> Printed<'_> {
    let node = match child {
        Child::Text(text) => return Printed::text(general(text, dialect)),
        Child::Node(node) => node,
    };
    let key = Printed::key(node, Form::Plain);
    let url = |name: &str| dialect == Dialect::Standard && name == "url";
    Printed {
        text: general(node.printed_name(), dialect),
        properties: node
            .properties(Form::Plain)
            .map(|(name, value)| (name, if url(name) { general(value, dialect) } else { Scalar::literal(value) }))
            .collect(),
        children: match dialect {
            Dialect::Standard => draft(&node.children, dialect),
            Dialect::Playwright => without_repetition(node),
        },
        ..key
    }
}

/// Playwright's: texts that add nothing to the name are left out, or empty among other children.
fn without_repetition(node: &Node) -> Vec<Printed<'_>> {
    let is_lone = node.children.len() == 1;
    let draft = |child| draft_child(child, Dialect::Playwright);
    node.children
        .iter()
        .filter_map(|child| match child {
            Child::Text(text) if repeats_name(text, &node.name) => (!is_lone).then(|| Printed::text(Scalar::default())),
            _ => Some(draft(child)),
        })
        .collect()
}

/// Playwright's rule: what the longest part in common leaves of the text is a tenth of it at most.
fn repeats_name(text: &str, name: &str) -> bool {
    let length = |text: &str| text.encode_utf16().count();
    if name.is_empty() {
        return false;
    }
    let common = if length(text) <= 200 && length(name) <= 200 { longest_common(text, name) } else { "" };
    let rest = if common.is_empty() { text.to_owned() } else { text.replace(common, "") };
    length(rest.trim()) * 10 <= length(text)
}

fn longest_common<'a>(text: &'a str, other: &str) -> &'a str {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let mut longest = "";
    for (nth, &start) in starts.iter().enumerate() {
        for &end in &starts[nth + 1..] {
            let part = &text[start..end];
            if part.len() > longest.len() {
                if !other.contains(part) {
                    break;
                }
                longest = part;
            }
        }
    }
    longest
}

/// What a text looks like with other numbers in it; the text itself where it holds none.
pub(super) fn general(text: &str, dialect: Dialect) -> Scalar<'_> {
    let (numbers, replacement): (&Regex, fn(&Captures<'_>) -> String) = match dialect {
        Dialect::Standard => (&NUMBERS, standard),
        Dialect::Playwright => (&PLAYWRIGHTS_NUMBERS, playwright),
    };
    let mut pattern = String::from("/");
    let mut end = 0;
    for captures in numbers.captures_iter(text) {
        let Some(found) = captures.get(0) else { continue };
        let replaced = replacement(&captures);
        if !replaced.is_empty() {
            escape_into(&text[end..found.start()], &mut pattern);
            pattern.push_str(&replaced);
            end = found.end();
        }
    }
    if pattern.len() == 1 {
        return Scalar::literal(text);
    }
    escape_into(&text[end..], &mut pattern);
    pattern.push('/');
    Scalar { text: pattern.into(), is_pattern: true }
}

/// Escapes what has a meaning outside of classes. Tokens stay: they stand for themselves in a pattern too.
fn escape_into(text: &str, pattern: &mut String) {
    for c in text.chars() {
        if ".*+?^$(){}|[]\\/".contains(c) {
            pattern.push('\\');
        }
        pattern.push(c);
    }
}

/// Kinds of numbers; at one place the first that fits counts. Words and digits are ASCII's.
const KINDS: [&str; 13] = [
    r"\b(?<uuid>[[:xdigit:]]{8}(?:-[[:xdigit:]]{4}){3}-[[:xdigit:]]{12})\b",
    r"\b(?<instant>\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)\b",
    r"\b(?<time>\d{1,2}:\d\d)(?<seconds>:\d\d)?(?<half> ?[aApP][mM])?\b",
    r"\b(?<hour>\d{1,2})(?<hour_half> ?[aApP][mM])\b",
    r"\b(?<v>v?)(?<version>\d+(?:\.\d+){2,})\b",
    r"\b(?<bytes>\d+(?:[.,]\d+)* ?(?:[kKMGTPE]i?)?B)\b",
    r"\b(?<span>\d+(?:[.,]\d+)*(?:[mn]?s|[dhm])(?: ?\d+(?:[.,]\d+)*(?:[mn]?s|[dhm]))*)\b",
    r"\b(?<count>\d+(?:[.,]\d+)*(?:k|K|M|bn?))\b",
    r"\b(?<ordinal>\d+(?:st|nd|rd|th))\b",
    r"\b(?<measured>\d+(?:[.,]\d+)*)(?<unit>px|r?em|pt|fps|x)\b",
    r"\b(?<percentage>\d+(?:[.,]\d+)*)%",
    r"\b(?<hash>[0-9a-f]{7,40})\b",
    r"\b(?<number>\d+(?:[.,]\d+)*)\b",
];

static NUMBERS: LazyLock<Regex> = LazyLock::new(|| one_of(&KINDS));

fn one_of(kinds: &[&str]) -> Regex {
    let kinds = kinds.join("|").replace(r"\b", r"(?-u:\b)").replace(r"\d", "[0-9]");
    Regex::new(&kinds).unwrap_or_else(|error| unreachable!("the kinds are constants: {error}"))
}

/// The pattern for a number; empty when it stays.
fn standard(found: &Captures<'_>) -> String {
    let is = |name: &str| found.name(name).is_some();
    let text = |name: &str| found.name(name).map_or("", |found| found.as_str());
    let half = |name: &str| match text(name) {
        "" => "",
        half if half.starts_with(' ') => " [aApP][mM]",
        _ => "[aApP][mM]",
    };
    if is("uuid") {
        "[0-9a-fA-F-]{36}".into()
    } else if is("instant") {
        r"\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-][\d:]+)?".into()
    } else if is("time") {
        let seconds = if is("seconds") { r":\d{2}" } else { "" };
        format!(r"\d{{1,2}}:\d{{2}}{seconds}{}", half("half"))
    } else if is("hour") {
        format!(r"\d{{1,2}}{}", half("hour_half"))
    } else if is("version") {
        format!(r"{}\d+(?:\.\d+)+", text("v"))
    } else if is("bytes") {
        r"\d[\d.,]* ?(?:[kKMGTPE]i?)?B".into()
    } else if is("span") {
        r"\d[\d., dhmns]*".into()
    } else if is("count") {
        r"\d[\d.,]*(?:k|K|M|bn?)?".into()
    } else if is("ordinal") {
        r"\d+(?:st|nd|rd|th)".into()
    } else if is("measured") {
        format!("{}{}", digits(text("measured")), text("unit"))
    } else if is("percentage") {
        format!("{}%", digits(text("percentage")))
    } else if is("hash") {
        let hash = text("hash");
        match (hash.contains(|c: char| c.is_ascii_digit()), hash.contains(|c: char| c.is_ascii_lowercase())) {
            (true, true) => format!("[0-9a-f]{{{}}}", hash.len()),
            (true, false) => digits(hash).into(),
            _ => String::new(),
        }
    } else {
        let number = text("number");
        let is_long = number.split(['.', ',']).any(|group| group.len() > 1);
        if is_long { digits(number).into() } else { String::new() }
    }
}

fn digits(number: &str) -> &'static str {
    if number.contains(['.', ',']) { r"\d[\d.,]*" } else { r"\d+" }
}

/// Playwright's kinds and what it writes for each.
const PLAYWRIGHTS: [(&str, &str); 8] = [
    (r"\b(?<uuid>[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})\b", "[0-9a-fA-F-]+"),
    (r"\b(?<magnitude>[\d,.]+[bkmBKM]+)\b", r"[\d,.]+[bkmBKM]+"),
    (r"\b(?<span>\d+[hmsp]+)\b", r"\d+[hmsp]+"),
    (r"\b(?<spans>[\d,.]+[hmsp]+)\b", r"[\d,.]+[hmsp]+"),
    (r"\b(?<thousands>\d+,\d+)\b", r"\d+,\d+"),
    (r"\b(?<fraction>\d+\.\d{2,})\b", r"\d+\.\d+"),
    (r"\b(?<decimal>\d{2,}\.\d+)\b", r"\d+\.\d+"),
    (r"\b(?<number>\d{2,})\b", r"\d+"),
];

static PLAYWRIGHTS_NUMBERS: LazyLock<Regex> = LazyLock::new(|| one_of(&PLAYWRIGHTS.map(|(kind, _)| kind)));

fn playwright(found: &Captures<'_>) -> String {
    let kind = (1..found.len()).find(|&group| found.get(group).is_some()).unwrap_or(1);
    PLAYWRIGHTS[kind - 1].1.to_owned()
}
