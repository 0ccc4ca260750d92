/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared: a sample arm for all cases of a test program, beside its registry.
 */
#ifndef SINEW_TESTS_DEFORMERS_ARMS_SHARED_ARM_H
#define SINEW_TESTS_DEFORMERS_ARMS_SHARED_ARM_H

#include "deformers/must_fit.h"

static snw_scene *arm; /* as it was made: examples, and targets of another rig */

static inline int open_arm_of(void **state, const char *sample) {
	snw_error error = {0};
	open_registry(state);
	if (snw_failed(snw_sample_make(sample, &arm, &error))) {
		print_error("%s\n", error.text);
		return -1;
	}
	return 0;
}

static inline int open_arm(void **state) {
	return open_arm_of(state, "arm");
}

/* Its targets alone. */
static inline int open_arm_without_sculpts(void **state, const char *sample) {
	if (open_arm_of(state, sample) != 0) {
		return -1;
	}
	arm->example_count = arm->group_count = 0;
	return 0;
}

static inline int close_arm(void **state) {
	snw_scene_destroy(arm);
	return close_registry(state);
}

#endif
