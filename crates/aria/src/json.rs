//! Reading the capture script's answer.

use serde::Deserialize;
use serde::de::Error as _;

use crate::deep;
use crate::error::{Error, Result};
use crate::normalise::normalise;
use crate::states::States;
use crate::text::Text;
use crate::tree::{Child, Node, Snapshot};

#[derive(Deserialize)]
struct Captured {
    /// Whether texts carry sentinels and escapes.
    marked: bool,
    /// The tree in pre-order; each row says how deep it is. A flat list has no nesting limit.
    rows: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    depth: usize,
    text: Option<String>,
    role: Option<String>,
    #[serde(default)]
    name: String,
    #[serde(default)]
    states: States,
    url: Option<String>,
    placeholder: Option<String>,
    value: Option<String>,
    description: Option<String>,
    keyshortcuts: Option<String>,
}

impl Snapshot {
    /// Reads what the capture script's `snapshot` returned and normalises it.
    ///
    /// # Errors
    /// [`Error::Capture`] when the text is not of that shape.
    pub fn from_json(json: &str) -> Result<Snapshot> {
        let read = || -> serde_json::Result<Vec<Child>> {
            let captured: Captured = serde_json::from_str(json)?;
            let levels = captured.rows.iter().map(|row| row.depth).max().unwrap_or(0);
            deep::on_stack_for(levels, || build(captured).map(normalise))
        };
        let children = read().map_err(|source| Error::Capture { source, excerpt: json.chars().take(160).collect() })?;
        Ok(Snapshot { children })
    }
}

fn build(captured: Captured) -> serde_json::Result<Vec<Child>> {
    let text_of = |text: &str| if captured.marked { Text::from_captured(text) } else { text.into() };
    // The nodes from the top to the one being filled; row depth counts into it.
    let mut open: Vec<Node> = vec![Node::default()];
    for (number, row) in captured.rows.into_iter().enumerate() {
        if row.depth >= open.len() {
            return Err(serde_json::Error::custom(format!("row {number} is deeper than the node before it")));
        }
        close_to(&mut open, row.depth + 1);
        match (row.text, row.role) {
            (Some(text), None) => open[row.depth].children.push(Child::Text(text_of(&text))),
            (None, Some(role)) => open.push(Node {
                role,
                name: text_of(&row.name),
                states: row.states,
                url: row.url.as_deref().map(text_of),
                placeholder: row.placeholder.as_deref().map(text_of),
                value: row.value.as_deref().map(text_of),
                description: row.description.as_deref().map(text_of),
                keyshortcuts: row.keyshortcuts.as_deref().map(text_of),
                children: Vec::new(),
            }),
            _ => return Err(serde_json::Error::custom(format!("row {number} is neither a text nor a node"))),
        }
    }
    close_to(&mut open, 1);
    Ok(open.swap_remove(0).children)
}

/// Hands finished nodes to their parents until `length` are left open.
fn close_to(open: &mut Vec<Node>, length: usize) {
    while open.len() > length {
        if let (Some(done), Some(parent)) = (open.pop(), open.last_mut()) {
            parent.children.push(Child::Node(done));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_a_tree() {
        let snapshot = Snapshot::from_json(
            r#"{"marked":false,"rows":[
                {"depth":0,"role":"list","name":"","states":{}},
                {"depth":1,"role":"listitem","states":{"level":0}},
                {"depth":2,"text":" one"},
                {"depth":1,"role":"listitem","states":{"level":2}},
                {"depth":0,"text":"after"}]}"#,
        )
        .unwrap();
        assert_eq!(snapshot.to_yaml(), "- list:\n  - listitem: one\n  - listitem [level=2]\n- text: after");
    }

    #[test]
    fn states_are_read() {
        let snapshot = Snapshot::from_json(
            r#"{"marked":false,"rows":[
                {"depth":0,"role":"checkbox","name":"a","states":{"checked":"mixed","disabled":true,"invalid":false}},
                {"depth":0,"role":"textbox","states":{"invalid":"spelling"},"url":"/x","placeholder":"Find"},
                {"depth":0,"role":"button","states":{"pressed":true,"expanded":false}}]}"#,
        )
        .unwrap();
        assert_eq!(
            snapshot.to_yaml(),
            "- checkbox \"a\" [checked=mixed] [disabled]\n- textbox [invalid=spelling]:\n  - /url: /x\n  \
             - /placeholder: Find\n- button [pressed]"
        );
        let Child::Node(button) = &snapshot.children[2] else { panic!("{snapshot:?}") };
        assert_eq!(button.states.expanded, Some(false));
    }

    #[test]
    fn full_capture_is_read() {
        let row = r#"{"marked":true,"rows":[{"depth":0,"role":"slider","name":"v","states":{"disabled":false,
            "expanded":false,"required":true,"current":"page","haspopup":"menu","sort":"other","orientation":"vertical",
            "posinset":2,"setsize":-1},"value":"\uE000clock\uE0030\uE0019:05\uE002","description":"d","keyshortcuts":"Control+K"}]}"#;
        let snapshot = Snapshot::from_json(row).unwrap();
        assert_eq!(snapshot.to_yaml(), "- slider \"v\"");
        assert_eq!(
            snapshot.apply_tokens(&[crate::TokenRule::new("clock", crate::Check::Clock)]).unwrap().to_yaml_full(),
            "- slider \"v\" [expanded=false] [current=page] [haspopup=menu] [orientation=vertical] [posinset=2] \
             [required] [setsize=-1] [sort=other]:\n  - /value: \"{{clock}}\"\n  - /description: d\n  \
             - /keyshortcuts: Control+K"
        );
        let error = Snapshot::from_json(&row.replace("\"page\"", "\"pge\"")).unwrap_err().to_string();
        assert!(error.contains("expected true, page, step, location, date or time"), "{error}");
    }

    #[test]
    fn very_deep_tree_is_read() {
        let rows: Vec<String> = (0..500).map(|depth| format!(r#"{{"depth":{depth},"role":"group"}}"#)).collect();
        let json = format!(r#"{{"marked":false,"rows":[{}]}}"#, rows.join(","));
        assert_eq!(Snapshot::from_json(&json).unwrap().to_yaml().lines().count(), 500);
    }

    #[test]
    fn unexpected_answer_says_what_came() {
        let error = Snapshot::from_json("undefined").unwrap_err().to_string();
        assert!(error.contains("`undefined`") && error.contains("CAPTURE_SCRIPT"), "{error}");
        let error = Snapshot::from_json(r#"{"marked":false,"rows":[{"depth":1,"text":"x"}]}"#).unwrap_err();
        assert!(error.to_string().contains("row 0 is deeper"), "{error}");
        let error = Snapshot::from_json(r#"{"marked":false,"rows":[{"depth":0}]}"#).unwrap_err();
        assert!(error.to_string().contains("row 0 is neither"), "{error}");
    }
}
