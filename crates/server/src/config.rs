use std::net::SocketAddr;

use crate::{Secret, Sink, StaticAssets};

/// What a [`Server`](crate::Server) needs to know. Nothing is read from the environment.
pub struct ServerConfig {
    /// Where to listen; port 0 takes any free one. An address that is not loopback needs a `secret`.
    pub addr: SocketAddr,
    /// What admits; on a loopback address one is made when there is none.
    pub secret: Option<Secret>,
    /// Authorities besides the bound one under which browsers may reach the server, such as `dsh.example.org:8443` in
    /// front of a proxy.
    pub trusted_hosts: Vec<String>,
    /// The page and its files.
    pub assets: StaticAssets,
    /// Gets each [`Record`](crate::Record), on the task that caused it.
    pub sink: Sink,
}
