//! The interface as a value: everything the page needs, built from the sources beside it and embedded.
//!
//! The build script compiles `ui` for the browser, so a program that depends on this crate has a bundle that is
//! neither missing nor stale. All files but the page carry a hash of their content in their name and can be cached
//! for ever; the page itself must not be cached.
//!
//! ```
//! let page = ui_bundle::index_html();
//! let module = ui_bundle::assets().find(|asset| asset.content_type == "application/wasm").unwrap();
//! assert!(page.contains(module.path));
//! assert_eq!(ui_bundle::asset(module.path).unwrap().bytes, module.bytes);
//! ```

/// One embedded file.
#[derive(Debug, Clone, Copy)]
pub struct Asset {
    /// The path of its address, from the root: `/assets/ui-0123456789abcdef.wasm`.
    pub path: &'static str,
    /// The content as it is.
    pub bytes: &'static [u8],
    /// The content as gzip (`Content-Encoding: gzip`), where that is smaller.
    pub gzip: Option<&'static [u8]>,
    /// The value for `Content-Type`, with the charset for text.
    pub content_type: &'static str,
    /// The name changes with the content: `Cache-Control: public, max-age=31536000, immutable` is right.
    pub immutable: bool,
}

include!(concat!(env!("OUT_DIR"), "/bundle.rs"));

/// The page (`text/html; charset=utf-8`, not to be cached). It has no inline script and no inline style: a policy of
/// `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:;
/// connect-src 'self'` lets it work.
#[must_use]
pub fn index_html() -> &'static str {
    INDEX_HTML
}

/// The file at an address path such as `/assets/style-….css`; none for any other path, the page's included.
#[must_use]
pub fn asset(path: &str) -> Option<Asset> {
    assets().find(|asset| asset.path == path)
}

/// All files but the page.
pub fn assets() -> impl Iterator<Item = Asset> {
    ASSETS.iter().copied()
}
