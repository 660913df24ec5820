//! Growing a tree from the top: fit, cut, and again.

use super::column::Column;
use super::source::Source;
use super::topology::{Node, NodeId, Tree};
use crate::internal::volume::Volume;
use crate::interrupt::checkpoint;

/// Grows a tree over the source's primitives, and its column of volumes.
///
/// The work is on an explicit stack: a tree may be as deep as there are primitives.
///
/// # Panics
/// If there are no primitives, or more than 2³¹ − 1, whose nodes could not be numbered.
pub fn grow<V: Volume>(source: &impl Source<V>) -> (Tree, Column<V>) {
    let count = source.count();
    assert!(count > 0, "a tree over nothing");
    assert!(i32::try_from(count).is_ok(), "a tree over {count} primitives");
    let mut order: Vec<u32> = (0..count as u32).collect();
    let mut nodes = vec![Node { first: 0, count: count as u32, child: 0, level: 0 }];
    let mut volumes = vec![source.fit(&order)];
    let mut growing = vec![0];
    while let Some(index) = growing.pop() {
        checkpoint();
        let Node { first, count, level, .. } = nodes[index];
        let members = &mut order[first as usize..(first + count) as usize];
        let Some(left) = source.cut(&volumes[index], members) else { continue };
        let (left_members, right_members) = members.split_at(left);
        volumes.push(source.fit(left_members));
        volumes.push(source.fit(right_members));
        let (left, child) = (left as u32, nodes.len() as u32);
        nodes[index].child = child;
        nodes.push(Node { first, count: left, child: 0, level: level + 1 });
        nodes.push(Node { first: first + left, count: count - left, child: 0, level: level + 1 });
        // The left side first, so that a subtree's nodes lie together.
        growing.extend([child as usize + 1, child as usize]);
    }
    (Tree { nodes, order }, Column { volumes })
}

/// A tree alone, where groups are cut without looking at volumes: by the joints of a body, say. The
/// cut is told the node, brings the left side's members to the front and returns how many they are;
/// nothing for a leaf.
///
/// # Panics
/// If there are no primitives, or more than 2³¹ − 1, or a cut leaves one side empty.
pub fn cut_up(count: usize, mut cut: impl FnMut(NodeId, &mut [u32]) -> Option<usize>) -> Tree {
    assert!(count > 0, "a tree over nothing");
    assert!(i32::try_from(count).is_ok(), "a tree over {count} primitives");
    let mut order: Vec<u32> = (0..count as u32).collect();
    let mut nodes = vec![Node { first: 0, count: count as u32, child: 0, level: 0 }];
    let mut growing = vec![0_u32];
    while let Some(index) = growing.pop() {
        checkpoint();
        let Node { first, count, level, .. } = nodes[index as usize];
        let members = &mut order[first as usize..(first + count) as usize];
        let Some(left) = cut(NodeId(index), members) else { continue };
        let (left, child) = (left as u32, nodes.len() as u32);
        assert!(0 < left && left < count, "{left} of {count} primitives to the left");
        nodes[index as usize].child = child;
        nodes.push(Node { first, count: left, child: 0, level: level + 1 });
        nodes.push(Node { first: first + left, count: count - left, child: 0, level: level + 1 });
        growing.extend([child + 1, child]);
    }
    Tree { nodes, order }
}
