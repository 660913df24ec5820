// What every C++ player shares: reading the workload, the clock, and the conversation with the bench.
//
// A player is started as `player DIRECTORY WORKLOAD`, reads WORKLOAD.q and its meshes, builds its trees and
// prints one line of JSON about that. Then it answers each line on its standard input, which is a question and
// the least time to measure for, with one line of JSON, until the input ends. protocol/src/play.rs is the
// same in Rust and says what the words mean.
//
// The clock is the CPU time of this thread, read before the first and after the last query of a pass, never within.
#pragma once
#include <malloc.h>
#include <time.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace bench {

struct Mesh {
  std::vector<double> vertices;   // three a vertex
  std::vector<uint32_t> corners;  // three a triangle
  size_t vertex_count() const { return vertices.size() / 3; }
  size_t triangle_count() const { return corners.size() / 3; }
};

// A rotation by rows, and a translation.
struct Pose {
  double rotation[9];
  double translation[3];
};
static_assert(sizeof(Pose) == 96, "a pose is read as twelve f64");

struct Query {
  uint32_t mesh_a, mesh_b;
  Pose a, b;
};

struct Workload {
  std::vector<Mesh> meshes;
  std::vector<Query> queries;
  std::vector<Pose> bodies;  // all of the first mesh; empty unless there is a file of bodies
};

[[noreturn]] inline void fail(const std::string& what) {
  std::cerr << what << std::endl;
  std::exit(2);
}

template <class T>
void read(std::ifstream& file, T* to, size_t count, const std::string& path) {
  file.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(count * sizeof(T)));
  if (!file) fail(path + " ends too early");
}

inline std::ifstream open(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("cannot open " + path);
  return file;
}

inline Mesh read_mesh(const std::string& path) {
  std::ifstream file = open(path);
  uint32_t counts[2];
  read(file, counts, 2, path);
  Mesh mesh;
  mesh.vertices.resize(size_t{3} * counts[0]);
  mesh.corners.resize(size_t{3} * counts[1]);
  read(file, mesh.vertices.data(), mesh.vertices.size(), path);
  read(file, mesh.corners.data(), mesh.corners.size(), path);
  return mesh;
}

inline Workload read_workload(const std::string& directory, const std::string& name) {
  const std::string path = directory + "/" + name + ".q";
  std::ifstream file = open(path);
  Workload workload;
  uint32_t count;
  read(file, &count, 1, path);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t length;
    read(file, &length, 1, path);
    std::string mesh(length, ' ');
    read(file, &mesh[0], length, path);
    workload.meshes.push_back(read_mesh(directory + "/" + mesh + ".mesh"));
  }
  read(file, &count, 1, path);
  workload.queries.resize(count);
  for (Query& query : workload.queries) {
    read(file, &query.mesh_a, 1, path);
    read(file, &query.mesh_b, 1, path);
    read(file, &query.a, 1, path);
    read(file, &query.b, 1, path);
  }
  const std::string bodies = directory + "/" + name + ".bodies";
  std::ifstream body_file(bodies, std::ios::binary);
  if (body_file) {
    read(body_file, &count, 1, bodies);
    workload.bodies.resize(count);
    read(body_file, workload.bodies.data(), count, bodies);
  }
  return workload;
}

inline double thread_secs() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

inline size_t heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

using Answers = std::vector<uint64_t>;

// Times a pass that fills in the answers. A pass shorter than `least` is repeated, and the mean is told.
inline double timed(double least, const std::function<void()>& pass) {
  double start = thread_secs();
  pass();
  double secs = thread_secs() - start;
  if (secs >= least) return secs;
  const int passes = static_cast<int>(least / std::max(secs, 1e-9)) + 1;
  start = thread_secs();
  for (int i = 0; i < passes; ++i) pass();
  return (thread_secs() - start) / passes;
}

inline void reply(double secs, const Answers& answers) {
  std::ostringstream out;
  out.precision(9);
  out << "{\"secs\":" << secs << ",\"answers\":[";
  for (size_t i = 0; i < answers.size(); ++i) out << (i ? "," : "") << answers[i];
  out << "]}";
  std::cout << out.str() << std::endl;
}

// An engine is a class with
//   Engine(const Workload&)               builds the models, one for each mesh, and prepares the poses
//   bool boolean(const Query-index)       whether the two meshes of a query meet
//   uint64_t all(query-index)             how many pairs of triangles meet, having listed them
//   bool prepare_distance()               makes ready for the next; false if it cannot answer that
//   double distance(query-index)          how far apart the two meshes of a query are
//   uint64_t world()                      how many pairs of bodies meet, starting from their poses alone
//   double build(const Mesh&)             builds a model and throws it away; the seconds of building alone
template <class Engine>
int play(int argc, char** argv) {
  if (argc != 3) fail("usage: player DIRECTORY WORKLOAD");
  const Workload workload = read_workload(argv[1], argv[2]);
  size_t triangles = 0;
  for (const Mesh& mesh : workload.meshes) triangles += mesh.triangle_count();
  const size_t bytes_before = heap_bytes();
  Engine engine(workload);
  const size_t bytes = heap_bytes() - bytes_before;
  engine.prepare(workload);
  std::cout << "{\"triangles\":" << triangles << ",\"bytes\":" << bytes << "}" << std::endl;

  const size_t count = workload.queries.size();
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string question;
    double least = 0;
    words >> question >> least;
    Answers answers;
    double secs = 0;
    if (question == "boolean") {
      answers.resize(count);
      secs = timed(least, [&] { for (size_t i = 0; i < count; ++i) answers[i] = engine.boolean(i); });
    } else if (question == "all") {
      answers.resize(count);
      secs = timed(least, [&] { for (size_t i = 0; i < count; ++i) answers[i] = engine.all(i); });
    } else if (question == "distance" && engine.prepare_distance()) {
      answers.resize(count);
      secs = timed(least, [&] {
        for (size_t i = 0; i < count; ++i) answers[i] = static_cast<uint64_t>(std::llround(engine.distance(i) * 1e6));
      });
    } else if (question == "world" && !workload.bodies.empty()) {
      answers.resize(1);
      secs = timed(least, [&] { answers[0] = engine.world(); });
    } else if (question == "build") {
      int builds = 0;
      do {
        secs += engine.build(workload.meshes[0]);
        ++builds;
      } while (secs < least);
      secs /= builds;
      answers.push_back(workload.meshes[0].triangle_count());
    } else {
      std::cout << "{\"unable\":true}" << std::endl;
      continue;
    }
    reply(secs, answers);
  }
  return 0;
}

}  // namespace bench
