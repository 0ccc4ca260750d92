// SPDX-License-Identifier: GPL-3.0-or-later
//
// How far a player is from the stack:  node play.mjs PLAYER.mjs DIAGONAL FILE… CLIP=FRAMES.mdd[,FRAMES.mdd…]…
//
// The frames are the stack's points, of one mesh in each .mdd. Packers reorder and merge vertices, so paths are compared and not
// indices: each vertex of the file is taken for the point whose path over all frames is nearest, and the other way round. Prints JSON,
// a line for each file: the largest distance of each, in percent of the diagonal, and the numbers of vertices, points and frames.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [player, diagonal, ...words] = process.argv.slice(2);
const clips = words.filter((word) => word.includes('.mdd')), files = words.filter((word) => !word.includes('.mdd'));
const unit = Number(diagonal);

// LightWave's MDD: the number of frames and of points, the times, the points; big-endian.
function readMesh(path) {
	const bytes = fs.readFileSync(path), view = new DataView(bytes.buffer, bytes.byteOffset);
	const count = view.getInt32(0), points = view.getInt32(4);
	const times = Array.from({ length: count }, (_, f) => view.getFloat32(8 + 4 * f));
	const frames = times.map((_, f) => {
		const begin = 8 + 4 * count + 12 * points * f;
		return Float64Array.from({ length: 3 * points }, (_, i) => view.getFloat32(begin + 4 * i));
	});
	return { times, frames };
}

function readClip(word) {
	const at = word.indexOf('='), meshes = word.slice(at + 1).split(',').map(readMesh);
	const frames = meshes[0].frames.map((_, f) => Float64Array.from(meshes.flatMap((mesh) => [...mesh.frames[f]])));
	return { name: word.slice(0, at), times: meshes[0].times, frames };
}

const distance = (a, i, b, j) => Math.hypot(a[3 * i] - b[3 * j], a[3 * i + 1] - b[3 * j + 1], a[3 * i + 2] - b[3 * j + 2]);

// The farthest two paths are apart, or Infinity once that is more than `limit`.
function apart(truth, i, played, j, limit) {
	let most = 0;
	for (let f = 0; f < truth.length; f++) {
		most = Math.max(most, distance(truth[f], i, played[f], j));
		if (most > limit) {
			return Infinity;
		}
	}
	return most;
}

// Points of one frame in cells of a size.
function cellsOf(points, size) {
	const cells = new Map();
	for (let i = 0; i < points.length / 3; i++) {
		const key = [0, 1, 2].map((c) => Math.floor(points[3 * i + c] / size)).join();
		cells.has(key) ? cells.get(key).push(i) : cells.set(key, [i]);
	}
	return cells;
}

function* near(cells, size, points, j) {
	const [x, y, z] = [0, 1, 2].map((c) => Math.floor(points[3 * j + c] / size));
	for (let i = 0; i < 27; i++) {
		yield* cells.get([x + (i % 3) - 1, y + (Math.floor(i / 3) % 3) - 1, z + Math.floor(i / 9) - 1].join()) ?? [];
	}
}

// For each path of `from` the nearest of `to`; the largest of these distances.
function farthest(from, to, size) {
	const cells = cellsOf(to[0], size);
	let worst = 0;
	for (let j = 0; j < from[0].length / 3; j++) {
		let best = Infinity;
		for (const i of near(cells, size, from[0], j)) {
			best = Math.min(best, apart(to, i, from, j, best));
		}
		worst = Math.max(worst, best);
	}
	return worst;
}

const { open } = await import(pathToFileURL(path.resolve(player)));
const wanted = clips.map(readClip), truth = wanted.flatMap((clip) => clip.frames);
const size = 0.03 * unit; // no player is that far off
for (const file of files) {
	const scene = await open(file, wanted);
	const played = wanted.flatMap((clip) => clip.times.map((seconds) => {
		scene.pose(clip.name, seconds);
		return scene.points();
	}));
	console.log(JSON.stringify({
		max_percent: (100 * farthest(played, truth, size)) / unit,
		missed_percent: (100 * farthest(truth, played, size)) / unit,
		vertices: played[0].length / 3,
		points: truth[0].length / 3,
		frames: truth.length,
	}));
}
