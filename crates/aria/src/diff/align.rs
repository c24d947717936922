//! Which child of one node is which child of the other.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::printed::Printed;

/// One step through two lists of children, by index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Pair(usize, usize),
    Removed(usize),
    Added(usize),
}

/// Likeness of two equal children.
pub(crate) const EQUAL: u64 = 1000;

/// Above so many pairs of children the lists are paired in order, not by the best choice: the table would not fit.
const MOST_PAIRS: usize = 4_000_000;

/// Pairs the children of two lists, by their lengths, so that the sum of their likeness is greatest, keeping the order
/// (a weighted longest common subsequence). Removals come before additions. A likeness of 0 is never a pair.
pub(crate) fn align(left: usize, right: usize, likeness: impl Fn(usize, usize) -> u64) -> Vec<Step> {
    // Equal ends pair with themselves; the table is only for what is between.
    let shorter = left.min(right);
    let prefix = (0..shorter).take_while(|&at| likeness(at, at) == EQUAL).count();
    let is_equal_end = |&back: &usize| likeness(left - 1 - back, right - 1 - back) == EQUAL;
    let suffix = (0..shorter - prefix).take_while(is_equal_end).count();

    let mut steps: Vec<Step> = (0..prefix).map(|at| Step::Pair(at, at)).collect();
    let between = |l: usize, r: usize| likeness(prefix + l, prefix + r);
    let (left_middle, right_middle) = (left - prefix - suffix, right - prefix - suffix);
    let middle = if left_middle.saturating_mul(right_middle) > MOST_PAIRS {
        align_in_order(left_middle, right_middle, between)
    } else {
        align_middle(left_middle, right_middle, between)
    };
    steps.extend(middle.into_iter().map(|step| match step {
        Step::Pair(l, r) => Step::Pair(prefix + l, prefix + r),
        Step::Removed(l) => Step::Removed(prefix + l),
        Step::Added(r) => Step::Added(prefix + r),
    }));
    steps.extend((0..suffix).map(|at| Step::Pair(left - suffix + at, right - suffix + at)));
    steps
}

fn align_in_order(left: usize, right: usize, likeness: impl Fn(usize, usize) -> u64) -> Vec<Step> {
    let both = (0..left.min(right)).flat_map(|at| match likeness(at, at) {
        0 => vec![Step::Removed(at), Step::Added(at)],
        _ => vec![Step::Pair(at, at)],
    });
    let rest = (right..left).map(Step::Removed).chain((left..right).map(Step::Added));
    both.chain(rest).collect()
}

fn align_middle(left: usize, right: usize, likeness: impl Fn(usize, usize) -> u64) -> Vec<Step> {
    let width = right + 1;
    // best[l * width + r]: the greatest likeness of left[l..] and right[r..].
    let mut best = vec![0u64; (left + 1) * width];
    let mut likenesses = vec![0u64; left * right];
    for l in (0..left).rev() {
        for r in (0..right).rev() {
            let likeness = likeness(l, r);
            likenesses[l * right + r] = likeness;
            let paired = if likeness > 0 { likeness + best[(l + 1) * width + r + 1] } else { 0 };
            best[l * width + r] = paired.max(best[(l + 1) * width + r]).max(best[l * width + r + 1]);
        }
    }
    let mut steps = Vec::new();
    let (mut l, mut r) = (0, 0);
    while l < left && r < right {
        let here = best[l * width + r];
        let likeness = likenesses[l * right + r];
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
    steps.extend((l..left).map(Step::Removed));
    steps.extend((r..right).map(Step::Added));
    steps
}

/// What alignment looks at in a child.
pub(crate) struct Outline<'a> {
    item: &'a Printed<'a>,
    /// Hash of everything that is printed.
    whole: u64,
    /// Looked at only where a child has no equal.
    parts: OnceCell<Parts>,
}

/// Hashes of the parts (texts, nodes, words of the name), with how often each occurs.
struct Parts {
    counted: HashMap<u64, u32>,
    total: u32,
}

impl<'a> Outline<'a> {
    pub(crate) fn of(item: &'a Printed<'a>) -> Outline<'a> {
        Outline { item, whole: whole_hash(item), parts: OnceCell::new() }
    }

    fn parts(&self) -> &Parts {
        self.parts.get_or_init(|| {
            let mut parts = Vec::new();
            collect_parts(self.item, &mut parts);
            let total = u32::try_from(parts.len()).unwrap_or(u32::MAX);
            let mut counted = HashMap::new();
            for part in parts {
                *counted.entry(part).or_default() += 1;
            }
            Parts { counted, total }
        })
    }

    /// 0: never a pair. Equal subtrees count more than any two unequal ones, a name more than content.
    pub(super) fn likeness(&self, other: &Outline<'_>) -> u64 {
        if self.whole == other.whole { EQUAL } else { self.kinship(other, self.item.text == other.item.text) }
    }

    /// The likeness of two that are not equal, but may have one name.
    pub(crate) fn kinship(&self, other: &Outline<'_>, has_same_name: bool) -> u64 {
        let kinship = match (self.item.role, other.item.role) {
            (None, None) => 100,
            (Some(role), Some(other_role)) => match (role == other_role, has_same_name) {
                (true, true) => 300,
                (true, false) => 100,
                (false, true) if !self.item.text.text.is_empty() => 100,
                (false, _) => return 0,
            },
            _ => return 0,
        };
        let (own, others) = (self.parts(), other.parts());
        let shared = |(part, count): (&u64, &u32)| (*count).min(others.counted.get(part).copied().unwrap_or(0));
        let common: u32 = own.counted.iter().map(shared).sum();
        kinship + u64::from(common) * 200 / u64::from((own.total + others.total).max(1))
    }
}

/// Of a text its words; of a node the words of its name, and the roles and texts below it.
fn collect_parts(item: &Printed<'_>, parts: &mut Vec<u64>) {
    parts.extend(item.text.text.split(' ').filter(|word| !word.is_empty()).map(hash_of));
    for child in &item.children {
        match child.role {
            None => parts.push(hash_of(&child.text.text)),
            Some(role) => {
                parts.push(hash_of(role));
                collect_parts(child, parts);
            }
        }
    }
}

/// Hash of a subtree as it is printed: equal for two children exactly when their YAML is equal.
pub(super) fn whole_hash(item: &Printed<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    hash_whole(item, &mut hasher);
    hasher.finish()
}

fn hash_whole(item: &Printed<'_>, hasher: &mut DefaultHasher) {
    (item.role, &item.text, &item.states, &item.properties, item.children.len()).hash(hasher);
    for child in &item.children {
        hash_whole(child, hasher);
    }
}

fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
