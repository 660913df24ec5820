//! Four boxes a block, from a binary tree.
//!
//! Of a node of the binary tree is asked: what does it cost in at most one, two, three, four lanes
//! of a block? In one lane it is a leaf, or a block of its own with the best four lanes; in more,
//! its two sides share them. The cost is what a query is expected to do below a box that it met: a
//! block costs once its surface, a leaf its surface for every triangle, times what a triangle
//! costs. So lanes are filled where it pays, and leaves are as large as is cheap.
//!
//! Source: Ylitie, Karras, Laine, *Efficient incoherent ray traversal on GPUs through compressed
//! wide BVHs*, 2017, section 3.1. We differ in four lanes for eight, and in surfaces of oriented
//! boxes.

/// What a node costs in at most 1, 2, 3, 4 lanes, and how it comes to that.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Choice {
    cost: [f32; 4],
    /// For 2, 3, 4 lanes: how many of them the left side takes; zero if one lane for both is as
    /// good. And, first, how many of four if the node is a block of its own; zero if it is a
    /// leaf.
    left: [u8; 4],
}

impl Choice {
    /// One lane, which costs nothing.
    pub(super) const NONE: Self = Self { cost: [0.0; 4], left: [0; 4] };

    /// Of what is one lane whatever happens.
    pub(super) fn leaf(cost: f32) -> Self {
        Self { cost: [cost; 4], left: [0; 4] }
    }

    /// Of a node with two sides: what it would cost as a leaf, perhaps infinite, and what a block
    /// costs beside its lanes.
    #[inline]
    pub(super) fn inner(leaf: f32, block: f32, left: &Self, right: &Self) -> Self {
        let (l, r) = (&left.cost, &right.cost);
        let two = (l[0] + r[0], 1);
        let three = cheaper((l[0] + r[1], 1), (l[1] + r[0], 2));
        let four = cheaper(cheaper((l[1] + r[1], 2), (l[0] + r[2], 1)), (l[2] + r[0], 3));
        let one = cheaper((leaf, 0), (block + four.0, four.1));
        let as_one = (one.0, 0);
        let (two, three, four) =
            (cheaper(as_one, two), cheaper(as_one, three), cheaper(as_one, four));
        Self { cost: [one.0, two.0, three.0, four.0], left: [one.1, two.1, three.1, four.1] }
    }

    /// Whether, in a lane of its own, it is a leaf.
    pub(super) fn is_leaf(&self) -> bool {
        self.left[0] == 0
    }
}

/// The first if equal.
#[inline]
fn cheaper(a: (f32, u8), b: (f32, u8)) -> (f32, u8) {
    if b.0 < a.0 { b } else { a }
}

/// The nodes in the lanes of a block: how many, and which. `children` gives the two sides of a
/// node.
pub(super) fn lanes(
    block: u32,
    choice: impl Fn(u32) -> Choice,
    children: impl Fn(u32) -> [u32; 2],
) -> ([u32; 4], usize) {
    let (mut found, mut count) = ([0; 4], 0);
    let mut waiting = [(0_u32, 0_u8); 4];
    let [left, right] = children(block);
    let share = choice(block).left[0];
    waiting[0] = (right, 4 - share);
    waiting[1] = (left, share);
    let mut height = 2;
    while height > 0 {
        height -= 1;
        let (node, most) = waiting[height];
        let share = if most > 1 { choice(node).left[most as usize - 1] } else { 0 };
        if share == 0 {
            found[count] = node;
            count += 1;
        } else {
            let [left, right] = children(node);
            waiting[height] = (right, most - share);
            waiting[height + 1] = (left, share);
            height += 2;
        }
    }
    (found, count)
}
