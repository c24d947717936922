//! Trees deeper than a thread's stack allows: a page may nest elements as deep as it likes, and must not end the test
//! process by it.

use std::thread;

use crate::tree::{Child, Snapshot};

/// Levels that any stack holds.
const SHALLOW: usize = 100;

/// Stack for one level, in bytes, in an unoptimised build; only what is used becomes memory.
const LEVEL: usize = 24 * 1024;

/// Does recursive work on a tree or text of so many levels, on a stack that holds them.
pub(crate) fn on_stack_for<T: Send>(levels: usize, work: impl FnOnce() -> T + Send) -> T {
    if levels <= SHALLOW {
        return work();
    }
    let done = thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(levels.saturating_mul(LEVEL)).spawn_scoped(scope, work);
        thread.unwrap_or_else(|error| panic!("no thread for a tree of {levels} levels: {error}")).join()
    });
    done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Levels of a snapshot.
pub(crate) fn levels_of(snapshot: &Snapshot) -> usize {
    let mut deepest = 0;
    let mut open: Vec<(&[Child], usize)> = vec![(&snapshot.children, 1)];
    while let Some((children, depth)) = open.pop() {
        deepest = deepest.max(depth);
        open.extend(children.iter().filter_map(|child| match child {
            Child::Node(node) => Some((node.children.as_slice(), depth + 1)),
            Child::Text(_) => None,
        }));
    }
    deepest
}

/// Levels that a text in YAML form may have: each is indented by one column at least, or opens a bracket.
pub(crate) fn levels_of_text(text: &str) -> usize {
    let indent = |line: &str| line.len() - line.trim_start().len();
    text.lines().map(indent).max().unwrap_or(0) + text.matches('[').count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Template, diff};

    #[test]
    fn deep_tree_is_handled_on_a_small_stack() {
        let rows: Vec<_> = (0..400).map(|depth| format!(r#"{{"depth":{depth},"role":"group","name":"g"}}"#)).collect();
        let json = format!(r#"{{"marked":false,"rows":[{}]}}"#, rows.join(","));
        let snapshot = Snapshot::from_json(&json).unwrap();
        let yaml = snapshot.to_yaml();
        assert_eq!(yaml.lines().count(), 400);
        let other = Snapshot::parse_yaml(&yaml.replacen("\"g\"", "\"h\"", 1)).unwrap();
        assert_eq!(diff(&other, &snapshot).changes().len(), 1);
        let template = Template::parse(&yaml).unwrap();
        assert!(template.is_match(&snapshot.apply_tokens(&[]).unwrap()));
        assert!(!template.matches(&other).is_match());
        assert_eq!(template.rebaseline(&other), other.to_yaml());
        assert!(snapshot.to_json().is_array());
        assert_eq!(snapshot.to_template(), yaml);
        assert_eq!(snapshot.with_depth(0).to_yaml(), "- group \"g\"");
    }

    #[test]
    fn panic_of_deep_work_is_the_callers() {
        let caught = std::panic::catch_unwind(|| on_stack_for(SHALLOW + 1, || assert_eq!(1, 2, "deep down")));
        assert!(caught.unwrap_err().downcast_ref::<String>().unwrap().contains("deep down"));
    }
}
