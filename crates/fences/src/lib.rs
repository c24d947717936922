//! Static checks of the workspace itself, as tests (`cargo test -p fences`): which crate may know which, how long a
//! file may be, which goldens and fixtures there are. Nothing here ships.
