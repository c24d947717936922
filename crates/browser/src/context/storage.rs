//! Cookies and local storage, saved and restored: a login that many tests start from.

use super::{Context, Cookie};
use crate::error::{Error, Result};
use crate::page::Page;
use bidi::command::network::{AddIntercept, InterceptPhase, ProvideResponse};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// What a context knows of its sites: cookies and local storage. The JSON form is that of Playwright's files. Session
/// storage (it belongs to one page) and IndexedDB are not part of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StorageState {
    /// Of all hosts.
    #[serde(default)]
    pub cookies: Vec<Cookie>,
    /// Of the origins that have some, in alphabetical order.
    #[serde(default)]
    pub origins: Vec<OriginStorage>,
}

/// Local storage of one origin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OriginStorage {
    /// For example `https://example.com`.
    pub origin: String,
    /// The entries, ordered by name.
    #[serde(default)]
    pub local_storage: Vec<StorageItem>,
}

/// One entry of a storage.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StorageItem {
    /// Key.
    pub name: String,
    /// Value.
    pub value: String,
}

impl StorageState {
    /// Reads a file.
    ///
    /// # Errors
    /// [`Error::StateFile`] when it can't be read or is not such a file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let failed = |reason: String| Error::StateFile { path: path.to_owned(), reason };
        let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
        serde_json::from_str(&text).map_err(|error| failed(error.to_string()))
    }

    /// Writes a file, readable for its owner only: it may hold a login.
    ///
    /// # Errors
    /// [`Error::StateFile`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        use std::io::Write;
        use std::os::unix::fs::OpenOptionsExt;
        let path = path.as_ref();
        let failed = |reason: String| Error::StateFile { path: path.to_owned(), reason };
        let mut json = serde_json::to_string_pretty(self).map_err(|error| failed(error.to_string()))?;
        json.push('\n');
        let file = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path);
        file.and_then(|mut file| file.write_all(json.as_bytes())).map_err(|error| failed(error.to_string()))
    }
}

const READ: &str = "() => Object.entries(localStorage).map(([name, value]) => ({ name, value }))";
const WRITE: &str = "(items) => { for (const { name, value } of items) localStorage.setItem(name, value); }";

impl Context {
    /// Cookies, and the local storage of every origin that pages of this context have shown.
    ///
    /// # Errors
    /// [`Error::BrowserGone`].
    pub async fn storage_state(&self) -> Result<StorageState> {
        let cookies = self.cookies().await?;
        let visited = self.core().lifecycles.origins(self.id());
        let mut origins = Vec::new();
        if !visited.is_empty() {
            let page = blank_page(self).await?;
            for origin in visited {
                visit(&page, &origin).await?;
                let mut local_storage: Vec<StorageItem> = page.evaluate_isolated(READ, &[]).await?;
                local_storage.sort();
                if !local_storage.is_empty() {
                    origins.push(OriginStorage { origin, local_storage });
                }
            }
            page.close().await?;
        }
        Ok(StorageState { cookies, origins })
    }

    /// Adds what was saved. Local storage that is there already is kept where the names differ.
    pub(super) async fn restore(&self, state: &StorageState) -> Result<()> {
        self.add_cookies(&state.cookies).await?;
        if state.origins.is_empty() {
            return Ok(());
        }
        let page = blank_page(self).await?;
        for OriginStorage { origin, local_storage } in &state.origins {
            visit(&page, origin).await?;
            let items = serde_json::to_value(local_storage).unwrap_or_default();
            page.evaluate_isolated::<Value>(WRITE, &[items]).await?;
        }
        page.close().await
    }
}

/// A page whose requests never reach a server.
async fn blank_page(context: &Context) -> Result<Page> {
    let page = Page::open(context.clone()).await?;
    let contexts = vec![page.id().to_owned()];
    // It ends with the page.
    let intercept = AddIntercept { phases: vec![InterceptPhase::BeforeRequestSent], contexts };
    context.core().link.call(&intercept).await?;
    Ok(page)
}

/// Shows an empty document of `origin`, which needs no server: only then may its storage be touched.
async fn visit(page: &Page, origin: &str) -> Result<()> {
    let link = &page.core().link;
    let mut requests = link.connection().events(&["network.beforeRequestSent"]);
    let going = page.goto(origin);
    tokio::pin!(going);
    loop {
        tokio::select! {
            done = &mut going => return done.map(|_| ()),
            event = requests.next() => {
                let event = event?.params;
                if event["context"] != page.id() || event["isBlocked"] != true {
                    continue;
                }
                let request = event["request"]["request"].as_str().unwrap_or_default().to_owned();
                link.call(&ProvideResponse { request, status_code: 200, headers: Vec::new(), body: None }).await?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_playwright_is_read_and_written_alike() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        let text = r#"{"cookies":[{"name":"sid","value":"1","domain":"localhost","path":"/","expires":-1,
            "httpOnly":true,"secure":false,"sameSite":"Strict"}],
            "origins":[{"origin":"http://localhost:3000","localStorage":[{"name":"token","value":"x"}]}]}"#;
        std::fs::write(&path, text).unwrap();
        let state = StorageState::load(&path).unwrap();
        assert_eq!(state.origins[0].local_storage[0].value, "x");
        assert!(state.cookies[0].http_only && state.cookies[0].expires.is_none());
        let copy = folder.path().join("copy.json");
        state.save(&copy).unwrap();
        assert_eq!(StorageState::load(&copy).unwrap(), state);
        let json: Value = serde_json::from_str(&std::fs::read_to_string(&copy).unwrap()).unwrap();
        assert_eq!(json, serde_json::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn a_file_that_is_something_else_is_named_with_the_place_of_the_mistake() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        std::fs::write(&path, "{\"cookies\": 3}").unwrap();
        let error = StorageState::load(&path).unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot use the storage state file {}: ", path.display())), "{error}");
        assert!(error.contains("line 1 column 13"), "{error}");
        let missing = StorageState::load(folder.path().join("none.json")).unwrap_err().to_string();
        assert!(missing.contains("none.json: No such file"), "{missing}");
    }
}
