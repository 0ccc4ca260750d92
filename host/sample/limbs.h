/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A character of many parts, for benchmarks and tests of what grows with their number.
 */
#ifndef SINEW_HOST_SAMPLE_LIMBS_H
#define SINEW_HOST_SAMPLE_LIMBS_H

#include "scene/scene.h"

typedef struct snw_limbs_size {
	uint32_t points; /* about, of all meshes together */
	uint32_t meshes; /* at least 1 */
	uint32_t joints; /* at least 1 more than there are meshes */
	uint32_t examples;
} snw_limbs_size;

/* Fills an empty scene with limbs side by side, each a mesh of its own: "limb 1", "limb 2", …. A root joint has a chain of
 * joints for each of them. The rest, a pose that bends all joints ("bent"), a pose for each example, with a bulge where a joint
 * bends, and a group for each joint that drives examples; the baseline's layer. The limbs fill the same square, however many
 * they are. */
snw_status snw_limbs_make(snw_scene *scene, const snw_limbs_size *size, snw_error *error);

#endif
