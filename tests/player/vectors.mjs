// SPDX-License-Identifier: GPL-3.0-or-later
//
// Test vectors (`sinew export --vectors`; docs/pose-space.md), read: the header, and what a player is held to.

export function readVectors(buffer) {
	const bytes = new Uint8Array(buffer), end = bytes.indexOf(10) + 1, header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
	const view = new DataView(buffer, end), count = (bytes.length - end) / 4;
	const { poses, placedPoses, steps, joints, coefficients, helpers } = header;
	const answer = coefficients.length + 12 * helpers.length, number = (i) => view.getFloat32(4 * i, true);
	const many = (at, length) => Array.from({ length }, (_, i) => number(at + i));
	const places = 3 * poses * joints.length, answers = places + 6 * placedPoses * joints.length;
	if (count !== answers + answer * (poses + 2 * steps * joints.length)) {
		throw new Error(`${count} numbers are not what the header says`);
	}
	const poseAt = (p) => joints.map((_, j) => ({
		vector: many(3 * (p * joints.length + j), 3),
		place: p > 0 && p <= placedPoses ? many(places + 6 * ((p - 1) * joints.length + j), 6) : null,
	}));
	// From rest on to two turns, then from rest to two turns back.
	const sweepAt = (j, i) => header.axes[j].map((x) => Math.fround(x * 2 * Math.PI * ((i % steps) + 0.5) / steps * (i < steps ? 2 : -2)));
	const answerAt = (p) => many(answers + answer * p, answer);
	return { header, poseAt, sweepAt, poseAnswer: answerAt, sweepAnswer: (j, i) => answerAt(poses + 2 * steps * j + i) };
}

export function quaternionOf(v) {
	const angle = Math.hypot(...v), share = angle > 0 ? Math.sin(angle / 2) / angle : 0;
	return [...v.map((x) => x * share), Math.cos(angle / 2)];
}

export const times = (a, b) => [
	a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
	a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]];

// A joint's local rotation, with the sign that says nothing of the winding.
export function localRotation(rest, vector) {
	const q = times(rest, quaternionOf(vector));
	return q[3] < 0 ? q.map((x) => -x) : q;
}

// The largest of the differences, relative to what is wanted where that is over 1.
export function difference(found, wanted) {
	const off = wanted.map((x, i) => Math.abs(found[i] - x) / Math.max(1, Math.abs(x)));
	return off.length > 0 && off.every(Number.isFinite) ? Math.max(...off) : Infinity;
}
