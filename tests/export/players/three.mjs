// SPDX-License-Identifier: GPL-3.0-or-later
//
// A glTF or FBX file as three.js plays it, without a window: the vertices of all meshes at moments of its clips.
import fs from 'node:fs';

globalThis.self = globalThis; // the loaders expect a browser's name for it

// The scene and its animations.
async function readGltf(bytes) {
	const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');
	const { MeshoptDecoder } = await import('meshoptimizer');
	const loader = new GLTFLoader();
	loader.setMeshoptDecoder(MeshoptDecoder);
	return loader.parseAsync(bytes, '');
}

async function readFbx(bytes) {
	// More of its names. Pictures stay unread: nothing waits for them.
	globalThis.window = globalThis;
	globalThis.document = { createElementNS: () => ({ addEventListener: () => {}, removeEventListener: () => {} }) };
	const { FBXLoader } = await import('three/examples/jsm/loaders/FBXLoader.js');
	const scene = new FBXLoader().parse(bytes, '');
	return { scene, animations: scene.animations };
}

export async function open(file) {
	const { AnimationMixer, LoopOnce, Vector3 } = await import('three');
	const bytes = new Uint8Array(fs.readFileSync(file)).buffer;
	const { scene, animations } = await (file.endsWith('.fbx') ? readFbx : readGltf)(bytes);
	const meshes = [];
	scene.traverse((object) => object.isMesh && meshes.push(object));
	const mixer = new AnimationMixer(scene);

	function pose(clip, seconds) {
		mixer.stopAllAction();
		const action = mixer.clipAction(animations.find((animation) => animation.name === clip));
		action.setLoop(LoopOnce);
		action.clampWhenFinished = true;
		action.reset().play();
		mixer.setTime(seconds);
		scene.updateMatrixWorld(true);
	}

	// [x, y, z, …] of all vertices of all meshes.
	function points() {
		const list = [], point = new Vector3();
		for (const mesh of meshes) {
			for (let i = 0; i < mesh.geometry.attributes.position.count; i++) {
				mesh.getVertexPosition(i, point).applyMatrix4(mesh.matrixWorld);
				list.push(point.x, point.y, point.z);
			}
		}
		return Float64Array.from(list);
	}
	return { pose, points };
}
