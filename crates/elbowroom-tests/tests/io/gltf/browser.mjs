// The same judge in a real browser, which also draws what it loads: a page of its own, served from this folder, driven by playwright.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { chromium } from 'playwright-core';

const PAGE = `<!doctype html><link rel="icon" href="data:,">
<script type="importmap">{"imports": {"three": "/node_modules/three/build/three.module.js", "three/addons/": "/node_modules/three/examples/jsm/"}}</script>
<script type="module">
import * as THREE from 'three';
import { evaluate } from './evaluate.mjs';
const renderer = new THREE.WebGLRenderer();
renderer.setSize(200, 200);
const light = new THREE.HemisphereLight();
window.judge = async (file, samples) => {
  const show = (scene) => {
    const box = new THREE.Box3().setFromObject(scene);
    const reach = 2 * box.getSize(new THREE.Vector3()).length();
    const camera = new THREE.PerspectiveCamera(45, 1, reach / 1000, 10 * reach);
    camera.position.copy(box.getCenter(new THREE.Vector3())).z += reach;
    scene.add(light);
    renderer.render(scene, camera);
    scene.remove(light);
  };
  const buffer = await (await fetch(file)).arrayBuffer();
  const { vertices, positions } = await evaluate(buffer, samples, show);
  await fetch('/answer', { method: 'POST', body: positions.buffer });
  return vertices;
};
</script>`;
const TYPES = { '.js': 'text/javascript', '.mjs': 'text/javascript' };

/** Opens the browser; `evaluate(path, samples)` of it is like that of evaluate.mjs, and `said` collects its console. */
export async function open(executablePath, said) {
  let answer;
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    if (pathname === '/') return response.setHeader('content-type', 'text/html').end(PAGE);
    if (pathname === '/file') return response.end(readFileSync(searchParams.get('path')));
    if (pathname === '/answer') {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      answer = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
      return response.end();
    }
    response.setHeader('content-type', TYPES[extname(pathname)] ?? 'application/octet-stream');
    response.end(readFileSync(`.${pathname}`));
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const args = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
  const browser = await chromium.launch({ executablePath, args });
  const page = await browser.newPage();
  page.on('console', (message) => ['warning', 'error'].includes(message.type()) && said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction(() => window.judge);
  return {
    async evaluate(path, samples) {
      const file = `/file?path=${encodeURIComponent(path)}`;
      const vertices = await page.evaluate(([file, samples]) => window.judge(file, samples), [file, samples]);
      return { vertices, positions: answer };
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}
