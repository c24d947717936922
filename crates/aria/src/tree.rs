//! The snapshot tree.

use crate::states::States;
use crate::text::Text;

/// A captured accessibility tree, normalised: texts merged and trimmed, none repeating its node's name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// The top level: the captured element's node, or what is in it when it has no role.
    pub children: Vec<Child>,
}

/// A child of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Child {
    /// An element with a role.
    Node(Node),
    /// Text between the nodes.
    Text(Text),
}

/// An element with a role.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Node {
    /// The computed ARIA role, such as `button`.
    pub role: String,
    /// The accessible name; empty when there is none.
    pub name: Text,
    /// What the node prints in brackets.
    pub states: States,
    /// A link's address, as the page wrote it.
    pub url: Option<Text>,
    /// A text box's placeholder, when it is not the name.
    pub placeholder: Option<Text>,
    /// Nodes and texts in reading order; two texts are never neighbours.
    pub children: Vec<Child>,
}

/// Longest name, in UTF-16 units, that is printed in a key: YAML allows an implicit key 1,024 characters.
pub(crate) const LONGEST_NAME: usize = 900;

impl Node {
    /// Whether the key shows the name.
    pub(crate) fn prints_name(&self) -> bool {
        !self.name.is_empty() && self.name.encode_utf16().count() <= LONGEST_NAME
    }

    /// The name as the key shows it; empty when it does not.
    pub(crate) fn printed_name(&self) -> &str {
        if self.prints_name() { &self.name } else { "" }
    }

    /// How messages call the node: `button "Send"`, or the role alone. A long name is cut.
    pub(crate) fn label(&self) -> String {
        if self.name.is_empty() {
            return self.role.clone();
        }
        match self.name.char_indices().nth(60) {
            None => format!("{} \"{}\"", self.role, self.name),
            Some((end, _)) => format!("{} \"{}…\"", self.role, &self.name[..end]),
        }
    }

    /// The properties in the order in which they are printed, with their names.
    pub(crate) fn properties(&self) -> impl Iterator<Item = (&'static str, &Text)> {
        [("url", &self.url), ("placeholder", &self.placeholder)]
            .into_iter()
            .filter_map(|(name, value)| value.as_ref().map(|value| (name, value)))
    }
}
