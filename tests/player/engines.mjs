// SPDX-License-Identifier: GPL-3.0-or-later
//
// The JavaScript player in an engine, in node or in a browser: a glTF at the poses of its test vectors, and damaged ones.
import { difference, localRotation, readVectors } from './vectors.mjs';

export async function openThree(bytes) {
	const THREE = await import('three'), { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');
	const gltf = await new GLTFLoader().parseAsync(bytes, ''), nodes = new Map(), meshes = [];
	gltf.scene.traverse((object) => {
		nodes.set(object.userData.name ?? object.name, object);
		object.morphTargetDictionary && meshes.push(object);
	});
	return {
		engine: `three.js ${THREE.REVISION}`,
		root: gltf.scene,
		live: 'liveThree',
		set: (name, translation, rotation, scale) => {
			nodes.get(name).position.fromArray(translation);
			nodes.get(name).quaternion.fromArray(rotation);
			nodes.get(name).scale.fromArray(scale);
		},
		rename: (name, other) => { nodes.get(name).userData.name = other; nodes.get(name).name = other; },
		weight: (shape) => {
			const mesh = meshes.find((one) => shape in one.morphTargetDictionary);
			return mesh.morphTargetInfluences[mesh.morphTargetDictionary[shape]];
		},
		matrix: (name) => {
			nodes.get(name).matrixAutoUpdate && nodes.get(name).updateMatrix();
			const e = nodes.get(name).matrix.elements;
			return [0, 1, 2].flatMap((r) => [e[r], e[4 + r], e[8 + r], e[12 + r]]);
		},
		rebind: () => gltf.scene.traverse((object) => object.skeleton?.boneInverses.forEach((bind, i) => {
			bind.premultiply(new THREE.Matrix4().makeRotationX(i));
		})),
		extras: (change) => gltf.scene.traverse((object) => object.userData.sinew && change(object.userData)),
		draw: () => gltf.scene.updateMatrixWorld(),
	};
}

export async function openBabylon(bytes, canvas) {
	const { NullEngine } = await import('@babylonjs/core/Engines/nullEngine.js'), { Engine } = await import('@babylonjs/core/Engines/engine.js');
	const { Scene } = await import('@babylonjs/core/scene.js'), { FreeCamera } = await import('@babylonjs/core/Cameras/freeCamera.js');
	const { Matrix, Vector3 } = await import('@babylonjs/core/Maths/math.vector.js');
	const { LoadAssetContainerAsync } = await import('@babylonjs/core/Loading/sceneLoader.js');
	await import('@babylonjs/loaders/glTF/2.0/index.js');
	const engine = canvas ? new Engine(canvas) : new NullEngine(), scene = new Scene(engine), camera = new FreeCamera('camera', Vector3.Zero(), scene);
	const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('');
	const loaded = await LoadAssetContainerAsync(`data:;base64,${btoa(text)}`, scene, { pluginExtension: '.glb' });
	loaded.animationGroups.forEach((group) => group.stop());
	loaded.addAllToScene();
	const nodes = new Map([...loaded.transformNodes, ...loaded.meshes].map((node) => [node.name, node]));
	const managers = loaded.meshes.flatMap((mesh) => mesh.morphTargetManager ?? []);
	const targets = managers.flatMap((manager) => Array.from({ length: manager.numTargets }, (_, i) => manager.getTarget(i)));
	return {
		engine: `Babylon.js ${Engine.Version}`,
		root: loaded,
		live: 'liveBabylon',
		set: (name, translation, rotation, scale) => {
			nodes.get(name).position.fromArray(translation);
			nodes.get(name).rotationQuaternion.fromArray(rotation);
			nodes.get(name).scaling.fromArray(scale);
		},
		rename: (name, other) => { nodes.get(name).name = other; },
		weight: (shape) => targets.find((target) => target.name === shape).influence,
		matrix: (name) => {
			const { scaling, rotationQuaternion, position } = nodes.get(name), e = Matrix.Compose(scaling, rotationQuaternion, position).asArray();
			return [0, 1, 2].flatMap((r) => [e[r], e[4 + r], e[8 + r], e[12 + r]]);
		},
		rebind: () => loaded.skeletons.forEach(({ bones }) => bones.forEach((bone, i) => {
			const bind = bone.getAbsoluteInverseBindMatrix();
			bind.multiplyToRef(Matrix.RotationX(i), bind);
		})),
		extras: (change) => nodes.forEach((node) => node.metadata?.gltf?.extras?.sinew && change(node.metadata.gltf.extras)),
		draw: canvas ? () => { scene.activeCamera = camera; scene.render(); } : () => {},
	};
}

// The rest pose in the player's own terms: nodes may have another one.
function restsOf(header) {
	return new Map(header.meshes.flatMap(({ sinew }) => sinew.joints ?? []).map((joint) => [joint.name, joint]));
}

function poseBy(scene, header) {
	const rests = restsOf(header);
	const put = (name, vector) => {
		const rest = rests.get(name);
		scene.set(name, rest.translation, localRotation(rest.rotation, vector), rest.scale);
	};
	[...rests.keys()].forEach((name) => put(name, [0, 0, 0]));
	return put;
}

// What an engine shows, and what it should: a weight for each side of a morph target, helper joints' matrices.
function pairsOf(scene, header, wanted) {
	const sides = header.meshes.flatMap(({ sinew }) => sinew.sides ?? []);
	const pairs = header.coefficients.flatMap(({ target }, i) => {
		const two = sides.filter((side) => side.target === target);
		return two.length === 0 ? [[scene.weight(target), wanted[i]]]
			: two.map(({ shape, reach }) => [scene.weight(shape), Math.max(0, wanted[i] / reach)]);
	});
	header.helpers.forEach((name, h) => scene.matrix(name).forEach((x, i) => {
		pairs.push([x, wanted[header.coefficients.length + 12 * h + i]]);
	}));
	return pairs;
}

// The largest difference at every `stride`-th pose.
async function checkPoses(player, open, glb, vectors, stride) {
	const { header } = vectors, scene = await open(glb), warnings = [], put = poseBy(scene, header);
	const live = player[scene.live](scene.root, (text) => warnings.push(text));
	let worst = 0;
	for (let p = header.placedPoses + 1; p < header.poses; p += stride) {
		header.joints.forEach((joint) => put(joint, [0, 0, 0])); // so that no joint seems to rotate by more than half a turn
		live.update();
		vectors.poseAt(p).forEach(({ vector }, j) => put(header.joints[j], vector));
		live.update();
		scene.draw();
		const pairs = pairsOf(scene, header, vectors.poseAnswer(p));
		worst = Math.max(worst, difference(pairs.map(([found]) => found), pairs.map(([, want]) => want)));
	}
	return { engine: scene.engine, poses: worst, warnings };
}

const damages = {
	'no extras': (scene) => scene.extras((extras) => { delete extras.sinew; }),
	'extras of before there were joints in them': (scene) => scene.extras((extras) => { delete extras.sinew.joints; }),
	'a later version': (scene) => scene.extras(({ sinew }) => { sinew.version = 2; }),
	'a renamed joint': (scene, header) => scene.rename(header.joints[0], 'another name'),
	'another rest pose': (scene) => scene.rebind(),
	'a pose that is not finite': (scene, header) => scene.set(header.joints[0], [0, NaN, 0], [0, 0, 0, 1], [1, 1, 1]),
	'a rotation that is not one': (scene, header) => scene.set(header.joints[0], [0, 0, 0], [0, 0, 0, 0], [1, 1, 1]),
};

// Weights are 0, after one warning, whatever is wrong; and nothing is thrown.
async function checkDamages(player, open, glb, vectors) {
	const found = {}, { header } = vectors;
	for (const [name, damage] of Object.entries(damages)) {
		const scene = await open(structuredClone(glb)), put = poseBy(scene, header), warnings = [];
		header.joints.forEach((joint) => put(joint, [1, 0.5, 0.2]));
		damage(scene, header);
		const live = player[scene.live](scene.root, (text) => warnings.push(text));
		live.update();
		live.update();
		const pairs = pairsOf(scene, { ...header, helpers: [] }, new Array(header.coefficients.length).fill(0));
		found[name] = { warnings, weights: Math.max(0, ...pairs.map(([weight]) => Math.abs(weight))) };
	}
	return found;
}

export async function check(player, open, glb, vectorBytes, stride) {
	const vectors = readVectors(vectorBytes);
	return { ...await checkPoses(player, open, glb, vectors, stride), damages: await checkDamages(player, open, glb, vectors) };
}
