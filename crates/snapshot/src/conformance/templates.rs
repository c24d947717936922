//! Cases about templates and about how strings are written. They need no page, or only its snapshot.

use aria::{Dialect, Snapshot, Template};
use serde_json::json;

use super::corpus::{Case, Written};
use super::judge::Compared;

/// Whether the case's template matches, or can't be read. The words of an error are each tool's own.
pub(super) fn of_match(case: &Case, expected: Result<bool, &str>, snapshot: &Snapshot) -> Compared {
    let got = match Template::parse_as(&case.template, Dialect::Playwright) {
        Ok(template) => Ok(template.is_match(snapshot)),
        Err(errors) => Err(errors.to_string()),
    };
    let shown = |outcome: Result<bool, &str>| match outcome {
        Ok(true) => "matches".to_owned(),
        Ok(false) => "does not match".to_owned(),
        Err(error) => format!("error: {}", error.lines().next().unwrap_or_default()),
    };
    let got = got.as_ref().map(|matches| *matches).map_err(String::as_str);
    Compared { expected: shown(expected), got: shown(got), equal: expected.ok() == got.ok() }
}

/// In which line the first error of the template is. Where in the line a message points is each tool's own choice.
pub(super) fn of_error(case: &Case, expected: &str) -> Compared {
    let template = case.template_normalized.as_deref().unwrap_or(&case.template);
    let line = line_in(template, expected);
    let words = expected.lines().next().unwrap_or_default();
    let expected = line.map_or(words.to_owned(), |line| format!("line {line}: {words}"));
    match Template::parse_as(template, Dialect::Playwright) {
        Ok(_) => Compared { expected, got: "no error".to_owned(), equal: false },
        Err(errors) => {
            let equal = line.is_none_or(|line| line == errors.errors()[0].at.line);
            Compared { expected, got: errors.to_string(), equal }
        }
    }
}

/// The line of the template that a message points to: with a caret under its key, or in words.
fn line_in(template: &str, message: &str) -> Option<usize> {
    if let Some((_, place)) = message.split_once(" at line ") {
        return place.split(',').next()?.parse().ok();
    }
    let lines: Vec<&str> = message.lines().collect();
    let caret = lines.iter().position(|line| line.trim() == "^")?;
    let key = lines[caret.checked_sub(1)?];
    template.lines().position(|line| line.contains(key)).map(|at| at + 1)
}

/// How a string is written as a name and as a text, and generalised as both.
pub(super) fn of_strings(written: &Written) -> Result<Compared, String> {
    let input = written.input.as_str();
    let captured = json!({ "marked": false, "rows": [
        { "depth": 0, "role": "button", "name": input, "states": {} },
        { "depth": 0, "role": "paragraph", "name": "", "states": {} },
        { "depth": 1, "text": input },
    ] });
    let snapshot = Snapshot::from_json(&captured.to_string()).map_err(|error| error.to_string())?;
    let Written { key, value, regex_key, regex_value, .. } = written;
    let expected = format!("- {key}\n- {value}\n- {regex_key}\n- {regex_value}");
    let got = format!("{}\n{}", snapshot.to_yaml(), snapshot.to_template_as(Dialect::Playwright));
    Ok(Compared::exactly(expected, got))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_from_carets_and_from_words() {
        let template = "- list:\n  - button [disabled=x]";
        assert_eq!(line_in(template, "No boolean:\n\nbutton [disabled=x]\n                 ^\n"), Some(2));
        assert_eq!(line_in(template, "Bad quote at line 1, column 14:\n\n- list:\n             ^\n"), Some(1));
        assert_eq!(line_in(template, "Elements start with a dash"), None);
    }
}
