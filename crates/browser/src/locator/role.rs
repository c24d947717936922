//! Finding by role: the options, and the roles there are.

use super::TextMatch;
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt;

/// What elements of a role are meant, for `get_by_role`. A text stands for options with this name alone.
///
/// ```
/// use browser::{RoleOptions, TextMatch};
///
/// let open_menu = RoleOptions::name("More").expanded(true);
/// let any_heading_of_level_2 = RoleOptions::default().level(2);
/// let by_pattern = RoleOptions::name(TextMatch::regex("^Send( now)?$"));
/// # let _ = (open_menu, any_heading_of_level_2, by_pattern);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RoleOptions {
    name: TextMatch,
    description: TextMatch,
    /// In the order given, for messages.
    states: Map<String, Value>,
    include_hidden: bool,
}

impl Default for RoleOptions {
    fn default() -> Self {
        Self { name: TextMatch::Any, description: TextMatch::Any, states: Map::new(), include_hidden: false }
    }
}

impl<T: Into<TextMatch>> From<T> for RoleOptions {
    fn from(name: T) -> Self {
        Self { name: name.into(), ..Self::default() }
    }
}

impl RoleOptions {
    /// Elements with this accessible name.
    pub fn name(name: impl Into<TextMatch>) -> Self {
        Self::from(name)
    }

    /// With this accessible description.
    pub fn description(mut self, description: impl Into<TextMatch>) -> Self {
        self.description = description.into();
        self
    }

    fn state(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.states.insert(name.to_owned(), value.into());
        self
    }

    /// Checked, or not. Elements that can't be checked count as not.
    pub fn checked(self, checked: bool) -> Self {
        self.state("checked", checked)
    }

    /// A checkbox that is neither checked nor not.
    pub fn checked_mixed(self) -> Self {
        self.state("checked", "mixed")
    }

    /// Disabled, or not.
    pub fn disabled(self, disabled: bool) -> Self {
        self.state("disabled", disabled)
    }

    /// Expanded, or collapsed. Elements that can be neither match neither.
    pub fn expanded(self, expanded: bool) -> Self {
        self.state("expanded", expanded)
    }

    /// Of this level: headings, list items, rows, tree items.
    pub fn level(self, level: u32) -> Self {
        self.state("level", level)
    }

    /// A toggle button that is pressed, or a button that is not.
    pub fn pressed(self, pressed: bool) -> Self {
        self.state("pressed", pressed)
    }

    /// A toggle button that is neither pressed nor not.
    pub fn pressed_mixed(self) -> Self {
        self.state("pressed", "mixed")
    }

    /// Selected, or not.
    pub fn selected(self, selected: bool) -> Self {
        self.state("selected", selected)
    }

    /// Also elements that are hidden from assistive technology.
    pub fn include_hidden(mut self) -> Self {
        self.include_hidden = true;
        self
    }
}

/// As the second argument of `get_by_role`; nothing for default options.
impl fmt::Display for RoleOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name != TextMatch::Any {
            write!(f, ", {}", self.name)?;
        }
        if self.description != TextMatch::Any {
            write!(f, ", description {}", self.description)?;
        }
        for (name, value) in &self.states {
            write!(f, ", {name}={}", value.to_string().trim_matches('"'))?;
        }
        f.write_str(if self.include_hidden { ", hidden too" } else { "" })
    }
}

/// Every role an exposed element can have: WAI-ARIA 1.2 and 1.3, DPUB-ARIA, Graphics-ARIA, and `iframe`.
const ROLES: &str = "alert alertdialog application article banner blockquote button caption cell checkbox code \
    columnheader combobox comment complementary contentinfo definition deletion dialog directory document emphasis feed \
    figure form grid gridcell group heading iframe img insertion link list listbox listitem log main mark marquee math menu \
    menubar menuitem menuitemcheckbox menuitemradio meter navigation note option paragraph progressbar radio radiogroup \
    region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript \
    suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid \
    treeitem graphics-document graphics-object graphics-symbol doc-abstract doc-acknowledgments doc-afterword \
    doc-appendix doc-backlink doc-biblioentry doc-bibliography doc-biblioref doc-chapter doc-colophon doc-conclusion \
    doc-cover doc-credit doc-credits doc-dedication doc-endnote doc-endnotes doc-epigraph doc-epilogue doc-errata \
    doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index doc-introduction doc-noteref doc-notice \
    doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface doc-prologue doc-pullquote doc-qna \
    doc-subtitle doc-tip doc-toc";

/// What is wrong with a role name, if anything.
pub(super) fn refusal(role: &str) -> Option<String> {
    let known = || ROLES.split_whitespace();
    if known().any(|name| name == role) {
        return None;
    }
    if ["generic", "none", "presentation"].contains(&role) {
        return Some(format!("elements of role {role:?} are not exposed by role; use a CSS selector"));
    }
    let nearest = known().min_by_key(|name| distance(name, &role.to_lowercase()));
    Some(format!("{role:?} is no ARIA role; did you mean {:?}?", nearest.unwrap_or_default()))
}

/// How many letters must be put in, taken out or changed to get from one word to the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let changed = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_role_is_refused_with_the_nearest_one() {
        let said = |role| refusal(role).unwrap_or_default();
        assert_eq!(said("buton"), r#""buton" is no ARIA role; did you mean "button"?"#);
        assert_eq!(said("Heading"), r#""Heading" is no ARIA role; did you mean "heading"?"#);
        assert_eq!(said("list item"), r#""list item" is no ARIA role; did you mean "listitem"?"#);
        assert!(said("generic").ends_with("use a CSS selector"));
        assert_eq!((refusal("button"), refusal("doc-toc")), (None, None));
    }
}
