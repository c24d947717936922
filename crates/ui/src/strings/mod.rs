//! Every text of the interface, in two languages. A table has one field a text, so neither can lack one.

mod en;
mod zh;

/// The texts of one language. `{}` stands for the value that the place of use fills in.
#[derive(Debug)]
pub(crate) struct Strings {
    /// For `<html lang>`.
    pub(crate) lang: &'static str,
    /// Thousands are grouped by this.
    pub(crate) thousands: &'static str,

    // Sidebar
    pub(crate) sidebar: &'static str,
    pub(crate) new_session: &'static str,
    pub(crate) open_sidebar: &'static str,
    pub(crate) close_sidebar: &'static str,
    pub(crate) workspaces: &'static str,
    pub(crate) sessions: &'static str,
    pub(crate) no_workspaces: &'static str,
    pub(crate) untitled: &'static str,
    pub(crate) running: &'static str,

    // Connection
    pub(crate) connecting: &'static str,
    pub(crate) reconnecting: &'static str,

    // Hero
    pub(crate) slogan: &'static str,
    pub(crate) workspace: &'static str,
    pub(crate) describe: &'static str,

    // Composer
    pub(crate) message: &'static str,
    pub(crate) send: &'static str,
    pub(crate) stop: &'static str,
    pub(crate) send_failed: &'static str,
    pub(crate) dismiss: &'static str,

    // Transcript
    pub(crate) conversation: &'static str,
    pub(crate) loading: &'static str,
    pub(crate) load_failed: &'static str,
    pub(crate) try_again: &'static str,
    pub(crate) load_earlier: &'static str,
    pub(crate) to_bottom: &'static str,
    pub(crate) you: &'static str,
    pub(crate) sending: &'static str,
    pub(crate) thinking: &'static str,
    pub(crate) thought: &'static str,
    pub(crate) working: &'static str,
    pub(crate) tool_failed: &'static str,
    pub(crate) tool_command: &'static str,
    pub(crate) tool_arguments: &'static str,
    pub(crate) tool_output: &'static str,
    pub(crate) no_output: &'static str,
    pub(crate) retry_waits: &'static str,
    pub(crate) retry_done: &'static str,
    pub(crate) turn_failed: &'static str,
    pub(crate) stopped: &'static str,
    pub(crate) copy: &'static str,
    pub(crate) copied: &'static str,
    pub(crate) copy_failed: &'static str,
    pub(crate) tokens: &'static str,
    pub(crate) image: &'static str,
    pub(crate) task_done: &'static str,
    pub(crate) task_open: &'static str,
    pub(crate) tool: &'static str,
    pub(crate) context: &'static str,
    pub(crate) compacted: &'static str,
    pub(crate) blocked: &'static str,
    pub(crate) output_limit: &'static str,
    pub(crate) interrupted: &'static str,
    pub(crate) unreadable: &'static str,

    // Durations
    pub(crate) milliseconds: &'static str,
    pub(crate) seconds: &'static str,
    pub(crate) minutes: &'static str,
}

/// The table for the browser's languages: Chinese where the first one is Chinese, else English.
pub(crate) fn for_language(language: &str) -> &'static Strings {
    let primary = language.split(['-', '_']).next().unwrap_or_default();
    if primary.eq_ignore_ascii_case("zh") { &zh::ZH } else { &en::EN }
}

/// `text` with its first `{}` replaced.
pub(crate) fn fill(text: &str, value: impl std::fmt::Display) -> String {
    text.replacen("{}", &value.to_string(), 1)
}
