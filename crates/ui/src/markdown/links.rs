//! Which addresses of a model's text may be followed.

/// Schemes that only lead away from the page. Everything else (`javascript:`, `data:`, `file:`, an address without a
/// scheme, which would be one of this server's own) shows as text.
const SCHEMES: &[&str] = &["https://", "http://", "mailto:"];

/// Whether an address may become a link.
pub(super) fn harmless(address: &str) -> bool {
    SCHEMES.iter().any(|scheme| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}
