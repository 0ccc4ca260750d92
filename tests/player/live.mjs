// SPDX-License-Identifier: GPL-3.0-or-later
//
// A glTF with a graph (KHR_interactivity) in Babylon.js, at the poses of its test vectors:  node live.mjs FILE.glb FILE.vectors STRIDE
// Nothing but Babylon's own loader sets the weights. Prints JSON: the largest difference.
import fs from 'node:fs';
import { FreeCamera } from '@babylonjs/core/Cameras/freeCamera.js';
import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
import { AppendSceneAsync } from '@babylonjs/core/Loading/sceneLoader.js';
import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { Scene } from '@babylonjs/core/scene.js';
import { difference, localRotation, readVectors } from './vectors.mjs';

await import('@babylonjs/loaders/glTF/2.0/index.js');
const [glb, vectorFile, stride] = process.argv.slice(2), bytes = fs.readFileSync(vectorFile);
const vectors = readVectors(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)), { header } = vectors;
const engine = new NullEngine(), scene = new Scene(engine), logged = [];
for (const kind of ['log', 'warn', 'error']) {
	console[kind] = (...words) => words.join(' ').includes('interactivity') && logged.push(words.join(' '));
}
new FreeCamera('camera', Vector3.Zero(), scene);
await AppendSceneAsync(`data:;base64,${fs.readFileSync(glb).toString('base64')}`, scene, { pluginExtension: '.glb' });
scene.animationGroups.forEach((group) => group.stop());
const nodes = new Map(scene.transformNodes.map((node) => [node.name, node]));
const rests = new Map(header.meshes.flatMap(({ sinew }) => sinew.joints ?? []).map((joint) => [joint.name, joint]));
const targets = scene.meshes.flatMap((mesh) => mesh.morphTargetManager ?? [])
	.flatMap((manager) => Array.from({ length: manager.numTargets }, (_, i) => manager.getTarget(i)));
const sides = header.meshes.flatMap(({ sinew }) => sinew.sides ?? []);
const weightOf = (shape) => targets.find((target) => target.name === shape).influence;
let worst = 0, largest = 0;
for (let p = 0; p < header.poses; p += Number(stride)) {
	vectors.poseAt(p).forEach(({ vector, place }, j) => {
		const node = nodes.get(header.joints[j]), rest = rests.get(header.joints[j]);
		node.position.fromArray(place?.slice(0, 3) ?? rest.translation);
		node.rotationQuaternion.fromArray(localRotation(rest.rotation, vector));
		node.scaling.fromArray(place?.slice(3) ?? rest.scale);
	});
	scene.render();
	const wanted = vectors.poseAnswer(p), pairs = header.coefficients.flatMap(({ target }, i) => {
		const two = sides.filter((side) => side.target === target);
		return two.length === 0 ? [[weightOf(target), wanted[i]]]
			: two.map(({ shape, reach }) => [weightOf(shape), Math.max(0, wanted[i] / reach)]);
	});
	worst = Math.max(worst, difference(pairs.map(([found]) => found), pairs.map(([, want]) => want)));
	largest = Math.max(largest, ...pairs.map(([found]) => Math.abs(found)));
}
process.stdout.write(`${JSON.stringify({ worst, largest, logged, version: NullEngine.Version })}\n`);
process.exit(0);
