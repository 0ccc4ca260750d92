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
#ifndef SMALL_KEY
#define SMALL_KEY "kind"
#endif
#ifndef SMALL_DEFAULT
#define SMALL_DEFAULT 0.25
#endif
#ifndef SMALL_SOFT
#define SMALL_SOFT 1
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
#ifndef SMALL_COLOR_COMPONENTS
#define SMALL_COLOR_COMPONENTS 3
#endif
#define TWO_LINES "one\ntwo"
#ifndef SMALL_EXTRA_MAXIMUM
#define SMALL_EXTRA_MAXIMUM 0
#endif
#ifndef SMALL_TINT
#define SMALL_TINT 0.5
#endif

#ifndef SMALL_MOST_COUNT
#define SMALL_MOST_COUNT 10
#endif
#ifndef SMALL_COUNT_STAGE
#define SMALL_COUNT_STAGE SNW_STAGE_DRIVE
#endif
#ifndef SMALL_COUNT_WORDS
#define SMALL_COUNT_WORDS NULL
#endif

#ifdef SMALL_NO_CHOICES
static const char *const choices[] = {NULL};
#else
static const char *const choices[] = {"one", "two", NULL};
#endif
__attribute__((unused)) static const char *const four_words[] = {"one", "two", "three", "four", NULL};
static const snw_parameter *const parameters[] = {
	&(const snw_parameter){sizeof(snw_parameter), "height", "Height", "How far up.", "m", SNW_PARAMETER_NUMBER, SNW_STAGE_DRIVE,
						   SNW_NUMBER(SMALL_DEFAULT), -1, 1, 0, SMALL_SOFT, NULL, 0},
	&(const snw_parameter){sizeof(snw_parameter), SMALL_KEY, "Kind", "Kind.", "", SNW_PARAMETER_CHOICE, SNW_STAGE_DRIVE,
						   SNW_NUMBER(1), 0, 1, 0, 1, choices, 0},
	&(const snw_parameter){sizeof(snw_parameter), "count", "Count", "Count.", "", SNW_PARAMETER_INTEGER, SMALL_COUNT_STAGE,
						   SNW_NUMBER(3), 1, SMALL_MOST_COUNT, 1, SMALL_MOST_COUNT, SMALL_COUNT_WORDS, 0},
	&(const snw_parameter){sizeof(snw_parameter), "flip", "Flip", "Flip.", "", SNW_PARAMETER_SWITCH, SNW_STAGE_DRIVE,
						   SNW_NUMBER(0), 0, 1, 0, 1, NULL, 0},
#ifdef SMALL_EXTRA_KIND
	&(const snw_parameter){sizeof(snw_parameter), "extra", "Extra", "One more.", "", SMALL_EXTRA_KIND, SNW_STAGE_DRIVE,
						   SMALL_EXTRA_INITIAL, 0, SMALL_EXTRA_MAXIMUM, 0, SMALL_EXTRA_MAXIMUM, NULL, 0},
#endif
};

static const snw_field_info *const fields[] = {
	&(const snw_field_info){sizeof(snw_field_info), "tint", "Tint", "The same colour everywhere.", SNW_UNIT_COLOR,
							SNW_DOMAIN_POINTS, SMALL_COLOR_COMPONENTS, 1},
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
