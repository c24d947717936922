//! The JSON form, for tools.

use serde_json::{Map, Value};

use crate::deep;
use crate::states::{self, Form};
use crate::tree::{Child, Node, Snapshot};

impl Snapshot {
    /// The JSON form, Playwright's: an array of nodes `{role, name?, …states, url?, placeholder?, text? | children?}`
    /// in which whatever is false or empty is left out. A lone text is `text`; among other children a text is a
    /// string, at the top level `{"role": "text", "text": …}`. `level`, `posinset` and `setsize` are numbers; states
    /// are `true` or a word.
    pub fn to_json(&self) -> Value {
        self.json(Form::Plain)
    }

    /// The JSON form with all that a full capture knows: false states too (`"expanded": false`), more states, and
    /// `value`, `description` and `keyshortcuts`.
    pub fn to_json_full(&self) -> Value {
        self.json(Form::Full)
    }

    fn json(&self, form: Form) -> Value {
        let top = |child: &Child| match child {
            Child::Text(text) => Value::Object(Map::from_iter([
                ("role".to_owned(), Value::from("text")),
                ("text".to_owned(), Value::from(text.as_str())),
            ])),
            Child::Node(node) => json_of(node, form),
        };
        deep::on_stack_for(deep::levels_of(self), || self.children.iter().map(top).collect())
    }
}

fn json_of(node: &Node, form: Form) -> Value {
    let mut object = Map::new();
    object.insert("role".into(), node.role.as_str().into());
    if !node.name.is_empty() {
        object.insert("name".into(), node.name.as_str().into());
    }
    for name in states::names() {
        if let Some(value) = node.states.shown(name, form) {
            let value = match value.as_ref() {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                word => word.parse::<i64>().map_or_else(|_| Value::from(word), Value::from),
            };
            object.insert(name.into(), value);
        }
    }
    object.extend(node.properties(form).map(|(name, value)| (name.to_owned(), value.as_str().into())));
    match node.children.as_slice() {
        [] => {}
        [Child::Text(text)] => {
            object.insert("text".into(), text.as_str().into());
        }
        children => {
            let child = |child: &Child| match child {
                Child::Text(text) => Value::from(text.as_str()),
                Child::Node(node) => json_of(node, form),
            };
            object.insert("children".into(), children.iter().map(child).collect());
        }
    }
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_leaves_out_what_is_false_or_empty() {
        let yaml = "- heading \"T\" [level=1]\n- link \"L\" [checked=mixed] [expanded=false] [current=page]:\n  \
                    - /url: /x\n  - /description: d\n  - text: a\n  - img\n- text: end\n- listitem: one";
        let snapshot = Snapshot::parse_yaml(yaml).unwrap();
        assert_eq!(
            snapshot.to_json().to_string(),
            r#"[{"role":"heading","name":"T","level":1},{"role":"link","name":"L","checked":"mixed","url":"/x","#
                .to_owned()
                + r#""children":["a",{"role":"img"}]},{"role":"text","text":"end"},{"role":"listitem","text":"one"}]"#
        );
        let full = snapshot.to_json_full();
        assert_eq!(full[1]["expanded"], false);
        assert_eq!(full[1]["current"], "page");
        assert_eq!(full[1]["description"], "d");
    }
}
