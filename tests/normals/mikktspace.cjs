// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compares tangents with those of the npm package: node mikktspace.cjs FOLDER_OF_THE_PACKAGE FILE...
// A file has 12 floats for each corner of each triangle: place, normal, UV, tangent. The package has v up, so signs differ.
const fs = require('fs');
const path = require('path');

const [folder, ...files] = process.argv.slice(2);
const { generateTangents } = require(path.join(folder, 'node_modules', 'mikktspace'));

function compare(file) {
	const bytes = fs.readFileSync(file), count = bytes.length / 48;
	const corners = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
	const column = (at, width) => Float32Array.from({ length: width * count },
		(_, i) => corners[12 * Math.floor(i / width) + at + i % width]);
	const theirs = generateTangents(column(0, 3), column(3, 3), column(6, 2));
	let most = 0, cancelled = 0;
	for (let c = 0; c < count; c++) {
		const tangent = theirs.subarray(4 * c, 4 * c + 4), ours = corners.subarray(12 * c + 8, 12 * c + 12);
		if (Math.hypot(tangent[0], tangent[1], tangent[2]) < 0.5) {
			cancelled++; // no direction, where ours has (1, 0, 0)
			continue;
		}
		for (let i = 0; i < 4; i++) {
			most = Math.max(most, Math.abs(ours[i] - (i === 3 ? -tangent[i] : tangent[i])));
		}
	}
	console.log(`${path.basename(file)}: ${count} corners, at most ${most.toExponential(2)} apart; ${cancelled} have no direction`);
	return most <= 1e-6 && cancelled < 0.01 * count;
}

process.exit(files.length > 0 && files.map(compare).every((isNear) => isNear) ? 0 : 1);
