"""From python-fcl to elbowroom: the same questions, side by side.

For everybody who has a script with fcl.BVHModel in it. Without python-fcl only our half runs.
"""

import numpy as np

import elbowroom as er

ball = er.make("ball", size=1.0, detail=8).pose()
beside = np.eye(4)
beside[:3, 3] = 0.7, 0.2, 0.1
apart = np.eye(4)
apart[:3, 3] = 1.5, 0.2, 0.1

# fcl.BVHModel(); beginModel; addSubModel; endModel
model = er.Model(ball.vertices, ball.faces)
# fcl.collide(a, b, fcl.CollisionRequest(), result)
print("meets:", model.intersects(model, other_pose=beside))
# fcl.CollisionRequest(num_max_contacts=..., enable_contact=True): all of them, without a limit
contacts = model.contacts(model, other_pose=beside)
print(len(contacts.pairs), "pairs of triangles; the first:", contacts.pairs[0])
# fcl.distance(a, b, fcl.DistanceRequest(), result)
print(f"distance: {model.distance(model, other_pose=apart):.6f}")
# fcl.continuousCollide, which may crash on meshes
print(
    f"time of impact: {model.time_of_impact(model, np.eye(4), np.eye(4), apart, beside).time:.4f}"
)
# fcl.DynamicAABBTreeCollisionManager
world = er.World()
world.add("left", model)
world.add("right", model, beside)
print("in a world:", world.intersecting_pairs())

try:
    import fcl
except ImportError:
    print("python-fcl is not installed")
else:
    theirs = fcl.BVHModel()
    theirs.beginModel(len(ball.vertices), len(ball.faces))
    theirs.addSubModel(ball.vertices, ball.faces)
    theirs.endModel()
    a = fcl.CollisionObject(theirs, fcl.Transform())
    b = fcl.CollisionObject(theirs, fcl.Transform(np.eye(3), apart[:3, 3]))
    result = fcl.DistanceResult()
    distance = fcl.distance(a, b, fcl.DistanceRequest(), result)
    print(f"python-fcl has the distance {distance:.6f}")
    assert abs(distance - model.distance(model, other_pose=apart)) < 1e-6
