use std::collections::BTreeMap;

use crate::{Block, BlockType, Chunk, Content};

/// The text and reasoning that reached the reader of a call that did not finish, as message parts in block order.
///
/// This is what an interrupted answer keeps (after a cancel or a crash), so that the next request sees what the person
/// saw. Tool calls are left out: none of them was dispatched.
pub fn delivered_prefix<'a>(chunks: impl IntoIterator<Item = &'a Chunk>) -> Vec<Content> {
    let mut blocks: BTreeMap<u32, (BlockType, String)> = BTreeMap::new();
    for chunk in chunks {
        match chunk {
            Chunk::TextDelta { index, text } => {
                blocks.entry(*index).or_insert((BlockType::Text, String::new())).1.push_str(text);
            }
            Chunk::ReasoningDelta { index, text } => {
                blocks.entry(*index).or_insert((BlockType::Reasoning, String::new())).1.push_str(text);
            }
            Chunk::BlockEnd { index, block: Block::Text { text } } => {
                blocks.insert(*index, (BlockType::Text, text.clone()));
            }
            Chunk::BlockEnd { index, block: Block::Reasoning { text } } => {
                blocks.insert(*index, (BlockType::Reasoning, text.clone()));
            }
            _ => {}
        }
    }
    blocks
        .into_values()
        .filter(|(_, text)| !text.is_empty())
        .map(
            |(kind, text)| {
                if kind == BlockType::Reasoning { Content::Reasoning { text } } else { Content::Text { text } }
            },
        )
        .collect()
}
