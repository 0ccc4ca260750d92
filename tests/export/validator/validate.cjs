// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs the Khronos glTF validator over files: node validate.cjs FOLDER_OF_THE_VALIDATOR FILE...
// One line a file; exits 1 where a file has an error.
const fs = require('fs');
const path = require('path');

const [folder, ...files] = process.argv.slice(2);
const validator = require(path.join(folder, 'node_modules', 'gltf-validator'));

async function check(file) {
	const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 1000 });
	const { numErrors, numWarnings, messages } = report.issues;
	console.log(`${path.basename(file)}: ${numErrors} errors, ${numWarnings} warnings`);
	const reported = new Set();
	for (const { severity, code, message, pointer } of messages) {
		if (severity <= 1 && !reported.has(code)) {
			reported.add(code);
			console.log(`  ${severity === 0 ? 'error' : 'warning'} ${code}: ${message} (${pointer})`);
		}
	}
	return numErrors;
}

(async () => {
	let errors = 0;
	for (const file of files) {
		errors += await check(file);
	}
	process.exit(files.length === 0 || errors > 0 ? 1 : 0);
})();
