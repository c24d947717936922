//! The page-side half: installed in every document, in an isolated world that shares the DOM with
//! the page but none of its globals. A page that replaces builtins does not reach it.

use serde_json::Value;

/// Name of the isolated world.
pub(crate) const SANDBOX: &str = "browser";

/// Runs one command of the installed script: name, JSON and for some commands a node in, JSON text out. `null` when the
/// document is older than the preload script.
pub(crate) const RUN: &str =
    "(name, json, node) => globalThis.browserScript ? globalThis.browserScript(name, json, node) : null";

/// Gives the elements that the script answered `adopt` for.
pub(crate) const UNKNOWN_HOSTS: &str = "() => globalThis.browserScript?.unknownHosts()";

/// Makes closed shadow roots known: hosts and roots by turns.
pub(crate) const ADOPT: &str = "(...nodes) => globalThis.browserScript?.adopt(nodes)";

/// Source of the function that installs the script. Running it twice does nothing. `channel` is the secret by which the
/// page's own world tells of closed shadow roots, see [`aria::PAGE_WORLD_SCRIPT`].
pub(crate) fn install(test_id_attribute: &str, channel: &str) -> String {
    let settings = serde_json::json!({ "testId": test_id_attribute, "channel": channel });
    let head = format!("() => {{\nif (globalThis.browserScript) return;\nconst settings = {settings};\nconst aria = ");
    [
        head.as_str(),
        aria::CAPTURE_SCRIPT,
        ";\nglobalThis.ariaCapture = aria;\n",
        include_str!("script/dom.js"),
        include_str!("script/describe.js"),
        include_str!("script/shadow.js"),
        include_str!("script/text.js"),
        include_str!("script/finders.js"),
        include_str!("script/query.js"),
        include_str!("script/suggest.js"),
        include_str!("script/state.js"),
        include_str!("script/wait.js"),
        include_str!("script/checks.js"),
        include_str!("script/expect.js"),
        include_str!("script/read.js"),
        include_str!("script/geometry.js"),
        include_str!("script/guard.js"),
        include_str!("script/aim.js"),
        include_str!("script/edit.js"),
        include_str!("script/pack.js"),
        include_str!("script/main.js"),
        "}",
    ]
    .concat()
}

/// Source of a function without parameters that calls `function` with `arguments`.
pub(crate) fn call(function: &str, arguments: &[Value]) -> String {
    format!("() => {{ (\n{function}\n)(...{}); }}", Value::from(arguments))
}
