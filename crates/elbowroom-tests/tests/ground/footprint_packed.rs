//! Packed circles answer as the binary loop does: every pair, kind, level and set of instructions;
//! and compare the same blocks on all of them.

use elbowroom::Mesh;
use elbowroom::internal::arch::SimdLevel;
use elbowroom::internal::math::planar::Planar;
use elbowroom_make::body::{female, male};
use elbowroom_make::{cuboid, icosphere, torus};
use elbowroom_motion::body::Poser;
use elbowroom_motion::footprint::{
    Cut, Footprint, FootprintConfig, Look, Nearness, Parts, Work, ask, ask_counted, ask_on,
};
use elbowroom_testkit::random::Random;
use glam::{DVec2, DVec3};

fn people() -> Vec<Mesh> {
    let mut meshes = Vec::new();
    for rig in [male(), female()] {
        for k in 0..3 {
            let (mut poser, mut pose, mut points) = (Poser::default(), rig.rest_pose(), Vec::new());
            let clip = &rig.clips[k % rig.clips.len()];
            clip.sample(clip.start() + clip.seconds() * (0.37 * k as f64).fract(), &mut pose);
            rig.posed(&pose, 0, &mut poser, &mut points);
            let middle = points.iter().sum::<DVec3>() / points.len() as f64;
            let turned = |p: &DVec3| DVec3::new(p.x - middle.x, middle.z - p.z, p.y);
            let points = points.iter().map(turned).collect();
            meshes.push(rig.parts[0].mesh.with_vertices(points).expect("a pose is finite"));
        }
    }
    meshes
}

fn configs() -> Vec<FootprintConfig> {
    let base = FootprintConfig::default();
    let cut = |parts, cut| FootprintConfig { parts, cut, ..base };
    vec![
        base,
        cut(Parts::Contour, Cut::Center),
        cut(Parts::Contour, Cut::Covariance),
        FootprintConfig { threshold: 0.05, ..base },
        FootprintConfig { threshold: 0.002, holes: false, ..base },
        cut(Parts::Triangles, Cut::Centroid),
        cut(Parts::Triangles, Cut::Covariance),
        cut(Parts::Whole, Cut::Centroid),
    ]
}

fn place(random: &mut Random, reach: f64) -> Planar {
    let at = DVec2::new(random.uniform(-reach, reach), random.uniform(-reach, reach));
    Planar::from_angle(random.uniform(-4.0, 4.0), at).expect("a place")
}

/// Asks both ways, on all instructions, and returns what all say.
fn all_say(
    a: (&Footprint, &Planar),
    b: (&Footprint, &Planar),
    look: &Look,
    work: &mut Work,
) -> Nearness {
    let expected = ask_counted(a.0, a.1, b.0, b.1, look, work);
    assert_eq!(ask(a.0, a.1, b.0, b.1, look, work), expected, "{look:?} {:?} {:?}", a.1, b.1);
    let mut batches = None;
    for level in SimdLevel::ALL.into_iter().filter(|level| level.is_here()) {
        let before = work.batches;
        assert_eq!(ask_on(level, b.0, b.1, a.0, a.1, look, work), expected, "{level:?}");
        let taken = work.batches - before;
        assert_eq!(*batches.get_or_insert(taken), taken, "{level:?}");
    }
    expected
}

#[test]
fn packed_circles_answer_as_the_binary_loop_does() {
    let meshes = people();
    let mut random = Random::new(91);
    let mut work = Work::default();
    let mut met = [0; 2];
    for config in configs() {
        let made: Vec<Footprint> = meshes.iter().map(|m| Footprint::of_mesh(m, &config)).collect();
        for _ in 0..900 {
            let (i, j) = (random.below(6) as usize, random.below(6) as usize);
            let (a, b) = (place(&mut random, 0.5), place(&mut random, 0.5));
            for level in (0..13).map(Some).chain([None]) {
                let margin = if random.one_in(4) { 0.03 } else { 0.0 };
                let look = Look { level, margin };
                let said = all_say((&made[i], &a), (&made[j], &b), &look, &mut work);
                met[usize::from(said == Nearness::Clear)] += 1;
            }
        }
    }
    assert_eq!(met[0] + met[1], 100_800);
    assert!(met[0] > 30_000 && met[1] > 20_000 && work.batches > 300_000, "{met:?} {work:?}");
}

#[test]
fn sizes_and_distances_at_which_f32_would_err() {
    let mut random = Random::new(92);
    let mut work = Work::default();
    let mut met = [0; 2];
    let shapes = [icosphere(4), cuboid(DVec3::ONE), torus(4.0, 0.2, 48, 8)];
    for exponent in [-300, -60, -39, -20, 0, 20, 39, 60, 280] {
        let size = 2_f64.powi(exponent);
        // Beside the origin, by little or much.
        for far in [0.0, 1.0, 1e6, 1e15] {
            let made: Vec<Footprint> = shapes
                .iter()
                .map(|mesh| {
                    let moved = |p: &DVec3| (p + far * DVec3::X) * size;
                    let points = mesh.vertices().iter().map(moved).collect();
                    let mesh = mesh.with_vertices(points).expect("finite");
                    let threshold = 0.05 * size;
                    Footprint::of_mesh(
                        &mesh,
                        &FootprintConfig { threshold, ..FootprintConfig::default() },
                    )
                })
                .collect();
            for _ in 0..60 {
                let (i, j) = (random.below(3) as usize, random.below(3) as usize);
                let shift = DVec2::new(random.uniform(-9.0, 9.0), random.uniform(-9.0, 9.0)) * size;
                let turn = if far > 10.0 { 0.0 } else { random.uniform(-4.0, 4.0) };
                let b = Planar::from_angle(turn, shift).expect("a place");
                for level in [None, Some(2), Some(5)] {
                    let look = Look { level, margin: 0.0 };
                    let said =
                        all_say((&made[i], &Planar::IDENTITY), (&made[j], &b), &look, &mut work);
                    met[usize::from(said == Nearness::Clear)] += 1;
                }
            }
        }
    }
    assert!(met[0] > 1500 && met[1] > 1500, "{met:?}");
}
