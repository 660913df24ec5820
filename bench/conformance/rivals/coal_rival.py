"""Coal: `BVHModelOBBRSS`, in doubles, with the requests as they come: a GJK tolerance of 1e-6 is among them. It compares surfaces.

`meets` is `collide`; `pairs` asks it for a million contacts; `distance` is `distance` without signs; `within` is `collide` with a security
margin of that length, which is what the margin is for.
"""

import coal

from player import play


def model(body):
    made = coal.BVHModelOBBRSS()
    made.beginModel(len(body.triangles), len(body.vertices))
    made.addVertices(body.vertices)
    made.addTriangles(body.triangles)
    made.endModel()
    return made, coal.Transform3s(body.rotation, body.translation)


class Coal:
    def collide(self, a, b, contacts, margin=0.0):
        request, result = coal.CollisionRequest(), coal.CollisionResult()
        request.num_max_contacts = contacts
        request.security_margin = margin
        (first, place_first), (second, place_second) = model(a), model(b)
        coal.collide(first, place_first, second, place_second, request, result)
        return result

    def meets(self, a, b):
        return self.collide(a, b, 1).isCollision()

    def pair_list(self, a, b):
        contacts = self.collide(a, b, 1_000_000).getContacts()
        return sorted({(int(contact.b1), int(contact.b2)) for contact in contacts})

    def pairs(self, a, b):
        return len(self.pair_list(a, b))

    def distance(self, a, b):
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        request.enable_signed_distance = False
        (first, place_first), (second, place_second) = model(a), model(b)
        return max(0.0, coal.distance(first, place_first, second, place_second, request, result))

    def within(self, a, b, length):
        return self.collide(a, b, 1, length).isCollision()


if __name__ == "__main__":
    play(Coal())
