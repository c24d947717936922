//! Cutting a text into its top-level blocks, so that a growing text re-renders its last block only.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser};

/// One top-level block: its events and the source they came from.
pub(super) struct Block<'a> {
    pub(super) source: Range<usize>,
    pub(super) events: Vec<Event<'a>>,
}

/// The top-level blocks of a text, in order.
pub(super) fn blocks(markdown: &str) -> Vec<Block<'_>> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut depth = 0_usize;
    for (event, source) in Parser::new_ext(markdown, options).into_offset_iter() {
        if depth == 0 {
            blocks.push(Block { source, events: Vec::new() });
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        if let Some(block) = blocks.last_mut() {
            block.events.push(event);
        }
    }
    blocks
}
