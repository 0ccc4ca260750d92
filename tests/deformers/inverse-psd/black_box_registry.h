/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A registry with the shipped deformers and the tests' black boxes, for a group of tests.
 */
#ifndef SINEW_TESTS_DEFORMERS_INVERSE_PSD_BLACK_BOX_REGISTRY_H
#define SINEW_TESTS_DEFORMERS_INVERSE_PSD_BLACK_BOX_REGISTRY_H

#include "deformers/arms/bare_arm.h"
#include "one_registry.h"

static int open_registry_with_boxes(void **state) {
	snw_error error = {0};
	open_registry(state);
	if (snw_failed(snw_registry_load(registry, TEST_BOXES, &error))) {
		print_error("%s\n", error.text);
		return -1;
	}
	return 0;
}

#endif
