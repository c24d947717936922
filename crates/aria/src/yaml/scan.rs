//! Scalars of one line, with the column of every character.

/// An error and where it is; lines and columns from 1.
pub(super) struct Fail {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) problem: String,
}

/// Characters of a line with the column each comes from, which unquoting keeps.
#[derive(Clone)]
pub(super) struct Cursor {
    line: usize,
    chars: Vec<(char, usize)>,
    at: usize,
    /// The column after the last character.
    end: usize,
}

impl Cursor {
    pub(super) fn new(line: usize, text: &str) -> Cursor {
        let chars: Vec<_> = text.chars().zip(1..).collect();
        let end = chars.len() + 1;
        Cursor { line, chars, at: 0, end }
    }

    /// How many characters have been passed.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).map(|&(c, _)| c)
    }

    pub(super) fn advance(&mut self) {
        self.at += 1;
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += 1;
        next
    }

    /// An error at the next character.
    pub(super) fn fail(&self, problem: impl Into<String>) -> Fail {
        let column = self.chars.get(self.at).map_or(self.end, |&(_, column)| column);
        Fail { line: self.line, column, problem: problem.into() }
    }

    pub(super) fn skip_while(&mut self, accepts: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&accepts) {
            self.advance();
        }
    }

    pub(super) fn take_while(&mut self, accepts: impl Fn(char) -> bool) -> String {
        let start = self.at;
        self.skip_while(accepts);
        self.chars[start..self.at].iter().map(|&(c, _)| c).collect()
    }

    pub(super) fn rest_is(&self, text: &str) -> bool {
        self.chars[self.at..].iter().map(|&(c, _)| c).eq(text.chars())
    }

    /// The key, unquoted; stops at its colon or at the end of the item.
    pub(super) fn key(&mut self) -> Result<Cursor, Fail> {
        if let Some(quote @ ('\'' | '"')) = self.peek() {
            let chars = self.quoted(quote)?;
            let end = chars.last().map_or(self.end, |&(_, column)| column + 1);
            return Ok(Cursor { line: self.line, chars, at: 0, end });
        }
        let start = self.at;
        while let Some(c) = self.peek() {
            let next = self.chars.get(self.at + 1).map(|&(c, _)| c);
            if (c == ':' && matches!(next, None | Some(' '))) || (c == ' ' && next == Some('#')) {
                break;
            }
            self.advance();
        }
        let mut chars = self.chars[start..self.at].to_vec();
        while chars.pop_if(|&mut (c, _)| c == ' ').is_some() {}
        let end = chars.last().map_or(start + 1, |&(_, column)| column + 1);
        self.skip_while(|c| c == ' ');
        Ok(Cursor { line: self.line, chars, at: 0, end })
    }

    /// The scalar up to the end of the line; `None` when there is none.
    pub(super) fn value(&mut self) -> Result<Option<String>, Fail> {
        self.skip_while(|c| c == ' ');
        let value = match self.peek() {
            None | Some('#') => return Ok(None),
            Some(quote @ ('\'' | '"')) => {
                let value = self.quoted(quote)?.into_iter().map(|(c, _)| c).collect();
                self.skip_while(|c| c == ' ');
                if !matches!(self.peek(), None | Some('#')) {
                    return Err(self.fail("the quoted value ends here, nothing may follow it"));
                }
                value
            }
            Some(c @ ('&' | '*' | '|' | '>' | '@' | '`' | '%' | '!' | '{' | '}' | '[' | ']' | ',')) => {
                return Err(self.fail(format!("`{c}` cannot start a plain value: put the value in double quotes")));
            }
            Some(_) => self.plain()?,
        };
        Ok(Some(value))
    }

    fn plain(&mut self) -> Result<String, Fail> {
        let mut value = String::new();
        while let Some(c) = self.peek() {
            if c == '#' && value.ends_with(' ') {
                break;
            }
            let next = self.chars.get(self.at + 1).map(|&(c, _)| c);
            if c == ':' && matches!(next, None | Some(' ')) {
                return Err(self.fail("a colon here starts another value: put the whole value in double quotes"));
            }
            value.push(c);
            self.advance();
        }
        value.truncate(value.trim_end_matches(' ').len());
        Ok(value)
    }

    /// A scalar in single or double quotes: its characters, each with the column where it starts.
    fn quoted(&mut self, quote: char) -> Result<Vec<(char, usize)>, Fail> {
        let open = self.fail(format!("this quote is not closed: `{quote}` is expected at the end"));
        self.advance();
        let mut chars = Vec::new();
        loop {
            let column = self.fail("").column;
            match self.next() {
                None => return Err(open),
                Some(c) if c == quote => {
                    if quote == '"' || self.peek() != Some('\'') {
                        return Ok(chars);
                    }
                    self.advance();
                    chars.push(('\'', column));
                }
                Some('\\') if quote == '"' => chars.push((self.yaml_escape()?, column)),
                Some(c) => chars.push((c, column)),
            }
        }
    }

    /// What follows a backslash in a double-quoted scalar (YAML 1.2, 5.7).
    fn yaml_escape(&mut self) -> Result<char, Fail> {
        let at = self.fail("this is no escape of YAML: write `\\\\` for a backslash");
        Ok(match self.next() {
            Some(c @ ('\\' | '"' | '/' | ' ')) => c,
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
    pub(super) fn json_string(&mut self) -> Result<String, Fail> {
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

    fn code_point(&mut self, digits: usize) -> Result<char, Fail> {
        let at = self.fail(format!("{digits} hexadecimal digits of a character are expected"));
        let mut code = 0;
        for _ in 0..digits {
            match self.next().and_then(|c| c.to_digit(16)) {
                Some(digit) => code = code * 16 + digit,
                None => return Err(at),
            }
        }
        char::from_u32(code).ok_or(at)
    }
}
