//! The network face: unary calls, two event streams, static bundle, trust gate.
