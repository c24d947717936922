//! Requests and answers as lines of JSON.

use std::io::{BufRead, stdin};

use anyhow::{Context as _, bail};
use aria::{Snapshot, Template};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::block_in_place;

use super::look::{self, Look, Seen, What, yaml};
use super::session::{Place, Session};
use crate::output::say;

/// One line of the standard input.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    #[serde(default)]
    #[expect(dead_code, reason = "read before the rest, so that errors can repeat it")]
    id: Value,
    url: Option<String>,
    html: Option<String>,
    selector: Option<String>,
    wait: Option<String>,
    roles: Option<String>,
    #[serde(rename = "match")]
    template: Option<String>,
    depth: Option<usize>,
    #[serde(default)]
    full: bool,
    #[serde(default)]
    json: bool,
}

/// Answers the lines of the standard input until it ends. Blank lines are passed over.
pub(super) async fn serve(session: &mut Session) -> anyhow::Result<()> {
    let mut input = stdin().lock();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if block_in_place(|| input.read_until(b'\n', &mut line)).context("cannot read the standard input")? == 0 {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let (id, answer) = match serde_json::from_slice::<Value>(&line) {
            Ok(value) => (value["id"].clone(), answer(session, value).await),
            Err(error) => {
                let error = anyhow::Error::from(error);
                (
                    Value::Null,
                    Err(error.context(format!("line {number} of the input is not JSON; write one object a line"))),
                )
            }
        };
        say(match answer {
            Ok(ok) => json!({ "id": id, "ok": ok }),
            Err(error) => json!({ "id": id, "error": format!("{error:#}") }),
        })?;
    }
    Ok(())
}

async fn answer(session: &mut Session, request: Value) -> anyhow::Result<Value> {
    let request: Request = serde_json::from_value(request).context("the request can't be understood")?;
    let place = match (&request.url, &request.html) {
        (Some(url), None) => Place::Url(url),
        (None, Some(html)) => Place::Html(html),
        _ => bail!("the request needs one of `url` and `html`; give exactly one"),
    };
    let template = request.template.as_deref().map(Template::parse).transpose()?;
    let what = match request.roles {
        Some(_) if request.selector.is_some() || template.is_some() || request.depth.is_some() || request.full => {
            bail!(
                "`roles` tells of elements, not of a tree; leave out `selector`, `match`, `depth` and `full`, or `roles`"
            )
        }
        Some(css) => What::Roles(css),
        None => What::Tree,
    };
    let full = request.full;
    let form = |tree: &Snapshot| if request.json { look::json(tree, full) } else { yaml(tree, full).into() };
    let look = Look { selector: request.selector, wait: request.wait, depth: request.depth, full, what };
    let (_, seen) = session.visit(place, &look).await?;
    Ok(match (seen, template) {
        (Seen::Roles(elements), _) => json!({ "roles": elements }),
        (Seen::Tree(tree), None) => json!({ "snapshot": form(&tree) }),
        (Seen::Tree(tree), Some(template)) => {
            let matching = template.matches(&tree);
            let diff = if matching.is_match() { String::new() } else { matching.to_string() };
            json!({ "matches": matching.is_match(), "diff": diff, "snapshot": form(&tree) })
        }
    })
}
