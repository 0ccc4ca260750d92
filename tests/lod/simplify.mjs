// SPDX-License-Identifier: GPL-3.0-or-later
// node simplify.mjs FROM.glb TO.glb ATTRIBUTES TRIANGLES…: adds levels of the only mesh, as MSFT_lod, by meshoptimizer of npm, which knows
// its points, normals and UVs, and, with the attributes "weights", the weights of the joints that move most of it.
import { readFileSync, writeFileSync } from "node:fs";
import { MeshoptSimplifier } from "meshoptimizer";

const [from, to, attributes, ...targets] = process.argv.slice(2);
const NORMAL = 0.5, UV = 1, WEIGHT = 1, MOST = 32; // attributes, in all
const READ = { 5121: Uint8Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array }, WIDTH = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };
const file = readFileSync(from), length = file.readUInt32LE(12), gltf = JSON.parse(file.toString("utf8", 20, 20 + length));
const bin = file.subarray(28 + length, 28 + length + file.readUInt32LE(20 + length)), added = [];
let size = bin.length;

function values(index) {
	const accessor = gltf.accessors[index], view = gltf.bufferViews[accessor.bufferView], Kind = READ[accessor.componentType];
	const width = WIDTH[accessor.type], stride = view.byteStride ?? width * Kind.BYTES_PER_ELEMENT;
	const made = new Float32Array(width * accessor.count), scale = accessor.normalized ? 256 ** Kind.BYTES_PER_ELEMENT - 1 : 1;
	for (let i = 0; i < accessor.count; i++) {
		const at = bin.byteOffset + (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0) + i * stride;
		made.set(Array.from(new Kind(bin.buffer.slice(at, at + width * Kind.BYTES_PER_ELEMENT)), (v) => v / scale), i * width);
	}
	return made;
}

// The columns of the attributes of each vertex, and how much each counts.
function columns(primitive, count) {
	const named = primitive.attributes, made = [], counts = [];
	const add = (list, width, weight) => {
		for (let c = 0; c < width; c++) {
			made.push((v) => list[v * width + c]);
			counts.push(weight);
		}
	};
	if ("NORMAL" in named) add(values(named.NORMAL), 3, NORMAL);
	if ("TEXCOORD_0" in named) add(values(named.TEXCOORD_0), 2, UV);
	if (attributes === "weights" && "JOINTS_0" in named) {
		const joints = values(named.JOINTS_0), weights = values(named.WEIGHTS_0), sums = new Map();
		weights.forEach((weight, i) => sums.set(joints[i], (sums.get(joints[i]) ?? 0) + weight));
		for (const [joint] of [...sums].sort((a, b) => b[1] - a[1]).slice(0, MOST - made.length)) {
			const column = new Float32Array(count);
			weights.forEach((weight, i) => (column[i >> 2] += joints[i] === joint ? weight : 0));
			add(column, 1, WEIGHT);
		}
	}
	const table = new Float32Array(made.length * count);
	for (let v = 0; v < count; v++) made.forEach((value, c) => (table[v * made.length + c] = value(v)));
	return [table, counts];
}

function put(indices) {
	gltf.bufferViews.push({ buffer: 0, byteOffset: size, byteLength: indices.byteLength });
	added.push(Buffer.from(indices.buffer, indices.byteOffset, indices.byteLength));
	size += indices.byteLength;
	gltf.accessors.push({ bufferView: gltf.bufferViews.length - 1, componentType: 5125, count: indices.length, type: "SCALAR" });
	return gltf.accessors.length - 1;
}

await MeshoptSimplifier.ready;
const node = gltf.nodes.find((candidate) => "mesh" in candidate), mesh = gltf.meshes[node.mesh];
const originals = mesh.primitives.map((primitive) => Uint32Array.from(values(primitive.indices)));
const all = originals.reduce((sum, indices) => sum + indices.length / 3, 0), ids = [];
for (const target of targets) {
	const primitives = mesh.primitives.map((primitive, p) => {
		const places = values(primitive.attributes.POSITION), count = places.length / 3, [table, counts] = columns(primitive, count);
		const goal = 3 * Math.round((originals[p].length / 3) * (target / all));
		const [indices] = counts.length
			? MeshoptSimplifier.simplifyWithAttributes(originals[p], places, 3, table, counts.length, counts, null, goal, 1)
			: MeshoptSimplifier.simplify(originals[p], places, 3, goal, 1);
		const { targets: _, ...kept } = primitive;
		return { ...kept, indices: put(indices) };
	});
	gltf.meshes.push({ primitives });
	ids.push(gltf.nodes.push({ ...node, name: `${node.name}_LOD${ids.length + 1}`, mesh: gltf.meshes.length - 1, children: undefined }) - 1);
}
node.extensions = { ...node.extensions, MSFT_lod: { ids } };
gltf.extensionsUsed = [...new Set([...(gltf.extensionsUsed ?? []), "MSFT_lod"])];
gltf.buffers[0].byteLength = size;
const text = Buffer.from(JSON.stringify(gltf)), padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, 32)]);
const header = (words) => Buffer.from(Uint32Array.from(words).buffer);
writeFileSync(to, Buffer.concat([header([0x46546c67, 2, 28 + padded.length + size, padded.length, 0x4e4f534a]), padded, header([size, 0x4e4942]), bin, ...added]));
