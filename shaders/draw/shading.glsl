// SPDX-License-Identifier: GPL-3.0-or-later
//
// Metallic-roughness shading (GGX, Smith, Schlick: the glTF 2.0 appendix B) under a key and a fill light that move with the
// camera, and a soft sky, each by its share. There is no back light: nothing would keep it out of creases. Everything in eye
// axes and linear light.

const vec3 fill_direction = vec3(0.88, 0.14, 0.45);
const vec3 light_colors[2] = vec3[2](vec3(1.34, 1.28, 1.18), vec3(0.26, 0.32, 0.40));
const vec3 sky_color = vec3(0.46, 0.50, 0.56);
const vec3 ground_color = vec3(0.26, 0.245, 0.225);
const float shadow_darkness = 0.34; // of the key light; as pale as the shadow on the ground

uniform vec3 key_direction;
uniform vec3 light_shares; // of key, fill and sky

vec3 sky(vec3 direction) {
	return mix(ground_color, sky_color, 0.5 + 0.5 * direction.y);
}

// Specular times pi, so that lights of colour 1 on white give 1.
vec3 highlight(vec3 f0, float roughness, vec3 normal, vec3 view, vec3 light) {
	vec3 half_way = normalize(view + light);
	float nl = max(dot(normal, light), 0.0), nv = max(dot(normal, view), 1e-3), nh = max(dot(normal, half_way), 0.0);
	float a = roughness * roughness;
	float a2 = a * a;
	float d = nh * nh * (a2 - 1.0) + 1.0;
	float visibility = 0.5 / (nl * sqrt(nv * nv * (1.0 - a2) + a2) + nv * sqrt(nl * nl * (1.0 - a2) + a2));
	vec3 fresnel = f0 + (1.0 - f0) * pow(1.0 - max(dot(view, half_way), 0.0), 5.0);
	return fresnel * (a2 / (d * d) * visibility);
}

// `key` is the share of the key light that gets there.
vec3 shade(vec3 base, float metallic, float roughness, vec3 normal, vec3 view, float key) {
	vec3 directions[2] = vec3[2](key_direction, fill_direction);
	roughness = clamp(roughness, 0.08, 1.0);
	vec3 f0 = mix(vec3(0.04), base, metallic);
	vec3 diffuse = base * (1.0 - metallic);
	vec3 sum = vec3(0);
	for (int i = 0; i < 2; i++) {
		float nl = max(dot(normal, directions[i]), 0.0);
		float lit = i == 0 ? 1.0 - shadow_darkness * (1.0 - key) : 1.0;
		sum += lit * light_shares[i] * light_colors[i] * nl *
			   (diffuse + highlight(f0, roughness, normal, view, directions[i]));
	}
	float edge = pow(1.0 - max(dot(normal, view), 0.0), 5.0);
	vec3 mirrored = sky(reflect(-view, normal)) * (f0 + (max(vec3(1.0 - roughness), f0) - f0) * edge);
	return sum + 0.56 * light_shares.z * (diffuse * sky(normal) + mirrored);
}

// A little relief for heat maps, whose colours must stay those of the scale.
float relief(vec3 normal, float key) {
	return 0.58 + 0.42 * smoothstep(-0.6, 0.95, dot(normal, normalize(vec3(-0.35, 0.6, 0.72)))) - 0.08 * (1.0 - key);
}
