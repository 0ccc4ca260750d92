/* SPDX-License-Identifier: MIT
 *
 * The parameter table: all that an interface needs to draw a deformer's controls and that `--set` needs to check them.
 */
#ifndef SINEW_PARAMETER_H
#define SINEW_PARAMETER_H

#include "sinew/base.h"

/* The value of a parameter. Frozen: never changes. The kinds below say which members they use; the others are 0 and NULL.
 * `text` is valid as long as the values that contain it: during a call. */
typedef struct snw_value {
	double numbers[4];
	const char *text;
} snw_value SNW_FROZEN;

/* Values as initializers. */
#define SNW_NUMBER(number)                                                                                                     \
	{ {(number), 0, 0, 0}, NULL }
#define SNW_VECTOR(x, y, z)                                                                                                    \
	{ {(x), (y), (z), 0}, NULL }
#define SNW_TEXT(text)                                                                                                         \
	{ {0, 0, 0, 0}, (text) }
#define SNW_NO_JOINT                                                                                                           \
	{ {-1, 0, 0, 0}, "" }

/* The most bytes of a value's text, without the terminator. It is one line of UTF-8, without control characters. The path of
 * a file may be longer than as it was set. */
#define SNW_LONGEST_TEXT 1000

/* The names of joints, fields and files are stored in the project, and looked up before every call that may read the value:
 * fit for stage FIT, lower for stage LOWER, and all of them for stage DRIVE. If the object does not exist, the host refuses
 * the call. */
typedef enum snw_parameter_kind {
	SNW_PARAMETER_NUMBER = 0,  /* numbers[0] */
	SNW_PARAMETER_INTEGER = 1, /* numbers[0], whole */
	SNW_PARAMETER_SWITCH = 2,  /* numbers[0]: 0 or 1 */
	SNW_PARAMETER_CHOICE = 3,  /* numbers[0]: index into `choices` */
	/* numbers[0] to [2]: x, y, z, each within the range, in the parameter's unit. Its help says in which space. */
	SNW_PARAMETER_VECTOR = 4,
	SNW_PARAMETER_COLOR = 5, /* numbers[0] to [2]: as SNW_UNIT_COLOR in field.h; the range is 0 to 1 */
	/* numbers[0]: index of a joint of the character, -1 for none; text: its name, "" for none. The default is SNW_NO_JOINT. */
	SNW_PARAMETER_JOINT = 6,
	/* text: the name of a field over the points of at least one mesh, of any number of components; "" for none, which is the
	 * default. It is among snw_mesh_view.fields of the meshes that have it. */
	SNW_PARAMETER_FIELD = 7,
	SNW_PARAMETER_TEXT = 8, /* text, never NULL */
	/* text: the absolute path of a regular file that can be read, "" for none, which is the default. Not of stage DRIVE, where
	 * nothing may be read. A project keeps it relative to its folder. */
	SNW_PARAMETER_FILE = 9,
} snw_parameter_kind;

/* The stage that a change affects: a change to a drive parameter shows at the next evaluation and needs no fit. */
typedef enum snw_stage {
	SNW_STAGE_FIT = 0,
	SNW_STAGE_LOWER = 1,
	SNW_STAGE_DRIVE = 2,
} snw_stage;

/* What may have a separate value, if the parameter allows it: bits of `scopes`. */
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
	/* Hard range of each number, inclusive. 0 and 0 for joint, field, text and file, which have none. */
	double minimum;
	double maximum;
	double soft_minimum; /* what a slider offers; within the hard range */
	double soft_maximum;
	/* SNW_PARAMETER_CHOICE: NULL-terminated. SNW_PARAMETER_INTEGER: the words that people write instead of the minimum and the
	 * numbers after it ("auto"), NULL-terminated, or NULL. Else NULL. */
	const char *const *choices;
	uint32_t scopes; /* SNW_SCOPE_…, for parameters of stage FIT: "key@NAME=value" sets it for NAME alone; 0: for none */
} snw_parameter;

/* The value of a parameter for one group or one joint, instead of the value for all. */
typedef struct snw_override {
	uint32_t size;
	uint32_t parameter; /* a row of the table */
	uint32_t scope;     /* one of SNW_SCOPE_… */
	uint32_t index;     /* into the fit's groups, or the skeleton's joints */
	snw_value value;    /* within the parameter's hard range */
} snw_override;

#endif
