// FCL: BVHModel<OBB<double>>, contacts off; many bodies by its dynamic AABB tree; distances by BVHModel<RSS<double>>, points off.
//
// Built twice: against Debian's library, whose code is for any x86-64; and natively, from the same headers with their
// `extern template` declarations taken out. FCL is nearly all templates and its headers hold their bodies, so then
// every one is compiled here, with our flags. What is still called in Debian's library are the dozen small
// functions that are no templates (the accessors of Triangle and BVNodeBase): in a native build of FCL
// they are calls into a shared library as well.
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <limits>
#include <memory>

#include "player.hpp"

namespace {

using Model = fcl::BVHModel<fcl::OBB<double>>;
using Transform = fcl::Transform3<double>;

Transform transform(const bench::Pose& pose) {
  Transform result = Transform::Identity();
  result.linear() = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(pose.rotation);
  result.translation() = Eigen::Map<const Eigen::Vector3d>(pose.translation);
  return result;
}

struct Soup {
  std::vector<fcl::Vector3<double>> points;
  std::vector<fcl::Triangle> triangles;

  explicit Soup(const bench::Mesh& mesh) {
    for (size_t i = 0; i < mesh.vertices.size(); i += 3)
      points.emplace_back(mesh.vertices[i], mesh.vertices[i + 1], mesh.vertices[i + 2]);
    for (size_t i = 0; i < mesh.corners.size(); i += 3)
      triangles.emplace_back(mesh.corners[i], mesh.corners[i + 1], mesh.corners[i + 2]);
  }
};

using Rounded = fcl::BVHModel<fcl::RSS<double>>;

template <class Model>
std::shared_ptr<Model> grow(const Soup& soup) {
  auto model = std::make_shared<Model>();
  model->beginModel(static_cast<int>(soup.triangles.size()), static_cast<int>(soup.points.size()));
  model->addSubModel(soup.points, soup.triangles);
  model->endModel();
  return model;
}

struct Placed {
  const Model *a, *b;
  Transform place_a, place_b;
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
      bodies_.push_back(std::make_unique<fcl::CollisionObject<double>>(models_[0]));
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
    const fcl::DistanceRequest<double> request(false);
    fcl::DistanceResult<double> result;
    return fcl::distance(rounded_[q.mesh_a].get(), placed_[query].place_a, rounded_[q.mesh_b].get(),
                         placed_[query].place_b, request, result);
  }

  uint64_t world() {
    fcl::DynamicAABBTreeCollisionManager<double> manager;
    std::vector<fcl::CollisionObject<double>*> objects;
    for (size_t i = 0; i < bodies_.size(); ++i) {
      bodies_[i]->setTransform(poses_[i]);
      bodies_[i]->computeAABB();
      objects.push_back(bodies_[i].get());
    }
    manager.registerObjects(objects);
    manager.setup();
    uint64_t touching = 0;
    manager.collide(&touching, [](fcl::CollisionObject<double>* a, fcl::CollisionObject<double>* b, void* count) {
      const fcl::CollisionRequest<double> request(1, false);
      fcl::CollisionResult<double> result;
      *static_cast<uint64_t*>(count) += fcl::collide(a, b, request, result) > 0;
      return false;
    });
    return touching;
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
    const fcl::CollisionRequest<double> request(most, false);
    result_.clear();
    return fcl::collide(p.a, p.place_a, p.b, p.place_b, request, result_);
  }

  const bench::Workload* workload_ = nullptr;
  std::vector<std::shared_ptr<Model>> models_;
  std::vector<std::shared_ptr<Rounded>> rounded_;
  std::vector<Placed, Eigen::aligned_allocator<Placed>> placed_;
  std::vector<std::unique_ptr<fcl::CollisionObject<double>>> bodies_;
  std::vector<Transform, Eigen::aligned_allocator<Transform>> poses_;
  fcl::CollisionResult<double> result_;
};

}  // namespace

int main(int argc, char** argv) { return bench::play<Engine>(argc, argv); }
