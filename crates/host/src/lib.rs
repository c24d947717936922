//! The composition: rows from the shipped config, patches over them, the one Api implementation.
