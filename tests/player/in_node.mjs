// SPDX-License-Identifier: GPL-3.0-or-later
//
// The JavaScript player in an engine, in node:  node in_node.mjs PLAYER.js three|babylon FILE.glb FILE.vectors STRIDE
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { check, openBabylon, openThree } from './engines.mjs';

globalThis.self = globalThis; // three's loader expects a browser's name for it

const [file, engine, glb, vectors, stride] = process.argv.slice(2);
const read = (name) => {
	const bytes = fs.readFileSync(name);
	return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
};
const player = await import(pathToFileURL(path.resolve(file)));
console.log(JSON.stringify(await check(player, engine === 'three' ? openThree : openBabylon, read(glb), read(vectors), Number(stride))));
