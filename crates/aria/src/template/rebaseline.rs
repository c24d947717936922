//! A template brought up to date, with what its author wrote where that still holds.

use super::generate::general;
use super::matching::{Extent, Scope};
use super::parse::{Content, List, Mode, Place, Template, TemplateItem, TemplateNode};
use super::resolve::as_written;
use crate::deep;
use crate::diff::align::Step;
use crate::printed::{Body, Printed, Scalar};
use crate::states::{self, Form, attribute};
use crate::tree::{Child, Node, PROPERTIES, Snapshot};
use crate::yaml::write::{Line, key_line, property_line};

impl Template {
    /// The template's text, changed so that the snapshot matches it. Lines that hold are left as they are, with their
    /// patterns, `/children`, comments and blank lines; of the others only what differs is rewritten. A pattern that
    /// does not match any more is replaced by one that [`Snapshot::to_template`] would write.
    pub fn rebaseline(&self, snapshot: &Snapshot) -> String {
        if self.is_match(snapshot) {
            return self.source.clone();
        }
        if self.source.trim().is_empty() {
            return snapshot.to_yaml();
        }
        deep::on_stack_for(self.levels_with(snapshot), || self.rewritten(snapshot))
    }

    fn rewritten(&self, snapshot: &Snapshot) -> String {
        let target = if self.is_looked_for() { self.nearest(snapshot) } else { &snapshot.children };
        let merged = self.merged_list(&self.list, self.scope(), target);
        let mut writer = Writer::new(&self.source);
        writer.list(Some(&self.list), None, &[], &merged, "");
        writer.rest();
        let text = writer.lines.join("\n");
        // Nothing of the template may have been left to look for.
        match Template::parse_as(&text, self.dialect) {
            Ok(template) if template.is_match(snapshot) => text,
            _ => snapshot.to_yaml(),
        }
    }

    fn merged_list<'a>(&'a self, list: &'a List, around: Scope, actual: &'a [Child]) -> Vec<Merged<'a>> {
        let (extent, inside) = self.rules(list, around);
        let steps = self.align(&list.items, inside, actual).0;
        let merged = steps.into_iter().filter_map(|step| match step {
            Step::Pair(i, a) => Some(self.merged(&list.items[i], inside, &actual[a])),
            Step::Removed(_) => None,
            Step::Added(a) => (extent == Extent::Equal).then(|| Merged::new(&actual[a])),
        });
        merged.collect()
    }

    fn merged<'a>(&'a self, item: &'a TemplateItem, scope: Scope, actual: &'a Child) -> Merged<'a> {
        if self.item_matches(item, scope, actual) {
            let children = match &item.content {
                Content::Node(node) => node.list.items.iter().map(Merged::kept).collect(),
                Content::Text(_) => Vec::new(),
            };
            return Merged { children, is_unchanged: true, ..Merged::kept(item) };
        }
        match (&item.content, actual) {
            (Content::Node(node), Child::Node(actual)) => Merged {
                key: self.merged_key(node, scope, actual),
                mode: node.list.mode,
                children: self.merged_list(&node.list, scope, &actual.children),
                old: Some(item),
                is_unchanged: false,
            },
            (Content::Text(pattern), Child::Text(text)) => {
                let text = self.renewed(pattern.is_regex(), text);
                Merged {
                    key: Printed::text(text),
                    mode: None,
                    children: Vec::new(),
                    old: Some(item),
                    is_unchanged: false,
                }
            }
            // Alignment never pairs a text with a node.
            _ => Merged::new(actual),
        }
    }

    /// What is there now, as a pattern when it was one.
    fn renewed<'a>(&self, was_pattern: bool, text: &'a str) -> Scalar<'a> {
        if was_pattern { general(text, self.dialect) } else { Scalar::literal(text) }
    }

    fn merged_key<'a>(&self, node: &'a TemplateNode, scope: Scope, actual: &'a Node) -> Printed<'a> {
        let is_whole = self.is_whole(scope);
        let text = match &node.name {
            name if self.name_matches(node, scope, actual) => name.as_ref().map(|n| n.scalar()).unwrap_or_default(),
            Some(name) => self.renewed(name.is_regex(), &actual.name),
            None => Scalar::literal(actual.printed_name()),
        };
        let state = |name: &'static str| {
            let is_written = node.wanted(name).is_some();
            let value = actual.states.value(name)?;
            let is_shown = is_written || (is_whole && actual.states.is_printed(name));
            is_shown.then(|| attribute(name, &value))
        };
        let property = |name: &'static str| {
            let written = node.list.properties.iter().find(|property| property.name == name);
            let value = actual.property(name);
            match (written, value) {
                (Some(written), Some(_)) if self.property_matches(&node.list, name, scope, actual) => {
                    Some((name, written.pattern.scalar()))
                }
                (Some(written), Some(value)) => Some((name, self.renewed(written.pattern.is_regex(), value))),
                (None, Some(value)) if is_whole && crate::tree::is_plain_property(name) => {
                    Some((name, Scalar::literal(value)))
                }
                _ => None,
            }
        };
        Printed {
            role: Some(&actual.role),
            text,
            states: states::names().filter_map(state).collect(),
            properties: PROPERTIES.into_iter().filter_map(property).collect(),
            ..Printed::text(Scalar::default())
        }
    }
}

/// An item of the new template.
struct Merged<'a> {
    /// Without children.
    key: Printed<'a>,
    mode: Option<Mode>,
    children: Vec<Merged<'a>>,
    /// The item it was.
    old: Option<&'a TemplateItem>,
    /// Whether the old lines hold, of the item and all below it.
    is_unchanged: bool,
}

impl<'a> Merged<'a> {
    fn new(actual: &'a Child) -> Merged<'a> {
        let (key, children) = match actual {
            Child::Text(text) => (Printed::text(Scalar::literal(text)), Vec::new()),
            Child::Node(node) => (Printed::key(node, Form::Plain), node.children.iter().map(Merged::new).collect()),
        };
        Merged { key, mode: None, children, old: None, is_unchanged: false }
    }

    /// An item as it was, for the case that it has no lines of its own.
    fn kept(item: &'a TemplateItem) -> Merged<'a> {
        let (mode, children) = match &item.content {
            Content::Node(node) => (node.list.mode, node.list.items.iter().map(Merged::kept).collect()),
            Content::Text(_) => (None, Vec::new()),
        };
        let key = Printed { children: Vec::new(), ..as_written(item) };
        Merged { key, mode, children, old: Some(item), is_unchanged: true }
    }

    fn body(&self) -> Body<'_> {
        match self.children.as_slice() {
            _ if self.mode.is_some() || !self.key.properties.is_empty() => Body::Block,
            [] => Body::Empty,
            [Merged { key: Printed { role: None, text, .. }, .. }] => Body::Inline(text),
            _ => Body::Block,
        }
    }
}

impl TemplateItem {
    /// The lone text on the key's line.
    fn inline(&self) -> Option<&TemplateItem> {
        match &self.content {
            Content::Node(TemplateNode { list: List { items, .. }, .. }) => {
                items.first().filter(|text| text.place.line == self.place.line && text.place.is_one_line)
            }
            Content::Text(_) => None,
        }
    }
}

impl List {
    /// Lines of `/children` and of properties.
    fn head(&self) -> impl Iterator<Item = &Place> {
        self.mode_place.iter().chain(self.properties.iter().map(|property| &property.place))
    }

    /// Whether every entry has lines of its own, the head's first: then lines can be kept one by one.
    fn is_line_by_line(&self, key_line: usize) -> bool {
        let head_end = self.head().map(|place| place.line).max().unwrap_or(key_line);
        self.head().all(|place| place.is_one_line && place.line > key_line)
            && self.items.iter().all(|item| item.place.line > head_end)
            && self.items.windows(2).all(|pair| pair[0].place.last_line < pair[1].place.line)
    }
}

struct Writer<'a> {
    source: Vec<&'a str>,
    /// The last line of the source that was written or dropped, from 1.
    done: usize,
    lines: Vec<String>,
}

impl<'a> Writer<'a> {
    fn new(source: &'a str) -> Writer<'a> {
        Writer { source: source.split('\n').collect(), done: 0, lines: Vec::new() }
    }

    /// Copies the source up to a line.
    fn copy(&mut self, last_line: usize) {
        let lines = self.source.get(self.done..last_line).unwrap_or_default();
        self.lines.extend(lines.iter().map(|line| (*line).to_owned()));
        self.done = self.done.max(last_line);
    }

    /// Copies the blank lines and comments before a line. What is between belongs to items that are gone.
    fn lead_in(&mut self, line: usize) {
        let between = self.source.get(self.done..line - 1).unwrap_or_default();
        let is_kept = |text: &&&str| text.trim().is_empty() || text.trim_start().starts_with('#');
        let kept = between.iter().rev().take_while(is_kept).count();
        self.done = line.saturating_sub(1 + kept).max(self.done);
        self.copy(line - 1);
    }

    /// What stands after the last item.
    fn rest(&mut self) {
        let line = self.source.len() + 1;
        self.lead_in(line);
    }

    /// White space before a line's content.
    fn prefix(&self, place: &Place) -> &'a str {
        let line = self.source.get(place.line - 1).copied().unwrap_or_default();
        line.char_indices().nth(place.indent).map_or(line, |(at, _)| &line[..at])
    }

    fn line(&mut self, prefix: &str, line: &Line, comment: Option<&String>) {
        let comment = comment.map(|comment| format!(" {comment}")).unwrap_or_default();
        self.lines.push(format!("{prefix}- {}{comment}", line.content));
    }

    /// The lines of a list. `old` is what the list was, when that was written line by line.
    fn list(
        &mut self,
        old: Option<&List>,
        mode: Option<Mode>,
        properties: &[(&'static str, Scalar<'_>)],
        children: &[Merged<'_>],
        prefix: &str,
    ) {
        let mut prefix = prefix;
        match old {
            Some(old) => {
                if let Some(place) = old.head().chain(old.items.iter().map(|item| &item.place)).next() {
                    prefix = self.prefix(place);
                }
                self.old_head(old, properties, prefix);
            }
            None => {
                if let Some(mode) = mode {
                    self.lines.push(format!("{prefix}- /children: {}", mode.as_str()));
                }
                for (name, value) in properties {
                    self.line(prefix, &property_line(name, value, 0), None);
                }
            }
        }
        for child in children {
            self.item(child, prefix);
        }
    }

    fn old_head(&mut self, old: &List, properties: &[(&'static str, Scalar<'_>)], prefix: &str) {
        let find = |name: &str| properties.iter().find(|(other, _)| *other == name).map(|(_, value)| value);
        let mut head: Vec<_> = old.properties.iter().map(|property| (&property.place, Some(property))).collect();
        head.extend(old.mode_place.iter().map(|place| (place, None)));
        head.sort_by_key(|(place, _)| place.line);
        for (place, property) in head {
            self.lead_in(place.line);
            match property {
                Some(property) => match find(property.name) {
                    Some(value) if *value == property.pattern.scalar() => self.copy(place.line),
                    Some(value) => self.line(prefix, &property_line(property.name, value, 0), place.comment.as_ref()),
                    None => {}
                },
                None => self.copy(place.line),
            }
            self.done = self.done.max(place.line);
        }
        for (name, value) in properties {
            if !old.properties.iter().any(|property| property.name == *name) {
                self.line(prefix, &property_line(name, value, 0), None);
            }
        }
    }

    fn item(&mut self, item: &Merged<'_>, prefix: &str) {
        let old = item.old.filter(|old| old.place.line > self.done);
        if let Some(old) = old {
            let is_own = old.place.is_one_line || self.is_alone(old);
            if item.is_unchanged && is_own {
                self.lead_in(old.place.line);
                self.copy(old.place.last_line);
                return;
            }
            if let Content::Text(_) = old.content
                && old.place.is_one_line
            {
                self.lead_in(old.place.line);
                self.line(prefix, &key_line(&item.key, &Body::Empty, 0), old.place.comment.as_ref());
                self.done = old.place.last_line;
                return;
            }
            if let Content::Node(node) = &old.content
                && old.place.is_one_line
                && (old.inline().is_some() || node.list.is_line_by_line(old.place.line))
            {
                self.lead_in(old.place.line);
                self.changed_node(item, old, node);
                self.done = old.place.last_line;
                return;
            }
        }
        self.line(prefix, &key_line(&item.key, &item.body(), 0), None);
        if item.body() == Body::Block {
            self.list(None, item.mode, &item.key.properties, &item.children, &format!("{prefix}  "));
        }
        if let Some(old) = old {
            self.done = self.done.max(old.place.last_line);
        }
    }

    /// Whether the item's dash is the first thing on its line, so that its lines are its own.
    fn is_alone(&self, item: &TemplateItem) -> bool {
        let line = self.source.get(item.place.line - 1).copied().unwrap_or_default();
        item.place.is_alone && line.chars().nth(item.place.indent) == Some('-')
    }

    fn changed_node(&mut self, item: &Merged<'_>, old: &TemplateItem, node: &TemplateNode) {
        let prefix = self.prefix(&old.place);
        let was = Printed { children: Vec::new(), properties: Vec::new(), ..as_written(old) };
        let has_same_key = was.role == item.key.role && was.text == item.key.text && was.states == item.key.states;
        let body = item.body();
        let had_block = old.inline().is_none() && (!node.list.items.is_empty() || node.list.head().next().is_some());
        let has_same_body = match &body {
            Body::Empty => !had_block && old.inline().is_none(),
            Body::Inline(_) => old.inline().is_some() && item.children[0].is_unchanged,
            Body::Block => had_block,
        };
        if has_same_key && has_same_body {
            self.copy(old.place.line);
        } else {
            self.line(prefix, &key_line(&item.key, &body, 0), old.place.comment.as_ref());
            self.done = old.place.line;
        }
        if body == Body::Block {
            let below = had_block.then_some(&node.list);
            self.list(below, item.mode, &item.key.properties, &item.children, &format!("{prefix}  "));
        }
    }
}
