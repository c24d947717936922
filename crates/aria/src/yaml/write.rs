//! Printing.

use super::quote;
use crate::tree::{Child, Node, Snapshot};

impl Snapshot {
    /// The YAML form: two-space indent, one line a node, no final newline. An empty snapshot is an empty string. Names
    /// of more than 900 UTF-16 units are left out of the key; their text is then in the body.
    pub fn to_yaml(&self) -> String {
        let mut lines = Vec::new();
        write_children(&self.children, 0, &mut lines);
        lines.iter().map(Line::to_string).collect::<Vec<_>>().join("\n")
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

fn write_children(children: &[Child], depth: usize, lines: &mut Vec<Line>) {
    for child in children {
        match child {
            Child::Text(text) => lines.push(text_line(text, depth)),
            Child::Node(node) => write_node(node, depth, lines),
        }
    }
}

fn write_node(node: &Node, depth: usize, lines: &mut Vec<Line>) {
    let body = body_of(node);
    lines.push(key_line(node, &body, depth));
    if let Body::Block = body {
        lines.extend(property_lines(node, depth + 1));
        write_children(&node.children, depth + 1, lines);
    }
}

/// How a node's content is laid out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Body<'a> {
    /// Nothing after the key.
    Empty,
    /// A lone text, on the key's line.
    Inline(&'a str),
    /// Lines of their own.
    Block,
}

pub(crate) fn body_of(node: &Node) -> Body<'_> {
    if node.url.is_some() || node.placeholder.is_some() {
        return Body::Block;
    }
    match node.children.as_slice() {
        [] => Body::Empty,
        [Child::Text(text)] => Body::Inline(text),
        _ => Body::Block,
    }
}

pub(crate) fn key_line(node: &Node, body: &Body<'_>, depth: usize) -> Line {
    let mut key = node.role.clone();
    if node.prints_name() {
        key.push(' ');
        key.push_str(&quote::name(&node.name));
    }
    for state in node.states.printed() {
        key.push_str(&format!(" [{state}]"));
    }
    let mut content = quote::key(key);
    match body {
        Body::Empty => {}
        Body::Inline(text) => content.push_str(&format!(": {}", quote::value(text))),
        Body::Block => content.push(':'),
    }
    Line { depth, content }
}

pub(crate) fn property_lines(node: &Node, depth: usize) -> impl Iterator<Item = Line> {
    node.properties().map(move |(name, value)| Line { depth, content: format!("/{name}: {}", quote::value(value)) })
}

pub(crate) fn text_line(text: &str, depth: usize) -> Line {
    Line { depth, content: format!("text: {}", quote::value(text)) }
}
