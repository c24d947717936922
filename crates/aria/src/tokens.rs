//! Volatile values become tokens, by rules declared for the kinds that the page marks.

use std::collections::HashSet;
use std::fmt;

use crate::deep;
use crate::error::{Error, Result, TokenProblem};
use crate::text::Text;
use crate::tree::{Child, Node, Snapshot};

mod duration;

/// A rule: marked values of this kind pass this check and are printed as `{{kind}}`.
#[derive(Debug, Clone)]
pub struct TokenRule {
    kind: String,
    check: Check,
}

impl TokenRule {
    /// A rule for a kind, as the page's mark attribute names it.
    pub fn new(kind: impl Into<String>, check: Check) -> TokenRule {
        TokenRule { kind: kind.into(), check }
    }
}

/// What a marked value must be. A mark on the wrong element must not hide what that element shows.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Check {
    /// A time of day: `9:05`, `09:05:30`, `9:05 PM`, `下午 9:05`.
    Clock,
    /// A length of time: `0.3s`, `12ms`, `1m 3s`, `1h2m`, `3 min`, `1.2秒`, `1分3秒`; each unit once, larger first.
    Duration,
    /// A UUID of any version, in lower or upper case.
    Uuid,
    /// This value and no other, such as the path of a temporary workspace. Known values are also looked for where
    /// nothing is marked: finding one there is a leak.
    Exact(String),
}

impl Check {
    fn accepts(&self, value: &str) -> bool {
        match self {
            Check::Clock => is_clock(value),
            Check::Duration => duration::is_duration(value),
            Check::Uuid => is_uuid(value),
            Check::Exact(expected) => value == expected,
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Check::Clock => f.write_str("a time of day such as `09:05` or `9:05:30 PM`"),
            Check::Duration => f.write_str("a length of time such as `0.3s`, `1m 3s` or `1分3秒`"),
            Check::Uuid => f.write_str("a UUID"),
            Check::Exact(value) => write!(f, "exactly `{value}`"),
        }
    }
}

impl Snapshot {
    /// Replaces every marked value by its rule's token, `{{kind}}`. Text that nothing marks is left as it is.
    ///
    /// # Errors
    /// [`Error::Tokens`] with every problem: a marked kind without a rule, a value its rule refuses, a rule that met no
    /// value, two rules of one kind, and an [`Check::Exact`] value shown where nothing marks it.
    pub fn apply_tokens(&self, rules: &[TokenRule]) -> Result<Snapshot> {
        let mut pass = Pass { rules, fired: HashSet::new(), problems: Vec::new(), path: Vec::new() };
        let children =
            deep::on_stack_for(deep::levels_of(self), || self.children.iter().map(|child| pass.child(child)).collect());
        for (nth, rule) in rules.iter().enumerate() {
            let kind = rule.kind.clone();
            if rules[..nth].iter().any(|other| other.kind == kind) {
                pass.problems.push(TokenProblem::Duplicate { kind });
            } else if !pass.fired.contains(kind.as_str()) {
                pass.problems.push(TokenProblem::NeverFired { kind });
            }
        }
        if pass.problems.is_empty() { Ok(Snapshot { children }) } else { Err(Error::Tokens(pass.problems)) }
    }
}

struct Pass<'a> {
    rules: &'a [TokenRule],
    fired: HashSet<&'a str>,
    problems: Vec<TokenProblem>,
    /// Labels of the nodes around the current text.
    path: Vec<String>,
}

impl Pass<'_> {
    fn child(&mut self, child: &Child) -> Child {
        match child {
            Child::Text(text) => Child::Text(self.text(text, "text")),
            Child::Node(node) => Child::Node(self.node(node)),
        }
    }

    fn node(&mut self, node: &Node) -> Node {
        self.path.push(node.label());
        let done = Node {
            role: node.role.clone(),
            name: self.text(&node.name, "name"),
            states: node.states,
            url: node.url.as_ref().map(|url| self.text(url, "/url")),
            placeholder: node.placeholder.as_ref().map(|text| self.text(text, "/placeholder")),
            value: node.value.as_ref().map(|text| self.text(text, "/value")),
            description: node.description.as_ref().map(|text| self.text(text, "/description")),
            keyshortcuts: node.keyshortcuts.as_ref().map(|text| self.text(text, "/keyshortcuts")),
            children: node.children.iter().map(|child| self.child(child)).collect(),
        };
        self.path.pop();
        done
    }

    /// The text with tokens for its marks; `part` says which of the node's texts it is.
    fn text(&mut self, text: &Text, part: &str) -> Text {
        let mut tokenised = String::new();
        let mut marks = text.marks().iter();
        for plain in text.unmarked() {
            self.look_for_leaks(plain, text, part);
            tokenised.push_str(plain);
            if let Some(mark) = marks.next() {
                let raw = &text[mark.range.clone()];
                self.check(&mark.kind, raw, part);
                tokenised.push_str(&format!("{{{{{}}}}}", mark.kind));
            }
        }
        tokenised.into()
    }

    fn check(&mut self, kind: &str, raw: &str, part: &str) {
        let (kind_owned, raw_owned) = (kind.to_owned(), raw.to_owned());
        match self.rules.iter().find(|rule| rule.kind == kind) {
            None => {
                let path = self.path_to(part);
                self.problems.push(TokenProblem::Undeclared { kind: kind_owned, raw: raw_owned, path });
            }
            Some(rule) => {
                self.fired.insert(&rule.kind);
                if !rule.check.accepts(raw) {
                    let path = self.path_to(part);
                    let expected = rule.check.to_string();
                    self.problems.push(TokenProblem::Refused { kind: kind_owned, raw: raw_owned, path, expected });
                }
            }
        }
    }

    fn look_for_leaks(&mut self, plain: &str, text: &Text, part: &str) {
        for rule in self.rules {
            if let Check::Exact(value) = &rule.check
                && !value.is_empty()
                && plain.contains(value.as_str())
            {
                let path = self.path_to(part);
                self.problems.push(TokenProblem::Leak {
                    kind: rule.kind.clone(),
                    raw: value.clone(),
                    path,
                    text: text.to_string(),
                });
            }
        }
    }

    fn path_to(&self, part: &str) -> String {
        let nodes = self.path.iter().map(String::as_str);
        nodes.chain(std::iter::once(part)).collect::<Vec<_>>().join(" > ")
    }
}

/// `H:MM` or `H:MM:SS`, on 12 hours when a part of the day is named before or after, else on 24.
fn is_clock(value: &str) -> bool {
    const BEFORE: [&str; 7] = ["上午", "下午", "凌晨", "早上", "中午", "晚上", "傍晚"];
    const AFTER: [&str; 6] = ["AM", "PM", "am", "pm", "a.m.", "p.m."];
    let before = BEFORE.iter().find_map(|word| value.strip_prefix(word));
    let after = AFTER.iter().find_map(|word| value.strip_suffix(word));
    let (time, hours) = match (before, after) {
        (None, None) => (value, 0..=23),
        (Some(time), None) | (None, Some(time)) => (time.trim_matches(' '), 1..=12),
        (Some(_), Some(_)) => return false,
    };
    let number = |text: &str, lengths: std::ops::RangeInclusive<usize>| -> Option<u32> {
        (lengths.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
    };
    let mut parts = time.split(':');
    let hour = parts.next().and_then(|text| number(text, 1..=2));
    let rest: Vec<_> = parts.map(|text| number(text, 2..=2)).collect();
    hour.is_some_and(|hour| hours.contains(&hour))
        && (1..=2).contains(&rest.len())
        && rest.iter().all(|part| part.is_some_and(|part| part < 60))
}

fn is_uuid(value: &str) -> bool {
    let groups: Vec<_> = value.split('-').collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups.iter().all(|group| group.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests;
