//! The page's object layer: transport, connection, manager, session, partial, counters. No DOM.
