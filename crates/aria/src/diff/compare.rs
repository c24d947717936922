//! Walking two trees side by side.

use super::align::{Step, align, whole_hash};
use super::report::{Change, ChangeKind, Diff, Sign};
use crate::tree::{Child, Node, Snapshot};
use crate::yaml::write::{Body, Line, body_of, key_line, property_lines, text_line};

/// What differs between a golden and what was captured. It is empty exactly when both print the same YAML.
pub fn diff(expected: &Snapshot, actual: &Snapshot) -> Diff {
    let mut walk = Walk { changes: Vec::new(), lines: Vec::new(), loose: Vec::new() };
    let top = |children: &Vec<Child>| Node { children: children.clone(), ..Node::default() };
    let (left, right) = (top(&expected.children), top(&actual.children));
    walk.children(Side::top(&left), Side::top(&right), 0);
    walk.find_moves();
    let Walk { changes, lines, .. } = walk;
    Diff::new(changes.into_iter().flatten().collect(), lines)
}

/// A node of one tree, and where it is.
#[derive(Clone)]
struct Side<'a> {
    node: &'a Node,
    path: Vec<String>,
    /// Whether its children have lines of their own.
    is_block: bool,
}

impl<'a> Side<'a> {
    fn top(node: &'a Node) -> Side<'a> {
        Side { node, path: Vec::new(), is_block: true }
    }

    fn below(&self, at: usize, node: &'a Node) -> Side<'a> {
        Side { node, path: self.path_of(at), is_block: body_of(node) == Body::Block }
    }

    /// The path of a child; one of several with the same label is numbered.
    fn path_of(&self, at: usize) -> Vec<String> {
        let label = |child: &Child| match child {
            Child::Node(node) => node.label(),
            Child::Text(_) => "text".to_owned(),
        };
        let own = label(&self.node.children[at]);
        let is_same = |child: &&Child| label(child) == own;
        let total = self.node.children.iter().filter(is_same).count();
        let nth = self.node.children[..=at].iter().filter(is_same).count();
        let mut path = self.path.clone();
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
    fn change(&mut self, path: &[String], kind: ChangeKind) {
        self.changes.push(Some(Change { path: path.join(" > "), kind }));
    }

    fn children(&mut self, left: Side<'_>, right: Side<'_>, depth: usize) {
        for step in align(&left.node.children, &right.node.children) {
            match step {
                Step::Pair(l, r) => match (&left.node.children[l], &right.node.children[r]) {
                    (Child::Node(a), Child::Node(b)) => self.nodes(left.below(l, a), right.below(r, b), depth),
                    (Child::Text(a), Child::Text(b)) => {
                        if a.as_str() != b.as_str() {
                            let kind = ChangeKind::Text { from: a.to_string(), to: b.to_string() };
                            self.change(&left.path_of(l), kind);
                        }
                        let line = |is_block: bool, text: &str| is_block.then(|| text_line(text, depth));
                        self.either(line(left.is_block, a), line(right.is_block, b));
                    }
                    // Alignment never pairs a text with a node.
                    _ => unreachable!("a text was paired with a node"),
                },
                Step::Removed(l) => self.one(&left, l, depth, Sign::Expected),
                Step::Added(r) => self.one(&right, r, depth, Sign::Actual),
            }
        }
    }

    /// A child that only one tree has.
    fn one(&mut self, side: &Side<'_>, at: usize, depth: usize, sign: Sign) {
        let child = &side.node.children[at];
        let kind = match (child, sign) {
            (Child::Text(text), Sign::Expected) => ChangeKind::TextRemoved { text: text.to_string() },
            (Child::Text(text), _) => ChangeKind::TextAdded { text: text.to_string() },
            (Child::Node(_), Sign::Expected) => ChangeKind::Removed,
            (Child::Node(_), _) => ChangeKind::Added,
        };
        if let Child::Node(_) = child {
            self.loose.push((self.changes.len(), whole_hash(child)));
        }
        self.change(&side.path_of(at), kind);
        if side.is_block {
            self.subtree(child, depth, sign);
        }
    }

    fn subtree(&mut self, child: &Child, depth: usize, sign: Sign) {
        match child {
            Child::Text(text) => self.lines.push((sign, text_line(text, depth))),
            Child::Node(node) => {
                let body = body_of(node);
                self.lines.push((sign, key_line(node, &body, depth)));
                if body == Body::Block {
                    self.lines.extend(property_lines(node, depth + 1).map(|line| (sign, line)));
                    for child in &node.children {
                        self.subtree(child, depth + 1, sign);
                    }
                }
            }
        }
    }

    fn nodes(&mut self, left: Side<'_>, right: Side<'_>, depth: usize) {
        let (a, b) = (left.node, right.node);
        if a.role != b.role {
            self.change(&left.path, ChangeKind::Role { from: a.role.clone(), to: b.role.clone() });
        }
        if a.printed_name() != b.printed_name() {
            let (from, to) = (a.printed_name().to_owned(), b.printed_name().to_owned());
            self.change(&left.path, ChangeKind::Renamed { from, to });
        }
        let (from, to) = (a.states.printed(), b.states.printed());
        if from != to {
            self.change(&left.path, ChangeKind::States { from, to });
        }
        let line = |side: &Side<'_>| Some(key_line(side.node, &body_of(side.node), depth));
        self.either(line(&left), line(&right));
        self.properties(&left, b, depth + 1);
        self.children(left, right, depth + 1);
    }

    fn properties(&mut self, left: &Side<'_>, right: &Node, depth: usize) {
        for (name, from, to) in
            [("url", &left.node.url, &right.url), ("placeholder", &left.node.placeholder, &right.placeholder)]
        {
            let line =
                |node: &Node| property_lines(node, depth).find(|line| line.content.starts_with(&format!("/{name}:")));
            self.either(line(left.node), line(right));
            let (from, to) = (from.as_deref(), to.as_deref());
            if from != to {
                let (from, to) = (from.map(str::to_owned), to.map(str::to_owned));
                self.change(&left.path, ChangeKind::Property { name, from, to });
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
