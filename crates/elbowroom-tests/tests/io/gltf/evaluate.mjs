// Where three.js puts the vertices of a GLB; runs in node and in a browser alike.

import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

/** The meshes of a scene, by node, then primitive. */
function meshes(gltf) {
  const found = [];
  gltf.scene.traverse((object) => {
    if (!object.isMesh) return;
    const own = gltf.parser.associations.get(object);
    let holder = object;
    while (gltf.parser.associations.get(holder)?.nodes === undefined) holder = holder.parent;
    found.push({ object, node: gltf.parser.associations.get(holder).nodes, primitive: own?.primitives ?? 0 });
  });
  return found.sort((a, b) => a.node - b.node || a.primitive - b.primitive).map((mesh) => mesh.object);
}

function pose(gltf, mixer, { clip, time }) {
  mixer.stopAllAction();
  if (clip >= 0) {
    const action = mixer.clipAction(gltf.animations[clip]);
    action.reset();
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    action.time = time;
    mixer.update(0);
  }
  gltf.scene.updateMatrixWorld(true);
}

/** How many vertices there are, and the world positions of all of them, sample after sample; `show` is called with the scene of each. */
export async function evaluate(buffer, samples, show = () => {}) {
  const gltf = await new GLTFLoader().parseAsync(buffer, '');
  const all = meshes(gltf);
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const vertices = all.reduce((sum, mesh) => sum + mesh.geometry.attributes.position.count, 0);
  const positions = new Float64Array(3 * vertices * samples.length);
  const point = new THREE.Vector3();
  let at = 0;
  for (const sample of samples) {
    pose(gltf, mixer, sample);
    for (const mesh of all) {
      for (let i = 0; i < mesh.geometry.attributes.position.count; i++) {
        mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld);
        positions[at++] = point.x;
        positions[at++] = point.y;
        positions[at++] = point.z;
      }
    }
    show(gltf.scene);
  }
  return { vertices, positions };
}
