//! The agent's tools: bash.
