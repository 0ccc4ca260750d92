// SPDX-License-Identifier: GPL-3.0-or-later
//
// A glTF file as Blender plays it: the vertices of all meshes at moments of its clips. SINEW_TEST_BLENDER is the folder of
// play_clips.py. It has rotations between keys by Blender's own slerp, because its curves have four numbers each on its own there.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

// The animations of a file, by name.
function animationsOf(file) {
	const bytes = fs.readFileSync(file);
	const document = JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString());
	return document.animations.map((animation) => animation.name);
}

function play(file, request, out) {
	const script = path.join(process.env.SINEW_TEST_BLENDER, 'play_clips.py');
	// Debian's Blender takes Python's modules from where the first python3 of the PATH is.
	const env = { ...process.env, PATH: `/usr/bin:${process.env.PATH}` };
	const done = spawnSync('blender', ['-b', '--factory-startup', '--python-exit-code', '1', '-P', script, '--', file, request, out], { env });
	if (done.status !== 0 || !fs.existsSync(out)) {
		throw new Error(`Blender could not play ${file}:\n${done.stdout}${done.stderr}`);
	}
	return fs.readFileSync(out);
}

// What play_clips.py writes: the meshes and bones, then for each moment the points and the bones' matrices.
function readMoments(bytes) {
	const meshes = bytes.readInt32LE(0);
	let at = 4, points = 0;
	for (let m = 0; m < meshes; m++, at += 8) {
		points += bytes.readInt32LE(at + 4);
	}
	const bones = bytes.readInt32LE(at), size = 4 * (3 * points + 12 * bones), moments = [];
	for (at += 4 + 64 * bones; at + size <= bytes.length; at += size) {
		moments.push(Float64Array.from({ length: 3 * points }, (_, i) => bytes.readFloatLE(at + 4 * i)));
	}
	return moments;
}

// `clips` has the name and the times of each clip that will be asked for, in that order.
export async function open(file, clips) {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sinew-blender-')), names = animationsOf(file);
	const request = path.join(folder, 'request.txt');
	fs.writeFileSync(request, clips.map((clip) => `${names.indexOf(clip.name)} spread ${clip.times.join(' ')}\n`).join(''));
	const moments = readMoments(play(file, request, path.join(folder, 'out.bin')));
	fs.rmSync(folder, { recursive: true });
	if (moments.length !== clips.reduce((sum, clip) => sum + clip.times.length, 0)) {
		throw new Error(`${moments.length} moments were played`);
	}
	const first = new Map();
	let count = 0;
	for (const clip of clips) {
		first.set(clip.name, { at: count, times: clip.times });
		count += clip.times.length;
	}
	let shown = 0;
	return {
		pose(clip, seconds) {
			shown = first.get(clip).at + first.get(clip).times.indexOf(seconds);
		},
		points: () => moments[shown],
	};
}
