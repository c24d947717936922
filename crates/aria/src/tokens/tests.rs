use super::*;

fn snapshot(rows: &str) -> Snapshot {
    Snapshot::from_json(&format!(r#"{{"marked":true,"rows":[{rows}]}}"#)).unwrap()
}

fn marked(kind: &str, raw: &str) -> String {
    format!("\\ue000{kind}\\ue0031\\ue001{raw}\\ue002")
}

fn row_button(name: &str) -> String {
    format!(r#"{{"depth":0,"role":"main"}},{{"depth":1,"role":"button","name":"{name}"}}"#)
}

#[track_caller]
fn check_error(snapshot: &Snapshot, rules: &[TokenRule], message: &str) {
    assert_eq!(
        snapshot.apply_tokens(rules).unwrap_err().to_string(),
        format!("volatile values do not fit their declared rules:\n- {message}")
    );
}

#[test]
fn marked_values_become_tokens_everywhere() {
    let rows = [
        format!(
            r#"{{"depth":0,"role":"link","name":"At {}","url":"/s/{}"}}"#,
            marked("clock", "9:05"),
            marked("id", "x1")
        ),
        format!(r#"{{"depth":1,"text":"took {}, 0.3s"}}"#, marked("duration", " 0.3s")),
    ];
    let rules = [
        TokenRule::new("clock", Check::Clock),
        TokenRule::new("duration", Check::Duration),
        TokenRule::new("id", Check::Exact("x1".into())),
    ];
    assert_eq!(
        snapshot(&rows.join(",")).apply_tokens(&rules).unwrap().to_yaml(),
        "- 'link \"At {{clock}}\"':\n  - /url: \"/s/{{id}}\"\n  - text: \"took {{duration}}, 0.3s\""
    );
}

#[test]
fn undeclared_kind_fails() {
    check_error(
        &snapshot(&row_button(&format!("Sent {}", marked("clock", "9:05")))),
        &[],
        "`9:05` at main > button \"Sent 9:05\" > name is marked as clock, for which no rule is declared: declare a rule of \
         kind `clock` or remove the mark",
    );
}

#[test]
fn rule_that_never_fires_fails() {
    check_error(
        &snapshot(&row_button("Send 9:05")),
        &[TokenRule::new("clock", Check::Clock)],
        "the rule for clock met no value: nothing in this snapshot is marked as `clock`; mark the element that shows it or \
         drop the rule",
    );
}

#[test]
fn refused_value_fails() {
    check_error(
        &snapshot(&row_button(&marked("clock", "Sent 9:05"))),
        &[TokenRule::new("clock", Check::Clock)],
        "`Sent 9:05` at main > button \"Sent 9:05\" > name is marked as clock, which must be a time of day such as `09:05` or \
         `9:05:30 PM`: mark exactly the element that shows the value, or correct what it shows",
    );
}

#[test]
fn known_value_shown_unmarked_is_a_leak() {
    let rows = format!(r#"{},{{"depth":1,"text":"in /tmp/w1/src"}}"#, row_button(&marked("path", "/tmp/w1")));
    check_error(
        &snapshot(&rows),
        &[TokenRule::new("path", Check::Exact("/tmp/w1".into()))],
        "the path `/tmp/w1` is shown unmarked at main > text, in `in /tmp/w1/src`: mark the element that shows it as `path`",
    );
}

#[test]
fn two_rules_of_one_kind_fail() {
    check_error(
        &snapshot(&row_button(&marked("id", "a"))),
        &[TokenRule::new("id", Check::Exact("a".into())), TokenRule::new("id", Check::Exact("b".into()))],
        "two rules are declared for id: keep one, or mark the elements with two kinds",
    );
}

#[test]
fn every_problem_is_reported() {
    let rows = row_button(&format!("{} {}", marked("a", "1"), marked("b", "2")));
    let error = snapshot(&rows).apply_tokens(&[TokenRule::new("c", Check::Uuid)]).unwrap_err();
    let Error::Tokens(problems) = error else { panic!("{error}") };
    assert_eq!(problems.len(), 3);
}

#[test]
fn text_that_only_looks_volatile_is_left_alone() {
    let snapshot = snapshot(r#"{"depth":0,"text":"9:05 for 0.3s"}"#);
    assert_eq!(snapshot.apply_tokens(&[]).unwrap(), snapshot);
}

#[track_caller]
fn check_values(check: Check, accepted: &[&str], refused: &[&str]) {
    for value in accepted {
        assert!(check.accepts(value), "{value} should pass as {check}");
    }
    for value in refused {
        assert!(!check.accepts(value), "{value} should not pass as {check}");
    }
}

#[test]
fn clocks() {
    check_values(
        Check::Clock,
        &["09:05", "9:05", "23:59:59", "12:00 AM", "9:05PM", "1:02:03 p.m.", "下午9:05", "上午 11:30"],
        &[
            "",
            "9",
            "24:00",
            "9:5",
            "9:60",
            "13:00 PM",
            "0:10 am",
            "at 9:05",
            "9:05 today",
            "09:05:00:00",
            "下午9:05 PM",
            "-1:00",
        ],
    );
}

#[test]
fn durations() {
    check_values(
        Check::Duration,
        &[
            "0.3s",
            "12ms",
            "1m 3s",
            "1m3s",
            "1h 2m 3s",
            "2d 4h",
            "3 min",
            "1 minute 2 seconds",
            "1,542 ms",
            "1.2秒",
            "1分3秒",
            "2小时3分钟",
            "350毫秒",
        ],
        &["", "s", "3", "3s 1m", "1s 2s", "0.3s ago", "1.5m 3s", "1..2s", "12 apples", "~3s", "1,54 ms", "3s "],
    );
}

#[test]
fn uuids() {
    check_values(
        Check::Uuid,
        &["550e8400-e29b-41d4-a716-446655440000", "550E8400-E29B-41D4-A716-446655440000"],
        &[
            "",
            "550e8400e29b41d4a716446655440000",
            "550e8400-e29b-41d4-a716-44665544000g",
            "550e8400-e29b-41d4-a716-446655440000-",
        ],
    );
}
