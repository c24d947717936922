//! Session log to model script: binding, cursor, pacing, consumption; a provider face over HTTP.
