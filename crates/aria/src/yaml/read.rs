//! YAML as far as snapshots and templates use it: sequences of items, each a scalar or a mapping, in block or flow
//! style, with comments, every kind of scalar, anchors and tags passed over, and one document.
//!
//! Not a YAML library, because errors must point into quoted keys, all errors must be reported at once, scalars are
//! wanted as written (`1.10` is a text here, not a number), and rewriting a template must know its lines.

use super::scan::{Cursor, Fail};
use crate::error::Position;

/// One item of a sequence.
#[derive(Debug)]
pub(crate) struct Item {
    /// Last line of the item and all below it.
    pub(crate) last_line: usize,
    /// Columns before the dash.
    pub(crate) indent: usize,
    /// A lone scalar is one entry without a value; a mapping may have several.
    pub(crate) entries: Vec<Entry>,
}

/// A key and what it stands for.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) key: Cursor,
    pub(crate) value: Value,
    /// Whether key and value are block style on one line, so that the line can be rewritten by itself.
    pub(crate) is_one_line: bool,
    /// The comment after it on its line, from `#` on.
    pub(crate) comment: Option<String>,
}

/// What stands after a key.
#[derive(Debug)]
pub(crate) enum Value {
    /// There is no colon.
    Absent,
    /// Nothing, or a null.
    Null(Position),
    Scalar(Scalar),
    Items(Vec<Item>),
}

/// A scalar, unquoted.
#[derive(Debug)]
pub(crate) struct Scalar {
    pub(crate) text: String,
    pub(crate) at: Position,
    /// Whether it is `"\/…"`: the escaped slash says that the text is no pattern, whatever it looks like.
    pub(crate) has_escaped_slash: bool,
}

const NO_TAB: &str = "a tab cannot indent: use two spaces a level";

/// Reads one document: its items and every problem found.
pub(crate) fn read(text: &str) -> (Vec<Item>, Vec<Fail>) {
    let mut reader = Reader::new(text);
    let items = reader.document();
    (items, reader.problems)
}

#[derive(Clone, Copy)]
struct Line {
    number: usize,
    /// Index of its first character.
    start: usize,
    /// Columns before its content.
    indent: usize,
    /// What its content starts with; `None` for a blank line.
    first: Option<char>,
}

pub(super) struct Reader {
    pub(super) cursor: Cursor,
    lines: Vec<Line>,
    /// The line being read, as an index; the cursor is in it or at its end.
    pub(super) line: usize,
    problems: Vec<Fail>,
}

impl Reader {
    fn new(text: &str) -> Reader {
        // White space that all lines share is no indent: a template may stand indented in source code.
        let texts: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
        let is_blank = |line: &&str| !line.trim_matches([' ', '\t']).is_empty();
        let width = |line: &str| line.chars().take_while(|&c| c == ' ' || c == '\t').count();
        let common = texts.iter().filter(|line| is_blank(line)).map(|line| width(line)).min().unwrap_or(0);
        let mut chars = Vec::new();
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(&texts) {
            let start = chars.len();
            chars.extend((1..).zip(line.chars()).map(|(column, c)| (c, Position { line: number, column })));
            chars.push(('\n', Position { line: number, column: line.chars().count() + 1 }));
            let indent = common + line.chars().skip(common).take_while(|&c| c == ' ').count();
            let first = line.chars().nth(indent).filter(|_| !line.trim_matches([' ', '\t']).is_empty());
            lines.push(Line { number, start, indent, first });
        }
        let end = chars.pop().map_or(Position { line: 1, column: 1 }, |(_, end)| end);
        let cursor = Cursor { chars, at: 0, end };
        Reader { cursor, lines, line: 0, problems: Vec::new() }
    }

    fn document(&mut self) -> Vec<Item> {
        while self.lines.get(self.line).is_some_and(|line| matches!(line.first, None | Some('%' | '#'))) {
            self.line += 1;
        }
        if self.is_marker("---") {
            self.line += 1;
        }
        let mut items = Vec::new();
        if self.significant().is_some_and(|line| line.first == Some('[')) {
            self.go_to_content();
            match self.flow_sequence() {
                Ok(flow) => items = flow,
                Err(fail) => self.problems.push(fail),
            }
            self.end_of_line("the list ends here, nothing may follow it");
            return items;
        }
        let mut is_first = true;
        while let Some(line) = self.significant() {
            if line.first == Some('.') && self.is_marker("...") {
                break;
            }
            let indent = line.indent;
            if !is_first {
                self.problem_at_content("is indented less than the lines before it: align it with its siblings");
            }
            is_first = false;
            items.extend(self.items(indent));
        }
        items
    }

    /// Whether the line is a document marker.
    fn is_marker(&self, marker: &str) -> bool {
        let Some(line) = self.lines.get(self.line) else { return false };
        let content = &self.cursor.chars[line.start + line.indent..];
        let mut chars = content.iter().map(|&(c, _)| c).take_while(|&c| c != '\n');
        marker.chars().all(|c| chars.next() == Some(c)) && matches!(chars.next(), None | Some(' '))
    }

    /// The next line with content, which becomes the current one.
    fn significant(&mut self) -> Option<Line> {
        while self.lines.get(self.line).is_some_and(|line| matches!(line.first, None | Some('#'))) {
            self.line += 1;
        }
        self.lines.get(self.line).copied()
    }

    fn go_to_content(&mut self) {
        let line = &self.lines[self.line];
        self.cursor.at = line.start + line.indent;
    }

    fn problem_at_content(&mut self, problem: &str) {
        let line = &self.lines[self.line];
        let at = Position { line: line.number, column: line.indent + 1 };
        self.problems.push(Fail { at, problem: problem.into() });
    }

    fn skip_deeper_than(&mut self, indent: usize) {
        while self.significant().is_some_and(|line| line.indent > indent) {
            self.line += 1;
        }
    }

    /// The items at one indent, and what is under each.
    fn items(&mut self, indent: usize) -> Vec<Item> {
        let mut items = Vec::new();
        while let Some(line) = self.significant() {
            let first = line.first;
            if line.indent < indent || self.is_marker("...") {
                break;
            }
            if line.indent > indent {
                self.problem_at_content("is indented more than its siblings, but the line before it takes no children");
                self.skip_deeper_than(indent);
                continue;
            }
            self.go_to_content();
            let problem = match (first, self.cursor.peek_at(1)) {
                (Some('\t'), _) => Some(NO_TAB),
                (Some('-'), Some(' ')) => None,
                (Some('-'), _) => {
                    self.cursor.advance();
                    Some("after the dash comes a space and then a role, `text:` or a property")
                }
                _ => Some("an item starts with `- `, such as `- button \"Send\"`"),
            };
            if let Some(problem) = problem {
                self.problems.push(self.cursor.fail(problem));
                self.line += 1;
                self.skip_deeper_than(indent);
                continue;
            }
            self.cursor.advance();
            let first_line = self.line + 1;
            match self.entries(indent) {
                Ok(entries) => {
                    let is_content = |line: &Line| !matches!(line.first, None | Some('#'));
                    let last = self.lines[first_line - 1..self.line].iter().rev().find(|line| is_content(line));
                    let last_line = last.map_or(first_line, |line| line.number);
                    items.push(Item { last_line, indent, entries });
                }
                Err(fail) => {
                    self.problems.push(fail);
                    self.line = self.line.max(first_line);
                    self.skip_deeper_than(indent);
                }
            }
        }
        items
    }

    /// What follows a dash at `indent`. Leaves the cursor's line behind.
    fn entries(&mut self, indent: usize) -> Result<Vec<Entry>, Fail> {
        self.cursor.skip_while(|c| c == ' ');
        self.pass_properties();
        let key_indent = self.cursor.at - self.lines[self.line].start;
        match self.cursor.peek() {
            None | Some('\n' | '#') => {
                return Err(self.cursor.fail("the item is empty: write a role, or drop the dash"));
            }
            Some('{') => {
                let entries = self.flow_mapping()?;
                self.end_of_line("the mapping ends here, nothing may follow it");
                return Ok(entries);
            }
            Some('[' | '-') if self.cursor.peek() == Some('[') || self.cursor.peek_at(1) == Some(' ') => {
                return Err(self.cursor.fail("an item is a role, `text:` or a property, not a list: drop one level"));
            }
            _ => {}
        }
        let mut entries = vec![self.entry(indent, key_indent)?];
        while !matches!(entries[0].value, Value::Absent)
            && self.significant().is_some_and(|line| line.indent == key_indent && line.first != Some('-'))
        {
            self.go_to_content();
            entries.push(self.entry(indent, key_indent)?);
        }
        Ok(entries)
    }

    fn entry(&mut self, indent: usize, key_indent: usize) -> Result<Entry, Fail> {
        let first_line = self.line;
        let key = match self.cursor.peek() {
            Some(quote @ ('\'' | '"')) => self.quoted(quote, indent)?.0,
            Some(style @ ('|' | '>')) => {
                let key = self.block_scalar(style, indent)?;
                return Ok(Entry { key, value: Value::Absent, is_one_line: false, comment: None });
            }
            Some('?') if self.cursor.peek_at(1) == Some(' ') => {
                return Err(self.cursor.fail("a key is written without `?`, such as `- list:`"));
            }
            Some(c @ ('*' | '@' | '`' | '%' | ']' | '}' | ',')) => {
                return Err(self.cursor.fail(format!("`{c}` cannot start an item: a role is expected")));
            }
            _ => self.plain_key(),
        };
        let mut is_one_line = self.line == first_line;
        let at_end = self.cursor.position();
        self.cursor.skip_while(|c| c == ' ');
        let has_colon = self.cursor.peek() == Some(':') && matches!(self.cursor.peek_at(1), None | Some(' ' | '\n'));
        if !has_colon {
            let comment = self.comment();
            self.end_of_line("the key ends here, only `: value` or a comment may follow");
            return Ok(Entry { key, value: Value::Absent, is_one_line: self.line == first_line + 1, comment });
        }
        self.cursor.advance();
        self.cursor.skip_while(|c| c == ' ');
        self.pass_properties();
        let start = self.cursor.position();
        let mut comment = None;
        let value = match self.cursor.peek() {
            None | Some('\n' | '#') => {
                comment = self.comment();
                self.line += 1;
                match self.significant() {
                    Some(line) if line.indent > indent && line.first == Some('-') => {
                        let below = line.indent;
                        Value::Items(self.items(below))
                    }
                    Some(line) if line.first == Some('\t') => {
                        self.problem_at_content(NO_TAB);
                        self.line += 1;
                        Value::Items(Vec::new())
                    }
                    _ => {
                        self.skip_deeper_than(key_indent);
                        Value::Null(at_end)
                    }
                }
            }
            Some(quote @ ('\'' | '"')) => {
                let (cursor, has_escaped_slash) = self.quoted(quote, indent)?;
                comment = self.comment();
                self.end_of_line("the quoted value ends here, nothing may follow it");
                is_one_line = self.line == first_line + 1;
                Value::Scalar(Scalar { text: cursor.text(), at: start, has_escaped_slash })
            }
            Some(style @ ('|' | '>')) => {
                is_one_line = false;
                let text = self.block_scalar(style, indent)?.text();
                Value::Scalar(Scalar { text, at: start, has_escaped_slash: false })
            }
            Some('[') => {
                is_one_line = false;
                let items = self.flow_sequence()?;
                self.end_of_line("the list ends here, nothing may follow it");
                Value::Items(items)
            }
            Some(c @ ('&' | '*' | '@' | '`' | '%' | '!' | '{' | '}' | ']' | ',')) => {
                return Err(self
                    .cursor
                    .fail(format!("`{c}` cannot start a plain value: put the value in double quotes")));
            }
            Some(_) => {
                let text = self.plain_value()?;
                comment = self.comment();
                self.line += 1;
                let text = self.continued(text, key_indent)?;
                is_one_line = self.line == first_line + 1;
                match text.as_str() {
                    "~" | "null" | "Null" | "NULL" => Value::Null(start),
                    _ => Value::Scalar(Scalar { text, at: start, has_escaped_slash: false }),
                }
            }
        };
        Ok(Entry { key, value, is_one_line, comment })
    }

    /// Anchors and tags say nothing here.
    fn pass_properties(&mut self) {
        while matches!(self.cursor.peek(), Some('&' | '!')) {
            self.cursor.skip_while(|c| c != ' ' && c != '\n');
            self.cursor.skip_while(|c| c == ' ');
        }
    }

    /// The comment at the cursor, which stays before it.
    fn comment(&mut self) -> Option<String> {
        self.cursor.skip_while(|c| c == ' ');
        (self.cursor.peek() == Some('#')).then(|| self.cursor.clone().take_while(|c| c != '\n'))
    }

    /// Goes to the next line; a problem when something else than a comment is left on this one.
    fn end_of_line(&mut self, problem: &str) {
        self.cursor.skip_while(|c| c == ' ' || c == '\t');
        if !matches!(self.cursor.peek(), None | Some('\n' | '#')) {
            self.problems.push(self.cursor.fail(problem));
        }
        self.line = self.cursor.position().line;
    }

    /// A plain key; stops at its colon or at the end of its line.
    fn plain_key(&mut self) -> Cursor {
        let start = self.cursor.at;
        while let Some(c) = self.cursor.peek() {
            let next = self.cursor.peek_at(1);
            if c == '\n' || (c == ':' && matches!(next, None | Some(' ' | '\n'))) || (c == ' ' && next == Some('#')) {
                break;
            }
            self.cursor.advance();
        }
        self.slice(start)
    }

    /// The characters from `start` to the cursor, without white space at the end.
    pub(super) fn slice(&self, start: usize) -> Cursor {
        let mut chars = self.cursor.chars[start..self.cursor.at].to_vec();
        while chars.pop_if(|&mut (c, _)| c == ' ' || c == '\t').is_some() {}
        let end =
            chars.last().map_or(self.cursor.chars[start.min(self.cursor.chars.len() - 1)].1, |&(_, at)| after(at));
        Cursor { chars, at: 0, end }
    }

    fn plain_value(&mut self) -> Result<String, Fail> {
        let mut value = String::new();
        while let Some(c) = self.cursor.peek().filter(|&c| c != '\n') {
            if c == '#' && value.ends_with([' ', '\t']) {
                break;
            }
            if c == ':' && matches!(self.cursor.peek_at(1), None | Some(' ' | '\n')) {
                let problem = "a colon here starts another value: put the whole value in double quotes";
                return Err(self.cursor.fail(problem));
            }
            value.push(c);
            self.cursor.advance();
        }
        value.truncate(value.trim_end_matches([' ', '\t']).len());
        Ok(value)
    }

    /// A plain value goes on in deeper lines.
    fn continued(&mut self, mut text: String, key_indent: usize) -> Result<String, Fail> {
        while let Some(line) = self.lines.get(self.line)
            && line.indent > key_indent
            && !matches!(line.first, None | Some('-' | '#'))
        {
            self.go_to_content();
            text.push(' ');
            text.push_str(&self.plain_value()?);
            self.line += 1;
        }
        Ok(text)
    }

    /// A scalar in quotes, and whether its first character is an escaped slash. Lines fold to a space.
    pub(super) fn quoted(&mut self, quote: char, indent: usize) -> Result<(Cursor, bool), Fail> {
        let open = self.cursor.fail(format!("this quote is not closed: `{quote}` is expected at the end"));
        self.cursor.advance();
        let has_escaped_slash = quote == '"' && self.cursor.peek() == Some('\\') && self.cursor.peek_at(1) == Some('/');
        let mut chars: Vec<(char, Position)> = Vec::new();
        loop {
            let at = self.cursor.position();
            match self.cursor.next() {
                None => return Err(open),
                Some(c) if c == quote => {
                    if quote == '"' || self.cursor.peek() != Some('\'') {
                        let end = chars.last().map_or(at, |&(_, last)| after(last));
                        self.line = at.line - 1;
                        return Ok((Cursor { chars, at: 0, end }, has_escaped_slash));
                    }
                    self.cursor.advance();
                    chars.push(('\'', at));
                }
                Some('\\') if quote == '"' && self.cursor.peek() == Some('\n') => {
                    self.cursor.advance();
                    self.next_folded_line(indent).ok_or_else(|| open.clone())?;
                }
                Some('\\') if quote == '"' => chars.push((self.cursor.yaml_escape()?, at)),
                Some('\n') => {
                    while chars.pop_if(|&mut (c, _)| c == ' ' || c == '\t').is_some() {}
                    self.next_folded_line(indent).ok_or_else(|| open.clone())?;
                    chars.push((' ', at));
                }
                Some(c) => chars.push((c, at)),
            }
        }
    }

    /// Goes to the next content inside quotes; `None` when the lines below belong to something else.
    fn next_folded_line(&mut self, indent: usize) -> Option<()> {
        self.cursor.skip_while(|c| c == '\n' || c == ' ' || c == '\t');
        let at = self.cursor.position();
        (at.column > indent + 1 && self.cursor.peek().is_some()).then_some(())
    }

    /// A block scalar: `|` keeps its lines, `>` folds them to one.
    fn block_scalar(&mut self, style: char, indent: usize) -> Result<Cursor, Fail> {
        self.cursor.advance();
        self.cursor.skip_while(|c| c == '+' || c == '-' || c.is_ascii_digit());
        self.cursor.skip_while(|c| c == ' ');
        if !matches!(self.cursor.peek(), None | Some('\n' | '#')) {
            return Err(self.cursor.fail(format!("the text of `{style}` starts on the next line, indented")));
        }
        let end = self.cursor.position();
        self.line += 1;
        let mut chars: Vec<(char, Position)> = Vec::new();
        let mut block_indent = None;
        let mut is_last_blank = false;
        while let Some(line) = self.lines.get(self.line) {
            if line.first.is_none() {
                is_last_blank = true;
                self.line += 1;
                continue;
            }
            let block_indent = *block_indent.get_or_insert(line.indent);
            if line.indent < block_indent || line.indent <= indent {
                break;
            }
            if let Some(&(_, last)) = chars.last() {
                chars.push((if style == '>' && !is_last_blank { ' ' } else { '\n' }, after(last)));
            }
            is_last_blank = false;
            self.cursor.at = line.start + block_indent;
            while let Some(c) = self.cursor.peek().filter(|&c| c != '\n') {
                chars.push((c, self.cursor.position()));
                self.cursor.advance();
            }
            self.line += 1;
        }
        let end = chars.last().map_or(end, |&(_, at)| after(at));
        Ok(Cursor { chars, at: 0, end })
    }
}

fn after(at: Position) -> Position {
    Position { column: at.column + 1, ..at }
}
