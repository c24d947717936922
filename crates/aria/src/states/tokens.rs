//! States that are one of a few words.

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

macro_rules! tokens {
    ($(#[$about:meta])* $name:ident { $($(#[$what:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$what])* $variant,)*
        }

        impl $name {
            /// The word a key writes.
            pub(crate) fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)*
                }
            }

            pub(super) fn parse(attribute: &str, value: &str) -> Result<$name, String> {
                match value {
                    $($text => Ok($name::$variant),)*
                    _ => Err(format!("[{attribute}] is {}, not `{value}`", one_of(&[$($text),*]))),
                }
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = deserializer.deserialize_any(Word)?;
                $name::parse(stringify!($name), &word)
                    .map_err(|_| Error::invalid_value(Unexpected::Str(&word), &one_of(&[$($text),*]).as_str()))
            }
        }
    };
}

tokens! {
    /// A state that is true, false or in between (`checked`, `pressed`).
    Toggle {
        /// On.
        On = "true",
        /// Off. Printed only in the full form.
        Off = "false",
        /// Partly on.
        Mixed = "mixed",
    }
}

tokens! {
    /// `aria-invalid` when it is not false.
    Invalid {
        /// Invalid for an unnamed reason.
        Yes = "true",
        /// A grammatical error.
        Grammar = "grammar",
        /// A spelling error.
        Spelling = "spelling",
    }
}

tokens! {
    /// `aria-current` when it is not false.
    Current {
        /// The current item of a set.
        Yes = "true",
        /// The current page.
        Page = "page",
        /// The current step of a process.
        Step = "step",
        /// The current place.
        Location = "location",
        /// The current date.
        Date = "date",
        /// The current time.
        Time = "time",
    }
}

tokens! {
    /// `aria-haspopup` when it is not false.
    HasPopup {
        /// A menu.
        Menu = "menu",
        /// A list box.
        Listbox = "listbox",
        /// A tree.
        Tree = "tree",
        /// A grid.
        Grid = "grid",
        /// A dialog.
        Dialog = "dialog",
    }
}

tokens! {
    /// `aria-orientation`.
    Orientation {
        /// Left to right.
        Horizontal = "horizontal",
        /// Top to bottom.
        Vertical = "vertical",
    }
}

tokens! {
    /// `aria-sort`.
    Sort {
        /// Smallest first.
        Ascending = "ascending",
        /// Largest first.
        Descending = "descending",
        /// In another order.
        Other = "other",
    }
}

/// `true, false or mixed`
fn one_of(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// A state in the capture's JSON: a boolean or a word.
struct Word;

impl Visitor<'_> for Word {
    type Value = String;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a boolean or a word")
    }

    fn visit_bool<E: Error>(self, state: bool) -> Result<String, E> {
        Ok(state.to_string())
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<String, E> {
        Ok(word.to_owned())
    }
}

/// A state of which false says that there is none.
pub(super) fn absent_when_false<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    match deserializer.deserialize_any(Word)?.as_str() {
        "false" => Ok(None),
        word => T::deserialize(serde::de::value::StrDeserializer::new(word)).map(Some),
    }
}
