// SPDX-License-Identifier: MIT
//
// crowd.glsl in WGSL, for WebGPU. `shape` is the uniforms of crowd.glsl: first texel, is dual, is shortest.

@group(0) @binding(0) var crowd_palettes: texture_2d<f32>;
@group(0) @binding(1) var<uniform> crowd_shape: vec4<i32>;

struct CrowdVertex {
	position: vec3<f32>,
	normal: vec3<f32>,
}

fn crowd_texel(texel: i32, frame: i32) -> vec4<f32> {
	return textureLoad(crowd_palettes, vec2<i32>(crowd_shape.x + texel, frame), 0);
}

fn crowd_skin(joints: vec4<i32>, weights: vec4<f32>, frame: i32, rest: CrowdVertex) -> CrowdVertex {
	var made = rest;
	if (crowd_shape.y != 0) {
		let pivot = crowd_texel(2 * joints.x, frame);
		var real = vec4<f32>(0.0);
		var dual = vec4<f32>(0.0);
		for (var i = 0; i < 4; i++) {
			let q = crowd_texel(2 * joints[i], frame);
			let weight = select(weights[i], -weights[i], crowd_shape.z != 0 && dot(q, pivot) < 0.0);
			real += weight * q;
			dual += weight * crowd_texel(2 * joints[i] + 1, frame);
		}
		let size = max(length(real), 1e-30);
		real /= size;
		dual /= size;
		let translation = 2.0 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz));
		made.position += 2.0 * cross(real.xyz, cross(real.xyz, rest.position) + real.w * rest.position) + translation;
		made.normal += 2.0 * cross(real.xyz, cross(real.xyz, rest.normal) + real.w * rest.normal);
		return made;
	}
	var x = vec4<f32>(0.0);
	var y = vec4<f32>(0.0);
	var z = vec4<f32>(0.0);
	for (var i = 0; i < 4; i++) {
		x += weights[i] * crowd_texel(3 * joints[i], frame);
		y += weights[i] * crowd_texel(3 * joints[i] + 1, frame);
		z += weights[i] * crowd_texel(3 * joints[i] + 2, frame);
	}
	let place = vec4<f32>(rest.position, 1.0);
	made.position = vec3<f32>(dot(x, place), dot(y, place), dot(z, place));
	made.normal = normalize(vec3<f32>(dot(x.xyz, rest.normal), dot(y.xyz, rest.normal), dot(z.xyz, rest.normal)));
	return made;
}

fn crowd_place(instance: vec4<f32>, posed: CrowdVertex) -> CrowdVertex {
	let c = cos(instance.z);
	let s = sin(instance.z);
	let p = posed.position;
	let n = posed.normal;
	return CrowdVertex(vec3<f32>(c * p.x + s * p.z + instance.x, p.y, c * p.z - s * p.x + instance.y),
					   vec3<f32>(c * n.x + s * n.z, n.y, c * n.z - s * n.x));
}
