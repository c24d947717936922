//! What pages may do without asking.

use super::Context;
use super::emulation::set;
use crate::error::Result;
use bidi::command::cdp::SendCommand;
use bidi::command::permissions::{PermissionDescriptor, SetPermission};
use serde_json::json;

pub use bidi::command::permissions::PermissionState;

impl Context {
    /// Lets all origins do this without asking. Names are those of the Permissions API: `clipboard-read`,
    /// `clipboard-write`, `geolocation`, `notifications`, `camera`, `microphone`, …
    ///
    /// # Errors
    /// [`OptionRefused`](crate::Error::OptionRefused) for a name the browser does not know.
    pub async fn grant_permissions(&self, names: &[&str]) -> Result<()> {
        for name in names {
            self.set_permission(name, PermissionState::Granted, None).await?;
        }
        Ok(())
    }

    /// What happens when pages of `origin` (all origins when `None`) ask for the permission.
    ///
    /// # Errors
    /// As for [`grant_permissions`](Self::grant_permissions).
    pub async fn set_permission(&self, name: &str, state: PermissionState, origin: Option<&str>) -> Result<()> {
        let Some(origin) = origin else { return self.set_permission_of_all(name, state).await };
        let command = SetPermission {
            descriptor: PermissionDescriptor { name: name.to_owned() },
            state,
            origin: origin.trim_end_matches('/').to_owned(),
            user_context: self.id().to_owned(),
        };
        set(self.core(), "permissions", &command).await.map(|_| ())
    }

    // BiDi knows single origins only.
    async fn set_permission_of_all(&self, name: &str, state: PermissionState) -> Result<()> {
        let params = json!({ "permission": { "name": name }, "setting": state, "browserContextId": self.id() });
        let command = SendCommand { method: "Browser.setPermission".to_owned(), params, session: None };
        set(self.core(), "permissions", &command).await.map(|_| ())
    }

    /// Every permission is again as in a new context.
    ///
    /// # Errors
    /// [`BrowserGone`](crate::Error::BrowserGone).
    pub async fn clear_permissions(&self) -> Result<()> {
        let params = json!({ "browserContextId": self.id() });
        let command = SendCommand { method: "Browser.resetPermissions".to_owned(), params, session: None };
        set(self.core(), "permissions", &command).await.map(|_| ())
    }
}
