// SPDX-License-Identifier: GPL-3.0-or-later
//
// The skin program, one point a vertex, captured by transform feedback:
//     v_i = blend_i(T ; p_i + sum_k d_k D_k,i) + sum_l e_l F_l E_l,i
// BLEND is 0 none, 1 linear, 2 affine, 3 dual quaternion, as in snw_blend. INSTANCED, for every instance of a crowd, one after
// another.

#ifdef INSTANCED
vec3 point_in = vec3(0);
#else
layout(location = 0) in vec3 point_in;      // the point that comes in: the rest, or what the segment below made
#endif
layout(location = 1) in vec3 point_rest;    // BLEND 2: the rest that the program was made for
layout(location = 2) in uvec2 influence_span; // begin and end
layout(location = 3) in uvec2 rest_span;
layout(location = 4) in uvec2 posed_span;

out vec3 point_posed;

#include "frame.glsl"
#include "displacement.glsl"
#include "blend.glsl"

#ifdef INSTANCED
uniform samplerBuffer points_below; // what the segment below made, of all instances
uniform bool reads_below;
uniform int point_count;
#endif

void main() {
#ifdef INSTANCED
	find_frame();
	point_in = reads_below ? texelFetch(points_below, gl_InstanceID * point_count + gl_VertexID).xyz : point_rest;
#endif
	point_posed = blend(rest_displacement(rest_span), influence_span) + posed_displacement(posed_span);
}
