//! Templates and strings on which Playwright 1.65.1 was asked: `corpus/*.json` holds its answers. Where a row of
//! `docs/decisions.md` says otherwise, the case is listed here with that row.

use aria::{Dialect, Snapshot, Template};
use serde_json::Value;

fn cases(json: &str) -> Vec<Value> {
    let json: Value = serde_json::from_str(json).unwrap();
    json.get("cases").unwrap_or(&json).as_array().unwrap().clone()
}

fn text<'a>(case: &'a Value, field: &str) -> &'a str {
    case[field].as_str().unwrap_or_else(|| panic!("{field} in {case}"))
}

/// What the pages of match-edge.json show, with the states that the plain form leaves out.
fn snapshot_of(html: &str) -> Snapshot {
    let yaml = match html {
        "<ul><li>One</li><li>Two</li><li>Three</li></ul>" => {
            "- list:\n  - listitem: One\n  - listitem: Two\n  - listitem: Three"
        }
        "<ul aria-label=L><li>A<ul><li>A1</li><li>A2</li></ul></li><li>B</li></ul>" => {
            "- list \"L\":\n  - listitem:\n    - text: A\n    - list:\n      - listitem: A1\n      - listitem: A2\n  \
             - listitem: B"
        }
        "<a href=\"https://example.com/p?q=1\">Go 12</a>" => "- link \"Go 12\":\n  - /url: https://example.com/p?q=1",
        "<p>Hello <b>bold</b> world</p>hi<h2>Title</h2>bye" => {
            "- paragraph: Hello bold world\n- text: hi\n- heading \"Title\" [level=2]\n- text: bye"
        }
        "<section aria-label=S1><h2>X</h2></section><section aria-label=S2><h2>X</h2><p>y</p></section>" => {
            "- region \"S1\":\n  - heading \"X\" [level=2]\n- region \"S2\":\n  - heading \"X\" [level=2]\n  \
             - paragraph: \"y\""
        }
        "<p>Item 123</p><p>/re/</p><p>a</p>" => "- paragraph: Item 123\n- paragraph: /re/\n- paragraph: a",
        "<p></p><button></button>" => "- paragraph\n- button [pressed=false]",
        "<main><article><header>h</header><div><p>t</p></div></article></main>" => {
            "- main:\n  - article:\n    - text: h\n    - paragraph: t"
        }
        "<button>x</button>x<h1>H</h1>" => "- button \"x\" [pressed=false]\n- text: x\n- heading \"H\" [level=1]",
        "<h1>x</h1><a href=\"/l\">L</a>" => "- heading \"x\" [level=1]\n- link \"L\":\n  - /url: /l",
        _ if html.starts_with("<input aria-label=Email") => {
            "- textbox \"Email\":\n  - /placeholder: you\n  - text: v\n- button \"Send\" [disabled] [pressed=false]\n\
             - checkbox \"C\" [checked=false]\n- button \"T\" [expanded=false] [pressed=false]"
        }
        _ => panic!("no snapshot for {html}"),
    };
    Snapshot::parse_yaml(yaml).unwrap()
}

/// Cases of match-edge.json that a decided row answers otherwise.
const EDGE_DECIDED: [(&str, &str); 6] =
    [("edge-43", "F1"), ("edge-44", "F1"), ("edge-53", "F1"), ("edge-67", "F2"), ("edge-68", "F2"), ("edge-110", "F8")];

#[test]
fn templates_written_for_playwright_match_what_they_did() {
    let mut wrong = Vec::new();
    for case in cases(include_str!("corpus/match-edge.json")) {
        let (id, template) = (text(&case, "id"), text(&case, "template"));
        let is_match = Template::parse_as(template, Dialect::Playwright)
            .is_ok_and(|template| template.is_match(&snapshot_of(text(&case, "html"))));
        let is_decided = EDGE_DECIDED.iter().any(|(decided, _)| *decided == id);
        if (is_match != case["matches"].as_bool().unwrap()) != is_decided {
            wrong.push(format!("{id}: {template:?} gives {is_match}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Templates of parser.json that a decided row reads otherwise.
const PARSER_DECIDED: [(&str, &str); 14] = [
    ("- text", "F8"),
    ("- \"text\"", "F8"),
    ("- text: true", "F7"),
    ("- link:\n  - /url: 5", "F7"),
    ("- link:\n  - /foo: bar", "F1"),
    ("- link:\n  - /placeholder: x", "F1"),
    ("- heading /a/i", "F8"),
    ("- heading [level=0x1]", "F8"),
    ("- heading [level=-3]", "F8"),
    ("- heading [active]", "F2"),
    ("- heading [busy]", "E4"),
    ("- HEADING", "F8"),
    ("- /re/", "F8"),
    ("- \"/re/\"", "F8"),
];

#[test]
fn templates_written_for_playwright_are_read_as_they_were() {
    let page = snapshot_of("<h1>x</h1><a href=\"/l\">L</a>");
    let mut wrong = Vec::new();
    for case in cases(include_str!("corpus/parser.json")) {
        let template = text(&case, "template");
        let got = Template::parse_as(template, Dialect::Playwright);
        let expected = case["error"].is_null().then(|| case["matches"].as_bool().unwrap());
        let is_decided = PARSER_DECIDED.iter().any(|(decided, _)| *decided == template);
        let same = match (&got, expected) {
            (Ok(template), Some(matches)) => template.is_match(&page) == matches,
            (Err(_), None) => true,
            _ => false,
        };
        if same == is_decided {
            wrong.push(format!(
                "{template:?}: {} gave {}",
                case["error"],
                got.map_or_else(|e| e.to_string(), |t| t.is_match(&page).to_string())
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn strings_are_quoted_and_generalised_as_they_were() {
    let mut wrong = Vec::new();
    for case in cases(include_str!("corpus/strings.json")) {
        let input = text(&case, "input");
        let rows = serde_json::json!({"marked": false, "rows": [
            {"depth": 0, "role": "button", "name": input},
            {"depth": 0, "role": "paragraph"},
            {"depth": 1, "text": input},
        ]});
        let snapshot = Snapshot::from_json(&rows.to_string()).unwrap();
        let got = [snapshot.to_yaml(), snapshot.to_template_as(Dialect::Playwright)];
        for (got, (key, value)) in got.iter().zip([("key", "value"), ("regexKey", "regexValue")]) {
            let expected = format!("- {}\n- {}", text(&case, key), text(&case, value));
            if *got != expected {
                wrong.push(format!("{input:?}:\n{got}\n{expected}"));
            }
        }
        let template = Template::parse(&got[0]).unwrap_or_else(|errors| panic!("{errors}"));
        assert!(template.is_match(&snapshot), "{}", got[0]);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
