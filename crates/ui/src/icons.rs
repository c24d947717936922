//! Line icons, 20 units wide, in the colour of the text around them. Decoration only: hidden from assistive technology.

use leptos::prelude::*;

fn icon(path: &'static str) -> AnyView {
    view! {
        <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
            <path d=path></path>
        </svg>
    }
    .into_any()
}

macro_rules! icons {
    ($($(#[$doc:meta])* $name:ident = $path:literal;)*) => {
        $($(#[$doc])* pub(crate) fn $name() -> AnyView { icon($path) })*
    };
}

icons! {
    /// A prompt sign: the brand.
    prompt = "M4 5.5 9 10l-5 4.5M10.5 15H16";
    /// Add.
    plus = "M10 4v12M4 10h12";
    /// A folder.
    folder = "M2.5 15.5v-11h5l1.7 2h8.3v9z";
    /// Three lines: the drawer.
    menu = "M3 5.5h14M3 10h14M3 14.5h14";
    /// Close.
    cross = "M5 5l10 10M15 5 5 15";
    /// Send.
    arrow_up = "M10 16V4.5M4.8 9.5 10 4.3l5.2 5.2";
    /// Back to bottom.
    arrow_down = "M10 4v11.5M4.8 10.5 10 15.7l5.2-5.2";
    /// A filled square: stop.
    square = "M6.5 6.5h7v7h-7z";
    /// Closed or open, by rotation.
    chevron = "M7.5 5 12.5 10l-5 5";
    /// Copy.
    copy = "M7 7V3.5h9.5V13H13M3.5 7H13v9.5H3.5z";
    /// Done.
    check = "M4 10.5 8.2 14.7 16.2 5.6";
    /// Reasoning.
    thought = "M10 2.8v2.4M10 14.8v2.4M2.8 10h2.4M14.8 10h2.4M4.9 4.9l1.7 1.7M13.4 13.4l1.7 1.7M15.1 4.9l-1.7 1.7M6.6 13.4l-1.7 1.7";
    /// A terminal: a tool that runs commands.
    terminal = "M2.5 4h15v12h-15zM5.5 8l2.4 2-2.4 2M10 12.4h4";
    /// A wrench-like sign: any other tool.
    tool = "M12.2 3.2a4 4 0 0 0-4.9 5.2l-4.6 4.6 2.9 2.9 4.6-4.6a4 4 0 0 0 5.2-4.9l-2.4 2.4-2.6-.6-.6-2.6z";
    /// A sheet: something for the model to read.
    note = "M5 2.8h7l3.5 3.5v10.9H5zM7.8 9h5M7.8 12.2h5";
    /// Something went wrong.
    warning = "M10 3 17.5 16.5h-15zM10 8v4M10 14.1v.4";
}
