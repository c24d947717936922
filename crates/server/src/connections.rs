use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

/// The open connections with their last requests, for the one who waits for them to end.
#[derive(Clone, Default)]
pub(crate) struct Connections(Arc<Mutex<Registry>>);

#[derive(Default)]
struct Registry {
    next: u64,
    open: BTreeMap<u64, String>,
}

/// One open connection; leaves the registry when dropped.
pub(crate) struct Connection {
    registry: Connections,
    id: u64,
    peer: SocketAddr,
}

impl Connections {
    pub(crate) fn enter(&self, peer: SocketAddr) -> Connection {
        let mut registry = self.0.lock().expect("no holder panics");
        let id = registry.next;
        registry.next += 1;
        registry.open.insert(id, format!("{peer} (no request)"));
        Connection { registry: self.clone(), id, peer }
    }

    /// Each open connection in words.
    pub(crate) fn describe(&self) -> Vec<String> {
        self.0.lock().expect("no holder panics").open.values().cloned().collect()
    }
}

impl Connection {
    /// Notes what the connection is busy with; the query is left out because it may hold a token.
    pub(crate) fn requests(&self, method: &str, path: &str) {
        let text = format!("{} ({method} {})", self.peer, path.escape_debug());
        self.registry.0.lock().expect("no holder panics").open.insert(self.id, text);
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.registry.0.lock().expect("no holder panics").open.remove(&self.id);
    }
}
