//! A tree as it is printed: what the YAML writer, the diff and the reports of templates share.

use std::borrow::Cow;

use crate::states::Form;
use crate::tree::{Child, Node, Snapshot, label};

/// A node or a text, reduced to what is printed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Printed<'a> {
    /// `None` for a text.
    pub(crate) role: Option<&'a str>,
    /// The name, empty when none is printed; of a text, the text.
    pub(crate) text: Scalar<'a>,
    /// What is printed in brackets, without them.
    pub(crate) states: Vec<String>,
    pub(crate) properties: Vec<(&'static str, Scalar<'a>)>,
    pub(crate) children: Vec<Printed<'a>>,
    /// Line of the template that says so, from 1.
    pub(crate) line: Option<usize>,
}

/// A name, text or value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Scalar<'a> {
    pub(crate) text: Cow<'a, str>,
    /// Whether it is a pattern of a template, with its slashes.
    pub(crate) is_pattern: bool,
}

impl<'a> Scalar<'a> {
    pub(crate) fn literal(text: &'a str) -> Scalar<'a> {
        Scalar { text: text.into(), is_pattern: false }
    }
}

/// How a node's content is laid out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Body<'a> {
    /// Nothing after the key.
    Empty,
    /// A lone text, on the key's line.
    Inline(&'a Scalar<'a>),
    /// Lines of their own.
    Block,
}

impl<'a> Printed<'a> {
    /// The top level of a snapshot.
    pub(crate) fn snapshot(snapshot: &'a Snapshot, form: Form) -> Vec<Printed<'a>> {
        Printed::children(&snapshot.children, form)
    }

    pub(crate) fn children(children: &'a [Child], form: Form) -> Vec<Printed<'a>> {
        children.iter().map(|child| Printed::child(child, form)).collect()
    }

    pub(crate) fn child(child: &'a Child, form: Form) -> Printed<'a> {
        match child {
            Child::Text(text) => Printed::text(Scalar::literal(text)),
            Child::Node(node) => {
                Printed { children: Printed::children(&node.children, form), ..Printed::key(node, form) }
            }
        }
    }

    /// A node without its children.
    pub(crate) fn key(node: &'a Node, form: Form) -> Printed<'a> {
        Printed {
            role: Some(&node.role),
            text: Scalar::literal(node.printed_name()),
            states: node.states.printed(form),
            properties: node.properties(form).map(|(name, value)| (name, Scalar::literal(value))).collect(),
            children: Vec::new(),
            line: None,
        }
    }

    pub(crate) fn text(text: Scalar<'a>) -> Printed<'a> {
        Printed { role: None, text, states: Vec::new(), properties: Vec::new(), children: Vec::new(), line: None }
    }

    pub(crate) fn body(&self) -> Body<'_> {
        match self.children.as_slice() {
            _ if !self.properties.is_empty() => Body::Block,
            [] => Body::Empty,
            [Printed { role: None, text, .. }] => Body::Inline(text),
            _ => Body::Block,
        }
    }

    pub(crate) fn property(&self, name: &str) -> Option<&Scalar<'a>> {
        self.properties.iter().find(|(other, _)| *other == name).map(|(_, value)| value)
    }

    /// How messages call it.
    pub(crate) fn label(&self) -> String {
        match self.role {
            None => "text".into(),
            Some(role) if self.text.is_pattern => format!("{role} {}", self.text.text),
            Some(role) => label(role, &self.text.text),
        }
    }
}
