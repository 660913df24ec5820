//! Every structure on the same random soups, every question against all pairs of triangles.
//!
//! A hierarchy only culls, so a fault in one shows as a contact that is missing from a list. Closed
//! and finely meshed shapes rarely show it; these soups (`elbowroom_testkit::soups`) are sparse,
//! thin, degenerate, repeated, of mixed sizes or far away, with 1 to 5,000 triangles.
//!
//! `ELBOWROOM_SOUPS` sets how many pairs of soups are tried (1,000 unless given; a nightly run
//! takes a million), `ELBOWROOM_SEED` where the random numbers begin.

mod deforming;
mod front;
mod moving;
mod named;
mod rigid;
mod standing;
mod truth;

use std::process::Command;

use elbowroom::internal::arch::SimdLevel;
use elbowroom_testkit::random::Random;
use elbowroom_testkit::soups::{Kind, Pair, pair};

/// How many pairs of soups are tried.
fn rounds() -> u64 {
    number("ELBOWROOM_SOUPS").unwrap_or(1000)
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().expect("a whole number"))
}

/// Calls for pairs of soups of all kinds in turn. A share of the rounds, at least one a kind; the
/// soups have up to `most` triangles.
fn for_each_pair(
    seed: u64,
    share: u64,
    most: u64,
    mut visit: impl FnMut(Kind, &Pair, &mut Random),
) {
    let mut random = Random::new(number("ELBOWROOM_SEED").unwrap_or(0) ^ seed);
    let rounds = (rounds() / share).max(Kind::ALL.len() as u64);
    for round in 0..rounds {
        let kind = Kind::ALL[(round % Kind::ALL.len() as u64) as usize];
        let pair = pair(kind, &mut random, most);
        visit(kind, &pair, &mut random);
    }
}

/// All of it once more, a tenth of the soups, on every instruction set that the machine has.
#[test]
fn every_instruction_set() {
    let name = "ELBOWROOM_SIMD";
    if std::env::var_os(name).is_some() {
        return;
    }
    let program = std::env::current_exe().expect("this test has a file");
    let mut ran = 0;
    for level in SimdLevel::ALL.into_iter().filter(|level| level.is_here()) {
        let status = Command::new(&program)
            .args(["--quiet", "--test-threads=1"])
            .env(name, format!("{level:?}").to_lowercase())
            .env("ELBOWROOM_SOUPS", (rounds() / 10).to_string())
            .status()
            .expect("this test can be started");
        assert!(status.success(), "{level:?}");
        ran += 1;
    }
    assert!(ran >= 1);
}
