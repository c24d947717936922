//! The one place where a raw tree becomes a snapshot tree.

use crate::text::Text;
use crate::tree::{Child, Node};

/// Merges neighbouring texts, trims and collapses them, drops empty ones, then drops a lone text that only repeats its
/// node's name, and generic nodes that hold nothing.
pub(crate) fn normalise(raw: Vec<Child>) -> Vec<Child> {
    let mut children = Vec::new();
    let mut pending = Vec::new();
    for child in raw {
        match child {
            Child::Text(text) => pending.push(text),
            Child::Node(mut node) => {
                node.name = Text::normalised([&node.name]);
                node.children = normalise(node.children);
                drop_repeated_name(&mut node);
                if node.role == "generic" && node.name.is_empty() && node.children.is_empty() {
                    continue;
                }
                push_merged(&mut children, &mut pending);
                children.push(Child::Node(node));
            }
        }
    }
    push_merged(&mut children, &mut pending);
    children
}

fn push_merged(children: &mut Vec<Child>, pending: &mut Vec<Text>) {
    let text = Text::normalised(pending.iter());
    pending.clear();
    if !text.is_empty() {
        children.push(Child::Text(text));
    }
}

/// A name too long to be printed keeps its text, or the content would be nowhere.
fn drop_repeated_name(node: &mut Node) {
    if let [Child::Text(text)] = node.children.as_slice()
        && text.as_str() == node.name.as_str()
        && node.prints_name()
    {
        node.children.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Child {
        Child::Text(text.into())
    }

    fn node(role: &str, name: &str, children: Vec<Child>) -> Child {
        Child::Node(Node { role: role.into(), name: name.into(), children, ..Node::default() })
    }

    #[test]
    fn neighbouring_texts_become_one() {
        let raw = vec![text("a"), text(" "), text("\n b"), node("img", "", vec![]), text("  "), text("c")];
        assert_eq!(normalise(raw), [text("a b"), node("img", "", vec![]), text("c")]);
    }

    #[test]
    fn texts_around_an_empty_generic_become_one() {
        assert_eq!(normalise(vec![text("a"), node("generic", "", vec![text(" ")]), text("b")]), [text("ab")]);
    }

    #[test]
    fn lone_text_that_repeats_the_name_is_dropped() {
        let raw = vec![node("button", "Send now", vec![text(" Send "), text(" now")])];
        assert_eq!(normalise(raw), [node("button", "Send now", vec![])]);
    }

    #[test]
    fn text_of_a_name_too_long_to_print_is_kept() {
        let long = "x".repeat(901);
        let raw = vec![node("button", &long, vec![text(&long)])];
        assert_eq!(normalise(raw.clone()), raw);
    }
}
