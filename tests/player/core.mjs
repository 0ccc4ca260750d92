// SPDX-License-Identifier: GPL-3.0-or-later
//
// The JavaScript player without an engine, held to test vectors:  node core.mjs PLAYER.js FILE.vectors
// Prints JSON: the largest difference of poses and of sweeps, those given as rotation vectors and those followed from quaternions.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { readVectors } from './vectors.mjs';

const { createDrive } = await import(pathToFileURL(path.resolve(process.argv[2])));
const vectors = readVectors(process.argv[3]), { header } = vectors;

function quaternionOf(v) {
	const angle = Math.hypot(...v), share = angle > 0 ? Math.sin(angle / 2) / angle : 0;
	return [...v.map((x) => x * share), Math.cos(angle / 2)];
}

function times(a, b) {
	return [
		a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
		a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]];
}

const drives = header.meshes.map((mesh) => (mesh.sinew.joints ? createDrive(mesh.sinew) : null));

// A joint of all drives; `follows`: by its quaternion, whose sign says nothing, as an engine has it.
function setJoint(name, vector, place, follows) {
	for (const drive of drives) {
		const j = drive ? drive.joints.findIndex((joint) => joint.name === name) : -1;
		if (j < 0) {
			continue;
		}
		const rest = drive.joints[j], translation = place?.slice(0, 3) ?? [...rest.translation], scale = place?.slice(3) ?? [...rest.scale];
		if (follows) {
			const q = times(rest.rotation, quaternionOf(vector));
			drive.set(j, translation, q[3] < 0 ? q.map((x) => -x) : q, scale);
		} else {
			drive.pose[j] = { vector, translation, scale };
		}
	}
}

function difference(wanted) {
	const answers = drives.map((drive) => drive?.evaluate());
	const found = header.coefficients.map(({ mesh, target }) => answers[mesh].weights.get(target));
	for (const name of header.helpers) {
		found.push(...answers.find((answer) => answer?.helpers.has(name)).helpers.get(name));
	}
	const off = found.map((x, i) => Math.abs(x - wanted[i]) / Math.max(1, Math.abs(wanted[i])));
	return off.length > 0 && off.every(Number.isFinite) ? Math.max(...off) : Infinity;
}

const worst = { poses: 0, sweeps: 0, followed: 0 };
for (let p = 0; p < header.poses; p++) {
	vectors.poseAt(p).forEach(({ vector, place }, j) => setJoint(header.joints[j], vector, place, false));
	worst.poses = Math.max(worst.poses, difference(vectors.poseAnswer(p)));
}
header.joints.forEach((name) => setJoint(name, [0, 0, 0], null, false));
for (const follows of [false, true]) {
	const kind = follows ? 'followed' : 'sweeps';
	header.joints.forEach((name, j) => {
		for (let i = 0; i < 2 * header.steps; i++) {
			i % header.steps === 0 && setJoint(name, [0, 0, 0], null, false); // a sweep begins at rest
			setJoint(name, vectors.sweepAt(j, i), null, follows);
			worst[kind] = Math.max(worst[kind], difference(vectors.sweepAnswer(j, i)));
		}
		setJoint(name, [0, 0, 0], null, false);
	});
}
console.log(JSON.stringify({ ...worst, poses_tested: header.poses, joints: header.joints.length, coefficients: header.coefficients.length, helpers: header.helpers.length }));
