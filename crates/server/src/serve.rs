use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Method;
use axum::{Router, middleware};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;
use wire::Api;

use crate::authority::Authorities;
use crate::connections::{Connection, Connections};
use crate::credentials::{Credentials, TOKEN_FIELD};
use crate::gate::{Gate, Peer, guard};
use crate::record::{Record, Sink};
use crate::traffic::Traffic;
use crate::{Secret, ServerConfig, ServerError, router};

/// Most connections at a time; the next one waits in the system's queue.
pub const MAX_CONNECTIONS: usize = 256;
/// Longest head of a request: its line and its headers.
pub const MAX_HEAD_BYTES: usize = 16 * 1024;
/// How long a head may take to arrive; an idle connection is closed after it too.
pub const READ_HEAD_WITHIN: Duration = Duration::from_secs(30);

/// How long the system gets to recover when it cannot accept, for want of file descriptors say.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How long a task that was told to stop at once may take to be gone.
const BREAK_OFF_WITHIN: Duration = Duration::from_secs(1);

/// A host on a socket. Dropping it without [`Server::close`] breaks everything off.
pub struct Server {
    addr: SocketAddr,
    routes: Vec<(Method, String)>,
    credentials: Arc<Credentials>,
    traffic: Traffic,
    connections: Connections,
    tasks: TaskTracker,
    stop: CancellationToken,
    break_off: CancellationToken,
}

impl Server {
    /// Listens and serves. The gate is part of what is served, so there is no moment without it.
    ///
    /// # Errors
    /// [`ServerError::OpenAddress`] for an address others can reach without a secret, [`ServerError::TrustedHost`],
    /// [`ServerError::Bind`], [`ServerError::Random`].
    pub async fn bind(api: Arc<dyn Api>, config: ServerConfig) -> Result<Self, ServerError> {
        let ServerConfig { addr, secret, trusted_hosts, assets, sink } = config;
        let secret = match secret {
            Some(secret) => secret,
            None if addr.ip().is_loopback() => Secret::random()?,
            None => return Err(ServerError::OpenAddress { addr }),
        };
        let bind_error = |source| ServerError::Bind { addr, source };
        let listener = TcpListener::bind(addr).await.map_err(bind_error)?;
        let addr = listener.local_addr().map_err(bind_error)?;

        let traffic = Traffic::new();
        let credentials = Arc::new(Credentials::new(secret, Secret::random()?, addr.port()));
        let gate = Gate {
            authorities: Authorities::of(addr, &trusted_hosts)?,
            credentials: Arc::clone(&credentials),
            sink: Arc::clone(&sink),
            log_served: !addr.ip().is_loopback(),
        };
        let routes = router::table(&assets);
        let router = router::with_assets(api, &traffic, Arc::new(assets))
            .layer(middleware::from_fn_with_state(Arc::new(gate), guard));

        let (stop, break_off) = (CancellationToken::new(), CancellationToken::new());
        let tasks = TaskTracker::new();
        let connections = Connections::default();
        let acceptor = Acceptor {
            router,
            sink,
            connections: connections.clone(),
            tasks: tasks.clone(),
            stop: stop.clone(),
            break_off: break_off.clone(),
        };
        tasks.spawn(acceptor.run(listener));
        Ok(Self { addr, routes, credentials, traffic, connections, tasks, stop, break_off })
    }

    /// The address that is really listened on.
    pub fn local_addr(&self) -> SocketAddr {
        self.addr
    }

    /// The page's address, for who has been let in: `http://127.0.0.1:4100/`.
    pub fn url(&self) -> String {
        let ip = match self.addr.ip() {
            std::net::IpAddr::V4(ip) if ip.is_unspecified() => std::net::Ipv4Addr::LOCALHOST.into(),
            std::net::IpAddr::V6(ip) if ip.is_unspecified() => std::net::Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        format!("http://{}/", SocketAddr::new(ip, self.addr.port()))
    }

    /// The page's address with a fresh one-time token: it lets one browser in, once.
    pub fn mint_url(&self) -> String {
        format!("{}?{TOKEN_FIELD}={}", self.url(), self.credentials.mint())
    }

    /// What admits programs of the same user, as a bearer token.
    pub fn secret(&self) -> &Secret {
        self.credentials.secret()
    }

    /// Everything that has a route, as method and path.
    pub fn routes(&self) -> &[(Method, String)] {
        &self.routes
    }

    /// Open streams, and the way to cut them.
    pub fn traffic(&self) -> &Traffic {
        &self.traffic
    }

    /// Breaks off every open stream in the middle, as a failing network would.
    pub fn cut_streams(&self) {
        self.traffic.cut_streams();
    }

    /// Stops accepting, ends the streams, lets running calls answer, and waits for all connections to be gone. A second
    /// call finds nothing to do.
    ///
    /// # Errors
    /// [`ServerError::CloseDeadline`] when some were still busy at the deadline; they are broken off then.
    pub async fn close(&self, deadline: Duration) -> Result<(), ServerError> {
        self.stop.cancel();
        self.traffic.end_streams();
        self.tasks.close();
        self.traffic.calls().close();
        let ended = async {
            self.tasks.wait().await;
            self.traffic.calls().wait().await;
        };
        if timeout(deadline, ended).await.is_ok() {
            return Ok(());
        }
        let connections = self.connections.describe();
        let calls = self.traffic.calls().len();
        self.break_off.cancel();
        // Only code that blocks its thread can outlast this; what was busy is reported either way.
        let _ = timeout(BREAK_OFF_WITHIN, self.tasks.wait()).await;
        Err(ServerError::CloseDeadline { deadline, connections, calls })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.cancel();
        self.break_off.cancel();
    }
}

struct Acceptor {
    router: Router,
    sink: Sink,
    connections: Connections,
    tasks: TaskTracker,
    stop: CancellationToken,
    break_off: CancellationToken,
}

impl Acceptor {
    async fn run(self, listener: TcpListener) {
        let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        while let Some(slot) = self.until_stop(Arc::clone(&slots).acquire_owned()).await {
            let slot = slot.expect("the semaphore is never closed");
            match self.until_stop(listener.accept()).await {
                None => return,
                Some(Ok((socket, peer))) => self.serve(socket, peer, slot),
                Some(Err(error)) => {
                    (self.sink)(&Record::AcceptFailed { reason: error.to_string() });
                    self.until_stop(tokio::time::sleep(ACCEPT_PAUSE)).await;
                }
            }
        }
    }

    async fn until_stop<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        self.stop.run_until_cancelled(work).await
    }

    fn serve(&self, socket: TcpStream, peer: SocketAddr, slot: OwnedSemaphorePermit) {
        // Frames are small and due at once.
        let _ = socket.set_nodelay(true);
        let connection = Arc::new(self.connections.enter(peer));
        let router = self.router.clone();
        let service = service_fn(move |request| handle(router.clone(), Arc::clone(&connection), peer, request));
        let serving = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(READ_HEAD_WITHIN)
            .max_header_size(MAX_HEAD_BYTES)
            .serve_connection(TokioIo::new(socket), service);
        let (stop, break_off, sink) = (self.stop.clone(), self.break_off.clone(), Arc::clone(&self.sink));
        self.tasks.spawn(async move {
            let _slot = slot;
            let mut serving = std::pin::pin!(serving);
            let ended = tokio::select! {
                ended = serving.as_mut() => Some(ended),
                () = stop.cancelled() => {
                    serving.as_mut().graceful_shutdown();
                    break_off.run_until_cancelled(serving).await
                }
            };
            // A peer that goes away is no news; one that does not speak HTTP, or too slowly or too much, is.
            if let Some(Err(error)) = ended
                && (error.is_parse() || error.is_timeout())
            {
                sink(&Record::Broken { peer, reason: error.to_string() });
            }
        });
    }
}

async fn handle(
    router: Router,
    connection: Arc<Connection>,
    peer: SocketAddr,
    request: axum::http::Request<Incoming>,
) -> Result<axum::response::Response, Infallible> {
    connection.requests(request.method().as_str(), request.uri().path());
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(Peer(peer));
    router.oneshot(request).await
}
