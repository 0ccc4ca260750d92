/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of skin programs on the GPU share: shaders for both paths, and options for random programs.
 */
#ifndef SINEW_TESTS_RENDER_SKIN_H
#define SINEW_TESTS_RENDER_SKIN_H

#include "graphics.h"
#include "program/fixture.h"
#include "render/skin/gpu_program.h"

static inline void skin_shaders_open(snw_skin_shaders *shaders) {
	snw_error error;
	check_ok(snw_skin_shaders_create(shaders, &error), error);
	check_ok(snw_skin_shaders_add_compute(shaders, &error), error);
}

static inline fixture_options skin_options(int32_t blend) {
	return (fixture_options){.point_count = 500,
							 .slot_count = 30,
							 .least_influences = 1,
							 .most_influences = 12,
							 .blend = blend,
							 .rest_displacements = 6,
							 .posed_displacements = 5,
							 .largest_angle = 3.1};
}

#endif
