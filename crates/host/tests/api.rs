//! What the page can ask, against a real agent, a real store and real bash; only the model is scripted.

mod support;

use std::time::Duration;

use host::ModelSource;
use serde_json::json;
use session::{Content, user_prompts};
use support::{DEADLINE, World, boot_with, hangs, is_event, next, runs, says, stopped_running, until};
use wire::{
    Api, CancelPayload, CreatePayload, ErrorCode, HistoryPage, HistoryPayload, HostFrame, MuxFrame, PromptMode,
    PromptPayload,
};

fn history(session_id: &str, before_seq: Option<u64>, max_messages: Option<u32>) -> HistoryPayload {
    HistoryPayload { session_id: session_id.to_owned(), before_seq, max_messages }
}

fn cancel(session_id: &str) -> CancelPayload {
    CancelPayload { session_id: session_id.to_owned() }
}

#[tokio::test]
async fn a_prompt_runs_real_bash_and_streams_every_event_in_order() {
    let world = World::new(vec![runs("pwd -P; echo $PATH"), says("done")]).await;
    let mut mux = world.host.mux();
    let id = world.create(None).await.unwrap();
    assert_eq!(next(&mut mux).await, MuxFrame::Subscribed { session_id: id.clone(), last_seq: -1 });
    let end = world.host.next_turn_end();
    world.prompt(&id, "rpc-1", "go").await.unwrap();
    assert_eq!(tokio::time::timeout(DEADLINE, end).await.unwrap(), id);
    let idle = world.host.when_idle(&id, DEADLINE).await.unwrap();

    let frames = until(&mut mux, |frame| is_event(frame, "turn/end")).await;
    let seqs: Vec<_> = frames
        .iter()
        .map(|frame| match frame {
            MuxFrame::Event { session_id, event } if *session_id == id => event.seq as i64,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(seqs, (0..=idle.tail_seq).collect::<Vec<_>>());

    let HistoryPage { events, has_more } = world.host.session_history(history(&id, None, None)).await.unwrap();
    assert_eq!((events.len() as i64 - 1, has_more), (idle.tail_seq, false));
    let durable = world.host.store().read(&id).await.unwrap();
    assert_eq!(durable.events, events);
    assert_eq!(user_prompts(&events), ["go"]);
    let result = events.iter().find(|event| event.kind == "tool/result").unwrap();
    let text = &result.data["message"]["content"][0]["content"][0]["text"];
    assert_eq!(*text, json!(format!("{}\n/usr/bin:/bin\n", world.workspace.display())));
    let system = world.model.requests.lock().unwrap()[0].system.clone();
    assert!(system.contains(&format!("in the directory {} on", world.workspace.display())), "{system}");
}

#[tokio::test]
async fn a_late_reader_starts_with_every_open_session_at_its_tail() {
    let world = World::new(vec![says("one")]).await;
    let first = world.session("one").await;
    let tail = world.host.when_idle(&first, DEADLINE).await.unwrap().tail_seq;
    let second = world.create(None).await.unwrap();
    let mut seen = world.host.mux();
    // The last events of the first session may still be on their way to readers.
    let baseline = next(&mut seen).await;
    let MuxFrame::Subscribed { session_id, last_seq } = baseline else { panic!("{baseline:?}") };
    assert_eq!(session_id, first);
    assert_eq!(next(&mut seen).await, MuxFrame::Subscribed { session_id: second, last_seq: -1 });
    for seq in last_seq + 1..=tail {
        let frame = next(&mut seen).await;
        assert!(matches!(&frame, MuxFrame::Event { event, .. } if event.seq as i64 == seq), "{frame:?}");
    }
}

#[tokio::test]
async fn lists_hide_a_blank_session_until_its_first_turn() {
    let world = World::new(vec![says("hi")]).await;
    let mut news = world.host.host_events();
    let id = world.create(None).await.unwrap();
    assert_eq!(world.host.session_list().await.unwrap().items, []);
    assert_eq!(world.host.workspace_list().await.unwrap().items[0].session_ids, [""; 0]);
    world.prompt(&id, "rpc-1", "name this session for me please").await.unwrap();
    world.host.when_idle(&id, DEADLINE).await.unwrap();

    let frames = until(&mut news, stopped_running).await;
    assert!(matches!(&frames[0], HostFrame::SessionChanged(row) if row.blank && row.session_id == id), "{frames:#?}");
    let running: Vec<_> = frames
        .iter()
        .filter_map(|frame| match frame {
            HostFrame::SessionStatus { session_id, running } if *session_id == id => Some(*running),
            _ => None,
        })
        .collect();
    assert_eq!(running, [true, false]);
    let workspace = frames.iter().rev().find_map(|frame| match frame {
        HostFrame::WorkspaceChanged(row) => Some(row.session_ids.clone()),
        _ => None,
    });
    assert_eq!(workspace, Some(vec![id.clone()]));

    let items = world.host.session_list().await.unwrap().items;
    let [row] = items.as_slice() else { panic!("{items:?}") };
    assert_eq!(HostFrame::SessionChanged(row.clone()), *frames.last().unwrap());
    assert_eq!((row.title.as_deref(), row.running), (Some("name this session for me"), false));
    assert_eq!(world.host.workspace_list().await.unwrap().items[0].session_ids, [id]);
}

#[tokio::test]
async fn pages_of_a_stored_session_join_and_reading_opens_nothing() {
    let world = World::new(vec![]).await;
    world.seed("cold-1", 5).await;
    let mut pages = Vec::new();
    let mut before = None;
    loop {
        let page = world.host.session_history(history("cold-1", before, Some(2))).await.unwrap();
        before = page.events.first().map(|event| event.seq);
        pages.push(page.events);
        if !page.has_more {
            break;
        }
    }
    assert_eq!(pages.len(), 3);
    let joined: Vec<_> = pages.into_iter().rev().flatten().map(|event| event.seq).collect();
    assert_eq!(joined, (0..15).collect::<Vec<_>>());
    assert!(world.host.session_log("cold-1").is_none());
    assert_eq!(world.host.when_idle("cold-1", DEADLINE).await.unwrap().tail_seq, 14);
    let items = world.host.session_list().await.unwrap().items;
    assert_eq!((items.len(), items[0].updated_at, items[0].running), (1, 1_780_000_000_000, false));
}

#[tokio::test]
async fn prompts_open_a_stored_session_once_and_go_on_with_it() {
    let world = World::new(vec![says("a"), says("b")]).await;
    world.seed("cold-1", 1).await;
    let mut mux = world.host.mux();
    let (first, second) = tokio::join!(world.prompt("cold-1", "x", "first"), world.prompt("cold-1", "y", "second"));
    first.unwrap();
    second.unwrap();
    let idle = world.host.when_idle("cold-1", DEADLINE).await.unwrap();
    // The log was resumed, which marks it once.
    assert_eq!(next(&mut mux).await, MuxFrame::Subscribed { session_id: "cold-1".to_owned(), last_seq: 3 });
    let events = world.host.session_log("cold-1").unwrap().events();
    assert_eq!(events.len() as i64 - 1, idle.tail_seq);
    assert_eq!(user_prompts(&events), ["prompt 1", "first", "second"]);
    assert_eq!(events.iter().filter(|event| event.kind == "session/end-seed").count(), 1);
    assert_eq!(world.host.store().read("cold-1").await.unwrap().events, events);
}

#[tokio::test]
async fn creating_twice_gives_the_session_and_another_directory_is_a_conflict() {
    let world = World::new(vec![]).await;
    assert_eq!(world.create(Some("mine")).await.unwrap(), "mine");
    assert_eq!(world.create(Some("mine")).await.unwrap(), "mine");
    world.seed("cold-1", 1).await;
    assert_eq!(world.create(Some("cold-1")).await.unwrap(), "cold-1");
    let elsewhere = session::Header::new("far", 1, Some("/elsewhere".to_owned()));
    let event = session::Payload::TurnStart { turn: 1, trigger: None }.into_draft().at(0, 1);
    let end = session::Payload::TurnEnd { turn: 1, reason: session::TurnEndReason::Completed }.into_draft().at(1, 1);
    world.host.store().seed(elsewhere, vec![event, end]).await.unwrap();
    let conflict = world.create(Some("far")).await.unwrap_err();
    assert_eq!((conflict.code, &conflict.details), (ErrorCode::SessionConflict, &json!({"sessionId": "far"})));
    let bad = world.create(Some(&"x".repeat(300))).await.unwrap_err();
    assert_eq!(bad.code, ErrorCode::BadRequest, "{bad}");
    let payload = CreatePayload { workspace_id: "w?".to_owned(), session_id: None };
    let unknown = world.host.session_create(payload).await.unwrap_err();
    assert_eq!((unknown.code, &unknown.details), (ErrorCode::WorkspaceNotFound, &json!({"workspaceId": "w?"})));
    assert_eq!(unknown.message, "there is no workspace w?; reload the list");
}

#[tokio::test]
async fn what_names_no_session_is_answered_with_the_id() {
    let world = World::new(vec![]).await;
    let details = json!({"sessionId": "nobody"});
    let errors = [
        world.host.session_history(history("nobody", None, None)).await.unwrap_err(),
        world.prompt("nobody", "r", "x").await.unwrap_err(),
        world.host.session_cancel(cancel("nobody")).await.unwrap_err(),
    ];
    for error in errors {
        assert_eq!((error.code, &error.details), (ErrorCode::SessionNotFound, &details));
    }
    let message = world.host.when_idle("nobody", DEADLINE).await.unwrap_err().to_string();
    assert!(message.contains("no session \"nobody\" is stored"), "{message}");
}

#[tokio::test]
async fn cancel_ends_the_running_turn_and_is_harmless_when_idle() {
    let world = World::new(vec![hangs()]).await;
    world.seed("cold-1", 1).await;
    assert!(world.host.session_cancel(cancel("cold-1")).await.unwrap().accepted);
    assert!(world.host.session_log("cold-1").is_none());
    let mut mux = world.host.mux();
    let id = world.create(None).await.unwrap();
    world.prompt(&id, "rpc-1", "go").await.unwrap();
    until(&mut mux, |frame| is_event(frame, "assistant/chunk")).await;
    assert!(world.host.session_list().await.unwrap().items[0].running);
    world.host.session_cancel(cancel(&id)).await.unwrap();
    world.host.when_idle(&id, DEADLINE).await.unwrap();
    world.host.session_cancel(cancel(&id)).await.unwrap();
    let events = world.host.store().read(&id).await.unwrap().events;
    assert_eq!(events.last().unwrap().data["reason"], json!({"kind": "aborted", "reason": {"kind": "user"}}));
}

#[tokio::test]
async fn prompt_mode_and_request_id_reach_the_log_one_to_one() {
    let world = World::new(vec![hangs(), says("later")]).await;
    let mut mux = world.host.mux();
    let id = world.create(None).await.unwrap();
    world.prompt(&id, "rpc-1", "go").await.unwrap();
    until(&mut mux, |frame| is_event(frame, "assistant/chunk")).await;
    for (mode, rpc_id) in [(PromptMode::Queue, "q"), (PromptMode::Steer, "s")] {
        let payload = PromptPayload { session_id: id.clone(), mode, content: vec![Content::text("more")] };
        world.host.session_prompt(rpc_id, payload).await.unwrap();
    }
    let spliced: Vec<_> = world
        .host
        .session_log(&id)
        .unwrap()
        .events()
        .into_iter()
        .filter(|event| event.kind == "agent/inbox/spliced" && event.data["inserted"] != json!([]))
        .map(|event| (event.data["target"].clone(), event.data["inserted"][0]["source"]["rpcId"].clone()))
        .collect();
    let expected = [("next-turn", "rpc-1"), ("next-turn", "q"), ("next-step", "s")];
    assert_eq!(spliced, expected.map(|(target, rpc_id)| (json!(target), json!(rpc_id))));
    world.host.shutdown(DEADLINE).await.unwrap();
}

#[tokio::test]
async fn a_prompt_that_says_nothing_is_refused_with_its_issue() {
    let world = World::new(vec![]).await;
    let id = world.create(None).await.unwrap();
    for (content, issue) in [
        (vec![], "content: the prompt is empty, write something"),
        (vec![Content::text(" \n")], "content: the prompt is empty, write something"),
        (vec![Content::Reasoning { text: "x".to_owned() }], "content: a prompt holds text parts only"),
    ] {
        let payload = PromptPayload { session_id: id.clone(), mode: PromptMode::Queue, content };
        let error = world.host.session_prompt("r", payload).await.unwrap_err();
        assert_eq!((error.code, &error.details), (ErrorCode::BadRequest, &json!({"issues": [issue]})));
    }
    assert_eq!(world.host.session_log(&id).unwrap().tail_seq(), -1);
}

#[tokio::test]
async fn without_a_key_the_model_is_listed_and_a_prompt_says_what_to_do() {
    let (_folder, host) = boot_with("", ModelSource::Configured).await;
    let host = host.unwrap();
    let facts = host.host_describe().await.unwrap();
    assert_eq!((facts.provider.as_deref(), facts.model.as_deref()), (Some("deepseek"), Some("DeepSeek-V4-Flash")));
    let workspace_id = host.workspace_list().await.unwrap().items.remove(0).workspace_id;
    let id = host.session_create(CreatePayload { workspace_id, session_id: None }).await.unwrap().session_id;
    let content = vec![Content::text("go")];
    let payload = PromptPayload { session_id: id.clone(), mode: PromptMode::Queue, content };
    host.session_prompt("rpc-1", payload).await.unwrap();
    host.when_idle(&id, DEADLINE).await.unwrap();
    let end = host.session_log(&id).unwrap().events().pop().unwrap();
    let message = "there is no key for DeepSeek; set DEEPSEEK_API_KEY and start dsh again";
    assert_eq!(end.data["reason"], json!({"kind": "error", "error": {"message": message, "code": "AUTH"}}));
}

#[tokio::test]
async fn without_a_provider_a_session_is_refused() {
    let text = "[[patch]]\nid = \"provider.deepseek\"\ndisable = true\n";
    let (_folder, host) = boot_with(text, ModelSource::Configured).await;
    let host = host.unwrap();
    assert_eq!(host.host_describe().await.unwrap().model, None);
    let workspace_id = host.workspace_list().await.unwrap().items.remove(0).workspace_id;
    let error = host.session_create(CreatePayload { workspace_id, session_id: None }).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ModelUnavailable);
    assert_eq!(error.message, "no model is configured; enable a provider row");
}

#[tokio::test]
async fn a_damaged_log_is_listed_and_hides_no_other() {
    let world = World::new(vec![]).await;
    world.seed("good", 1).await;
    world.seed("broken", 1).await;
    let state = world.folder.path().join("state/sessions");
    let mut folders = std::fs::read_dir(&state).unwrap().map(|entry| entry.unwrap().path().join("broken"));
    let log = folders.find(|folder| folder.is_dir()).unwrap().join("session.jsonl.zstd");
    std::fs::write(&log, b"not a log").unwrap();
    let items = world.host.session_list().await.unwrap().items;
    let titles: Vec<_> = items.iter().map(|row| (row.session_id.as_str(), row.title.as_deref())).collect();
    assert!(titles.contains(&("good", None)), "{titles:?}");
    assert!(titles.contains(&("broken", Some("Damaged session log"))), "{titles:?}");
    let error = world.host.session_history(history("broken", None, None)).await.unwrap_err();
    assert!(error.code == ErrorCode::Internal && error.message.contains("session.jsonl.zstd"), "{error}");
}

#[tokio::test]
async fn a_wait_for_idle_that_runs_out_explains_itself() {
    let world = World::new(vec![hangs()]).await;
    let mut mux = world.host.mux();
    let id = world.create(None).await.unwrap();
    world.prompt(&id, "rpc-1", "go").await.unwrap();
    until(&mut mux, |frame| is_event(frame, "assistant/chunk")).await;
    let timeout = world.host.when_idle(&id, Duration::from_millis(50)).await.unwrap_err();
    assert_eq!(timeout.session_id, id);
    assert_eq!(timeout.state, "a turn runs; 0 queued for the next turn, 0 for the next step");
    assert!(timeout.last_events.last().unwrap().contains("so far"), "{timeout}");
    let state = world.host.describe_state().await;
    assert!(state.contains(&id) && state.contains("a turn runs") && state.contains("so far"), "{state}");
    world.host.shutdown(DEADLINE).await.unwrap();
}
