//! Events to nodes.

use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Tag};
use web_sys::{Document, Element};

use super::blocks::{Block, blocks};
use super::cjk::prepared;
use super::links::harmless;
use crate::strings::Strings;

/// Elements inside each other, at most. Deeper ones show in the deepest: a browser lays out thousands of them, as
/// thousands of `>` in a row would make, until its stack ends and the page is gone.
const DEEPEST: usize = 48;

/// Keeps an element showing a Markdown text that may grow.
pub(crate) struct Markdown {
    strings: &'static Strings,
    /// Source and element of each block shown.
    shown: Vec<(String, Element)>,
}

impl Markdown {
    /// Nothing shown yet.
    pub(crate) fn new(strings: &'static Strings) -> Self {
        Self { strings, shown: Vec::new() }
    }

    /// Makes the children of `host` the blocks of `markdown`, keeping those whose source is unchanged.
    pub(crate) fn show(&mut self, host: &Element, markdown: &str) {
        let prepared = prepared(markdown);
        let (markdown, blocks) = (&*prepared.text, blocks(&prepared));
        let same = blocks
            .iter()
            .zip(&self.shown)
            .take_while(|(block, (source, _))| markdown[block.source.clone()] == **source)
            .count();
        for (_, element) in self.shown.drain(same..) {
            element.remove();
        }
        for block in &blocks[same..] {
            if let Some(element) = self.render(host, block) {
                self.shown.push((markdown[block.source.clone()].to_owned(), element));
            }
        }
    }

    fn render(&self, host: &Element, block: &Block<'_>) -> Option<Element> {
        let document = host.owner_document()?;
        // A wrapper without a box, so that a block is one child whatever its events are.
        let wrapper = element(&document, "div");
        wrapper.set_class_name("block");
        let mut writer =
            Writer { strings: self.strings, document, open: vec![wrapper.clone()], table: Vec::new(), cell: 0 };
        for event in &block.events {
            writer.event(event);
        }
        host.append_child(&wrapper).ok()?;
        Some(wrapper)
    }
}

/// Builds nodes from events; `open` are the elements not yet closed, outermost first.
struct Writer {
    strings: &'static Strings,
    document: Document,
    open: Vec<Element>,
    /// Alignment of the columns of the open table.
    table: Vec<Alignment>,
    /// Column of the next cell.
    cell: usize,
}

fn element(document: &Document, name: &str) -> Element {
    document.create_element(name).expect("a name from the fixed set is valid")
}

impl Writer {
    fn event(&mut self, event: &Event<'_>) {
        if self.open.len() >= DEEPEST {
            match event {
                Event::Start(_) => self.open.push(self.top().clone()),
                Event::End(_) => drop(self.open.pop()),
                Event::Code(text) | Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(text),
                Event::SoftBreak | Event::HardBreak => self.text("\n"),
                _ => {}
            }
            return;
        }
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(_) => {
                if self.open.len() > 1 {
                    self.open.pop();
                }
            }
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.text(text),
            Event::Code(text) => self.leaf("code", text),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.leaf("code", text),
            Event::FootnoteReference(name) => self.leaf("sup", name),
            Event::SoftBreak => self.text("\n"),
            Event::HardBreak => self.leaf("br", ""),
            Event::Rule => self.leaf("hr", ""),
            Event::TaskListMarker(done) => {
                let marker = self.append("input");
                set(&marker, "type", "checkbox");
                set(&marker, "disabled", "");
                set(&marker, "aria-label", if *done { self.strings.task_done } else { self.strings.task_open });
                if *done {
                    set(&marker, "checked", "");
                }
            }
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Paragraph => self.enter("p"),
            Tag::Heading { level, .. } => self.enter(heading(*level)),
            Tag::BlockQuote(_) => self.enter("blockquote"),
            Tag::CodeBlock(kind) => {
                let pre = self.append("pre");
                // Long lines scroll inside the block; the keyboard reaches it.
                set(&pre, "tabindex", "0");
                if let CodeBlockKind::Fenced(language) = kind
                    && !language.is_empty()
                {
                    set(&pre, "data-language", language);
                }
                let code = element(&self.document, "code");
                let _ = pre.append_child(&code);
                self.open.push(code);
            }
            Tag::List(None) => self.enter("ul"),
            Tag::List(Some(first)) => {
                self.enter("ol");
                if *first != 1 {
                    set(self.top(), "start", &first.to_string());
                }
            }
            Tag::Item => self.enter("li"),
            Tag::Table(alignments) => {
                self.table.clone_from(alignments);
                let scroller = self.append("div");
                scroller.set_class_name("table");
                set(&scroller, "tabindex", "0");
                let table = element(&self.document, "table");
                let _ = scroller.append_child(&table);
                self.open.push(table);
            }
            Tag::TableHead => {
                self.cell = 0;
                self.enter("tr");
                set(self.top(), "data-head", "");
            }
            Tag::TableRow => {
                self.cell = 0;
                self.enter("tr");
            }
            Tag::TableCell => {
                let head = self.top().has_attribute("data-head");
                self.enter(if head { "th" } else { "td" });
                match self.table.get(self.cell) {
                    Some(Alignment::Center) => set(self.top(), "data-align", "center"),
                    Some(Alignment::Right) => set(self.top(), "data-align", "right"),
                    _ => {}
                }
                self.cell += 1;
            }
            Tag::Emphasis => self.enter("em"),
            Tag::Strong => self.enter("strong"),
            Tag::Strikethrough => self.enter("del"),
            Tag::Superscript => self.enter("sup"),
            Tag::Subscript => self.enter("sub"),
            Tag::Link { dest_url, .. } => self.link(dest_url),
            Tag::Image { dest_url, .. } => {
                // A picture from elsewhere would tell its server that this text was read: the reader decides.
                self.link(dest_url);
                self.top().set_class_name("image");
                // Said by the style sheet, so that the row's text stays what the model wrote.
                set(self.top(), "data-label", self.strings.image);
            }
            Tag::HtmlBlock => self.enter("p"),
            Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::MetadataBlock(_) => self.enter("div"),
        }
    }

    /// An `a` for an address with a harmless scheme, else a `span`: the text stays, the address goes.
    fn link(&mut self, address: &str) {
        let harmless = harmless(address);
        self.enter(if harmless { "a" } else { "span" });
        if harmless {
            set(self.top(), "href", address);
            set(self.top(), "target", "_blank");
            set(self.top(), "rel", "noopener noreferrer");
        }
    }

    fn top(&self) -> &Element {
        self.open.last().expect("the wrapper is never closed")
    }

    fn append(&self, name: &str) -> Element {
        let child = element(&self.document, name);
        let _ = self.top().append_child(&child);
        child
    }

    fn enter(&mut self, name: &str) {
        let child = self.append(name);
        self.open.push(child);
    }

    fn leaf(&self, name: &str, text: &str) {
        let leaf = self.append(name);
        if !text.is_empty() {
            leaf.set_text_content(Some(text));
        }
    }

    fn text(&self, text: &str) {
        let _ = self.top().append_child(&self.document.create_text_node(text));
    }
}

fn set(element: &Element, name: &str, value: &str) {
    element.set_attribute(name, value).expect("a name from the fixed set is valid");
}

/// One level lower than written: the page's own title is the first.
fn heading(level: HeadingLevel) -> &'static str {
    match level {
        HeadingLevel::H1 => "h2",
        HeadingLevel::H2 => "h3",
        HeadingLevel::H3 => "h4",
        HeadingLevel::H4 => "h5",
        HeadingLevel::H5 | HeadingLevel::H6 => "h6",
    }
}
