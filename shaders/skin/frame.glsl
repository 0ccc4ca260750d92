// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the input of a program begins in its buffers. INSTANCED, they have the input of many frames, and each instance shows
// one of them.

int palette_begin = 0, signs_begin = 0, rest_begin = 0, posed_begin = 0, rotations_begin = 0; // texels

#ifdef INSTANCED
uniform samplerBuffer instances; // w: the frame, a whole number
uniform int first_instance;
uniform int palette_size, signs_size, rest_size, posed_size, rotations_size; // of a frame, texels

void find_frame() {
	int frame = int(texelFetch(instances, first_instance + gl_InstanceID).w);
	palette_begin = frame * palette_size;
	signs_begin = frame * signs_size;
	rest_begin = frame * rest_size;
	posed_begin = frame * posed_size;
	rotations_begin = frame * rotations_size;
}
#endif
