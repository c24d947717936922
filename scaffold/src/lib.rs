//! In-process scaffold: the real web composition on port 0, temporary persistence, replay model.
