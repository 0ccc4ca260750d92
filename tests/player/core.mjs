// SPDX-License-Identifier: GPL-3.0-or-later
//
// The JavaScript player without an engine, held to test vectors:  node core.mjs PLAYER.js FILE.vectors…
// Prints JSON, a line for each file: the largest difference at poses and in sweeps, those given as rotation vectors and those followed from quaternions.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { difference, localRotation, readVectors } from './vectors.mjs';

const { createDrive, play } = await import(pathToFileURL(path.resolve(process.argv[2])));

// ---- extras with other values in places: nothing is thrown, and what is shown is finite -------------------------------------------

const odd = [null, undefined, true, 0, -1, 1e308, NaN, '', 'constructor', '__proto__', [], [null], {}, [[]]];
const placesIn = (value, at = []) => [at, ...(value && typeof value === 'object'
	? Object.keys(value).slice(0, 4).flatMap((key) => placesIn(value[key], [...at, key])) : [])];

function replaced(sinew, at, value) {
	const copy = structuredClone(sinew), last = at.at(-1);
	at.slice(0, -1).reduce((inside, key) => inside[key], copy)[last] = value;
	return copy;
}

function heldTo(file) {
	const bytes = fs.readFileSync(file);
	const vectors = readVectors(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)), { header } = vectors;
	const drives = header.meshes.map((mesh) => (mesh.sinew.joints ? createDrive(mesh.sinew) : null));

	// A joint of all drives; `follows`: by its quaternion, as an engine has it.
	function setJoint(name, vector, place, follows) {
		for (const drive of drives.filter((one) => one)) {
			const j = drive.joints.findIndex((joint) => joint.name === name);
			if (j >= 0) {
				const rest = drive.joints[j], translation = place?.slice(0, 3) ?? rest.translation, scale = place?.slice(3) ?? rest.scale;
				drive.pose[j] = { vector: follows ? drive.pose[j].vector : vector, translation, scale };
				follows && drive.set(j, translation, localRotation(rest.rotation, vector), scale);
			}
		}
	}

	function off(wanted) {
		const answers = drives.map((drive) => drive?.evaluate());
		const found = header.coefficients.map(({ mesh, target }) => answers[mesh].weights.get(target));
		for (const name of header.helpers) {
			found.push(...answers.find((answer) => answer?.helpers.has(name)).helpers.get(name));
		}
		return difference(found, wanted);
	}

	const worst = { poses: 0, sweeps: 0, followed: 0 };
	for (let p = 0; p < header.poses; p++) {
		vectors.poseAt(p).forEach(({ vector, place }, j) => setJoint(header.joints[j], vector, place, false));
		worst.poses = Math.max(worst.poses, off(vectors.poseAnswer(p)));
	}
	header.joints.forEach((name) => setJoint(name, [0, 0, 0], null, false));
	for (const kind of ['sweeps', 'followed']) {
		header.joints.forEach((name, j) => {
			for (let i = 0; i < 2 * header.steps; i++) {
				i % header.steps === 0 && setJoint(name, [0, 0, 0], null, false); // each begins at rest
				setJoint(name, vectors.sweepAt(j, i), null, kind === 'followed');
				worst[kind] = Math.max(worst[kind], off(vectors.sweepAnswer(j, i)));
			}
			setJoint(name, [0, 0, 0], null, false);
		});
	}

	function playDamaged(sinew, joints) {
		const shown = [], show = (x) => shown.push(x), nodes = new Map();
		joints.forEach(({ name, translation, rotation, scale }) => {
			nodes.set(name, { read: () => [translation, rotation, scale], write: (matrix) => matrix.forEach(show) });
		});
		const live = play([{ sinew, label: 'damaged', setWeight: (_, weight) => show(weight) }], nodes, () => {});
		live.update();
		live.update();
		return shown.every(Number.isFinite);
	}

	let damaged = 0;
	const shownBadly = [];
	for (const { sinew } of header.meshes.filter((mesh) => mesh.sinew.joints)) {
		for (const [i, at] of placesIn(sinew).filter((each) => each.length > 0).entries()) {
			for (const value of [odd[i % odd.length], odd[(i + 5) % odd.length]]) {
				playDamaged(replaced(sinew, at, value), sinew.joints) || shownBadly.push([at.join('.'), String(value)]);
				damaged++;
			}
		}
	}
	const count = { joints: header.joints.length, coefficients: header.coefficients.length, helpers: header.helpers.length };
	return { ...worst, damaged, shownBadly, ...count };
}

for (const file of process.argv.slice(3)) {
	console.log(JSON.stringify(heldTo(file)));
}
