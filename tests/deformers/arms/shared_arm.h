/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared: the sample "tiny-arm" for all cases of a test program, beside its registry.
 */
#ifndef SINEW_TESTS_DEFORMERS_ARMS_SHARED_ARM_H
#define SINEW_TESTS_DEFORMERS_ARMS_SHARED_ARM_H

#include "deformers/must_fit.h"

static snw_scene *arm; /* as it was made: examples, and targets of another rig */

/* Another one like it. */
static inline snw_scene *make_arm(void) {
	snw_error error;
	snw_scene *made = snw_scene_create();
	check_ok(snw_sample_make_tiny_arm(made, &error), error);
	return made;
}

static inline int open_arm(void **state) {
	open_registry(state);
	arm = make_arm();
	return 0;
}

/* Its targets alone. */
static inline int open_arm_without_sculpts(void **state) {
	open_arm(state);
	arm->example_count = arm->group_count = 0;
	return 0;
}

static inline int close_arm(void **state) {
	snw_scene_destroy(arm);
	return close_registry(state);
}

#endif
