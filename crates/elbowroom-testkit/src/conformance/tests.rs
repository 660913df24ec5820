//! The suite is right, as far as slow and independent methods can tell, and the runner notices what
//! is wrong.

use super::engine::run_on;
use super::{Answer, Body, Engine, Kind, Place, Question, Scene, Variant, format, load, run};
use crate::brute::all_pairs;
use crate::oracle::{Relation, relation};
use std::collections::BTreeMap;

mod measure;

use measure::{distance, placed, winding};

/// Surfaces by the rational oracle, pair by pair; the last scene's pairs are kept for the next
/// question.
#[derive(Default)]
struct Exact {
    last: Option<(Body, Body, Pairs)>,
}

/// Pairs of triangles, and whether they cross.
type Pairs = Vec<([u32; 2], bool)>;

impl Engine for Exact {
    fn meets(&mut self, a: &Body, b: &Body) -> Option<bool> {
        self.pairs(a, b).map(|pairs| !pairs.is_empty())
    }

    fn surface(&mut self, a: &Body, b: &Body, clearance: f64) -> Option<Kind> {
        let pairs = self.pairs(a, b)?;
        let kind = if is_duplicate(a, b) {
            Kind::Duplicate
        } else if pairs.iter().any(|(_, crossing)| *crossing) {
            Kind::Crossing
        } else if !pairs.is_empty() {
            Kind::Touching
        } else {
            Kind::Clear
        };
        // What is nearer than a clearance is measured in another test.
        (clearance == 0.0 || kind != Kind::Clear).then_some(kind)
    }

    fn pairs(&mut self, a: &Body, b: &Body) -> Option<Pairs> {
        if let Some((_, _, pairs)) = self.last.as_ref().filter(|(p, q, _)| p == a && q == b) {
            return Some(pairs.clone());
        }
        let plain = |(i, j, relation)| ([i, j], relation == Relation::Crossing);
        let found = all_pairs(&a.mesh, &a.pose, &b.mesh, &b.pose);
        let pairs: Pairs = found.into_iter().map(plain).collect();
        self.last = Some((a.clone(), b.clone(), pairs.clone()));
        Some(pairs)
    }

    fn is_within(&mut self, a: &Body, b: &Body, length: f64) -> Option<bool> {
        (length == 0.0).then(|| self.meets(a, b))?
    }

    fn is_closed(&mut self, body: &Body) -> Option<bool> {
        Some(is_closed(body))
    }
}

/// Whether two sets of placed triangles are equal. Rounding is the same for equal points, and no
/// case has points that differ by less.
fn is_duplicate(a: &Body, b: &Body) -> bool {
    let triangles = |body: &Body| {
        let bits = |p: [f64; 3]| p.map(|x| (x + 0.0).to_bits());
        let corners = |t: [[f64; 3]; 3]| {
            let mut corners = t.map(bits);
            corners.sort_unstable();
            corners
        };
        let mut all: Vec<_> = placed(body).into_iter().map(corners).collect();
        all.sort_unstable();
        all
    };
    triangles(a) == triangles(b)
}

/// Every edge is run through as often in one direction as in the other, vertices in one place being
/// one.
fn is_closed(body: &Body) -> bool {
    let bits = |p: [f64; 3]| p.map(|x| (x + 0.0).to_bits());
    let mut balance: BTreeMap<_, i32> = BTreeMap::new();
    for i in 0..body.mesh.triangles.len() {
        let [a, b, c] = body.mesh.triangle(i).map(bits);
        if a == b || b == c || c == a {
            continue;
        }
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *balance.entry((from.min(to), from.max(to))).or_default() +=
                if from < to { 1 } else { -1 };
        }
    }
    !balance.is_empty() && balance.values().all(|&n| n == 0)
}

#[test]
fn surfaces_and_pairs_are_the_oracles() {
    let report = run(&mut Exact::default());
    for failure in &report.failures {
        println!("{failure:#?}");
    }
    println!("{} cases, {} scenes, {:#?}", report.cases, report.scenes, report.asked);
    assert!(report.failures.is_empty(), "{} answers differ", report.failures.len());
    // How often each question is asked, so that a case that is lost is missed.
    let asked = |question: &str| {
        let asked = report.asked[question];
        asked.right + asked.wrong + asked.unanswered
    };
    assert_eq!((report.cases, report.scenes), (191, 1793));
    assert_eq!(["meets", "surface", "within", "closed"].map(asked), [1497, 2397, 2397, 1619]);
    assert_eq!(["pairs", "crossing_pairs", "pair_list"].map(asked), [1416, 1416, 30]);
    assert_eq!(["distance", "signed_distance"].map(asked), [1441, 1088]);
    assert_eq!(["solid", "solids_meet", "contains", "through"].map(asked), [1829, 1166, 1166, 283]);
    assert_eq!(["meets_itself", "self_pairs", "point"].map(asked), [180, 170, 612]);
    assert_eq!(report.asked["pairs"].right, 1416);
}

/// Small distances and those of large meshes are checked in the plain variant only, for time.
#[test]
fn distances_are_those_of_brute_force() {
    let (mut lengths, mut clearances) = (0, 0);
    for scene in load().iter().filter(|scene| scene.variant == Variant::Plain) {
        let Some(b) = &scene.b else { continue };
        let asked = |q: &Question| matches!(q, Question::Distance | Question::Within(_));
        if !scene.questions.iter().any(|(question, _)| asked(question)) {
            continue;
        }
        let Some(found) = distance(&scene.a, b) else { continue };
        for (question, expected) in &scene.questions {
            match (question, expected) {
                (Question::Distance, Answer::Length { value, tolerance }) => {
                    // Contacts are decided exactly elsewhere; brute force in doubles only comes
                    // near.
                    let off = (found - value).abs();
                    assert!(
                        off <= tolerance.max(1e-12 * value.max(1e-3)),
                        "{} {found}",
                        scene.case
                    );
                    lengths += 1;
                }
                (Question::Within(length), Answer::Yes(near)) if *length != found => {
                    let clearly = (found - length).abs() > 1e-9 * length.max(found);
                    assert!(!clearly || (found < *length) == *near, "{} {found}", scene.case);
                    clearances += 1;
                }
                _ => {}
            }
        }
    }
    println!("{lengths} lengths, {clearances} clearances");
    assert!(lengths > 130 && clearances > 100, "{lengths} {clearances}");
}

/// Points by solid angles, which are right unless a point is very near the surface.
#[test]
fn points_are_where_solid_angles_say() {
    let mut met = BTreeMap::new();
    for scene in load() {
        for (question, expected) in &scene.questions {
            let (Question::Point(p), Answer::Place(place)) = (question, expected) else { continue };
            // On the surface the sum means nothing; far out a step next to it is lost.
            if *place == Place::On || scene.case == "points of a box" {
                *met.entry("passed over").or_insert(0) += 1;
                continue;
            }
            let inside = winding(&placed(&scene.a), *p) > 0.5;
            assert_eq!(inside, *place == Place::Inside, "{} {:?} {p:?}", scene.case, scene.variant);
            *met.entry(if inside { "inside" } else { "outside" }).or_insert(0) += 1;
        }
    }
    println!("{met:?}");
    assert!(met["inside"] > 150 && met["outside"] > 150, "{met:?}");
}

/// Random points show which of the regions there are; none may be one that the expected kind
/// excludes.
#[test]
fn solids_are_not_contradicted_by_random_points() {
    let mut random = crate::random::Random::new(7);
    let mut seen_all = BTreeMap::new();
    let scenes = load();
    for scene in scenes.iter().filter(|scene| scene.variant == Variant::Plain) {
        let Some(b) = &scene.b else { continue };
        let answer = |wanted: &Question| {
            scene.questions.iter().find(|(question, _)| question == wanted).map(|(_, a)| a)
        };
        let Some(Answer::Kind(kind)) = answer(&Question::Solid(0.0)) else { continue };
        let side = answer(&Question::Contains);
        let (first, second) = (placed(&scene.a), placed(b));
        let mut seen = [false; 3];
        for _ in 0..400 {
            let p = measure::random_point(&first, &second, &mut random);
            match (winding(&first, p) > 0.5, winding(&second, p) > 0.5) {
                (true, true) => seen[0] = true,
                (true, false) => seen[1] = true,
                (false, true) => seen[2] = true,
                _ => {}
            }
        }
        let may_be = match kind {
            Kind::Clear | Kind::Clearance | Kind::Touching => [false, true, true],
            Kind::Crossing => [true; 3],
            Kind::Duplicate => [true, false, false],
            Kind::Containment if side == Some(&Answer::Side(super::Side::A)) => [true, true, false],
            Kind::Containment => [true, false, true],
        };
        for (seen, may_be) in seen.into_iter().zip(may_be) {
            assert!(!seen || may_be, "{} / {}: {kind:?} {seen:?}", scene.theme, scene.case);
        }
        let all = seen == may_be;
        let count = seen_all.entry(kind).or_insert([0, 0]);
        count[usize::from(all)] += 1;
    }
    println!("[in part, all regions seen] {seen_all:?}");
    // Slices of a hair's breadth are not hit by chance; most regions are.
    assert!(seen_all.values().all(|[_, all]| *all >= 8), "{seen_all:?}");
}

/// Triangles that share nothing meet themselves as the oracle says; for neighbours the list is made
/// by hand.
#[test]
fn own_pairs_are_the_oracles_where_no_vertex_is_shared() {
    let (mut apart, mut meeting) = (0, 0);
    for scene in load() {
        for (question, expected) in &scene.questions {
            let (Question::SelfPairs, Answer::Pairs(list)) = (question, expected) else { continue };
            let (mesh, pose) = (&scene.a.mesh, &scene.a.pose);
            for i in 0..mesh.triangles.len() {
                for j in i + 1..mesh.triangles.len() {
                    if mesh.triangles[i].iter().any(|v| mesh.triangles[j].contains(v)) {
                        continue;
                    }
                    let found = relation(&mesh.triangle(i), pose, &mesh.triangle(j), pose);
                    let listed = list.contains(&[i as u32, j as u32]);
                    assert_eq!(found != Relation::Apart, listed, "{} {i} {j}", scene.case);
                    if listed { meeting += 1 } else { apart += 1 }
                }
            }
        }
    }
    assert!(apart > 1000 && meeting > 30, "{apart} {meeting}");
}

/// An engine that says the same to everything.
struct Stubborn;

impl Engine for Stubborn {
    fn meets(&mut self, _: &Body, _: &Body) -> Option<bool> {
        Some(true)
    }
    fn distance(&mut self, _: &Body, _: &Body) -> Option<f64> {
        Some(f64::NAN)
    }
}

#[test]
fn a_wrong_engine_is_found_out() {
    let scenes: Vec<Scene> = load();
    let report = run_on(&scenes, &mut Stubborn);
    let meets = report.asked["meets"];
    assert!(meets.right > 300 && meets.wrong > 200 && meets.unanswered == 0, "{meets:?}");
    assert_eq!(report.asked["distance"].right, 0);
    assert_eq!(report.asked["solid"].right + report.asked["solid"].wrong, 0);
    let total = report.total();
    assert_eq!(report.failures.len(), total.wrong);
    assert_eq!(total.right + total.wrong + total.unanswered, questions(&scenes));
}

fn questions(scenes: &[Scene]) -> usize {
    scenes.iter().map(|scene| scene.questions.len()).sum()
}

#[test]
fn the_export_has_every_check_and_the_same_bits() {
    let scenes = load();
    let mut text = Vec::new();
    super::export(&scenes, &mut text).expect("a vector takes anything");
    let text = String::from_utf8(text).expect("JSON is text");
    let mut checks = 0;
    for (line, scene) in text.lines().zip(&scenes) {
        let value: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        checks += value["checks"].as_array().map_or(0, Vec::len);
        let vertices: Vec<[f64; 3]> =
            serde_json::from_value(value["a"]["vertices"].clone()).expect("vertices are triples");
        assert_eq!(vertices, scene.a.mesh.vertices, "{}", scene.case);
    }
    assert_eq!((text.lines().count(), checks), (scenes.len(), questions(&scenes)));
}

#[test]
fn malformed_cases_are_refused_by_name() {
    let cube = r#"{"box":{"min":[0,0,0],"max":[1,1,1]}}"#;
    let case = |b: &str, expect: &str, rest: &str| {
        format!(
            r#"{{"about":"x","cases":[{{"name":"n","why":"w","a":{cube},"b":{b},"expect":{{{expect}}}{rest}}}]}}"#
        )
    };
    let touching = r#""surface":"touching""#;
    assert!(format::parse("t", &case(cube, touching, "")).is_ok());
    let third = r#"{"sphere":{"center":[0.1,0,0],"radius":0.3,"level":1}}"#;
    let wrong = [
        (case(cube, r#""surface":"containment""#, ""), "of this kind"),
        (case(cube, r#""surface":"touching","solid":"containment""#, ""), "contains"),
        (case(cube, r#""surface":"touching","solid":"touching","through":"a""#, ""), "through"),
        (case(cube, r#""surface":"touching","distance":1"#, ""), "no distance"),
        (
            case(cube, r#""surface":"clear","distance":1,"clearance":[[2,false]]"#, ""),
            "contradicts",
        ),
        (case(third, touching, r#","also":["refine"]"#), "round"),
        (case(third, touching, r#","also":["far"]"#), "round"),
        (case(r#"{"sphere":{"center":[0,0,0],"radius":1,"level":9}}"#, touching, ""), "level 9"),
        (
            case(r#"{"mesh":{"vertices":[[0,0,0]],"triangles":[[0,0,1]]}}"#, touching, ""),
            "not there",
        ),
        (case(cube, r#""surface":"touching","colour":"red""#, ""), "colour"),
    ];
    for (text, problem) in wrong {
        let message = format::parse("t", &text).expect_err(problem);
        assert!(message.contains("case \"n\"") && message.contains(problem), "{message}");
    }
}
