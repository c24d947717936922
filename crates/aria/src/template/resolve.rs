//! Why a tree is not as a template says: what was expected is put together from the template and, where that matches or
//! leaves it free, from the tree itself; then the two are compared as any two trees.

use std::cell::LazyCell;

use super::matching::{Extent, Scope};
use super::parse::{Content, List, Template, TemplateItem, TemplateNode};
use crate::diff::Diff;
use crate::diff::align::{EQUAL, Outline, Step, align};
use crate::diff::compare::compare;
use crate::printed::{Printed, Scalar};
use crate::states::{self, Form, attribute};
use crate::tree::{Child, Node, PROPERTIES, Snapshot};

/// Expected and actual children of one node.
type Both<'a> = (Vec<Printed<'a>>, Vec<Printed<'a>>);

impl Template {
    pub(super) fn differences(&self, snapshot: &Snapshot) -> Diff {
        let target = if self.is_looked_for() { self.nearest(snapshot) } else { &snapshot.children };
        let (expected, actual) = self.around(&snapshot.children, target);
        compare(expected, actual)
    }

    /// The list of children that is most like the template.
    pub(super) fn nearest<'a>(&self, snapshot: &'a Snapshot) -> &'a [Child] {
        let mut lists = vec![snapshot.children.as_slice()];
        let mut nearest = (0, snapshot.children.as_slice());
        while let Some(list) = lists.pop() {
            let (_, inside) = self.rules(&self.list, self.scope());
            let (_, likeness) = self.align(&self.list.items, inside, list);
            if likeness > nearest.0 {
                nearest = (likeness, list);
            }
            // The first of several equals wins, in the order of the tree.
            lists.extend(list.iter().rev().filter_map(|child| match child {
                Child::Node(node) => Some(node.children.as_slice()),
                Child::Text(_) => None,
            }));
        }
        nearest.1
    }

    /// The tree, with the template in place of one list of it.
    fn around<'a>(&'a self, children: &'a [Child], target: &[Child]) -> Both<'a> {
        if std::ptr::eq(children, target) {
            return self.list(&self.list, self.scope(), children);
        }
        let mut both: Both<'a> = (Vec::new(), Vec::new());
        for child in children {
            match child {
                Child::Text(_) => {
                    both.0.push(Printed::child(child, Form::Plain));
                    both.1.push(Printed::child(child, Form::Plain));
                }
                Child::Node(node) => {
                    let key = Printed::key(node, Form::Plain);
                    let (expected, actual) = self.around(&node.children, target);
                    both.0.push(Printed { children: expected, ..key.clone() });
                    both.1.push(Printed { children: actual, ..key });
                }
            }
        }
        both
    }

    /// Pairs items with children; the sum of their likeness.
    pub(super) fn align(&self, items: &[TemplateItem], scope: Scope, actual: &[Child]) -> (Vec<Step>, u64) {
        // Outlines are for what does not match: most of a large tree does, and is not looked at twice.
        let wanted: Vec<_> = items.iter().map(|item| LazyCell::new(move || as_written(item))).collect();
        let wanted: Vec<_> = wanted.iter().map(|item| LazyCell::new(move || Outline::of(item))).collect();
        let printed: Vec<_> =
            actual.iter().map(|child| LazyCell::new(move || Printed::child(child, Form::Plain))).collect();
        let outlines: Vec<_> = printed.iter().map(|child| LazyCell::new(move || Outline::of(child))).collect();
        let likeness = |i: usize, a: usize| {
            if self.item_matches(&items[i], scope, &actual[a]) {
                return EQUAL;
            }
            let has_same_name = match (&items[i].content, &actual[a]) {
                (Content::Node(node), Child::Node(actual)) => self.name_matches(node, scope, actual),
                _ => false,
            };
            wanted[i].kinship(&outlines[a], has_same_name)
        };
        let steps = align(items.len(), actual.len(), likeness);
        let pairs = steps.iter().map(|step| match *step {
            Step::Pair(i, a) => likeness(i, a),
            _ => 0,
        });
        let sum = pairs.sum();
        (steps, sum)
    }

    fn list<'a>(&'a self, list: &'a List, around: Scope, actual: &'a [Child]) -> Both<'a> {
        let (extent, inside) = self.rules(list, around);
        let mut both: Both<'a> = (Vec::new(), Vec::new());
        for step in self.align(&list.items, inside, actual).0 {
            match step {
                Step::Pair(i, a) => {
                    let (expected, actual) = self.pair(&list.items[i], inside, &actual[a]);
                    both.0.push(expected);
                    both.1.push(actual);
                }
                Step::Removed(i) => both.0.push(as_written(&list.items[i])),
                Step::Added(a) => {
                    let printed = Printed::child(&actual[a], Form::Plain);
                    if extent == Extent::Contain {
                        both.0.push(printed.clone());
                    }
                    both.1.push(printed);
                }
            }
        }
        both
    }

    fn pair<'a>(&'a self, item: &'a TemplateItem, scope: Scope, actual: &'a Child) -> (Printed<'a>, Printed<'a>) {
        if self.item_matches(item, scope, actual) {
            let printed = Printed::child(actual, Form::Plain);
            return (printed.clone(), printed);
        }
        match (&item.content, actual) {
            (Content::Node(node), Child::Node(actual)) => {
                let (mut expected, mut key) = self.keys(node, scope, actual);
                expected.line = Some(item.place.line);
                (expected.children, key.children) = self.list(&node.list, scope, &actual.children);
                (expected, key)
            }
            _ => (as_written(item), Printed::child(actual, Form::Plain)),
        }
    }

    /// A node of the template and of the tree, without their children.
    fn keys<'a>(&self, node: &'a TemplateNode, scope: Scope, actual: &'a Node) -> (Printed<'a>, Printed<'a>) {
        let is_whole = self.is_whole(scope);
        let mut key = Printed::key(actual, Form::Plain);
        let mut expected = Printed { role: Some(&node.role), states: Vec::new(), ..key.clone() };
        if !self.name_matches(node, scope, actual) {
            key.text = Scalar::literal(&actual.name);
            expected.text = node.name.as_ref().map(|name| name.scalar()).unwrap_or_default();
        }
        key.states.clear();
        for name in states::names() {
            let wanted = node.wanted(name);
            let is_plain = states::is_plain(name) && actual.states.is_printed(name);
            let value = actual.states.value(name).filter(|_| is_plain || wanted.is_some());
            let value = value.map(|value| attribute(name, &value));
            let wanted = wanted.and_then(|wanted| wanted.value(name)).map(|wanted| attribute(name, &wanted));
            expected.states.extend(if wanted.is_none() && !is_whole { value.clone() } else { wanted });
            key.states.extend(value);
        }
        expected.properties.clear();
        key.properties.clear();
        let plain: Vec<_> = actual.properties(Form::Plain).map(|(name, _)| name).collect();
        for name in PROPERTIES {
            let wanted = node.list.properties.iter().find(|property| property.name == name);
            let wanted = wanted.map(|property| &property.pattern);
            let value = actual.property(name).filter(|_| plain.contains(&name) || wanted.is_some());
            let value = value.map(|value| Scalar::literal(value));
            let shown = match wanted {
                Some(wanted) if !self.property_matches(&node.list, name, scope, actual) => Some(wanted.scalar()),
                None if is_whole => None,
                _ => value.clone(),
            };
            expected.properties.extend(shown.map(|value| (name, value)));
            key.properties.extend(value.map(|value| (name, value)));
        }
        (expected, key)
    }
}

/// An item as the template has it.
pub(super) fn as_written(item: &TemplateItem) -> Printed<'_> {
    let line = Some(item.place.line);
    match &item.content {
        Content::Text(pattern) => Printed { line, ..Printed::text(pattern.scalar()) },
        Content::Node(node) => {
            let value = |name: &str| node.wanted(name).and_then(|wanted| wanted.value(name));
            Printed {
                role: Some(&node.role),
                text: node.name.as_ref().map(|name| name.scalar()).unwrap_or_default(),
                states: states::names().filter_map(|name| value(name).map(|v| attribute(name, &v))).collect(),
                properties: node
                    .list
                    .properties
                    .iter()
                    .map(|property| (property.name, property.pattern.scalar()))
                    .collect(),
                children: node.list.items.iter().map(as_written).collect(),
                line,
            }
        }
    }
}
