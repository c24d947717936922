//! Reads session logs and prints one line a file: what is in it, or why it is refused and where.
//!
//! `cargo run -p session --example check_log -- FILES…`
//!
//! Exit code 0: every file was read or refused with its line; 1: a file that was read did not come back the same from
//! being written; 2: a file could not be opened.

use std::process::ExitCode;

use session::{Event, Header, Packing, Summary, balance, decode_log, encode_log, history_page, surface, user_prompts};

fn main() -> ExitCode {
    let files: Vec<_> = std::env::args_os().skip(1).collect();
    if files.is_empty() {
        eprintln!("no files given; usage: check_log FILES…");
        return ExitCode::from(2);
    }
    let mut worst = 0;
    for file in files {
        let name = file.to_string_lossy();
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) => {
                println!("unreadable  {name}: {error}");
                worst = 2;
                continue;
            }
        };
        match decode_log(&text) {
            Err(error) => println!("refused     {name}: {error}"),
            Ok((header, events)) if is_lossless(&header, &events) => {
                println!("ok          {name}: {}{}", describe(&events), layout(&text, &header, &events));
            }
            Ok(_) => {
                println!("lossy       {name}: writing and reading it gives other events");
                worst = worst.max(1);
            }
        }
    }
    ExitCode::from(worst)
}

fn is_lossless(header: &Header, events: &[Event]) -> bool {
    [Packing::Plain, Packing::Packed]
        .into_iter()
        .all(|packing| decode_log(&encode_log(header, events, packing)) == Ok((header.clone(), events.to_vec())))
}

/// Whether the text is what this program would write.
fn layout(text: &str, header: &Header, events: &[Event]) -> String {
    let written = encode_log(header, events, Packing::Packed);
    if written == text {
        return String::new();
    }
    let same = text.lines().zip(written.lines()).take_while(|(was, is)| was == is).count();
    format!(" (readable, but this program would write line {} differently)", same + 1)
}

fn describe(events: &[Event]) -> String {
    let Summary { title, running, .. } = Summary::of(events);
    format!(
        "{} events, {} messages, {} prompts, last page from {}, {}, title {title:?}",
        events.len(),
        surface(events).len(),
        user_prompts(events).len(),
        history_page(events, None, 50).0.start,
        if running {
            format!("open turn that {} events would close", balance(events).len())
        } else {
            "balanced".to_owned()
        },
    )
}
