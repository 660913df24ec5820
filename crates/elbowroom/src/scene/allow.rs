//! Pairs that may touch, by name.
//!
//! A name is that of an object (`cup`), or of a part of one (`ann/LeftHand`). A star at its beginning or its end stands for anything:
//! `crowd*`, `*/LeftHand`, `*`. Each side of a rule is compared with all names once, and becomes a list of what it covers.

use super::cast::Role;
use super::error::{SceneError, SceneErrorKind};

/// What one side of a rule covers of one object.
#[derive(Clone, Debug, PartialEq)]
enum Cover {
    Nothing,
    All,
    /// By part.
    Some(Box<[bool]>),
}

impl Cover {
    fn of(pattern: &str, name: &str, parts: &[String]) -> Self {
        if fits(pattern, name) {
            return Self::All;
        }
        // Names may have strokes in them, so every one may be the one before the part.
        let splits =
            || pattern.match_indices('/').map(|(at, _)| (&pattern[..at], &pattern[at + 1..]));
        let covered: Box<[bool]> = parts
            .iter()
            .map(|part| splits().any(|(object, own)| fits(object, name) && fits(own, part)))
            .collect();
        if covered.contains(&true) { Self::Some(covered) } else { Self::Nothing }
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
    /// Nothing: all contact counts.
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
                .map(|(name, role)| Cover::of(pattern, name, &role.parts))
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
        let rules = pairs.iter().map(rule).collect::<Result<_, SceneError>>()?;
        Ok(Self { rules })
    }

    /// Whether nothing is allowed.
    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
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

/// The name of an object or part that takes the fewest changes of letters to become the pattern, if they are few.
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
    fn distances_count_letters() {
        let cases = [("", "", 0), ("cup", "cups", 1), ("kitten", "sitting", 3), ("", "abc", 3)];
        for (a, b, expected) in cases {
            assert_eq!((distance(a, b), distance(b, a)), (expected, expected));
        }
    }
}
