//! Pairs that may touch, by name.
//!
//! A name is that of an object (`cup`), or of a part of one (`ann/LeftHand`). Where parts are those
//! of several meshes, a joint means all its parts (`ann/LeftHand`), and mesh and joint one of them
//! (`ann/shirt/LeftHand`). A star at its beginning or its end stands for anything:
//! `crowd*`, `*/LeftHand`, `*`. Each side of a rule is compared with all names once, and becomes a
//! list of what it covers.

use std::collections::HashMap;

use super::cast::Role;
use super::error::{SceneError, SceneErrorKind};

/// What one side of a rule covers of one object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Cover {
    Nothing,
    All,
    /// By part of the object.
    Some(Box<[bool]>),
}

impl Cover {
    fn of(pattern: &str, name: &str, role: &Role) -> Self {
        if fits(pattern, name) {
            return Self::All;
        }
        // Names may have strokes in them, so every one may be the one before the part.
        let splits =
            || pattern.match_indices('/').map(|(at, _)| (&pattern[..at], &pattern[at + 1..]));
        let is_meant =
            |part: &str| splits().any(|(object, own)| fits(object, name) && fits(own, part));
        let joint = |place: usize| role.joints.get(place).is_some_and(|joint| is_meant(joint));
        let parts = role.parts.iter().enumerate();
        let covered: Box<[bool]> =
            parts.map(|(place, part)| is_meant(part) || joint(place)).collect();
        Self::of_parts(covered)
    }

    fn of_parts(covered: Box<[bool]>) -> Self {
        match (covered.contains(&true), covered.contains(&false)) {
            (false, _) => Self::Nothing,
            (true, true) => Self::Some(covered),
            (true, false) => Self::All,
        }
    }

    /// What either of two covers of one object covers.
    fn or(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::All, _) | (_, Self::All) => Self::All,
            (Self::Nothing, cover) | (cover, Self::Nothing) => cover.clone(),
            (Self::Some(a), Self::Some(b)) => {
                Self::of_parts(a.iter().zip(b).map(|(a, b)| *a || *b).collect())
            }
        }
    }

    fn has(&self, part: u32) -> bool {
        match self {
            Self::Nothing => false,
            Self::All => true,
            Self::Some(parts) => parts[part as usize],
        }
    }
}

/// Whether a pattern with at most one star, at one of its ends, fits a name.
fn fits(pattern: &str, name: &str) -> bool {
    match (pattern.strip_suffix('*'), pattern.strip_prefix('*')) {
        (Some(start), _) => name.starts_with(start),
        (_, Some(end)) => name.ends_with(end),
        _ => pattern == name,
    }
}

/// Two patterns whose objects or parts may touch.
#[derive(Debug)]
struct Rule {
    /// By object.
    sides: [Vec<Cover>; 2],
}

/// How much of a pair of objects may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    /// No pair is allowed to touch: all contact counts.
    None,
    /// Some pairs of their parts.
    Parts,
    /// Everything: they need not be compared.
    All,
}

/// All rules of a scene.
#[derive(Debug, Default)]
pub(super) struct Allowed {
    rules: Vec<Rule>,
    /// Objects that the rules cover alike as wholes are of one class; its number, by object.
    classes: Vec<u32>,
    /// An object of each class.
    heads: Vec<usize>,
}

impl Allowed {
    /// Compares pairs of patterns with the names of the objects and their parts.
    pub(super) fn new(
        pairs: &[(String, String)],
        names: &[&str],
        roles: &[Role],
    ) -> Result<Self, SceneError> {
        let side = |pattern: &String| {
            let covers: Vec<Cover> = names
                .iter()
                .zip(roles)
                .map(|(name, role)| Cover::of(pattern, name, role))
                .collect();
            if covers.iter().any(|cover| *cover != Cover::Nothing) {
                return Ok(covers);
            }
            let nearest = nearest(pattern, names, roles);
            Err(SceneError::from(SceneErrorKind::NothingAllowed {
                pattern: pattern.clone(),
                nearest,
            }))
        };
        let rule = |(a, b): &(String, String)| Ok(Rule { sides: [side(a)?, side(b)?] });
        let rules = pairs.iter().map(rule).collect::<Result<Vec<Rule>, SceneError>>()?;
        let rules = with_unions(rules);
        let (mut known, mut heads) = (HashMap::new(), Vec::new());
        let class = |object: usize| {
            let covers = rules.iter().flat_map(|rule| &rule.sides);
            let wholly: Vec<bool> = covers.map(|side| side[object] == Cover::All).collect();
            *known.entry(wholly).or_insert_with(|| {
                heads.push(object);
                heads.len() as u32 - 1
            })
        };
        let classes = (0..names.len()).map(class).collect();
        Ok(Self { rules, classes, heads })
    }

    /// How many pairs of some objects need not be compared. By classes: of a crowd that may touch
    /// the floor there are two.
    pub(super) fn pairs_left_out(&self, objects: &[usize]) -> u64 {
        let mut counts = vec![0_u64; self.heads.len()];
        for &object in objects {
            counts[self.classes[object] as usize] += 1;
        }
        let mut sum = 0;
        for (i, &head) in self.heads.iter().enumerate() {
            for (j, &other) in self.heads[..=i].iter().enumerate() {
                if counts[i] * counts[j] > 0 && self.objects(head, other) == Leave::All {
                    let pairs = counts[i] * counts[j];
                    sum += if i == j { (pairs - counts[i]) / 2 } else { pairs };
                }
            }
        }
        sum
    }

    /// How much of two objects may touch.
    pub(super) fn objects(&self, a: usize, b: usize) -> Leave {
        let mut leave = Leave::None;
        for rule in &self.rules {
            for (first, second) in [(a, b), (b, a)] {
                match (&rule.sides[0][first], &rule.sides[1][second]) {
                    (Cover::Nothing, _) | (_, Cover::Nothing) => {}
                    (Cover::All, Cover::All) => return Leave::All,
                    _ => leave = Leave::Parts,
                }
            }
        }
        leave
    }

    /// Whether parts of two objects may touch.
    pub(super) fn parts(&self, (a, part_a): (usize, u32), (b, part_b): (usize, u32)) -> bool {
        self.rules.iter().any(|Rule { sides: [first, second] }| {
            (first[a].has(part_a) && second[b].has(part_b))
                || (first[b].has(part_b) && second[a].has(part_a))
        })
    }
}

/// The rules, and what those with one side in common say together: where they name all parts of an
/// object one by one, the whole object may touch, and is not examined.
fn with_unions(mut rules: Vec<Rule>) -> Vec<Rule> {
    let (mut place_of, mut unions): (HashMap<&[Cover], usize>, Vec<Rule>) = Default::default();
    let mut grown = Vec::new();
    for Rule { sides: [a, b] } in &rules {
        for (common, other) in [(a, b), (b, a)] {
            let place = *place_of.entry(common.as_slice()).or_insert_with(|| {
                unions.push(Rule { sides: [common.clone(), other.clone()] });
                grown.push(false);
                unions.len() - 1
            });
            let union = &mut unions[place].sides[1];
            for (cover, more) in union.iter_mut().zip(other) {
                let both = cover.or(more);
                grown[place] |= both != *cover;
                *cover = both;
            }
        }
    }
    let mut grown = grown.into_iter();
    unions.retain(|_| grown.next() == Some(true));
    rules.extend(unions);
    rules
}

/// The name of an object or part that takes the fewest changes of letters to become the pattern, if
/// they are few.
fn nearest(pattern: &str, names: &[&str], roles: &[Role]) -> Option<String> {
    let wanted = pattern.trim_matches('*');
    let full = names.iter().zip(roles).flat_map(|(name, role)| {
        let parts = role.parts.iter().map(move |part| format!("{name}/{part}"));
        std::iter::once((*name).to_owned()).chain(parts)
    });
    // A large scene has names by the hundred thousand; the first ones will do.
    let ranked = full.take(10_000).map(|name| (distance(wanted, &name), name));
    let (changes, name) = ranked.min()?;
    (changes <= 1 + wanted.chars().count() / 3).then_some(name)
}

/// How many letters have to be put in, taken out or exchanged (Levenshtein, 1965).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let exchanged = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = exchanged.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_at_the_ends() {
        let cases = [
            ("cup", "cup", true),
            ("cup", "cups", false),
            ("cup*", "cups", true),
            ("*up", "cup", true),
            ("*", "", true),
            ("c*p", "cup", false),
            ("*cup*", "cup", false),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn pairs_are_counted_by_classes() {
        let names: Vec<String> =
            (0..40).map(|i| format!("{}{i}", ["p", "q", "cup"][i % 3])).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let role = || Role {
            parts: vec!["hand".to_owned()],
            joints: Vec::new(),
            cuts: Vec::new(),
            vertices: 0,
            triangles: 0,
            own: std::sync::Arc::default(),
        };
        let roles: Vec<Role> = names.iter().map(|_| role()).collect();
        let rules: [&[(&str, &str)]; 5] = [
            &[],
            &[("p*", "q*")],
            &[("p*", "p*"), ("cup2", "*")],
            &[("*", "*")],
            &[("q1", "cup*"), ("p3", "p6"), ("p*", "q*/hand"), ("*", "q4")],
        ];
        let mut left_out = Vec::new();
        for rules in rules {
            let rules: Vec<_> = rules.iter().map(|&(a, b)| (a.into(), b.into())).collect();
            let allowed = Allowed::new(&rules, &names, &roles).expect("they name something");
            let objects: Vec<usize> = (0..40).filter(|object| object % 7 != 5).collect();
            let all = |(i, &a): (usize, &usize)| {
                let after = objects[i + 1..].iter();
                after.filter(|&&b| allowed.objects(a, b) == Leave::All).count() as u64
            };
            let expected: u64 = objects.iter().enumerate().map(all).sum();
            assert_eq!(allowed.pairs_left_out(&objects), expected);
            assert!(allowed.heads.len() <= 7);
            left_out.push(expected);
        }
        assert_eq!(left_out[0], 0);
        assert!(left_out[1..].iter().all(|&pairs| pairs > 10), "{left_out:?}");
    }

    #[test]
    fn distances_count_letters() {
        let cases = [("", "", 0), ("cup", "cups", 1), ("kitten", "sitting", 3), ("", "abc", 3)];
        for (a, b, expected) in cases {
            assert_eq!((distance(a, b), distance(b, a)), (expected, expected));
        }
    }
}
