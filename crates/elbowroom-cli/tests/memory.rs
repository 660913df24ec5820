//! Memory grows neither with the number of frames nor with that of contacts.
//!
//! A test program of its own, with one test: the system tells the most memory of all programs that
//! were waited for, and here these are ours alone. To look while the program runs would be to see
//! its last moment, when Parquet is made, or not, as the scheduler has it.
#![cfg(target_os = "linux")]

#[allow(dead_code)]
#[path = "program/desk.rs"]
mod desk;

use std::fmt::Write;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use desk::Desk;
use nix::sys::resource::{UsageWho, getrusage};

/// Someone who walks on the spot in a box, and beside it a row of cubes, each in the next: contacts
/// in every frame, and one incident each for all time, because incidents are kept.
fn scene(frames: u32) -> String {
    let mut text = format!(
        "fps = 30\nframes = [0, {}]\n
        [[character]]\nname = 'walker'\nfile = 'make:man'\nclip = 'walk'\nloop = true\n
        [[model]]\nname = 'box'\nfile = 'make:cube'\nposition = [0, 0.5, 0.62]\n",
        frames - 1
    );
    for cube in 0..=CUBES {
        let place = 10.0 + 0.7 * f64::from(cube);
        write!(
            text,
            "[[model]]\nname = 'cube {cube}'\nfile = 'make:cube'\nposition = [{place}, 0, {place}]\n"
        )
        .expect("strings take what is written");
    }
    text
}

/// Pairs of cubes that are in each other.
const CUBES: u32 = 24;

/// The most memory of any program that was waited for, in kilobytes.
fn most_memory() -> i64 {
    getrusage(UsageWho::RUSAGE_CHILDREN).expect("the system counts").max_rss()
}

/// The last line of a file of JSON. All of it would be more memory than the program takes, and a
/// new program begins with the account of who started it.
fn last_line(path: &Path) -> serde_json::Value {
    let mut file = File::open(path).expect("a file");
    let from = file.metadata().expect("a length").len().saturating_sub(4096);
    file.seek(SeekFrom::Start(from)).expect("a place in it");
    let mut text = String::new();
    file.read_to_string(&mut text).expect("text");
    serde_json::from_str(text.lines().last().expect("a line")).expect("JSON")
}

/// Checks this many frames with everything written that is streamed; how many contacts there were.
fn check(desk: &Desk, frames: u32) -> u64 {
    desk.put("scene.toml", scene(frames));
    let outputs = ["-o", "x.ndjson", "-o", "x.csv", "-o", "x.parquet"];
    let outputs = if cfg!(feature = "parquet") { &outputs[..] } else { &outputs[..4] };
    // One heap for both threads. With a heap each, what one takes and the other gives back lies
    // idle, up to a limit that is reached sooner or later as they are scheduled: 7 MB after
    // some thousand frames, where one heap takes the same for a hundred frames as for nine
    // thousand.
    let arguments = [&["check", "-q", "--threads", "2", "scene.toml"], outputs].concat();
    let mut command = desk.command(&arguments);
    let out = command.env("MALLOC_ARENA_MAX", "1").output().expect("the program runs");
    assert_eq!(out.status.code(), Some(1), "{}", String::from_utf8_lossy(&out.stderr));
    let end = last_line(&desk.path().join("x.ndjson"));
    assert_eq!(end["frames_examined"].as_u64(), Some(u64::from(frames)));
    end["contacts_found"].as_u64().expect("a number")
}

#[test]
fn more_frames_and_more_contacts_take_no_more_memory() {
    let desk = Desk::new();
    // Enough to fill a group of rows in Parquet, which is held in memory.
    let few_contacts = check(&desk, 700);
    let few = most_memory();
    let many_contacts = check(&desk, 2800);
    let many = most_memory();
    let more = many_contacts - few_contacts;
    assert!(few_contacts > 8192 && more > 50_000, "{few_contacts} {many_contacts}");
    assert!(few > 5000, "{few} kB is what no program takes");
    // What is kept of a contact in a report, some 300 bytes, would be 15 MB. With `--json`, which
    // keeps them, it was 59 MB more.
    assert!(many < few + 1024, "{few} kB for 700 frames, {many} kB for 2,800");
}
