//! The command `snapshot`.

use std::process::ExitCode;

use browser::LaunchOptions;
use snapshot::command::{HELP, Request, parse, run};
use snapshot::complain;

/// Something could not be done.
const TROUBLE: u8 = 2;

#[tokio::main]
async fn main() -> ExitCode {
    let options = match parse(lexopt::Parser::from_env()) {
        Ok(Request::Look(options)) => options,
        Ok(Request::Help) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Ok(Request::Version) => {
            println!("snapshot {}", env!("CARGO_PKG_VERSION"));
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            complain(format_args!("snapshot: {error:#}"));
            return ExitCode::from(TROUBLE);
        }
    };
    match run(&options, LaunchOptions::from_env()).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            complain(format_args!("snapshot: {error:#}"));
            ExitCode::from(TROUBLE)
        }
    }
}
