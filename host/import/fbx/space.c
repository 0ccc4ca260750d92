/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "import/fbx/fbx_internal.h"

/* One of the file's axes, as its settings name it. */
static bool read_axis(const snw_fbx_node *settings, const char *axis, const char *sign, int dest, snw_fbx_space *space) {
	const int64_t index = snw_fbx_integer(snw_fbx_setting(settings, axis), 4, -1);
	if (index < 0 || index > 2) {
		return false;
	}
	space->axis[dest] = (int)index;
	space->sign[dest] = snw_fbx_integer(snw_fbx_setting(settings, sign), 4, 1) < 0 ? -1 : 1;
	return true;
}

/* FBX names the axes to the right, up and to the front; its unit is so many centimetres. */
snw_fbx_space snw_fbx_read_space(const snw_fbx *f) {
	const snw_fbx_node *settings = snw_fbx_child(&f->root, "GlobalSettings");
	snw_fbx_space space = {.axis = {0, 1, 2}, .sign = {1, 1, 1}};
	if (!read_axis(settings, "CoordAxis", "CoordAxisSign", 0, &space) ||
		!read_axis(settings, "UpAxis", "UpAxisSign", 1, &space) ||
		!read_axis(settings, "FrontAxis", "FrontAxisSign", 2, &space) || space.axis[0] == space.axis[1] ||
		space.axis[0] == space.axis[2] || space.axis[1] == space.axis[2]) {
		space = (snw_fbx_space){.axis = {0, 1, 2}, .sign = {1, 1, 1}};
	}
	const bool is_even = (space.axis[0] + 1) % 3 == space.axis[1];
	space.is_mirrored = (space.sign[0] * space.sign[1] * space.sign[2] < 0) == is_even;
	const double unit = snw_fbx_number(snw_fbx_setting(settings, "UnitScaleFactor"), 4, 1);
	space.scale = unit > 1e-9 && unit < 1e9 ? unit / 100 : 0.01;
	return space;
}

void snw_fbx_space_direction(const snw_fbx_space *space, const double file[3], double dest[3]) {
	const double v[3] = {file[0], file[1], file[2]};
	for (int i = 0; i < 3; i++) {
		dest[i] = space->sign[i] * v[space->axis[i]];
	}
}

void snw_fbx_space_point(const snw_fbx_space *space, const double file[3], double dest[3]) {
	snw_fbx_space_direction(space, file, dest);
	for (int i = 0; i < 3; i++) {
		dest[i] *= space->scale;
	}
}

void snw_fbx_space_scale(const snw_fbx_space *space, const double file[3], double dest[3]) {
	const double v[3] = {file[0], file[1], file[2]};
	for (int i = 0; i < 3; i++) {
		dest[i] = v[space->axis[i]];
	}
}

/* A mirrored space turns the other way. */
void snw_fbx_space_rotation(const snw_fbx_space *space, const double file[4], double dest[4]) {
	snw_fbx_space_direction(space, file, dest);
	for (int i = 0; i < 3; i++) {
		dest[i] = space->is_mirrored ? -dest[i] : dest[i];
	}
	dest[3] = file[3];
}

void snw_fbx_space_matrix(const snw_fbx_space *space, const double file[12], double dest[12]) {
	double m[12];
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			m[4 * r + c] = space->sign[r] * space->sign[c] * file[4 * space->axis[r] + space->axis[c]];
		}
		m[4 * r + 3] = space->scale * space->sign[r] * file[4 * space->axis[r] + 3];
	}
	memcpy(dest, m, sizeof m);
}
