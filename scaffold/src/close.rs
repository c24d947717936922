use crate::{CloseError, Scaffold, processes};

impl Scaffold {
    /// Ends streams and host within the close budget, checks that the script was consumed and nothing leaked, and
    /// removes the folders. Every failure is reported, none hides another.
    pub async fn close(self) -> Result<(), CloseError> {
        let budget = self.options.budgets.close;
        let mut error = CloseError::default();
        if let Some(model) = &self.model
            && let Err(failure) = model.assert_consumed()
        {
            error.add("replay", failure);
        }
        if let Err(failure) = self.server.close(budget).await {
            error.add("server", failure);
        }
        if let Err(failure) = self.host.shutdown(budget).await {
            error.add("host", failure);
        }
        let leaks = processes::left_over(&self.mark, self.workspace.parent().unwrap_or(&self.workspace));
        error.add_leaks(&leaks);
        processes::kill(&leaks, &self.mark);
        let folder = self.folder.path().to_owned();
        if let Err(failure) = self.folder.close() {
            error.add(&format!("folder {}", folder.display()), failure);
        }
        error.into_result()
    }
}
