//! parry3d as players of the bench: `parry ENGINE DIRECTORY WORKLOAD`.
//!
//! Single and double precision are two crates with the same names in them, so that
//! [`engine`](single::engine) is one text compiled twice. The bench builds this program for the
//! processor it runs on.

// One text for both precisions is the point.
#![allow(clippy::duplicate_mod)]

use std::path::Path;
use std::process::ExitCode;

use elbowroom_bench_protocol::files::Workload;
use elbowroom_bench_protocol::play::play;

#[path = "."]
mod single {
    pub(crate) use parry3d as parry;
    pub(crate) mod engine;
}

#[path = "."]
mod double {
    pub(crate) use parry3d_f64 as parry;
    pub(crate) mod engine;
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [engine, directory, name] = &arguments[..] else {
        eprintln!("usage: parry ENGINE DIRECTORY WORKLOAD");
        return ExitCode::from(2);
    };
    match run(engine, Path::new(directory), name) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("parry: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(engine: &str, directory: &Path, name: &str) -> Result<(), Box<dyn std::error::Error>> {
    let workload = Workload::read(directory, name)?;
    let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
    match engine {
        "parry-f32" => play(&mut single::engine::Dual::new(workload)?, input, output)?,
        "parry-f64" => play(&mut double::engine::Dual::new(workload)?, input, output)?,
        "parry-f32-stock" => play(&mut single::engine::Stock::new(workload)?, input, output)?,
        "parry-f64-stock" => play(&mut double::engine::Stock::new(workload)?, input, output)?,
        _ => return Err(format!("there is no engine {engine}").into()),
    }
    Ok(())
}
