//! Cutting a text into its top-level blocks, so that a growing text re-renders its last block only.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

use super::cjk::{Prepared, without_sentinels};

/// One top-level block: its events and the source they came from.
pub(super) struct Block<'a> {
    pub(super) source: Range<usize>,
    pub(super) events: Vec<Event<'a>>,
}

/// The top-level blocks of a text, in order. Sources are places in the prepared text.
pub(super) fn blocks<'a>(markdown: &'a Prepared<'_>) -> Vec<Block<'a>> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut depth = 0_usize;
    for (event, source) in Parser::new_ext(&markdown.text, options).into_offset_iter() {
        if depth == 0 {
            blocks.push(Block { source, events: Vec::new() });
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        if let Some(block) = blocks.last_mut() {
            block.events.push(if markdown.sentinels { cleaned(event) } else { event });
        }
    }
    blocks
}

/// The event with what the model wrote, and nothing else.
fn cleaned(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Text(text) => Event::Text(without_sentinels(text)),
        Event::Code(text) => Event::Code(without_sentinels(text)),
        Event::Html(text) => Event::Html(without_sentinels(text)),
        Event::InlineHtml(text) => Event::InlineHtml(without_sentinels(text)),
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(without_sentinels(language))))
        }
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Link { link_type, dest_url: without_sentinels(dest_url), title, id })
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            Event::Start(Tag::Image { link_type, dest_url: without_sentinels(dest_url), title, id })
        }
        event => event,
    }
}
