/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exports the sizes of the growable structs as this plug-in was compiled, for grown_test.c. GROWN_STRUCTS comes from
 * grow_headers.py.
 */
#ifndef SINEW_TESTS_PLUGIN_STRUCT_SIZES_H
#define SINEW_TESTS_PLUGIN_STRUCT_SIZES_H

#include <stddef.h>

#include "sinew/group_falloffs.h"
#include "sinew/helper_joints.h"
#include "sinew/sinew.h"

#define SIZE_ROW(name) {#name, sizeof(name)},
typedef struct grown_size {
	const char *name;
	size_t bytes;
} grown_size;
/* Weak, so that the validator knows that it hides nothing. */
SNW_EXPORT extern const grown_size grown_sizes[] __attribute__((weak));
const grown_size grown_sizes[] = {GROWN_STRUCTS(SIZE_ROW){NULL, 0}};

#endif
