/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FBX 7 as its reader and its writer have it: a document is a tree of nodes with values.
 *
 *     Model: 1001, "Model::arm", "LimbNode" {
 *         Version: 232
 *     }
 *
 * is a node "Model" with three values and one child. A binary file is a header, a record for each node, and a footer. A record
 * says where it ends, how many values it has and how many bytes they take (32-bit numbers, 64-bit ones from version 7500), its
 * name, its values, then its children up to a record of zeros. A node that ends with its values has no children.
 */
#ifndef SINEW_HOST_FBX_FORMAT_H
#define SINEW_HOST_FBX_FORMAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "file/file.h"

/* ---- nodes --------------------------------------------------------------------------------------------------------------- */

typedef enum snw_fbx_kind {
	SNW_FBX_INTEGER,
	SNW_FBX_NUMBER,
	SNW_FBX_TEXT, /* or bytes: a picture */
	SNW_FBX_ARRAY
} snw_fbx_kind;

typedef struct snw_fbx_value {
	uint8_t kind; /* snw_fbx_kind */
	char type;    /* in a binary file: C Y I L F D S R; of an array's elements b c i l f d; 't' for an array in text */
	bool is_deflated;
	uint32_t count; /* of an array's elements, as the file says */
	union {
		int64_t integer;
		double number;
		snw_bytes bytes; /* of a text or an array, in the file */
	};
} snw_fbx_value;

typedef struct snw_fbx_node {
	const char *name; /* not terminated */
	uint32_t name_length;
	uint32_t value_count;
	const snw_fbx_value *values;
	struct snw_fbx_node *child, *next; /* the first child, and the next node with the same parent; NULL for none */
} snw_fbx_node;

/* The bytes of a node's record in a binary file. */
uint64_t snw_fbx_node_bytes(const snw_fbx_node *node, uint32_t version);
/* Writes a binary file of the nodes below `root`. The caller checks the stream; the offsets of versions before 7500 end at
 * 4 GiB. */
void snw_fbx_write_binary(FILE *stream, const snw_fbx_node *root, uint32_t version);

/* ---- binary files -------------------------------------------------------------------------------------------------------- */

#define SNW_FBX_MAGIC "Kaydara FBX Binary  " /* with its zero */
enum { SNW_FBX_ENDIAN_AT = 22, SNW_FBX_VERSION_AT = 23, SNW_FBX_HEADER_BYTES = 27, SNW_FBX_WIDE_OFFSETS = 7500 };

/* ---- transforms and curves ----------------------------------------------------------------------------------------------- */

/* How a model inherits the scale of its parent; R rotation and S scale, small letters its own. */
typedef enum snw_fbx_inherit { SNW_FBX_RRSS = 0, SNW_FBX_RSRS = 1, SNW_FBX_RRS = 2 } snw_fbx_inherit;

/* Orders of rotation: about the first axis first. The four between turn about XZY, YZX, YXZ and ZXY. */
enum { SNW_FBX_XYZ = 0, SNW_FBX_ZYX = 5 };
/* The rotation of Euler angles in degrees, in one of the six orders. */
void snw_fbx_euler(const double degrees[3], int order, double rotation[4]);
/* The angles of a rotation, in the order XYZ or ZYX. */
void snw_fbx_angles(const double rotation[4], int order, double degrees[3]);

#define SNW_FBX_TICKS 46186158000.0 /* of a second */

/* What follows a key. */
enum {
	SNW_FBX_KEY_CONSTANT = 0x2,
	SNW_FBX_KEY_LINEAR = 0x4,
	SNW_FBX_KEY_CUBIC = 0x8,
	SNW_FBX_KEY_CONSTANT_NEXT = 0x100, /* of a constant key */
	SNW_FBX_KEY_AUTO = 0x100,          /* of a cubic key, as what follows */
	SNW_FBX_KEY_TCB = 0x200,
	SNW_FBX_KEY_USER = 0x400,
	SNW_FBX_KEY_BREAK = 0x800,
	SNW_FBX_KEY_CLAMP = 0x1000,
	SNW_FBX_KEY_TIME_INDEPENDENT = 0x2000,
	SNW_FBX_KEY_CLAMP_PROGRESSIVE = 0x4000,
	SNW_FBX_KEY_WEIGHTED_OUT = 0x1000000,
	SNW_FBX_KEY_WEIGHTED_NEXT_IN = 0x2000000
};

#endif
