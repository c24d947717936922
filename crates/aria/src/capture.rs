//! The page-side half: one JavaScript expression, put together from the files in `capture/`.
//!
//! The form of a snapshot is Playwright's; its content is what the specifications and Chromium's accessibility tree say.
//! Where the two part, this script
//! - leaves out what is inert, what an open modal dialog blocks, and text that is not rendered (skipped contents, media
//!   fallback), but keeps visible parts of invisible elements, options and groups of closed drop-down lists, canvas
//!   fallback, elements without a box of their own, and an image map's areas, which it puts under their image;
//! - writes secrets as bullets, and the text of editable text boxes as their value;
//! - sees closed shadow roots, and what components say by `ElementInternals`;
//! - follows HTML-AAM for `s`, `address`, `hgroup`, `dir`, `form`, nested `aside`, regions without a name, popovers, frame
//!   names, `optgroup` and `option` labels, and SVG-AAM for parts of pictures; takes DPUB and graphics roles, white space
//!   of any kind in the role attribute, and `none` and `presentation` as one; an option, list item or tree item without
//!   the parent it needs is none;
//! - gives the current value of embedded controls, counts CSS counters and quotation marks (list markers stay out: that
//!   there is a list says it), and lets the last owner have what several own;
//! - gives `aria-level` priority over h1–h6, level 2 to a heading without one, no `mixed` to switches and radios, and
//!   says `invalid` of what fails the browser's own validation.
//!
//! It stays with the specifications and against Chromium's tree where those are clear: names of rows from their content,
//! figures named by their captions, hidden labels, titles of parts, layout tables.

/// Source of a JavaScript expression (an immediately invoked function) that evaluates to an object:
///
/// | member | result |
/// |---|---|
/// | `snapshot(element, optionsJson)` | JSON text for [`Snapshot::from_json`](crate::Snapshot::from_json); `optionsJson` is a [`CaptureOptions::to_json`](crate::CaptureOptions::to_json) text or `""` |
/// | `role(element)` | computed role, or `null` |
/// | `name(element, includeHidden?)` | accessible name; one that is hidden has none, unless `includeHidden` |
/// | `description(element)` | accessible description |
/// | `states(element)` | object with the states the role supports |
/// | `visible(element)` | whether it is on screen: visible, with an area |
/// | `hidden(element)` | whether it is absent from the accessibility tree |
/// | `batch(function)` | runs `function` with one cache for all calls in it |
/// | `shadowRoot(element)` | its shadow root, open or known closed, else `null` |
/// | `listen(channel)` | hears of closed shadow roots and `ElementInternals` from [`PAGE_WORLD_SCRIPT`]; call it once, at once |
/// | `unknownHosts()` | elements that may hold a closed root nobody has told of (declarative ones), each named once a document |
/// | `adopt(host, root)` | makes a closed root known, found by other means (WebDriver BiDi: `includeShadowTree: "all"`) |
///
/// It touches no global of the page and keeps the builtins it found when it was evaluated, so evaluate
/// it early (a preload script) and once a document.
pub const CAPTURE_SCRIPT: &str = concat!(
    "(() => {\n'use strict';\n",
    include_str!("capture/builtins.js"),
    include_str!("capture/pass.js"),
    include_str!("capture/worlds.js"),
    include_str!("capture/sheets.js"),
    include_str!("capture/visibility.js"),
    include_str!("capture/marks.js"),
    include_str!("capture/roles.js"),
    include_str!("capture/content.js"),
    include_str!("capture/generated.js"),
    include_str!("capture/names.js"),
    include_str!("capture/states.js"),
    include_str!("capture/properties.js"),
    include_str!("capture/tree.js"),
    include_str!("capture/api.js"),
    "})()"
);

/// Source of a JavaScript function that takes the name of a channel (a secret, new for each browser). Run it in the page's own
/// world before any script of the page (a preload script without a sandbox), and give the capture script, which lives in
/// an isolated world of the same document, the same name by `listen`. It tells of closed shadow roots and of what
/// components say by `ElementInternals`, which no other world can ask for. It leaves no global, and the wrapped
/// `attachShadow` and `attachInternals` look native. Without it a snapshot lacks just these.
pub const PAGE_WORLD_SCRIPT: &str = include_str!("capture/page_world.js");

/// What a capture is told. Give `to_json()` as the second argument of the script's `snapshot`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CaptureOptions {
    /// Name of the attribute that marks an element's text as volatile; its value is the kind. With `data-volatile`,
    /// `<time data-volatile="clock">12:30</time>` is a mark of kind `clock`. It covers every text the element shows
    /// (content, label, value, alternative), so put it on the element that holds the value alone; inside another mark
    /// the outer one counts. `data-volatile-url="session"` on a link marks its address. `None`: nothing is marked.
    pub volatile_attribute: Option<String>,
    /// Also what the plain form has no place for: further states (`required`, `haspopup`, `current`, …), the value of
    /// sliders and meters, description, keyboard shortcuts.
    pub full: bool,
}

impl CaptureOptions {
    /// The JSON text that the capture script reads.
    pub fn to_json(&self) -> String {
        let attribute = match &self.volatile_attribute {
            Some(name) => serde_json::Value::from(name.as_str()),
            None => serde_json::Value::Null,
        };
        serde_json::json!({ "volatileAttribute": attribute, "full": self.full }).to_string()
    }
}
