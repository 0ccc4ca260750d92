// SPDX-License-Identifier: GPL-3.0-or-later
//
// A glTF file as three.js plays it, without a window: the vertices of all meshes at moments of its clips.
import fs from 'node:fs';

globalThis.self = globalThis; // the loader expects a browser's name for it

export async function open(file) {
	const { AnimationMixer, LoopOnce, Vector3 } = await import('three');
	const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');
	const { MeshoptDecoder } = await import('meshoptimizer');
	const bytes = fs.readFileSync(file);
	const loader = new GLTFLoader();
	loader.setMeshoptDecoder(MeshoptDecoder);
	const gltf = await loader.parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), '');
	const meshes = [];
	gltf.scene.traverse((object) => object.isMesh && meshes.push(object));
	const mixer = new AnimationMixer(gltf.scene);

	function pose(clip, seconds) {
		mixer.stopAllAction();
		const action = mixer.clipAction(gltf.animations.find((animation) => animation.name === clip));
		action.setLoop(LoopOnce);
		action.clampWhenFinished = true;
		action.reset().play();
		mixer.setTime(seconds);
		gltf.scene.updateMatrixWorld(true);
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
