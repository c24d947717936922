//! Event data to frames, in two steps: the envelope, then the payload by its method.

use wire::{EnvelopeKind, HostFrame, MuxFrame, ServerRequest};

/// A frame of one of the two streams.
pub(crate) trait Frame: Sized {
    fn from_envelope(envelope: ServerRequest) -> Result<Self, serde_json::Error>;
}

impl Frame for MuxFrame {
    fn from_envelope(envelope: ServerRequest) -> Result<Self, serde_json::Error> {
        Self::from_envelope(envelope)
    }
}

impl Frame for HostFrame {
    fn from_envelope(envelope: ServerRequest) -> Result<Self, serde_json::Error> {
        Self::from_envelope(envelope)
    }
}

/// Reads one frame, or says what does not fit.
pub(crate) fn read<F: Frame>(text: &str) -> Result<F, String> {
    let envelope: ServerRequest =
        serde_json::from_str(text).map_err(|issue| format!("frame is no envelope: {issue}: {}", start_of(text)))?;
    if envelope.kind != EnvelopeKind::ServerRequest {
        return Err(format!("frame of type {:?} on a stream, expected server-request", envelope.kind));
    }
    let method = envelope.method.clone();
    F::from_envelope(envelope).map_err(|issue| format!("frame {method}: {issue}: {}", start_of(text)))
}

fn start_of(text: &str) -> String {
    text.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use wire::{HostFrame, MuxFrame};

    use super::read;

    #[test]
    fn what_does_not_fit_is_named() {
        let table = [
            ("not json", "nonsense", "frame is no envelope: expected ident at line 1 column 2: nonsense"),
            ("no envelope", r#"{"a":1}"#, "frame is no envelope: missing field `type`"),
            (
                "an answer on a stream",
                r#"{"type":"server-response","rpcId":"1","method":"session/event","payload":{}}"#,
                "frame of type ServerResponse on a stream, expected server-request",
            ),
            (
                "unknown method",
                r#"{"type":"server-request","rpcId":"1","method":"session/nonsense","payload":{}}"#,
                "frame session/nonsense: unknown variant `session/nonsense`",
            ),
            (
                "payload of another shape",
                r#"{"type":"server-request","rpcId":"1","method":"session/subscribed","payload":{"sessionId":"s"}}"#,
                "frame session/subscribed: missing field `lastSeq`",
            ),
            (
                "a host frame on the session stream",
                r#"{"type":"server-request","rpcId":"1","method":"host/session-status","payload":{}}"#,
                "frame host/session-status: unknown variant `host/session-status`",
            ),
        ];
        for (name, text, expected) in table {
            let message = read::<MuxFrame>(text).expect_err(name);
            assert!(message.starts_with(expected), "{name}: {message}");
        }
    }

    #[test]
    fn frames_survive_the_envelope() {
        let frame = MuxFrame::Subscribed { session_id: "s".to_owned(), last_seq: -1 };
        let text = serde_json::to_string(&frame.clone().into_envelope()).unwrap();
        assert_eq!(read::<MuxFrame>(&text), Ok(frame));
        let frame = HostFrame::SessionStatus { session_id: "s".to_owned(), running: true };
        let text = serde_json::to_string(&frame.clone().into_envelope()).unwrap();
        assert_eq!(read::<HostFrame>(&text), Ok(frame));
    }
}
