//! Role and name of every element that Chromium exposes, against the capture script's.

use std::collections::HashMap;
use std::fmt;

use anyhow::{Context as _, bail};
use browser::Page;
use serde::Deserialize;
use serde_json::{Value, json};

use super::decided::{self, Decision};

/// What the capture script says of an element.
#[derive(Debug, Clone, Deserialize)]
struct Ours {
    tag: String,
    place: String,
    /// Whether its shadow tree was walked.
    shadow: bool,
    role: Option<String>,
    name: String,
    hidden: bool,
}

/// What Chromium says of an element it exposes.
#[derive(Debug, Clone)]
struct Theirs {
    role: Option<String>,
    name: String,
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aspect {
    Role,
    Name,
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Role => "role",
            Self::Name => "name",
        })
    }
}

/// An element on which the two differ.
#[derive(Debug, Clone)]
pub(super) struct Difference {
    page: String,
    /// `tag` and a path of tags from the nearest id.
    element: String,
    aspect: Aspect,
    ours: String,
    theirs: String,
    /// What decided so.
    pub(super) decision: Option<&'static Decision>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { page, element, aspect, ours, theirs, .. } = self;
        let decided = self.decision.map_or("UNDECIDED".to_owned(), |decision| format!("decided, {decision}"));
        write!(f, "{page}  {element}  {aspect}  ours {ours}, Chromium {theirs}  ({decided})")
    }
}

/// Counts over pages. Names are compared where the roles agree and there is one.
#[derive(Debug, Clone, Default)]
pub(super) struct Figures {
    /// Pages looked at.
    pub(super) pages: usize,
    /// Elements of them.
    pub(super) elements: usize,
    /// Elements that Chromium exposes.
    pub(super) exposed: usize,
    /// Of these, elements whose roles agree.
    pub(super) roles: usize,
    /// Elements whose names were compared.
    pub(super) named: usize,
    /// Of these, elements whose names agree.
    pub(super) names: usize,
    /// Elements with a role that only the capture script shows.
    pub(super) only_ours: Vec<String>,
    /// In the order of pages and elements.
    pub(super) differences: Vec<Difference>,
    /// Elements that were decided to differ, and agree.
    pub(super) stale: Vec<String>,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decided = |aspect| {
            let of_it = |difference: &&Difference| difference.aspect == aspect && difference.decision.is_some();
            self.differences.iter().filter(of_it).count()
        };
        let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        writeln!(f, "Chromium exposes {} of {} elements on {} pages", self.exposed, self.elements, self.pages)?;
        for (aspect, equal, compared) in
            [(Aspect::Role, self.roles, self.exposed), (Aspect::Name, self.names, self.named)]
        {
            let decided = decided(aspect);
            let (all, rest) = (percent(equal, compared), percent(equal, compared - decided));
            write!(f, "{aspect} equal on {equal} of {compared} ({all:.1} %)")?;
            writeln!(f, "; {decided} differ by decision, equal on {rest:.1} % of the others")?;
        }
        Ok(())
    }
}

impl Figures {
    /// Adds the page that `page` shows, called `name` in the report.
    pub(super) async fn add(&mut self, page: &Page, name: &str) -> anyhow::Result<()> {
        // A locator's look makes closed shadow trees known to the capture script, also those that came with the source.
        page.locator("*").count().await?;
        let ours: Vec<Ours> = page.evaluate_isolated(include_str!("walk.js"), &[]).await?;
        let exposed = exposed(page).await?;
        page.chrome_devtools("DOM.enable", json!({})).await?;
        let flat = page.chrome_devtools("DOM.getFlattenedDocument", json!({ "depth": -1, "pierce": true })).await?;
        let tree = Tree::new(&flat).context("Chromium gave no tree of the document")?;
        let mut pairing = Pairing { tree: &tree, ours: ours.into_iter(), pairs: Vec::new() };
        pairing.walk(tree.document).with_context(|| format!("{name}: the page changed while it was looked at"))?;
        self.pages += 1;
        let before = self.differences.len();
        for (id, ours) in pairing.pairs {
            self.compare(name, exposed.get(&id), ours);
        }
        for (element, Decision { row, .. }) in decided::elements_of(name) {
            if !self.differences[before..].iter().any(|difference| difference.element == element) {
                let word = format!("AGREES although {row} says it differs; drop it from decided.rs");
                self.stale.push(format!("{name}  {element}  ({word})"));
            }
        }
        Ok(())
    }

    fn compare(&mut self, page: &str, theirs: Option<&Theirs>, ours: Ours) {
        self.elements += 1;
        let role = if ours.hidden { None } else { ours.role.clone().filter(|role| has_meaning(role)) };
        let element = if ours.place.starts_with('#') && !ours.place.contains(' ') {
            format!("{}{}", ours.tag, ours.place)
        } else {
            ours.place
        };
        let Some(theirs) = theirs else {
            if let Some(role) = role {
                self.only_ours.push(format!("{page}  {element}  {role} {:?}", squeeze(&ours.name)));
            }
            return;
        };
        self.exposed += 1;
        let mut differ = |aspect, ours, theirs| {
            let decision = decided::of_element(page, &element, role.as_deref().filter(|_| aspect == Aspect::Name));
            let (page, element) = (page.to_owned(), element.clone());
            self.differences.push(Difference { page, element, aspect, ours, theirs, decision });
        };
        if role != theirs.role {
            let hidden = if ours.hidden { "hidden".to_owned() } else { "no role".to_owned() };
            let theirs = theirs.role.clone().unwrap_or_else(|| "no role".to_owned());
            differ(Aspect::Role, role.clone().unwrap_or(hidden), theirs);
            return;
        }
        self.roles += 1;
        if role.is_none() {
            return;
        }
        self.named += 1;
        let (our_name, their_name) = (squeeze(&ours.name), squeeze(&theirs.name));
        if our_name == their_name {
            self.names += 1;
        } else {
            differ(Aspect::Name, format!("{our_name:?}"), format!("{their_name:?}"));
        }
    }
}

/// The elements of the document as DevTools lists them: a flat list, since a nested one has a limit of depth.
struct Tree<'a> {
    /// Node id of the document.
    document: i64,
    /// Elements by the node id of their parent, in order.
    children: HashMap<i64, Vec<&'a Value>>,
}

impl<'a> Tree<'a> {
    fn new(flat: &'a Value) -> Option<Self> {
        let nodes = flat["nodes"].as_array()?;
        let document = nodes.iter().find(|node| node["parentId"].is_null())?["nodeId"].as_i64()?;
        let mut children: HashMap<i64, Vec<&Value>> = HashMap::new();
        for node in nodes.iter().filter(|node| node["nodeType"] == 1) {
            children.entry(node["parentId"].as_i64()?).or_default().push(node);
        }
        Some(Self { document, children })
    }

    fn children(&self, parent: i64) -> &[&'a Value] {
        self.children.get(&parent).map_or(&[], Vec::as_slice)
    }
}

/// Matches the elements of the DevTools tree with those of the walk, by position.
struct Pairing<'a> {
    tree: &'a Tree<'a>,
    ours: std::vec::IntoIter<Ours>,
    pairs: Vec<(i64, Ours)>,
}

impl Pairing<'_> {
    fn walk(&mut self, parent: i64) -> anyhow::Result<()> {
        for node in self.tree.children(parent) {
            let tag = node["localName"].as_str().unwrap_or_default();
            let Some(ours) = self.ours.next().filter(|ours| ours.tag == tag) else {
                bail!("the element {tag} is not where it was");
            };
            let walked = ours.shadow;
            self.pairs.push((id_of(node, "backendNodeId"), ours));
            for shadow in node["shadowRoots"].as_array().into_iter().flatten() {
                if shadow["shadowRootType"] == "user-agent" {
                    continue;
                }
                let root = id_of(shadow, "nodeId");
                if walked {
                    self.walk(root)?;
                } else {
                    self.unseen(root);
                }
            }
            self.walk(id_of(node, "nodeId"))?;
        }
        Ok(())
    }

    /// A shadow tree the capture script can't look into: all in it counts as hidden.
    fn unseen(&mut self, parent: i64) {
        for node in self.tree.children(parent) {
            let tag = node["localName"].as_str().unwrap_or_default().to_owned();
            let place = format!("{tag} in an unseen shadow tree");
            let ours = Ours { tag, place, shadow: false, role: None, name: String::new(), hidden: true };
            self.pairs.push((id_of(node, "backendNodeId"), ours));
            self.unseen(id_of(node, "nodeId"));
        }
    }
}

fn id_of(node: &Value, kind: &str) -> i64 {
    node[kind].as_i64().unwrap_or_default()
}

/// Elements that Chromium's tree does not ignore, by DevTools id.
async fn exposed(page: &Page) -> anyhow::Result<HashMap<i64, Theirs>> {
    let tree = page.chrome_devtools("Accessibility.getFullAXTree", json!({})).await?;
    let nodes = tree["nodes"].as_array().context("Chromium gave no accessibility tree")?;
    let mut exposed = HashMap::new();
    for node in nodes.iter().filter(|node| node["ignored"] != true) {
        let Some(id) = node["backendDOMNodeId"].as_i64() else { continue };
        let role = aria_role(&node["role"]);
        let name = node["name"]["value"].as_str().unwrap_or_default().to_owned();
        // The first one is the element itself; others are made up for its parts.
        exposed.entry(id).or_insert(Theirs { role, name });
    }
    Ok(exposed)
}

/// The ARIA role of a role in Chromium's tree, which has names of its own (`internalRole`) for what ARIA does not tell
/// apart. Most of those are no role to ARIA: `StaticText`, `LabelText`, `DisclosureTriangle`, `Date`. These are:
/// a table that Chromium takes for layout is handed on as a table with a note, a frame is what the snapshot's form calls
/// `iframe`, and `math` is the role of MathML's root.
fn aria_role(role: &Value) -> Option<String> {
    let name = role["value"].as_str().unwrap_or_default();
    let name = match (role["type"].as_str(), name) {
        (Some("internalRole"), "LayoutTable") => "table",
        (Some("internalRole"), "LayoutTableRow") => "row",
        (Some("internalRole"), "LayoutTableCell") => "cell",
        (Some("internalRole"), "Iframe") => "iframe",
        (Some("internalRole"), "MathMLMath") => "math",
        (Some("internalRole"), _) => return None,
        (_, "image") => "img",
        (_, name) => name,
    };
    has_meaning(name).then(|| name.to_owned())
}

fn has_meaning(role: &str) -> bool {
    !matches!(role, "" | "none" | "presentation" | "generic")
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
