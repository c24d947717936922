//! Keyboard, mouse and touch screen.

mod support;

use browser::{Button, Error, Page, TypeOptions};
use serde_json::{Value, json};
use std::time::Duration;
use support::{page_with, run};

const FIELD: &str = "<textarea id=t style='width:400px;height:100px'></textarea><script>window.seen = [];
  for (const type of ['keydown', 'keypress', 'beforeinput', 'input', 'keyup', 'compositionstart', 'compositionupdate', 'compositionend'])
    t.addEventListener(type, (e) => seen.push([e.type, e.key ?? e.data, e.code ?? e.inputType ?? '', e.keyCode ?? 0, e.location ?? 0,
      e.shiftKey ?? false, e.isTrusted]))</script>";

async fn seen(page: &Page) -> Value {
    page.evaluate("() => seen.splice(0)", &[]).await.unwrap()
}

fn without_key_codes(events: &Value) -> Vec<(Value, Value, Value, Value)> {
    let events = events.as_array().unwrap().iter();
    events.map(|event| (event[0].clone(), event[1].clone(), event[2].clone(), event[6].clone())).collect()
}

#[test]
fn quick_typing_gives_the_events_of_the_protocol() {
    run(async {
        let (context, page) = page_with(FIELD).await;
        let field = page.locator("#t");
        let text = "aZ09 `~-_=+[{]}\\|;:'\",<./?)!@#$%^&*(é中ß👩\n.";
        field.press_sequentially(text).await.unwrap();
        let quick = seen(&page).await;
        assert_eq!(field.input_value().await.unwrap(), text);
        field.clear().await.unwrap();
        seen(&page).await;
        // With a delay it goes the general way.
        field.press_sequentially_with(text, TypeOptions::default().delay(Duration::from_millis(1))).await.unwrap();
        let general = seen(&page).await;
        assert_eq!(field.input_value().await.unwrap(), text);
        assert_eq!(without_key_codes(&quick), without_key_codes(&general));
        // ChromeDriver gives signs the key codes of other keys.
        let codes =
            "() => seen.splice(0).filter(([type]) => type === 'keydown').map(([, key, , code]) => `${key} ${code}`)";
        field.press_sequentially("-a=!").await.unwrap();
        assert_eq!(page.evaluate::<Value>(codes, &[]).await.unwrap(), json!(["- 189", "a 65", "= 187", "! 49"]));
        context.close().await.unwrap();
    });
}

#[test]
fn keys_are_held_and_combined() {
    run(async {
        let (context, page) = page_with(&format!("{FIELD}<input id=next>")).await;
        let field = page.locator("#t");
        field.press("Shift+KeyA").await.unwrap();
        field.press("Shift+1").await.unwrap();
        field.press("x").await.unwrap();
        assert_eq!(field.input_value().await.unwrap(), "A!x");
        page.keyboard().down("Shift").await.unwrap();
        page.keyboard().type_text("b").await.unwrap();
        page.keyboard().press("ArrowLeft").await.unwrap();
        page.keyboard().up("Shift").await.unwrap();
        page.keyboard().press("Delete").await.unwrap();
        assert_eq!(field.input_value().await.unwrap(), "A!x");
        field.press("ControlOrMeta+a").await.unwrap();
        page.keyboard().insert_text("new").await.unwrap();
        seen(&page).await;
        field.press_with("Enter", TypeOptions::default().delay(Duration::from_millis(20))).await.unwrap();
        let enter = seen(&page).await;
        assert_eq!(enter[0], json!(["keydown", "Enter", "Enter", 13, 0, false, true]));
        assert_eq!(field.input_value().await.unwrap(), "new\n");
        page.keyboard().type_text("\tnext").await.unwrap();
        assert_eq!(page.locator("#next").input_value().await.unwrap(), "next", "a tab goes to the next field");
        let error = page.keyboard().down("Shif").await.unwrap_err();
        assert!(matches!(error, Error::UnknownKey { .. }), "{error}");
        context.close().await.unwrap();
    });
}

#[test]
fn composition_gives_trusted_events_and_the_text() {
    run(async {
        let (context, page) = page_with(FIELD).await;
        let field = page.locator("#t");
        field.compose(&["k", "か", "かん"], "漢").await.unwrap();
        assert_eq!(field.input_value().await.unwrap(), "漢");
        let events = seen(&page).await;
        let events = events.as_array().unwrap();
        let of = |name: &str| events.iter().filter(|event| event[0] == name).collect::<Vec<_>>();
        assert_eq!(of("compositionstart").len(), 1, "{events:?}");
        assert_eq!(of("compositionend")[0][1], "漢");
        assert!(of("compositionupdate").len() >= 3, "{events:?}");
        assert!(
            of("keydown").is_empty() && events.iter().all(|event| event[6] == (event[0] != "compositionend")),
            "{events:?}"
        );
        page.keyboard().compose(&["ㅎ", "하"], "한").await.unwrap();
        assert_eq!(field.input_value().await.unwrap(), "漢한");
        context.close().await.unwrap();
    });
}

#[test]
fn mouse_moves_in_steps_presses_drags_and_turns_its_wheel() {
    run(async {
        let (context, page) = page_with(
            "<body style='margin:0;height:3000px'><script>window.seen = []; for (const t of ['mousemove', 'mousedown', 'mouseup', 'click', 'dblclick', 'auxclick'])
             addEventListener(t, (e) => seen.push([e.type, e.clientX, e.clientY, e.button, e.buttons]))</script>",
        )
        .await;
        let mouse = page.mouse();
        mouse.move_to(10.0, 20.0).await.unwrap();
        mouse.move_in_steps(50.0, 40.0, 2).await.unwrap();
        mouse.down(Button::Middle).await.unwrap();
        mouse.up(Button::Middle).await.unwrap();
        // Browsers tell a new page where the mouse was all along.
        let events = seen(&page).await;
        let events: Vec<&Value> = events.as_array().unwrap().iter().filter(|event| event[1] != 0).collect();
        let expected = json!([
            ["mousemove", 10, 20, 0, 0],
            ["mousemove", 30, 30, 0, 0],
            ["mousemove", 50, 40, 0, 0],
            ["mousedown", 50, 40, 1, 4],
            ["mouseup", 50, 40, 1, 0],
            ["auxclick", 50, 40, 1, 0],
        ]);
        assert_eq!(json!(events), expected);
        mouse.click(60.0, 60.0).await.unwrap();
        mouse.dblclick(70.0, 70.0).await.unwrap();
        let kinds = "() => seen.splice(0).map(([type]) => type).filter((type) => type.includes('click'))";
        assert_eq!(page.evaluate::<Value>(kinds, &[]).await.unwrap(), json!(["click", "click", "click", "dblclick"]));
        mouse.wheel(0.0, 300.0).await.unwrap();
        page.locator("html").expect().to_have_js_property("scrollTop", 300).await.unwrap();
        context.close().await.unwrap();
    });
}

#[test]
fn finger_taps() {
    run(async {
        let (context, page) = page_with(
            "<script>window.seen = []; for (const t of ['pointerdown', 'touchstart', 'touchend', 'click'])
             addEventListener(t, (e) => seen.push([e.type, e.pointerType ?? '', e.isTrusted]))</script>",
        )
        .await;
        page.touchscreen().tap(30.0, 30.0).await.unwrap();
        let clicked = "() => new Promise((r) => { const look = () => seen.some(([t]) => t === 'click') ? r(seen) : setTimeout(look, 10); look() })";
        let events = page.evaluate::<Value>(clicked, &[]).await.unwrap();
        let expected = json!([
            ["pointerdown", "touch", true],
            ["touchstart", "", true],
            ["touchend", "", true],
            ["click", "touch", true],
        ]);
        assert_eq!(events, expected);
        context.close().await.unwrap();
    });
}
