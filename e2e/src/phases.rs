//! Where a scenario's time goes: wall and processor time between marks.

use std::fs;
use std::time::Instant;

use serde::{Deserialize, Serialize};

/// One stretch of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// What was done: `boot`, `context`, `close` by the lane, others by the scenario.
    pub name: String,
    /// Wall time in milliseconds.
    pub wall_ms: f64,
    /// Processor time in milliseconds of this process and of the browser with its driver. Ticks of 10 ms, and shared by
    /// scenarios that run at the same time: only a mean over many runs of one scenario alone says something.
    pub cpu_ms: f64,
}

/// Marks set so far.
pub(crate) struct Phases {
    browser_group: i32,
    wall: Instant,
    cpu: f64,
    done: Vec<Phase>,
}

impl Phases {
    pub(crate) fn begin(browser_group: i32) -> Self {
        Self { browser_group, wall: Instant::now(), cpu: cpu_ms(browser_group), done: Vec::new() }
    }

    /// Everything since the last mark was `name`.
    pub(crate) fn mark(&mut self, name: &str) {
        let (wall, cpu) = (Instant::now(), cpu_ms(self.browser_group));
        self.done.push(Phase {
            name: name.to_owned(),
            wall_ms: (wall - self.wall).as_secs_f64() * 1000.0,
            cpu_ms: cpu - self.cpu,
        });
        (self.wall, self.cpu) = (wall, cpu);
    }

    pub(crate) fn into_done(self) -> Vec<Phase> {
        self.done
    }
}

/// Ticks a second of `/proc/<pid>/stat` on every Linux in use.
const TICK_MS: f64 = 10.0;

/// Processor time of this process, its reaped children, and every process of the browser's group.
fn cpu_ms(browser_group: i32) -> f64 {
    let own = std::process::id().to_string();
    let Ok(entries) = fs::read_dir("/proc") else { return 0.0 };
    let ticks: u64 = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
        .filter_map(|pid| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            // After the command in parentheses: state ppid pgrp … utime(12th) stime cutime cstime.
            let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
            let number = |index: usize| fields.get(index)?.parse::<u64>().ok();
            let of_browser = fields.get(2)?.parse::<i32>().ok()? == browser_group;
            // With what its ended children used: a renderer that is gone has used it all the same.
            (pid == own || of_browser).then(|| Some(number(11)? + number(12)? + number(13)? + number(14)?))?
        })
        .sum();
    ticks as f64 * TICK_MS
}
