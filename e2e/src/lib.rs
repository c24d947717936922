//! The browser end-to-end lane.
