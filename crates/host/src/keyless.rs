//! A configured provider without a key: it is listed, and every call says how to get on.

use futures_util::{StreamExt, stream};
use llm::{Adapter, ChunkStream, LlmError, LlmErrorCode, Request};
use tokio_util::sync::CancellationToken;

pub(crate) struct Keyless;

impl Adapter for Keyless {
    fn stream(&self, _: Request, _: CancellationToken) -> ChunkStream {
        let message = "there is no key for DeepSeek; set DEEPSEEK_API_KEY and start dsh again";
        stream::iter([Err(LlmError::new(LlmErrorCode::Auth, message))]).boxed()
    }
}
