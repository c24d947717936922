//! The command `conformance`.

use std::process::ExitCode;

use browser::LaunchOptions;
use snapshot::complain;
use snapshot::conformance::{HELP, Request, parse, run};

/// It did not get as far as checking.
const USAGE: u8 = 2;

#[tokio::main]
async fn main() -> ExitCode {
    let checks = match parse(lexopt::Parser::from_env()) {
        Ok(Request::Check(checks)) => checks,
        Ok(Request::Help) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            complain(format_args!("conformance: {error:#}"));
            return ExitCode::from(USAGE);
        }
    };
    match run(&checks, LaunchOptions::from_env()).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            complain(format_args!("conformance: {error:#}"));
            ExitCode::from(USAGE)
        }
    }
}
