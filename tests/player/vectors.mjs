// SPDX-License-Identifier: GPL-3.0-or-later
//
// Test vectors (`sinew export --vectors`; docs/pose-space.md), read: the header, and what a player is held to.
import fs from 'node:fs';

export function readVectors(file) {
	const bytes = fs.readFileSync(file), end = bytes.indexOf(10) + 1, header = JSON.parse(bytes.subarray(0, end).toString());
	const view = new DataView(bytes.buffer, bytes.byteOffset + end), count = (bytes.length - end) / 4;
	const { poses, placedPoses, steps, joints, coefficients, helpers } = header;
	const answer = coefficients.length + 12 * helpers.length, number = (i) => view.getFloat32(4 * i, true);
	const many = (at, length) => Array.from({ length }, (_, i) => number(at + i));
	const places = 3 * poses * joints.length, answers = places + 6 * placedPoses * joints.length;
	if (count !== answers + answer * (poses + 2 * steps * joints.length)) {
		throw new Error(`${file}: ${count} numbers are not what its header says`);
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
