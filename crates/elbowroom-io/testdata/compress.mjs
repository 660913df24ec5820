// Compresses GLB files as people do, with glTF Transform: by meshopt of two levels and by Draco of
// two methods. A test reads what comes out (`ELBOWROOM_COMPRESSED=OUT`).
//
//     npm install @gltf-transform/core@4.5.1 @gltf-transform/extensions@4.5.1 \
//       @gltf-transform/functions@4.5.1 meshoptimizer@1.3.0 draco3dgltf@1.5.7
//     node compress.mjs OUT FILE.glb …

import {basename, join} from 'node:path';
import {NodeIO} from '@gltf-transform/core';
import {ALL_EXTENSIONS} from '@gltf-transform/extensions';
import {draco, meshopt} from '@gltf-transform/functions';
import {MeshoptDecoder, MeshoptEncoder} from 'meshoptimizer';
import draco3d from 'draco3dgltf';

await MeshoptEncoder.ready;
const io = new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({
  'meshopt.decoder': MeshoptDecoder,
  'meshopt.encoder': MeshoptEncoder,
  'draco3d.decoder': await draco3d.createDecoderModule(),
  'draco3d.encoder': await draco3d.createEncoderModule(),
});
const ways = {
  'meshopt-medium': meshopt({encoder: MeshoptEncoder, level: 'medium'}),
  'meshopt-high': meshopt({encoder: MeshoptEncoder, level: 'high'}),
  'draco-edgebreaker': draco({method: 'edgebreaker'}),
  'draco-sequential': draco({method: 'sequential'}),
};
const [out, ...files] = process.argv.slice(2);
for (const file of files) {
  const stem = basename(file, '.glb');
  const plain = await io.read(file);
  for (const texture of plain.getRoot().listTextures()) texture.dispose();
  await io.write(join(out, `${stem}.glb`), plain);
  for (const [name, way] of Object.entries(ways)) {
    const document = await io.read(join(out, `${stem}.glb`));
    await document.transform(way);
    await io.write(join(out, `${stem}.${name}.glb`), document);
  }
}
