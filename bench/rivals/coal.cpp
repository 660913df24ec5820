// Coal: BVHModel<OBB>, contacts off; many bodies by its dynamic AABB tree; distances by BVHModel<RSS>. The library is the wheel's, built for any
// x86-64, so Eigen's alignment is held to 16 bytes here, as it is there.
//
// break_distance is set to 0: by default Coal also opens boxes that are up to 1 mm apart, which costs it a
// factor of ten where surfaces run close together and changes no answer.
#include <coal/BVH/BVH_model.h>
#include <coal/broadphase/broadphase_dynamic_AABB_tree.h>
#include <coal/collision.h>
#include <coal/distance.h>

#include <limits>
#include <memory>

#include "player.hpp"

namespace {

using Model = coal::BVHModel<coal::OBB>;

coal::Transform3s transform(const bench::Pose& pose) {
  const coal::Matrix3s rotation = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(pose.rotation);
  const coal::Vec3s translation = Eigen::Map<const Eigen::Vector3d>(pose.translation);
  return coal::Transform3s(rotation, translation);
}

struct Soup {
  std::vector<coal::Vec3s> points;
  std::vector<coal::Triangle> triangles;

  explicit Soup(const bench::Mesh& mesh) {
    for (size_t i = 0; i < mesh.vertices.size(); i += 3)
      points.emplace_back(mesh.vertices[i], mesh.vertices[i + 1], mesh.vertices[i + 2]);
    for (size_t i = 0; i < mesh.corners.size(); i += 3)
      triangles.emplace_back(mesh.corners[i], mesh.corners[i + 1], mesh.corners[i + 2]);
  }
};

using Rounded = coal::BVHModel<coal::RSS>;

template <class Model>
std::shared_ptr<Model> grow(const Soup& soup) {
  auto model = std::make_shared<Model>();
  model->beginModel(static_cast<unsigned>(soup.triangles.size()), static_cast<unsigned>(soup.points.size()));
  model->addSubModel(soup.points, soup.triangles);
  model->endModel();
  return model;
}

coal::CollisionRequest request(size_t most) {
  coal::CollisionRequest request;
  request.num_max_contacts = most;
  request.enable_contact = false;
  request.break_distance = 0;
  return request;
}

struct Placed {
  const Model *a, *b;
  coal::Transform3s place_a, place_b;
};

struct Count : coal::CollisionCallBackBase {
  uint64_t touching = 0;
  bool collide(coal::CollisionObject* a, coal::CollisionObject* b) override {
    coal::CollisionResult result;
    touching += coal::collide(a, b, request(1), result) > 0;
    return false;
  }
};

class Engine {
 public:
  explicit Engine(const bench::Workload& workload) {
    for (const bench::Mesh& mesh : workload.meshes) models_.push_back(grow<Model>(Soup(mesh)));
  }

  void prepare(const bench::Workload& workload) {
    workload_ = &workload;
    for (const bench::Query& query : workload.queries)
      placed_.push_back({models_[query.mesh_a].get(), models_[query.mesh_b].get(), transform(query.a),
                         transform(query.b)});
    for (const bench::Pose& pose : workload.bodies) {
      bodies_.push_back(std::make_unique<coal::CollisionObject>(models_[0]));
      poses_.push_back(transform(pose));
    }
  }

  bool boolean(size_t query) { return ask(query, 1) > 0; }
  uint64_t all(size_t query) { return ask(query, std::numeric_limits<int>::max()); }

  bool prepare_distance() {
    if (rounded_.empty())
      for (const bench::Mesh& mesh : workload_->meshes) rounded_.push_back(grow<Rounded>(Soup(mesh)));
    return true;
  }

  double distance(size_t query) {
    const bench::Query& q = workload_->queries[query];
    coal::DistanceRequest request;
    request.enable_signed_distance = false;
    coal::DistanceResult result;
    return coal::distance(rounded_[q.mesh_a].get(), placed_[query].place_a, rounded_[q.mesh_b].get(),
                          placed_[query].place_b, request, result);
  }

  uint64_t world() {
    coal::DynamicAABBTreeCollisionManager manager;
    std::vector<coal::CollisionObject*> objects;
    for (size_t i = 0; i < bodies_.size(); ++i) {
      bodies_[i]->setTransform(poses_[i]);
      bodies_[i]->computeAABB();
      objects.push_back(bodies_[i].get());
    }
    manager.registerObjects(objects);
    manager.setup();
    Count count;
    count.init();
    manager.collide(&count);
    return count.touching;
  }

  double build(const bench::Mesh& mesh) {
    const Soup soup(mesh);
    const double start = bench::thread_secs();
    const std::shared_ptr<Model> model = grow<Model>(soup);
    return bench::thread_secs() - start;
  }

 private:
  size_t ask(size_t query, size_t most) {
    const Placed& p = placed_[query];
    result_.clear();
    return coal::collide(p.a, p.place_a, p.b, p.place_b, request(most), result_);
  }

  const bench::Workload* workload_ = nullptr;
  std::vector<std::shared_ptr<Model>> models_;
  std::vector<std::shared_ptr<Rounded>> rounded_;
  std::vector<Placed> placed_;
  std::vector<std::unique_ptr<coal::CollisionObject>> bodies_;
  std::vector<coal::Transform3s> poses_;
  coal::CollisionResult result_;
};

}  // namespace

int main(int argc, char** argv) { return bench::play<Engine>(argc, argv); }
