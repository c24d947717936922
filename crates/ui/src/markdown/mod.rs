//! Markdown as DOM nodes. Text of a model is never parsed as HTML: every node is created by name from a fixed set, HTML
//! in the source shows as the text it is, links keep only harmless schemes, images become links.

mod blocks;
mod cjk;
mod links;
mod render;

pub(crate) use render::Markdown;
