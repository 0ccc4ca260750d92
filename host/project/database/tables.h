/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of a project and their columns, as data. The SQL of the file, and how rows are loaded, stored and compared, come
 * from here. For a new column: a member in scene/scene.h, a row in tables.c behind the others of its table, since the history
 * of older files counts columns, and a line in docs/project-file.md. The row says in which version of the schema it is new; the
 * version that this program writes, and what it makes of older files, follow from that. Private to host/project.
 */
#ifndef SINEW_HOST_PROJECT_DATABASE_TABLES_H
#define SINEW_HOST_PROJECT_DATABASE_TABLES_H

#include <string.h>

#include "scene/scene.h"

/* In the order in which rows refer to earlier ones. */
typedef enum snw_table_id {
	SNW_TABLE_PROJECT,
	SNW_TABLE_ARRAY,
	SNW_TABLE_IMAGE,
	SNW_TABLE_MATERIAL,
	SNW_TABLE_JOINT,
	SNW_TABLE_SLOT,
	SNW_TABLE_KEPT_NODE,
	SNW_TABLE_CHANNEL,
	SNW_TABLE_MESH,
	SNW_TABLE_MORPH,
	SNW_TABLE_ATTRIBUTE,
	SNW_TABLE_CLIP,
	SNW_TABLE_TRACK,
	SNW_TABLE_POSE,
	SNW_TABLE_FIELD,
	SNW_TABLE_EXAMPLE,
	SNW_TABLE_SCULPT_LAYER,
	SNW_TABLE_GROUP,
	SNW_TABLE_GROUP_JOINT,
	SNW_TABLE_GROUP_MEMBER,
	SNW_TABLE_TARGET,
	SNW_TABLE_TARGET_FRAME,
	SNW_TABLE_MODEL,
	SNW_TABLE_LAYER,
	SNW_TABLE_LAYER_SETTING,
	SNW_TABLE_LEVEL,
	SNW_TABLE_JOURNAL,
	SNW_TABLE_JOURNAL_CHANGE,
	SNW_TABLE_JOURNAL_ARRAY,
	SNW_TABLE_COUNT
} snw_table_id;

typedef enum snw_column_kind {
	/* What the row is. */
	SNW_COLUMN_ID,       /* int64_t, never reused */
	SNW_COLUMN_OWNER,    /* the row whose list this row is in; no member */
	SNW_COLUMN_POSITION, /* int64_t: the index in the list */
	/* A number or a text. */
	SNW_COLUMN_INTEGER, /* int64_t */
	SNW_COLUMN_COUNT,   /* uint32_t, at most SNW_LARGEST_COUNT */
	SNW_COLUMN_CHOICE,  /* int32_t, of an enum */
	SNW_COLUMN_FLAG,    /* bool */
	SNW_COLUMN_REAL,    /* double */
	SNW_COLUMN_TEXT,    /* const char *; without one it is NULL if optional, otherwise "" */
	/* Another row. */
	SNW_COLUMN_INDEX,     /* uint32_t: its index in the scene, stored as its id; SNW_NONE is NULL */
	SNW_COLUMN_REFERENCE, /* int64_t: its id; 0 is NULL */
	/* Elements of `element_bytes` each. */
	SNW_COLUMN_NUMBERS, /* one, in the struct itself */
	SNW_COLUMN_ARRAY,   /* `count` of them, in an array */
	SNW_COLUMN_INDICES, /* the same: uint32_t, indices of other rows, stored as ids; SNW_NONE is 0 */
	SNW_COLUMN_LIST,    /* any number of them; `count_member` is a uint32_t */
	SNW_COLUMN_BYTES,   /* bytes; `count_member` is a size_t */
} snw_column_kind;

/* For columns and lists without a member. */
#define SNW_NO_MEMBER SIZE_MAX

typedef struct snw_column {
	const char *name;
	snw_column_kind kind;
	size_t member, count_member; /* offsets in the row's struct */
	size_t element_bytes;
	/* The number of elements of an array. A pose's depends on the skeleton of the scene, for example. */
	size_t (*count)(const void *row, const snw_scene *scene);
	bool (*applies)(const void *row); /* false: NULL in this row; NULL: it always applies */
	snw_table_id refers;              /* to rows of this table */
	bool optional;                    /* can be NULL */
	bool is_heavy;                    /* not in an outline */
	bool is_apart;       /* an array that is a row of the table 'array'; the column has that row's id (database/rows.h) */
	const char *initial; /* default, as SQL: what rows of an older version get */
	int since;           /* the version of the schema in which it is new; 0: as its table */
	const char *note;    /* comment in the file's SQL */
} snw_column;

typedef struct snw_table {
	const char *name;
	const char *note;
	int since; /* the version of the schema in which it is new; 0: the first */
	const snw_column *columns;
	uint32_t column_count;
	size_t row_bytes; /* of the row's struct; 0 for tables that are not a part of the scene, and not recorded in the journal */
	/* The rows are a list of an owner's row, or of the scene (SNW_TABLE_PROJECT). The offsets of the array and its uint32_t
	 * count in the owner's struct; SNW_NO_MEMBER if the scene has the data in another form. */
	snw_table_id owner;
	size_t list, list_count;
	const char *order;
} snw_table;

extern const snw_table snw_tables[SNW_TABLE_COUNT];

/* Joints and slots are arrays in the scene, and the frames of a target are one array. Their rows are these. */
typedef struct snw_joint_row {
	const char *name;
	int64_t parent;
	snw_transform rest_local;
} snw_joint_row;

typedef struct snw_slot_row {
	int64_t position;
	uint32_t joint;
	double inverse_bind[12];
} snw_slot_row;

typedef struct snw_frame_row {
	double seconds;
	uint32_t point_count;
	const float *points_posed;
} snw_frame_row;

/* The version of the schema in the first release. Older files are refused. */
enum { SNW_FIRST_SCHEMA = 19 };

/* The version of the schema: the newest of its tables and columns. */
int snw_schema_version(const snw_table *tables);

/* A column that is in every row of its table; NULL if there is none. */
const snw_column *snw_table_column(const snw_table *table, snw_column_kind kind);

/* The SQL that creates a table, as the file stores it. */
const char *snw_table_sql(const snw_table *table, snw_arena *arena);

/* Rows of the owner's list, and their number. */
static inline const void *snw_table_list(const snw_table *table, const void *owner, uint32_t *count) {
	const void *rows;
	memcpy(&rows, (const char *)owner + table->list, sizeof rows);
	memcpy(count, (const char *)owner + table->list_count, sizeof *count);
	return rows;
}

#endif
