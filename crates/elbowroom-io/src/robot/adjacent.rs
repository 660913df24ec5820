//! Which links of a robot always touch, because they are joined.
//!
//! Links that no joint variable moves against each other are one body; a body and the one that it
//! hangs on overlap at their joint by design. Both kinds of pairs are allowed to touch, as
//! simulators do it.

use crate::limits::JOINED_PAIRS;

/// A link, as far as this needs to know it.
pub(crate) struct Link {
    pub(crate) parent: Option<usize>,
    /// Whether a joint variable moves it against its parent.
    pub(crate) moves: bool,
    /// Whether it has something that can touch.
    pub(crate) has_parts: bool,
    /// Whether it is the world, whose children do touch it: feet on a floor.
    pub(crate) is_world: bool,
}

/// The pairs of links, lower first, that are joined. Parents come before their children.
///
/// `None` if there are more than a million.
pub(crate) fn pairs(links: &[Link]) -> Option<Vec<(u32, u32)>> {
    // The first link of the body that each is part of.
    let mut body: Vec<usize> = Vec::with_capacity(links.len());
    for (index, link) in links.iter().enumerate() {
        body.push(match link.parent {
            Some(parent) if !link.moves => body[parent],
            _ => index,
        });
    }
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); links.len()];
    for (index, link) in links.iter().enumerate() {
        if link.has_parts {
            members[body[index]].push(index as u32);
        }
    }
    let mut pairs = Vec::new();
    for (first, group) in members.iter().enumerate() {
        let above = links[first].parent.map(|parent| body[parent]);
        let above = above.filter(|&above| !links[above].is_world).map(|above| &members[above]);
        let within = group.len() * group.len().saturating_sub(1) / 2;
        let between = above.map_or(0, |above| above.len().saturating_mul(group.len()));
        if pairs.len().saturating_add(within).saturating_add(between) > JOINED_PAIRS {
            return None;
        }
        for (i, &a) in group.iter().enumerate() {
            pairs.extend(group[i + 1..].iter().map(|&b| (a, b)));
            pairs.extend(above.into_iter().flatten().map(|&b| (a.min(b), a.max(b))));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    Some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_links_may_touch() {
        let link = |parent, moves, has_parts| Link { parent, moves, has_parts, is_world: false };
        // base – arm (moves) – cover (fixed on arm) – hand (moves, on cover) – empty – finger
        // (moves)
        let links = [
            link(None, false, true),
            link(Some(0), true, true),
            link(Some(1), false, true),
            link(Some(2), true, true),
            link(Some(3), true, false),
            link(Some(4), true, true),
        ];
        let found = pairs(&links).unwrap();
        assert_eq!(found, [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]);
        let mut on_floor = links;
        on_floor[0].is_world = true;
        assert_eq!(pairs(&on_floor).unwrap(), [(1, 2), (1, 3), (2, 3)]);
    }

    #[test]
    fn a_million_welded_links_are_refused() {
        let link = |parent| Link { parent, moves: false, has_parts: true, is_world: false };
        let mut links = vec![link(None)];
        links.extend((0..5000).map(|_| link(Some(0))));
        assert!(pairs(&links).is_none());
    }
}
