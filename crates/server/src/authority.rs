use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use crate::ServerError;

const HTTP_PORT: u16 = 80;
const HTTPS_PORT: u16 = 443;

/// Host and port of an address, compared by meaning: names without regard to case, IP literals as addresses. A name
/// with the root's trailing dot (`localhost.`) is another name to a browser and no authority here.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Authority {
    host: Host,
    port: u16,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Host {
    Ip(IpAddr),
    Name(String),
}

impl Authority {
    fn parse(text: &str, default_port: u16) -> Option<Self> {
        let (host, rest) = if let Some(literal) = text.strip_prefix('[') {
            let (literal, rest) = literal.split_once(']')?;
            (Host::Ip(IpAddr::V6(literal.parse().ok()?)), rest)
        } else {
            let end = text.find(':').unwrap_or(text.len());
            let (name, rest) = text.split_at(end);
            (Self::name(name)?, rest)
        };
        let port = match rest.strip_prefix(':') {
            Some(digits) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                digits.parse().ok()?
            }
            Some(_) => return None,
            None if rest.is_empty() => default_port,
            None => return None,
        };
        Some(Self { host, port })
    }

    fn name(text: &str) -> Option<Host> {
        if let Ok(ip) = text.parse::<Ipv4Addr>() {
            return Some(Host::Ip(IpAddr::V4(ip)));
        }
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let labels_fit = text.split('.').all(|label| !label.is_empty() && label.bytes().all(fits));
        labels_fit.then(|| Host::Name(text.to_ascii_lowercase()))
    }
}

impl fmt::Display for Authority {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            Host::Ip(ip) => SocketAddr::new(*ip, self.port).fmt(formatter),
            Host::Name(name) => write!(formatter, "{name}:{}", self.port),
        }
    }
}

/// The authorities under which a server may be addressed.
#[derive(Clone, Debug)]
pub(crate) struct Authorities(Vec<Authority>);

impl Authorities {
    /// Those of a bound address: the address itself, `localhost` when it is loopback, all of loopback when it is every
    /// address; and the declared ones. So `[::1]` is none of a server on `127.0.0.1`: another one may be there.
    pub(crate) fn of(bound: SocketAddr, trusted: &[String]) -> Result<Self, ServerError> {
        let ips = match bound.ip() {
            ip if ip.is_unspecified() => vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()],
            ip => vec![ip],
        };
        let localhost = ips.iter().any(IpAddr::is_loopback).then(|| Host::Name("localhost".to_owned()));
        let hosts = ips.into_iter().map(Host::Ip).chain(localhost);
        let mut all: Vec<Authority> = hosts.map(|host| Authority { host, port: bound.port() }).collect();
        for given in trusted {
            let parsed = Authority::parse(given, HTTP_PORT);
            all.push(parsed.ok_or_else(|| ServerError::TrustedHost { given: given.clone() })?);
        }
        Ok(Self(all))
    }

    /// Whether `host`, the value of a `Host` header, is one of them.
    pub(crate) fn contains(&self, host: &str) -> bool {
        Authority::parse(host, HTTP_PORT).is_some_and(|authority| self.0.contains(&authority))
    }
}

impl fmt::Display for Authorities {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.0.iter().map(Authority::to_string).collect();
        formatter.write_str(&all.join(" or "))
    }
}

/// Whether `origin`, the value of an `Origin` header, is the origin of the page served under `host`. Behind a proxy
/// the page may be `https` although the server is not.
pub(crate) fn same_origin(origin: &str, host: &str) -> bool {
    let (authority, default_port) = if let Some(authority) = origin.strip_prefix("http://") {
        (authority, HTTP_PORT)
    } else if let Some(authority) = origin.strip_prefix("https://") {
        (authority, HTTPS_PORT)
    } else {
        return false;
    };
    let origin = Authority::parse(authority, default_port);
    origin.is_some() && origin == Authority::parse(host, default_port)
}

#[cfg(test)]
mod tests {
    use super::{Authorities, same_origin};

    fn authorities(bound: &str, trusted: &[&str]) -> Authorities {
        let trusted: Vec<String> = trusted.iter().map(|&host| host.to_owned()).collect();
        Authorities::of(bound.parse().unwrap(), &trusted).unwrap()
    }

    #[test]
    fn a_loopback_server_answers_to_its_address_and_to_localhost() {
        let own = authorities("127.0.0.1:4100", &[]);
        for host in ["127.0.0.1:4100", "localhost:4100", "LocalHost:4100"] {
            assert!(own.contains(host), "{host}");
        }
        let foreign = [
            "",
            ":4100",
            "127.0.0.1",
            "127.0.0.1:",
            "127.0.0.1:4101",
            "127.0.0.1:+4100",
            "127.0.0.1:04100000",
            "127.0.0.1:4100:4100",
            "127.0.0.2:4100",
            "127.1:4100",
            "0x7f000001:4100",
            "2130706433:4100",
            "localhost",
            "localhost.:4100",
            "localhost.example.org:4100",
            "user@localhost:4100",
            "localhost:4100/",
            "[::1]:4100",
            "[::ffff:127.0.0.1]:4100",
            "[127.0.0.1]:4100",
            "[::1",
            "example.org:4100",
        ];
        for host in foreign {
            assert!(!own.contains(host), "{host}");
        }
        assert_eq!(own.to_string(), "127.0.0.1:4100 or localhost:4100");
    }

    #[test]
    fn an_ipv6_literal_is_compared_as_an_address() {
        let own = authorities("[::1]:4100", &[]);
        for host in ["[::1]:4100", "[0:0:0:0:0:0:0:1]:4100", "localhost:4100"] {
            assert!(own.contains(host), "{host}");
        }
        for host in ["::1:4100", "[::1]4100", "[::2]:4100", "127.0.0.1:4100"] {
            assert!(!own.contains(host), "{host}");
        }
    }

    #[test]
    fn a_server_on_every_address_answers_to_loopback_and_to_declared_names_only() {
        let own = authorities("0.0.0.0:4100", &["dsh.example.org", "box.lan:8443"]);
        for host in ["localhost:4100", "127.0.0.1:4100", "[::1]:4100", "dsh.example.org", "DSH.example.org:80"] {
            assert!(own.contains(host), "{host}");
        }
        assert!(own.contains("box.lan:8443"));
        for host in ["box.lan:4100", "192.168.1.7:4100", "0.0.0.0:4100"] {
            assert!(!own.contains(host), "{host}");
        }
    }

    #[test]
    fn a_trusted_host_that_is_an_address_with_a_scheme_is_refused_with_an_example() {
        let refused = Authorities::of("127.0.0.1:1".parse().unwrap(), &["https://dsh.example.org/".to_owned()]);
        assert_eq!(
            refused.unwrap_err().to_string(),
            "the trusted host \"https://dsh.example.org/\" is not a host name with an optional port: write it like \
             dsh.example.org:8443"
        );
    }

    #[test]
    fn an_origin_is_the_servers_own_only_with_the_very_host_of_the_request() {
        assert!(same_origin("http://127.0.0.1:4100", "127.0.0.1:4100"));
        assert!(same_origin("http://LOCALHOST:4100", "localhost:4100"));
        assert!(same_origin("https://dsh.example.org", "dsh.example.org"));
        assert!(same_origin("http://dsh.example.org:80", "dsh.example.org"));
        for origin in ["null", "", "127.0.0.1:4100", "http://localhost:4100", "http://127.0.0.1:4101", "file://"] {
            assert!(!same_origin(origin, "127.0.0.1:4100"), "{origin}");
        }
    }
}
