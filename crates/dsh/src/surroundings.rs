use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use anyhow::Context;

/// Variables that commands of the agent are given; anything else, the provider's key above all, is not.
///
/// `main` shuts other processes of the same user out of this one too. What that can't hide: as root nothing hides, and a
/// key that also lies elsewhere (a file the user can read, the environment of the process that started this one) can be
/// read there.
const TOOL_VARIABLES: [&str; 12] =
    ["HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "SSH_AUTH_SOCK", "TERM", "TMPDIR", "TZ", "USER"];

/// Everything the program takes from the process it runs in.
#[derive(Debug)]
pub(crate) struct Surroundings {
    pub(crate) home: Option<PathBuf>,
    pub(crate) state_home: Option<PathBuf>,
    pub(crate) api_key: Option<llm::Secret>,
    pub(crate) tool_env: BTreeMap<String, String>,
    pub(crate) cwd: io::Result<PathBuf>,
}

impl Surroundings {
    /// Reads them by `variable`; an empty variable counts as none.
    pub(crate) fn of(variable: impl Fn(&str) -> Option<OsString>, cwd: impl FnOnce() -> io::Result<PathBuf>) -> Self {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let path = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let key = variable("DEEPSEEK_API_KEY").and_then(|key| key.into_string().ok());
        let for_tools = TOOL_VARIABLES.into_iter().filter_map(|name| {
            // A value that is no text can't be handed on; no such value is known to matter.
            Some((name.to_owned(), variable(name)?.into_string().ok()?))
        });
        Self {
            home: path("HOME"),
            // The base directory specification: a relative path is to be ignored.
            state_home: path("XDG_STATE_HOME"),
            api_key: key.map(|key| llm::Secret::new(key.trim())),
            tool_env: for_tools.collect(),
            cwd: cwd(),
        }
    }

    /// Where sessions are kept unless said otherwise.
    pub(crate) fn default_state(&self) -> anyhow::Result<PathBuf> {
        let state_home = self.state_home.clone().or_else(|| Some(self.home.as_ref()?.join(".local/state")));
        let state_home = state_home.context(
            "neither HOME nor XDG_STATE_HOME is an absolute path, so there is no place for sessions; give one with \
             --state DIR",
        )?;
        Ok(state_home.join("dsh"))
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::path::Path;

    use super::Surroundings;

    fn surroundings(variables: &[(&str, &str)]) -> Surroundings {
        let find =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value));
        Surroundings::of(find, || Ok("/work".into()))
    }

    #[test]
    fn sessions_are_kept_where_the_base_directory_specification_says() {
        let state = |variables: &[(&str, &str)]| surroundings(variables).default_state().unwrap();
        assert_eq!(state(&[("HOME", "/home/me")]), Path::new("/home/me/.local/state/dsh"));
        assert_eq!(state(&[("HOME", "/home/me"), ("XDG_STATE_HOME", "/var/me")]), Path::new("/var/me/dsh"));
        let relative = [("HOME", "/home/me"), ("XDG_STATE_HOME", "state")];
        assert_eq!(state(&relative), Path::new("/home/me/.local/state/dsh"));
        let nowhere = surroundings(&[("HOME", "")]).default_state().unwrap_err().to_string();
        assert!(nowhere.ends_with("give one with --state DIR"), "{nowhere}");
    }

    #[test]
    fn commands_see_a_few_variables_and_never_the_key() {
        let variables =
            [("PATH", "/bin"), ("HOME", "/home/me"), ("DEEPSEEK_API_KEY", "sk-1"), ("OTHER_TOKEN", "t"), ("LANG", "")];
        let surroundings = surroundings(&variables);
        let names: Vec<&str> = surroundings.tool_env.keys().map(String::as_str).collect();
        assert_eq!(names, ["HOME", "PATH"]);
        assert_eq!(surroundings.api_key.as_ref().unwrap().expose(), "sk-1");
        assert!(!format!("{surroundings:?}").contains("sk-1"));
    }
}
