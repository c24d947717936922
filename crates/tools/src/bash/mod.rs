//! `bash`: one command in a fresh shell.

mod capture;
mod group;
mod run;

use std::time::Duration;

use async_trait::async_trait;
use llm::ToolSpec;
use serde::Deserialize;
use serde_json::json;

use crate::{Invocation, Tool, ToolOutput};

/// Limits of [`Bash`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BashLimits {
    /// Deadline of a call that asks for none.
    pub timeout: Duration,
    /// Longest deadline a call may ask for.
    pub max_timeout: Duration,
    /// Most bytes of output kept; the middle of longer output is left out.
    pub max_output_bytes: usize,
}

/// Runs `bash -c` in the session's directory.
///
/// Standard output and standard error go through one pipe, so they stand in the order they were written. The result
/// text is that output, byte for byte; a line in brackets follows where the exit code was not zero, the deadline passed
/// or the call was cancelled. What the command started is gone when the call returns: background children get a short
/// time to finish writing, then the process group is killed, and the shell itself wherever it went. Only a process that
/// leaves the group after a fork (`setsid X &`, a daemon) lives on; the result says so while it holds the output.
#[derive(Clone, Debug)]
pub struct Bash {
    limits: BashLimits,
}

impl Bash {
    /// The tool within `limits`.
    pub fn new(limits: BashLimits) -> Self {
        Self { limits }
    }
}

/// What the model sends. An unknown field is refused, so that a wish is never silently left out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    command: String,
    #[serde(default, rename = "description")]
    _description: Option<String>,
    timeout_ms: Option<u64>,
}

#[async_trait]
impl Tool for Bash {
    fn spec(&self) -> ToolSpec {
        let BashLimits { timeout, max_timeout, max_output_bytes } = self.limits;
        ToolSpec {
            name: "bash".to_owned(),
            description: format!(
                "Runs a command with bash in the working directory and returns what it printed (standard output and \
                 error together). Each call is a fresh shell. Commands get no input. Output beyond {max_output_bytes} \
                 bytes loses its middle. Processes left in the background end with the call."
            ),
            parameters: json!({
                "type": "object",
                "properties": {
                    "command": {"type": "string", "description": "The command line."},
                    "description": {"type": "string", "description": "What it does, in a few words, for the reader."},
                    "timeout_ms": {
                        "type": "integer",
                        "minimum": 1,
                        "maximum": max_timeout.as_millis() as u64,
                        "description": format!("Deadline in milliseconds; {} otherwise.", timeout.as_millis()),
                    },
                },
                "required": ["command"],
                "additionalProperties": false,
            }),
        }
    }

    async fn run(&self, invocation: Invocation) -> ToolOutput {
        let arguments: Arguments = match serde_json::from_str(&invocation.arguments) {
            Ok(arguments) => arguments,
            Err(issue) => {
                return ToolOutput::error(format!(
                    "the arguments of bash do not fit: {issue}. Send a JSON object with `command` (text) and, where \
                     wanted, `description` (text) and `timeout_ms` (a whole number)."
                ));
            }
        };
        let timeout = match arguments.timeout_ms {
            None => self.limits.timeout,
            Some(0) => return ToolOutput::error("`timeout_ms` is 0; leave it out or give at least 1."),
            Some(asked) if Duration::from_millis(asked) > self.limits.max_timeout => {
                return ToolOutput::error(format!(
                    "`timeout_ms` is {asked}, the most is {}; ask for less or split the work.",
                    self.limits.max_timeout.as_millis()
                ));
            }
            Some(asked) => Duration::from_millis(asked),
        };
        if arguments.command.trim().is_empty() {
            return ToolOutput::error("`command` is empty; send the command line to run.");
        }
        if arguments.command.contains('\0') {
            return ToolOutput::error("`command` holds a NUL character, which no command line can; remove it.");
        }
        run::run(&arguments.command, timeout, self.limits.max_output_bytes, &invocation).await
    }
}
