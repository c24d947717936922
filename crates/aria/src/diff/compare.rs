//! Walking two trees side by side.

use super::align::{EQUAL, Outline, Step, align, whole_hash};
use super::report::{Change, ChangeKind, Diff, Sign};
use crate::deep;
use crate::pattern;
use crate::printed::{Body, Printed, Scalar};
use crate::states::Form;
use crate::tree::Snapshot;
use crate::yaml::write::{Line, item_line, property_line, push_lines};

/// What differs between a golden and what was captured. It is empty exactly when both print the same YAML.
pub fn diff(expected: &Snapshot, actual: &Snapshot) -> Diff {
    diff_in(Form::Plain, expected, actual)
}

/// As [`diff`], of the full forms: empty exactly when both print the same with [`Snapshot::to_yaml_full`].
pub fn diff_full(expected: &Snapshot, actual: &Snapshot) -> Diff {
    diff_in(Form::Full, expected, actual)
}

fn diff_in(form: Form, expected: &Snapshot, actual: &Snapshot) -> Diff {
    let levels = deep::levels_of(expected).max(deep::levels_of(actual));
    deep::on_stack_for(levels, || compare(Printed::snapshot(expected, form), Printed::snapshot(actual, form)))
}

/// The difference of two lists of children.
pub(crate) fn compare(expected: Vec<Printed<'_>>, actual: Vec<Printed<'_>>) -> Diff {
    let mut walk = Walk { changes: Vec::new(), lines: Vec::new(), loose: Vec::new() };
    let top = |children| Printed { role: Some(""), children, ..Printed::text(Scalar::default()) };
    let (left, right) = (top(expected), top(actual));
    walk.children(&Side::top(&left), &Side::top(&right), 0);
    walk.find_moves();
    let Walk { changes, lines, .. } = walk;
    Diff::new(changes.into_iter().flatten().collect(), lines)
}

/// A node of one tree, and where it is.
struct Side<'a> {
    node: &'a Printed<'a>,
    /// The node around it, and its place there; the path is put together only where something changed.
    parent: Option<(&'a Side<'a>, usize)>,
    /// Whether its children have lines of their own.
    is_block: bool,
    /// Line of the template, or of what is around the node.
    line: Option<usize>,
}

impl<'a> Side<'a> {
    fn top(node: &'a Printed<'a>) -> Side<'a> {
        Side { node, parent: None, is_block: true, line: None }
    }

    fn below(&'a self, at: usize) -> Side<'a> {
        let node = &self.node.children[at];
        Side { node, parent: Some((self, at)), is_block: node.body() == Body::Block, line: self.line_of(at) }
    }

    fn path(&self) -> Vec<String> {
        self.parent.map_or(Vec::new(), |(parent, at)| parent.path_of(at))
    }

    fn line_of(&self, at: usize) -> Option<usize> {
        self.node.children[at].line.or(self.line)
    }

    /// The path of a child; one of several with the same label is numbered.
    fn path_of(&self, at: usize) -> Vec<String> {
        let own = self.node.children[at].label();
        let is_same = |child: &&Printed<'_>| child.label() == own;
        let total = self.node.children.iter().filter(is_same).count();
        let nth = self.node.children[..=at].iter().filter(is_same).count();
        let mut path = self.path();
        path.push(if total > 1 { format!("{own} #{nth}") } else { own });
        path
    }
}

struct Walk {
    /// `None` where a removal turned out to be one half of a move.
    changes: Vec<Option<Change>>,
    lines: Vec<(Sign, Line)>,
    /// Removed and added nodes: the index of the change, and the subtree's hash.
    loose: Vec<(usize, u64)>,
}

impl Walk {
    fn change(&mut self, path: &[String], line: Option<usize>, kind: ChangeKind) {
        self.changes.push(Some(Change { path: path.join(" > "), kind, line }));
    }

    fn children(&mut self, left: &Side<'_>, right: &Side<'_>, depth: usize) {
        let l_outlines: Vec<_> = left.node.children.iter().map(Outline::of).collect();
        let r_outlines: Vec<_> = right.node.children.iter().map(Outline::of).collect();
        let likeness = |l: usize, r: usize| l_outlines[l].likeness(&r_outlines[r]);
        for step in align(l_outlines.len(), r_outlines.len(), likeness) {
            match step {
                Step::Pair(l, r) => {
                    let (a, b) = (&left.node.children[l], &right.node.children[r]);
                    if likeness(l, r) == EQUAL && left.is_block && right.is_block {
                        self.subtree(a, depth, Sign::Both);
                        continue;
                    }
                    // Alignment never pairs a text with a node.
                    if a.role.is_some() {
                        self.nodes(&left.below(l), &right.below(r), depth);
                        continue;
                    }
                    if a.text != b.text {
                        let kind = not_matched("text", Some(&a.text), Some(&b.text))
                            .unwrap_or(ChangeKind::Text { from: a.text.text.to_string(), to: b.text.text.to_string() });
                        self.change(&left.path_of(l), left.line_of(l), kind);
                    }
                    let line = |is_block: bool, text: &Printed<'_>| is_block.then(|| item_line(text, depth));
                    self.either(line(left.is_block, a), line(right.is_block, b));
                }
                Step::Removed(l) => self.one(left, l, depth, left.line_of(l), Sign::Expected),
                Step::Added(r) => self.one(right, r, depth, left.line, Sign::Actual),
            }
        }
    }

    /// A child that only one tree has.
    fn one(&mut self, side: &Side<'_>, at: usize, depth: usize, line: Option<usize>, sign: Sign) {
        let child = &side.node.children[at];
        let kind = match (child.role, sign) {
            (None, Sign::Expected) => ChangeKind::TextRemoved { text: child.text.text.to_string() },
            (None, _) => ChangeKind::TextAdded { text: child.text.text.to_string() },
            (Some(_), Sign::Expected) => ChangeKind::Removed,
            (Some(_), _) => ChangeKind::Added,
        };
        if child.role.is_some() {
            self.loose.push((self.changes.len(), whole_hash(child)));
        }
        self.change(&side.path_of(at), line, kind);
        if side.is_block {
            self.subtree(child, depth, sign);
        }
    }

    fn subtree(&mut self, child: &Printed<'_>, depth: usize, sign: Sign) {
        let mut lines = Vec::new();
        push_lines(child, depth, &mut lines);
        self.lines.extend(lines.into_iter().map(|line| (sign, line)));
    }

    fn nodes(&mut self, left: &Side<'_>, right: &Side<'_>, depth: usize) {
        let (a, b) = (left.node, right.node);
        if a.role != b.role {
            let name = |item: &Printed<'_>| item.role.unwrap_or_default().to_owned();
            self.change(&left.path(), left.line, ChangeKind::Role { from: name(a), to: name(b) });
        }
        if a.text != b.text {
            let kind = not_matched("name", Some(&a.text), Some(&b.text))
                .unwrap_or(ChangeKind::Renamed { from: a.text.text.to_string(), to: b.text.text.to_string() });
            self.change(&left.path(), left.line, kind);
        }
        if a.states != b.states {
            let (from, to) = (a.states.clone(), b.states.clone());
            self.change(&left.path(), left.line, ChangeKind::States { from, to });
        }
        self.either(Some(item_line(a, depth)), Some(item_line(b, depth)));
        self.properties(left, b, depth + 1);
        self.children(left, right, depth + 1);
    }

    fn properties(&mut self, left: &Side<'_>, right: &Printed<'_>, depth: usize) {
        for name in crate::tree::PROPERTIES {
            let (from, to) = (left.node.property(name), right.property(name));
            let line = |value: Option<&Scalar<'_>>| value.map(|value| property_line(name, value, depth));
            self.either(line(from), line(to));
            if from != to {
                let owned = |value: Option<&Scalar<'_>>| value.map(|value| value.text.to_string());
                let kind = not_matched(&format!("/{name}"), from, to).unwrap_or(ChangeKind::Property {
                    name,
                    from: owned(from),
                    to: owned(to),
                });
                self.change(&left.path(), left.line, kind);
            }
        }
    }

    /// A line of each tree: once when they are equal.
    fn either(&mut self, left: Option<Line>, right: Option<Line>) {
        if left == right {
            self.lines.extend(left.map(|line| (Sign::Both, line)));
        } else {
            self.lines.extend(left.map(|line| (Sign::Expected, line)));
            self.lines.extend(right.map(|line| (Sign::Actual, line)));
        }
    }

    /// A node removed in one place and added, unchanged, in another has moved.
    fn find_moves(&mut self) {
        for (at, &(removed, hash)) in self.loose.iter().enumerate() {
            let is = |changes: &[Option<Change>], index: usize, kind: &ChangeKind| {
                changes[index].as_ref().is_some_and(|change| change.kind == *kind)
            };
            if !is(&self.changes, removed, &ChangeKind::Removed) {
                continue;
            }
            let twin = self.loose.iter().enumerate().find(|&(other, &(added, other_hash))| {
                other != at && other_hash == hash && is(&self.changes, added, &ChangeKind::Added)
            });
            if let Some((_, &(added, _))) = twin
                && let Some(to) = self.changes[added].take()
                && let Some(change) = &mut self.changes[removed]
            {
                change.kind = ChangeKind::Moved { to: to.path };
            }
        }
    }
}

/// The change when what was expected is a pattern.
fn not_matched(what: &str, expected: Option<&Scalar<'_>>, actual: Option<&Scalar<'_>>) -> Option<ChangeKind> {
    let pattern = expected.filter(|expected| expected.is_pattern)?.text.as_ref();
    let actual = actual.map(|actual| actual.text.to_string());
    let matches_part = actual.as_deref().is_some_and(|actual| pattern::matches_part(pattern, actual));
    Some(ChangeKind::NotMatched { what: what.into(), pattern: pattern.into(), actual, matches_part })
}
