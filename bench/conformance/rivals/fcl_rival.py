"""FCL through python-fcl: `BVHModel`, which is a tree of OBBRSS in doubles. It compares surfaces.

`meets` is `collide`; `pairs` asks `collide` for a million contacts; `distance` is `distance`, where anything below 0 is its word for
contact; `within` compares that distance, but for no length at all, where it is `collide`.
"""

import fcl

from player import play


def thing(body):
    model = fcl.BVHModel()
    model.beginModel(len(body.triangles), len(body.vertices))
    model.addSubModel(body.vertices, body.triangles)
    model.endModel()
    return fcl.CollisionObject(model, fcl.Transform(body.rotation, body.translation))


class Fcl:
    def meets(self, a, b):
        return fcl.collide(thing(a), thing(b), fcl.CollisionRequest(), fcl.CollisionResult()) > 0

    def pair_list(self, a, b):
        result = fcl.CollisionResult()
        # The objects must outlive the contacts.
        first, second = thing(a), thing(b)
        fcl.collide(first, second, fcl.CollisionRequest(num_max_contacts=1_000_000, enable_contact=True), result)
        return sorted({(int(contact.b1), int(contact.b2)) for contact in result.contacts})

    def pairs(self, a, b):
        return len(self.pair_list(a, b))

    def distance(self, a, b):
        return max(0.0, fcl.distance(thing(a), thing(b), fcl.DistanceRequest(), fcl.DistanceResult()))

    def within(self, a, b, length):
        return self.meets(a, b) if length == 0 else self.distance(a, b) <= length


if __name__ == "__main__":
    play(Fcl())
