//! The Rust side of `bench/python/run`: reads what the Python side wrote, and answers one line with
//! another: `QUESTION` with seconds on the clock, seconds of the processor and a sum of the
//! answers.
//!
//! ```text
//! elbowroom-python-bench FOLDER
//! ```

use std::fs;
use std::hint::black_box;
use std::io::{BufRead, Error, Write, stdin, stdout};
use std::path::Path;
use std::time::Instant;

use elbowroom::{Mesh, Model, Pose, Posed, intersects_batch};
use glam::DVec3;

fn doubles(file: &Path) -> Result<Vec<f64>, Error> {
    let bytes = fs::read(file)?;
    Ok(bytes.as_chunks::<8>().0.iter().map(|&chunk| f64::from_le_bytes(chunk)).collect())
}

fn model(folder: &Path, name: &str) -> Result<Model, Error> {
    let points = doubles(&folder.join(format!("{name}.vertices")))?;
    let faces = fs::read(folder.join(format!("{name}.faces")))?;
    let corners: Vec<u32> =
        faces.as_chunks::<4>().0.iter().map(|&chunk| u32::from_le_bytes(chunk)).collect();
    let vertices = points.as_chunks::<3>().0.iter().map(|&point| DVec3::from(point)).collect();
    Mesh::new(vertices, corners.as_chunks::<3>().0.to_vec()).map(Model::new).map_err(Error::other)
}

/// Matrices, as the Python side hands them over: turning them into poses is part of the question.
fn poses(matrices: &[f64]) -> Vec<Pose> {
    let matrices = matrices.as_chunks::<16>().0;
    matrices.iter().map(|matrix| Pose::from_row_major(matrix).expect("rigid")).collect()
}

/// Seconds that all threads of this process have had.
fn processor() -> f64 {
    let stat = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let own = stat.split(' ').next().and_then(|nanos| nanos.parse::<f64>().ok());
    own.unwrap_or(f64::NAN) * 1e-9
}

fn main() -> Result<(), Error> {
    let folder = std::env::args().nth(1).ok_or_else(|| Error::other("which folder?"))?;
    let folder = Path::new(&folder);
    let (man, woman) = (model(folder, "man")?, model(folder, "woman")?);
    let (one, other) = (model(folder, "one")?, model(folder, "other")?);
    let matrices = doubles(&folder.join("poses"))?;
    for line in stdin().lock().lines() {
        let (started, used) = (Instant::now(), processor());
        let sum = match line?.as_str() {
            "batch" => {
                let poses = poses(&matrices);
                let pairs: Vec<(Posed<'_>, Posed<'_>)> =
                    poses.iter().map(|&pose| (man.posed(), woman.at(pose))).collect();
                intersects_batch(&pairs).into_iter().filter(|&meet| meet).count()
            }
            "distances" => {
                let poses = poses(&matrices[..16 * 1000]);
                poses.iter().filter(|&&pose| man.distance(woman.at(pose)) > 0.0).count()
            }
            "calls" => {
                let matrix = matrices.as_chunks::<16>().0[0];
                let met = (0..200_000).filter(|_| {
                    let pose = Pose::from_row_major(black_box(&matrix)).expect("rigid");
                    one.intersects(other.at(pose))
                });
                met.count()
            }
            question => return Err(Error::other(format!("no question {question}"))),
        };
        println!("{} {} {sum}", started.elapsed().as_secs_f64(), processor() - used);
        stdout().flush()?;
    }
    Ok(())
}
