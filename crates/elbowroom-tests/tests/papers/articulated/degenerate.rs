//! Bodies at the ends of what numbers can say, and in one place.

use std::sync::Arc;

use elbowroom::{Mesh, Pose};
use elbowroom_papers::cab::{Allowed, LinkQuestion, Workspace, between, within};
use elbowroom_papers::cab::{ArticulatedBody, CabHierarchy, RefitMethod};
use glam::{DAffine3, DVec3};

use super::{bar, link, skeleton};

fn forest(meshes: Vec<Mesh>) -> Arc<ArticulatedBody> {
    let skeleton = skeleton(&vec![None; meshes.len()], &vec![DVec3::ZERO; meshes.len()]);
    let links = (0..).zip(meshes).map(|(joint, mesh)| link(joint, mesh, Pose::IDENTITY));
    Arc::new(ArticulatedBody::new(&skeleton, links.collect()).expect("good links"))
}

/// Everything in one point, or in one place: all pairs touch.
#[test]
fn all_links_in_one_place() {
    let mut workspace = Workspace::new();
    let point = || Mesh::new(vec![DVec3::splat(0.3)], vec![[0; 3]]).expect("a point");
    for meshes in [vec![point(); 6], vec![bar(1.0, 0.2, 0.2); 6], vec![bar(1.0, 0.0, 0.0); 6]] {
        let body = forest(meshes);
        for keep in RefitMethod::ALL {
            let mut a = CabHierarchy::new(Arc::clone(&body), keep);
            a.validate().expect("boxes hold points");
            let nothing = Allowed::nothing(&body);
            let found = within(&mut a, &nothing, &LinkQuestion::default(), &mut workspace);
            assert_eq!((found.contacts.len(), found.work.false_alarms), (15, 0), "{keep:?}");
            let mut b = a.clone();
            let found = between(&mut a, &mut b, &LinkQuestion::default(), &mut workspace);
            assert_eq!(found.contacts.len(), 36);
        }
    }
}

/// One link has one box and nothing to touch.
#[test]
fn one_link_alone() {
    let body = forest(vec![bar(1.0, 0.2, 0.1)]);
    let mut workspace = Workspace::new();
    for keep in RefitMethod::ALL {
        let mut a = CabHierarchy::new(Arc::clone(&body), keep);
        let allowed = Allowed::adjacent(&body);
        assert!(within(&mut a, &allowed, &LinkQuestion::default(), &mut workspace).is_clear());
        let mut b = a.clone();
        b.update(&[DAffine3::from_translation(DVec3::Y)]).expect("rigid");
        let found = between(&mut a, &mut b, &LinkQuestion::default(), &mut workspace);
        assert!(found.is_clear());
    }
}

/// Huge, tiny and far: every way sees the contact of neighbours and no other, and nothing panics.
#[test]
fn any_size_and_any_distance() {
    let mut workspace = Workspace::new();
    let mut met = 0;
    for scale in [1e-300, 1e-150, 1e-8, 1e8, 1e150, 1e290, 1e307] {
        let body = forest(vec![bar(scale, 0.2 * scale, 0.1 * scale); 4]);
        let at = |x: f64| DAffine3::from_translation(DVec3::X * (x * scale));
        for keep in RefitMethod::ALL {
            let mut a = CabHierarchy::new(Arc::clone(&body), keep);
            a.update(&[at(0.0), at(0.5), at(3.0), at(-4.0)]).expect("rigid");
            a.validate().expect("boxes hold links");
            let nothing = Allowed::nothing(&body);
            let found = within(&mut a, &nothing, &LinkQuestion::default(), &mut workspace);
            let shown: Vec<_> = found.contacts.iter().map(|c| (c.a, c.b)).collect();
            assert_eq!(shown, [(0, 1)], "{keep:?} at {scale:e}");
            met += 1;
        }
    }
    assert_eq!(met, 49);
    let body = forest(vec![bar(1.0, 0.2, 0.1); 3]);
    let at = |x: f64| DAffine3::from_translation(DVec3::new(x, -x, x));
    for keep in RefitMethod::ALL {
        let mut a = CabHierarchy::new(Arc::clone(&body), keep);
        let mut b = a.clone();
        // Their step overflows.
        a.update(&[at(1.7e308), at(-1.7e308), at(1.7e308)]).expect("rigid and finite");
        b.update_lazily(&[at(-1.7e308), at(0.0), at(1.0)]).expect("rigid and finite");
        let nothing = Allowed::nothing(&body);
        let found = within(&mut a, &nothing, &LinkQuestion::default(), &mut workspace);
        assert_eq!(found.contacts.iter().map(|c| (c.a, c.b)).collect::<Vec<_>>(), [(0, 2)]);
        let found = between(&mut a, &mut b, &LinkQuestion::default(), &mut workspace);
        assert_eq!(found.contacts.iter().map(|c| (c.a, c.b)).collect::<Vec<_>>(), [(1, 0)]);
    }
}
