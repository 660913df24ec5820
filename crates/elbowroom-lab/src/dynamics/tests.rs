//! Against closed forms.

use std::f64::consts::PI;

use elbowroom::{Mesh, Pose};
use elbowroom_make::{cuboid, lat_long_sphere, torus};
use glam::{DMat3, DQuat, DVec3};

use super::{Body, Bounce, Field, Mass, Touch, parting};
use crate::random::Random;

const NOTHING: Field = Field::Uniform(DVec3::ZERO);
const DOWN: Field = Field::Uniform(DVec3::new(0.0, -9.81, 0.0));

fn brick() -> Mass {
    Mass::of_solid(&cuboid(DVec3::new(0.5, 1.0, 1.5)), 2.0)
}

fn moved(mesh: &Mesh, place: &Pose) -> Mesh {
    let vertices = mesh.vertices().iter().map(|&v| place.apply(v)).collect();
    Mesh::new(vertices, mesh.triangles().to_vec()).expect("a mesh")
}

#[test]
fn solids_weigh_what_the_formulas_say() {
    // Sides of 1, 2 and 3.
    let Mass { whole, centre, inertia } = brick();
    assert!((whole - 12.0).abs() < 1e-12 && centre.length() < 1e-12);
    let expected = DVec3::new(4.0 + 9.0, 1.0 + 9.0, 1.0 + 4.0);
    assert!(inertia.abs_diff_eq(DMat3::from_diagonal(expected), 1e-12), "{inertia}");
    let ball = Mass::of_solid(&lat_long_sphere(200, 400), 1.0);
    let volume = 4.0 / 3.0 * PI;
    assert!((ball.whole / volume - 1.0).abs() < 1e-3);
    assert!((ball.inertia.x_axis.x / (0.4 * volume) - 1.0).abs() < 1e-3);
    // m (R² + ¾ r²) about the axis of a ring.
    let ring = Mass::of_solid(&torus(2.0, 0.5, 300, 150), 1.0);
    let about = ring.whole * (4.0 + 0.75 * 0.25);
    assert!((ring.inertia.y_axis.y / about - 1.0).abs() < 2e-3, "{}", ring.inertia);
}

#[test]
fn a_moved_solid_weighs_the_same() {
    let mut random = Random::new(3);
    let shape = cuboid(DVec3::new(0.5, 1.0, 1.5));
    for _ in 0..10 {
        let turn = random.rotation();
        let place = Pose::new(turn, random.point(-100.0, 100.0)).expect("a rotation");
        let there = Mass::of_solid(&moved(&shape, &place), 2.0);
        assert!((there.whole - 12.0).abs() < 1e-9);
        assert!(there.centre.abs_diff_eq(place.translation(), 1e-9));
        let expected = turn * brick().inertia * turn.transpose();
        assert!(there.inertia.abs_diff_eq(expected, 1e-9), "{} {expected}", there.inertia);
    }
}

#[test]
fn what_is_thrown_flies_a_parabola() {
    let mut body = Body::new(&brick(), DVec3::Y, DQuat::IDENTITY)
        .with_motion(DVec3::new(1.0, 3.0, -2.0), DVec3::ZERO);
    let energy = body.energy(&DOWN);
    for _ in 0..100 {
        body.advance(&DOWN, 0.01);
    }
    let expected = DVec3::new(1.0, 1.0 + 3.0 - 0.5 * 9.81, -2.0);
    assert!(body.place.abs_diff_eq(expected, 1e-12), "{}", body.place);
    assert!((body.energy(&DOWN) - energy).abs() < 1e-10);
    assert_eq!(body.turn, DQuat::IDENTITY);
}

/// A brick that spins about its middle axis turns over and over; momenta stay, energy nearly.
#[test]
fn what_tumbles_keeps_momenta_and_energy() {
    let start = Body::new(&brick(), DVec3::ZERO, DQuat::IDENTITY)
        .with_motion(DVec3::X, DVec3::new(0.01, 4.0, 0.02));
    let mut body = start;
    let (mut least, mut most, mut flips) = (f64::INFINITY, 0.0_f64, 0);
    let mut up = true;
    for _ in 0..20_000 {
        body.advance(&NOTHING, 1e-3);
        let energy = body.energy(&NOTHING);
        (least, most) = (least.min(energy), most.max(energy));
        let now = (body.rotation().y_axis.dot(start.angular_momentum)) > 0.0;
        flips += u32::from(now != up);
        up = now;
    }
    assert_eq!(body.momentum, start.momentum);
    assert_eq!(body.angular_momentum, start.angular_momentum);
    let energy = start.energy(&NOTHING);
    assert!(
        (least / energy - 1.0).abs() < 1e-4 && (most / energy - 1.0).abs() < 1e-4,
        "{least} {most}"
    );
    assert!(flips >= 3, "{flips}");
    assert!((body.turn.length() - 1.0).abs() < 1e-12);
}

/// Within the core the pull is a spring's: period 2π √(core/pull).
#[test]
fn what_falls_inward_swings() {
    let field = Field::Inward { pull: 4.0, core: 1.0 };
    let mut body = Body::new(&brick(), DVec3::X * 0.5, DQuat::IDENTITY);
    let steps = 10_000;
    for _ in 0..steps {
        body.advance(&field, PI / f64::from(steps));
    }
    assert!(body.place.abs_diff_eq(DVec3::X * 0.5, 1e-6), "{}", body.place);
    // From outside, too, what is lost in height is won in speed.
    let mut body = Body::new(&brick(), DVec3::new(3.0, 4.0, 0.0), DQuat::IDENTITY);
    let energy = body.energy(&field);
    assert!((energy - 12.0 * 4.0 * 4.5).abs() < 1e-9);
    for step in 0..5000 {
        body.advance(&field, 1e-3);
        assert!((body.energy(&field) / energy - 1.0).abs() < 1e-4, "{step}");
    }
}

/// h, e² h, e⁴ h, …
#[test]
fn a_ball_bounces_to_the_square_of_the_restitution() {
    let ball = Mass::of_solid(&lat_long_sphere(20, 40), 1.0);
    let mut body = Body::new(&ball, DVec3::Y * 2.0, DQuat::IDENTITY);
    let mut ground = Body::fixed();
    let bounce = Bounce { restitution: 0.8, least: 0.0 };
    let (mut tops, mut rising) = (Vec::new(), false);
    for _ in 0..30_000 {
        if body.place.y < 1.0 {
            let touch = Touch { point: body.place - DVec3::Y, normal: DVec3::Y };
            bounce.between(&mut ground, &mut body, &touch);
        }
        body.advance(&DOWN, 1e-4);
        let now = body.momentum.y > 0.0;
        if rising && !now {
            tops.push(body.place.y - 1.0);
        }
        rising = now;
    }
    assert!(tops.len() >= 3, "{tops:?}");
    for (bounces, top) in (1..=3).zip(&tops) {
        let expected = 0.64_f64.powi(bounces);
        assert!((top - expected).abs() < 3e-3, "{top} {expected}");
    }
    assert!(body.angular_momentum.length() < 1e-9);
    assert_eq!(ground, Body::fixed());
}

#[test]
fn impulses_between_free_bodies_keep_momenta_and_add_no_energy() {
    let mut random = Random::new(11);
    let mut pushed = 0;
    for _ in 0..2000 {
        let restitution = random.uniform(0.0, 1.0);
        let mut any = |x: f64| {
            let [px, py, pz, pw] = [0; 4].map(|_| random.uniform(-1.0, 1.0));
            let turn = DQuat::from_xyzw(px, py, pz, pw + 2.0).normalize();
            Body::new(&brick(), DVec3::X * x, turn)
                .with_motion(random.point(-1.0, 1.0), random.point(-1.0, 1.0))
        };
        let (mut a, mut b) = (any(-1.0), any(1.0));
        let touch = Touch { point: random.point(-0.5, 0.5), normal: random.direction() };
        let parting = |a: &Body, b: &Body| {
            (b.velocity_at(touch.point) - a.velocity_at(touch.point)).dot(touch.normal)
        };
        let whole = |a: &Body, b: &Body| {
            let turning = |body: &Body| body.angular_momentum + body.place.cross(body.momentum);
            (
                a.momentum + b.momentum,
                turning(a) + turning(b),
                a.energy(&NOTHING) + b.energy(&NOTHING),
            )
        };
        let (before, speed) = (whole(&a, &b), parting(&a, &b));
        let strength = Bounce { restitution, least: 0.0 }.between(&mut a, &mut b, &touch);
        let after = whole(&a, &b);
        assert!(after.0.abs_diff_eq(before.0, 1e-11) && after.1.abs_diff_eq(before.1, 1e-11));
        if speed < 0.0 {
            pushed += 1;
            assert!(strength > 0.0);
            assert!((parting(&a, &b) + restitution * speed).abs() < 1e-11);
            // ½ (1 − e²) of what the meeting speed holds is lost.
            let lost = 0.5 * (1.0 - restitution) * -speed * strength;
            assert!((before.2 - after.2 - lost).abs() < 1e-10, "{before:?} {after:?} {lost}");
        } else {
            assert_eq!((strength, after), (0.0, before));
        }
    }
    assert!((600..1400).contains(&pushed), "{pushed}");
}

/// Two equal balls, one at rest, without loss: they swap velocities.
#[test]
fn balls_swap_velocities() {
    let ball = Mass::of_solid(&lat_long_sphere(20, 40), 1.0);
    let mut a = Body::new(&ball, -DVec3::X, DQuat::IDENTITY).with_motion(DVec3::X, DVec3::ZERO);
    let mut b = Body::new(&ball, DVec3::X, DQuat::IDENTITY);
    let touch = Touch { point: DVec3::ZERO, normal: DVec3::X };
    Bounce { restitution: 1.0, least: 0.0 }.between(&mut a, &mut b, &touch);
    assert!(a.velocity().length() < 1e-12 && b.velocity().abs_diff_eq(DVec3::X, 1e-12));
}

/// Touching, a body leaves by the least speed, and one that leaves faster is let go.
#[test]
fn what_rests_does_not_sink() {
    let bounce = Bounce { restitution: 0.5, least: 0.1 };
    let touch = Touch { point: DVec3::ZERO, normal: DVec3::Y };
    for (speed, expected) in [(-1.0, 0.5), (-0.1, 0.1), (0.05, 0.1), (0.2, 0.2)] {
        let mut body = Body::new(&brick(), DVec3::Y, DQuat::IDENTITY)
            .with_motion(DVec3::Y * speed, DVec3::ZERO);
        bounce.between(&mut Body::fixed(), &mut body, &touch);
        assert!((body.velocity().y - expected).abs() < 1e-12, "{speed}");
    }
}

#[test]
fn triangles_say_which_way_to_part() {
    let floor = [DVec3::ZERO, DVec3::Z, DVec3::X];
    let [a, b, c] = floor;
    assert_eq!(parting(floor, [a, c, b]), Some(DVec3::Y));
    assert_eq!(parting(floor, floor), None);
    assert_eq!(parting(floor, [a, a, c]), None);
    let slope = parting(floor, [DVec3::ZERO, DVec3::Y, DVec3::Z]).expect("they face apart");
    assert!(slope.y > 0.7 && slope.x < -0.7, "{slope}");
}
