//! States and properties of a node, as the snapshot prints them in brackets.

use serde::Deserialize;

/// A state that is true, false or in between (`checked`, `pressed`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Toggle {
    /// Off. Not printed.
    Off,
    /// On.
    On,
    /// Partly on: `mixed`.
    Mixed,
}

/// `aria-invalid` when it is not false.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Invalid {
    /// Invalid for an unnamed reason.
    Yes,
    /// A grammatical error.
    Grammar,
    /// A spelling error.
    Spelling,
}

/// The states a node's role supports. `None`: the role does not have the state, or the page did not set it. False
/// states are kept (a collapsed button differs from one that cannot expand) but, as in Playwright's form, not printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct States {
    /// Checkboxes, radios, switches, menu item checkboxes and radios, options, tree items.
    pub checked: Option<Toggle>,
    /// Natively or by `aria-disabled`, also inherited.
    pub disabled: bool,
    /// Present only with `aria-expanded`.
    pub expanded: Option<bool>,
    /// `aria-invalid`.
    #[serde(deserialize_with = "invalid")]
    pub invalid: Option<Invalid>,
    /// Headings, list items, rows, tree items; from 1.
    #[serde(deserialize_with = "level")]
    pub level: Option<u32>,
    /// Toggle buttons.
    pub pressed: Option<Toggle>,
    /// Options, tabs, rows, cells, tree items.
    pub selected: Option<bool>,
}

impl States {
    /// What is printed in the key, in the format's order: `checked`, `pressed=mixed`, `level=2`.
    pub(crate) fn printed(&self) -> Vec<String> {
        let toggle = |name: &str, state| match state {
            Some(Toggle::On) => Some(name.to_owned()),
            Some(Toggle::Mixed) => Some(format!("{name}=mixed")),
            Some(Toggle::Off) | None => None,
        };
        let flag = |name: &str, state| (state == Some(true)).then(|| name.to_owned());
        let invalid = self.invalid.map(|invalid| match invalid {
            Invalid::Yes => "invalid".to_owned(),
            Invalid::Grammar => "invalid=grammar".to_owned(),
            Invalid::Spelling => "invalid=spelling".to_owned(),
        });
        [
            toggle("checked", self.checked),
            flag("disabled", Some(self.disabled)),
            flag("expanded", self.expanded),
            invalid,
            self.level.map(|level| format!("level={level}")),
            toggle("pressed", self.pressed),
            flag("selected", self.selected),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Sets the state that a key writes as `[name]` or `[name=value]`; an omitted value is `true`. The error says what
    /// the attribute takes.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let boolean = || match value {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(format!("[{name}] is true or false, not `{value}`")),
        };
        let toggle = || match value {
            "true" => Ok(Toggle::On),
            "false" => Ok(Toggle::Off),
            "mixed" => Ok(Toggle::Mixed),
            _ => Err(format!("[{name}] is true, false or mixed, not `{value}`")),
        };
        match name {
            "checked" => self.checked = Some(toggle()?),
            "disabled" => self.disabled = boolean()?,
            "expanded" => self.expanded = Some(boolean()?),
            "invalid" => {
                self.invalid = match value {
                    "true" => Some(Invalid::Yes),
                    "false" => None,
                    "grammar" => Some(Invalid::Grammar),
                    "spelling" => Some(Invalid::Spelling),
                    _ => return Err(format!("[invalid] is true, false, grammar or spelling, not `{value}`")),
                }
            }
            "level" => {
                let level = value.parse().ok().filter(|&level| level >= 1);
                self.level = Some(level.ok_or_else(|| format!("[level] is a whole number from 1, not `{value}`"))?);
            }
            "pressed" => self.pressed = Some(toggle()?),
            "selected" => self.selected = Some(boolean()?),
            _ => {
                return Err(format!(
                    "there is no attribute [{name}]; known are checked, disabled, expanded, invalid, level, pressed, \
                     selected"
                ));
            }
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Toggle {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match BoolOr::deserialize(deserializer)? {
            BoolOr::Bool(false) => Toggle::Off,
            BoolOr::Bool(true) => Toggle::On,
            BoolOr::Word(Word::Mixed) => Toggle::Mixed,
        })
    }
}

/// A state in the capture's JSON: a boolean or one more word.
#[derive(Deserialize)]
#[serde(untagged)]
enum BoolOr<T> {
    Bool(bool),
    Word(T),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Mixed,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mistake {
    Grammar,
    Spelling,
}

fn invalid<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Invalid>, D::Error> {
    Ok(match BoolOr::deserialize(deserializer)? {
        BoolOr::Bool(false) => None,
        BoolOr::Bool(true) => Some(Invalid::Yes),
        BoolOr::Word(Mistake::Grammar) => Some(Invalid::Grammar),
        BoolOr::Word(Mistake::Spelling) => Some(Invalid::Spelling),
    })
}

/// The capture writes 0 for "no level".
fn level<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    Ok(Some(u32::deserialize(deserializer)?).filter(|&level| level > 0))
}
