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

/* ---- limb ---------------------------------------------------------------------------------------------------------------- */

/* A limb for benchmarks and tests of sculpting: any number of points, symmetric about x = 0, two joints and a linear blend. */

/* Mesh "limb", four metres along z, open at its ends, of nearly square quads; joints "upper" and "lower", which bends at the
 * origin; poses "rest" and "bent"; the baseline's layer; no example. It has about `point_count` points. */
snw_scene *snw_limb_make(uint32_t point_count);

/* The mirrored point of each point, [point_count]. */
const uint32_t *snw_limb_partners(const snw_mesh *mesh, snw_arena *arena);

/* ---- trained limbs ------------------------------------------------------------------------------------------------------- */

/* The ground truth of the samples that three poses train, at an angle in radians: `posed` is where a rest point goes. */

/* A section of the bar twists by its share of the bar's length. */
void snw_twist_bar_truth(double angle, const double rest[3], double posed[3]);
/* A section of the forearm twists by its share of the way from elbow to wrist. */
void snw_elbow_truth(double angle, const double rest[3], double posed[3]);
/* The elbow bends, with the volume of the sample arm, and the muscle on the inside of the upper arm grows with the angle. */
void snw_muscle_arm_truth(double angle, const double rest[3], double posed[3]);

#endif
