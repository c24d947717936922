//! The grammar inside a key: `role "name" [state] [state=value]`, `/property`, `text`.

use super::read::Value;
use super::scan::{Cursor, Fail};
use crate::error::Position;
use crate::states::States;

/// What a key says.
#[derive(Debug)]
pub(crate) enum Key {
    Text,
    Property(String),
    Node(NodeKey),
}

/// The key of a node.
#[derive(Debug)]
pub(crate) struct NodeKey {
    pub(crate) role: String,
    pub(crate) role_at: Position,
    pub(crate) name: Option<Name>,
    pub(crate) attributes: Vec<Attribute>,
}

/// A name in a key.
#[derive(Debug)]
pub(crate) enum Name {
    /// In double quotes; unquoted here.
    Literal(String),
    /// With its slashes and flags.
    Pattern(String, Position),
}

/// `[name=value]`; a value that is not there is `true`.
#[derive(Debug, Clone)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    pub(crate) value: String,
}

impl Key {
    /// Reads the key of an entry with this value. Problems of single attributes are listed, and the attributes left
    /// out; any other problem ends the reading.
    pub(crate) fn read(mut key: Cursor, value: &Value, problems: &mut Vec<Fail>) -> Result<Key, Fail> {
        if key.peek() == Some('/') {
            if matches!(value, Value::Absent) {
                return Err(key.fail("a pattern needs a place: write `text: /…/` or a role before it"));
            }
            key.advance();
            return Ok(Key::Property(key.take_while(|_| true)));
        }
        if key.text() == "text" {
            return Ok(Key::Text);
        }
        NodeKey::read(key, problems).map(Key::Node)
    }
}

impl NodeKey {
    fn read(mut key: Cursor, problems: &mut Vec<Fail>) -> Result<NodeKey, Fail> {
        key.skip_while(char::is_whitespace);
        let role_at = key.position();
        let role = key.take_while(|c| c.is_ascii_alphabetic() || c == '-');
        if role.is_empty() {
            return Err(key.fail("a role is expected, in lower case, such as `button`"));
        }
        key.skip_while(char::is_whitespace);
        let name = match key.peek() {
            Some('"') => Some(Name::Literal(key.json_string()?)),
            Some('/') => {
                let at = key.position();
                Some(Name::Pattern(key.pattern()?, at))
            }
            _ => None,
        };
        let mut attributes: Vec<Attribute> = Vec::new();
        loop {
            key.skip_while(char::is_whitespace);
            if key.peek().is_none() {
                return Ok(NodeKey { role, role_at, name, attributes });
            }
            if key.peek() != Some('[') {
                return Err(key.fail("after the role come a name in double quotes and then states such as [checked]"));
            }
            key.advance();
            let at = key.position();
            let name = key.take_while(|c| c != ']' && c != '=').trim().to_owned();
            let mut value = String::new();
            if key.peek() == Some('=') {
                key.advance();
                value = key.take_while(|c| c != ']').trim().to_owned();
            }
            if key.peek() != Some(']') {
                return Err(key.fail("the state is not closed: `]` is expected"));
            }
            key.advance();
            if value.is_empty() {
                value = "true".into();
            }
            if attributes.iter().any(|other| other.name == name) {
                problems.push(Fail { at, problem: format!("[{name}] is given twice: keep one") });
            } else if let Err(problem) = States::default().set(&name, &value) {
                problems.push(Fail { at, problem });
            } else {
                attributes.push(Attribute { name, value });
            }
        }
    }
}
