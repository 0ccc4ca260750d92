// SPDX-License-Identifier: GPL-3.0-or-later
//
// A page of `sinew report` in Chromium:  node review.mjs PAGE.html ASKS.json WIDTH…
// Its layout and keys are tried at each width.
// Each of ASKS is { hash, ours, empty, eye, target }: the page at that moment beside pictures by `sinew render`, `empty` being the
// one without the character. Prints JSON.
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { openPage } from './chromium.mjs';

const [file, asksFile, ...widths] = process.argv.slice(2), address = pathToFileURL(file).href, page = await openPage();
const png = (name) => JSON.stringify(`data:image/png;base64,${fs.readFileSync(name).toString('base64')}`);
const isReady = `new Promise((done) => { const look = () => (document.body.dataset.ready ? done(true) : setTimeout(look, 20)); look(); })`;
const redrawn = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))';

async function open(hash) {
	await page.go('about:blank');
	await page.go(`${address}#${hash}`);
	await page.value(isReady);
}

// Whether a key changes what an expression gives.
async function changes(id, key, expression) {
	const before = await page.value(`document.getElementById('${id}').focus(), ${expression}`);
	await page.key(key);
	await page.value(redrawn);
	return (await page.value(expression)) !== before;
}

async function look(width, height) {
	await page.size(width, height);
	await open('clip=both&seconds=0.3');
	const reached = new Set();
	for (let i = 0; i < 30; i++) {
		await page.key('Tab');
		reached.add(await page.value('document.activeElement.id'));
	}
	return {
		width,
		scrolls: await page.value('document.documentElement.scrollWidth'),
		canvas: await page.value('document.getElementById("view").clientWidth'),
		reached: [...reached],
		keys: {
			camera: await changes('view', 'ArrowLeft', 'document.getElementById("view").toDataURL()'),
			wipe: await changes('wipe', 'ArrowLeft', 'document.getElementById("edge").style.left'),
			time: await changes('time', 'ArrowRight', 'document.getElementById("view").toDataURL()'),
			joint: await changes('angle-z', 'ArrowRight', 'document.getElementById("clip").value'),
		},
	};
}

// Pixels of both silhouettes, and of one that are not even beside the other's. The page's picture takes the size of the other.
const compare = async (ours, empty) => {
	const canvas = document.getElementById('view'), load = async (source) => {
		const image = new Image();
		image.src = source;
		await image.decode();
		return image;
	};
	const images = [await load(ours), await load(empty)], { width, height } = images[0];
	Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
	while (canvas.width !== width || canvas.height !== height) {
		await new Promise((done) => { setTimeout(done, 20); });
	}
	await new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
	const pixels = [canvas, ...images].map((image) => {
		const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
		context.drawImage(image, 0, 0);
		return context.getImageData(0, 0, width, height).data;
	});
	const theirs = (i) => pixels[0][4 * i + 3] > 127, isOurs = (i) => [0, 1, 2].some((c) => Math.abs(pixels[1][4 * i + c] - pixels[2][4 * i + c]) > 12);
	let both = 0, far = 0;
	for (let y = 1; y < height - 1; y++) {
		for (let x = 1; x < width - 1; x++) {
			const i = y * width + x, near = [-1, 0, 1].flatMap((r) => [-1, 0, 1].map((c) => i + r * width + c)), [a, b] = [theirs(i), isOurs(i)];
			both += a && b;
			far += (a && !near.some(isOurs)) || (b && !near.some(theirs));
		}
	}
	return { both, far };
};

try {
	const found = { sizes: [], pixels: [] };
	for (const width of widths) {
		found.sizes.push(await look(Number(width), 600));
	}
	await page.size(480, 480);
	for (const { hash, ours, empty, eye, target } of JSON.parse(fs.readFileSync(asksFile))) {
		await open(`${hash}&eye=${eye}&target=${target}`);
		found.pixels.push(await page.value(`(${compare})(${png(ours)}, ${png(empty)})`));
	}
	const asked = page.asked.filter((name) => !name.startsWith('data:') && !name.startsWith('about:') && !name.startsWith(address));
	console.log(JSON.stringify({ ...found, messages: page.messages, asked }));
} catch (error) {
	console.error(error.stack, page.messages.join('\n'));
	process.exitCode = 1;
} finally {
	await page.close();
}
