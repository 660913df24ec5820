/** The floor: a grid of whole units, lines as thin as a pixel, that fades with distance. */
import * as THREE from "three";

const VERTEX = /* glsl */ `
out vec2 at;
out vec3 seen;
void main() {
  vec4 world = modelMatrix * vec4(position, 1);
  at = world.xz;
  vec4 view = viewMatrix * world;
  seen = view.xyz;
  gl_Position = projectionMatrix * view;
}
`;

const FRAGMENT = /* glsl */ `
uniform vec3 colour;
uniform float cell;
uniform float reach;
in vec2 at;
in vec3 seen;
out vec4 drawn;

float lines(float spacing) {
  vec2 p = at / spacing;
  vec2 wide = fwidth(p);
  vec2 near = abs(fract(p - 0.5) - 0.5) / wide;
  // Where lines are closer than pixels they become an even tone, and that fades.
  float fine = 1.0 - smoothstep(0.15, 0.5, max(wide.x, wide.y));
  return (1.0 - min(1.0, min(near.x, near.y))) * fine;
}

void main() {
  float strength = max(0.55 * lines(cell), lines(5.0 * cell));
  float fade = 1.0 - smoothstep(0.45 * reach, reach, length(seen));
  drawn = vec4(colour, strength * fade);
}
`;

export class Floor {
  readonly mesh: THREE.Mesh;
  readonly #uniforms = { colour: { value: new THREE.Vector3() }, cell: { value: 1 }, reach: { value: 50 } };

  constructor() {
    const material = new THREE.ShaderMaterial({
      glslVersion: THREE.GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: this.#uniforms, transparent: true, depthWrite: false, side: THREE.DoubleSide,
    });
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(2, 2).rotateX(-Math.PI / 2), material);
    this.mesh.renderOrder = -2;
    this.mesh.frustumCulled = false;
  }

  colour(hex: string): void {
    const { r, g, b } = new THREE.Color().setStyle(hex, THREE.LinearSRGBColorSpace);
    this.#uniforms.colour.value.set(r, g, b);
  }

  /** Under the target of a camera at this distance; cells are metres, or tens of them. */
  place(target: THREE.Vector3, height: number, distance: number): void {
    const reach = Math.max(1e-6, 9 * distance);
    this.#uniforms.reach.value = reach;
    this.#uniforms.cell.value = 10 ** Math.round(Math.log10(distance / 6));
    this.mesh.position.set(target.x, height, target.z);
    this.mesh.scale.setScalar(reach);
  }
}
