// SPDX-License-Identifier: MIT
//
// Plays a crowd's files (docs/crowd.md) in three.js, one draw call a mesh:
//
//   const crowd = await loadCrowd(renderer, 'folder/');   // { format: 'float' } as third argument: floats, not half floats
//   scene.add(crowd.group);
//   crowd.show(seconds, camera, pixels);                   // at each redraw; pixels: the height of the picture
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

// The coarsest level whose error is at most a pixel, as far away as the middle of the member's clip is.
function levelOf(description, [x, z, yaw, clip], eye, pixelsAtAMetre) {
	const { lower, upper } = description.clips[clip].box, c = Math.cos(yaw), s = Math.sin(yaw);
	const middle = lower.map((low, i) => (low + upper[i]) / 2);
	const away = Math.hypot(c * middle[0] + s * middle[2] + x - eye.x, middle[1] - eye.y, c * middle[2] - s * middle[0] + z - eye.z);
	const pixels = description.longest_side * pixelsAtAMetre / Math.max(away, 1e-9);
	return description.levels.findLastIndex(({ most_pixels: most = Infinity }) => pixels <= most);
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
	const group = new THREE.Group(), eye = new THREE.Vector3();
	const meshes = await Promise.all(description.meshes.map((mesh, i) => file.parser.getDependency('mesh', i)));
	const shown = description.meshes.map((mesh, i) => {
		const instances = new THREE.InstancedBufferAttribute(new Float32Array(4 * members.length), 4);
		const made = new THREE.Mesh(instanced(meshes[i].geometry, instances), material(meshes[i].material, shader, mesh, palettes));
		made.frustumCulled = false;
		group.add(made);
		return { made, instances, levels: mesh.levels };
	});
	const show = (seconds, camera = null, pixels = 0) => {
		const pixelsAtAMetre = camera ? pixels / (2 * Math.tan(THREE.MathUtils.degToRad(camera.fov) / 2)) : 0;
		camera?.getWorldPosition(eye);
		shown.forEach(({ made }) => { made.geometry.instanceCount = 0; });
		for (const member of members) {
			const [x, z, yaw, clip, phase] = member, level = camera ? levelOf(description, member, eye, pixelsAtAMetre) : 0;
			const instance = [x, z, yaw, frameOf(description.clips[clip], phase, seconds)];
			for (const { made, instances } of shown.filter(({ levels }) => levels.includes(level))) {
				instances.array.set(instance, 4 * made.geometry.instanceCount++);
			}
		}
		shown.forEach(({ made, instances }) => {
			made.visible = made.geometry.instanceCount > 0;
			instances.needsUpdate = true;
		});
	};
	show(0);
	return { group, show, description };
}
