// SPDX-License-Identifier: GPL-3.0-or-later
//
// A picture by three.js in Chromium without a window, compared with one by `sinew render`:
//
//   node picture.mjs FOLDER REQUEST.json OUT.png
//
// FOLDER has node_modules. REQUEST.json names the files (file, ours, empty: the same picture without the character), the clip, the
// seconds, and the camera as `sinew render --json` tells it. Prints the JSON that page.mjs makes, and leaves its picture in OUT.png.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

const [folder, requestFile, out] = process.argv.slice(2);
const request = JSON.parse(fs.readFileSync(requestFile)), here = import.meta.dirname;
const browser = ['chromium', 'chromium-browser', 'google-chrome'].find((name) =>
	process.env.PATH.split(':').some((place) => fs.existsSync(path.join(place, name))));
const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'sinew-chromium-'));
const patience = 1000 * Number(process.env.SINEW_CHROMIUM_PATIENCE ?? 240);

// What the page may read.
const files = {
	'/': path.join(here, 'page.html'),
	'/page.mjs': path.join(here, 'page.mjs'),
	'/request.json': requestFile,
	'/file.glb': request.file,
	'/ours.png': request.ours,
	'/empty.png': request.empty,
};
const kinds = { '.html': 'text/html', '.mjs': 'text/javascript', '.js': 'text/javascript', '.json': 'application/json', '.png': 'image/png' };

function serve(question, response) {
	const name = new URL(question.url, 'http://x').pathname;
	const modules = path.join(folder, 'node_modules'), module = path.normalize(path.join(folder, name));
	const file = files[name] ?? (module.startsWith(modules + path.sep) ? module : null);
	if (question.method === 'POST') {
		const parts = [];
		question.on('data', (part) => parts.push(part));
		question.on('end', () => {
			response.end();
			finish(JSON.parse(Buffer.concat(parts).toString()));
		});
	} else if (file && fs.existsSync(file)) {
		response.setHeader('Content-Type', kinds[path.extname(file)] ?? 'application/octet-stream');
		response.end(fs.readFileSync(file));
	} else {
		response.statusCode = 404;
		response.end();
	}
}

let child = null, messages = '';
function finish(answer) {
	child.removeAllListeners('exit');
	child.once('exit', () => {
		fs.rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
		if (answer.picture) {
			fs.writeFileSync(out, Buffer.from(answer.picture.split(',')[1], 'base64'));
			delete answer.picture;
		}
		console.log(answer.error ? `${answer.error}\n${messages}` : JSON.stringify(answer));
		process.exit(answer.error ? 1 : 0);
	});
	process.kill(-child.pid, 'SIGKILL'); // and its processes, which write into the profile
}

const server = http.createServer(serve).listen(0, '127.0.0.1', () => {
	const flags = ['--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
		'--ignore-gpu-blocklist', '--no-first-run', '--disable-extensions', `--user-data-dir=${profile}`, '--enable-logging=stderr'];
	child = spawn(browser, [...flags, `http://127.0.0.1:${server.address().port}/`], { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
	child.stderr.on('data', (text) => { messages = (messages + text).slice(-4000); });
	child.once('exit', (status) => { console.log(`Chromium ended with ${status}\n${messages}`); process.exit(1); });
	setTimeout(() => finish({ error: 'Chromium drew nothing in time' }), patience);
});
