// SPDX-License-Identifier: GPL-3.0-or-later
//
// A glTF file as Babylon.js plays it with its engine for no screen: the vertices of all meshes at moments of its clips.
import fs from 'node:fs';

export async function open(file) {
	const { NullEngine } = await import('@babylonjs/core/Engines/nullEngine.js');
	const { Scene } = await import('@babylonjs/core/scene.js');
	const { FreeCamera } = await import('@babylonjs/core/Cameras/freeCamera.js');
	const { Vector3 } = await import('@babylonjs/core/Maths/math.vector.js');
	const { LoadAssetContainerAsync } = await import('@babylonjs/core/Loading/sceneLoader.js');
	const { MeshoptCompression } = await import('@babylonjs/core/Meshes/Compression/meshoptCompression.js');
	const { MeshoptDecoder } = await import('meshoptimizer');
	await import('@babylonjs/loaders/glTF/2.0/index.js');
	MeshoptCompression.Configuration = { decoder: { url: '' } };
	MeshoptCompression._Default = { decodeGltfBufferAsync: async (source, count, stride, mode, filter) => {
		await MeshoptDecoder.ready;
		const result = new Uint8Array(count * stride);
		MeshoptDecoder.decodeGltfBuffer(result, count, stride, source, mode, filter);
		return result;
	} };
	const scene = new Scene(new NullEngine());
	scene.useRightHandedSystem = true;
	new FreeCamera('camera', Vector3.Zero(), scene);
	const data = `data:application/octet-stream;base64,${fs.readFileSync(file).toString('base64')}`;
	const loaded = await LoadAssetContainerAsync(data, scene, { pluginExtension: '.glb' });
	loaded.addAllToScene();
	const meshes = loaded.meshes.filter((mesh) => mesh.getTotalVertices() > 0);
	for (const group of loaded.animationGroups) {
		group.stop();
	}

	const nodes = [...loaded.transformNodes, ...loaded.meshes];
	const morphs = meshes.flatMap((mesh) => (mesh.morphTargetManager ? [mesh.morphTargetManager] : []));
	const targets = morphs.flatMap((manager) => Array.from({ length: manager.numTargets }, (_, i) => manager.getTarget(i)));
	const places = nodes.map((node) => [node.position.clone(), node.rotationQuaternion?.clone(), node.scaling.clone()]);
	const weights = targets.map((target) => target.influence);

	// What a clip has no track for is as in the file.
	function reset() {
		nodes.forEach((node, n) => {
			node.position.copyFrom(places[n][0]);
			node.rotationQuaternion?.copyFrom(places[n][1]);
			node.scaling.copyFrom(places[n][2]);
		});
		targets.forEach((target, t) => {
			target.influence = weights[t];
		});
	}

	function pose(clip, seconds) {
		const group = loaded.animationGroups.find((one) => one.name === clip);
		for (const other of loaded.animationGroups) {
			other.stop();
		}
		reset();
		group.start(false, 1, group.from, group.to);
		group.pause();
		const rate = group.targetedAnimations[0].animation.framePerSecond;
		group.goToFrame(Math.min(Math.max(seconds * rate, group.from), group.to));
		for (const node of nodes) {
			node.computeWorldMatrix(true);
		}
		for (const skeleton of loaded.skeletons) {
			skeleton.prepare(true);
		}
	}

	function points() {
		const list = [], point = new Vector3();
		for (const mesh of meshes) {
			const data = mesh.getPositionData(true, true), world = mesh.getWorldMatrix();
			for (let i = 0; i < data.length; i += 3) {
				Vector3.TransformCoordinatesFromFloatsToRef(data[i], data[i + 1], data[i + 2], world, point);
				list.push(point.x, point.y, point.z);
			}
		}
		return Float64Array.from(list);
	}
	return { pose, points };
}
