//! View frusta: the exact classification against the oracle, culling against looking at every
//! triangle.

use elbowroom::internal::bvh::Config;
use elbowroom::internal::model::Model;
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::{Family, Fit, Obb, Spatial};
use elbowroom::{Mesh, Pose};
use elbowroom_motion::crowd::camera::Camera;
use elbowroom_papers::obbtree::{Culled, Frustum, FrustumErrorKind, View, cull};
use elbowroom_testkit::oracle::{PlainPose, Relation, relation};
use elbowroom_testkit::random::Random;
use elbowroom_tests::common;
use glam::{DMat3, DVec3};

/// Near square of half side 1 at z = −1, far square of half side 4 at z = −4: exactly flat faces.
fn stump() -> [DVec3; 8] {
    std::array::from_fn(|i| {
        let depth = if i < 4 { 1.0 } else { 4.0 };
        let [x, y] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]][i % 4];
        DVec3::new(x * depth, y * depth, -depth)
    })
}

fn point(random: &mut Random, half: f64) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| random.uniform(-half, half)))
}

fn turned(random: &mut Random, far: f64) -> Pose {
    let axis = point(random, 1.0).try_normalize().unwrap_or(DVec3::X);
    let rotation = DMat3::from_axis_angle(axis, random.uniform(-3.0, 3.0));
    Pose::new(rotation, point(random, far)).unwrap()
}

#[test]
fn triangles_are_classified_as_the_oracle_says() {
    let corners = stump();
    let frustum = Frustum::new(corners).unwrap();
    // The six faces, each cut in two.
    let quads =
        [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];
    let faces: Vec<[[f64; 3]; 3]> = quads
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
        .map(|t| t.map(|i| corners[i].to_array()))
        .collect();
    let within = |[x, y, z]: [f64; 3]| (1.0..=4.0).contains(&-z) && x.abs() <= -z && y.abs() <= -z;
    let mut random = Random::new(31);
    let mut met = [0; 3];
    for _ in 0..4000 {
        let mut corner = || -> [f64; 3] {
            let halves = [random.range(-9, 9), random.range(-9, 9), random.range(-10, 1)];
            halves.map(|x| x as f64 / 2.0)
        };
        let mut triangle = [corner(), corner(), corner()];
        match random.below(4) {
            0 => triangle[2] = triangle[1],
            1 => {
                // Small ones, or hardly any is inside.
                for corner in 1..3 {
                    triangle[corner] = std::array::from_fn(|axis| {
                        triangle[0][axis] + random.range(-1, 1) as f64 / 2.0
                    });
                }
            }
            _ => {}
        }
        let meets = || {
            let apart = |face| {
                relation(face, &PlainPose::IDENTITY, &triangle, &PlainPose::IDENTITY)
                    == Relation::Apart
            };
            !faces.iter().all(apart)
        };
        let truth = if triangle.iter().all(|&p| within(p)) {
            View::Inside
        } else if triangle.iter().any(|&p| within(p)) || meets() {
            View::Crossing
        } else {
            View::Outside
        };
        let found = frustum.classify_triangle(&Pose::IDENTITY, triangle.map(DVec3::from_array));
        assert_eq!(found, truth, "{triangle:?}");
        met[found as usize] += 1;
    }
    println!("inside, outside, crossing: {met:?}");
    assert!(met.iter().all(|&n| n > 200), "{met:?}");
}

/// A box is never said to be more than its corners and inner points show.
#[test]
fn boxes_are_classified_only_when_certain() {
    let mut random = Random::new(32);
    let mut met = [0; 3];
    for _ in 0..3000 {
        let camera = any_camera(&mut random);
        let frustum = Frustum::of_camera(&camera).unwrap();
        let half = point(&mut random, 2.0).abs() * random.unit();
        let turn = turned(&mut random, 12.0);
        let volume = Obb { center: turn.translation(), axes: turn.rotation(), half };
        let view = frustum.classify_box(&volume);
        met[view as usize] += 1;
        let corners = volume.corners();
        let sample =
            |random: &mut Random| volume.center + volume.axes * (half * point(random, 1.0));
        let inner = (0..16).map(|_| sample(&mut random));
        for p in corners.into_iter().chain(inner) {
            let point = frustum.classify_triangle(&Pose::IDENTITY, [p; 3]);
            match view {
                View::Inside => assert_eq!(point, View::Inside, "{camera:?} {volume:?}"),
                View::Outside => assert_eq!(point, View::Outside, "{camera:?} {volume:?}"),
                View::Crossing => {}
            }
        }
    }
    println!("inside, outside, crossing: {met:?}");
    assert!(met.iter().all(|&n| n > 100), "{met:?}");
    // What has no bounds is neither.
    let everything = Frustum::new(stump()).unwrap().classify_box(&Obb::EVERYTHING);
    assert_eq!(everything, View::Crossing);
    // The separating direction of an edge against an edge: no face normal tells these apart.
    let frustum = Frustum::new(stump()).unwrap();
    let edge = DVec3::new(2.0, 2.0, -2.0);
    let across = DVec3::new(1.0, -1.0, 0.0).normalize();
    let axes = DMat3::from_cols(across, DVec3::Z, across.cross(DVec3::Z));
    let long = |gap: f64| Obb {
        center: edge + axes.col(2) * (gap * axes.col(2).dot(edge).signum()),
        axes,
        half: DVec3::new(9.0, 0.1, 0.0),
    };
    assert_eq!(frustum.classify_box(&long(0.5)), View::Outside);
    assert_eq!(frustum.classify_box(&long(-0.5)), View::Crossing);
}

fn any_camera(random: &mut Random) -> Camera {
    Camera {
        eye: point(random, 6.0),
        forward: point(random, 1.0),
        up: point(random, 1.0),
        fov_y: random.uniform(0.2, 2.0),
        aspect: random.uniform(0.5, 2.5),
        near: random.uniform(0.01, 2.0),
        far: random.uniform(3.0, 30.0),
    }
}

/// Triangles of all sizes, degenerate ones and copies among them.
fn soup(random: &mut Random, count: usize) -> Mesh {
    let mut vertices = Vec::new();
    while vertices.len() < 3 * count {
        let center = point(random, 5.0);
        let size = 2_f64.powi(random.range(-6, 1) as i32);
        let mut corner = || center + point(random, size);
        let mut corners = [corner(), corner(), corner()];
        match random.below(8) {
            0 => corners[1] = corners[0],
            1 if !vertices.is_empty() => corners = [vertices[0], vertices[1], vertices[2]],
            _ => {}
        }
        vertices.extend(corners);
    }
    let triangles = (0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh::new(vertices, triangles).unwrap()
}

/// A torus that stands askew in its own frame, so that no box has luck.
fn torus(around: u32, along: u32) -> Mesh {
    let full = std::f64::consts::TAU;
    let askew = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, 0.5).normalize(), 0.7);
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..around {
        for j in 0..along {
            let (u, v) =
                (full * f64::from(i) / f64::from(around), full * f64::from(j) / f64::from(along));
            let ring = 4.0 + 0.5 * v.cos();
            vertices.push(askew * DVec3::new(ring * u.cos(), 0.5 * v.sin(), ring * u.sin()));
            let at = |i: u32, j: u32| (i % around) * along + j % along;
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[a, c, b], [a, d, c]]);
        }
    }
    Mesh::new(vertices, triangles).unwrap()
}

fn brute(mesh: &Mesh, placement: &Pose, frustum: &Frustum) -> [Vec<u32>; 2] {
    let mut lists = [vec![], vec![]];
    for i in 0..mesh.triangles().len() {
        match frustum.classify_triangle(placement, mesh.triangle(i)) {
            View::Inside => lists[0].push(i as u32),
            View::Crossing => lists[1].push(i as u32),
            View::Outside => {}
        }
    }
    lists
}

#[test]
fn culling_equals_looking_at_every_triangle() {
    let mut random = Random::new(33);
    let mut workspace = Workspace::default();
    let mut met = [0, 0, 0];
    let mut views = 0;
    for round in 0..6 {
        let mesh = if round == 0 { torus(24, 12) } else { soup(&mut random, 300) };
        let models: Vec<Model> =
            common::configs().iter().map(|c| Model::with_config(mesh.clone(), c)).collect();
        for view in 0..10 {
            let frustum = if view == 0 {
                Frustum::new(stump()).unwrap()
            } else {
                Frustum::of_camera(&any_camera(&mut random)).unwrap()
            };
            let placement = turned(&mut random, 2.0);
            let [inside, crossing] = brute(&mesh, &placement, &frustum);
            met[0] += inside.len();
            met[1] += crossing.len();
            met[2] += mesh.triangles().len() - inside.len() - crossing.len();
            for model in &models {
                let culled = cull(model, &placement, &frustum, &mut workspace);
                assert_eq!(culled.inside, inside, "{:?}", model.config());
                assert_eq!(culled.crossing, crossing, "{:?}", model.config());
                views += 1;
            }
        }
    }
    println!("{views} views; triangles inside, crossing, outside {met:?}");
    assert_eq!(views, 60 * common::configs().len());
    assert!(met.iter().all(|&n| n > 400), "{met:?}");
}

/// All in view, none in view, and the near and far planes across the model.
#[test]
fn whole_subtrees_are_not_descended() {
    let mesh = torus(96, 64);
    let count = mesh.triangles().len();
    let model = Model::new(mesh);
    let here = Pose::IDENTITY;
    let look = |camera: Camera| -> Culled {
        let frustum = Frustum::of_camera(&camera).unwrap();
        cull(&model, &here, &frustum, &mut Workspace::default())
    };
    let back = Camera { eye: DVec3::new(0.0, 0.0, 40.0), ..Camera::default() };
    let all = look(back);
    assert_eq!((all.inside.len(), all.crossing.len()), (count, 0));
    assert_eq!((all.tally.volumes(), all.tally.primitives), (1, 0));
    let none = look(Camera { forward: DVec3::Z, ..back });
    assert_eq!((none.inside.len(), none.crossing.len()), (0, 0));
    assert_eq!((none.tally.volumes(), none.tally.primitives), (1, 0));
    let near = look(Camera { near: 40.0, ..back });
    let far = look(Camera { far: 40.0, ..back });
    for cut in [&near, &far] {
        assert!(cut.inside.len() > count / 4 && cut.crossing.len() > 50, "{}", cut.crossing.len());
        assert!(cut.tally.volumes() < count as u64 / 2, "{:?}", cut.tally);
        println!("{:?}: {} inside, {} crossing", cut.tally, cut.inside.len(), cut.crossing.len());
    }
    // The two planes are one, rounded alike: what is inside of one crosses or is outside the other.
    assert!(near.inside.iter().all(|i| !far.inside.contains(i)));
}

/// The paper's expectation: oriented boxes serve culling better than aligned ones.
#[test]
fn oriented_boxes_are_descended_less() {
    let mesh = torus(192, 64);
    let model = |family| Model::with_config(mesh.clone(), &Config::default().with_family(family));
    let models = [model(Family::Obb), model(Family::Aabb)];
    let mut random = Random::new(34);
    let mut work = [[0, 0]; 2];
    let mut seen = 0;
    for _ in 0..100 {
        let frustum = Frustum::of_camera(&any_camera(&mut random)).unwrap();
        let placement = turned(&mut random, 2.0);
        for (model, work) in models.iter().zip(&mut work) {
            let culled = cull(model, &placement, &frustum, &mut Workspace::default());
            work[0] += culled.tally.volumes();
            work[1] += culled.tally.primitives;
            seen += culled.inside.len() + culled.crossing.len();
        }
    }
    println!("nodes and triangles, OBB {:?}, AABB {:?}; {seen} seen", work[0], work[1]);
    assert!(seen > 10_000);
    assert!(work[0][0] < work[1][0] && work[0][1] < work[1][1], "{work:?}");
    assert!(work[1][0] < 100 * mesh.triangles().len() as u64);
}

#[test]
fn any_size_is_culled() {
    let mut random = Random::new(35);
    let mut met = [0; 2];
    for scale in [2_f64.powi(-1000), 2_f64.powi(-400), 2_f64.powi(400), 2_f64.powi(1000)] {
        let base = soup(&mut random, 150);
        let vertices = base.vertices().iter().map(|&p| p * scale).collect();
        let mesh = Mesh::new(vertices, base.triangles().to_vec()).unwrap();
        let frustum = Frustum::new(stump().map(|p| p * scale)).unwrap();
        for family in Family::ALL {
            let config = Config::default().with_family(family);
            let model = Model::with_config(mesh.clone(), &config);
            let culled = cull(&model, &Pose::IDENTITY, &frustum, &mut Workspace::default());
            let [inside, crossing] = brute(&mesh, &Pose::IDENTITY, &frustum);
            met[0] += inside.len();
            met[1] += crossing.len();
            assert_eq!([culled.inside, culled.crossing], [inside, crossing]);
        }
    }
    assert!(met.iter().all(|&n| n > 100), "{met:?}");
}

#[test]
fn the_door() {
    let kind = |corners| Frustum::new(corners).unwrap_err().kind().clone();
    let mut corners = stump();
    corners[3].y = f64::NAN;
    assert!(matches!(kind(corners), FrustumErrorKind::NonFinite { corner: 3, axis: 1, .. }));
    assert_eq!(kind(stump().map(|p| DVec3::new(p.x, p.y, 0.0))), FrustumErrorKind::Flat);
    assert_eq!(kind([DVec3::ONE; 8]), FrustumErrorKind::Flat);
    let mut corners = stump();
    corners[5] = DVec3::new(0.0, 0.0, -2.0);
    assert_eq!(kind(corners), FrustumErrorKind::NotConvex { corner: 5 });
    // A pyramid, with its near square in one point, is a frustum too.
    let pyramid = stump().map(|p| if p.z == -1.0 { DVec3::ZERO } else { p });
    assert_eq!(
        Frustum::new(pyramid)
            .unwrap()
            .classify_box(&Obb::of_triangles(&[[DVec3::new(0.0, 0.0, -0.5); 3]], Fit::Vertices)),
        View::Inside
    );
    let camera = |change: fn(&mut Camera)| {
        let mut camera = Camera::default();
        change(&mut camera);
        Frustum::of_camera(&camera).unwrap_err().to_string()
    };
    let errors = [
        camera(|c| c.eye.x = f64::INFINITY),
        camera(|c| c.forward = DVec3::ZERO),
        camera(|c| c.up = DVec3::Z * 3.0),
        camera(|c| c.fov_y = 3.2),
        camera(|c| c.aspect = 0.0),
        camera(|c| c.near = 0.0),
        camera(|c| c.far = f64::NAN),
    ];
    let fields = ["eye", "forward", "up", "fov_y", "aspect", "near", "far"];
    for (error, field) in errors.iter().zip(fields) {
        assert!(error.contains(&format!("camera's {field} must")), "{error}");
    }
}
