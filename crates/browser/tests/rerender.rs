//! Pages that never hold still: they render anew, move, cover, disable and hide their elements every few milliseconds.
//! Each action must reach the element meant, once, and nothing else.

mod support;

use browser::{ContextOptions, Page};
use serde_json::{Value, json};
use support::{run, serve, shared_browser};

const PAGES: u64 = 100;
const ACTIONS: u64 = 10;
const AT_ONCE: u64 = 4;

/// Shows a model of buttons, a checkbox and a field, and disturbs the view at random. What reaches it is in `log`.
const PAGE: &str = r"
<style>#app { padding-top: 40px } .slide { transition: margin-left 60ms } button, input { margin: 3px }
  .veil { position: fixed; inset: 0; background: #0003 } .bar { height: 23px } .row { display: flex; flex-wrap: wrap; width: 500px }</style>
<div id=app></div><script>
const log = window.log = [];
const model = { names: ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'], checked: false, text: '' };
let random;
const below = (n) => (random = (Math.imul(random, 1664525) + 1013904223) >>> 0) % n;
const button = (name) => `<button data-name=${name}><span>${name}</span></button>`;
const render = () => {
  app.innerHTML = `<div class=row>${model.names.map(button).join('')}</div>
    <label><input type=checkbox ${model.checked ? 'checked' : ''}>Agree</label><input aria-label=Field value='${model.text}'>`;
};
for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click']) addEventListener(type, (e) => {
  const name = e.target.closest?.('button')?.dataset.name;
  if (name || type === 'click') log.push([type, name ?? e.target.localName, e.isTrusted]);
});
addEventListener('change', (e) => { if (e.target.type === 'checkbox') model.checked = e.target.checked });
addEventListener('input', (e) => { if (e.target.ariaLabel === 'Field') { model.text = e.target.value; log.push(['input', model.text]) } });
const briefly = (change, back) => { change(); setTimeout(back, below(25)) };
const all = () => [...app.querySelectorAll('button')];
const disturbances = [
  render, render, render,
  () => { model.names.sort(() => below(3) - 1); render() },
  () => { const bar = document.createElement('p'); bar.className = 'bar'; bar.textContent = 'news'; briefly(() => app.prepend(bar), () => bar.remove()) },
  () => { const veil = document.createElement('p'); veil.className = 'veil'; briefly(() => document.body.append(veil), () => veil.remove()) },
  () => { const some = all()[below(6)]; briefly(() => { some.disabled = true }, () => { some.disabled = false }) },
  () => { const some = all()[below(6)]; briefly(() => { some.hidden = true }, () => { some.hidden = false }) },
  () => { const some = all()[below(6)]; some.classList.add('slide'); some.style.marginLeft = `${below(60)}px` },
  () => { for (const some of all()) some.innerHTML = `<span>${some.dataset.name}</span>` },
  () => { const row = app.querySelector('.row'); row.append(row.firstElementChild) },
  () => { scrollTo(0, below(30)) },
];
window.begin = (seed) => {
  random = seed;
  render();
  const disturb = () => { disturbances[below(disturbances.length)](); setTimeout(disturb, below(14)) };
  disturb();
};
</script><div style='height:1500px'></div>";

const NAMES: [&str; 6] = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];

/// What a page tells since the last time.
async fn told(page: &Page) -> Vec<Value> {
    page.evaluate("() => log.splice(0)", &[]).await.expect("the log")
}

/// Ten actions on one page; what went wrong, if anything did.
async fn act(page: &Page, seed: u64) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut random = seed;
    for step in 0..ACTIONS {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let name = NAMES[(random >> 33) as usize % NAMES.len()];
        let (what, done, expected) = match (random >> 45) % 10 {
            0 => {
                let wanted = (random >> 50).is_multiple_of(2);
                ("set_checked", page.get_by_label("Agree").set_checked(wanted).await, None)
            }
            1 => {
                let text = format!("text {step}");
                let told = json!(["input", text]);
                ("fill", page.get_by_label("Field").fill(&text).await, Some(told))
            }
            2 => ("hover", page.get_by_role("button", name).hover().await, None),
            3 => ("click", page.get_by_text(name).click().await, Some(json!(["click", name, true]))),
            _ => ("click", page.get_by_role("button", name).click().await, Some(json!(["click", name, true]))),
        };
        let told = told(page).await;
        let effects: Vec<&Value> = told.iter().filter(|event| event[0] == "click" || event[0] == "input").collect();
        let as_meant = match &expected {
            Some(expected) => effects == [expected],
            None => what == "set_checked" || effects.is_empty(),
        };
        if done.is_err() || !as_meant {
            wrong.push(format!("seed {seed}, step {step}: {what} {name}: {done:?}; the page saw {told:?}"));
        }
    }
    wrong
}

#[test]
fn a_thousand_actions_on_pages_that_never_hold_still_reach_what_is_meant_once() {
    run(async {
        let url = serve(PAGE).await;
        let workers = (0..AT_ONCE).map(|worker| {
            let url = url.clone();
            tokio::spawn(async move {
                let mut wrong = Vec::new();
                let context = shared_browser().await.new_context(ContextOptions::default()).await.expect("a context");
                let page = context.new_page().await.expect("a page");
                for seed in (worker..PAGES).step_by(AT_ONCE as usize) {
                    page.goto(&url).await.expect("the page loads");
                    page.evaluate::<Value>("begin", &[seed.into()]).await.expect("it begins");
                    wrong.extend(act(&page, seed).await);
                }
                context.close().await.expect("it closes");
                wrong
            })
        });
        let mut wrong = Vec::new();
        for worker in workers.collect::<Vec<_>>() {
            wrong.extend(worker.await.expect("a worker"));
        }
        assert!(wrong.is_empty(), "{} of {} actions went wrong:\n{}", wrong.len(), PAGES * ACTIONS, wrong.join("\n"));
    });
}
