//! Reading the forms that [`Snapshot::to_yaml`] and [`Snapshot::to_yaml_full`] print.

use super::key::{Key, Name, NodeKey};
use super::read::{Entry, Item, Scalar, Value, read};
use super::scan::Fail;
use crate::deep;
use crate::error::{Error, ParseErrors, Result};
use crate::normalise::normalise;
use crate::text::Text;
use crate::tree::{Child, Node, Snapshot};

impl Snapshot {
    /// Reads a snapshot in its YAML form, plain or full, normalised as a captured one. Blank lines and comments are
    /// skipped, and the whole may be indented.
    ///
    /// # Errors
    /// [`Error::Parse`] with every problem and its line and column for anything else than a snapshot; patterns and
    /// `/children` belong to templates, not to snapshots.
    pub fn parse_yaml(yaml: &str) -> Result<Snapshot> {
        deep::on_stack_for(deep::levels_of_text(yaml), || {
            let (items, problems) = read(yaml);
            let mut build = Build { problems };
            let mut top = Node::default();
            build.items(items, &mut top);
            match ParseErrors::of("snapshot", yaml, build.problems) {
                Some(errors) => Err(Error::Parse(errors)),
                None => Ok(Snapshot { children: normalise(top.children) }),
            }
        })
    }
}

struct Build {
    problems: Vec<Fail>,
}

impl Build {
    fn items(&mut self, items: Vec<Item>, parent: &mut Node) {
        for entry in items.into_iter().flat_map(|item| item.entries) {
            if let Err(fail) = self.entry(entry, parent) {
                self.problems.push(fail);
            }
        }
    }

    fn entry(&mut self, entry: Entry, parent: &mut Node) -> Result<(), Fail> {
        let start = entry.key.fail("");
        let at_start = |problem: &str| Err(Fail { problem: problem.into(), ..start });
        match Key::read(entry.key, &entry.value, &mut self.problems)? {
            Key::Text => match entry.value {
                Value::Scalar(Scalar { text, .. }) => parent.children.push(Child::Text(text.into())),
                _ => return at_start("`text` needs a value, such as `text: hello`; put an odd one in double quotes"),
            },
            Key::Property(name) => {
                let Value::Scalar(value) = entry.value else {
                    return at_start(&format!("/{name} needs a value, such as `/url: /home`"));
                };
                set_property(parent, &name, value.text.into()).or_else(|problem| at_start(&problem))?;
            }
            Key::Node(key) => {
                let mut node = self.node(key)?;
                match entry.value {
                    Value::Absent => {}
                    Value::Null(at) => return Err(Fail { at, problem: NOTHING_BELOW.into() }),
                    Value::Scalar(value) => node.children.push(Child::Text(value.text.into())),
                    Value::Items(items) => self.items(items, &mut node),
                }
                parent.children.push(Child::Node(node));
            }
        }
        Ok(())
    }

    fn node(&mut self, key: NodeKey) -> Result<Node, Fail> {
        if key.role.contains(|c: char| c.is_ascii_uppercase()) {
            let problem = "a role is expected, in lower case, such as `button`".into();
            return Err(Fail { at: key.role_at, problem });
        }
        let mut node = Node { role: key.role, ..Node::default() };
        match key.name {
            Some(Name::Literal(name)) => node.name = name.into(),
            Some(Name::Pattern(_, at)) => {
                let problem = "a pattern belongs to a template; a snapshot has the name as it was seen".into();
                return Err(Fail { at, problem });
            }
            None => {}
        }
        for attribute in key.attributes {
            node.states.set(&attribute.name, &attribute.value).map_err(|problem| Fail { at: key.role_at, problem })?;
        }
        Ok(node)
    }
}

/// Of a role with a colon and no more.
pub(crate) const NOTHING_BELOW: &str =
    "ends with a colon but nothing is below it: drop the colon or indent its children";

fn set_property(node: &mut Node, name: &str, value: Text) -> Result<(), String> {
    if name == "children" {
        return Err("/children says how a template matches; a snapshot has only what was seen".into());
    }
    let is_top = node.role.is_empty();
    let slot = node.property_mut(name).ok_or_else(|| unknown_property(name))?;
    if is_top {
        return Err(format!("/{name} belongs under a node"));
    }
    if slot.replace(value).is_some() {
        return Err(format!("/{name} is given twice"));
    }
    Ok(())
}

/// What is wrong with a property that no node has.
pub(crate) fn unknown_property(name: &str) -> String {
    let known: Vec<_> = crate::tree::PROPERTIES.iter().map(|name| format!("/{name}")).collect();
    format!("there is no property /{name}; known are {}", known.join(", "))
}

#[cfg(test)]
pub(crate) mod tests;
