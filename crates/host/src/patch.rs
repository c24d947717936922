use serde::Deserialize;
use toml::Table;

use crate::CompositionError;

/// A change of one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// Id of the row.
    pub id: String,
    /// What becomes of it.
    pub change: Change,
    /// Where the patch came from, for messages.
    pub origin: String,
}

/// What a patch does to its row.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// These settings replace those of the row; tables are merged.
    Settings(Table),
    /// The row is left out.
    Disable,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    patch: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    id: String,
    #[serde(default)]
    disable: bool,
    #[serde(flatten)]
    settings: Table,
}

impl Patch {
    /// Reads `[[patch]]` entries: `id`, and either settings or `disable = true`.
    ///
    /// ```
    /// let patches = host::Patch::parse_toml("[[patch]]\nid = \"web.server\"\nport = 8080\n", "my.toml")?;
    /// assert_eq!(patches[0].id, "web.server");
    /// # Ok::<(), host::CompositionError>(())
    /// ```
    pub fn parse_toml(text: &str, origin: &str) -> Result<Vec<Self>, CompositionError> {
        let fail = |detail: String| CompositionError::Text { origin: origin.to_owned(), detail };
        let document: Document = toml::from_str(text).map_err(|error| fail(error.to_string().trim_end().to_owned()))?;
        document
            .patch
            .into_iter()
            .map(|Entry { id, disable, settings }| {
                if settings.contains_key("kind") {
                    return Err(fail(format!("the patch of {id:?} sets `kind`, which stays as it is; remove it")));
                }
                let change = match (disable, settings.is_empty()) {
                    (true, true) => Change::Disable,
                    (false, false) => Change::Settings(settings),
                    (true, false) => {
                        return Err(fail(format!(
                            "the patch of {id:?} disables the row and sets it; keep one of both"
                        )));
                    }
                    (false, true) => {
                        return Err(fail(format!(
                            "the patch of {id:?} changes nothing; add a setting or `disable = true`"
                        )));
                    }
                };
                Ok(Self { id, change, origin: origin.to_owned() })
            })
            .collect()
    }
}
