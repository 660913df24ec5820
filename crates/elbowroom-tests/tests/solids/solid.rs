//! Solids against truth that is known by counting: piles of boxes on a lattice in all degenerate
//! positions, tetrahedra with lattice corners, and real meshes.

use elbowroom::Pose;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{Solids, solids, winding};
use elbowroom::internal::traverse::Workspace;
use elbowroom_testkit::brute::Soup;
use elbowroom_testkit::random::Random;
use elbowroom_testkit::solids::{Block, Pile, Regions, mapped, regions, tetrahedra, wound};
use elbowroom_tests::common::mesh;
use glam::{DQuat, DVec3};

const PLAIN: [[i64; 3]; 3] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
/// Keeps volumes, slants everything.
const SLANTED: [[i64; 3]; 3] = [[1, 2, 0], [0, 1, 1], [1, 2, 1]];

/// How often each kind was met.
#[derive(Debug, Default)]
struct Kinds {
    apart: u32,
    same: u32,
    within: u32,
    crossing: u32,
    empty: u32,
}

impl Kinds {
    fn count(&mut self, r: Regions) {
        match (r.both, r.only_a, r.only_b) {
            (true, true, true) => self.crossing += 1,
            (true, false, false) => self.same += 1,
            (true, ..) => self.within += 1,
            (false, true, true) => self.apart += 1,
            (false, ..) => self.empty += 1,
        }
    }
}

fn plain(answer: Solids) -> Regions {
    assert!(answer.certainty.is_exact());
    Regions { both: answer.both, only_a: answer.only_a, only_b: answer.only_b }
}

fn scaled(soup: &Soup, factor: f64, shift: [f64; 3]) -> Soup {
    let at = |v: &[f64; 3]| std::array::from_fn(|k| v[k] * factor + shift[k]);
    Soup { vertices: soup.vertices.iter().map(at).collect(), triangles: soup.triangles.clone() }
}

/// One pose for both: whatever the matrix is, it changes nothing of what two solids have in common,
/// but hardly a number stays without rounding.
fn turned(random: &mut Random) -> Pose {
    let axis = DVec3::new(random.unit(), random.unit(), 0.1).normalize();
    let shift = DVec3::new(random.unit() * 9.0, -random.unit(), 3.0);
    Pose::from_quat(DQuat::from_axis_angle(axis, random.uniform(-3.0, 3.0)), shift).unwrap()
}

/// Asks in both orders.
fn check(a: &Soup, b: &Soup, place: &Pose, truth: Regions, what: &dyn std::fmt::Debug) {
    let (model_a, model_b) = (Model::new(mesh(a)), Model::new(mesh(b)));
    let mut workspace = Workspace::default();
    let answer = solids(&model_a, place, &model_b, place, &mut workspace);
    assert_eq!(plain(answer), truth, "{what:?}");
    let answer = solids(&model_b, place, &model_a, place, &mut workspace);
    assert_eq!(plain(answer), truth.swapped(), "swapped: {what:?}");
}

#[test]
fn the_named_positions() {
    let mut random = Random::new(1);
    let pile = |blocks: &[Block]| Pile { blocks: blocks.to_vec() };
    let one = |low, high| pile(&[Block::new(low, high)]);
    let large = one([0; 3], [4; 3]);
    let inward = |low, high| Block { outward: false, ..Block::new(low, high) };
    let hollow = pile(&[Block::new([0; 3], [4; 3]), inward([1; 3], [3; 3])]);
    let cases = [
        ("half overlapping, faces in line", &large, one([2, 0, 0], [6, 4, 4])),
        ("in the corner", &large, one([0; 3], [2; 3])),
        ("in the middle of a face", &large, one([1, 1, 0], [3, 3, 2])),
        ("deep within", &large, one([1; 3], [3; 3])),
        ("stacked", &large, one([0, 0, 4], [4, 4, 8])),
        ("edge on edge", &large, one([4, 4, 0], [6, 6, 4])),
        ("corner on corner", &large, one([4; 3], [6; 3])),
        (
            "the same of two halves",
            &large,
            pile(&[Block::new([0; 3], [4, 4, 2]), Block::new([0, 0, 2], [4; 3])]),
        ),
        (
            "the same of overlapping halves",
            &large,
            pile(&[Block::new([0; 3], [4, 4, 3]), Block::new([0, 0, 1], [4; 3])]),
        ),
        ("the same twice", &large, pile(&[Block::new([0; 3], [4; 3]), Block::new([0; 3], [4; 3])])),
        ("in the hollow", &hollow, one([1; 3], [3; 3])),
        (
            "in the hollow, clear of it",
            &pile(&[Block::new([0; 3], [6; 3]), inward([1; 3], [5; 3])]),
            one([2; 3], [4; 3]),
        ),
        ("over the hollow", &hollow, one([1, 1, 0], [3, 3, 4])),
        ("crossing bars", &one([0, 1, 1], [4, 3, 3]), one([1, 0, 1], [3, 4, 3])),
        ("inside out", &large, pile(&[inward([1; 3], [3; 3])])),
        ("far", &large, one([40; 3], [41; 3])),
    ];
    let mut kinds = Kinds::default();
    for (name, a, b) in &cases {
        let truth = regions(a, b);
        kinds.count(truth);
        for map in [PLAIN, SLANTED] {
            let (soup_a, soup_b) =
                (mapped(&a.soup(&mut random), &map), mapped(&b.soup(&mut random), &map));
            check(&soup_a, &soup_b, &Pose::IDENTITY, truth, name);
            check(&soup_a, &soup_b, &turned(&mut random), truth, name);
        }
    }
    assert!(
        kinds.apart >= 5
            && kinds.same >= 3
            && kinds.within >= 3
            && kinds.crossing >= 3
            && kinds.empty == 1,
        "{kinds:?}"
    );
}

#[test]
fn piles_of_boxes() {
    let mut random = Random::new(2);
    let mut kinds = Kinds::default();
    for round in 0..240 {
        let most = 1 + random.below(3);
        let some_inward = random.one_in(3);
        let a = Pile::random(&mut random, most, 4, some_inward);
        let b = match random.below(8) {
            0 => a.clone(),
            1 => a.moved(std::array::from_fn(|_| random.range(-1, 1))),
            _ => Pile::random(&mut random, most, 4, some_inward),
        };
        let truth = regions(&a, &b);
        kinds.count(truth);
        let map = if random.one_in(2) { PLAIN } else { SLANTED };
        let (factor, shift) =
            *random.choice(&[(1.0, 0.0), (2e6, -1e6), (0.5_f64.powi(20), 0.0), (1.0, 1e6)]);
        let mut soup =
            |pile: &Pile| scaled(&mapped(&pile.soup(&mut random), &map), factor, [shift; 3]);
        let (soup_a, soup_b) = (soup(&a), soup(&b));
        let place = if random.one_in(3) { Pose::IDENTITY } else { turned(&mut random) };
        check(&soup_a, &soup_b, &place, truth, &(round, &a, &b));
    }
    assert!(
        kinds.apart > 40
            && kinds.same > 20
            && kinds.within > 10
            && kinds.crossing > 60
            && kinds.empty > 20,
        "{kinds:?}"
    );
}

#[test]
fn lattice_tetrahedra() {
    let mut random = Random::new(3);
    let mut kinds = Kinds::default();
    for round in 0..800 {
        let mut a = tetrahedra::random(&mut random, 3);
        let b = match random.below(12) {
            0 => a.map(|p| p.map(|x| x + 1)),
            1 => a.map(|p| p.map(|x| 2 * x)),
            2 => [a[1], a[2], a[0], a[3]],
            3 => {
                // Half of it, with a face and two more sides in common.
                let middle = std::array::from_fn(|k| a[0][k] + a[3][k]);
                a = a.map(|p| p.map(|x| 2 * x));
                [a[0], a[1], a[2], middle]
            }
            _ => tetrahedra::random(&mut random, 3),
        };
        let truth = tetrahedra::regions(&a, &b);
        kinds.count(truth);
        let soup = |t: &tetrahedra::Tetrahedron| Soup {
            vertices: t.iter().map(|p| p.map(|x| x as f64)).collect(),
            triangles: tetrahedra::FACES.to_vec(),
        };
        let place = if random.one_in(3) { Pose::IDENTITY } else { turned(&mut random) };
        check(&soup(&a), &soup(&b), &place, truth, &(round, a, b));
    }
    assert!(
        kinds.apart > 100 && kinds.same > 40 && kinds.within > 30 && kinds.crossing > 300,
        "{kinds:?}"
    );
}

#[test]
fn winding_numbers_on_a_lattice() {
    let mut random = Random::new(4);
    let (mut on, mut many, mut negative) = (0, 0, 0);
    for _ in 0..150 {
        let pile = Pile::random(&mut random, 4, 4, true);
        let soup = scaled(&mapped(&pile.soup(&mut random), &SLANTED), 2.0, [0.0; 3]);
        let corners: Vec<_> = (0..soup.triangles.len())
            .map(|t| soup.triangle(t).map(|p| p.map(|x| x as i64)))
            .collect();
        let model = Model::new(mesh(&soup));
        let mut workspace = Workspace::default();
        for _ in 0..40 {
            let lattice: [i64; 3] = std::array::from_fn(|_| random.range(-1, 9));
            let point = SLANTED.map(|r| r[0] * lattice[0] + r[1] * lattice[1] + r[2] * lattice[2]);
            let place = DVec3::from_array(point.map(|x| x as f64));
            let answer = winding(&model, &Pose::IDENTITY, place, &mut workspace);
            let truth = wound::winding(&corners, point);
            assert_eq!(
                truth,
                (!answer.on_surface).then_some(answer.number as i32),
                "{pile:?} {point:?}"
            );
            on += u32::from(answer.on_surface);
            many += u32::from(truth.is_some_and(|n| n > 1));
            negative += u32::from(truth.is_some_and(|n| n < 0));
        }
    }
    assert!(on > 500 && many > 20 && negative > 50, "{on} {many} {negative}");
}

/// Each triangle cut into four, at the middles of its sides.
fn quartered(soup: &Soup) -> Soup {
    let middle = |p: [f64; 3], q: [f64; 3]| std::array::from_fn(|k| f64::midpoint(p[k], q[k]));
    let quarters = |index: usize| {
        let [a, b, c] = soup.triangle(index);
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
    };
    Soup::from_triangles(&(0..soup.triangles.len()).flat_map(quarters).collect::<Vec<_>>())
}

/// Two tetrahedra in a cube: what they have in common is an octahedron without any part of an
/// original edge. Each is also within a copy of itself that is buried in the mesh, so that no
/// triangle is clean and nothing is told at once.
#[test]
fn a_common_part_without_original_edges() {
    let cube = |corners: [[i64; 3]; 4]| Soup {
        vertices: corners.iter().map(|p| p.map(|x| x as f64)).collect(),
        triangles: tetrahedra::FACES.to_vec(),
    };
    let a = cube([[0, 0, 0], [2, 2, 0], [0, 2, 2], [2, 0, 2]]);
    let b = cube([[2, 0, 0], [0, 2, 0], [0, 0, 2], [2, 2, 2]]);
    let twice = |soup: &Soup| Soup {
        vertices: soup.vertices.clone(),
        triangles: [soup.triangles.clone(), soup.triangles.clone()].concat(),
    };
    let [a, b] = [a, b].map(|soup| {
        // Wound outward, whichever way round the corners came.
        let turned = Model::new(mesh(&soup));
        let middle = winding(&turned, &Pose::IDENTITY, DVec3::ONE, &mut Workspace::default());
        let flip = |&[p, q, r]: &[u32; 3]| if middle.number < 0.0 { [p, r, q] } else { [p, q, r] };
        Soup { triangles: soup.triangles.iter().map(flip).collect(), ..soup }
    });
    let truth = Regions { both: true, only_a: true, only_b: true };
    let mut random = Random::new(5);
    for place in [Pose::IDENTITY, turned(&mut random)] {
        check(&a, &b, &place, truth, &"once");
        check(&twice(&a), &twice(&b), &place, truth, &"twice");
        check(&a, &twice(&a), &place, Regions { both: true, ..Regions::default() }, &"the same");
        // Cut so that the surfaces cross along edges in the middle of flat faces, and no two
        // triangles cross.
        check(&quartered(&a), &quartered(&b), &place, truth, &"cut");
        check(&quartered(&a), &b, &place, truth, &"one of them cut");
    }
}
