use serde::Deserialize;
use toml::{Table, Value};

use crate::error::near;
use crate::{Change, CompositionError, Patch};

/// The rows a host is built from.
#[derive(Clone, Debug, PartialEq)]
pub struct Composition {
    rows: Vec<Row>,
}

/// One part of a host.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) settings: Table,
    pub(crate) enabled: bool,
    /// File, then the patches that touched it.
    pub(crate) origins: Vec<String>,
}

impl Row {
    pub(crate) fn origin(&self) -> String {
        self.origins.join(" + ")
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    row: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    id: String,
    kind: String,
    #[serde(flatten)]
    settings: Table,
}

impl Composition {
    /// The composition `dsh web` ships: `base.toml`, then `web.toml`.
    ///
    /// # Panics
    /// Never: a test builds it.
    pub fn shipped() -> Self {
        Self::from_files(&[
            ("base.toml", include_str!("../config/base.toml")),
            ("web.toml", include_str!("../config/web.toml")),
        ])
        .expect("the shipped files fit")
    }

    fn from_files(files: &[(&str, &str)]) -> Result<Self, CompositionError> {
        let mut rows: Vec<Row> = Vec::new();
        for (origin, text) in files {
            let document: Document = toml::from_str(text).map_err(|error| CompositionError::Text {
                origin: (*origin).to_owned(),
                detail: error.to_string().trim_end().to_owned(),
            })?;
            for Entry { id, kind, settings } in document.row {
                if let Some(first) = rows.iter().find(|row| row.id == id) {
                    let (first, origin) = (first.origin(), (*origin).to_owned());
                    return Err(CompositionError::DuplicateRow { origin, id, first });
                }
                rows.push(Row { id, kind, settings, enabled: true, origins: vec![(*origin).to_owned()] });
            }
        }
        Ok(Self { rows })
    }

    /// Changes one row. What the settings mean is checked when the host boots.
    pub fn patch(&mut self, patch: Patch) -> Result<(), CompositionError> {
        let Patch { id, change, origin } = patch;
        let Some(row) = self.rows.iter_mut().find(|row| row.id == id) else {
            let near = near(&id, self.rows.iter().map(|row| row.id.as_str()));
            return Err(CompositionError::UnknownRow { origin, id, near });
        };
        match change {
            Change::Settings(settings) => merge(&mut row.settings, settings),
            Change::Disable => row.enabled = false,
        }
        row.origins.push(origin);
        Ok(())
    }

    /// Ids of the rows in order, with whether each is enabled.
    pub fn ids(&self) -> impl Iterator<Item = (&str, bool)> {
        self.rows.iter().map(|row| (row.id.as_str(), row.enabled))
    }

    /// The enabled rows.
    pub(crate) fn enabled(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.enabled)
    }
}

fn merge(into: &mut Table, from: Table) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(Value::Table(into)), Value::Table(from)) => merge(into, from),
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    fn patched(text: &str) -> Result<Settings, CompositionError> {
        let mut composition = Composition::shipped();
        for patch in Patch::parse_toml(text, "test.toml")? {
            composition.patch(patch)?;
        }
        Settings::read(&composition)
    }

    #[track_caller]
    fn refused(text: &str, message: &str) {
        assert_eq!(patched(text).expect_err("is refused").to_string(), message);
    }

    #[test]
    fn shipped_rows_fit() {
        let settings = Settings::read(&Composition::shipped()).expect("the shipped rows fit");
        assert_eq!(settings.web.port, 0);
        assert_eq!(settings.web.address.to_string(), "127.0.0.1");
        assert_eq!(settings.title.map(|title| title.words), Some(5));
        assert!(settings.agent.system_prompt.contains("{cwd}"));
    }

    #[test]
    fn a_patch_changes_its_row_and_merges_tables() {
        let text = "[[patch]]\nid = \"web.server\"\nport = 8080\n\
                    [[patch]]\nid = \"provider.deepseek\"\nretry = { max-retries = 1 }\n\
                    [[patch]]\nid = \"title.fallback\"\ndisable = true\n";
        let settings = patched(text).expect("fits");
        assert_eq!(settings.web.port, 8080);
        let retry = settings.deepseek.expect("stays").settings.retry;
        assert_eq!((retry.max_retries, retry.base_delay_ms), (1, 500));
        assert_eq!(settings.title, None);
    }

    #[test]
    fn a_patch_of_no_row_names_the_nearest_rows_and_its_origin() {
        refused(
            "[[patch]]\nid = \"web.sever\"\nport = 1\n",
            "test.toml: no row has the id \"web.sever\"; did you mean one of: web.server, web.streams?",
        );
        let everything = patched("[[patch]]\nid = \"zzz\"\nport = 1\n").unwrap_err().to_string();
        assert!(everything.contains("persistence, workspaces, provider.deepseek"), "{everything}");
    }

    #[test]
    fn a_setting_nobody_reads_names_row_files_and_the_nearest_setting() {
        refused(
            "[[patch]]\nid = \"tool.bash\"\ntimeout = 1\n",
            "row \"tool.bash\" (base.toml + test.toml): tool.bash has no setting \"timeout\"; did you mean one of: \
             timeout-ms, max-timeout-ms?",
        );
    }

    #[test]
    fn a_setting_of_the_wrong_type_names_row_and_files() {
        let message = patched("[[patch]]\nid = \"web.server\"\nport = \"x\"\n").unwrap_err().to_string();
        assert!(message.starts_with("row \"web.server\" (web.toml + test.toml): "), "{message}");
        assert!(message.contains("port") && message.ends_with("; correct the setting"), "{message}");
    }

    #[test]
    fn a_part_no_host_can_be_without_stays() {
        refused(
            "[[patch]]\nid = \"persistence\"\ndisable = true\n",
            "no enabled row of kind \"persistence\"; a host can't be without one, so enable it",
        );
    }

    #[test]
    fn an_unknown_kind_and_two_rows_of_one_kind_are_refused() {
        let file =
            |text| Composition::from_files(&[("base.toml", include_str!("../config/base.toml")), ("x.toml", text)]);
        let unknown = file("[[row]]\nid = \"a\"\nkind = \"tool.bsh\"\n").unwrap();
        assert_eq!(
            Settings::read(&unknown).unwrap_err().to_string(),
            "row \"a\" (x.toml): there is no kind \"tool.bsh\"; did you mean one of: tool.bash?"
        );
        let twice = file("[[row]]\nid = \"b\"\nkind = \"title.fallback\"\nwords = 1\nmax-chars = 1\n").unwrap();
        assert_eq!(
            Settings::read(&twice).unwrap_err().to_string(),
            "rows \"title.fallback\" and \"b\" are both of kind \"title.fallback\"; disable one of them"
        );
        let taken = file("[[row]]\nid = \"agent\"\nkind = \"agent\"\n").unwrap_err().to_string();
        assert_eq!(taken, "x.toml: the id \"agent\" is taken by a row of base.toml; give this row another id");
    }

    #[test]
    fn patches_that_say_nothing_or_too_much_are_refused() {
        refused(
            "[[patch]]\nid = \"agent\"\n",
            "test.toml: the patch of \"agent\" changes nothing; add a setting or `disable = true`",
        );
        refused(
            "[[patch]]\nid = \"agent\"\ndisable = true\nmax-steps = 1\n",
            "test.toml: the patch of \"agent\" disables the row and sets it; keep one of both",
        );
        refused(
            "[[patch]]\nid = \"agent\"\nkind = \"x\"\n",
            "test.toml: the patch of \"agent\" sets `kind`, which stays as it is; remove it",
        );
        let broken = patched("[[patch]\n").unwrap_err().to_string();
        assert!(broken.starts_with("test.toml: TOML parse error at line 1"), "{broken}");
    }
}
