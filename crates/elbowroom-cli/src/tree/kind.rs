//! Which hierarchies there are, by name, and which of them fit a file.

use elbowroom_motion::space_time::{BoxShape, Kind as MotionKind};
use elbowroom_papers::bch::{self, Cut, Outline, Parts};
use elbowroom_papers::cab::{CabAxis, RefitMethod};
use elbowroom_papers::grammar::Family;
use elbowroom_papers::obbtree;
use elbowroom_papers::sbbk::{LayerChoice, Layers};

use super::subject::Subject;
use crate::messages::Refusal;

/// A hierarchy with what is special about it.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Triangles(obbtree::Config),
    Layers(LayerChoice, Start),
    Circles(bch::Config),
    Links(RefitMethod),
    Motion(MotionKind),
}

/// Where a question about two layered trees begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    Root,
    /// Where the last question stopped; raised where things part.
    Front,
    /// A front that is never raised, as the paper has it.
    KeptFront,
}

/// What a hierarchy is over: such kinds can be compared with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Meshes,
    Links,
    Motions,
}

impl Sort {
    pub(super) const ALL: [Self; 3] = [Self::Meshes, Self::Links, Self::Motions];

    /// What a pair that meets is made of.
    pub(super) fn pairs(self) -> &'static str {
        match self {
            Self::Meshes => "triangles",
            Self::Links => "links",
            Self::Motions => "samples",
        }
    }
}

/// A kind by its name.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// Whether it was asked for by its own name.
    pub(super) is_asked: bool,
}

/// What was asked for.
pub(super) enum Wanted {
    /// Nothing: what is usual.
    Usual,
    All,
    These(Vec<Named>),
}

impl Named {
    pub(super) fn sort(&self) -> Sort {
        match self.kind {
            Kind::Triangles(_) | Kind::Layers(..) | Kind::Circles(_) => Sort::Meshes,
            Kind::Links(_) => Sort::Links,
            Kind::Motion(_) => Sort::Motions,
        }
    }

    /// The structure's paper, by the module that has it.
    pub(super) fn structure(&self) -> &'static str {
        match self.kind {
            Kind::Triangles(_) => "obbtree",
            Kind::Layers(..) => "sbbk",
            Kind::Circles(_) => "bch",
            Kind::Links(_) => "cab",
            Kind::Motion(_) => "mobb",
        }
    }

    /// The kinds that were named.
    pub(super) fn parse(words: &[String], k: u32) -> Result<Wanted, Refusal> {
        let known = known(k)?;
        if words.is_empty() {
            return Ok(Wanted::Usual);
        }
        if words.iter().any(|word| word.eq_ignore_ascii_case("all")) {
            return Ok(Wanted::All);
        }
        let mut found: Vec<Self> = Vec::new();
        for word in words {
            let named = known.iter().find(|it| it.name.eq_ignore_ascii_case(word));
            let named = named.ok_or_else(|| unknown(word, &known))?;
            if found.iter().all(|it| it.name != named.name) {
                found.push(Self { is_asked: true, ..named.clone() });
            }
        }
        Ok(Wanted::These(found))
    }
}

fn unknown(word: &str, known: &[Named]) -> Refusal {
    let is_dop = word.strip_suffix("-dop").is_some_and(|k| k.parse::<u32>().is_ok());
    let problem = if is_dop {
        format!("there is no {word}; k is one of 14, 18, 24 and 26")
    } else {
        format!("there is no kind {word:?}")
    };
    let names: Vec<&str> = known.iter().map(|it| it.name).collect();
    Refusal { problems: vec![problem], hint: format!("say all, or some of {}", names.join(", ")) }
}

/// Every kind there is.
fn known(k: u32) -> Result<Vec<Named>, Refusal> {
    let refused = |problem: String| Refusal {
        problems: vec![problem],
        hint: "say --k 14, 18, 24 or 26".to_owned(),
    };
    let layers = |made: Result<Layers, _>| {
        made.map(LayerChoice::ByHand)
            .map_err(|error: elbowroom_papers::sbbk::LayersError| refused(error.to_string()))
    };
    let sbbk = layers(Layers::sbbk(k, 1, 5))?;
    let kdop = layers(Layers::aabb_kdop(k, 3))?;
    let family = [Family::Kdop14, Family::Kdop18, Family::Kdop24, Family::Kdop26]
        .into_iter()
        .zip([14, 18, 24, 26])
        .find_map(|(family, of)| (of == k).then_some(family))
        .ok_or_else(|| refused(format!("there is no {k}-DOP")))?;
    let mut all = triangles(family);
    all.extend(LayerChoice::named().into_iter().take(6).map(|(name, choice)| {
        let choice = match name {
            "sbbk" => sbbk.clone(),
            "aabb-kdop" => kdop.clone(),
            _ => choice,
        };
        (name, Kind::Layers(choice, Start::Root))
    }));
    all.push(("sbbk-front", Kind::Layers(sbbk.clone(), Start::Front)));
    all.push(("sbbk-front-kept", Kind::Layers(sbbk, Start::KeptFront)));
    all.extend(circles());
    all.extend(links());
    all.extend(motions());
    Ok(all.into_iter().map(|(name, kind)| Named { name, kind, is_asked: false }).collect())
}

type Row = (&'static str, Kind);

fn triangles(k: Family) -> Vec<Row> {
    let paper = obbtree::Config::paper();
    let mut all = vec![
        ("obbtree", Kind::Triangles(paper)),
        ("rapid", Kind::Triangles(obbtree::Config::rapid())),
    ];
    let other = [Family::Aabb, Family::Sphere].into_iter().chain([
        Family::Kdop14,
        Family::Kdop18,
        Family::Kdop24,
        Family::Kdop26,
    ]);
    all.extend(other.map(|it| (it.name(), Kind::Triangles(paper.with_family(it)))));
    all.push(("k-dop", Kind::Triangles(paper.with_family(k))));
    all
}

fn circles() -> [Row; 7] {
    let paper = bch::Config { outline: Outline::Silhouette, ..bch::Config::paper() };
    let cut = |cut| Kind::Circles(bch::Config { cut, ..paper });
    [
        ("bch", Kind::Circles(paper)),
        ("bch-union", Kind::Circles(bch::Config::paper())),
        ("bch-center", cut(Cut::Center)),
        ("bch-area", cut(Cut::Area)),
        ("bch-covariance", cut(Cut::Covariance)),
        ("bch-triangles", Kind::Circles(bch::Config { parts: Parts::Triangles, ..paper })),
        ("bch-single", Kind::Circles(bch::Config { parts: Parts::Whole, ..paper })),
    ]
}

fn links() -> [Row; 6] {
    [
        RefitMethod::Cab(CabAxis::Longest),
        RefitMethod::Cab(CabAxis::Sum),
        RefitMethod::Covariance,
        RefitMethod::AabbCentre,
        RefitMethod::AabbCorners,
        RefitMethod::AabbVertices,
    ]
    .map(|method| (method.name(), Kind::Links(method)))
}

fn motions() -> [Row; 6] {
    [
        ("mobb", MotionKind::Mobb),
        ("umobb", MotionKind::Umobb),
        ("hybrid1", MotionKind::MobbThenUmobb),
        ("hybrid2", MotionKind::UmobbThenMobb),
        ("one-level", MotionKind::OneLevel(BoxShape::Upright)),
        ("one-level-free", MotionKind::OneLevel(BoxShape::Free)),
    ]
    .map(|(name, kind)| (name, Kind::Motion(kind)))
}

/// The kinds that are built: those asked for, each of which has to fit, or those that do.
pub(super) fn fitting(
    wanted: Wanted,
    subjects: &[Subject],
    questions: usize,
    k: u32,
) -> Result<Vec<Named>, Refusal> {
    let sorts = |sort| subjects.iter().all(|subject| subject.has(sort));
    let named = match wanted {
        Wanted::These(named) => {
            for it in &named {
                let without = subjects.iter().find(|subject| !subject.has(it.sort()));
                if let Some(subject) = without {
                    return Err(subject.lacks(it));
                }
            }
            return Ok(named);
        }
        Wanted::Usual if subjects.len() == 1 => {
            let usual = subjects[0].usual();
            known(k)?.into_iter().filter(|it| it.name == usual).collect()
        }
        Wanted::Usual => {
            let sort = subjects[0].main_sort();
            let same = subjects.iter().all(|subject| subject.main_sort() == sort);
            let sort = if same && sorts(sort) { sort } else { Sort::Meshes };
            known(k)?.into_iter().filter(|it| it.sort() == sort).collect()
        }
        Wanted::All => known(k)?,
    };
    // Without a question before it, a front is the root.
    let again = |it: &Named| {
        questions > 1 || !matches!(it.kind, Kind::Layers(_, Start::Front | Start::KeptFront))
    };
    let is_repeated = |it: &Named| it.name == "k-dop";
    let joined = subjects.iter().any(Subject::is_joined);
    let fits = |it: &Named| sorts(it.sort()) && (it.sort() != Sort::Links || joined);
    let kept: Vec<Named> =
        named.into_iter().filter(|it| fits(it) && again(it) && !is_repeated(it)).collect();
    if kept.is_empty() {
        return Err(Refusal {
            problems: vec!["no kind of hierarchy fits both files".to_owned()],
            hint: "name two meshes, two robots or characters, or two motions".to_owned(),
        });
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_name_of_its_own() {
        let known = known(18).unwrap();
        let mut names: Vec<&str> = known.iter().map(|it| it.name).collect();
        assert_eq!(names.len(), 36);
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 36);
        let words: Vec<String> = names.iter().map(|it| (*it).to_uppercase()).collect();
        let Ok(Wanted::These(found)) = Named::parse(&words, 26) else { panic!("a list of kinds") };
        assert_eq!(found.len(), 36);
    }

    #[test]
    fn what_is_no_kind_is_refused() {
        let problem = |word: &str, k| match Named::parse(&[word.to_owned()], k) {
            Err(refusal) => refusal.text(),
            Ok(_) => panic!("{word} is a kind"),
        };
        assert_eq!(problem("20-dop", 18), "there is no 20-dop; k is one of 14, 18, 24 and 26");
        assert_eq!(problem("octree", 18), "there is no kind \"octree\"");
        assert!(problem("sbbk", 20).contains("there is no 20-DOP"));
    }
}
