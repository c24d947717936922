//! What actions do to elements, where they are, and what they say when they can't.

mod support;

use browser::{Button, ClickOptions, DragOptions, Error, InputFile, Modifier, PointOptions, SelectOption};
use serde_json::{Map, Value, json};
use std::time::Duration;
use support::{SOON, page_with, run, serve};

/// Notes every event of these types, wherever it comes from, in `window.seen`.
const RECORDER: &str = "<script>window.seen = []; window.record = (...types) => types.forEach((type) =>
  addEventListener(type, (e) => e.target.nodeType === 1 && seen.push([e.type, e.target.id, e.isTrusted]), true))</script>";

async fn seen(page: &browser::Page) -> Value {
    page.evaluate("() => seen.splice(0)", &[]).await.unwrap()
}

fn failure(result: browser::Result<()>) -> String {
    result.expect_err("it can't be done").to_string()
}

#[test]
fn click_has_button_count_modifiers_position_and_delay() {
    run(async {
        let (context, page) = page_with(
            "<button id=b style='width:100px;height:40px'>Go</button><script>window.seen = [];
             for (const t of ['mousedown', 'click', 'dblclick', 'auxclick', 'contextmenu']) b.addEventListener(t, (e) =>
               seen.push([t, e.button, e.detail, e.shiftKey, e.ctrlKey, e.offsetX, e.offsetY, e.isTrusted]))</script>",
        )
        .await;
        let button = page.locator("#b");
        let types = async || {
            page.evaluate::<Value>("() => seen.splice(0).map(([t, button, detail]) => [t, button, detail])", &[]).await
        };
        button.click().await.unwrap();
        assert_eq!(types().await.unwrap(), json!([["mousedown", 0, 1], ["click", 0, 1]]));
        button.dblclick().await.unwrap();
        let double =
            json!([["mousedown", 0, 1], ["click", 0, 1], ["mousedown", 0, 2], ["click", 0, 2], ["dblclick", 0, 2]]);
        assert_eq!(types().await.unwrap(), double);
        button.click_with(ClickOptions::default().button(Button::Right)).await.unwrap();
        assert_eq!(types().await.unwrap(), json!([["mousedown", 2, 1], ["contextmenu", 2, 0], ["auxclick", 2, 1]]));
        button.click_with(ClickOptions::default().button(Button::Middle).count(1)).await.unwrap();
        assert_eq!(types().await.unwrap(), json!([["mousedown", 1, 1], ["auxclick", 1, 1]]));
        let options = ClickOptions::default().modifiers([Modifier::Shift, Modifier::Control]).position(7.0, 9.0);
        button.click_with(options.delay(Duration::from_millis(30))).await.unwrap();
        let full = json!([["mousedown", 0, 1, true, true, 5, 7, true], ["click", 0, 1, true, true, 5, 7, true]]);
        assert_eq!(seen(&page).await, full, "offsets are those of the padding box");
        button.click_with(ClickOptions::default().trial()).await.unwrap();
        assert_eq!(seen(&page).await, json!([]));
        context.close().await.unwrap();
    });
}

#[test]
fn hard_to_hit_elements_are_hit() {
    run(async {
        let (context, page) = page_with(&format!(
            "{RECORDER}<style>body {{ margin: 0; padding: 60px 0 300px }} header {{ position: fixed; top: 0; left: 0; right: 0; height: 60px; background: gray; z-index: 1 }}
             footer {{ position: fixed; bottom: 0; left: 0; right: 0; height: 60px; background: gray; z-index: 1 }}</style>
             <header>bar</header><footer>bar</footer><div style='height: 1500px'></div>
             <button id=below-bar>a</button><div id=tall style='height:3000px;width:200px;background:silver'></div>
             <div style='height:100px;width:200px;overflow:auto'><div style='height:800px'></div>
               <div style='height:90px;overflow:auto'><div style='height:500px'></div><button id=nested>b</button></div></div>
             <p style='width:120px;font:20px monospace'>xxxxxxxx <a id=broken href='#x'>link that is broken over lines</a></p>
             <div id=contents style='display:contents'>only text</div>
             <svg width=100 height=100><path id=line d='M 5 5 L 5 95 L 95 95' stroke=black fill=none stroke-width=4 /></svg>
             <a id=flat style='display:block;height:0;width:0'><img id=flat-inner style='width:30px;height:30px' alt=x></a>
             <div style='transform:rotate(30deg) scale(1.5);width:100px;margin:100px'><button id=turned>c</button></div><div style='zoom:2'><button id=zoomed>d</button></div>
             <button id=iconed><span id=label>Save</span><i style='position:absolute;margin-left:-30px;width:30px;height:20px'></i></button>
             <label id=text>Accept <input type=checkbox id=box style='opacity:0;position:absolute'></label>
             <script>record('click')</script>"
        ))
        .await;
        for id in ["below-bar", "tall", "nested", "broken", "contents", "line", "turned", "zoomed"] {
            page.locator(&format!("#{id}")).click().await.unwrap();
            assert_eq!(seen(&page).await, json!([["click", id, true]]));
        }
        page.locator("#flat").click().await.unwrap();
        assert_eq!(seen(&page).await, json!([["click", "flat-inner", true]]));
        page.locator("#label").click().await.unwrap();
        assert_eq!(seen(&page).await.as_array().map(Vec::len), Some(1), "the icon over the text is the button's too");
        page.locator("#text").click().await.unwrap();
        page.locator("#box").expect().to_be_checked().await.unwrap();
        context.close().await.unwrap();
    });
}

#[test]
fn what_can_not_be_acted_on_says_why() {
    run(async {
        let (context, page) = page_with(
            "<fieldset disabled><button><span>Off</span></button></fieldset><p hidden id=no>x</p><select><option>One</option></select>
             <div style='height:20px;overflow:hidden'><div style='height:30px'></div><b style='display:block;position:relative;top:0'>cut</b></div>
             <textarea readonly>r</textarea><input type=checkbox disabled id=c><input type=radio checked id=r><i id=plain>plain</i>",
        )
        .await;
        let check = async |action: browser::Result<()>, expected: &str| {
            let message = failure(action);
            assert!(message.contains(expected), "{message}");
        };
        let at = |css: &str| page.locator(css).within(SOON);
        check(at("span").click().await, "<span>Off</span> is disabled").await;
        check(at("#no").hover().await, "<p id=\"no\">x</p> (paragraph) is hidden").await;
        check(at("option").click().await, "use select_option there").await;
        check(at("textarea").fill("x").await, "is read-only").await;
        check(at("#plain").check().await, "can't be checked; name a checkbox, radio or switch").await;
        check(at("#c").check().await, "is disabled").await;
        check(at("#r").uncheck().await, "can't be unchecked; check another of its group").await;
        check(at("#plain").focus().await, "can't take the focus").await;
        check(at("#plain").select_option("x").await.map(|_| ()), "is no <select>").await;
        check(at("select").select_options(["One", "Two"]).await.map(|_| ()), "takes one option").await;
        let message = failure(at("select").select_option("Three").await.map(|_| ()));
        assert!(message.contains("has no option of value \"Three\"; it has [\"One\"]"), "{message}");
        check(at("#plain").press("Entr").await, "unknown key \"Entr\"").await;
        let hits = at("#no").click_with(ClickOptions::default().force()).await;
        check(hits, "can't be scrolled into view").await;
        context.close().await.unwrap();
    });
}

#[test]
fn states_are_set_and_verified() {
    run(async {
        let (context, page) = page_with(
            "<input type=checkbox id=a><label><input type=checkbox id=hidden style='display:none'>Fancy</label>
             <div role=switch aria-checked=false id=late tabindex=0>s</div><input type=checkbox id=mixed checked>
             <div role=checkbox aria-checked=false id=stuck>no</div><input type=radio name=r id=r1><input type=radio name=r id=r2>
             <script>mixed.indeterminate = true;
               late.onclick = () => setTimeout(() => late.setAttribute('aria-checked', late.ariaChecked === 'false'), 150);
               window.clicks = 0; addEventListener('click', () => clicks++)</script>",
        )
        .await;
        let at = |css: &str| page.locator(css);
        at("#a").check().await.unwrap();
        at("#a").check().await.unwrap();
        assert_eq!(page.evaluate::<u32>("() => clicks", &[]).await.unwrap(), 1, "what is checked is left alone");
        at("#a").set_checked(false).await.unwrap();
        at("#a").expect().to_be_unchecked().await.unwrap();
        at("#hidden").check().await.unwrap();
        page.get_by_text("Fancy").uncheck().await.unwrap();
        at("#hidden").check().await.unwrap();
        assert!(at("#hidden").is_checked().await.unwrap());
        at("#late").check().await.unwrap();
        at("#late").expect().to_be_checked().await.unwrap();
        at("#mixed").check().await.unwrap();
        assert!(page.evaluate::<bool>("() => mixed.checked && !mixed.indeterminate", &[]).await.unwrap());
        at("#r2").check().await.unwrap();
        at("#r2").expect().to_be_checked().await.unwrap();
        let message = failure(at("#stuck").within(SOON).check().await);
        assert!(message.contains("was clicked and is not checked"), "{message}");
        context.close().await.unwrap();
    });
}

#[test]
fn options_are_chosen_by_value_label_and_index_once_they_are_there() {
    run(async {
        let (context, page) = page_with(
            "<label>Fruit <select id=s><option value=a>Apple</option><option value=b>  Big
             banana</option></select></label><select id=m multiple><option>1</option><option selected>2</option><option>3</option></select>
             <script>window.seen = []; for (const t of ['input', 'change']) s.addEventListener(t, (e) => seen.push([t, s.value]));
             setTimeout(() => s.add(new Option('Late', 'l')), 200)</script>",
        )
        .await;
        let fruit = page.get_by_label("Fruit");
        assert_eq!(fruit.select_option("b").await.unwrap(), ["b"]);
        assert_eq!(seen(&page).await, json!([["input", "b"], ["change", "b"]]));
        assert_eq!(fruit.select_option(SelectOption::label("Apple")).await.unwrap(), ["a"]);
        assert_eq!(fruit.select_option(SelectOption::label("Big banana")).await.unwrap(), ["b"]);
        assert_eq!(fruit.select_option(SelectOption::index(2)).await.unwrap(), ["l"]);
        assert_eq!(page.locator("#m").select_options(["1", "3"]).await.unwrap(), ["1", "3"]);
        assert_eq!(page.locator("#m").select_options([] as [&str; 0]).await.unwrap(), [] as [&str; 0]);
        context.close().await.unwrap();
    });
}

#[test]
fn files_are_put_into_inputs_from_paths_and_from_memory() {
    run(async {
        let (context, page) = page_with(
            "<label>File <input type=file id=one></label><input type=file multiple id=many hidden><p>x</p>
             <script>window.seen = []; addEventListener('change', (e) => seen.push(e.target.id));
             window.texts = async (id) => Promise.all([...document.getElementById(id).files].map(async (f) => [f.name, await f.text(), f.type]))</script>",
        )
        .await;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("note.txt");
        std::fs::write(&path, "from a path").unwrap();
        page.get_by_label("File").set_input_files([&path]).await.unwrap();
        let texts = async |id: &str| page.evaluate::<Value>("texts", &[id.into()]).await.unwrap();
        assert_eq!(texts("one").await, json!([["note.txt", "from a path", "text/plain"]]));
        let files = [InputFile::memory("a.json", "{}"), InputFile::memory("b.png", [1, 2])];
        page.locator("#many").set_input_files(files).await.unwrap();
        assert_eq!(
            texts("many").await,
            json!([["a.json", "{}", "application/json"], ["b.png", "\u{1}\u{2}", "image/png"]])
        );
        page.locator("#one").set_input_files([] as [&str; 0]).await.unwrap();
        assert_eq!(texts("one").await, json!([]));
        assert_eq!(seen(&page).await, json!(["one", "many", "one"]));
        let many = page.locator("#one").set_input_files([&path, &path]).await.unwrap_err().to_string();
        assert!(many.contains("takes one file; give one, or set its attribute multiple"), "{many}");
        let missing = page.locator("#one").set_input_files([folder.path().join("none")]).await.unwrap_err().to_string();
        assert!(missing.starts_with("putting files into an input: "), "{missing}");
        assert!(missing.ends_with("No such file or directory (os error 2); check the path"), "{missing}");
        assert!(matches!(page.locator("p").set_input_files([&path]).await, Err(Error::Unsuitable { .. })));
        context.close().await.unwrap();
    });
}

#[test]
fn dragging_works_by_pointer_and_by_html_drag_and_drop() {
    run(async {
        let (context, page) = page_with(
            "<style>div { position:absolute; width:60px; height:60px }</style>
             <div id=free style='left:0;top:0;background:red'></div><div id=card draggable=true style='left:0;top:100px;background:blue'></div>
             <div id=bin style='left:300px;top:100px;background:gray'></div><script>window.seen = []; window.moves = 0;
             free.onpointerdown = (e) => { free.setPointerCapture(e.pointerId);
               free.onpointermove = (m) => { moves++; free.style.left = `${m.clientX - 30}px`; free.style.top = `${m.clientY - 30}px` } };
             free.onpointerup = () => { free.onpointermove = null };
             card.ondragstart = (e) => e.dataTransfer.setData('text/plain', 'payload');
             bin.ondragover = (e) => e.preventDefault();
             bin.ondrop = (e) => { e.preventDefault(); seen.push([e.dataTransfer.getData('text/plain'), e.isTrusted, e.offsetX]) };
             card.ondragend = () => seen.push('end')</script>",
        )
        .await;
        page.locator("#card").drag_to(&page.locator("#bin")).await.unwrap();
        assert_eq!(seen(&page).await, json!([["payload", true, 30], "end"]));
        let options = DragOptions::default().steps(9).to_position(10.0, 50.0);
        page.locator("#free").drag_to_with(&page.locator("#bin"), options).await.unwrap();
        let place = page.evaluate::<Value>("() => [free.style.left, free.style.top, moves >= 9]", &[]).await.unwrap();
        assert_eq!(place, json!(["280px", "120px", true]));
        let error = failure(page.locator("#card").within(SOON).drag_to(&page.locator("#none").within(SOON)).await);
        assert!(error.starts_with("drop on locator(\"#none\") did not succeed within 700ms"), "{error}");
        context.close().await.unwrap();
    });
}

#[test]
fn smaller_actions_do_what_they_say() {
    run(async {
        let (context, page) = page_with(&format!(
            "{RECORDER}<input id=i value='some text'><p id=p>first <b>second</b></p><div style='height:3000px'></div><u id=low>low</u>
             <div id=scroller style='width:100px;height:100px;overflow:auto'><div style='height:900px'></div></div>
             <script>record('focus', 'blur', 'touchstart', 'click', 'custom', 'dragstart'); addEventListener('custom', (e) => seen.push(e.detail))</script>"
        ))
        .await;
        let at = |css: &str| page.locator(css);
        at("#i").focus().await.unwrap();
        at("#i").blur().await.unwrap();
        assert_eq!(seen(&page).await, json!([["focus", "i", true], ["blur", "i", true]]));
        at("#i").select_text().await.unwrap();
        let selected = "() => getSelection().toString()";
        assert_eq!(page.evaluate::<String>(selected, &[]).await.unwrap(), "some text");
        at("#p").select_text().await.unwrap();
        assert_eq!(page.evaluate::<String>(selected, &[]).await.unwrap(), "first second");
        at("#i").clear().await.unwrap();
        assert_eq!(at("#i").input_value().await.unwrap(), "");
        at("#i").blur().await.unwrap();
        at("#low").scroll_into_view().await.unwrap();
        at("#low").expect().to_be_in_viewport().await.unwrap();
        seen(&page).await;
        at("#low").tap().await.unwrap();
        assert_eq!(seen(&page).await, json!([["touchstart", "low", true], ["click", "low", true]]));
        at("#scroller").wheel(0.0, 150.0).await.unwrap();
        at("#scroller").expect().to_have_js_property("scrollTop", 150).await.unwrap();
        let init = Map::from_iter([("detail".to_owned(), json!({ "n": 5 }))]);
        at("#p").dispatch_event("custom", init).await.unwrap();
        assert_eq!(seen(&page).await, json!([["custom", "p", false], { "n": 5 }]));
        at("#p").hover_with(PointOptions::default().position(3.0, 3.0)).await.unwrap();
        assert!(page.evaluate::<bool>("() => p.matches(':hover')", &[]).await.unwrap());
        at("#p").hover().await.unwrap();
        at("#p").hover().await.unwrap();
        context.close().await.unwrap();
    });
}

#[test]
fn elements_in_frames_are_hit_wherever_the_frames_are() {
    run(async {
        let inner = serve(
            "<body style='margin:0'><div style='height:1200px'></div><button id=b style='margin-left:40px'>in</button>
             <input id=i><script>b.onclick = (e) => { b.textContent = `${e.isTrusted}` }</script>",
        )
        .await;
        // Another site than the inner one: it runs in a process of its own.
        let middle = serve(&format!(
            "<body style='margin:0'><div style='height:900px'></div><iframe id=inner style='border:7px solid;padding:5px;width:220px;height:120px' src='{inner}'></iframe>"
        ))
        .await;
        let middle = middle.replace("127.0.0.1", "localhost");
        let (context, page) = page_with(&format!(
            "<div style='height:1500px'></div><div id=veil style='position:fixed;inset:0;z-index:1;display:none'>veil</div>
             <iframe id=outer style='width:400px;height:300px;margin:80px;transform:rotate(20deg) scale(0.8);border:3px solid' src='{middle}'></iframe>"
        ))
        .await;
        let frame = page.frame_locator("#outer").frame_locator("#inner");
        let button = frame.locator("#b");
        button.click().await.unwrap();
        button.expect().to_have_text("true").await.unwrap();
        frame.locator("#i").press_sequentially("typed").await.unwrap();
        page.keyboard().insert_text("!").await.unwrap();
        frame.locator("#i").press("Control+a").await.unwrap();
        assert_eq!(frame.locator("#i").input_value().await.unwrap(), "typed!");
        page.evaluate::<Value>("() => { document.querySelector('#veil').style.display = 'block' }", &[]).await.unwrap();
        let error = failure(button.within(SOON).click().await);
        assert!(error.contains("<div id=\"veil\">veil</div> would be hit instead of <iframe id=\"outer\""), "{error}");
        // The guards of the documents around are gone: the page gets what the mouse does.
        page.mouse().click(10.0, 10.0).await.unwrap();
        context.close().await.unwrap();
    });
}

#[test]
fn press_that_would_hit_something_else_is_kept_away() {
    run(async {
        // The move before the press puts a veil over the button, at first.
        let veiled = "<button id=b style='width:100px;height:40px'>Go</button><script>window.seen = []; window.veils = 2;
             const doc = window.above ? parent.document : document;
             for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click', 'contextmenu', 'focusin'])
               doc.addEventListener(type, (e) => seen.push([type, e.target.id]));
             if (doc !== document) addEventListener('click', (e) => seen.push(['click', e.target.id]));
             b.addEventListener('pointermove', () => { if (veils-- <= 0) return; const veil = doc.createElement('div'); veil.id = 'veil';
               veil.tabIndex = 0; veil.style = 'position:fixed;inset:0;z-index:9'; doc.body.append(veil); setTimeout(() => veil.remove(), 80) })</script>";
        let (context, page) = page_with(veiled).await;
        page.locator("#b").click().await.unwrap();
        let clean =
            json!([["pointerdown", "b"], ["mousedown", "b"], ["focusin", "b"], ["mouseup", "b"], ["click", "b"]]);
        assert_eq!(seen(&page).await, clean);
        page.mouse().move_to(300.0, 300.0).await.unwrap();
        page.evaluate::<Value>("() => { veils = Infinity }", &[]).await.unwrap();
        let error =
            failure(page.locator("#b").within(SOON).click_with(ClickOptions::default().button(Button::Right)).await);
        assert!(error.contains("<div id=\"veil\"></div> was hit instead: the page changed at the moment"), "{error}");
        assert_eq!(seen(&page).await, json!([]));
        // A veil in the document around the button's.
        let inner = veiled.replace("<script>", "<script>window.above = true;");
        let set = "(inner) => { document.body.innerHTML = '<iframe style=\"margin:50px\"></iframe>'; document.querySelector('iframe').srcdoc = inner }";
        page.evaluate::<Value>(set, &[inner.into()]).await.unwrap();
        let button = page.frame_locator("iframe").locator("#b");
        button.click().await.unwrap();
        assert_eq!(button.evaluate::<Value>("() => seen.splice(0)", &[]).await.unwrap(), json!([["click", "b"]]));
        context.close().await.unwrap();
    });
}

#[test]
fn keys_that_would_go_elsewhere_are_kept_away() {
    run(async {
        let (context, page) = page_with(
            "<input id=i><input id=thief><script>let thefts = 2; i.onfocus = () => { if (thefts-- > 0) setTimeout(() => thief.focus()) };
             window.seen = []; for (const type of ['keydown', 'keyup', 'input']) thief.addEventListener(type, () => seen.push(type))</script>",
        )
        .await;
        page.locator("#i").press_sequentially("whole").await.unwrap();
        assert_eq!(page.locator("#i").input_value().await.unwrap(), "whole");
        assert_eq!(seen(&page).await, json!([]));
        context.close().await.unwrap();
    });
}

#[test]
fn page_that_goes_away_ends_its_actions() {
    run(async {
        let (context, page) = page_with("<select><option>1</option><option>2</option></select>").await;
        page.locator("select").click().await.unwrap();
        page.keyboard().press("Escape").await.unwrap();
        let missing = page.locator("#none");
        let closing = async {
            page.settle_events().await.unwrap();
            page.close().await.unwrap();
        };
        let (ended, ()) = tokio::join!(missing.click(), closing);
        assert!(matches!(ended, Err(Error::PageClosed { .. })), "{ended:?}");
        let other = context.new_page().await.unwrap();
        let opened = "() => { document.body.innerHTML = `<button onclick='window.close()'>close</button>` }";
        other.evaluate::<Value>(opened, &[]).await.unwrap();
        other.get_by_text("close").click().await.unwrap();
        assert!(matches!(other.locator("button").click().await, Err(Error::PageClosed { .. })));
        context.close().await.unwrap();
    });
}

#[test]
fn click_returns_when_the_page_has_the_event_whatever_it_does_then() {
    run(async {
        let other = serve("<p>arrived</p>").await;
        let (context, page) = page_with(&format!(
            "<a href='{other}'>away</a><button id=ask onclick='window.answer = confirm(`Sure?`)'>ask</button>
             <button id=gone onpointerdown='this.remove(); window.pressed = 1 + (window.pressed ?? 0)'>gone</button>
             <button id=off onclick='this.disabled = true; this.textContent = `off`'>on</button>"
        ))
        .await;
        page.locator("#off").click().await.unwrap();
        page.locator("#off").expect().to_have_text("off").await.unwrap();
        page.locator("#gone").click().await.unwrap();
        assert_eq!(
            page.evaluate::<u32>("() => window.pressed", &[]).await.unwrap(),
            1,
            "what acts on the press acts once"
        );
        page.get_by_text("away").click().await.unwrap();
        page.get_by_text("arrived").expect().to_be_visible().await.unwrap();
        context.close().await.unwrap();
    });
}
