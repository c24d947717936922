//! Boot and end of a host.

mod support;

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use host::{Composition, Host, HostError, ModelSource};
use support::{DEADLINE, ScriptedModel, World, boot_with, env, hangs, injected, is_event, runs, says, until};
use wire::{Api, MuxFrame};

#[tokio::test]
async fn a_host_started_again_has_its_sessions() {
    let world = World::new(vec![says("one")]).await;
    let id = world.session("remember me").await;
    world.host.shutdown(DEADLINE).await.unwrap();
    let again = Host::boot(Composition::shipped(), env(&world.folder, injected(Arc::new(ScriptedModel::default()))));
    let again = again.await.unwrap();
    let items = again.session_list().await.unwrap().items;
    assert_eq!((items[0].session_id.as_str(), items[0].title.as_deref()), (id.as_str(), Some("remember me")));
    // The same directory is the same workspace.
    let workspaces = again.workspace_list().await.unwrap().items;
    assert_eq!((workspaces.len(), &workspaces[0].session_ids), (1, &vec![id]));
}

#[tokio::test]
async fn shutdown_ends_turns_tools_and_streams_and_loses_nothing() {
    let world = World::new(vec![runs("echo $$ > pid; exec sleep 600")]).await;
    let mut mux = world.host.mux();
    let mut news = world.host.host_events();
    let id = world.create(None).await.unwrap();
    world.prompt(&id, "rpc-1", "go").await.unwrap();
    until(&mut mux, |frame| is_event(frame, "tool/call")).await;
    let note = world.workspace.join("pid");
    let deadline = Instant::now() + DEADLINE;
    while !std::fs::read_to_string(&note).is_ok_and(|text| text.ends_with('\n')) {
        assert!(Instant::now() < deadline, "the command did not start");
        tokio::task::yield_now().await;
    }
    world.host.shutdown(DEADLINE).await.unwrap();
    let pid = std::fs::read_to_string(&note).unwrap();
    assert!(!std::path::Path::new(&format!("/proc/{}", pid.trim())).exists());
    let rest: Vec<_> = tokio::time::timeout(DEADLINE, mux.collect()).await.expect("the stream ends");
    let durable = world.host.store().read(&id).await.unwrap();
    assert_eq!(durable.repair, None);
    let last = durable.events.last().unwrap().clone();
    assert_eq!(last.data["reason"]["reason"]["kind"], "disposed");
    assert_eq!(rest.last(), Some(&MuxFrame::Event { session_id: id.clone(), event: last }));
    assert!(tokio::time::timeout(DEADLINE, async { while news.next().await.is_some() {} }).await.is_ok());
    let refused = world.prompt(&id, "rpc-2", "more").await.unwrap_err();
    assert_eq!(refused.message, "the host is shutting down; start it again");
    assert_eq!(world.create(None).await.unwrap_err().message, refused.message);
    world.host.shutdown(DEADLINE).await.unwrap();
}

#[tokio::test]
async fn shutdown_reports_every_failure() {
    let world = World::new(vec![hangs(), hangs()]).await;
    let mut mux = world.host.mux();
    let mut ids = Vec::new();
    for name in ["a", "b"] {
        let id = world.create(None).await.unwrap();
        world.prompt(&id, name, name).await.unwrap();
        until(&mut mux, |frame| is_event(frame, "assistant/chunk")).await;
        ids.push(id);
    }
    let sessions = world.folder.path().join("state/sessions");
    std::fs::remove_dir_all(&sessions).unwrap();
    std::fs::write(&sessions, "not a folder").unwrap();
    let error = world.host.shutdown(Duration::from_secs(10)).await.unwrap_err();
    assert_eq!(error.failures.len(), 2, "{error}");
    for id in ids {
        assert!(error.failures.iter().any(|failure| failure.contains(&id)), "{error}");
    }
}

#[tokio::test]
async fn a_workspace_that_is_no_folder_fails_boot_by_name() {
    let folder = support::folder();
    let mut env = env(&folder, ModelSource::Configured);
    env.workspaces = vec![folder.path().join("nowhere")];
    let error = Host::boot(Composition::shipped(), env).await.err().expect("is refused");
    assert!(matches!(error, HostError::Workspace { .. }));
    let message = error.to_string();
    assert!(message.starts_with(&format!("workspace {}: ", folder.path().join("nowhere").display())), "{message}");
}

#[tokio::test]
async fn a_setting_nobody_reads_fails_boot() {
    let (_folder, host) = boot_with("[[patch]]\nid = \"agent\"\nmax-stps = 3\n", ModelSource::Configured).await;
    assert_eq!(
        host.err().expect("is refused").to_string(),
        "row \"agent\" (base.toml + test.toml): agent has no setting \"max-stps\"; did you mean one of: max-steps?"
    );
}

#[tokio::test]
async fn web_settings_are_those_of_the_rows() {
    let (_folder, host) = boot_with("[[patch]]\nid = \"web.server\"\nport = 8123\n", ModelSource::Configured).await;
    let host = host.unwrap();
    assert_eq!((host.web_settings().address.to_string().as_str(), host.web_settings().port), ("127.0.0.1", 8123));
    assert!(host.composition().ids().all(|(_, enabled)| enabled));
}
