//! The embedded bundle as a server hands it out.

use std::collections::BTreeSet;
use std::io::Read as _;

/// The most the page may transfer, compressed: script, module and style together. A good tenth above what it is, so
/// that a dependency that doubles it does not slip in; a third of it is `client` with the typed log and wire below it.
const BUDGET: usize = 480 * 1024;

#[test]
fn page_names_only_assets_that_exist() {
    let texts = std::iter::once(ui_bundle::index_html().to_owned()).chain(
        ui_bundle::assets()
            .filter(|asset| asset.content_type.starts_with("text/"))
            .map(|asset| String::from_utf8(asset.bytes.to_vec()).unwrap()),
    );
    let mut named = BTreeSet::new();
    for text in texts {
        for (start, _) in text.match_indices("\"/assets/") {
            let path = text[start + 1..].split('"').next().unwrap().to_owned();
            assert!(ui_bundle::asset(&path).is_some(), "{path} is named but not in the bundle");
            named.insert(path);
        }
    }
    let all: BTreeSet<String> = ui_bundle::assets().map(|asset| asset.path.to_owned()).collect();
    assert_eq!(named, all, "every asset is named by the page or by its loader");
}

#[test]
fn page_needs_neither_inline_script_nor_inline_style() {
    let page = ui_bundle::index_html();
    assert!(page.contains("<script type=\"module\" src="));
    assert_eq!(page.matches("<script").count(), page.matches("></script>").count());
    for inline in ["<style", "style=", "onload=", "onerror=", "javascript:", "http:", "https:"] {
        assert!(!page.contains(inline), "{inline} in the page");
    }
}

#[test]
fn compressed_form_is_the_same_content() {
    for asset in ui_bundle::assets() {
        let Some(gzip) = asset.gzip else { continue };
        let mut plain = Vec::new();
        flate2::read::GzDecoder::new(gzip).read_to_end(&mut plain).unwrap();
        assert_eq!(plain, asset.bytes, "{}", asset.path);
        assert!(gzip.len() < asset.bytes.len());
    }
}

#[test]
fn other_paths_are_not_served() {
    let known = ui_bundle::assets().next().unwrap().path;
    for path in
        ["", "/", "/index.html", "/assets/", "assets/", &known[1..], &format!("{known}.gz"), &format!("/{known}")]
    {
        assert!(ui_bundle::asset(path).is_none(), "{path}");
    }
}

#[test]
fn module_is_a_wasm_module_with_its_media_type() {
    let module = ui_bundle::assets().find(|asset| asset.path.ends_with(".wasm")).unwrap();
    assert_eq!(module.content_type, "application/wasm");
    assert_eq!(&module.bytes[..4], b"\0asm");
}

#[test]
fn bundle_stays_within_its_budget() {
    let size: usize = ui_bundle::assets().map(|asset| asset.gzip.unwrap_or(asset.bytes).len()).sum();
    assert!(size <= BUDGET, "the page transfers {size} bytes compressed, the budget is {BUDGET}");
}
