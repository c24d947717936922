//! Reading the form that [`Snapshot::to_yaml`] prints.
//!
//! It is a small corner of YAML (block sequences, one-line scalars, comments) with a grammar of its own inside the keys,
//! and goldens are edited by hand: so errors must point into the key. A YAML library would give neither the columns
//! inside quoted keys nor the scalars as written (`1.10` is a text here, not a number).

use super::scan::{Cursor, Fail};
use crate::error::{Error, Result};
use crate::normalise::normalise;
use crate::text::Text;
use crate::tree::{Child, Node, Snapshot};

impl Snapshot {
    /// Reads a snapshot in its YAML form, normalised as a captured one. Blank lines and comments are skipped, and the
    /// whole may be indented.
    ///
    /// # Errors
    /// [`Error::Parse`] with line and column for anything else than a snapshot; patterns and `/children` belong to
    /// templates, not to snapshots.
    pub fn parse_yaml(yaml: &str) -> Result<Snapshot> {
        let parse = || -> Result<Vec<Child>, Fail> {
            let lines: Vec<Line> = (1..)
                .zip(yaml.split('\n'))
                .filter_map(|(n, text)| Line::new(n, text).transpose())
                .collect::<Result<_, _>>()?;
            let mut top = Node::default();
            let mut rest = lines.as_slice();
            if let Some(first) = rest.first() {
                read_items(&mut rest, first.indent, &mut top)?;
            }
            if let Some(line) = rest.first() {
                return Err(line.fail("is indented less than the lines before it: align it with its siblings"));
            }
            Ok(top.children)
        };
        let children = parse().map_err(|fail| {
            let source = yaml.split('\n').nth(fail.line - 1).unwrap_or_default();
            let caret = " ".repeat(fail.column - 1);
            Error::Parse {
                line: fail.line,
                column: fail.column,
                problem: fail.problem,
                excerpt: format!("  {source}\n  {caret}^"),
            }
        })?;
        Ok(Snapshot { children: normalise(children) })
    }
}

/// A line that holds an item.
struct Line {
    number: usize,
    /// Columns before the dash.
    indent: usize,
    /// What follows the dash and its spaces.
    item: Cursor,
}

impl Line {
    /// `None` for a blank line or a comment.
    fn new(number: usize, text: &str) -> Result<Option<Line>, Fail> {
        let mut cursor = Cursor::new(number, text.strip_suffix('\r').unwrap_or(text));
        cursor.skip_while(|c| c == ' ');
        let indent = cursor.position();
        match cursor.peek() {
            None | Some('#') => return Ok(None),
            Some('\t') => return Err(cursor.fail("a tab cannot indent: use two spaces a level")),
            Some('-') => {}
            Some(_) => return Err(cursor.fail("an item starts with `- `, such as `- button \"Send\"`")),
        }
        cursor.advance();
        if cursor.peek() != Some(' ') {
            return Err(cursor.fail("after the dash comes a space and then a role, `text:` or a property"));
        }
        cursor.skip_while(|c| c == ' ');
        Ok(Some(Line { number, indent, item: cursor }))
    }

    fn fail(&self, problem: &str) -> Fail {
        Fail { line: self.number, column: self.indent + 1, problem: problem.into() }
    }
}

/// Reads the items at one indent, and what is under each, into a node.
fn read_items(rest: &mut &[Line], indent: usize, parent: &mut Node) -> Result<(), Fail> {
    while let Some((line, below)) = rest.split_first() {
        if line.indent < indent {
            return Ok(());
        }
        if line.indent > indent {
            return Err(line.fail("is indented more than its siblings, but the line before it takes no children"));
        }
        *rest = below;
        let mut cursor = line.item.clone();
        match Item::read(&mut cursor)? {
            Item::Text(text) => parent.children.push(Child::Text(text)),
            Item::Property { name, value, at } => set_property(parent, &name, value, at)?,
            Item::Node { mut node, has_block } => {
                if has_block {
                    match rest.first() {
                        Some(child) if child.indent > indent => read_items(rest, child.indent, &mut node)?,
                        _ => {
                            return Err(line.fail(
                                "ends with a colon but nothing is below it: drop the colon or indent its children",
                            ));
                        }
                    }
                }
                parent.children.push(Child::Node(node));
            }
        }
    }
    Ok(())
}

fn set_property(node: &mut Node, name: &str, value: Text, at: Fail) -> Result<(), Fail> {
    let at_problem = |problem: String| Err(Fail { problem, ..at });
    let slot = match name {
        "url" => &mut node.url,
        "placeholder" => &mut node.placeholder,
        "children" => {
            return at_problem("/children says how a template matches; a snapshot has only what was seen".into());
        }
        _ => return at_problem(format!("there is no property /{name}; known are /url and /placeholder")),
    };
    if node.role.is_empty() {
        return at_problem(format!("/{name} belongs under a node"));
    }
    if slot.replace(value).is_some() {
        return Err(Fail { problem: format!("/{name} is given twice"), ..at });
    }
    Ok(())
}

/// What one line says.
enum Item {
    Text(Text),
    Property { name: String, value: Text, at: Fail },
    Node { node: Node, has_block: bool },
}

impl Item {
    fn read(cursor: &mut Cursor) -> Result<Item, Fail> {
        let start = cursor.fail("");
        let mut key = cursor.key()?;
        let has_colon = cursor.peek() == Some(':');
        if has_colon {
            cursor.advance();
        }
        let value = cursor.value()?;
        if key.peek() == Some('/') {
            key.advance();
            let name = key.take_while(|_| true);
            let Some(value) = value else {
                return Err(Fail { problem: format!("/{name} needs a value, such as `/url: /home`"), ..start });
            };
            return Ok(Item::Property { name, value: value.into(), at: start });
        }
        if key.rest_is("text") {
            return match value {
                Some(text) => Ok(Item::Text(text.into())),
                None => Err(Fail { problem: "`text` needs a value, such as `text: hello`".into(), ..start }),
            };
        }
        let mut node = read_key(&mut key)?;
        let has_block = has_colon && value.is_none();
        if let Some(text) = value {
            node.children.push(Child::Text(text.into()));
        }
        Ok(Item::Node { node, has_block })
    }
}

/// `role "name" [state] [state=value]`
fn read_key(key: &mut Cursor) -> Result<Node, Fail> {
    let is_role = |c: char| c.is_ascii_lowercase() || c == '-';
    let role = key.take_while(is_role);
    if role.is_empty() {
        return Err(key.fail("a role is expected, in lower case, such as `button`"));
    }
    let mut node = Node { role, ..Node::default() };
    key.skip_while(|c| c == ' ');
    match key.peek() {
        Some('"') => node.name = key.json_string()?.into(),
        Some('/') => return Err(key.fail("a pattern belongs to a template; a snapshot has the name as it was seen")),
        _ => {}
    }
    loop {
        key.skip_while(|c| c == ' ');
        if key.peek().is_none() {
            return Ok(node);
        }
        if key.peek() != Some('[') {
            return Err(key.fail("after the role come a name in double quotes and then states such as [checked]"));
        }
        key.advance();
        let at = key.fail("");
        let name = key.take_while(|c| c != ']' && c != '=');
        let mut value = "true".to_owned();
        if key.peek() == Some('=') {
            key.advance();
            value = key.take_while(|c| c != ']');
        }
        if key.peek() != Some(']') {
            return Err(key.fail("the state is not closed: `]` is expected"));
        }
        key.advance();
        node.states.set(name.trim(), value.trim()).map_err(|problem| Fail { problem, ..at })?;
    }
}

#[cfg(test)]
mod tests;
