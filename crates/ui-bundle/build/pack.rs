//! From files to the embedded bundle: hashed names, references between files, compression, the generated source.

use std::fmt::Write as _;
use std::io::Write as _;

use crate::error::BuildError;

/// One file of the bundle with its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Packed {
    /// The name in the sources, `ui.wasm`.
    pub(crate) name: String,
    /// Where the page finds it, `/assets/ui-0123456789abcdef.wasm`.
    pub(crate) path: String,
    /// The media type with its charset.
    pub(crate) content_type: &'static str,
    /// The content.
    pub(crate) bytes: Vec<u8>,
    /// The content as gzip, where that is smaller.
    pub(crate) gzip: Option<Vec<u8>>,
}

/// Gives a file an address that changes with its content, so that it can be cached for ever.
pub(crate) fn pack(name: &str, bytes: Vec<u8>) -> Packed {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let path = format!("/assets/{stem}-{:016x}.{extension}", fnv1a(&bytes));
    let gzip = Some(gzip(&bytes)).filter(|gzip| gzip.len() < bytes.len());
    Packed { name: name.to_owned(), path, content_type: content_type(extension), bytes, gzip }
}

fn content_type(extension: &str) -> &'static str {
    match extension {
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        // Any other type keeps the browser from compiling while it downloads.
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}

/// FNV-1a, 64 bits. Names only have to differ between builds; nobody forges them.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("writing to memory does not fail")
}

/// Replaces `{{name}}` in `text` by the address of the packed file of that name.
///
/// # Errors
/// [`BuildError::UnknownAsset`] for a name that was not packed.
pub(crate) fn link(file: &str, text: &str, packed: &[Packed]) -> Result<String, BuildError> {
    let mut linked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        let found = packed.iter().find(|asset| asset.name == name).ok_or_else(|| {
            let known: Vec<&str> = packed.iter().map(|asset| asset.name.as_str()).collect();
            BuildError::UnknownAsset { file: file.to_owned(), name: name.to_owned(), known: known.join(", ") }
        })?;
        linked.push_str(before);
        linked.push_str(&found.path);
        rest = after;
    }
    linked.push_str(rest);
    Ok(linked)
}

/// The Rust source that embeds the bundle from `OUT_DIR`: the page `index.html`, and below `assets` each asset by its
/// file name, with `.gz` behind it for the compressed form.
pub(crate) fn source(packed: &[Packed]) -> String {
    let mut source = String::from(
        "const INDEX_HTML: &str = include_str!(concat!(env!(\"OUT_DIR\"), \"/index.html\"));\nstatic ASSETS: &[Asset] = &[\n",
    );
    for asset in packed {
        let file = file_name(asset);
        let include = |suffix: &str| format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/assets/{file}{suffix}\"))");
        let gzip = asset.gzip.as_ref().map_or("None".to_owned(), |_| format!("Some({})", include(".gz")));
        writeln!(
            source,
            "    Asset {{ path: {:?}, bytes: {}, gzip: {gzip}, content_type: {:?}, immutable: true }},",
            asset.path,
            include(""),
            asset.content_type,
        )
        .expect("writing to memory does not fail");
    }
    source.push_str("];\n");
    source
}

/// The last segment of an asset's address.
pub(crate) fn file_name(asset: &Packed) -> &str {
    asset.path.rsplit('/').next().unwrap_or(&asset.path)
}
