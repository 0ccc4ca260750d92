/* SPDX-License-Identifier: MIT
 *
 * The parameter table: all that an interface needs to draw a deformer's controls and that `--set` needs to check them.
 */
#ifndef SINEW_PARAMETER_H
#define SINEW_PARAMETER_H

#include "sinew/base.h"

/* The value of a parameter. Frozen: never changes. Which members a kind uses stands at the kind; the others are 0 and NULL. */
typedef struct snw_value {
	double numbers[4];
	const char *text;
} snw_value SNW_FROZEN;

/* The value of a parameter with one number, as an initializer. */
#define SNW_NUMBER(number)                                                                                                     \
	{ {(number), 0, 0, 0}, NULL }

/* The kinds from VECTOR on have their numbers and meaning, but in this draft the host refuses a deformer whose table uses one, and
 * names the parameter. */
typedef enum snw_parameter_kind {
	SNW_PARAMETER_NUMBER = 0,  /* numbers[0] */
	SNW_PARAMETER_INTEGER = 1, /* numbers[0], whole */
	SNW_PARAMETER_SWITCH = 2,  /* numbers[0]: 0 or 1 */
	SNW_PARAMETER_CHOICE = 3,  /* numbers[0]: index into `choices` */
	SNW_PARAMETER_VECTOR = 4,  /* numbers[0] to [2]: x, y, z, each within the range */
	SNW_PARAMETER_COLOR = 5,   /* numbers[0] to [2]: as SNW_UNIT_COLOR in field.h; the range is 0 to 1 */
	SNW_PARAMETER_JOINT = 6,   /* numbers[0]: index of a joint of the character, -1 for none; text: its name, "" for none */
	SNW_PARAMETER_FIELD = 7,   /* text: the name of a field over points, as meshes have it; "" for none */
	SNW_PARAMETER_TEXT = 8,    /* text, never NULL */
	SNW_PARAMETER_FILE = 9,    /* text: an absolute path, "" for none; the file need not be there */
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
	const char *help;  /* one sentence */
	const char *unit;  /* "m", "rad", "s", "%" or "" */
	int32_t kind;      /* snw_parameter_kind */
	int32_t stage;     /* snw_stage */
	snw_value initial; /* its numbers within [minimum, maximum] */
	/* Hard range of each number, inclusive. Of no meaning for joint, field, text and file. */
	double minimum;
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
	snw_value value;    /* within the parameter's hard range */
} snw_override;

#endif
