//! What the driver and the browser print, kept for reports.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The last lines of a process's output. Old ones make room: a browser may talk for hours.
#[derive(Debug, Default)]
pub(crate) struct Output {
    lines: Mutex<VecDeque<String>>,
}

const KEPT: usize = 2_000;

impl Output {
    /// Reads `pipe` to its end on a thread of its own, so that the process never blocks on a full
    /// pipe, whatever the test's runtime does. `each` sees every line first; it is dropped when all
    /// lines are kept.
    pub(crate) fn collect(
        self: &Arc<Self>,
        pipe: impl Read + Send + 'static,
        mut each: impl FnMut(&str) + Send + 'static,
    ) {
        let output = self.clone();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(pipe);
            let mut line = Vec::new();
            while matches!(reader.read_until(b'\n', &mut line), Ok(1..)) {
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                line.clear();
                each(&text);
                let mut lines = output.lines();
                if lines.len() == KEPT {
                    lines.pop_front();
                }
                lines.push_back(text);
            }
        });
    }

    /// The lines kept, oldest first.
    pub(crate) fn snapshot(&self) -> Vec<String> {
        self.lines().iter().cloned().collect()
    }

    fn lines(&self) -> MutexGuard<'_, VecDeque<String>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
