//! What goes wrong inside the page.

use e2e::{Scenario, Stage};

use crate::bite::Suite;

pub(crate) fn guards(suite: &mut Suite) {
    suite.must_pass(Scenario::new("clean_page_passes", clean));
    suite
        .must_fail(Scenario::new("page_error", page_error), &["page guard", "spoiled on purpose", "evidence: file://"]);
    suite.must_fail(Scenario::new("console_error", console_error), &["page guard", "console", "complaint on purpose"]);
    suite.must_fail(Scenario::new("rejected_promise", rejection), &["page guard", "rejected on purpose"]);
    suite.must_fail(Scenario::new("failed_request", failed_request), &["page guard", "/api/no.such.method", "404"]);
    suite.must_fail(Scenario::new("page_that_loads_itself", self_reload), &["2 documents", "the scenario loaded 1"]);
    suite.must_fail(Scenario::new("page_that_goes_away", goes_away), &["is not dsh any more"]);
    suite.must_fail(Scenario::new("panicking_scenario", panicking), &["panicked: on purpose"]);
}

async fn clean(stage: &Stage) -> anyhow::Result<()> {
    stage.open().await?;
    Ok(())
}

async fn in_page(stage: &Stage, script: &str) -> anyhow::Result<()> {
    stage.open().await?;
    stage.page().evaluate::<serde_json::Value>(script, &[]).await?;
    Ok(())
}

async fn page_error(stage: &Stage) -> anyhow::Result<()> {
    let thrown =
        "() => new Promise(done => { setTimeout(() => { done(); throw new Error('spoiled on purpose'); }, 0); })";
    in_page(stage, thrown).await
}

async fn console_error(stage: &Stage) -> anyhow::Result<()> {
    in_page(stage, "() => console.error(new Error('complaint on purpose'))").await
}

async fn rejection(stage: &Stage) -> anyhow::Result<()> {
    // A rejection counts as unhandled only after the task that made it.
    let script = "() => new Promise(done => setTimeout(() => { \
                  Promise.reject(new Error('rejected on purpose')); setTimeout(() => done(null), 0); }, 0))";
    in_page(stage, script).await
}

async fn failed_request(stage: &Stage) -> anyhow::Result<()> {
    let call = "() => fetch('/api/no.such.method', { method: 'POST', body: '{}', \
                headers: { 'content-type': 'application/json' } }).then(answer => answer.status)";
    in_page(stage, call).await
}

async fn self_reload(stage: &Stage) -> anyhow::Result<()> {
    stage.open().await?;
    stage.page().evaluate::<serde_json::Value>("() => { globalThis.__old = true; location.reload(); }", &[]).await?;
    // The old document says so until it is gone; the new one has a client of its own.
    stage.page().locator("html").expect().to_be_attached().await?;
    stage.when_page("!globalThis.__old && state.connection === 'connected'", "the page to be back").await?;
    Ok(())
}

async fn goes_away(stage: &Stage) -> anyhow::Result<()> {
    stage.open().await?;
    stage.page().goto("about:blank").await?;
    Ok(())
}

async fn panicking(_stage: &Stage) -> anyhow::Result<()> {
    // As panic! does, without the message on the terminal that would look like trouble in a passing run.
    std::panic::resume_unwind(Box::new("on purpose"))
}
