//! A jar of pebbles that wander about: how many touch, step by step, and how little has to be asked.
//!
//!     cargo run --release -p elbowroom --example many_bodies [HOW MANY]

use std::error::Error;
use std::sync::Arc;

use elbowroom::Pose;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{Question, Want, World};
use glam::{DQuat, DVec3};

/// A point of a sequence that fills the unit cube evenly (Roberts, 2018).
fn spread(index: usize) -> DVec3 {
    let along = |step: f64| (0.5 + step * index as f64).fract();
    DVec3::new(
        along(0.819_172_513_396_164_4),
        along(0.671_043_606_703_789_2),
        along(0.549_700_477_901_970_8),
    )
}

fn main() -> Result<(), Box<dyn Error>> {
    let count = std::env::args().nth(1).map_or(Ok(2_000), |arg| arg.parse())?;
    let pebble = Arc::new(Model::new(elbowroom_make::bumpy_sphere(4, 0.2, 1)));
    let side = 1.8 * (count as f64).cbrt();
    let placed = |index: usize, time: usize| {
        let turn = DQuat::from_rotation_y(0.1 * (index + time) as f64);
        Pose::from_quat(turn, side * spread(index) + 0.3 * time as f64 * DVec3::Y)
    };

    let mut world = World::new();
    let mut pebbles = Vec::new();
    for index in 0..count {
        pebbles.push(world.add(Arc::clone(&pebble), placed(index, 0)?));
    }
    println!("step  touch  examined  asked");
    for time in 0..10 {
        // Every hundredth pebble rises and turns.
        for index in (0..count).step_by(100) {
            world.set_pose(pebbles[index], placed(index, time)?)?;
        }
        let step = world.step(&Question { ask: Want::Any, ..Question::default() });
        println!("{time:>4} {:>6} {:>9} {:>6}", step.touching.len(), step.examined, step.asked);
    }
    Ok(())
}
