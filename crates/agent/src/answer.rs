use std::collections::BTreeMap;

use session::{Block, BlockType, Chunk, Content, Usage, delivered_prefix};

/// A model's answer while it streams.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    chunks: Vec<Chunk>,
    /// Sequence numbers of the chunk events it is made from.
    pub(crate) seqs: Vec<u64>,
}

impl Answer {
    /// Takes one chunk in, the event `seq`.
    pub(crate) fn push(&mut self, seq: u64, chunk: Chunk) {
        self.seqs.push(seq);
        self.chunks.push(chunk);
    }

    /// Token counts, the last that came.
    pub(crate) fn usage(&self) -> Option<Usage> {
        self.chunks.iter().rev().find_map(|chunk| match chunk {
            Chunk::Usage { usage } => Some(*usage),
            _ => None,
        })
    }

    /// What a reader had seen of it: text and reasoning, nothing of calls that never ran.
    pub(crate) fn prefix(&self) -> Vec<Content> {
        delivered_prefix(&self.chunks)
    }

    /// The whole answer: blocks in the order of their index.
    pub(crate) fn content(&self) -> Vec<Content> {
        let mut blocks = BTreeMap::new();
        for chunk in &self.chunks {
            apply(&mut blocks, chunk);
        }
        blocks.into_values().map(part).collect()
    }
}

fn apply(blocks: &mut BTreeMap<u32, Block>, chunk: &Chunk) {
    match chunk {
        Chunk::BlockStart { index, block_type } => {
            block(blocks, *index, *block_type);
        }
        Chunk::TextDelta { index, text } => {
            if let Block::Text { text: whole } = block(blocks, *index, BlockType::Text) {
                whole.push_str(text);
            }
        }
        Chunk::ReasoningDelta { index, text } => {
            if let Block::Reasoning { text: whole } = block(blocks, *index, BlockType::Reasoning) {
                whole.push_str(text);
            }
        }
        Chunk::ToolCallDelta { index, id, name, arguments_delta } => {
            let block = block(blocks, *index, BlockType::ToolCall);
            if let Block::ToolCall { id: known, name: known_name, arguments } = block {
                if known.is_empty() {
                    known.clone_from(id);
                }
                if let Some(name) = name {
                    known_name.clone_from(name);
                }
                arguments.push_str(arguments_delta);
            }
        }
        Chunk::BlockEnd { index, block } => {
            blocks.insert(*index, block.clone());
        }
        Chunk::Usage { .. } | Chunk::Finish { .. } => {}
    }
}

fn block(blocks: &mut BTreeMap<u32, Block>, index: u32, kind: BlockType) -> &mut Block {
    blocks.entry(index).or_insert_with(|| empty(kind))
}

fn empty(kind: BlockType) -> Block {
    match kind {
        BlockType::Text => Block::Text { text: String::new() },
        BlockType::Reasoning => Block::Reasoning { text: String::new() },
        BlockType::ToolCall => Block::ToolCall { id: String::new(), name: String::new(), arguments: String::new() },
    }
}

fn part(block: Block) -> Content {
    match block {
        Block::Text { text } => Content::Text { text },
        Block::Reasoning { text } => Content::Reasoning { text },
        Block::ToolCall { id, name, arguments } => Content::ToolCall { id, name, arguments },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(chunks: &[Chunk]) -> Answer {
        let mut answer = Answer::default();
        for (seq, chunk) in chunks.iter().enumerate() {
            answer.push(seq as u64, chunk.clone());
        }
        answer
    }

    fn call(index: u32, id: &str, name: Option<&str>, delta: &str) -> Chunk {
        Chunk::ToolCallDelta { index, id: id.into(), name: name.map(Into::into), arguments_delta: delta.into() }
    }

    #[test]
    fn deltas_build_blocks_in_the_order_of_their_index() {
        let answer = answer(&[
            call(4, "c1", None, "{\"a\""),
            Chunk::TextDelta { index: 2, text: "He".into() },
            call(4, "c2", Some("bash"), ":1}"),
            Chunk::TextDelta { index: 2, text: "llo".into() },
            Chunk::ReasoningDelta { index: 0, text: "hm".into() },
        ]);
        let expected = [
            Content::Reasoning { text: "hm".into() },
            Content::text("Hello"),
            Content::ToolCall { id: "c1".into(), name: "bash".into(), arguments: "{\"a\":1}".into() },
        ];
        assert_eq!(answer.content(), expected);
        assert_eq!(answer.prefix(), expected[..2]);
        assert_eq!(answer.seqs, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn block_end_replaces_what_the_deltas_built() {
        let end = Chunk::BlockEnd { index: 0, block: Block::Text { text: "whole".into() } };
        let answer = answer(&[Chunk::TextDelta { index: 0, text: "who".into() }, end]);
        assert_eq!(answer.content(), [Content::text("whole")]);
    }

    #[test]
    fn a_block_that_only_began_is_in_the_answer_but_not_in_the_prefix() {
        let answer = answer(&[Chunk::BlockStart { index: 0, block_type: BlockType::Text }]);
        assert_eq!(answer.content(), [Content::text("")]);
        assert_eq!(answer.prefix(), []);
    }
}
