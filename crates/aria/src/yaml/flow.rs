//! Flow style: `[a, b: c]` and `{a: b}`.

use super::read::{Entry, Item, Reader, Scalar, Value};
use super::scan::{Cursor, Fail};

impl Reader {
    /// `[a, b: c, "d"]`
    pub(super) fn flow_sequence(&mut self) -> Result<Vec<Item>, Fail> {
        let open = self.cursor.fail("this list is not closed: `]` is expected at its end");
        self.cursor.advance();
        let mut items = Vec::new();
        loop {
            self.skip_flow_space();
            let at = self.cursor.position();
            let entries = match self.cursor.peek() {
                None => return Err(open),
                Some(']') => {
                    self.cursor.advance();
                    self.line = at.line - 1;
                    return Ok(items);
                }
                Some('{') => self.flow_mapping()?,
                Some('[') => {
                    return Err(self
                        .cursor
                        .fail("an item is a role, `text:` or a property, not a list: drop one level"));
                }
                Some(_) => vec![self.flow_entry()?],
            };
            items.push(Item { last_line: at.line, indent: at.column - 1, entries });
            self.flow_separator(']', &open)?;
        }
    }

    /// `{key: value, key: value}`
    pub(super) fn flow_mapping(&mut self) -> Result<Vec<Entry>, Fail> {
        let open = self.cursor.fail("this mapping is not closed: `}` is expected at its end");
        self.cursor.advance();
        let mut entries = Vec::new();
        loop {
            self.skip_flow_space();
            match self.cursor.peek() {
                None => return Err(open),
                Some('}') => {
                    self.line = self.cursor.position().line - 1;
                    self.cursor.advance();
                    return Ok(entries);
                }
                Some(_) => entries.push(self.flow_entry()?),
            }
            self.flow_separator('}', &open)?;
        }
    }

    fn flow_separator(&mut self, close: char, open: &Fail) -> Result<(), Fail> {
        self.skip_flow_space();
        match self.cursor.peek() {
            Some(',') => self.cursor.advance(),
            Some(c) if c == close => {}
            None => return Err(open.clone()),
            Some(_) => return Err(self.cursor.fail(format!("`,` or `{close}` is expected"))),
        }
        Ok(())
    }

    fn flow_entry(&mut self) -> Result<Entry, Fail> {
        let key = self.flow_scalar()?.0;
        self.skip_flow_space();
        if self.cursor.peek() != Some(':') {
            return Ok(Entry { key, value: Value::Absent, is_one_line: false, comment: None });
        }
        self.cursor.advance();
        self.skip_flow_space();
        let at = self.cursor.position();
        let value = match self.cursor.peek() {
            Some('[') => Value::Items(self.flow_sequence()?),
            Some('{') => {
                return Err(self.cursor.fail("the value of a role is a text or a list of items, not a mapping"));
            }
            None | Some(',' | ']' | '}') => Value::Null(at),
            Some(_) => {
                let (cursor, has_escaped_slash) = self.flow_scalar()?;
                Value::Scalar(Scalar { text: cursor.text(), at, has_escaped_slash })
            }
        };
        Ok(Entry { key, value, is_one_line: false, comment: None })
    }

    fn flow_scalar(&mut self) -> Result<(Cursor, bool), Fail> {
        if let Some(quote @ ('\'' | '"')) = self.cursor.peek() {
            return self.quoted(quote, 0);
        }
        let start = self.cursor.at;
        while let Some(c) = self.cursor.peek() {
            let next = self.cursor.peek_at(1);
            let is_colon = c == ':' && matches!(next, None | Some(' ' | '\n' | ',' | ']' | '}'));
            if is_colon || matches!(c, ',' | '[' | ']' | '{' | '}' | '\n') || (c == ' ' && next == Some('#')) {
                break;
            }
            self.cursor.advance();
        }
        if self.cursor.at == start {
            return Err(self.cursor.fail("a role or a value is expected"));
        }
        Ok((self.slice(start), false))
    }

    fn skip_flow_space(&mut self) {
        loop {
            self.cursor.skip_while(|c| c == ' ' || c == '\n' || c == '\t');
            if self.cursor.peek() != Some('#') {
                return;
            }
            self.cursor.skip_while(|c| c != '\n');
        }
    }
}
