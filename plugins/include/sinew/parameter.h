/* SPDX-License-Identifier: MIT
 *
 * The parameter table: all that an interface needs to draw a deformer's controls and that `--set` needs to check them.
 */
#ifndef SINEW_PARAMETER_H
#define SINEW_PARAMETER_H

#include "sinew/base.h"

typedef enum snw_parameter_kind {
	SNW_PARAMETER_NUMBER = 0,
	SNW_PARAMETER_INTEGER = 1,
	SNW_PARAMETER_SWITCH = 2, /* 0 or 1 */
	SNW_PARAMETER_CHOICE = 3, /* index into `choices` */
} snw_parameter_kind;

/* The stage that a change dirties: a change to a drive parameter shows at the next frame and never fits again. */
typedef enum snw_stage {
	SNW_STAGE_FIT = 0,
	SNW_STAGE_LOWER = 1,
	SNW_STAGE_DRIVE = 2,
} snw_stage;

typedef struct snw_parameter {
	uint32_t size;
	const char *key; /* lower case, words joined by '-'; unique in its table */
	const char *label;
	const char *help; /* one sentence */
	const char *unit; /* "m", "rad", "s", "%" or "" */
	int32_t kind;     /* snw_parameter_kind */
	int32_t stage;    /* snw_stage */
	double initial;   /* within [minimum, maximum] */
	double minimum;   /* hard range, inclusive */
	double maximum;
	double soft_minimum; /* what a slider offers; within the hard range */
	double soft_maximum;
	const char *const *choices; /* SNW_PARAMETER_CHOICE: NULL-terminated; else NULL */
} snw_parameter;

#endif
