// SPDX-License-Identifier: GPL-3.0-or-later
//
// crowd.wgsl over the vertices of a crowd's first mesh, against the same in doubles. In a page beside the crowd's files.
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const INSTANCE = [3, -2, 0.7], FLOATS = 16;
const entry = `
@group(0) @binding(2) var<storage, read> vertices: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> made: array<vec4<f32>>;
@group(0) @binding(4) var<uniform> instance: vec4<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
	let v = 4 * id.x;
	if (v + 3 < arrayLength(&vertices)) {
		let rest = CrowdVertex(vertices[v].xyz, vertices[v + 1].xyz);
		let posed = crowd_place(instance, crowd_skin(vec4<i32>(vertices[v + 2]), vertices[v + 3], i32(instance.w), rest));
		made[2 * id.x] = vec4<f32>(posed.position, 1.0);
		made[2 * id.x + 1] = vec4<f32>(posed.normal, 0.0);
	}
}`;

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

function blendDual(slots, weights, shortest, position) {
	const q = new Array(8).fill(0);
	slots.forEach((slot, i) => {
		const flips = shortest && dot(slot.slice(0, 4), slots[0].slice(0, 4)) < 0;
		slot.forEach((x, c) => { q[c] += (flips ? -1 : 1) * weights[i] * x; });
	});
	const size = Math.hypot(...q.slice(0, 4)), real = q.slice(0, 4).map((x) => x / size), dual = q.slice(4).map((x) => x / size);
	const once = cross(real, position).map((x, c) => x + real[3] * position[c]), twice = cross(real, once), across = cross(real, dual);
	return position.map((x, c) => x + 2 * twice[c] + 2 * (real[3] * dual[c] - dual[3] * real[c] + across[c]));
}

function expected(mesh, row, position, joints, weights) {
	const floats = 4 * mesh.texels_a_slot, first = 4 * mesh.first_texel;
	const slots = joints.map((j) => Array.from(row.subarray(first + floats * j, first + floats * (j + 1))));
	const posed = mesh.blend === 'linear' ? [0, 1, 2].map((r) => slots.reduce((sum, slot, i) =>
		sum + weights[i] * dot(slot.slice(4 * r, 4 * r + 4), [...position, 1]), 0)) : blendDual(slots, weights, mesh.signs !== 'as given', position);
	const c = Math.cos(INSTANCE[2]), s = Math.sin(INSTANCE[2]);
	return [c * posed[0] + s * posed[2] + INSTANCE[0], posed[1], c * posed[2] - s * posed[0] + INSTANCE[1]];
}

async function run(device, code, palettes, description, mesh, frame, vertices) {
	const texture = device.createTexture({ size: [description.palettes.width, description.palettes.height], format: 'rgba32float', usage: 6 });
	device.queue.writeTexture({ texture }, palettes, { bytesPerRow: 16 * description.palettes.width }, [description.palettes.width, description.palettes.height]);
	const make = (data, usage) => {
		const buffer = device.createBuffer({ size: data.byteLength, usage: usage | GPUBufferUsage.COPY_DST });
		device.queue.writeBuffer(buffer, 0, data);
		return buffer;
	};
	const shape = make(new Int32Array([mesh.first_texel, Number(mesh.blend !== 'linear'), Number(mesh.signs !== 'as given'), 0]), GPUBufferUsage.UNIFORM);
	const instance = make(new Float32Array([...INSTANCE, frame]), GPUBufferUsage.UNIFORM);
	const source = make(vertices, GPUBufferUsage.STORAGE), bytes = vertices.byteLength / 2;
	const made = device.createBuffer({ size: bytes, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
	const read = device.createBuffer({ size: bytes, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
	const visibility = GPUShaderStage.COMPUTE, layout = device.createBindGroupLayout({ entries: [
		{ binding: 0, visibility, texture: { sampleType: 'unfilterable-float' } },
		{ binding: 1, visibility, buffer: {} },
		{ binding: 2, visibility, buffer: { type: 'read-only-storage' } },
		{ binding: 3, visibility, buffer: { type: 'storage' } },
		{ binding: 4, visibility, buffer: {} }] });
	const pipeline = device.createComputePipeline({
		layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
		compute: { module: device.createShaderModule({ code }), entryPoint: 'main' } });
	const entries = [texture.createView(), ...[shape, source, made, instance].map((buffer) => ({ buffer }))].map((resource, binding) => ({ binding, resource }));
	const commands = device.createCommandEncoder(), pass = commands.beginComputePass();
	pass.setPipeline(pipeline);
	pass.setBindGroup(0, device.createBindGroup({ layout, entries }));
	pass.dispatchWorkgroups(Math.ceil(vertices.length / FLOATS / 64));
	pass.end();
	commands.copyBufferToBuffer(made, 0, read, 0, bytes);
	device.queue.submit([commands.finish()]);
	await read.mapAsync(GPUMapMode.READ);
	return new Float32Array(read.getMappedRange());
}

// Over the last frame, metres; null where there is no WebGPU.
export async function largestDifference() {
	const adapter = await navigator.gpu?.requestAdapter(), device = await adapter?.requestDevice();
	if (!device) {
		return null;
	}
	const description = await (await fetch('crowd.json')).json(), [mesh] = description.meshes, frame = description.palettes.height - 1;
	const palettes = new Float32Array(await (await fetch('palettes.float.bin')).arrayBuffer());
	const { attributes } = (await new GLTFLoader().loadAsync('crowd.glb')).scene.children[0].geometry;
	const of = (name, v, count) => Array.from(attributes[name].array.subarray(count * v, count * (v + 1)));
	const vertices = new Float32Array(FLOATS * attributes.position.count);
	for (let v = 0; v < attributes.position.count; v++) {
		vertices.set([...of('position', v, 3), 1, ...of('normal', v, 3), 0, ...of('skinIndex', v, 4), ...of('skinWeight', v, 4)], FLOATS * v);
	}
	const made = await run(device, await (await fetch('crowd.wgsl')).text() + entry, palettes, description, mesh, frame, vertices);
	const row = palettes.subarray(4 * description.palettes.width * frame);
	let most = 0;
	for (let v = 0; v < attributes.position.count; v++) {
		const wanted = expected(mesh, row, of('position', v, 3), of('skinIndex', v, 4), of('skinWeight', v, 4));
		most = Math.max(most, ...wanted.map((x, c) => Math.abs(x - made[8 * v + c])));
	}
	return { vertices: attributes.position.count, most };
}
