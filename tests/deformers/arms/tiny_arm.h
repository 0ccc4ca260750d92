/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sample arm with a sixteenth of its points: for what does not depend on how many there are.
 */
#ifndef SINEW_TESTS_DEFORMERS_ARMS_TINY_ARM_H
#define SINEW_TESTS_DEFORMERS_ARMS_TINY_ARM_H

#include "check.h"

#include "sample/makers.h"

static inline snw_scene *tiny_arm(void) {
	snw_scene *made = snw_scene_create();
	snw_error error;
	check_ok(snw_sample_make_arm_of(made, 38, 16, &error), error);
	return made;
}

#endif
