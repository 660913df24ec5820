//! What a volume was fitted to, or merged from, it holds: exactly, at every size, however
//! degenerate.

use elbowroom::internal::volume::{
    Aabb, Cylinder, Fit, Kdop14, Kdop18, Kdop24, Kdop26, Obb, Spatial, Sphere, Volume,
};
use elbowroom_testkit::random::Random;
use glam::{DMat3, DVec3};

use super::shapes::{Kind, SCALES, Triangle, rotation, scaled, triangles};
use elbowroom_tests::dyadic::point;
use elbowroom_tests::holds::Holds;

/// Points held by a fit, and pairs held by a merge.
#[derive(Debug, Default, PartialEq)]
struct Met {
    points: usize,
    merges: usize,
}

fn check<V: Holds>(a: &[Triangle], b: &[Triangle], fit: Fit, met: &mut Met) {
    let volumes = [a, b].map(|triangles| {
        let volume = V::of_triangles(triangles, fit);
        for &p in triangles.as_flattened() {
            assert!(
                volume.holds(&point(p)),
                "{volume:?} by {fit:?} does not hold {p} of {triangles:?}"
            );
            assert!(volume.contains(p), "{volume:?} should contain {p}");
            assert!(volume.boxed().holds(&point(p)), "the box of {volume:?} does not hold {p}");
            assert!(volume.farthest() * (1.0 + 1e-12) >= p.abs().element_sum());
            met.points += 1;
        }
        check_measures(&volume);
        volume
    });
    for (one, other) in [(0, 1), (1, 0)] {
        let both = volumes[one].merged(&volumes[other]);
        for volume in &volumes {
            assert!(both.holds_all(volume), "{both:?} merged does not hold {volume:?}");
            met.merges += 1;
        }
        for &p in a.iter().chain(b).flatten() {
            assert!(both.holds(&point(p)) && both.contains(p));
        }
        check_measures(&both);
    }
}

fn check_measures<V: Spatial>(volume: &V) {
    assert!(!volume.area().is_nan() && volume.area() >= 0.0, "{volume:?}");
    assert!(volume.reach() >= 0.0 && volume.reach().is_finite(), "{volume:?}");
    let axes = volume.axes();
    let error = axes.transpose() * axes - DMat3::IDENTITY;
    let error = error.to_cols_array().iter().map(|e| e * e).sum::<f64>().sqrt();
    // Half of it is what the note on the slack allows.
    assert!(error <= 16.0 * f64::EPSILON / 2.0, "{volume:?} is off by {error:e}");
}

fn check_all(fit: Fit, seed: u64) -> Met {
    let mut random = Random::new(seed);
    let mut met = Met::default();
    for scale in SCALES {
        for kind in Kind::ALL {
            for _ in 0..12 {
                let [a, b] = [(); 2].map(|()| scaled(&triangles(kind, &mut random), scale));
                check::<Obb>(&a, &b, fit, &mut met);
                if fit == Fit::Vertices {
                    check::<Aabb>(&a, &b, fit, &mut met);
                    check::<Kdop14>(&a, &b, fit, &mut met);
                    check::<Kdop18>(&a, &b, fit, &mut met);
                    check::<Kdop24>(&a, &b, fit, &mut met);
                    check::<Kdop26>(&a, &b, fit, &mut met);
                }
            }
        }
    }
    met
}

#[test]
fn boxes_and_kdops_hold_their_points() {
    let met = check_all(Fit::Vertices, 51);
    assert_eq!(met.merges, 6 * 6 * 12 * 6 * 4);
    assert!(met.points > 60_000, "{met:?}");
}

#[test]
fn every_fit_holds_its_points() {
    for (i, fit) in [Fit::Triangles, Fit::Hull, Fit::Dito14].into_iter().enumerate() {
        let met = check_all(fit, 52 + i as u64);
        assert!(met.points > 10_000 && met.merges == 6 * 6 * 12 * 4, "{fit:?}: {met:?}");
    }
}

#[test]
fn round_volumes_hold_their_points() {
    let mut random = Random::new(55);
    let mut met = Met::default();
    for scale in SCALES {
        for kind in Kind::ALL {
            for _ in 0..6 {
                let [a, b] = [(); 2].map(|()| scaled(&triangles(kind, &mut random), scale));
                check::<Sphere>(&a, &b, Fit::default(), &mut met);
                check::<Cylinder>(&a, &b, Fit::default(), &mut met);
            }
        }
    }
    assert_eq!(met.merges, 6 * 6 * 6 * 2 * 4);
    assert!(met.points > 10_000, "{met:?}");
}

/// The axes of a box that is turned are found by every fit, also where the shape is flat.
#[test]
fn fits_find_turned_boxes() {
    let mut random = Random::new(56);
    for half in [DVec3::new(3.0, 2.0, 1.0), DVec3::new(3.0, 2.0, 0.0), DVec3::new(3.0, 0.0, 0.0)] {
        for scale in [1.0, 1e200, 1e-200] {
            let turn = rotation(&mut random);
            let cuboid = Obb { center: DVec3::splat(0.3), axes: turn, half };
            let c = cuboid.corners().map(|p| p * scale);
            // About the middle of each side, so that all corners count alike.
            let quad = |[i, j, k, l]: [usize; 4]| {
                let middle = 0.5 * c[i] + 0.5 * c[l];
                [[i, j], [j, l], [l, k], [k, i]].map(|[u, v]| [c[u], c[v], middle])
            };
            let sides = [
                [0, 1, 2, 3],
                [4, 5, 6, 7],
                [0, 1, 4, 5],
                [2, 3, 6, 7],
                [0, 2, 4, 6],
                [1, 3, 5, 7],
            ];
            let triangles: Vec<_> = sides.into_iter().flat_map(quad).collect();
            for fit in Fit::ALL {
                let found = Obb::of_triangles(&triangles, fit);
                let sizes = found.axes().transpose() * (found.axes * found.half);
                let error = (sizes.abs() / scale - half).abs().max_element();
                assert!(error < 1e-12, "{fit:?} of {half} at {scale:e} finds {:?}", found.half);
                assert!(found.axes.determinant() > 0.0);
            }
        }
    }
}

#[test]
fn area_counts_by_surface_and_hull_ignores_the_inside() {
    // A square plate whose one half is cut finely, with a bar of triangles hidden within its hull.
    let corner = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let mut triangles = vec![[corner(-2.0, -1.0), corner(2.0, -1.0), corner(-2.0, 1.0)]];
    triangles.push([corner(2.0, -1.0), corner(2.0, 1.0), corner(-2.0, 1.0)]);
    let surface = Obb::of_triangles(&triangles, Fit::Triangles);
    let tilted = [corner(-1.0, -0.9), corner(1.0, 0.9), corner(-0.99, -0.9)];
    triangles.extend(std::iter::repeat_n(tilted, 50));
    let hull = Obb::of_triangles(&triangles, Fit::Hull);
    assert_eq!(hull.half, surface.half);
    let vertices = Obb::of_triangles(&triangles, Fit::Vertices);
    assert!(vertices.area() > 1.1 * hull.area(), "{vertices:?} is as tight as {hull:?}");
}

/// Triangles near the largest numbers, where offsets overflow: the box grows to infinity, and what
/// it was fitted to stays in it.
#[test]
fn boxes_beyond_the_largest_numbers_keep_their_points() {
    let mut random = Random::new(61);
    let named = [
        DVec3::new(-1.275e308, 4.25e307, 8.5e307),
        DVec3::new(8.5e307, 8.5e307, -1.275e308),
        DVec3::new(-8.5e307, -1.7e308, 4.25e307),
    ];
    let (mut finite, mut infinite, mut merged) = (0, 0, 0);
    let mut last = Obb::of_triangles(&[named], Fit::Triangles);
    for round in 0..20_000 {
        let triangle: Triangle = if round == 0 {
            named
        } else {
            std::array::from_fn(|_| {
                DVec3::from_array(std::array::from_fn(|_| random.range(-4, 4) as f64 * 4.25e307))
            })
        };
        for fit in Fit::ALL {
            let fitted = Obb::of_triangles(&[triangle], fit);
            let both = fitted.merged(&last);
            assert!(!fitted.half.is_nan() && fitted.center.is_finite(), "{fitted:?}");
            for p in triangle {
                assert!(fitted.contains(p), "{fitted:?} by {fit:?} should contain {p}");
                assert!(both.contains(p), "{both:?} by {fit:?} should contain {p}");
                for i in (0..3).filter(|&i| fitted.half[i].is_finite()) {
                    // An eighth of everything is far from overflow, and rounds by less than is
                    // allowed here.
                    let offset = fitted.axes.col(i).dot(0.125 * p - 0.125 * fitted.center).abs();
                    assert!(offset <= 0.125 * fitted.half[i] * (1.0 + 1e-14), "{fitted:?} {p}");
                }
                merged += 1;
            }
            if fitted.half.is_finite() {
                finite += 1;
            } else {
                infinite += 1;
            }
            last = fitted;
        }
    }
    assert_eq!(merged, 4 * 3 * 20_000);
    assert!(finite > 1000 && infinite > 1000, "{finite} {infinite}");
}
