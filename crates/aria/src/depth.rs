//! The upper part of a snapshot.

use crate::deep;
use crate::tree::{Child, Snapshot};

impl Snapshot {
    /// The nodes down to `depth`, with the top level at 0. Those at `depth` keep a text that is all they hold, and
    /// nothing else that is in them.
    #[must_use]
    pub fn with_depth(self, depth: usize) -> Snapshot {
        let levels = deep::levels_of(&self);
        let children =
            deep::on_stack_for(levels, || self.children.into_iter().map(|child| cut(child, depth)).collect());
        Snapshot { children }
    }
}

fn cut(child: Child, depth: usize) -> Child {
    let Child::Node(mut node) = child else { return child };
    if depth > 0 {
        node.children = node.children.into_iter().map(|child| cut(child, depth - 1)).collect();
    } else if !matches!(node.children.as_slice(), [Child::Text(_)]) {
        node.children.clear();
    }
    Child::Node(node)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_at_the_depth_keep_a_lone_text_only() {
        let yaml =
            "- text: a\n- list:\n  - listitem: b\n  - listitem:\n    - text: c\n    - list:\n      - listitem: d";
        let snapshot = Snapshot::parse_yaml(yaml).unwrap();
        assert_eq!(snapshot.clone().with_depth(0).to_yaml(), "- text: a\n- list");
        assert_eq!(snapshot.clone().with_depth(1).to_yaml(), "- text: a\n- list:\n  - listitem: b\n  - listitem");
        assert_eq!(snapshot.clone().with_depth(2).to_yaml(), yaml.replace(":\n      - listitem: d", ""));
        assert_eq!(snapshot.clone().with_depth(9), snapshot);
    }
}
