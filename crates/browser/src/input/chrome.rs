//! Input by Chromium's own protocol: typing, which takes half the time there; clicks, whose press and release come
//! together; and input methods, for which WebDriver has no command.

use super::{keys, layout};
use crate::error::Result;
use crate::link::COMMAND_DEADLINE;
use crate::page::Page;
use bidi::command::cdp::{GetSession, SendCommand};
use bidi::command::input::PointerAction;
use serde_json::{Value, json};
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

/// Answers that may be pending at once: enough to keep the driver busy.
const PENDING: usize = 256;

/// Types text. The events are those of `input.performActions`.
pub(super) async fn type_text(page: &Page, action: &str, text: &str) -> Result<()> {
    let strokes = text.chars().filter(|c| *c != '\r').flat_map(stroke);
    send(page, action, strokes.map(|params| ("Input.dispatchKeyEvent", params)).collect()).await
}

/// Clicks: a move, then presses and releases. ChromeDriver waits between the two until the page has taken the press.
pub(super) async fn click(page: &Page, action: &str, actions: &[PointerAction]) -> Result<()> {
    let held = page.core().devices.of(page.id()).held;
    let modifiers = held.iter().fold(0, |mask, key| mask | keys::modifier_bit(key));
    let mut at = (0.0, 0.0);
    let mut presses = 0;
    let events = actions.iter().map(|action| {
        let (kind, button, count) = match action {
            PointerAction::PointerMove { x, y } => {
                at = (*x, *y);
                ("mouseMoved", None, 0)
            }
            PointerAction::PointerDown { button } => {
                presses += 1;
                ("mousePressed", Some(*button), presses)
            }
            PointerAction::PointerUp { button } => ("mouseReleased", Some(*button), presses),
            PointerAction::Pause { .. } => ("mouseMoved", None, 0),
        };
        let (name, bit) = match button {
            Some(0) => ("left", 1),
            Some(1) => ("middle", 4),
            Some(_) => ("right", 2),
            None => ("none", 0),
        };
        let buttons = if kind == "mousePressed" { bit } else { 0 };
        let event = json!({
            "type": kind, "x": at.0, "y": at.1, "button": name, "buttons": buttons, "clickCount": count,
            "modifiers": modifiers,
        });
        ("Input.dispatchMouseEvent", event)
    });
    send(page, action, events.collect()).await
}

/// Composes text step by step, then commits it.
pub(super) async fn compose(page: &Page, action: &str, steps: &[&str], text: &str) -> Result<()> {
    let compose = |step: &&str| {
        let end = step.encode_utf16().count();
        ("Input.imeSetComposition", json!({ "text": step, "selectionStart": end, "selectionEnd": end }))
    };
    let commit = ("Input.insertText", json!({ "text": text }));
    send(page, action, steps.iter().map(compose).chain([commit]).collect()).await
}

/// The parameters of a key going down and up.
fn stroke(c: char) -> [Value; 2] {
    let (key, code, key_code, text) = match c {
        '\n' => ("Enter".to_owned(), "Enter".to_owned(), 13, Some("\r".to_owned())),
        '\t' => ("Tab".to_owned(), "Tab".to_owned(), 9, None),
        other => {
            let (code, key_code) = layout::key_for(other).unwrap_or_default();
            (other.to_string(), code, key_code, Some(other.to_string()))
        }
    };
    let mut down = json!({
        "type": if text.is_some() { "keyDown" } else { "rawKeyDown" },
        "key": key,
        "code": code,
        "windowsVirtualKeyCode": key_code,
    });
    let mut up = down.clone();
    up["type"] = "keyUp".into();
    if let Some(text) = text {
        down["unmodifiedText"] = text.clone().into();
        down["text"] = text.into();
    }
    [down, up]
}

/// Sends DevTools commands in order, without waiting for one before the next.
async fn send(page: &Page, action: &str, commands: Vec<(&str, Value)>) -> Result<()> {
    let session = session(page, action).await?;
    for window in commands.chunks(PENDING) {
        let commands = window.iter().map(|(method, params)| SendCommand {
            method: (*method).to_owned(),
            params: params.clone(),
            session: Some(session.clone()),
        });
        let commands: Vec<SendCommand> = commands.collect();
        let mut pending: Vec<Pin<Box<_>>> =
            commands.iter().map(|command| Box::pin(page.call(action, command, COMMAND_DEADLINE))).collect();
        // A command is on its way once it has been polled.
        let mut answers = Vec::new();
        poll_fn(|context| {
            pending.retain_mut(|command| match command.as_mut().poll(context) {
                Poll::Ready(answer) => {
                    answers.push(answer);
                    false
                }
                Poll::Pending => true,
            });
            if pending.is_empty() { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        for answer in answers {
            answer.map_err(|error| page.explain(action, error))?;
        }
    }
    Ok(())
}

async fn session(page: &Page, action: &str) -> Result<String> {
    let devices = &page.core().devices;
    if let Some(session) = devices.of(page.id()).session {
        return Ok(session);
    }
    let opened = page.core().link.call(&GetSession { context: page.id().to_owned() }).await;
    let session = opened.map_err(|error| page.explain(action, error))?.session;
    devices.note(page.id(), |state| state.session = Some(session.clone()));
    Ok(session)
}
