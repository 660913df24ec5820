//! Sliding until contact: closed forms, what a question says just before and at the place, exact
//! meshes, and who is named first.

use elbowroom::Mesh;
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{CcdOptions, RigidMotion, time_of_impact};
use elbowroom_make::{cuboid, icosphere, torus};
use elbowroom_motion::footprint::{
    BoxParts, BoxWork, Boxes, Cut, Footprint, FootprintConfig, Look, Nearness, Parts, SlideShape,
    SlideWork, Work, ask, ask_boxes, slide,
};
use elbowroom_testkit::random::Random;
use elbowroom_tests::footprint_common::{people, placement};
use glam::{DVec2, DVec3};

const LEVELS: [Option<u32>; 5] = [Some(0), Some(2), Some(5), Some(9), None];

fn at(angle: f64, x: f64, y: f64) -> Planar {
    Planar::from_angle(angle, DVec2::new(x, y)).expect("a place")
}

/// Where it stands after a way.
fn moved(at: &Planar, way: DVec2) -> Planar {
    let (cos, sin) = at.turn();
    Planar::new(cos, sin, at.translation() + way).expect("a place")
}

fn circles(mesh: &Mesh, parts: Parts) -> Footprint {
    Footprint::of_mesh(mesh, &FootprintConfig { parts, ..FootprintConfig::default() })
}

#[test]
fn one_cylinder_slides_in_closed_form() {
    let (a, b) =
        (circles(&icosphere(8), Parts::Whole), circles(&torus(2.0, 0.5, 32, 16), Parts::Whole));
    let reach = a.whole().radius + b.whole().radius;
    let mut work = SlideWork::default();
    let (mut met, mut missed) = (0, 0);
    let mut random = Random::new(5);
    for _ in 0..2000 {
        let place =
            at(random.uniform(-3.0, 3.0), random.uniform(-9.0, 9.0), random.uniform(-9.0, 9.0));
        let start = at(random.uniform(-3.0, 3.0), 0.1, -0.2);
        let angle: f64 = random.uniform(-4.0, 4.0);
        let along = DVec2::from_angle(angle);
        let apart = place.apply(b.whole().center) - start.apply(a.whole().center);
        let (ahead, beside) = (apart.dot(along), apart.perp_dot(along));
        let room = reach * reach - beside * beside;
        let expected = if apart.length() <= reach {
            Some(0.0)
        } else if room >= 0.0 && ahead > 0.0 {
            Some(ahead - room.sqrt())
        } else {
            None
        };
        let way = slide(&a, &start, &b, &place, 3.5 * along, &Look::default(), &mut work);
        match (way, expected) {
            (Some(way), Some(expected)) => {
                assert!((way - expected).abs() < 1e-6, "{way} {expected}");
                assert!(way <= expected + 1e-14);
                met += 1;
            }
            (None, None) => missed += 1,
            other => panic!("{other:?} at {place:?}"),
        }
    }
    assert!(met > 400 && missed > 400, "{met} {missed}");
}

/// The place that sliding names is the first at which a question does not say clear.
#[test]
fn questions_agree_with_where_it_stops() {
    let meshes = people(2);
    let of_circles = [
        FootprintConfig::default(),
        FootprintConfig { cut: Cut::Covariance, threshold: 0.04, ..FootprintConfig::default() },
        FootprintConfig { parts: Parts::Triangles, ..FootprintConfig::default() },
    ];
    let parts = [BoxParts::Full, BoxParts::Contour, BoxParts::Projected];
    let circles = of_circles.map(|config| -> Vec<Footprint> {
        meshes.iter().map(|mesh| Footprint::of_mesh(mesh, &config)).collect()
    });
    let boxes = parts.map(|kind| -> Vec<Boxes> {
        meshes.iter().map(|mesh| Boxes::of_mesh(mesh, kind).expect("a mesh")).collect()
    });
    let mut random = Random::new(21);
    let mut slid = SlideWork::default();
    let (mut circle_work, mut box_work) = (Work::default(), BoxWork::default());
    let mut seen = Seen::default();
    for _ in 0..24 {
        // Boxes of one size give way one after the other in a question, and together where they
        // slide: so no two alike.
        let i = random.below(4) as usize;
        let j = (i + 1 + random.below(3) as usize) % 4;
        let a = at(random.uniform(-4.0, 4.0), 0.0, 0.0);
        let there = at(random.uniform(-4.0, 4.0), 2.0, random.uniform(-0.8, 0.8));
        for level in LEVELS {
            let look = Look { level, ..Look::default() };
            for kind in &circles {
                let (first, second) = (&kind[i], &kind[j]);
                let way = slide(first, &a, second, &there, DVec2::X, &look, &mut slid);
                let mut is_clear = |way: f64| {
                    let at = moved(&a, DVec2::X * way);
                    ask(first, &at, second, &there, &look, &mut circle_work) == Nearness::Clear
                };
                seen.judge(way, &mut is_clear, &mut random);
            }
            for kind in &boxes {
                let (first, second) = (&kind[i], &kind[j]);
                let way = slide(first, &a, second, &there, DVec2::X, &look, &mut slid);
                let mut is_clear = |way: f64| {
                    let at = moved(&a, DVec2::X * way);
                    ask_boxes(first, &at, second, &there, &look, &mut box_work) == Nearness::Clear
                };
                seen.judge(way, &mut is_clear, &mut random);
            }
        }
    }
    let Seen { stops, passes, grazed } = seen;
    assert!(stops > 450 && passes > 20 && grazed == 0, "{stops} {passes} {grazed}");
}

#[derive(Default)]
struct Seen {
    stops: u32,
    passes: u32,
    grazed: u32,
}

impl Seen {
    fn judge(
        &mut self,
        way: Option<f64>,
        is_clear: &mut impl FnMut(f64) -> bool,
        random: &mut Random,
    ) {
        let all = way.unwrap_or(5.0) - 1e-7;
        let sooner = (0..4).map(|_| random.uniform(0.0, 1.0) * all).chain([all]);
        for before in sooner.filter(|&before| before > 0.0) {
            assert!(is_clear(before), "touches at {before} already, before {way:?}");
        }
        if let Some(way) = way {
            self.stops += 1;
            // A touch may be short.
            let touches = [0.0, 1e-9, 1e-7, 1e-6].iter().any(|more| !is_clear(way + more));
            self.grazed += u32::from(!touches);
        } else {
            self.passes += 1;
        }
    }
}

#[test]
fn full_boxes_stop_where_the_meshes_meet() {
    let meshes = people(3);
    let models: Vec<Model> = meshes.iter().cloned().map(Model::new).collect();
    let boxes: Vec<Boxes> =
        meshes.iter().map(|mesh| Boxes::of_mesh(mesh, BoxParts::Full).expect("a mesh")).collect();
    let mut random = Random::new(3);
    let mut work = SlideWork::default();
    let (mut met, mut missed) = (0, 0);
    for _ in 0..16 {
        let (i, j) = (random.below(6) as usize, random.below(6) as usize);
        let start = at(random.uniform(-4.0, 4.0), 0.0, 0.0);
        let there = at(random.uniform(-4.0, 4.0), 2.0, random.uniform(-0.6, 0.6));
        let way =
            slide(&boxes[i], &start, &boxes[j], &there, DVec2::X, &Look::default(), &mut work);
        let motion = RigidMotion::new(placement(&start)).travelling(DVec3::X * 4.0).expect("a way");
        let timing = CcdOptions::default();
        let since = time_of_impact(
            &models[i],
            &motion,
            &models[j],
            &RigidMotion::new(placement(&there)),
            &timing,
        );
        match (way, since) {
            (Some(way), Some(since)) => {
                assert!((way - 4.0 * since.time).abs() < 1e-6, "{way} {}", 4.0 * since.time);
                met += 1;
            }
            (None, None) => missed += 1,
            other => panic!("{other:?}"),
        }
    }
    assert!(met >= 8 && missed >= 1, "{met} {missed}");
}

#[test]
fn all_shapes_against_all_are_bounds_in_order() {
    let meshes = people(2);
    let look = Look::default();
    let mut work = SlideWork::default();
    let shapes = |mesh: &Mesh| {
        let footprints =
            [Parts::Whole, Parts::Triangles, Parts::Contour].map(|parts| circles(mesh, parts));
        let boxes = [BoxParts::Contour, BoxParts::Projected, BoxParts::Full]
            .map(|parts| Boxes::of_mesh(mesh, parts).expect("a mesh"));
        (footprints, boxes)
    };
    let sets: Vec<_> = meshes.iter().map(shapes).collect();
    let mut random = Random::new(8);
    let (mut met, mut strictly) = (0, 0);
    for _ in 0..40 {
        let [i, j] = [0; 2].map(|_| random.below(4) as usize);
        let (start, there) = (
            at(random.uniform(-4.0, 4.0), 0.0, 0.0),
            at(random.uniform(-4.0, 4.0), 2.0, random.uniform(-0.4, 0.4)),
        );
        let (ours, theirs) = (&sets[i], &sets[j]);
        let all = |set: &'_ ([Footprint; 3], [Boxes; 3]), f: &mut dyn FnMut(usize, SlideShape)| {
            for (n, shape) in set.0.iter().map(SlideShape::from).enumerate() {
                f(n, shape);
            }
            for (n, shape) in set.1.iter().map(SlideShape::from).enumerate() {
                f(n + 3, shape);
            }
        };
        let mut ways = [[None; 6]; 6];
        all(ours, &mut |m, a| {
            all(theirs, &mut |n, b| {
                let way = slide(a, &start, b, &there, DVec2::X, &look, &mut work);
                let back = slide(b, &there, a, &start, DVec2::NEG_X, &look, &mut work);
                assert_eq!(way.map(f64::to_bits), back.map(f64::to_bits));
                ways[m][n] = way;
            });
        });
        let Some(exact) = ways[5][5] else { continue };
        met += 1;
        let flat = ways[4][4].expect("what meets in space meets from above");
        for (m, row) in ways.iter().enumerate() {
            for (n, way) in row.iter().enumerate() {
                let way = way.expect("a bound");
                assert!(way <= exact + 1e-9, "{m} {n}: {way} {exact}");
                // All but the exact one are bounds of what they look like from above.
                assert!((m, n) == (5, 5) || way <= flat + 1e-9, "{m} {n}: {way} {flat}");
                // The cylinder around everything is the coarsest.
                // That around a contour is larger by the contour's error.
                assert!(ways[0][0].expect("a bound") <= way + 2e-5, "{m} {n}");
            }
        }
        // Boxes around contours stop where projected triangles do.
        assert!((ways[3][3].expect("a bound") - flat).abs() < 1e-4);
        strictly += u32::from(ways[0][0] < ways[2][2] && ways[2][2] < ways[3][3] && flat < exact);
    }
    assert!(met > 20 && strictly > met * 3 / 4, "{met} {strictly}");
}

#[test]
fn within_a_ring_they_touch_at_once() {
    let (large, small) = (cuboid(DVec3::splat(4.0)), icosphere(4));
    let mut work = SlideWork::default();
    let mut way = |a: SlideShape, b: SlideShape, x: f64| {
        slide(a, &Planar::IDENTITY, b, &at(0.3, x, 0.0), DVec2::X, &Look::default(), &mut work)
    };
    let kinds = [BoxParts::Contour, BoxParts::Projected];
    for kind in kinds {
        let outer = Boxes::of_mesh(&large, kind).expect("a mesh");
        let inner = Boxes::of_mesh(&small, kind).expect("a mesh");
        assert_eq!(way((&outer).into(), (&inner).into(), 0.2), Some(0.0));
        assert_eq!(way((&inner).into(), (&outer).into(), 0.2), Some(0.0));
        let circle = circles(&small, Parts::Contour);
        assert_eq!(way((&outer).into(), (&circle).into(), 0.2), Some(0.0));
    }
    let outer = circles(&large, Parts::Contour);
    for parts in [Parts::Contour, Parts::Triangles, Parts::Whole] {
        assert_eq!(way((&outer).into(), (&circles(&small, parts)).into(), 0.2), Some(0.0));
    }
    // Surfaces do not meet there: the ball goes on to the wall.
    let (outer, inner) = (
        Boxes::of_mesh(&large, BoxParts::Full).expect("a mesh"),
        Boxes::of_mesh(&small, BoxParts::Full).expect("a mesh"),
    );
    let to_wall = way((&inner).into(), (&outer).into(), 0.0).expect("a wall");
    assert!(to_wall > 2.9 && to_wall < 3.3, "{to_wall}");
}

#[test]
fn nothing_is_too_large_too_small_or_too_flat() {
    let unit = icosphere(3);
    let mut work = SlideWork::default();
    let mut seen = 0;
    for scale in [1e-300, 1e-160, 1e-30, 1.0, 1e30, 1e80] {
        let points: Vec<DVec3> = unit.vertices().iter().map(|p| p * scale).collect();
        let mesh = unit.with_vertices(points).expect("finite");
        let there = at(0.7, 5.0 * scale, 0.0);
        for parts in [BoxParts::Full, BoxParts::Contour, BoxParts::Projected] {
            let boxes = Boxes::of_mesh(&mesh, parts).expect("a mesh");
            let look = Look::default();
            let way = slide(
                &boxes,
                &Planar::IDENTITY,
                &boxes,
                &there,
                DVec2::X * 1e-200,
                &look,
                &mut work,
            );
            let way = way.expect("it is in the way");
            assert!(way <= 3.3 * scale && (way > 2.7 * scale || scale < 1e-290), "{way} {scale}");
            seen += 1;
        }
        let circle = Footprint::of_mesh(
            &mesh,
            &FootprintConfig { threshold: 0.1 * scale, ..FootprintConfig::default() },
        );
        let way = slide(
            &circle,
            &Planar::IDENTITY,
            &circle,
            &there,
            DVec2::X,
            &Look::default(),
            &mut work,
        );
        assert!(way.is_some_and(|way| way <= 3.3 * scale), "{way:?} {scale}");
    }
    // A needle, a speck and a copy.
    for corners in [
        [DVec3::ZERO, DVec3::X, DVec3::X * 0.5],
        [DVec3::ONE; 3],
        [DVec3::ZERO, DVec3::Z, DVec3::Y],
    ] {
        let mesh = Mesh::new(corners.to_vec(), vec![[0, 1, 2]; 3]).expect("finite");
        for parts in [BoxParts::Full, BoxParts::Contour, BoxParts::Projected] {
            let boxes = Boxes::of_mesh(&mesh, parts).expect("a mesh");
            let beyond = at(0.0, 7.0, 0.0);
            let mut way = |along| {
                slide(
                    &boxes,
                    &Planar::IDENTITY,
                    &boxes,
                    &beyond,
                    along,
                    &Look::default(),
                    &mut work,
                )
            };
            let reached = way(DVec2::X).expect("the same line");
            assert!(reached > 5.9 && reached <= 7.0, "{reached}");
            assert_eq!((way(DVec2::Y), way(DVec2::ZERO)), (None, None));
            assert_eq!(way(DVec2::new(f64::NAN, 0.0)), None);
            seen += 1;
        }
    }
    assert_eq!(seen, 27);
}
