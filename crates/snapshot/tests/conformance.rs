//! The real command `conformance`, on corpora made here.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Exit code, standard output and standard error.
fn run(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_conformance"))
        .args(arguments)
        .current_dir(folder)
        .env("TMPDIR", folder)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join("c").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

#[test]
fn cases_that_hold_are_counted_and_others_printed() {
    let folder = folder(&[
        (
            "corpus/name.json",
            r##"[
            {"id": "umlaut", "html": "<button>Grüße</button>", "selector": "button", "expected": "Grüße"},
            {"id": "file", "htmlFile": "html/two.html", "selector": "a", "nth": 1, "expected": "Two"},
            {"id": "stepped", "html": "<p><p>", "selector": "#b", "expected": "B",
             "steps": [{"evaluate": "() => { document.title = 'B' }"},
                       {"evalAll": "p", "fn": "(all) => { all[1].outerHTML = `<button id=b>${document.title}` }"}]},
            {"id": "wrong", "html": "<button>Grüße</button>", "selector": "button", "expected": "Greetings"},
            {"id": "gone", "html": "<button>x</button>", "selector": "h1", "expected": "x"}]"##,
        ),
        ("corpus/html/two.html", "<a href=x>One</a><a href=x>Two</a>"),
        (
            "corpus/role.json",
            r#"[{"id": "none", "html": "<img alt=''>", "selector": "img", "expected": "presentation"}]"#,
        ),
        (
            "corpus/role-query.json",
            r#"[{"id": "query", "html": "<input type=checkbox checked><input type=checkbox>",
                "selector": "role=checkbox[checked]", "expected": ["<input type=\"checkbox\" checked=\"\">"]}]"#,
        ),
        (
            "corpus/snapshot.json",
            r#"[{"id": "frame", "html": "<iframe srcdoc='<p>in</p>'></iframe>", "frame": 1, "selector": "p",
                "expected": "- paragraph: in"}]"#,
        ),
    ]);
    let (code, out, err) = run(&["c"], folder.path());
    assert_eq!(
        out,
        "name  wrong  button  (FAILED)\n  expected: \"Greetings\"\n  got: \"Grüße\"\n\n\
         name  gone  h1  (FAILED)\n  expected: \"x\"\n  got: \"error: Error: 0 elements match h1\"\n\n\
         kind                      passed  failed  decided   cases\n\
         snapshot                       1       0        0       1\n\
         role                           1       0        0       1\n\
         name                           3       2        0       5\n\
         role-query                     1       0        0       1\n\n"
    );
    assert_eq!((code, err.as_str()), (1, ""));

    let (code, out, _) = run(&["c", "--kind", "name", "--case", "umlaut"], folder.path());
    assert!(code == 0 && out.starts_with("name  umlaut  button  (passed)\n"), "{out}");
}

#[test]
fn cases_of_templates_compare_outcomes_and_decided_ones_must_differ() {
    let folder = folder(&[
        (
            "corpus/match-pass.json",
            r#"[{"id": "part", "html": "<p>a</p><p>b</p>", "template": "\n  - paragraph: /[b-z]/\n"}]"#,
        ),
        ("corpus/match-fail.json", r#"[{"id": "not", "html": "<p>a</p>", "template": "- paragraph: a"}]"#),
        (
            "corpus/match-edge.json",
            r#"[{"id": "edge-43", "html": "<p>a</p>", "template": "- paragraph", "matches": true},
                {"id": "edge-44", "html": "<p>a</p>", "template": "- paragraph", "matches": false}]"#,
        ),
        (
            "corpus/parser.json",
            r#"{"html": "<h1>x</h1>", "cases": [{"template": "- heading", "error": null, "matches": true},
                {"template": "- heading [level=a]", "error": "Level must be a number"},
                {"template": "- heading", "error": "Is refused"}]}"#,
        ),
        (
            "corpus/parse-error.json",
            r#"[{"id": "second line", "html": "", "template": "- list:\n  - button [x]",
                "expected": "Unsupported attribute [x]:\n\nbutton [x]\n        ^"},
                {"id": "first line", "html": "", "template": "- list:\n  - button [x]",
                "expected": "Bad list at line 1, column 3:\n\n- list:\n  ^"}]"#,
        ),
        (
            "corpus/strings.json",
            r#"{"cases": [{"input": "a: b", "key": "'button \"a: b\"'", "value": "paragraph: \"a: b\"",
                "regexKey": "'button \"a: b\"'", "regexValue": "paragraph: \"a: b\""}]}"#,
        ),
    ]);
    let (code, out, err) = run(&["c"], folder.path());
    for failure in [
        "match-fail  not  - paragraph: a  (FAILED)\n  expected: \"does not match\"\n  got: \"matches\"\n\n",
        "match-edge  edge-43  - paragraph  (AGREES although F1 says it differs; drop it from decided.rs)\n",
        "parser  parser-3  - heading  (FAILED)\n  expected: \"error: Is refused\"\n  got: \"matches\"\n\n",
        "parse-error  first line  - list:\\n  - button [x]  (FAILED)\n  expected: \"line 1: Bad list at line 1, column 3:\"\n  \
         got: \n    template line 2, column 13: there is no attribute [x]",
    ] {
        assert!(out.contains(failure), "{failure} is missing in\n{out}");
    }
    let table = "\
        kind                      passed  failed  decided   cases\n\
        match-pass                     1       0        0       1\n\
        match-fail                     0       1        0       1\n\
        match-edge                     0       1        1       2\n\
        parser                         2       1        0       3\n\
        parse-error                    1       1        0       2\n\
        strings                        1       0        0       1\n\n";
    assert!(out.ends_with(table), "{out}");
    assert_eq!((code, err.as_str()), (1, ""));
}

#[test]
fn pages_are_compared_with_chromiums_tree() {
    let folder = folder(&[
        ("stale/045-labels.html", "<input id=q3>"),
        (
            "pages/one.html",
            "<title>t</title><main><h1>Title</h1><table><tr><td>cell</table><div id=own></div>\
         <figure><figcaption>caption</figcaption></figure></main>\
         <script>document.querySelector('#own').attachShadow({mode: 'closed'}).innerHTML = '<a href=x>in</a>'</script>",
        ),
    ]);
    for arguments in [&["c"][..], &["--pages", "c/pages"]] {
        let (code, out, err) = run(arguments, folder.path());
        assert_eq!(
            out,
            "one.html  main > table > tbody > tr  name  ours \"cell\", Chromium \"\"  (decided, D20: rows are named by their \
             content (ARIA); Chromium names only those that can have the focus)\n\
             one.html  main > figure  name  ours \"caption\", Chromium \"\"  (UNDECIDED)\n\
             Chromium exposes 9 of 15 elements on 1 pages\n\
             role equal on 9 of 9 (100.0 %); 0 differ by decision, equal on 100.0 % of the others\n\
             name equal on 5 of 7 (71.4 %); 1 differ by decision, equal on 83.3 % of the others\n\n"
        );
        assert_eq!((code, err.as_str()), (1, ""));
    }
    fs::write(folder.path().join("c/deep.html"), format!("{}<a href=x>x", "<div>".repeat(200))).unwrap();
    let (code, out, err) = run(&["--pages", "c"], folder.path());
    assert!(code == 0 && out.starts_with("Chromium exposes 2 of 204 elements on 1 pages\n"), "{out}{err}");

    let (code, out, _) = run(&["--pages", "c/stale", "--all"], folder.path());
    let stale = "045-labels.html  input#q3  (AGREES although D23 says it differs; drop it from decided.rs)\n";
    assert!(code == 1 && out.starts_with(stale), "{out}");
}

#[test]
fn elements_of_the_pages_agree_with_chromium_or_a_decision_says_why() {
    let pages = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pages");
    let (code, out, err) = run(&["--pages", pages], tempfile::tempdir().unwrap().path());
    assert!(code == 0, "{out}{err}");
    assert!(out.contains("elements on 35 pages\n"), "{out}");
}

#[test]
fn what_can_not_be_read_is_named() {
    let folder = folder(&[
        ("corpus/role.json", "[{\"id\": 1}]"),
        ("corpus/name.json", "{}"),
        ("corpus/description.json", r#"[{"id": "bare", "expected": ""}]"#),
        ("corpus/snapshot.json", r#"[{"id": "lost", "htmlFile": "no.html", "expected": ""}]"#),
        ("corpus/role-query.json", r#"[{"id": "open", "html": "", "selector": "role=a[b", "expected": []}]"#),
        ("pages/notes.txt", ""),
    ]);
    let cases: [(&[&str], &str); 12] = [
        (&[], "no folder is given; write `conformance DIR` or `conformance --pages DIR`"),
        (&["none"], "none is not a folder; name the folder of the corpus or of the pages"),
        (&["c", "--kind", "nmae"], "there is no kind \"nmae\"; the kinds are snapshot, "),
        (&["c", "--jobs", "0"], "--jobs \"0\" is not a number from 1 to 64; give one"),
        (&["c", "--job", "2"], "there is no option --job; did you mean --jobs?"),
        (&["c", "--pages", "c"], "both DIR and --pages are given; "),
        (&["c", "--kind", "pages"], "there is nothing to check: no case and no page has such a kind and such an id"),
        (&["c", "--kind", "role"], "c/corpus/role.json: case 1 (role-1) cannot be read: "),
        (&["c", "--kind", "name"], "c/corpus/name.json is not a list of cases in JSON; correct the file: "),
        (&["c", "--kind", "description"], "description.json, case bare has neither `html` nor `htmlFile`; give it one"),
        (&["c", "--kind", "snapshot"], "snapshot.json, case lost: cannot read its page c/corpus/no.html: "),
        (&["c", "--kind", "role-query"], "role-query.json, case open: `[b` in role=a[b is not closed"),
    ];
    for (arguments, message) in cases {
        let (code, out, err) = run(arguments, folder.path());
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(err.starts_with(&format!("conformance: {message}")), "{arguments:?}: {err}");
    }
}
