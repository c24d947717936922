//! Persistence: JSONL + zstd log store with crash repair, workspaces.
