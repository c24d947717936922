//! The answer a model is writing, put together from its chunks.

use std::collections::BTreeMap;

use session::{Block, BlockType, Chunk};

/// One block so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PartialBlock {
    Text(String),
    Reasoning(String),
    /// The first delta fixes `id`, the last one that carries a name fixes `name`.
    Tool {
        id: Option<String>,
        name: Option<String>,
        arguments: String,
    },
}

impl PartialBlock {
    fn new(kind: BlockType) -> Self {
        match kind {
            BlockType::Text => Self::Text(String::new()),
            BlockType::Reasoning => Self::Reasoning(String::new()),
            BlockType::ToolCall => Self::Tool { id: None, name: None, arguments: String::new() },
        }
    }

    fn whole(block: &Block) -> Self {
        match block {
            Block::Text { text } => Self::Text(text.clone()),
            Block::Reasoning { text } => Self::Reasoning(text.clone()),
            Block::ToolCall { id, name, arguments } => {
                Self::Tool { id: Some(id.clone()), name: Some(name.clone()), arguments: arguments.clone() }
            }
        }
    }
}

/// Blocks by index, with what has ended. Indexes may be sparse; readers see them in order, without holes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Partial {
    blocks: BTreeMap<u32, (PartialBlock, bool)>,
}

impl Partial {
    /// Takes one chunk; whether anything a reader sees changed.
    pub(crate) fn apply(&mut self, chunk: &Chunk) -> bool {
        match chunk {
            Chunk::BlockStart { index, block_type } => {
                let fresh = !self.blocks.contains_key(index);
                self.blocks.entry(*index).or_insert_with(|| (PartialBlock::new(*block_type), false));
                fresh
            }
            Chunk::TextDelta { index, text } => {
                let block = self.block(*index, BlockType::Text);
                let PartialBlock::Text(so_far) = block else { return false };
                so_far.push_str(text);
                !text.is_empty()
            }
            Chunk::ReasoningDelta { index, text } => {
                let block = self.block(*index, BlockType::Reasoning);
                let PartialBlock::Reasoning(so_far) = block else { return false };
                so_far.push_str(text);
                !text.is_empty()
            }
            Chunk::ToolCallDelta { index, id, name, arguments_delta } => {
                let block = self.block(*index, BlockType::ToolCall);
                let PartialBlock::Tool { id: known, name: named, arguments } = block else { return false };
                let mut changed = !arguments_delta.is_empty();
                if known.is_none() {
                    *known = Some(id.clone());
                    changed = true;
                }
                if name.is_some() && named != name {
                    named.clone_from(name);
                    changed = true;
                }
                arguments.push_str(arguments_delta);
                changed
            }
            Chunk::BlockEnd { index, block } => {
                let ended = (PartialBlock::whole(block), true);
                let before = self.blocks.insert(*index, ended.clone());
                before != Some(ended)
            }
            Chunk::Usage { .. } | Chunk::Finish { .. } => false,
        }
    }

    /// Blocks in order, each with whether more of it may come: a block that has not ended and is the last.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (&PartialBlock, bool)> {
        let last = self.blocks.keys().next_back().copied();
        self.blocks.iter().map(move |(index, (block, ended))| (block, !ended && Some(*index) == last))
    }

    fn block(&mut self, index: u32, kind: BlockType) -> &mut PartialBlock {
        &mut self.blocks.entry(index).or_insert_with(|| (PartialBlock::new(kind), false)).0
    }
}

#[cfg(test)]
mod tests {
    use session::{Block, BlockType, Chunk, FinishReason, Usage};

    use super::{Partial, PartialBlock};

    fn start(index: u32, block_type: BlockType) -> Chunk {
        Chunk::BlockStart { index, block_type }
    }
    fn text(index: u32, text: &str) -> Chunk {
        Chunk::TextDelta { index, text: text.to_owned() }
    }
    fn reasoning(index: u32, text: &str) -> Chunk {
        Chunk::ReasoningDelta { index, text: text.to_owned() }
    }
    fn tool(index: u32, id: &str, name: Option<&str>, arguments: &str) -> Chunk {
        Chunk::ToolCallDelta {
            index,
            id: id.to_owned(),
            name: name.map(str::to_owned),
            arguments_delta: arguments.to_owned(),
        }
    }

    fn built(chunks: &[Chunk]) -> Vec<(PartialBlock, bool)> {
        let mut partial = Partial::default();
        for chunk in chunks {
            partial.apply(chunk);
        }
        partial.blocks().map(|(block, streaming)| (block.clone(), streaming)).collect()
    }

    #[test]
    fn text_and_reasoning_grow_and_only_the_last_block_streams() {
        let blocks = built(&[
            start(0, BlockType::Reasoning),
            reasoning(0, "a"),
            reasoning(0, "b"),
            start(1, BlockType::Text),
            text(1, "c"),
            text(1, "d"),
        ]);
        assert_eq!(
            blocks,
            [(PartialBlock::Reasoning("ab".to_owned()), false), (PartialBlock::Text("cd".to_owned()), true)]
        );
    }

    #[test]
    fn a_delta_without_a_start_opens_its_block() {
        assert_eq!(built(&[text(0, "a")]), [(PartialBlock::Text("a".to_owned()), true)]);
    }

    #[test]
    fn tool_id_is_fixed_by_the_first_delta_and_name_by_the_last() {
        let blocks =
            built(&[tool(0, "first", None, "{"), tool(0, "second", Some("ba"), ""), tool(0, "", Some("bash"), "}")]);
        let expected = PartialBlock::Tool {
            id: Some("first".to_owned()),
            name: Some("bash".to_owned()),
            arguments: "{}".to_owned(),
        };
        assert_eq!(blocks, [(expected, true)]);
    }

    #[test]
    fn block_end_replaces_what_the_deltas_built() {
        let whole = Block::Text { text: "whole".to_owned() };
        let blocks = built(&[text(0, "who"), Chunk::BlockEnd { index: 0, block: whole }]);
        assert_eq!(blocks, [(PartialBlock::Text("whole".to_owned()), false)]);
    }

    #[test]
    fn sparse_indexes_are_shown_in_order_without_holes() {
        let blocks = built(&[text(7, "b"), text(2, "a")]);
        assert_eq!(
            blocks.iter().map(|(block, _)| block.clone()).collect::<Vec<_>>(),
            [PartialBlock::Text("a".to_owned()), PartialBlock::Text("b".to_owned())]
        );
    }

    #[test]
    fn only_what_changes_something_says_so() {
        let mut partial = Partial::default();
        let whole = Block::Text { text: "a".to_owned() };
        let table = [
            ("a block begins", start(0, BlockType::Text), true),
            ("it does not begin twice", start(0, BlockType::Text), false),
            ("text", text(0, "a"), true),
            ("no text", text(0, ""), false),
            ("text for a block of another kind", reasoning(0, "x"), false),
            ("the end", Chunk::BlockEnd { index: 0, block: whole.clone() }, true),
            ("the end again", Chunk::BlockEnd { index: 0, block: whole }, false),
            ("a tool call", tool(1, "id", Some("bash"), ""), true),
            ("the same name again", tool(1, "id", Some("bash"), ""), false),
            ("usage", Chunk::Usage { usage: Usage::default() }, false),
            ("finish", Chunk::Finish { reason: FinishReason::Stop, replay_state: None }, false),
        ];
        for (name, chunk, changes) in table {
            let before = partial.clone();
            assert_eq!(partial.apply(&chunk), changes, "{name}");
            assert_eq!(partial != before, changes, "{name}: what it says is what it did");
        }
    }
}
