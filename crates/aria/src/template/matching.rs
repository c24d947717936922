//! Whether a tree is as a template says.

use std::fmt;

use super::parse::{Content, Dialect, List, Mode, Template, TemplateItem, TemplateNode};
use crate::deep;
use crate::diff::{Change, Diff};
use crate::states::{self, States};
use crate::tree::{Child, Node, PROPERTIES, Snapshot, is_plain_property};

/// What came of comparing a snapshot with a template. Its `Display` is the report: one line a difference with the
/// template's line, then the tree with `-` before what only the template has and `+` before what only the snapshot
/// has. Lines that a pattern matches are shown as equal, and so is what the template leaves free.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    pub(super) diff: Option<Diff>,
}

impl Match {
    /// Whether the snapshot is as the template says.
    pub fn is_match(&self) -> bool {
        self.diff.is_none()
    }

    /// What differs; `None` when nothing does.
    pub fn diff(&self) -> Option<&Diff> {
        self.diff.as_ref()
    }

    /// The first difference, in the order of the tree.
    pub fn first_failure(&self) -> Option<&Change> {
        self.diff.as_ref()?.changes().first()
    }
}

impl fmt::Display for Match {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.diff {
            None => f.write_str("the snapshot is as the template says"),
            Some(diff) => write!(f, "the snapshot is not as the template says: {diff}"),
        }
    }
}

/// What holds for nodes that say nothing themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Lists are equal.
    Whole,
    /// Lists contain, and what is left out is free.
    Part,
}

/// How one list is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    Equal,
    Contain,
}

impl Template {
    /// Compares a snapshot with the template and says what differs.
    pub fn matches(&self, snapshot: &Snapshot) -> Match {
        let diff = || (!self.holds(snapshot)).then(|| self.differences(snapshot));
        Match { diff: deep::on_stack_for(self.levels_with(snapshot), diff) }
    }

    /// Whether the snapshot is as the template says: the cheap question, for polling.
    pub fn is_match(&self, snapshot: &Snapshot) -> bool {
        deep::on_stack_for(self.levels_with(snapshot), || self.holds(snapshot))
    }

    pub(super) fn levels_with(&self, snapshot: &Snapshot) -> usize {
        deep::levels_of(snapshot).max(deep::levels_of_text(&self.source))
    }

    fn holds(&self, snapshot: &Snapshot) -> bool {
        if self.is_looked_for() {
            self.is_anywhere(&snapshot.children)
        } else {
            self.list_matches(&self.list, self.scope(), &snapshot.children)
        }
    }

    /// Whether the template may be found at any level. An empty one never is: it is the snapshot of an empty page.
    pub(super) fn is_looked_for(&self) -> bool {
        let is_blank = self.source.trim().is_empty();
        match self.dialect {
            Dialect::Standard => self.list.mode == Some(Mode::Contain),
            Dialect::Playwright => !is_blank,
        }
    }

    /// The scope of the top level.
    pub(super) fn scope(&self) -> Scope {
        match (self.list.mode, self.dialect) {
            (None, Dialect::Standard) | (Some(Mode::DeepEqual), _) => Scope::Whole,
            (None, Dialect::Playwright) if self.source.trim().is_empty() => Scope::Whole,
            _ => Scope::Part,
        }
    }

    fn is_anywhere(&self, children: &[Child]) -> bool {
        self.list_matches(&self.list, self.scope(), children)
            || children.iter().any(|child| match child {
                Child::Node(node) => self.is_anywhere(&node.children),
                Child::Text(_) => false,
            })
    }

    /// How a list in this scope is compared, and the scope inside it.
    pub(super) fn rules(&self, list: &List, around: Scope) -> (Extent, Scope) {
        let inside = match (list.mode, self.dialect) {
            (Some(Mode::DeepEqual), _) => Scope::Whole,
            (Some(_), Dialect::Playwright) => Scope::Part,
            _ => around,
        };
        let extent = match (list.mode, around) {
            (Some(Mode::Contain), _) | (None, Scope::Part) => Extent::Contain,
            _ => Extent::Equal,
        };
        (extent, inside)
    }

    fn list_matches(&self, list: &List, around: Scope, actual: &[Child]) -> bool {
        let (extent, inside) = self.rules(list, around);
        match extent {
            Extent::Equal => {
                list.items.len() == actual.len()
                    && list.items.iter().zip(actual).all(|(item, child)| self.item_matches(item, inside, child))
            }
            Extent::Contain => {
                let mut rest = actual.iter();
                list.items.iter().all(|item| rest.any(|child| self.item_matches(item, inside, child)))
            }
        }
    }

    pub(super) fn item_matches(&self, item: &TemplateItem, scope: Scope, actual: &Child) -> bool {
        match (&item.content, actual) {
            // Playwright writes an empty text where it drops one that only repeats the name.
            (Content::Text(text), Child::Text(_)) if text.is_empty() => self.dialect == Dialect::Playwright,
            (Content::Text(text), Child::Text(actual)) => text.matches(actual),
            (Content::Node(node), Child::Node(actual)) => {
                node.role == actual.role
                    && self.name_matches(node, scope, actual)
                    && states::names().all(|name| self.state_matches(node, name, scope, &actual.states))
                    && PROPERTIES.iter().all(|name| self.property_matches(&node.list, name, scope, actual))
                    && self.list_matches(&node.list, scope, &actual.children)
            }
            _ => false,
        }
    }

    /// Whether what is left out must be absent.
    pub(super) fn is_whole(&self, scope: Scope) -> bool {
        scope == Scope::Whole && self.dialect == Dialect::Standard
    }

    pub(super) fn name_matches(&self, node: &TemplateNode, scope: Scope, actual: &Node) -> bool {
        match &node.name {
            // A name too long to be printed is not written either.
            None => !self.is_whole(scope) || !actual.prints_name(),
            Some(name) if name.is_empty() => !self.is_whole(scope) || actual.name.is_empty(),
            Some(name) if name.is_regex() && self.dialect == Dialect::Playwright && actual.name.is_empty() => false,
            Some(name) => name.matches(&actual.name),
        }
    }

    pub(super) fn state_matches(&self, node: &TemplateNode, name: &str, scope: Scope, actual: &States) -> bool {
        match node.wanted(name) {
            Some(wanted) => actual.value(name) == wanted.value(name),
            None => !self.is_whole(scope) || !states::is_plain(name) || !actual.is_printed(name),
        }
    }

    pub(super) fn property_matches(&self, list: &List, name: &str, scope: Scope, actual: &Node) -> bool {
        let value = actual.property(name);
        match list.properties.iter().find(|property| property.name == name) {
            Some(property) => value.is_some_and(|value| property.pattern.matches(value)),
            None => !self.is_whole(scope) || !is_plain_property(name) || value.is_none(),
        }
    }
}

impl TemplateNode {
    /// States with the value that the template gives an attribute; `None` when it does not mention it.
    pub(super) fn wanted(&self, name: &str) -> Option<States> {
        let attribute = self.attributes.iter().find(|attribute| attribute.name == name)?;
        let mut wanted = States::default();
        // The value was checked when the key was read.
        wanted.set(name, &attribute.value).ok()?;
        Some(wanted)
    }
}
