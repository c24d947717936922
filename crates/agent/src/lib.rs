//! Turns, steps, inbox, tool dispatch, cancel.
