// SPDX-License-Identifier: GPL-3.0-or-later
//
// A crowd's page in Chromium:  node crowd_page.mjs FOLDER CROWD QUERY OUT.png WIDTH HEIGHT
// FOLDER has node_modules, CROWD is what `sinew export --crowd` wrote. Draws one moment, and runs crowd.wgsl where there is WebGPU.
// Prints JSON.
import path from 'node:path';
import { openPage, serve } from './chromium.mjs';

const [folder, crowd, query, out, width, height] = process.argv.slice(2), here = import.meta.dirname;
const names = ['crowd.js', 'crowd.glsl', 'crowd.wgsl', 'crowd.glb', 'crowd.json', 'palettes.half.ktx2', 'palettes.float.ktx2', 'palettes.float.bin'];
const server = await serve({
	...Object.fromEntries(names.map((name) => [`/${name}`, path.join(crowd, name)])),
	'/': path.join(crowd, 'index.html'),
	'/three/': path.join(folder, 'node_modules', 'three'),
	'/crowd_wgsl.mjs': path.join(here, 'crowd_wgsl.mjs'),
});
const page = await openPage(['--enable-unsafe-webgpu', '--enable-features=Vulkan', '--use-webgpu-adapter=swiftshader']);
try {
	await page.size(Number(width), Number(height));
	await page.go(`${server.address}/?${query}`);
	for (let i = 0; i < 300 && !(await page.value('globalThis.drawn !== undefined')); i++) {
		await new Promise((resolve) => { setTimeout(resolve, 100); });
	}
	await page.picture(out);
	const drawn = await page.value('globalThis.drawn ?? null');
	const wgsl = await page.value("import('/crowd_wgsl.mjs').then(({ largestDifference }) => largestDifference())");
	console.log(JSON.stringify({ drawn, wgsl, messages: page.messages.filter((text) => !text.includes('favicon')) }));
} catch (error) {
	console.error(error.stack, page.messages.join('\n'));
	process.exitCode = 1;
} finally {
	await page.close();
	server.close();
}
