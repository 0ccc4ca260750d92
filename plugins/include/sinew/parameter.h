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

/* What may have a value of its own where the parameter allows it: `scopes` holds bits. */
enum {
	SNW_SCOPE_GROUP = 1u << 0, /* a corrective group */
	SNW_SCOPE_JOINT = 1u << 1,
};

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
	/* SNW_PARAMETER_CHOICE: NULL-terminated. SNW_PARAMETER_INTEGER: one word and NULL, which people may write for the minimum
	 * ("auto"), or NULL. Else NULL. */
	const char *const *choices;
	uint32_t scopes; /* SNW_SCOPE_…, for parameters of stage FIT: "key@NAME=value" sets it for NAME alone; 0: for none */
} snw_parameter;

/* The value of a parameter for one group or one joint, in place of the one for all. */
typedef struct snw_override {
	uint32_t size;
	uint32_t parameter; /* a row of the table */
	uint32_t scope;     /* one of SNW_SCOPE_… */
	uint32_t index;     /* into the fit's groups, or the skeleton's joints */
	double value;       /* within the parameter's hard range */
} snw_override;

#endif
