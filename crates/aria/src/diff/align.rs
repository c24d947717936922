//! Which child of one node is which child of the other.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::tree::{Child, Node};

/// One step through two lists of children, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Pair(usize, usize),
    Removed(usize),
    Added(usize),
}

/// Pairs the children so that the sum of their likeness is greatest, keeping the order (a weighted longest common
/// subsequence). Removals come before additions.
pub(super) fn align(left: &[Child], right: &[Child]) -> Vec<Step> {
    let left: Vec<_> = left.iter().map(Outline::of_child).collect();
    let right: Vec<_> = right.iter().map(Outline::of_child).collect();
    // Equal ends pair with themselves; the table is only for what is between.
    let prefix = left.iter().zip(&right).take_while(|(l, r)| l.whole == r.whole).count();
    let (left_rest, right_rest) = (&left[prefix..], &right[prefix..]);
    let suffix = left_rest.iter().rev().zip(right_rest.iter().rev()).take_while(|(l, r)| l.whole == r.whole).count();
    let left_middle = &left_rest[..left_rest.len() - suffix];
    let right_middle = &right_rest[..right_rest.len() - suffix];

    let mut steps: Vec<Step> = (0..prefix).map(|at| Step::Pair(at, at)).collect();
    steps.extend(align_middle(left_middle, right_middle).into_iter().map(|step| match step {
        Step::Pair(l, r) => Step::Pair(prefix + l, prefix + r),
        Step::Removed(l) => Step::Removed(prefix + l),
        Step::Added(r) => Step::Added(prefix + r),
    }));
    let (left_end, right_end) = (left.len() - suffix, right.len() - suffix);
    steps.extend((0..suffix).map(|at| Step::Pair(left_end + at, right_end + at)));
    steps
}

fn align_middle(left: &[Outline], right: &[Outline]) -> Vec<Step> {
    let width = right.len() + 1;
    // best[l * width + r]: the greatest likeness of left[l..] and right[r..].
    let mut best = vec![0u64; (left.len() + 1) * width];
    let mut likenesses = vec![0u64; left.len() * right.len()];
    for l in (0..left.len()).rev() {
        for r in (0..right.len()).rev() {
            let likeness = left[l].likeness(&right[r]);
            likenesses[l * right.len() + r] = likeness;
            let paired = if likeness > 0 { likeness + best[(l + 1) * width + r + 1] } else { 0 };
            best[l * width + r] = paired.max(best[(l + 1) * width + r]).max(best[l * width + r + 1]);
        }
    }
    let mut steps = Vec::new();
    let (mut l, mut r) = (0, 0);
    while l < left.len() && r < right.len() {
        let here = best[l * width + r];
        let likeness = likenesses[l * right.len() + r];
        if likeness > 0 && here == likeness + best[(l + 1) * width + r + 1] {
            steps.push(Step::Pair(l, r));
            l += 1;
            r += 1;
        } else if here == best[(l + 1) * width + r] {
            steps.push(Step::Removed(l));
            l += 1;
        } else {
            steps.push(Step::Added(r));
            r += 1;
        }
    }
    steps.extend((l..left.len()).map(Step::Removed));
    steps.extend((r..right.len()).map(Step::Added));
    steps
}

/// What alignment looks at in a child.
struct Outline<'a> {
    /// `None` for a text.
    role: Option<&'a str>,
    name: &'a str,
    /// Hash of everything that is printed.
    whole: u64,
    /// Hashes of the parts (texts, nodes, words of the name), with how often each occurs.
    parts: HashMap<u64, u32>,
    part_count: u32,
}

impl<'a> Outline<'a> {
    fn of_child(child: &'a Child) -> Outline<'a> {
        let mut parts = Vec::new();
        let (role, name, whole) = match child {
            Child::Text(text) => {
                parts.extend(text.split(' ').map(hash_of));
                (None, text.as_str(), hash_of(text.as_str()))
            }
            Child::Node(node) => {
                collect_parts(node, &mut parts);
                (Some(node.role.as_str()), node.name.as_str(), whole_hash(child))
            }
        };
        let part_count = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        let mut counted = HashMap::new();
        for part in parts {
            *counted.entry(part).or_default() += 1;
        }
        Outline { role, name, whole, parts: counted, part_count }
    }

    /// 0: never a pair. Equal subtrees count more than any two unequal ones, a name more than content.
    fn likeness(&self, other: &Outline<'_>) -> u64 {
        if self.whole == other.whole {
            return 1000;
        }
        let kinship = match (self.role, other.role) {
            (None, None) => 100,
            (Some(role), Some(other_role)) => match (role == other_role, self.name == other.name) {
                (true, true) => 300,
                (true, false) => 100,
                (false, true) if !self.name.is_empty() => 100,
                (false, _) => return 0,
            },
            _ => return 0,
        };
        let common: u32 =
            self.parts.iter().map(|(part, count)| (*count).min(other.parts.get(part).copied().unwrap_or(0))).sum();
        kinship + u64::from(common) * 200 / u64::from((self.part_count + other.part_count).max(1))
    }
}

fn collect_parts(node: &Node, parts: &mut Vec<u64>) {
    parts.extend(node.name.split(' ').filter(|word| !word.is_empty()).map(hash_of));
    for child in &node.children {
        match child {
            Child::Text(text) => parts.push(hash_of(text.as_str())),
            Child::Node(node) => {
                parts.push(hash_of(node.role.as_str()));
                collect_parts(node, parts);
            }
        }
    }
}

/// Hash of a subtree as it is printed: equal for two children exactly when their YAML is equal.
pub(super) fn whole_hash(child: &Child) -> u64 {
    let mut hasher = DefaultHasher::new();
    hash_whole(child, &mut hasher);
    hasher.finish()
}

fn hash_whole(child: &Child, hasher: &mut DefaultHasher) {
    match child {
        Child::Text(text) => text.as_str().hash(hasher),
        Child::Node(node) => {
            (node.role.as_str(), node.printed_name(), node.states.printed()).hash(hasher);
            for (name, value) in node.properties() {
                (name, value.as_str()).hash(hasher);
            }
            node.children.len().hash(hasher);
            for child in &node.children {
                hash_whole(child, hasher);
            }
        }
    }
}

fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
