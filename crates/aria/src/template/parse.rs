//! Reading templates.

use crate::deep;
use crate::error::ParseErrors;
use crate::pattern::Pattern;
use crate::roles;
use crate::tree::PROPERTIES;
use crate::yaml::key::{Attribute, Key, Name, NodeKey};
use crate::yaml::parse::{NOTHING_BELOW, unknown_property};
use crate::yaml::read::{Entry, Item, Scalar, Value, read};
use crate::yaml::scan::Fail;

/// What a tree must look like: a snapshot in YAML form in which names, texts and properties may be patterns, and lists
/// of children may be parts.
///
/// ```
/// use aria::{Snapshot, Template};
///
/// let template = Template::parse(
///     "- list \"Inbox\":\n  - /children: contain\n  - listitem: /Mail \\d+/\n  - listitem: last",
/// )?;
/// let page = Snapshot::parse_yaml(
///     "- list \"Inbox\":\n  - listitem: first\n  - listitem: Mail 12\n  - listitem: last",
/// )?;
/// assert!(template.matches(&page).is_match());
/// # Ok::<(), aria::Error>(())
/// ```
///
/// # What must be equal
/// A template is compared as a snapshot is: every node, name, state, text and property it shows must be there, and no
/// other. What a page's own snapshot prints is a template that this page matches. `/children` at the head of a list says
/// otherwise:
///
/// | `/children:` | the list | the nodes in it that say nothing |
/// |---|---|---|
/// | `contain` | these, in this order, others may be between | as around the list |
/// | `equal` | exactly these | as around the list |
/// | `deep-equal` | exactly these | deep-equal too |
///
/// Without `/children` a template is `deep-equal`. `contain` or `equal` at the top level is said of the whole template:
/// below it a node need only have what is written (a name, a state, a property or children that are left out are
/// free), and `contain` is looked for anywhere in the tree, as children of one node. `contain` or `equal` further
/// down is said of that list alone.
///
/// States of the full form (`[required]`, `[expanded=false]`, `/value`, …) are compared where they are written, and
/// free elsewhere.
///
/// # Patterns
/// A name, text or property between slashes is a regular expression of the crate `regex`, held against the *whole*
/// text: `/Issue \d+/` does not match "Issue 12 (new)", `/Issue \d+.*/` does. Flags follow the second slash (`/send/i`).
/// An absent name is empty: `/.*/` allows any name or none. Where a text that looks like a pattern is meant, as in
/// `text: /a/b/`, that very text matches too. A token of a volatile value, `{{clock}}`, stands for itself.
#[derive(Debug, Clone)]
pub struct Template {
    pub(super) dialect: Dialect,
    pub(super) list: List,
    pub(super) source: String,
}

/// How a template is read and compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// Equality by default, patterns held against whole texts; see [`Template`].
    #[default]
    Standard,
    /// For templates written for Playwright: what is written must be found in this order anywhere in the tree, patterns
    /// are looked for in texts, `/children` ends an inherited `deep-equal` for good, and what is left out is free.
    /// Mistakes that Playwright lets pass are still errors: unknown roles and properties, `[active]`, invalid patterns;
    /// `/placeholder` is compared.
    Playwright,
}

/// How a list of children is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Contain,
    Equal,
    DeepEqual,
}

impl Mode {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Mode::Contain => "contain",
            Mode::Equal => "equal",
            Mode::DeepEqual => "deep-equal",
        }
    }
}

/// The items of one level.
#[derive(Debug, Clone, Default)]
pub(super) struct List {
    pub(super) mode: Option<Mode>,
    /// Where `/children` stands.
    pub(super) mode_place: Option<Place>,
    pub(super) items: Vec<TemplateItem>,
    pub(super) properties: Vec<Property>,
}

/// `/name: value`
#[derive(Debug, Clone)]
pub(super) struct Property {
    pub(super) name: &'static str,
    pub(super) pattern: Pattern,
    pub(super) place: Place,
}

#[derive(Debug, Clone)]
pub(super) struct TemplateItem {
    pub(super) content: Content,
    pub(super) place: Place,
}

#[derive(Debug, Clone)]
pub(super) enum Content {
    Text(Pattern),
    Node(TemplateNode),
}

#[derive(Debug, Clone)]
pub(super) struct TemplateNode {
    pub(super) role: String,
    pub(super) name: Option<Pattern>,
    pub(super) attributes: Vec<Attribute>,
    pub(super) list: List,
}

/// Where an item stands in the source.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// Line of its key, from 1.
    pub(super) line: usize,
    /// Last line of the item and all below it.
    pub(super) last_line: usize,
    /// Columns before the dash.
    pub(super) indent: usize,
    /// Whether its key, with its value if that is a text, is a line for itself.
    pub(super) is_one_line: bool,
    /// Whether its dash is its own: an item may hold several entries.
    pub(super) is_alone: bool,
    pub(super) comment: Option<String>,
}

impl Template {
    /// Reads a template. Blank lines and comments are skipped, and the whole may be indented. An empty template is the
    /// snapshot of an empty page.
    ///
    /// # Errors
    /// All that is wrong, each with line and column: YAML, roles that do not exist, states and their values, properties,
    /// patterns that are no regular expressions.
    pub fn parse(text: &str) -> Result<Template, ParseErrors> {
        Template::parse_as(text, Dialect::Standard)
    }

    /// Reads a template of a dialect.
    ///
    /// # Errors
    /// As [`Template::parse`].
    pub fn parse_as(text: &str, dialect: Dialect) -> Result<Template, ParseErrors> {
        deep::on_stack_for(deep::levels_of_text(text), || {
            let (items, problems) = read(text);
            let mut build = Build { dialect, problems };
            let list = build.list(items, true);
            match ParseErrors::of("template", text, build.problems) {
                Some(errors) => Err(errors),
                None => Ok(Template { dialect, list, source: text.to_owned() }),
            }
        })
    }
}

struct Build {
    dialect: Dialect,
    problems: Vec<Fail>,
}

impl Build {
    fn list(&mut self, items: Vec<Item>, is_top: bool) -> List {
        let mut list = List::default();
        for item in items {
            let is_alone = item.entries.len() == 1;
            let mut keys: Vec<String> = Vec::new();
            for entry in item.entries {
                let key = entry.key.text();
                if keys.contains(&key) {
                    let problem = format!("`{key}` is twice in one item: start the second with a dash of its own");
                    self.problems.push(entry.key.fail(problem));
                    continue;
                }
                keys.push(key);
                let place = Place {
                    line: entry.key.position().line,
                    last_line: item.last_line,
                    indent: item.indent,
                    is_one_line: is_alone && entry.is_one_line,
                    is_alone,
                    comment: entry.comment.clone(),
                };
                if let Err(fail) = self.entry(entry, place, &mut list, is_top) {
                    self.problems.push(fail);
                }
            }
        }
        list
    }

    fn entry(&mut self, entry: Entry, place: Place, list: &mut List, is_top: bool) -> Result<(), Fail> {
        let start = entry.key.fail("");
        let at_start = |problem: String| Fail { problem, ..start };
        match Key::read(entry.key, &entry.value, &mut self.problems)? {
            Key::Text => {
                let Value::Scalar(value) = &entry.value else {
                    return Err(at_start(
                        "`text` needs a value, such as `text: hello`; put an odd one in double quotes".into(),
                    ));
                };
                let pattern = self.value(value)?;
                list.items.push(TemplateItem { content: Content::Text(pattern), place });
            }
            Key::Property(name) if name == "children" => {
                let mode = match &entry.value {
                    Value::Scalar(value) => {
                        let modes = [Mode::Contain, Mode::Equal, Mode::DeepEqual];
                        modes.into_iter().find(|mode| mode.as_str() == value.text)
                    }
                    _ => None,
                };
                let mode = mode.ok_or_else(|| at_start("/children is contain, equal or deep-equal".into()))?;
                if list.mode.replace(mode).is_some() {
                    return Err(at_start("/children is given twice: keep one".into()));
                }
                list.mode_place = Some(place);
            }
            Key::Property(name) => {
                let Some(name) = PROPERTIES.into_iter().find(|known| *known == name) else {
                    return Err(at_start(unknown_property(&name)));
                };
                if is_top {
                    return Err(at_start(format!("/{name} belongs under a node")));
                }
                let Value::Scalar(value) = &entry.value else {
                    return Err(at_start(format!("/{name} needs a value, such as `/url: /home`")));
                };
                if list.properties.iter().any(|other| other.name == name) {
                    return Err(at_start(format!("/{name} is given twice: keep one")));
                }
                list.properties.push(Property { name, pattern: self.value(value)?, place });
            }
            Key::Node(key) => {
                let mut node = self.node(key);
                match entry.value {
                    Value::Absent => {}
                    Value::Null(at) => return Err(Fail { at, problem: NOTHING_BELOW.into() }),
                    Value::Scalar(value) => {
                        let content = Content::Text(self.value(&value)?);
                        node.list.items.push(TemplateItem { content, place: place.clone() });
                    }
                    Value::Items(items) => node.list = self.list(items, false),
                }
                list.items.push(TemplateItem { content: Content::Node(node), place });
            }
        }
        Ok(())
    }

    fn value(&self, value: &Scalar) -> Result<Pattern, Fail> {
        if value.has_escaped_slash {
            return Ok(Pattern::literal(&value.text));
        }
        Pattern::value(&value.text, self.dialect).map_err(|problem| Fail { at: value.at, problem })
    }

    fn node(&mut self, key: NodeKey) -> TemplateNode {
        if !roles::is_role(&key.role) {
            self.problems.push(Fail { at: key.role_at, problem: roles::unknown(&key.role) });
        }
        let name = key.name.and_then(|name| match name {
            Name::Literal(name) => Some(Pattern::literal(&name)),
            Name::Pattern(source, at) => match Pattern::name(source, self.dialect) {
                Ok(pattern) => Some(pattern),
                Err(problem) => {
                    self.problems.push(Fail { at, problem });
                    None
                }
            },
        });
        TemplateNode { role: key.role, name, attributes: key.attributes, list: List::default() }
    }
}
