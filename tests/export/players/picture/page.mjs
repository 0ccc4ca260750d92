// SPDX-License-Identifier: GPL-3.0-or-later
//
// Draws the file with the camera, the clay and the even lights of `sinew render`, and compares the two pictures.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

// Those of shaders/draw/shading.glsl with the shares of ui/render/shading/shading.c, in eye axes. Sinew's lights of colour 1 make
// white of white, for which three.js takes π.
const lights = [
	{ direction: [-0.12, 0.22, 0.97], color: [1.34, 1.28, 1.18], share: 0.92 },
	{ direction: [0.88, 0.14, 0.45], color: [0.26, 0.32, 0.40], share: 0.6 },
];
const sky = { up: [0.46, 0.50, 0.56], down: [0.26, 0.245, 0.225], share: 0.56 * 0.9 };
const clay = { color: [0.50, 0.465, 0.43], roughness: 0.62 };

const linear = (rgb) => new THREE.Color().setRGB(...rgb, THREE.LinearSRGBColorSpace);

function light(camera) {
	for (const one of lights) {
		const lamp = new THREE.DirectionalLight(linear(one.color), Math.PI * one.share);
		lamp.position.set(...one.direction);
		camera.add(lamp, lamp.target);
	}
	// The sky turns with the camera: its axis is the camera's up.
	const dome = new THREE.HemisphereLight(linear(sky.up), linear(sky.down), Math.PI * sky.share);
	dome.position.copy(camera.up);
	return dome;
}

async function draw(request, width, height) {
	const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
	renderer.setSize(width, height, false);
	renderer.toneMapping = THREE.NeutralToneMapping;
	renderer.setClearColor(0, 0);
	const gltf = await new GLTFLoader().loadAsync('/file.glb'), scene = new THREE.Scene();
	gltf.scene.traverse((object) => {
		if (object.isMesh) {
			object.material = new THREE.MeshStandardMaterial({ color: linear(clay.color), roughness: clay.roughness, metalness: 0, side: THREE.DoubleSide });
			object.frustumCulled = false;
		}
	});
	const mixer = new THREE.AnimationMixer(gltf.scene), action = mixer.clipAction(gltf.animations.find((one) => one.name === request.clip));
	action.setLoop(THREE.LoopOnce);
	action.clampWhenFinished = true;
	action.play();
	mixer.setTime(request.seconds);
	const far = new THREE.Vector3(...request.camera.eye).distanceTo(new THREE.Vector3(...request.camera.target));
	const camera = new THREE.PerspectiveCamera(request.camera.vertical_degrees, width / height, far / 50, far * 50);
	camera.position.set(...request.camera.eye);
	camera.up.set(...request.camera.up);
	camera.lookAt(...request.camera.target);
	scene.add(gltf.scene, camera, light(camera));
	renderer.render(scene, camera);
	return renderer;
}

async function pixels(source, width, height) {
	const canvas = new OffscreenCanvas(width, height), context = canvas.getContext('2d', { willReadFrequently: true });
	context.drawImage(source, 0, 0);
	return context.getImageData(0, 0, width, height).data;
}

async function load(name) {
	const image = new Image();
	image.src = name;
	await image.decode();
	return image;
}

// Whether each pixel is within `reach` of one in the mask.
function grown(mask, width, height, reach) {
	const result = new Uint8Array(mask.length);
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			for (let j = Math.max(0, y - reach); j <= Math.min(height - 1, y + reach) && !result[y * width + x]; j++) {
				for (let i = Math.max(0, x - reach); i <= Math.min(width - 1, x + reach); i++) {
					result[y * width + x] |= mask[j * width + i];
				}
			}
		}
	}
	return result;
}

const count = (size, test) => { let sum = 0; for (let i = 0; i < size; i++) { sum += test(i) ? 1 : 0; } return sum; };

// `theirs` has an alpha; `ours` stands before `empty`.
function compare(ours, empty, theirs, width, height) {
	const size = width * height;
	const mask = Uint8Array.from({ length: size }, (_, i) => [0, 1, 2].some((c) => Math.abs(ours[4 * i + c] - empty[4 * i + c]) > 12) ? 1 : 0);
	const their_mask = Uint8Array.from({ length: size }, (_, i) => (theirs[4 * i + 3] > 127 ? 1 : 0));
	const both = count(size, (i) => mask[i] && their_mask[i]), either = count(size, (i) => mask[i] || their_mask[i]);
	const near = grown(mask, width, height, 2), their_near = grown(their_mask, width, height, 2);
	const far = count(size, (i) => (mask[i] && !their_near[i]) || (their_mask[i] && !near[i]));
	// Within, away from the edges that each blends with what is behind it.
	const edge = grown(mask.map((m) => 1 - m), width, height, 2), their_edge = grown(their_mask.map((m) => 1 - m), width, height, 2);
	let sum = 0, inner = 0, large = 0, mine = 0, other = 0, mine2 = 0, other2 = 0, product = 0;
	for (let i = 0; i < size; i++) {
		if (edge[i] || their_edge[i]) {
			continue;
		}
		const a = (ours[4 * i] + ours[4 * i + 1] + ours[4 * i + 2]) / 3, b = (theirs[4 * i] + theirs[4 * i + 1] + theirs[4 * i + 2]) / 3;
		inner++;
		sum += Math.abs(a - b);
		large += Math.abs(a - b) > 24;
		mine += a; other += b; mine2 += a * a; other2 += b * b; product += a * b;
	}
	const spread = (squares, total) => squares / inner - (total / inner) ** 2;
	return {
		pixels: either,
		silhouette_percent: (100 * (either - both)) / either,
		far_pixels: far,
		inner_pixels: inner,
		shade_levels: sum / inner,
		large_percent: (100 * large) / inner,
		correlation: (product / inner - (mine / inner) * (other / inner)) / Math.sqrt(spread(mine2, mine) * spread(other2, other)),
	};
}

try {
	const request = await (await fetch('/request.json')).json(), ours = await load('/ours.png'), empty = await load('/empty.png');
	const { width, height } = ours, renderer = await draw(request, width, height), gl = renderer.getContext();
	const info = gl.getExtension('WEBGL_debug_renderer_info');
	const compared = compare(await pixels(ours, width, height), await pixels(empty, width, height), await pixels(renderer.domElement, width, height), width, height);
	await fetch('/', { method: 'POST', body: JSON.stringify({ ...compared, three: THREE.REVISION, drawn_by: gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER), picture: renderer.domElement.toDataURL() }) });
} catch (error) {
	await fetch('/', { method: 'POST', body: JSON.stringify({ error: String(error.stack ?? error) }) });
}
