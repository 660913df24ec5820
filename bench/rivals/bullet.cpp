// Bullet: GImpact meshes in single precision, as Debian builds it; many bodies by a collision world.
//
// A query asks the two quantised box trees for pairs of leaves and then, as GImpact's own algorithm does, clips triangle
// against triangle. That method also counts pairs whose prisms overlap though the triangles do not, so its numbers
// of pairs are too large. The trees give all their pairs at once, so a boolean query saves only triangle tests.
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <BulletCollision/Gimpact/btTriangleShapeEx.h>
#include <btBulletCollisionCommon.h>

#include <memory>

#include "player.hpp"

namespace {

btTransform transform(const bench::Pose& pose) {
  const double* r = pose.rotation;
  const auto at = [r](int i) { return static_cast<btScalar>(r[i]); };
  const btMatrix3x3 rotation(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8));
  const double* t = pose.translation;
  const btVector3 translation(static_cast<btScalar>(t[0]), static_cast<btScalar>(t[1]), static_cast<btScalar>(t[2]));
  return btTransform(rotation, translation);
}

struct Model {
  std::vector<btScalar> points;
  std::vector<int> corners;
  std::unique_ptr<btTriangleIndexVertexArray> soup;
  std::unique_ptr<btGImpactMeshShape> shape;

  explicit Model(const bench::Mesh& mesh)
      : points(mesh.vertices.begin(), mesh.vertices.end()), corners(mesh.corners.begin(), mesh.corners.end()) {}

  void grow() {
    soup = std::make_unique<btTriangleIndexVertexArray>(
        static_cast<int>(corners.size() / 3), corners.data(), static_cast<int>(3 * sizeof(int)),
        static_cast<int>(points.size() / 3), points.data(), static_cast<int>(3 * sizeof(btScalar)));
    shape = std::make_unique<btGImpactMeshShape>(soup.get());
    shape->setMargin(0);
    shape->updateBound();
  }

  const btGImpactMeshShapePart* part() const { return shape->getMeshPart(0); }
};

struct Placed {
  const Model *a, *b;
  btTransform place_a, place_b;
};

class Engine {
 public:
  explicit Engine(const bench::Workload& workload) {
    for (const bench::Mesh& mesh : workload.meshes) {
      models_.push_back(std::make_unique<Model>(mesh));
      models_.back()->grow();
    }
  }

  void prepare(const bench::Workload& workload) {
    for (const bench::Query& query : workload.queries)
      placed_.push_back({models_[query.mesh_a].get(), models_[query.mesh_b].get(), transform(query.a),
                         transform(query.b)});
    for (const bench::Pose& pose : workload.bodies) poses_.push_back(transform(pose));
  }

  bool boolean(size_t query) { return ask(query, 1) > 0; }
  uint64_t all(size_t query) { return ask(query, ~uint64_t{0}); }

  bool prepare_distance() { return false; }
  double distance(size_t) { return 0; }

  uint64_t world() {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher);
    btDbvtBroadphase broadphase;
    btCollisionWorld world(&dispatcher, &broadphase, &configuration);
    std::vector<std::unique_ptr<btCollisionObject>> objects;
    for (const btTransform& pose : poses_) {
      objects.push_back(std::make_unique<btCollisionObject>());
      objects.back()->setCollisionShape(models_[0]->shape.get());
      objects.back()->setWorldTransform(pose);
      world.addCollisionObject(objects.back().get());
    }
    world.performDiscreteCollisionDetection();
    uint64_t touching = 0;
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i)
      touching += dispatcher.getManifoldByIndexInternal(i)->getNumContacts() > 0;
    for (const auto& object : objects) world.removeCollisionObject(object.get());
    return touching;
  }

  double build(const bench::Mesh& mesh) {
    Model model(mesh);
    const double start = bench::thread_secs();
    model.grow();
    return bench::thread_secs() - start;
  }

 private:
  uint64_t ask(size_t query, uint64_t most) {
    const Placed& p = placed_[query];
    const btGImpactMeshShapePart *a = p.a->part(), *b = p.b->part();
    a->lockChildShapes();
    b->lockChildShapes();
    pairs_.resize(0);
    btGImpactBoxSet::find_collision(a->getBoxSet(), p.place_a, b->getBoxSet(), p.place_b, pairs_);
    uint64_t found = 0;
    for (int i = 0; i < pairs_.size() && found < most; ++i) {
      btPrimitiveTriangle first, second;
      a->getPrimitiveTriangle(pairs_[i].m_index1, first);
      b->getPrimitiveTriangle(pairs_[i].m_index2, second);
      first.m_margin = second.m_margin = 0;
      first.applyTransform(p.place_a);
      second.applyTransform(p.place_b);
      first.buildTriPlane();
      second.buildTriPlane();
      if (!first.overlap_test_conservative(second)) continue;
      GIM_TRIANGLE_CONTACT contact;
      found += first.find_triangle_collision_clip_method(second, contact);
    }
    b->unlockChildShapes();
    a->unlockChildShapes();
    return found;
  }

  std::vector<std::unique_ptr<Model>> models_;
  std::vector<Placed> placed_;
  std::vector<btTransform> poses_;
  btPairSet pairs_;
};

}  // namespace

int main(int argc, char** argv) { return bench::play<Engine>(argc, argv); }
