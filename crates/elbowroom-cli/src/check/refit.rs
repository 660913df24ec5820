//! `--refit`: the hierarchy of boxes over links.

use elbowroom_motion::scene::{Finder, ObjectId, Scene, Seek};

use crate::args::{CheckArgs, Refit};
use crate::messages::Refusal;

/// A finder of meetings with a hierarchy of boxes.
#[cfg(feature = "papers")]
pub(crate) fn finder(refit: Refit, seek: Seek) -> Finder {
    use elbowroom_papers::cab::{CabAxis, LinkBoxes, RefitMethod};
    let method = match refit {
        Refit::Auto => return Finder::new(seek),
        Refit::Cab => RefitMethod::Cab(CabAxis::Longest),
        Refit::CabSum => RefitMethod::Cab(CabAxis::Sum),
        Refit::Obb => RefitMethod::Covariance,
        Refit::Aabb => RefitMethod::AabbCentre,
        Refit::AabbVertices => RefitMethod::AabbVertices,
    };
    Finder::new(seek).with_candidates(Box::new(LinkBoxes::new(method)))
}

/// Without the papers' structures there is only `auto`, and [`check`] refuses the others.
#[cfg(not(feature = "papers"))]
pub(crate) fn finder(_: Refit, seek: Seek) -> Finder {
    Finder::new(seek)
}

/// Refuses a hierarchy of boxes where there is nothing to keep boxes over.
///
/// # Errors
/// If no object has several links or meshes, or the program was built without the papers'
/// structures.
pub(crate) fn check(args: &CheckArgs, scene: &Scene) -> Result<(), Refusal> {
    let Some(refit) = args.refit else { return Ok(()) };
    if !cfg!(feature = "papers") && refit != Refit::Auto {
        return Err(Refusal {
            problems: vec![format!("--refit {} is not in this build", refit.name())],
            hint: "build with the feature `papers`, or leave it out: the findings are the same"
                .to_owned(),
        });
    }
    let mut objects = (0..scene.objects().len() as u32).map(ObjectId);
    if objects.any(|object| scene.pieces(object).len() > 1) {
        return Ok(());
    }
    Err(Refusal {
        problems: vec![
            "--refit needs an object with several links or meshes (a robot or a character), and no \
             object has more than one"
                .to_owned(),
        ],
        hint:
            "leave it out: a skin is one mesh whatever its joints, and rigid nodes of a glTF are \
               objects of their own, unless a scene file names it as a character"
                .to_owned(),
    })
}
