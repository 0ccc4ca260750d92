// SPDX-License-Identifier: GPL-3.0-or-later
//
// skin.vert as a compute shader: the same program, where that is faster than transform feedback.

layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer PointsIn { float points_in[]; };
layout(std430, binding = 1) readonly buffer PointsRest { float points_rest[]; };
layout(std430, binding = 2) readonly buffer InfluenceOffsets { uint influence_offsets[]; };
layout(std430, binding = 3) readonly buffer RestOffsets { uint rest_offsets[]; };
layout(std430, binding = 4) readonly buffer PosedOffsets { uint posed_offsets[]; };
layout(std430, binding = 5) writeonly buffer PointsOut { float points_out[]; };

uniform int point_count;
uniform bool reads_points; // BLEND 2: the points that come in are not those of the rest
uniform bool rest_displaced, posed_displaced;

vec3 point_in = vec3(0), point_rest = vec3(0);

#include "frame.glsl"
#include "displacement.glsl"
#include "blend.glsl"

void main() {
	uint i = gl_GlobalInvocationID.x;
	if (i >= uint(point_count)) {
		return;
	}
#if BLEND == 2
	if (reads_points) {
		point_in = vec3(points_in[3u * i], points_in[3u * i + 1u], points_in[3u * i + 2u]);
		point_rest = vec3(points_rest[3u * i], points_rest[3u * i + 1u], points_rest[3u * i + 2u]);
	}
#else
	point_in = vec3(points_in[3u * i], points_in[3u * i + 1u], points_in[3u * i + 2u]);
#endif
	uvec2 influence_span = uvec2(0), rest_span = uvec2(0), posed_span = uvec2(0);
#if BLEND != 0
	influence_span = uvec2(influence_offsets[i], influence_offsets[i + 1u]);
#endif
	if (rest_displaced) {
		rest_span = uvec2(rest_offsets[i], rest_offsets[i + 1u]);
	}
	if (posed_displaced) {
		posed_span = uvec2(posed_offsets[i], posed_offsets[i + 1u]);
	}
	vec3 made = blend(rest_displacement(rest_span), influence_span) + posed_displacement(posed_span);
	points_out[3u * i] = made.x;
	points_out[3u * i + 1u] = made.y;
	points_out[3u * i + 2u] = made.z;
}
