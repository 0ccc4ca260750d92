// SPDX-License-Identifier: GPL-3.0-or-later
//
// A Gaussian along one axis.

in vec2 place;

uniform sampler2D image;
uniform vec2 texel; // one step
uniform float spread;

layout(location = 0) out vec4 pixel;

void main() {
	float sum = 0.0, weights = 0.0;
	for (int i = -8; i <= 8; i++) {
		float weight = exp(-float(i * i) / (2.0 * spread * spread));
		sum += weight * texture(image, place + float(i) * texel).r;
		weights += weight;
	}
	pixel = vec4(sum / weights);
}
