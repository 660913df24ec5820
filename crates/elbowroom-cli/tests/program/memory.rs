//! Memory does not grow with the number of frames.
#![cfg(target_os = "linux")]

use std::process::{Child, Stdio};
use std::time::Duration;

use crate::desk::Desk;

/// Someone who walks on the spot, in and out of a box, over and over: every round is an incident.
const SCENE: &str = "\
fps = 30
[[model]]
name = 'box'
file = 'make:cube'
position = [0, 0.5, 0.62]
[[character]]
name = 'walker'
file = 'make:man'
clip = 'walk'
loop = true
";

/// The most memory that a program ever had so far, in kilobytes.
fn most_memory(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Checks so many frames with everything written that is streamed; the most memory of it, and how many contacts there were.
fn check(desk: &Desk, frames: u32) -> (u64, u64) {
    desk.put("scene.toml", format!("frames = [0, {}]\n{SCENE}", frames - 1));
    let outputs = ["-o", "x.ndjson", "-o", "x.csv", "-o", "x.parquet"];
    let outputs = if cfg!(feature = "parquet") { &outputs[..] } else { &outputs[..4] };
    let arguments = [&["check", "-q", "--threads", "2", "scene.toml"], outputs].concat();
    let mut command = desk.command(&arguments);
    let mut child = command.stdout(Stdio::null()).spawn().expect("the program runs");
    let mut most = 0;
    while child.try_wait().expect("it can be waited for").is_none() {
        // It only ever grows, and what is there in the last moment has been there before.
        most = most_memory(&child).unwrap_or(most).max(most);
        std::thread::sleep(Duration::from_millis(2));
    }
    let lines = std::fs::read_to_string(desk.path().join("x.ndjson")).expect("a file");
    let end: serde_json::Value =
        serde_json::from_str(lines.lines().last().expect("a line")).expect("JSON");
    assert_eq!(end["frames_examined"].as_u64(), Some(u64::from(frames)));
    (most, end["contacts_found"].as_u64().expect("a number"))
}

#[test]
fn twenty_times_the_frames_take_no_more_memory() {
    let desk = Desk::new();
    let (few, few_contacts) = check(&desk, 150);
    let (many, many_contacts) = check(&desk, 3000);
    assert!(
        few_contacts > 20 && many_contacts > 15 * few_contacts,
        "{few_contacts} {many_contacts}"
    );
    // What is kept of a contact in a report, some 300 bytes, would show: there are thousands of them. Incidents are kept, and the system
    // gives memory by the megabyte.
    assert!(few > 5000, "{few} kB is what no program takes");
    assert!(many < few + 4096, "{few} kB for 150 frames, {many} kB for 3,000");
}
