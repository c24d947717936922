use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::stream::BoxStream;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use session::{Chunk, Message};
use tokio_util::sync::CancellationToken;

use crate::{LlmError, LlmErrorCode, Model, Provider};

/// A tool as the model is told of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Name the model calls it by.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// JSON schema of the arguments.
    pub parameters: Value,
}

/// One model call.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The session that calls.
    pub session_id: String,
    /// Provider id.
    pub provider: String,
    /// Model id.
    pub model: String,
    /// System prompt.
    pub system: String,
    /// Tools on offer.
    pub tools: Vec<ToolSpec>,
    /// The conversation so far.
    pub messages: Vec<Message>,
    /// Most output tokens, where limited.
    pub max_tokens: Option<u64>,
}

/// Chunks of one attempt, ended by [`Chunk::Finish`] or by one error.
pub type ChunkStream = BoxStream<'static, Result<Chunk, LlmError>>;

/// A connection to a provider: one attempt a call.
pub trait Adapter: Send + Sync + 'static {
    /// Starts the call. `cancel` ends it with [`LlmErrorCode::Aborted`] at once, whatever it waits for.
    fn stream(&self, request: Request, cancel: CancellationToken) -> ChunkStream;
}

/// A provider and model that can be called.
#[derive(Clone)]
pub struct Route {
    /// The provider, with its retry policy.
    pub provider: Provider,
    /// The model.
    pub model: Model,
    /// The connection.
    pub adapter: Arc<dyn Adapter>,
}

/// The providers of a host, in the order they were added.
#[derive(Clone, Default)]
pub struct Registry {
    order: Vec<String>,
    providers: BTreeMap<String, (Provider, Arc<dyn Adapter>)>,
}

impl Registry {
    /// Adds a provider; a second one of the same id replaces the first.
    pub fn add(&mut self, provider: Provider, adapter: Arc<dyn Adapter>) {
        if !self.providers.contains_key(&provider.id) {
            self.order.push(provider.id.clone());
        }
        self.providers.insert(provider.id.clone(), (provider, adapter));
    }

    /// Providers in order.
    pub fn providers(&self) -> impl Iterator<Item = &Provider> {
        self.order.iter().filter_map(|id| self.providers.get(id)).map(|(provider, _)| provider)
    }

    /// The first model of the first provider.
    pub fn default_route(&self) -> Option<Route> {
        let provider = self.providers().find(|provider| !provider.models.is_empty())?;
        self.route(&provider.id, &provider.models[0].id).ok()
    }

    /// The route of a provider and model.
    pub fn route(&self, provider: &str, model: &str) -> Result<Route, LlmError> {
        let missing = |what: String| LlmError::new(LlmErrorCode::ModelUnavailable, what);
        let (found, adapter) = self
            .providers
            .get(provider)
            .ok_or_else(|| missing(format!("no provider {provider}; there are: {}", self.order.join(", "))))?;
        let model = found.models.iter().find(|candidate| candidate.id == model).ok_or_else(|| {
            let known: Vec<_> = found.models.iter().map(|model| model.id.as_str()).collect();
            missing(format!("provider {provider} has no model {model}; it has: {}", known.join(", ")))
        })?;
        Ok(Route { provider: found.clone(), model: model.clone(), adapter: Arc::clone(adapter) })
    }
}
