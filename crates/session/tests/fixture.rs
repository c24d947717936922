//! From a live log to a committed fixture and back.

use serde_json::json;
use session::{Header, MessageSource, Payload, TurnTrigger, decode_log, realize_fixture, tokenize_fixture};

const TOOL_ROUND_TRIP: &str = include_str!("data/tool_round_trip.jsonl");
const OLDER_SHAPES: &str = include_str!("data/older_shapes.jsonl");

#[test]
fn a_fixture_realized_and_tokenized_is_itself() {
    let (header, events) = realize_fixture(TOOL_ROUND_TRIP, "5f0c", "/home/someone/project").unwrap();
    assert_eq!((header.id.as_str(), header.cwd.as_deref()), ("5f0c", Some("/home/someone/project")));
    assert_eq!(tokenize_fixture(&header, &events), TOOL_ROUND_TRIP);
}

#[test]
fn realizing_moves_the_recorded_directory_here() {
    for recorded in ["{{cwd}}/workspace", "/Users/other/old place"] {
        let text = OLDER_SHAPES.replace("{{cwd}}/workspace", recorded);
        let (header, events) = realize_fixture(&text, "5f0c", "/here").unwrap();
        assert_eq!(header.cwd.as_deref(), Some("/here"));
        let all = serde_json::to_string(&events).unwrap();
        assert!(!all.contains(recorded) && !all.contains("{{cwd}}"), "{recorded}");
        assert!(all.contains(r#"{\"file_path\": \"/here/rain.txt\"}"#), "{all}");
    }
}

#[test]
fn tokenizing_hides_what_differs_from_run_to_run() {
    let header = Header::new("1a2b3c", 7, Some("/tmp/run-77/workspace".to_owned()));
    let source = MessageSource::new("user").with("rpcId", "9d5e");
    let trigger = Some(TurnTrigger { kind: "message".to_owned(), source: Some(source) });
    let request =
        json!({"config": {"model": "m"}, "system": "You work in /tmp/run-77/workspace.", "tools": [{"name": "bash"}]});
    let events = [
        Payload::TurnStart { turn: 1, trigger }.into_draft().at(0, 1),
        Payload::RequestHeader { header: request, reason: "initial".to_owned() }.into_draft().at(1, 2),
        Payload::InboxSpliced(json!({"inserted": [{"note": "1a2b3c in /tmp/run-77/workspace/x", "rpcId": "77"}]}))
            .into_draft()
            .at(2, 3),
    ];
    let text = tokenize_fixture(&header, &events);
    for gone in ["1a2b3c", "run-77", "9d5e", "\"77\"", "You work", "bash"] {
        assert!(!text.contains(gone), "{gone} is still in {text}");
    }
    let (header, events) = decode_log(&text).unwrap();
    assert_eq!((header.id.as_str(), header.cwd.as_deref()), ("{{sessionId}}", Some("{{cwd}}")));
    assert_eq!(events[0].data["trigger"]["source"]["rpcId"], "{{rpcId}}");
    assert_eq!(events[1].data["header"]["system"], "{{system}}");
    assert_eq!(events[1].data["header"]["tools"], "{{tools}}");
    assert_eq!(events[2].data["inserted"][0]["note"], "{{sessionId}} in {{cwd}}/x");
}

#[test]
fn a_fixture_that_does_not_read_is_refused_with_its_line() {
    let error = realize_fixture(&TOOL_ROUND_TRIP.replacen("\"seq\":3", "\"seq\":4", 1), "s", "/w").unwrap_err();
    assert_eq!(error.line, 5);
}

#[test]
fn ids_and_directories_are_replaced_only_where_they_stand_alone() {
    let note = |note: &str| [Payload::InboxSpliced(json!({"note": note})).into_draft().at(0, 1)];
    let tokenized = |id: &str, cwd: &str, text: &str| {
        let text = tokenize_fixture(&Header::new(id, 7, Some(cwd.to_owned())), &note(text));
        decode_log(&text).unwrap().1[0].data["note"].as_str().unwrap().to_owned()
    };
    assert_eq!(tokenized("s1", "/tmp/a", "s1 its1 s10 s1."), "{{sessionId}} its1 s10 {{sessionId}}.");
    assert_eq!(tokenized("s1", "/tmp/a", "/tmp/a /tmp/ab /tmp/a/b x/tmp/a"), "{{cwd}} /tmp/ab {{cwd}}/b x/tmp/a");
    assert_eq!(tokenized("", "/", "a / b /tmp"), "a / b /tmp");
}
