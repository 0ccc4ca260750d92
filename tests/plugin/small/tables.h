/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of small.c: what -DSMALL_… may replace in its entry, its descriptor and its parameters.
 */
#ifndef SINEW_TESTS_PLUGIN_SMALL_TABLES_H
#define SINEW_TESTS_PLUGIN_SMALL_TABLES_H

#include <math.h>

#include "sinew/sinew.h"

#ifndef SMALL_ID
#define SMALL_ID "org.sinew.test.small"
#endif
#ifndef SMALL_NAME
#define SMALL_NAME "test-small"
#endif
#ifndef SMALL_DEFAULT
#define SMALL_DEFAULT 0.25
#endif
#ifndef SMALL_MAJOR
#define SMALL_MAJOR SNW_ABI_MAJOR
#endif
#ifndef SMALL_MINOR
#define SMALL_MINOR SNW_ABI_MINOR
#endif
#ifndef SMALL_ENTRY_SIZE
#define SMALL_ENTRY_SIZE sizeof(snw_entry)
#endif
#ifndef SMALL_DEFORMER_SIZE
#define SMALL_DEFORMER_SIZE sizeof(snw_deformer)
#endif
#ifndef SMALL_HAS_PREPARE
#define SMALL_HAS_PREPARE 1
#endif
#ifndef SMALL_SCRATCH_BYTES
#define SMALL_SCRATCH_BYTES 64
#endif
#ifndef SMALL_HAS_FIT
#define SMALL_HAS_FIT 1
#endif

#ifndef SMALL_TRAITS
#define SMALL_TRAITS 0
#endif
#ifndef SMALL_TINT
#define SMALL_TINT 0.5
#endif

#ifndef SMALL_COUNT_STAGE
#define SMALL_COUNT_STAGE SNW_STAGE_DRIVE
#endif

static const char *const choices[] = {"one", "two", NULL};
static const snw_parameter *const parameters[] = {
	SNW_NUMBER("height", "Height", "How far up.", "m", SMALL_DEFAULT, -1, 1, SNW_STAGE_DRIVE, SNW_SOFT(0, 1)),
	SNW_CHOICE("kind", "Kind", "Kind.", choices, 1, SNW_STAGE_DRIVE),
	SNW_COUNT("count", "Count", "Count.", 3, 1, 10, SMALL_COUNT_STAGE),
	SNW_SWITCH("flip", "Flip", "Flip.", 0, SNW_STAGE_DRIVE),
};

static const snw_field_info *const fields[] = {
	&(const snw_field_info){sizeof(snw_field_info), "tint", "Tint", "The same colour everywhere.", SNW_UNIT_COLOR,
							SNW_DOMAIN_POINTS, 3, 1},
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = SMALL_ID,
	.short_name = SMALL_NAME,
	.name = "Small",
	.version = "1.0",
	.paper = "",
	.needs = SNW_NEEDS_MESH,
	.traits = SMALL_TRAITS,
	.parameter_count = sizeof parameters / sizeof parameters[0],
	.parameters = parameters,
	.field_count = 1,
	.fields = fields,
};

#endif
