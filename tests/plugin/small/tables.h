/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of small.c. They are filled in when it is loaded, because its stamp may replace values.
 */
#ifndef SINEW_TESTS_PLUGIN_SMALL_TABLES_H
#define SINEW_TESTS_PLUGIN_SMALL_TABLES_H

#include "misdeeds.h"
#include "sinew/sinew.h"

enum { HEIGHT, KIND, COUNT, FLIP, PARAMETERS };

static const char *const choices[] = {"one", "two", NULL};
static snw_parameter rows[PARAMETERS];
static const snw_parameter *const parameters[PARAMETERS] = {&rows[HEIGHT], &rows[KIND], &rows[COUNT], &rows[FLIP]};

static const snw_field_info *const fields[] = {
	&(const snw_field_info){sizeof(snw_field_info), "tint", "Tint", "The same colour everywhere.", SNW_UNIT_COLOR,
							SNW_DOMAIN_POINTS, 3, 1},
};

static snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.name = "Small",
	.version = "1.0",
	.paper = "",
	.needs = SNW_NEEDS_MESH,
	.parameter_count = PARAMETERS,
	.parameters = parameters,
	.field_count = 1,
	.fields = fields,
};

static void fill_tables(void) {
	rows[HEIGHT] = *SNW_NUMBER("height", "Height", "How far up.", "m", strtod(stamped("default", "0.25"), NULL), -1, 1,
							   SNW_STAGE_DRIVE, SNW_SOFT(0, 1));
	rows[KIND] = *SNW_CHOICE("kind", "Kind", "Kind.", choices, 1, SNW_STAGE_DRIVE);
	rows[COUNT] = *SNW_COUNT("count", "Count", "Count.", 3, 1, 10, SNW_STAGE_DRIVE);
	rows[FLIP] = *SNW_SWITCH("flip", "Flip", "Flip.", 0, SNW_STAGE_DRIVE);
	descriptor.id = stamped("id", "org.sinew.test.small");
	descriptor.short_name = stamped("name", "test-small");
	descriptor.traits = does[binds] ? SNW_BINDS : does[refits] ? SNW_REFITS_EXAMPLES : 0;
}

#endif
