//! Draws what this crate makes, so that one can look at it: `cargo run --example portrait --
//! DIRECTORY`.
//!
//! People from four sides, their faces and their clips; chains, hands, helicopters, heads and
//! pipes. One PNG file each.

mod canvas;

use std::io;
use std::path::Path;

use elbowroom::Mesh;
use elbowroom_make::body::{female, male, standing};
use elbowroom_make::{Chain, Link, Pipes, chain, hand, helicopter, monkey_head, pipes};
use elbowroom_motion::body::{Clip, Poser, Rig, SkeletonPose};
use glam::DVec3;

use canvas::{Canvas, View};

fn main() -> io::Result<()> {
    let Some(directory) = std::env::args().nth(1) else {
        eprintln!("usage: portrait DIRECTORY");
        return Ok(());
    };
    let directory = Path::new(&directory);
    std::fs::create_dir_all(directory)?;
    for person in [male(), female()] {
        people(&person, directory)?;
    }
    let rings = chain(&Chain { link: Link::Ring, ..Chain::default() });
    for (name, rig, look, scale) in [
        ("chain", &rings, DVec3::new(0.0, -1.2, 0.0), 190.0),
        ("hand", &hand(1), DVec3::new(0.0, 0.1, 0.0), 2000.0),
        ("helicopter", &helicopter(1), DVec3::new(0.0, 1.5, -1.5), 42.0),
    ] {
        film(rig, &rig.clips[0], look, scale).save(&directory.join(format!("{name}.png")))?;
    }
    let heads: Vec<Mesh> = (0..4).map(monkey_head).collect();
    let tangle = pipes(&Pipes::default());
    let mut picture = Canvas::new(2000, 900);
    for (column, mesh) in heads.iter().enumerate() {
        let place = [250.0 + 500.0 * column as f64, 250.0];
        picture.draw(
            mesh.vertices(),
            mesh.triangles(),
            &View { look: DVec3::ZERO, yaw: 0.6, scale: 180.0, place },
        );
    }
    let view = View { look: DVec3::ZERO, yaw: 0.4, scale: 30.0, place: [1000.0, 680.0] };
    picture.draw(tangle.vertices(), tangle.triangles(), &view);
    picture.save(&directory.join("others.png"))
}

fn people(person: &Rig, directory: &Path) -> io::Result<()> {
    let name = &person.name;
    let top = person.parts[0].mesh.bounds().max;
    let middle = DVec3::new(0.0, 0.5 * top.y, 0.0);
    let stand = standing(&person.skeleton).unwrap_or_else(|| person.rest_pose());
    for (what, pose) in [("rest", &person.rest_pose()), ("standing", &stand)] {
        around(person, pose, middle, 430.0).save(&directory.join(format!("{name} {what}.png")))?;
    }
    let face = DVec3::new(0.0, top.y - 0.14, 0.0);
    around(person, &stand, face, 1700.0).save(&directory.join(format!("{name} face.png")))?;
    for clip in &person.clips {
        let path = directory.join(format!("{name} {}.png", clip.name()));
        film(person, clip, middle, 250.0).save(&path)?;
    }
    Ok(())
}

/// A pose from the front, half from the side, from the side, and from behind.
fn around(rig: &Rig, pose: &SkeletonPose, look: DVec3, scale: f64) -> Canvas {
    let mut picture = Canvas::new(2000, 900);
    for (column, degrees) in [0.0_f64, 40.0, 90.0, 180.0].into_iter().enumerate() {
        let place = [250.0 + 500.0 * column as f64, 450.0];
        draw(&mut picture, rig, pose, &View { look, yaw: degrees.to_radians(), scale, place });
    }
    picture
}

/// Eight moments of a clip, from the side and from the front.
fn film(rig: &Rig, clip: &Clip, look: DVec3, scale: f64) -> Canvas {
    let mut picture = Canvas::new(2000, 1000);
    for moment in 0..8 {
        let mut pose = rig.rest_pose();
        clip.sample(clip.seconds() * f64::from(moment) / 8.0, &mut pose);
        for (row, degrees) in [75.0_f64, 15.0].into_iter().enumerate() {
            let place = [125.0 + 250.0 * f64::from(moment), 250.0 + 500.0 * row as f64];
            draw(&mut picture, rig, &pose, &View { look, yaw: degrees.to_radians(), scale, place });
        }
    }
    picture
}

fn draw(picture: &mut Canvas, rig: &Rig, pose: &SkeletonPose, view: &View) {
    let (mut poser, mut points) = (Poser::new(), Vec::new());
    for (index, part) in rig.parts.iter().enumerate() {
        rig.posed(pose, index, &mut poser, &mut points);
        picture.draw(&points, part.mesh.triangles(), view);
    }
}
