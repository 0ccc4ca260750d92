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
#define SNW_VALUE(number)                                                                                                      \
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
enum snw_scopes {
	SNW_SCOPE_GROUP = 1u << 0, /* a corrective group */
	SNW_SCOPE_JOINT = 1u << 1,
};

/* What a parameter means to the host, which finds it by this and not by its key. A table has each role once at most. All but
 * the drawing and the width are integers; their values are limits on what the fit makes.
 *
 * `sinew bake` fits a skin for engines with methods that learn from samples (SNW_NEEDS_SAMPLES), within these limits: with
 * SNW_REPLACES_BLEND and INFLUENCES, a linear blend of the joints without negative weights; without, displacements over the
 * layers below. So such a method gives these roles only if its model has the promised form. */
typedef enum snw_role {
	SNW_ROLE_NONE = 0,
	SNW_ROLE_INFLUENCES = 1, /* the most weights of a point */
	SNW_ROLE_JOINTS = 2,     /* the most joints of the character that move points, helpers not counted; 0: any number */
	SNW_ROLE_HELPERS =
		3, /* the most helper joints that the blend has besides, which SNW_HELPER_JOINTS lists (helper_joints.h) */
	SNW_ROLE_PROXIES = 4,       /* the most slots that move a mesh, which blends a palette of its own instead of the joints */
	SNW_ROLE_DISPLACEMENTS = 5, /* the most rest displacements of a mesh */
	SNW_ROLE_BONES = 6,         /* with SNW_MAKES_SKELETON: how many joints the skeleton gets */
	SNW_ROLE_DRAWING = 7,       /* with SNW_MAKES_SKELETON: a file with the joints and bones that the skeleton is to have */
	SNW_ROLE_WIDTH = 8,         /* a number in radians with SNW_SCOPE_GROUP: of a group's kernel, as `describe` gives it */
} snw_role;

/* The macros below make rows of a table. */
typedef struct snw_parameter {
	uint32_t size;
	int32_t kind;    /* snw_parameter_kind */
	const char *key; /* lower case, words joined by '-'; unique in its table */
	const char *label;
	const char *help;  /* one sentence */
	const char *unit;  /* "m", "rad", "s", "%" or "" */
	snw_value initial; /* its numbers within [minimum, maximum] */
	/* Hard range of each number, inclusive. 0 and 0 for a kind whose range follows from it: switch, choice and colour, and
	 * joint, field, text and file, which have none. */
	double minimum;
	double maximum;
	/* SNW_PARAMETER_CHOICE: NULL-terminated. SNW_PARAMETER_INTEGER: the words that people write instead of the minimum and the
	 * numbers after it ("auto"), NULL-terminated, or NULL. Else NULL. */
	const char *const *choices;
	int32_t stage;       /* snw_stage */
	uint32_t scopes;     /* SNW_SCOPE_…, for parameters of stage FIT: "key@NAME=value" sets it for NAME alone; 0: for none */
	double soft_minimum; /* what a slider offers, within the hard range; 0 and 0: all of it */
	double soft_maximum;
	int32_t role; /* snw_role */
} snw_parameter;

/* Rows of a table of `const snw_parameter *const`. `...` begins with the stage; other members may follow, in their order:
 *
 *     static const snw_parameter *const parameters[] = {
 *         [INFLUENCES] = SNW_COUNT("influences", "Influences", "The most joints that may move one point.", 4, 1, 12,
 *                                  SNW_STAGE_FIT, SNW_SOFT(1, 8), .role = SNW_ROLE_INFLUENCES),
 *         [CLAMP] = SNW_SWITCH("clamp", "Clamp", "Clamps coefficients to 0 and 1.", 0, SNW_STAGE_FIT, .scopes =
 *         SNW_SCOPE_GROUP),
 *     };
 *
 * In C++ a table has no designators of its own: rows are in order. */
#define SNW_NUMBER(key_, label_, help_, unit_, initial_, minimum_, maximum_, ...)                                              \
	SNW_PARAMETER(.kind = SNW_PARAMETER_NUMBER, .key = (key_), .label = (label_), .help = (help_), .unit = (unit_),            \
				  .initial = SNW_VALUE(initial_), .minimum = (minimum_), .maximum = (maximum_), .stage = __VA_ARGS__)
#define SNW_COUNT(key_, label_, help_, initial_, minimum_, maximum_, ...)                                                      \
	SNW_PARAMETER(.kind = SNW_PARAMETER_INTEGER, .key = (key_), .label = (label_), .help = (help_), .unit = "",                \
				  .initial = SNW_VALUE(initial_), .minimum = (minimum_), .maximum = (maximum_), .stage = __VA_ARGS__)
/* A count with words for its first values: "auto" for the minimum. */
#define SNW_COUNT_OR(key_, label_, help_, words_, initial_, minimum_, maximum_, ...)                                           \
	SNW_PARAMETER(.kind = SNW_PARAMETER_INTEGER, .key = (key_), .label = (label_), .help = (help_), .unit = "",                \
				  .initial = SNW_VALUE(initial_), .minimum = (minimum_), .maximum = (maximum_), .choices = (words_),           \
				  .stage = __VA_ARGS__)
#define SNW_SWITCH(key_, label_, help_, initial_, ...)                                                                         \
	SNW_PARAMETER(.kind = SNW_PARAMETER_SWITCH, .key = (key_), .label = (label_), .help = (help_), .unit = "",                 \
				  .initial = SNW_VALUE(initial_), .stage = __VA_ARGS__)
#define SNW_CHOICE(key_, label_, help_, words_, initial_, ...)                                                                 \
	SNW_PARAMETER(.kind = SNW_PARAMETER_CHOICE, .key = (key_), .label = (label_), .help = (help_), .unit = "",                 \
				  .initial = SNW_VALUE(initial_), .choices = (words_), .stage = __VA_ARGS__)
/* The name of a field or a file; none by default. */
#define SNW_NAMED(kind_, key_, label_, help_, ...)                                                                             \
	SNW_PARAMETER(.kind = (kind_), .key = (key_), .label = (label_), .help = (help_), .unit = "", .initial = SNW_TEXT(""),     \
				  .stage = __VA_ARGS__)
#define SNW_SOFT(minimum_, maximum_) .soft_minimum = (minimum_), .soft_maximum = (maximum_)

/* A row of any kind from its members. */
#ifdef __cplusplus
#define SNW_PARAMETER(...)                                                                                                     \
	([]() -> const snw_parameter * {                                                                                           \
		static const snw_parameter snw_row = {.size = sizeof(snw_parameter), __VA_ARGS__};                                     \
		return &snw_row;                                                                                                       \
	}())
#else
#define SNW_PARAMETER(...) (&(const snw_parameter){.size = sizeof(snw_parameter), __VA_ARGS__})
#endif

/* The value of a parameter for one group or one joint, instead of the value for all. */
typedef struct snw_override {
	uint32_t size;
	uint32_t parameter; /* a row of the table */
	uint32_t scope;     /* one of SNW_SCOPE_… */
	uint32_t index;     /* into the fit's groups, or the skeleton's joints */
	snw_value value;    /* within the parameter's hard range */
} snw_override;

#endif
