//! States and properties of a node, as the snapshot prints them in brackets.

use std::borrow::Cow;

use serde::Deserialize;

mod tokens;

pub use tokens::{Current, HasPopup, Invalid, Orientation, Sort, Toggle};

/// How much of a tree is printed and compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// What Playwright's form can show.
    Plain,
    /// False states, values, descriptions and the rest as well.
    Full,
}

/// The states a node's role supports. `None`: the role does not have the state, or the page did not set it. False
/// states are kept (a collapsed button differs from one that cannot expand) but printed only in the full form.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct States {
    /// Checkboxes, radios, switches, menu item checkboxes and radios, options, tree items.
    pub checked: Option<Toggle>,
    /// Natively or by `aria-disabled`, also inherited.
    pub disabled: bool,
    /// Present only with `aria-expanded`; in a full capture also for `details` and what opens a popover.
    pub expanded: Option<bool>,
    /// `aria-invalid`.
    #[serde(deserialize_with = "tokens::absent_when_false")]
    pub invalid: Option<Invalid>,
    /// Headings, list items, rows, tree items; from 1.
    #[serde(deserialize_with = "level")]
    pub level: Option<u32>,
    /// Toggle buttons.
    pub pressed: Option<Toggle>,
    /// Options, tabs, rows, cells, tree items.
    pub selected: Option<bool>,
    /// Being changed: `aria-busy`. Full form, as all that follow.
    pub busy: bool,
    /// The current one of its kind: `aria-current`.
    #[serde(deserialize_with = "tokens::absent_when_false")]
    pub current: Option<Current>,
    /// What the element opens: `aria-haspopup`.
    #[serde(deserialize_with = "tokens::absent_when_false")]
    pub haspopup: Option<HasPopup>,
    /// A dialog that blocks the rest of the page.
    pub modal: bool,
    /// A text box of more than one line.
    pub multiline: bool,
    /// Of sliders, scroll bars, separators, tab lists, toolbars.
    #[serde(deserialize_with = "tokens::absent_when_false")]
    pub orientation: Option<Orientation>,
    /// Place in its set, from 1: `aria-posinset`.
    pub posinset: Option<i32>,
    /// A value that cannot be edited.
    pub readonly: bool,
    /// A value that must be given.
    pub required: bool,
    /// Size of its set, -1 when unknown: `aria-setsize`.
    pub setsize: Option<i32>,
    /// How the column or row is sorted: `aria-sort`.
    #[serde(deserialize_with = "tokens::absent_when_false")]
    pub sort: Option<Sort>,
}

/// Attributes of Playwright's form, in the order in which they are printed.
const PLAIN: [&str; 7] = ["checked", "disabled", "expanded", "invalid", "level", "pressed", "selected"];

/// Attributes of the full form, printed after those.
const FULL: [&str; 11] = [
    "busy",
    "current",
    "haspopup",
    "modal",
    "multiline",
    "orientation",
    "posinset",
    "readonly",
    "required",
    "setsize",
    "sort",
];

/// Attributes whose false value the full form shows, for it says that the state is supported.
const SHOWN_WHEN_FALSE: [&str; 4] = ["checked", "expanded", "pressed", "selected"];

/// All attributes.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    PLAIN.into_iter().chain(FULL)
}

/// Whether Playwright's form prints the attribute.
pub(crate) fn is_plain(name: &str) -> bool {
    PLAIN.contains(&name)
}

impl States {
    /// The value of an attribute as a key writes it; `None` when the node does not have it.
    pub(crate) fn value(&self, name: &str) -> Option<Cow<'static, str>> {
        let flag = |state: bool| Some(if state { "true" } else { "false" });
        let word = match name {
            "checked" => self.checked.map(Toggle::as_str),
            "disabled" => flag(self.disabled),
            "expanded" => self.expanded.and_then(flag),
            "invalid" => Some(self.invalid.map_or("false", Invalid::as_str)),
            "pressed" => self.pressed.map(Toggle::as_str),
            "selected" => self.selected.and_then(flag),
            "busy" => flag(self.busy),
            "current" => Some(self.current.map_or("false", Current::as_str)),
            "haspopup" => Some(self.haspopup.map_or("false", HasPopup::as_str)),
            "modal" => flag(self.modal),
            "multiline" => flag(self.multiline),
            "orientation" => self.orientation.map(Orientation::as_str),
            "readonly" => flag(self.readonly),
            "required" => flag(self.required),
            "sort" => self.sort.map(Sort::as_str),
            _ => {
                let number = match name {
                    "level" => self.level.map(|level| level.to_string()),
                    "posinset" => self.posinset.map(|place| place.to_string()),
                    "setsize" => self.setsize.map(|size| size.to_string()),
                    _ => None,
                };
                return number.map(Cow::Owned);
            }
        };
        word.map(Cow::Borrowed)
    }

    /// What is printed in the key, in the form's order: `checked`, `pressed=mixed`, `level=2`.
    pub(crate) fn printed(&self, form: Form) -> Vec<String> {
        names().filter_map(|name| self.shown(name, form).map(|value| attribute(name, &value))).collect()
    }

    /// Whether Playwright's form prints the attribute for this value.
    pub(crate) fn is_printed(&self, name: &str) -> bool {
        self.shown(name, Form::Plain).is_some()
    }

    /// The value of an attribute where a form shows it.
    pub(crate) fn shown(&self, name: &str, form: Form) -> Option<Cow<'static, str>> {
        let is_shown = |value: &str| match form {
            Form::Plain => is_plain(name) && value != "false",
            Form::Full => value != "false" || SHOWN_WHEN_FALSE.contains(&name),
        };
        self.value(name).filter(|value| is_shown(value))
    }

    /// Sets the state that a key writes as `[name]` or `[name=value]`; an omitted value is `true`. The error says what
    /// the attribute takes.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let boolean = || match value {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(format!("[{name}] is true or false, not `{value}`")),
        };
        let number = || value.parse::<i32>().map_err(|_| format!("[{name}] is a whole number, not `{value}`"));
        let is_false = value == "false";
        match name {
            "checked" => self.checked = Some(Toggle::parse(name, value)?),
            "disabled" => self.disabled = boolean()?,
            "expanded" => self.expanded = Some(boolean()?),
            "invalid" if is_false => self.invalid = None,
            "invalid" => self.invalid = Some(Invalid::parse(name, value)?),
            "level" => {
                let level = value.parse().ok().filter(|&level| level >= 1);
                self.level = Some(level.ok_or_else(|| format!("[level] is a whole number from 1, not `{value}`"))?);
            }
            "pressed" => self.pressed = Some(Toggle::parse(name, value)?),
            "selected" => self.selected = Some(boolean()?),
            "busy" => self.busy = boolean()?,
            "current" if is_false => self.current = None,
            "current" => self.current = Some(Current::parse(name, value)?),
            "haspopup" if is_false => self.haspopup = None,
            // ARIA 1.2, aria-haspopup: true is the same as menu.
            "haspopup" if value == "true" => self.haspopup = Some(HasPopup::Menu),
            "haspopup" => self.haspopup = Some(HasPopup::parse(name, value)?),
            "modal" => self.modal = boolean()?,
            "multiline" => self.multiline = boolean()?,
            "orientation" => self.orientation = Some(Orientation::parse(name, value)?),
            "posinset" => self.posinset = Some(number()?),
            "readonly" => self.readonly = boolean()?,
            "required" => self.required = boolean()?,
            "setsize" => self.setsize = Some(number()?),
            "sort" => self.sort = Some(Sort::parse(name, value)?),
            _ => return Err(unknown(name)),
        }
        Ok(())
    }
}

/// How a key writes an attribute: `name` when it is true, else `name=value`.
pub(crate) fn attribute(name: &str, value: &str) -> String {
    if value == "true" { name.to_owned() } else { format!("{name}={value}") }
}

fn unknown(name: &str) -> String {
    match name {
        "active" => {
            return "there is no attribute [active]: a snapshot does not say what has the focus; drop it and assert \
                    the focus by itself"
                .into();
        }
        "ref" | "cursor" | "box" | "aria-hidden" => {
            return format!("[{name}] belongs to a snapshot made for tools, it differs from run to run: drop it");
        }
        _ => {}
    }
    let nearest = names().max_by(|a, b| strsim::jaro_winkler(a, name).total_cmp(&strsim::jaro_winkler(b, name)));
    let all: Vec<_> = names().collect();
    match nearest.filter(|nearest| strsim::jaro_winkler(nearest, name) > 0.8) {
        Some(nearest) => format!("there is no attribute [{name}]; did you mean [{nearest}]?"),
        None => format!("there is no attribute [{name}]; known are {}", all.join(", ")),
    }
}

/// The capture writes 0 for "no level".
fn level<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    Ok(Some(u32::deserialize(deserializer)?).filter(|&level| level > 0))
}
