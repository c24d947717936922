//! The snapshot tree.

use crate::states::{Form, States};
use crate::text::Text;

/// A captured accessibility tree, normalised: texts merged and trimmed, none repeating its node's name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// The top level: the captured element's node, or what is in it when it has no role.
    pub children: Vec<Child>,
}

/// A child of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "most children are nodes, and a box would be in every pattern")]
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
    /// The value of a slider, spin button, scroll bar, progress bar or meter, as it is announced. Full form, as the two
    /// that follow.
    pub value: Option<Text>,
    /// The accessible description.
    pub description: Option<Text>,
    /// Keys that activate it: `aria-keyshortcuts`.
    pub keyshortcuts: Option<Text>,
    /// Nodes and texts in reading order; two texts are never neighbours.
    pub children: Vec<Child>,
}

/// Longest name, in UTF-16 units, that is printed in a key: YAML allows an implicit key 1,024 characters.
pub(crate) const LONGEST_NAME: usize = 900;

/// Names of properties, in the order in which they are printed.
pub(crate) const PROPERTIES: [&str; 5] = ["url", "placeholder", "value", "description", "keyshortcuts"];

/// Whether Playwright's form prints the property.
pub(crate) fn is_plain_property(name: &str) -> bool {
    matches!(name, "url" | "placeholder")
}

impl Node {
    /// Whether the key shows the name.
    pub(crate) fn prints_name(&self) -> bool {
        !self.name.is_empty() && self.name.encode_utf16().count() <= LONGEST_NAME
    }

    /// The name as the key shows it; empty when it does not.
    pub(crate) fn printed_name(&self) -> &str {
        if self.prints_name() { &self.name } else { "" }
    }

    /// How messages call the node: `button "Send"`, or the role alone.
    pub(crate) fn label(&self) -> String {
        label(&self.role, &self.name)
    }

    /// The properties that a form prints, in order, with their names.
    pub(crate) fn properties(&self, form: Form) -> impl Iterator<Item = (&'static str, &Text)> {
        let shown = PROPERTIES.into_iter().filter(move |name| form == Form::Full || is_plain_property(name));
        shown.filter_map(|name| self.property(name).map(|value| (name, value)))
    }

    /// A property by its name.
    pub(crate) fn property(&self, name: &str) -> Option<&Text> {
        match name {
            "url" => self.url.as_ref(),
            "placeholder" => self.placeholder.as_ref(),
            "value" => self.value.as_ref(),
            "description" => self.description.as_ref(),
            "keyshortcuts" => self.keyshortcuts.as_ref(),
            _ => None,
        }
    }

    /// Where a property is kept; `None` when there is none of this name.
    pub(crate) fn property_mut(&mut self, name: &str) -> Option<&mut Option<Text>> {
        match name {
            "url" => Some(&mut self.url),
            "placeholder" => Some(&mut self.placeholder),
            "value" => Some(&mut self.value),
            "description" => Some(&mut self.description),
            "keyshortcuts" => Some(&mut self.keyshortcuts),
            _ => None,
        }
    }
}

/// How messages call a node. A long name is cut.
pub(crate) fn label(role: &str, name: &str) -> String {
    if name.is_empty() {
        return role.to_owned();
    }
    match name.char_indices().nth(60) {
        None => format!("{role} \"{name}\""),
        Some((end, _)) => format!("{role} \"{}…\"", &name[..end]),
    }
}
