// SPDX-License-Identifier: GPL-3.0-or-later
//
// The JavaScript player in engines, in Chromium:  node in_chromium.mjs FOLDER PLAYER.js FILE.glb FILE.vectors ENGINE…
// FOLDER has node_modules. Prints JSON, an object for each engine.
import path from 'node:path';
import { openPage, serve } from './chromium.mjs';

const [folder, player, glb, vectors, ...engines] = process.argv.slice(2), here = import.meta.dirname;
const server = await serve({
	'/': path.join(here, 'page.html'),
	'/engines.mjs': path.join(here, 'engines.mjs'),
	'/vectors.mjs': path.join(here, 'vectors.mjs'),
	'/sinew.js': player,
	'/file.glb': glb,
	'/file.vectors': vectors,
	'/node_modules/': path.join(folder, 'node_modules'),
});
const page = await openPage();
try {
	await page.go(`${server.address}/`);
	const found = {};
	for (const engine of engines) {
		found[engine] = await page.value(`check('${engine}')`);
	}
	console.log(JSON.stringify(found));
} catch (error) {
	console.error(error.stack, page.messages.join('\n'));
	process.exitCode = 1;
} finally {
	await page.close();
	server.close();
}
