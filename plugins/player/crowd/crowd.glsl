// SPDX-License-Identifier: MIT
//
// Plays a crowd's files (docs/crowd.md) in a vertex shader: GLSL ES 3.00, WebGL 2. Run in three.js by crowd.js.

uniform highp sampler2D crowd_palettes; // palettes.half.ktx2 or palettes.float.ktx2, not filtered
uniform int crowd_first_texel;          // of the mesh, in each row
uniform bool crowd_is_dual;             // "blend" is "dual quaternions", else "linear"
uniform bool crowd_is_shortest;         // "signs" is "nearest to the first influence"

vec4 crowd_texel(int texel, int frame) {
	return texelFetch(crowd_palettes, ivec2(crowd_first_texel + texel, frame), 0);
}

// Joints and weights of the vertex, and the frame that the instance shows: its row.
void crowd_skin(ivec4 joints, vec4 weights, int frame, inout vec3 position, inout vec3 normal) {
	if (crowd_is_dual) {
		vec4 pivot = crowd_texel(2 * joints.x, frame), real = vec4(0.0), dual = vec4(0.0);
		for (int i = 0; i < 4; i++) {
			vec4 q = crowd_texel(2 * joints[i], frame);
			float weight = crowd_is_shortest && dot(q, pivot) < 0.0 ? -weights[i] : weights[i];
			real += weight * q;
			dual += weight * crowd_texel(2 * joints[i] + 1, frame);
		}
		float size = max(length(real), 1e-30);
		real /= size;
		dual /= size;
		vec3 translation = 2.0 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz));
		position += 2.0 * cross(real.xyz, cross(real.xyz, position) + real.w * position) + translation;
		normal += 2.0 * cross(real.xyz, cross(real.xyz, normal) + real.w * normal);
		return;
	}
	vec4 x = vec4(0.0), y = vec4(0.0), z = vec4(0.0);
	for (int i = 0; i < 4; i++) {
		x += weights[i] * crowd_texel(3 * joints[i], frame);
		y += weights[i] * crowd_texel(3 * joints[i] + 1, frame);
		z += weights[i] * crowd_texel(3 * joints[i] + 2, frame);
	}
	position = vec3(dot(x, vec4(position, 1.0)), dot(y, vec4(position, 1.0)), dot(z, vec4(position, 1.0)));
	normal = normalize(vec3(dot(x.xyz, normal), dot(y.xyz, normal), dot(z.xyz, normal)));
}

// An instance: x and z of its place, its rotation about the vertical, its frame.
void crowd_place(vec4 instance, inout vec3 position, inout vec3 normal) {
	float c = cos(instance.z), s = sin(instance.z);
	position = vec3(c * position.x + s * position.z + instance.x, position.y, c * position.z - s * position.x + instance.y);
	normal = vec3(c * normal.x + s * normal.z, normal.y, c * normal.z - s * normal.x);
}
