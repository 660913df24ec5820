//! OBBTree.

use super::{Paper, Row};

pub(super) const PAPER: Paper = Paper {
    name: "OBBTree",
    prefix: "OBB",
    title: "OBBTree: A Hierarchical Structure for Rapid Interference Detection",
    authors: "S. Gottschalk, M. C. Lin and D. Manocha",
    appeared: "SIGGRAPH 1996",
    did: "Encloses a heap of triangles in a tree of boxes that are turned to fit them, and finds out by fifteen directions whether \
          two such boxes are apart. Such boxes close in on a surface with the square of their size, boxes along the axes and \
          spheres only in proportion; so of two large models that lie close together, far fewer boxes have to be compared.",
    lost: "The models of Table 3 and the torpedo are not archived, and the times are those of machines of its day. \
           What it prints of the box test, of spheres and of tori can be made again to the triangle.",
    rebuilt: "Spheres and tori are made to the printed sizes. Operations are counted by a number that counts, with the same text of the \
              test that the library runs. Linear programming, closest features and 144 edges against faces are written anew as \
              rivals. Pipes, landscape and torpedo are stand-ins of the printed sizes.",
    rows: ROWS,
};

const ROWS: &[Row] = &[
    Row::new(
        "OBB-T1-counts",
        "Table 1",
        "The full 15-axis test costs a fixed number of operations, fewer for rectangles",
    ),
    Row::new("OBB-T1-zero", "§5 degenerate", "Every zero extent removes the same amount of work"),
    Row::new("OBB-S5-worst", "§5, §7.1", "Under 200 operations at worst; no division, no root"),
    Row::new("OBB-S1-mean", "§1", "With early exit a test needs about 100 operations on average"),
    Row::new("OBB-S5-complete", "§5", "Fifteen axes decide box overlap completely"),
    Row::new(
        "OBB-S5-infinite",
        "§5 infinite extents",
        "Fat rays and slabs need only a small change of the test",
    ),
    Row::new(
        "OBB-S7-parallel",
        "§7.1",
        "Parallel faces or edges are no special case; the margin guards against missed contacts",
    ),
    Row::new("OBB-T2-gjk", "Table 2", "Separating axes beat closest features on boxes"),
    Row::new(
        "OBB-T2-lp",
        "Table 2",
        "Separating axes beat Seidel's linear programming, which is the slowest of the three",
    ),
    Row::new("OBB-T2-naive", "§5", "All three are much faster than 144 edge–face tests"),
    Row::new(
        "OBB-S4-interior",
        "§4",
        "A dense patch inside the model turns the vertex-fitted box; the hull does not see it",
    ),
    Row::new(
        "OBB-S4-dense-edge",
        "§4",
        "Dense nearly collinear hull vertices still mislead a fit to hull vertices; integrating over the hull's surface does not",
    ),
    Row::new(
        "OBB-S4-closed",
        "§4",
        "The covariance of infinitely dense samples has the printed closed form",
    ),
    Row::new(
        "OBB-S4-rank",
        "§7.1",
        "Flat or linear input must bypass the hull; projecting to the lower dimension would be better",
    ),
    Row::new(
        "OBB-S4-build",
        "§4",
        "Build is n log n without and n log² n with hulls, leaves are about log n deep",
    ),
    Row::new(
        "OBB-S4-median",
        "§4",
        "Median splits give balanced trees, but no split is best in all cases",
    ),
    Row::new(
        "OBB-S6-quadratic",
        "§6, Figure 4",
        "On gently curved patches an OBB's tightness falls with the square of its diameter",
    ),
    Row::new(
        "OBB-S6-linear",
        "§6, Figure 3",
        "For AABBs and spheres tightness falls only in proportion to the diameter",
    ),
    Row::new(
        "OBB-S6-orientation",
        "§6",
        "An AABB's aspect ratio depends on how the patch lies, an OBB's does not",
    ),
    Row::new(
        "OBB-S6-cover",
        "§6",
        "Covering a surface to a given tightness takes m OBBs but of order m² AABBs or spheres",
    ),
    Row::new("OBB-F5-slope-obb", "Figure 5", "Concentric spheres: box tests grow as 1/ε with OBBs"),
    Row::new(
        "OBB-F5-slope-aabb",
        "Figure 5",
        "Concentric spheres: box tests grow as 1/ε² with AABBs",
    ),
    Row::new(
        "OBB-F5-level",
        "Figure 5",
        "The AABB curve levels off once the whole trees are visited, the OBB curve for a much smaller ε",
    ),
    Row::new("OBB-F5-same", "§6", "Both curves level off at the same height"),
    Row::new("OBB-F5-prims", "§7.4", "OBBs also need asymptotically fewer primitive tests"),
    Row::new(
        "OBB-F6-gap",
        "Figure 6",
        "Two spheres side by side: the advantage of OBBs grows as the gap shrinks, until both level off",
    ),
    Row::new(
        "OBB-F9-torus",
        "Figure 9, §6",
        "With the same number of boxes per level, OBBs close in on a torus faster than AABBs",
    ),
    Row::new(
        "OBB-S6-no-gain",
        "§6 analysis",
        "No asymptotic gain on fractal-like surfaces, on coarse meshes in close contact, or without parallel proximity",
    ),
    Row::new("OBB-S3-far", "§3", "Far apart, spheres and AABBs do well"),
    Row::new("OBB-S3-cost", "§3, eq. 1", "Time is N_v·C_v + N_p·C_p"),
    Row::new("OBB-S7-costs", "§7.4", "One OBB test costs about ten times one sphere or AABB test"),
    Row::new(
        "OBB-S7-win",
        "§7.4, §9",
        "Large models close together: the OBB tree does the least work in all",
    ),
    Row::new("OBB-S7-sphere-tree", "§7.3", "Ten times faster than a sphere tree"),
    Row::new(
        "OBB-S7-degenerate",
        "§7.1",
        "Polygons with one or two distinct corners are handled; curves as segments meet curves and surfaces correctly",
    ),
    Row::new("OBB-S7-cascade", "§7.1", "Chained transforms are only a theoretical source of error"),
    Row::new(
        "OBB-S7-memory",
        "§7",
        "n triangles make n leaves and n−1 inner boxes; 412 bytes a triangle",
    ),
    Row::new("OBB-S7-quaternion", "§7", "Quaternions save space for a few more operations a test"),
    Row::new("OBB-S7-share", "§7.1, Table 3", "Box tests take most of the query time"),
    Row::new(
        "OBB-T3-pipes",
        "Table 3",
        "Pipes falling into pipes: all contacts at interactive rates",
    ),
    Row::new(
        "OBB-T3-torus",
        "Table 3, §7.2",
        "The torus in the landscape needs almost twice the box tests per step for far fewer contacts",
    ),
    Row::new("OBB-T3-thin", "§7.2", "Long thin triangles suit neither AABBs nor spheres"),
    Row::new(
        "OBB-F7-torpedo",
        "Figure 7",
        "Many contacts along a resting part make the hardest query",
    ),
    Row::new(
        "OBB-S8-extend",
        "§8",
        "The box test extends to the view frustum and to curves and surfaces, where OBBs should help",
    ),
];
