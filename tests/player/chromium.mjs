// SPDX-License-Identifier: GPL-3.0-or-later
//
// Chromium without a window, driven over a pipe: a page with a server of files for it. Nothing else can be reached.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

const kinds = { '.html': 'text/html', '.mjs': 'text/javascript', '.js': 'text/javascript', '.json': 'application/json' };

export function chromium() {
	return ['chromium', 'chromium-browser', 'google-chrome'].find((name) =>
		process.env.PATH.split(':').some((place) => fs.existsSync(path.join(place, name))));
}

// `files`: from addresses to files; an address that ends in a slash is a folder.
export function serve(files) {
	return new Promise((resolve) => {
		const server = http.createServer((question, response) => {
			const name = path.posix.normalize(decodeURIComponent(new URL(question.url, 'http://x').pathname));
			const folder = Object.keys(files).find((key) => key.endsWith('/') && key.length > 1 && name.startsWith(key));
			const file = files[name] ?? (folder ? path.join(files[folder], name.slice(folder.length)) : null);
			if (file && fs.existsSync(file)) {
				response.setHeader('Content-Type', kinds[path.extname(file)] ?? 'application/octet-stream');
				response.end(fs.readFileSync(file));
			} else {
				response.statusCode = 404;
				response.end();
			}
		}).listen(0, '127.0.0.1', () => resolve({ address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }));
	});
}

// With further switches of Chromium. A page: { go(address), size(width, height), value(expression), key(name), picture(file), messages, close() }. `messages` are
// warnings and errors of its console, and requests beyond what was served.
export async function openPage(further = []) {
	const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'sinew-chromium-'));
	const flags = ['--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--use-gl=angle', '--use-angle=swiftshader',
		'--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--no-first-run', '--disable-extensions', '--hide-scrollbars',
		'--remote-debugging-pipe', `--user-data-dir=${profile}`, ...further];
	const child = spawn(chromium(), [...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true });
	const waiting = new Map(), messages = [], listeners = [];
	let text = '', last = 0;
	child.stdio[4].on('data', (part) => {
		const lines = (text + part).split('\0');
		text = lines.pop();
		for (const { id, result, error, method, params } of lines.map((line) => JSON.parse(line))) {
			id && waiting.get(id)?.(error ? Promise.reject(new Error(error.message)) : result);
			method && listeners.forEach((listen) => listen(method, params));
		}
	});
	const send = (method, params = {}, sessionId = undefined) => new Promise((resolve) => {
		waiting.set(++last, resolve);
		child.stdio[3].write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
	});
	const { targetInfos } = await send('Target.getTargets'), { targetId } = targetInfos.find(({ type }) => type === 'page');
	const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true }), call = (method, params) => send(method, params, sessionId);
	listeners.push((method, params) => {
		if (method === 'Runtime.consoleAPICalled' && ['warning', 'error'].includes(params.type)) {
			messages.push(params.args.map((one) => one.value ?? one.description).join(' '));
		} else if (method === 'Runtime.exceptionThrown') {
			messages.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
		} else if (method === 'Log.entryAdded' && params.entry.level === 'error') {
			messages.push(`${params.entry.text} ${params.entry.url ?? ''}`);
		} else if (method === 'Network.requestWillBeSent') {
			asked.push(params.request.url);
		}
	});
	const asked = [];
	await Promise.all(['Page', 'Runtime', 'Log', 'Network'].map((domain) => call(`${domain}.enable`)));
	return {
		messages,
		asked, // the addresses of all requests
		size: (width, height) => call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false }),
		go: async (address) => {
			const loaded = new Promise((resolve) => { listeners.push((method) => method === 'Page.loadEventFired' && resolve()); });
			await call('Page.navigate', { url: address });
			await loaded;
		},
		value: async (expression) => {
			const { result, exceptionDetails } = await call('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
			if (exceptionDetails) {
				throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
			}
			return result.value;
		},
		key: async (key) => {
			for (const type of ['rawKeyDown', 'keyUp']) {
				await call('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode: { Tab: 9, Enter: 13, ' ': 32, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 }[key] });
			}
		},
		picture: async (file) => fs.writeFileSync(file, Buffer.from((await call('Page.captureScreenshot')).data, 'base64')),
		close: () => new Promise((resolve) => {
			child.once('exit', () => {
				fs.rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
				resolve();
			});
			process.kill(-child.pid, 'SIGKILL'); // and its processes, which write into the profile
		}),
	};
}
