//! Turns from prompt to idle: order of events, tools, limits, queue.

mod support;

use std::sync::Arc;

use agent::{Agent, Delivery, SessionLog};
use serde_json::json;
use session::{Content, FinishReason, Payload, user_prompts};
use support::{Behaviour, SESSION, TestTool, World, call, clock, config, finish, stop, text};

#[tokio::test(start_paused = true)]
async fn a_turn_with_a_tool_leaves_the_whole_order_of_events_on_disk() {
    let tool = TestTool::new("look", Behaviour::Answer("a file"));
    let script = vec![
        vec![text("let me look"), call(1, "c1", "look", json!({"at": 1})), finish(FinishReason::ToolCalls)],
        vec![text("one "), text("file"), stop()],
    ];
    let world = World::new(script, vec![tool.clone()]).await;
    world.turn("What is in here, and why so much?").await;
    let expected = [
        "turn/start 1",
        "step/start 1",
        "user/message What is in here, and why so much?",
        "session/title What is in here, and",
        "request/header",
        "assistant/chunk text-delta",
        "assistant/chunk block-end",
        "assistant/chunk finish",
        "assistant/message let me look|c1",
        "tool/call c1",
        "tool/result c1 a file",
        "step/end 1",
        "step/start 2",
        "assistant/chunk text-delta",
        "assistant/chunk text-delta",
        "assistant/chunk finish",
        "assistant/message one file",
        "step/end 2",
        "turn/end completed",
    ];
    assert_eq!(world.shape(), expected);
    let durable = world.store.read(SESSION).await.unwrap();
    assert_eq!((durable.events, durable.repair), (world.log.events(), None));

    let events = world.log.events();
    let user = events.iter().find(|event| event.kind == "user/message").unwrap();
    assert_eq!(user.data["source"], json!({"kind": "user", "rpcId": "rpc-1"}));
    assert_eq!(events[1].data["trigger"], json!({"kind": "message", "source": user.data["source"]}));
    let answer = events.iter().rfind(|event| event.kind == "assistant/message").unwrap();
    assert_eq!(answer.source_event_seqs, Some((answer.seq - 3..answer.seq).collect()));
    assert_eq!(answer.data["message"]["source"], json!({"kind": "model", "provider": "p1", "model": "m1"}));
    let result = events.iter().find(|event| event.kind == "tool/result").unwrap();
    assert_eq!(result.source_event_seqs, Some(vec![result.seq - 1]));

    let invocation = tool.calls.lock().unwrap().pop().unwrap();
    assert_eq!(invocation.arguments, "{\"at\":1}");
    assert_eq!((invocation.cwd.to_str(), invocation.env["GIVEN"].as_str()), (Some("/workspace"), "1"));
}

#[tokio::test(start_paused = true)]
async fn what_the_model_is_asked_is_what_the_log_says() {
    let tool = TestTool::new("look", Behaviour::Answer("a file"));
    let script = vec![vec![call(0, "c1", "look", json!({})), finish(FinishReason::ToolCalls)], vec![stop()]];
    let world = World::new(script, vec![tool]).await;
    world.turn("hello").await;
    let requests = world.requests();
    let [first, second] = requests.as_slice() else { panic!("{requests:?}") };
    assert_eq!((first.session_id.as_str(), first.provider.as_str(), first.model.as_str()), (SESSION, "p1", "m1"));
    assert_eq!((first.system.as_str(), first.tools.len()), ("be brief", 1));
    assert_eq!(first.messages.iter().map(session::Message::text).collect::<Vec<_>>(), ["hello"]);
    assert_eq!(second.messages.len(), 3);
    assert_eq!(second.messages[0], first.messages[0]);
    assert!(matches!(&second.messages[1].content[..], [Content::ToolCall { id, .. }] if id == "c1"));
    let header = world.event(|event| event.kind == "request/header").await;
    assert_eq!(header.data["reason"], "initial");
    assert_eq!(header.data["header"]["config"], json!({"provider": "p1", "model": "m1"}));
    assert_eq!(header.data["header"]["system"], "be brief");
}

#[tokio::test(start_paused = true)]
async fn prompts_that_wait_become_turns_in_their_order() {
    let script = vec![vec![text("1"), stop()], vec![text("2"), stop()], vec![text("3"), stop()]];
    let world = World::new(script, vec![]).await;
    for name in ["a", "b", "c"] {
        world.prompt(name, name);
    }
    world.idle().await;
    assert_eq!(user_prompts(&world.log.events()), ["a", "b", "c"]);
    let ends = world.shape().iter().filter(|line| *line == "turn/end completed").count();
    assert_eq!(ends, 3);
    let titles = world.shape().iter().filter(|line| line.starts_with("session/title")).count();
    assert_eq!(titles, 1);
}

#[tokio::test(start_paused = true)]
async fn a_prompt_sent_again_is_taken_once() {
    let world = World::new(vec![vec![stop()]], vec![]).await;
    world.prompt("same", "hello");
    world.prompt("same", "hello");
    world.idle().await;
    world.prompt("same", "hello");
    world.idle().await;
    assert_eq!(user_prompts(&world.log.events()), ["hello"]);
}

#[tokio::test(start_paused = true)]
async fn steering_is_read_at_the_next_step_of_the_running_turn() {
    let tool = TestTool::new("wait", Behaviour::Together(Arc::new(tokio::sync::Barrier::new(2))));
    let Behaviour::Together(barrier) = &tool.behaviour else { unreachable!() };
    let script =
        vec![vec![call(0, "c1", "wait", json!({})), finish(FinishReason::ToolCalls)], vec![text("ok"), stop()]];
    let world = World::new(script, vec![tool.clone()]).await;
    world.prompt("r1", "start");
    tool.began.notified().await;
    world.agent.prompt("r2", Delivery::Steer, vec![Content::text("be quick")]).unwrap();
    barrier.wait().await;
    world.idle().await;
    let shape = world.shape();
    let step = shape.iter().position(|line| line == "step/start 2").unwrap();
    assert_eq!(shape[step + 1], "user/message be quick");
    assert_eq!(shape.iter().filter(|line| line.starts_with("turn/end")).count(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_unknown_tool_is_answered_with_the_names_there_are() {
    let script = vec![vec![call(0, "c1", "rm", json!({})), finish(FinishReason::ToolCalls)], vec![stop()]];
    let world = World::new(script, vec![TestTool::new("look", Behaviour::Answer("x"))]).await;
    world.turn("go").await;
    let line = "tool/result c1 there is no tool rm; there are: look. (error)".to_owned();
    assert!(world.shape().contains(&line), "{:#?}", world.shape());
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_panics_fails_its_call_only() {
    let script = vec![vec![call(0, "c1", "bad", json!({})), finish(FinishReason::ToolCalls)], vec![text("ok"), stop()]];
    let world = World::new(script, vec![TestTool::new("bad", Behaviour::Panic)]).await;
    world.turn("go").await;
    let line = "tool/result c1 the tool bad failed inside: out of cheese. Try another way. (error)".to_owned();
    assert!(world.shape().contains(&line), "{:#?}", world.shape());
    assert_eq!(world.shape().last().unwrap(), "turn/end completed");
}

#[tokio::test(start_paused = true)]
async fn parallel_safe_tools_run_together_and_answer_in_the_models_order() {
    let together = TestTool::new("together", Behaviour::Together(Arc::new(tokio::sync::Barrier::new(2))));
    let alone = TestTool::new("alone", Behaviour::Answer("alone"));
    let calls = vec![
        call(0, "c1", "together", json!({})),
        call(1, "c2", "together", json!({})),
        call(2, "c3", "alone", json!({})),
        finish(FinishReason::ToolCalls),
    ];
    let world = World::new(vec![calls, vec![stop()]], vec![together, alone]).await;
    world.turn("go").await;
    let tools: Vec<_> = world.shape().into_iter().filter(|line| line.starts_with("tool/")).collect();
    let expected = [
        "tool/call c1",
        "tool/call c2",
        "tool/result c1 c1",
        "tool/result c2 c2",
        "tool/call c3",
        "tool/result c3 alone",
    ];
    assert_eq!(tools, expected);
}

#[tokio::test(start_paused = true)]
async fn calls_of_an_answer_cut_by_the_output_limit_do_not_run() {
    let tool = TestTool::new("look", Behaviour::Answer("x"));
    let script = vec![vec![call(0, "c1", "look", json!({})), finish(FinishReason::MaxTokens)]];
    let world = World::new(script, vec![tool.clone()]).await;
    world.turn("go").await;
    assert!(tool.calls.lock().unwrap().is_empty());
    assert_eq!(world.shape().last().unwrap(), "turn/end max-tokens");
    let result = world.event(|event| event.kind == "tool/result").await;
    assert_eq!(result.data["error"], json!({"name": "NotRunError", "code": "MAX_TOKENS"}));
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_never_ends_is_stopped_at_its_step_limit() {
    let step = || vec![call(0, "c1", "look", json!({})), finish(FinishReason::ToolCalls)];
    let world = World::new((0..5).map(|_| step()).collect(), vec![TestTool::new("look", Behaviour::Answer("x"))]).await;
    world.turn("go").await;
    assert_eq!(world.requests().len(), 5);
    assert_eq!(world.shape().last().unwrap(), "turn/end error STEP_LIMIT");
}

#[tokio::test(start_paused = true)]
async fn steering_during_the_last_step_is_read_by_a_turn_of_its_own() {
    let barrier = Arc::new(tokio::sync::Barrier::new(2));
    let tool = TestTool::new("wait", Behaviour::Together(Arc::clone(&barrier)));
    let script =
        vec![vec![call(0, "c1", "wait", json!({})), finish(FinishReason::ToolCalls)], vec![text("ok"), stop()]];
    let world = World::with_max_steps(1, script, vec![tool.clone()]).await;
    world.prompt("r1", "start");
    tool.began.notified().await;
    world.agent.prompt("r2", Delivery::Steer, vec![Content::text("be quick")]).unwrap();
    barrier.wait().await;
    world.idle().await;
    assert_eq!(user_prompts(&world.log.events()), ["start", "be quick"]);
    let shape = world.shape();
    let limit = shape.iter().position(|line| line == "turn/end error STEP_LIMIT").unwrap();
    assert_eq!(shape[limit + 1..limit + 4], ["turn/start 2", "step/start 1", "user/message be quick"]);
    assert_eq!(shape.last().unwrap(), "turn/end completed");
}

#[tokio::test(start_paused = true)]
async fn an_answer_in_the_last_step_completes_the_turn_and_leaves_steering_to_the_next() {
    let gate = Arc::new(tokio::sync::Notify::new());
    let script = vec![vec![text("one"), support::Act::Wait(Arc::clone(&gate)), stop()], vec![text("two"), stop()]];
    let world = World::with_max_steps(1, script, vec![]).await;
    world.prompt("r1", "start");
    world.event(|event| event.kind == "assistant/chunk").await;
    world.agent.prompt("r2", Delivery::Steer, vec![Content::text("be quick")]).unwrap();
    gate.notify_one();
    world.idle().await;
    assert_eq!(user_prompts(&world.log.events()), ["start", "be quick"]);
    let ends: Vec<_> = world.shape().into_iter().filter(|line| line.starts_with("turn/end")).collect();
    assert_eq!(ends, ["turn/end completed", "turn/end completed"]);
}

#[tokio::test(start_paused = true)]
async fn a_resumed_session_goes_on_where_it_stopped() {
    let world = World::new(vec![vec![text("one"), stop()]], vec![]).await;
    world.turn("first").await;
    world.agent.close(support::DEADLINE).await.unwrap();
    let (stored, writer) = world.store.resume(SESSION).await.unwrap();
    let log = SessionLog::resume(stored, writer, clock());
    let again = World::new(vec![vec![text("two"), stop()]], vec![]).await;
    let agent = Agent::spawn(config(Arc::clone(&log), Arc::clone(&again.model), vec![]));
    agent.prompt("rpc-2", Delivery::Queue, vec![Content::text("second")]).unwrap();
    agent.when_idle(support::DEADLINE).await.unwrap();
    let turns: Vec<_> = log
        .events()
        .iter()
        .filter_map(|event| match event.payload() {
            Ok(Payload::TurnStart { turn, .. }) => Some(turn),
            _ => None,
        })
        .collect();
    assert_eq!(turns, [1, 2]);
    let asked: Vec<_> = again.requests()[0].messages.iter().map(session::Message::text).collect();
    assert_eq!(asked, ["first", "one", "second"]);
    // Same header, same title: neither is written again.
    let shape = support::shape(&log.events());
    assert_eq!(shape.iter().filter(|line| *line == "request/header").count(), 1);
    assert_eq!(shape.iter().filter(|line| line.starts_with("session/title")).count(), 1);
}

#[tokio::test(start_paused = true)]
async fn subscribers_get_every_event_once_and_in_order() {
    let world = World::new(vec![vec![text("one"), text("two"), stop()]], vec![]).await;
    let (tail, mut live) = world.log.subscribe();
    assert_eq!(tail, -1);
    world.turn("go").await;
    let (tail, mut late) = world.log.subscribe();
    assert_eq!(tail, world.log.tail_seq());
    world.agent.close(support::DEADLINE).await.unwrap();
    let mut seen = Vec::new();
    while let Some(event) = live.recv().await {
        seen.push(event);
    }
    assert_eq!(seen, world.log.events());
    assert_eq!(late.recv().await, None);
}
