/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sample arm with fewer points than "tiny-arm", for what does not depend on how many there are.
 */
#ifndef SINEW_TESTS_TINY_ARM_H
#define SINEW_TESTS_TINY_ARM_H

#include "check.h"

#include "sample/sample.h"

enum { TINY_ARM_RINGS = 26, TINY_ARM_SIDES = 12 };

static inline snw_status make_tiny_arm(snw_scene **scene, snw_error *error) {
	*scene = snw_scene_create();
	return snw_sample_make_arm_of(*scene, TINY_ARM_RINGS, TINY_ARM_SIDES, error);
}

static inline snw_scene *tiny_arm(void) {
	snw_scene *made;
	snw_error error;
	check_ok(make_tiny_arm(&made, &error), error);
	return made;
}

#endif
