//! A host that does as it is told, a server before it, and a client that speaks HTTP/1.1 in bytes.

mod api;
mod http;

use std::future::Future;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use server::{Asset, Record, Secret, Server, ServerConfig, StaticAssets};
use wire::{MUX_STREAM_PATH, MuxFrame};

pub(crate) use api::{HELD, PANICS, TestApi};
pub(crate) use http::{Answer, Connection, End, Request};

pub(crate) const SECRET: &str = "correct horse battery staple";
pub(crate) const PAGE: &str = "<!doctype html><title>page</title>";
pub(crate) const SCRIPT_PATH: &str = "/assets/ui-01.js";
pub(crate) const SCRIPT: &[u8] = b"export const one = 1;";
pub(crate) const MODULE_PATH: &str = "/assets/ui-02.wasm";
pub(crate) const MODULE: &[u8] = b"\0asm plain";
pub(crate) const MODULE_GZIP: &[u8] = b"\x1f\x8b packed";

/// Longest wait for something that happens at once.
const SOON: Duration = Duration::from_secs(10);

pub(crate) async fn soon<T>(what: &str, work: impl Future<Output = T>) -> T {
    tokio::time::timeout(SOON, work).await.unwrap_or_else(|_| panic!("waited {SOON:?} for {what}"))
}

pub(crate) fn assets() -> StaticAssets {
    let script = Asset {
        path: SCRIPT_PATH,
        bytes: SCRIPT,
        gzip: None,
        content_type: "text/javascript; charset=utf-8",
        immutable: true,
    };
    let module = Asset {
        path: MODULE_PATH,
        bytes: MODULE,
        gzip: Some(MODULE_GZIP),
        content_type: "application/wasm",
        immutable: true,
    };
    StaticAssets::new(PAGE, [script, module])
}

/// A server on a free port with everything a test looks at.
pub(crate) struct Bench {
    pub(crate) api: Arc<TestApi>,
    pub(crate) server: Server,
    pub(crate) records: Arc<Mutex<Vec<Record>>>,
}

impl Bench {
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    pub(crate) async fn start_with(change: impl FnOnce(&mut ServerConfig)) -> Self {
        let records = Arc::<Mutex<Vec<Record>>>::default();
        let api = Arc::new(TestApi::default());
        let sink = Arc::clone(&records);
        let mut config = ServerConfig {
            addr: "127.0.0.1:0".parse().unwrap(),
            secret: Some(Secret::new(SECRET).unwrap()),
            trusted_hosts: Vec::new(),
            assets: assets(),
            sink: Arc::new(move |record: &Record| sink.lock().unwrap().push(record.clone())),
        };
        change(&mut config);
        let server = Server::bind(api.clone(), config).await.unwrap();
        Self { api, server, records }
    }

    pub(crate) fn port(&self) -> u16 {
        self.server.local_addr().port()
    }

    /// `127.0.0.1:<port>`.
    pub(crate) fn authority(&self) -> String {
        format!("127.0.0.1:{}", self.port())
    }

    /// A request as a stranger sends it.
    pub(crate) fn stranger(&self, method: &str, path: &str) -> Request {
        Request::new(method, path).header("Host", &self.authority())
    }

    /// A request of who knows the secret.
    pub(crate) fn admitted(&self, method: &str, path: &str) -> Request {
        self.stranger(method, path).header("Authorization", &format!("Bearer {SECRET}"))
    }

    /// A call with an envelope.
    pub(crate) fn call(&self, method: &str, payload: &str) -> Request {
        let envelope = format!(r#"{{"type":"client-request","rpcId":"r-1","method":"{method}","payload":{payload}}}"#);
        self.admitted("POST", &format!("/api/{method}")).json(&envelope)
    }

    pub(crate) async fn connect(&self) -> Connection {
        Connection::open(self.server.local_addr()).await
    }

    pub(crate) async fn ask(&self, request: Request) -> Answer {
        self.connect().await.ask(&request).await
    }

    /// An opened stream, its head and first comment read.
    pub(crate) async fn open_stream(&self, path: &str) -> Connection {
        let mut connection = self.connect().await;
        connection.send(self.admitted("GET", path).text().as_bytes()).await;
        let head = connection.head().await;
        assert_eq!(head.status, 200, "{head:?}");
        assert_eq!(head.header("content-type"), Some("text/event-stream"));
        assert_eq!(connection.next_event().await.as_deref(), Ok(": connected"));
        connection
    }

    /// A stream whose reader takes nothing, at the point where its connection stands still; and another one that took
    /// as many frames meanwhile.
    pub(crate) async fn stuck_and_quick_stream(&self) -> (Connection, Connection) {
        let stuck = self.open_stream(MUX_STREAM_PATH).await;
        let mut quick = self.open_stream(MUX_STREAM_PATH).await;
        // Far more than the sockets between can hold.
        const FRAMES: usize = 16;
        let long = MuxFrame::Error { message: "x".repeat(1024 * 1024) };
        for _ in 0..FRAMES {
            self.api.emit(&long);
            assert!(quick.next_event().await.unwrap().contains("stream/error"));
        }
        assert!(self.api.taken() < 2 * FRAMES, "frames wait at the host, not in the server");
        (stuck, quick)
    }

    /// The log so far, one line a record.
    pub(crate) fn log(&self) -> Vec<String> {
        self.records.lock().unwrap().iter().map(Record::to_string).collect()
    }

    /// The log's only line.
    pub(crate) fn only_line(&self) -> String {
        let lines = self.log();
        assert_eq!(lines.len(), 1, "{lines:#?}");
        lines.into_iter().next().unwrap()
    }
}
