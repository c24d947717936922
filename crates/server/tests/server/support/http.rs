use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::soon;

/// A request in the making. Nothing is checked or added, so that wrong ones can be made.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    line: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl Request {
    pub(crate) fn new(method: &str, target: &str) -> Self {
        Self { line: format!("{method} {target} HTTP/1.1"), headers: Vec::new(), body: String::new() }
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Replaces a header.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self.header(name, value)
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        self
    }

    pub(crate) fn body(mut self, content_type: &str, body: &str) -> Self {
        self.body = body.to_owned();
        self.with("Content-Type", content_type).with("Content-Length", &body.len().to_string())
    }

    pub(crate) fn json(self, body: &str) -> Self {
        self.body("application/json", body)
    }

    pub(crate) fn text(&self) -> String {
        let headers: String = self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        format!("{}\r\n{headers}\r\n{}", self.line, self.body)
    }
}

/// Head of an answer, and its body once read.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("a text")
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The stable code of a refusal.
    pub(crate) fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_else(|| panic!("no refusal: {self:?}")).to_owned()
    }

    pub(crate) fn message(&self) -> String {
        self.json()["message"].as_str().unwrap_or_else(|| panic!("no refusal: {self:?}")).to_owned()
    }
}

/// One TCP connection with what was read ahead.
pub(crate) struct Connection {
    pub(crate) socket: TcpStream,
    buffer: Vec<u8>,
    decoded: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(addr: SocketAddr) -> Self {
        Self::over(soon("a connection", TcpStream::connect(addr)).await.unwrap())
    }

    pub(crate) fn over(socket: TcpStream) -> Self {
        Self { socket, buffer: Vec::new(), decoded: Vec::new() }
    }

    pub(crate) async fn send(&mut self, bytes: &[u8]) {
        soon("room to write", self.socket.write_all(bytes)).await.unwrap();
    }

    /// Sends and reads one whole answer.
    pub(crate) async fn ask(&mut self, request: &Request) -> Answer {
        self.send(request.text().as_bytes()).await;
        self.answer(request.line.starts_with("HEAD ")).await
    }

    pub(crate) async fn answer(&mut self, bodiless: bool) -> Answer {
        let mut answer = self.head().await;
        if bodiless || answer.status == 304 {
            return answer;
        }
        if let Some(length) = answer.header("content-length") {
            let length = length.parse().unwrap();
            while self.buffer.len() < length {
                assert!(self.read_more().await, "the body broke off: {answer:?}");
            }
            answer.body = self.buffer.drain(..length).collect();
        } else {
            while let Ok(Some(chunk)) = self.chunk().await {
                answer.body.extend(chunk);
            }
        }
        answer
    }

    pub(crate) async fn head(&mut self) -> Answer {
        let end = loop {
            if let Some(at) = find(&self.buffer, b"\r\n\r\n") {
                break at;
            }
            let got = self.read_more().await;
            assert!(got, "the connection ended before a head: {:?}", String::from_utf8_lossy(&self.buffer));
        };
        let head: Vec<u8> = self.buffer.drain(..end + 4).collect();
        let head = String::from_utf8(head).unwrap();
        let mut lines = head.trim_end().split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines
            .map(|line| line.split_once(": ").unwrap_or((line, "")))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        Answer { status, headers, body: Vec::new() }
    }

    /// The next event or comment of a stream without its blank line: `Err` tells how the stream ended.
    pub(crate) async fn next_event(&mut self) -> Result<String, End> {
        loop {
            if let Some(at) = find(&self.decoded, b"\n\n") {
                let event: Vec<u8> = self.decoded.drain(..at + 2).collect();
                return Ok(String::from_utf8(event).unwrap().trim_end().to_owned());
            }
            match self.chunk().await? {
                Some(chunk) => self.decoded.extend(chunk),
                None => return Err(End::InOrder),
            }
        }
    }

    /// One chunk of the chunked coding; none after the last.
    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, End> {
        let size = loop {
            if let Some(at) = find(&self.buffer, b"\r\n") {
                let line: Vec<u8> = self.buffer.drain(..at + 2).collect();
                let digits = String::from_utf8(line).unwrap();
                break usize::from_str_radix(digits.trim_end(), 16).unwrap();
            }
            if !self.read_more().await {
                return Err(End::BrokenOff);
            }
        };
        while self.buffer.len() < size + 2 {
            if !self.read_more().await {
                return Err(End::BrokenOff);
            }
        }
        let chunk: Vec<u8> = self.buffer.drain(..size + 2).take(size).collect();
        Ok((size > 0).then_some(chunk))
    }

    /// Whether the peer closed without another byte.
    pub(crate) async fn is_closed(&mut self) -> bool {
        self.buffer.is_empty() && !self.read_more().await
    }

    async fn read_more(&mut self) -> bool {
        self.buffer.reserve(256 * 1024);
        // A reset is an end too: which of the two a cut gives depends on what was unread.
        let got = soon("bytes", self.socket.read_buf(&mut self.buffer)).await.unwrap_or(0);
        got > 0
    }
}

/// How a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// With the last chunk.
    InOrder,
    /// In the middle.
    BrokenOff,
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}
