//! Characters that know where they are, and the small grammars read from them.

use crate::error::Position;

/// A problem and where it is.
#[derive(Debug, Clone)]
pub(crate) struct Fail {
    pub(crate) at: Position,
    pub(crate) problem: String,
}

/// Characters with the place each comes from, which unquoting keeps.
#[derive(Debug, Clone)]
pub(crate) struct Cursor {
    pub(super) chars: Vec<(char, Position)>,
    pub(super) at: usize,
    /// The place after the last character.
    pub(super) end: Position,
}

impl Cursor {
    pub(crate) fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, offset: usize) -> Option<char> {
        self.chars.get(self.at + offset).map(|&(c, _)| c)
    }

    pub(crate) fn advance(&mut self) {
        self.at += 1;
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += 1;
        next
    }

    /// The place of the next character.
    pub(crate) fn position(&self) -> Position {
        self.chars.get(self.at).map_or(self.end, |&(_, at)| at)
    }

    /// An error at the next character.
    pub(crate) fn fail(&self, problem: impl Into<String>) -> Fail {
        Fail { at: self.position(), problem: problem.into() }
    }

    pub(crate) fn skip_while(&mut self, accepts: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&accepts) {
            self.advance();
        }
    }

    pub(crate) fn take_while(&mut self, accepts: impl Fn(char) -> bool) -> String {
        let start = self.at;
        self.skip_while(accepts);
        self.chars[start..self.at].iter().map(|&(c, _)| c).collect()
    }

    pub(crate) fn text(&self) -> String {
        self.chars.iter().map(|&(c, _)| c).collect()
    }

    /// What follows a backslash in a double-quoted scalar (YAML 1.2, 5.7).
    pub(super) fn yaml_escape(&mut self) -> Result<char, Fail> {
        let at = self.fail("this is no escape of YAML: write `\\\\` for a backslash");
        Ok(match self.next() {
            Some(c @ ('\\' | '"' | '/' | ' ' | '\t')) => c,
            Some('0') => '\0',
            Some('a') => '\u{7}',
            Some('b') => '\u{8}',
            Some('e') => '\u{1B}',
            Some('f') => '\u{C}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('v') => '\u{B}',
            Some('N') => '\u{85}',
            Some('_') => '\u{A0}',
            Some('L') => '\u{2028}',
            Some('P') => '\u{2029}',
            Some('x') => self.code_point(2)?,
            Some('u') => self.code_point(4)?,
            Some('U') => self.code_point(8)?,
            _ => return Err(at),
        })
    }

    /// A name: a JSON string. A backslash before any other character stands for that character, as in templates.
    pub(crate) fn json_string(&mut self) -> Result<String, Fail> {
        let open = self.fail("the name is not closed: `\"` is expected at its end");
        self.advance();
        let mut text = String::new();
        loop {
            match self.next() {
                None => return Err(open),
                Some('"') => return Ok(text),
                Some('\\') => match self.next() {
                    Some('b') => text.push('\u{8}'),
                    Some('f') => text.push('\u{C}'),
                    Some('n') => text.push('\n'),
                    Some('r') => text.push('\r'),
                    Some('t') => text.push('\t'),
                    Some('u') => text.push(self.code_point(4)?),
                    Some(c) => text.push(c),
                    None => return Err(open),
                },
                Some(c) => text.push(c),
            }
        }
    }

    /// A pattern with its slashes and flags, as written. It ends at the first slash that is neither escaped nor in a
    /// class.
    pub(crate) fn pattern(&mut self) -> Result<String, Fail> {
        let open = self.fail("the pattern is not closed: `/` is expected at its end; write `\\/` for a slash in it");
        self.advance();
        let mut text = String::from("/");
        let mut in_class = false;
        loop {
            let Some(c) = self.next() else { return Err(open) };
            text.push(c);
            match c {
                '\\' => match self.next() {
                    Some(escaped) => text.push(escaped),
                    None => return Err(open),
                },
                '[' => in_class = true,
                ']' => in_class = false,
                '/' if !in_class => break,
                _ => {}
            }
        }
        text.push_str(&self.take_while(|c| c.is_ascii_alphabetic()));
        Ok(text)
    }

    /// A code point in hexadecimal. One half of a surrogate pair, which JavaScript's strings can hold, is read as
    /// U+FFFD, as everywhere outside JavaScript.
    fn code_point(&mut self, digits: usize) -> Result<char, Fail> {
        let at = self.fail(format!("{digits} hexadecimal digits of a character are expected"));
        let mut code = 0;
        for _ in 0..digits {
            match self.next().and_then(|c| c.to_digit(16)) {
                Some(digit) => code = code * 16 + digit,
                None => return Err(at),
            }
        }
        match code {
            0xD800..=0xDFFF => Ok(char::REPLACEMENT_CHARACTER),
            _ => char::from_u32(code).ok_or(at),
        }
    }
}
