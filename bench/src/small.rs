//! Small fixed scenes whose instructions are counted, so that a change that costs shows before it
//! is measured.

use clap::ValueEnum;
use elbowroom::internal::bvh::Config;
use elbowroom_bench_protocol::play::Player;

use crate::Failure;
use crate::engines::Models;

/// What is done once for each repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scene {
    /// 100 boolean queries of two spheres with bumps.
    Boolean,
    /// All pairs of the same.
    All,
    /// 20 boolean queries of a sphere of 2,000 triangles within another, a tenth of its radius
    /// apart.
    Apart,
    /// A tree of 320 triangles.
    Build,
}

/// Makes the scene, then repeats it.
pub(crate) fn run(scene: Scene, repeats: u32) -> Result<(), Failure> {
    let name = if scene == Scene::Apart { "S_0.1" } else { "W0" };
    let workload = crate::scenes::make(name)
        .ok_or_else(|| Failure::new(format!("there is no workload {name}")))?;
    let mut models = Models::new(&workload, &Config::default(), true)?;
    let mut sum = 0;
    for _ in 0..repeats {
        for query in 0..models.queries() {
            sum += match scene {
                Scene::Boolean | Scene::Apart => models.boolean(query).map(u64::from),
                Scene::All => models.all(query),
                Scene::Build => break,
            }
            .unwrap_or(0);
        }
        if scene == Scene::Build {
            sum += models.build().map_or(0, |(_, triangles)| triangles);
        }
    }
    // Printed, so that nothing of it can be left out.
    println!("{sum}");
    Ok(())
}
