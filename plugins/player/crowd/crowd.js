// SPDX-License-Identifier: MIT
//
// Plays a crowd's files (docs/crowd.md) in three.js, one draw call a mesh:
//
//   const crowd = await loadCrowd(renderer, 'folder/');   // { format: 'float' } as third argument: floats, not half floats
//   scene.add(crowd.group);
//   crowd.show(seconds);                                   // at each redraw
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js';

// The row of a member at a time: the last frame that has begun.
export function frameOf(clip, phase, seconds) {
	if (!(clip.seconds > 0)) {
		return clip.first_frame;
	}
	const within = (((phase + seconds) % clip.seconds) + clip.seconds) % clip.seconds;
	return clip.first_frame + Math.min(Math.floor(within * clip.frames_a_second), clip.frames - 1);
}

function instanced(rest, instances) {
	const geometry = new THREE.InstancedBufferGeometry();
	geometry.index = rest.index;
	for (const [name, attribute] of Object.entries(rest.attributes)) {
		geometry.setAttribute(name, attribute);
	}
	geometry.setAttribute('crowd', instances);
	geometry.instanceCount = instances.count;
	return geometry;
}

// The material of the file, skinned by crowd.glsl before anything else is done with its position and normal.
function material(original, shader, description, palettes) {
	const made = original.clone();
	made.onBeforeCompile = (program) => {
		Object.assign(program.uniforms, {
			crowd_palettes: { value: palettes },
			crowd_first_texel: { value: description.first_texel },
			crowd_is_dual: { value: description.blend === 'dual quaternions' },
			crowd_is_shortest: { value: description.signs !== 'as given' },
		});
		program.vertexShader = program.vertexShader
			.replace('void main() {', `attribute vec4 skinIndex;
				attribute vec4 skinWeight;
				attribute vec4 crowd;
				${shader}
				void main() {`)
			.replace('#include <beginnormal_vertex>', `vec3 objectNormal = normal, crowd_position = position;
				crowd_skin(ivec4(skinIndex), skinWeight, int(crowd.w), crowd_position, objectNormal);
				crowd_place(crowd, crowd_position, objectNormal);`)
			.replace('#include <begin_vertex>', 'vec3 transformed = crowd_position;');
	};
	return made;
}

export async function loadCrowd(renderer, folder, { format = 'half', count = Infinity } = {}) {
	const fetched = async (name) => (await fetch(folder + name));
	const [description, shader, file, palettes] = await Promise.all([
		fetched('crowd.json').then((answer) => answer.json()),
		fetched('crowd.glsl').then((answer) => answer.text()),
		new GLTFLoader().loadAsync(`${folder}crowd.glb`),
		new KTX2Loader().detectSupport(renderer).loadAsync(`${folder}palettes.${format}.ktx2`),
	]);
	palettes.magFilter = palettes.minFilter = THREE.NearestFilter;
	palettes.generateMipmaps = false;
	const members = description.members.slice(0, count);
	const instances = new THREE.InstancedBufferAttribute(new Float32Array(4 * members.length), 4);
	const group = new THREE.Group();
	for (const mesh of description.meshes) {
		const found = file.scene.children.find((child) => (child.userData.name ?? child.name) === mesh.name)
			?? file.scene.children[description.meshes.indexOf(mesh)];
		const made = new THREE.Mesh(instanced(found.geometry, instances), material(found.material, shader, mesh, palettes));
		made.frustumCulled = false;
		group.add(made);
	}
	const show = (seconds) => {
		members.forEach(([x, z, yaw, clip, phase], i) => {
			instances.array.set([x, z, yaw, frameOf(description.clips[clip], phase, seconds)], 4 * i);
		});
		instances.needsUpdate = true;
	};
	show(0);
	return { group, show, description };
}
