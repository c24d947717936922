//! What the rows mean: one typed struct a kind. Values come from the rows alone, there are no defaults in code.

use std::collections::BTreeMap;
use std::net::IpAddr;

use llm::{Model, RetryPolicy};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::composition::Row;
use crate::error::near;
use crate::{Composition, CompositionError};

/// Settings of one kind of row.
trait Kind: DeserializeOwned {
    const KIND: &'static str;
    const FIELDS: &'static [&'static str];
}

macro_rules! kind {
    ($kind:literal, $(#[$doc:meta])* $vis:vis struct $name:ident {
        $($(#[$about:meta])* $field_vis:vis $field:ident: $type:ty,)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        $vis struct $name { $($(#[$about])* $field_vis $field: $type,)* }

        impl Kind for $name {
            const KIND: &'static str = $kind;
            const FIELDS: &'static [&'static str] = &[$(stringify!($field)),*];
        }
    };
}

kind! { "persistence",
    pub(crate) struct Persistence {
        pub(crate) directory: String,
    }
}

kind! { "workspaces",
    pub(crate) struct Workspaces {
        pub(crate) directory: String,
    }
}

kind! { "provider.deepseek",
    pub(crate) struct DeepSeekProvider {
        pub(crate) base_url: String,
        pub(crate) idle_timeout_ms: u64,
        pub(crate) models: Vec<Model>,
        pub(crate) retry: RetryPolicy,
    }
}

kind! { "agent",
    pub(crate) struct AgentSettings {
        pub(crate) system_prompt: String,
        pub(crate) max_steps: u64,
        pub(crate) parallel_tools: usize,
        pub(crate) cancel_grace_ms: u64,
    }
}

kind! { "title.fallback",
    pub(crate) struct Title {
        pub(crate) words: usize,
        pub(crate) max_chars: usize,
    }
}

kind! { "tool.bash",
    pub(crate) struct BashSettings {
        pub(crate) timeout_ms: u64,
        pub(crate) max_timeout_ms: u64,
        pub(crate) max_output_bytes: usize,
    }
}

kind! { "web.server",
    /// How the web interface is offered: the row `web.server`.
    pub struct WebSettings {
        /// Address to bind.
        pub address: IpAddr,
        /// Port to bind; 0 lets the system pick.
        pub port: u16,
        /// Host names (with port, where it is not the bound one) under which a proxy offers the page.
        pub trusted_hosts: Vec<String>,
    }
}

kind! { "web.streams",
    pub(crate) struct Streams {
        pub(crate) queue_frames: usize,
    }
}

const KINDS: &[&str] = &[
    Persistence::KIND,
    Workspaces::KIND,
    DeepSeekProvider::KIND,
    AgentSettings::KIND,
    Title::KIND,
    BashSettings::KIND,
    WebSettings::KIND,
    Streams::KIND,
];

/// A provider row with its id.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Named<T> {
    pub(crate) id: String,
    pub(crate) settings: T,
}

/// Every row read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    pub(crate) persistence: Persistence,
    pub(crate) workspaces: Workspaces,
    pub(crate) deepseek: Option<Named<DeepSeekProvider>>,
    pub(crate) agent: AgentSettings,
    pub(crate) title: Option<Title>,
    pub(crate) bash: Option<BashSettings>,
    pub(crate) web: WebSettings,
    pub(crate) streams: Streams,
}

impl Settings {
    /// Reads the enabled rows. A host has one row of each kind; providers, tools and titles may be missing.
    pub(crate) fn read(composition: &Composition) -> Result<Self, CompositionError> {
        let mut rows: BTreeMap<&str, &Row> = BTreeMap::new();
        for row in composition.enabled() {
            if !KINDS.contains(&row.kind.as_str()) {
                return Err(CompositionError::UnknownKind {
                    id: row.id.clone(),
                    origin: row.origin(),
                    kind: row.kind.clone(),
                    near: near(&row.kind, KINDS.iter().copied()),
                });
            }
            if let Some(first) = rows.insert(&row.kind, row) {
                return Err(CompositionError::Twice {
                    kind: row.kind.clone(),
                    first: first.id.clone(),
                    second: row.id.clone(),
                });
            }
        }
        Ok(Self {
            persistence: required(&rows)?,
            workspaces: required(&rows)?,
            deepseek: optional(&rows)?,
            agent: required(&rows)?,
            title: optional(&rows)?.map(|named| named.settings),
            bash: optional(&rows)?.map(|named| named.settings),
            web: required(&rows)?,
            streams: required(&rows)?,
        })
    }
}

fn required<T: Kind>(rows: &BTreeMap<&str, &Row>) -> Result<T, CompositionError> {
    let named = optional(rows)?.ok_or_else(|| CompositionError::Missing { kind: T::KIND.to_owned() })?;
    Ok(named.settings)
}

fn optional<T: Kind>(rows: &BTreeMap<&str, &Row>) -> Result<Option<Named<T>>, CompositionError> {
    let Some(row) = rows.get(T::KIND) else { return Ok(None) };
    let fields: Vec<_> = T::FIELDS.iter().map(|field| field.replace('_', "-")).collect();
    if let Some(setting) = row.settings.keys().find(|key| !fields.contains(key)) {
        return Err(CompositionError::UnknownSetting {
            id: row.id.clone(),
            origin: row.origin(),
            kind: row.kind.clone(),
            setting: setting.clone(),
            near: near(setting, fields.iter().map(String::as_str)),
        });
    }
    let settings = row.settings.clone().try_into().map_err(|error: toml::de::Error| CompositionError::Setting {
        id: row.id.clone(),
        origin: row.origin(),
        detail: error.to_string().trim_end().replace('\n', " "),
    })?;
    Ok(Some(Named { id: row.id.clone(), settings }))
}
