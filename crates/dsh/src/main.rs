//! The dsh command: glue between the parts and the surroundings of a process. Everything ambient (arguments,
//! environment, current directory, signals) is read here and in [`signals`], and handed in from here.

mod args;
mod credential;
mod output;
mod recording;
mod signals;
mod surroundings;
mod web;

use std::process::ExitCode;

use args::Command;
use surroundings::Surroundings;

/// The program did not get as far as running.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    // The key stands in this process's environment, which the commands of the agent, being of the same user, could read
    // under `/proc` (or in its memory) otherwise. It also means no core dumps and no debugger. Root reads it all the same.
    #[cfg(target_os = "linux")]
    if let Err(error) = nix::sys::prctl::set_dumpable(false) {
        output::complain(format_args!(
            "cannot shut other processes out of this one ({error}), so commands of the agent could read the key; allow \
             the system call prctl where it is forbidden"
        ));
        return ExitCode::FAILURE;
    }
    let command = match args::parse(lexopt::Parser::from_env()) {
        Ok(command) => command,
        Err(error) => {
            output::complain(format_args!("{error}\nrun `dsh --help` for what there is"));
            return ExitCode::from(USAGE);
        }
    };
    let options = match command {
        Command::Help => return output::say(args::HELP).into(),
        Command::Version => return output::say(format_args!("dsh {}\n", env!("CARGO_PKG_VERSION"))).into(),
        Command::Web(options) => options,
    };
    let surroundings = Surroundings::of(|name| std::env::var_os(name), std::env::current_dir);
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            output::complain(format_args!("cannot start worker threads: {error}"));
            return ExitCode::FAILURE;
        }
    };
    let code = runtime.block_on(web::run(options, surroundings)).unwrap_or_else(|error| {
        output::complain(error);
        ExitCode::FAILURE
    });
    // Whatever still blocks a thread was reported; waiting for it would only hide that.
    runtime.shutdown_background();
    code
}
