// SPDX-License-Identifier: GPL-3.0-or-later
//
// The surface: materials under three lights, or a heat map.

centroid in vec3 normal_eye;
centroid in vec3 to_eye;
centroid in vec2 uv;
centroid in vec4 color;
centroid in vec4 tangent_eye; // w: the sign of the bitangent, 0 without a tangent
centroid in vec3 heat_value; // x: 0 to 1 over the range of the scale; or a colour

uniform bool heated;
uniform bool heat_is_color;
uniform bool warns;             // the shade is red
uniform bool shaded;            // by the heat map's values, which leave the material to be seen
uniform sampler2D heat_ramp; // 256 x 1
uniform vec4 base_color;
uniform vec2 metallic_roughness;
uniform vec3 emissive;
uniform sampler2D base_color_texture;
uniform sampler2D metallic_roughness_texture;
uniform sampler2D normal_texture;   // tangent space, green up, as glTF has it
uniform sampler2D emissive_texture;
uniform bool normal_mapped;
uniform float alpha_cutoff; // negative: no cutting
uniform vec4 tint;          // a: how much of it takes the place of the material
uniform float opacity;      // facing the eye; 1: solid

layout(location = 0) out vec4 pixel;

#include "shading.glsl"
#include "tone.glsl"
#include "key_shadow.glsl"
#include "brush.glsl"
#include "matcap.glsl"

vec3 heat_color() {
	if (heat_is_color) {
		return clamp(heat_value, 0.0, 1.0);
	}
	if (isnan(heat_value.x) || isinf(heat_value.x)) {
		return vec3(0.35, 0.5, 0.6);
	}
	float t = clamp(heat_value.x, 0.0, 1.0);
	return texture(heat_ramp, vec2((t * 255.0 + 0.5) / 256.0, 0.5)).rgb;
}

// Of a shade: a colour that is seen on any skin, and how much of it takes the place of the material.
vec3 shade_tint() {
	return warns ? vec3(0.7, 0.02, 0.01) : vec3(0.05, 0.03, 0.22);
}

float shade_share() {
	float t = clamp(heat_value.x, 0.0, 1.0);
	return 0.9 * t * (2.0 - t);
}

// The texture's normal in the axes of the picture on the surface: its u to the right, up against v, which may be mirrored.
vec3 bent(vec3 normal) {
	vec3 px = -dFdx(to_eye), py = -dFdy(to_eye);
	vec2 tx = dFdx(uv), ty = dFdy(uv);
	vec3 qx = cross(py, normal), qy = cross(normal, px); // only the part perpendicular to the normal counts
	vec3 right = qx * tx.x + qy * ty.x, up = -(qx * tx.y + qy * ty.y);
	float size = max(dot(right, right), dot(up, up));
	if (!(size > 0.0)) {
		return normal;
	}
	vec3 m = 2.0 * texture(normal_texture, uv).xyz - 1.0;
	return normalize(inversesqrt(size) * (m.x * right + m.y * up) + max(m.z, 0.05) * normal);
}

// The texture's normal in the frame of MikkTSpace: normal and tangent, as interpolated, and their cross product.
vec3 bent_in_frame() {
	vec3 m = 2.0 * texture(normal_texture, uv).xyz - 1.0;
	vec3 bitangent = sign(tangent_eye.w) * cross(normal_eye, tangent_eye.xyz);
	vec3 normal = normalize(m.x * tangent_eye.xyz + m.y * bitangent + max(m.z, 0.05) * normal_eye);
	return gl_FrontFacing ? normal : -normal;
}

void main() {
	vec3 view = normalize(to_eye);
	vec3 normal = dot(normal_eye, normal_eye) > 0.0 ? normalize(normal_eye) : view;
	normal = gl_FrontFacing ? normal : -normal;
	if (normal_mapped) {
		normal = tangent_eye.w != 0.0 && dot(normal_eye, normal_eye) > 0.0 ? bent_in_frame() : bent(normal);
	}
	normal = normalize(normal + max(0.02 - dot(normal, view), 0.0) * view); // smooth normals turn away before the edge does
	float key = key_reaching(-to_eye, dot(normal, key_direction) < 0.0 ? -normal : normal);
	float cover = opacity < 1.0 ? mix(1.0, opacity, 0.25 + 0.75 * pow(abs(dot(normal, view)), 0.7)) : 1.0;
	if (heated) {
		pixel = vec4(brushed(heat_color() * relief(normal, key), to_eye), cover);
		return;
	}
	if (matcap > 0 && tint.a <= 0.0) {
		vec3 ball = matcap_color(normal, view);
		pixel = vec4(brushed(shaded ? mix(ball, shade_tint(), shade_share()) : ball, to_eye), cover);
		return;
	}
	vec4 base = base_color * color * texture(base_color_texture, uv);
	if (base.a < alpha_cutoff) {
		discard;
	}
	base.rgb = mix(base.rgb, tint.rgb, tint.a);
	base.rgb = shaded ? mix(base.rgb, shade_tint(), shade_share()) : base.rgb;
	vec2 mr = metallic_roughness * texture(metallic_roughness_texture, uv).bg;
	mr = mix(mr, vec2(0, 0.8), tint.a);
	vec3 light = shade(base.rgb, mr.x, mr.y, normal, view, key) + (1.0 - tint.a) * emissive * texture(emissive_texture, uv).rgb;
	pixel = vec4(brushed(tone(light), to_eye), mix(base.a, 1.0, tint.a) * cover);
}
