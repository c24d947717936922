//! Printing.

use super::quote;
use crate::deep;
use crate::printed::{Body, Printed, Scalar};
use crate::states::Form;
use crate::tree::Snapshot;

impl Snapshot {
    /// The YAML form, Playwright's: two-space indent, one line a node, no final newline. An empty snapshot is an empty
    /// string. Names of more than 900 UTF-16 units are left out of the key; their text is then in the body.
    ///
    /// It differs from Playwright's in one thing: a text between slashes that is no regular expression is written
    /// `"\/…"`, which is the same text in YAML, so that it can be read as a template.
    pub fn to_yaml(&self) -> String {
        self.print(Form::Plain)
    }

    /// The YAML form with all that a full capture knows: false states (`[expanded=false]`), more states (`[required]`,
    /// `[current=page]`, `[posinset=2]` …) and the properties `/value`, `/description` and `/keyshortcuts`.
    /// [`Snapshot::parse_yaml`] and [`Template::parse`](crate::Template::parse) read it too.
    pub fn to_yaml_full(&self) -> String {
        self.print(Form::Full)
    }

    fn print(&self, form: Form) -> String {
        deep::on_stack_for(deep::levels_of(self), || to_text(&Printed::snapshot(self, form)))
    }
}

/// One printed line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// Levels of indent.
    pub(crate) depth: usize,
    /// What follows `- `.
    pub(crate) content: String,
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:indent$}- {}", "", self.content, indent = self.depth * 2)
    }
}

pub(crate) fn to_text(children: &[Printed<'_>]) -> String {
    lines_of(children, 0).iter().map(Line::to_string).collect::<Vec<_>>().join("\n")
}

/// All lines of the children and of what is below them.
pub(crate) fn lines_of(children: &[Printed<'_>], depth: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for child in children {
        push_lines(child, depth, &mut lines);
    }
    lines
}

pub(crate) fn push_lines(item: &Printed<'_>, depth: usize, lines: &mut Vec<Line>) {
    lines.push(item_line(item, depth));
    if item.body() == Body::Block {
        lines.extend(item.properties.iter().map(|(name, value)| property_line(name, value, depth + 1)));
        for child in &item.children {
            push_lines(child, depth + 1, lines);
        }
    }
}

/// The line of a node, with its lone text, or of a text.
pub(crate) fn item_line(item: &Printed<'_>, depth: usize) -> Line {
    key_line(item, &item.body(), depth)
}

/// As [`item_line`], laid out for another body than the item's own.
pub(crate) fn key_line(item: &Printed<'_>, body: &Body<'_>, depth: usize) -> Line {
    let Some(role) = item.role else {
        return Line { depth, content: format!("text: {}", value(&item.text)) };
    };
    let mut key = role.to_owned();
    if !item.text.text.is_empty() {
        key.push(' ');
        key.push_str(&if item.text.is_pattern { item.text.text.to_string() } else { quote::name(&item.text.text) });
    }
    for state in &item.states {
        key.push_str(&format!(" [{state}]"));
    }
    let mut content = quote::key(key);
    match body {
        Body::Empty => {}
        Body::Inline(text) => content.push_str(&format!(": {}", value(text))),
        Body::Block => content.push(':'),
    }
    Line { depth, content }
}

pub(crate) fn property_line(name: &str, property: &Scalar<'_>, depth: usize) -> Line {
    Line { depth, content: format!("/{name}: {}", value(property)) }
}

fn value(scalar: &Scalar<'_>) -> String {
    if scalar.is_pattern { quote::value(&scalar.text) } else { quote::literal(&scalar.text) }
}
