/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file that is being read: where it is, where its data go, and how much memory it may take. A reader's document begins with
 * one.
 *
 * Functions that can fail return false and set the status and the error; their callers return at once.
 */
#ifndef SINEW_HOST_IMPORT_COMMON_READING_H
#define SINEW_HOST_IMPORT_COMMON_READING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "file/file.h"
#include "scene/scene.h"
#include "task/task.h"

typedef struct snw_reading {
	const char *path;
	snw_arena *scratch; /* until the document is closed */
	snw_arena *arena;   /* the scene's */
	const snw_task *task;
	snw_error *error;
	snw_status status;
	uint64_t file_bytes; /* of the file and those that belong to it */
	uint64_t budget;     /* bytes that may still be allocated; see snw_reading_reserve */
} snw_reading;

/* Begins a document with no bytes; each file that belongs to it adds its own. */
snw_reading snw_reading_begin(const char *path, const snw_task *task, snw_scene *scene, snw_error *error);
void snw_reading_end(snw_reading *reading);
/* Counts the bytes of a file that belongs to the document, which add to its budget. */
void snw_reading_add_file(snw_reading *reading, uint64_t bytes);

/* Sets the status and the error "path: …"; returns false. */
bool snw_reading_fail(snw_reading *reading, snw_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Reports progress; false after a cancellation. */
bool snw_reading_progress(snw_reading *reading, double fraction, const char *activity);
/* Takes memory from the budget before an allocation whose size comes from the file. False if too little is left. */
bool snw_reading_reserve(snw_reading *reading, uint64_t count, uint64_t element_bytes);
/* False if a scene may not have so many joints or meshes (scene/check.h); asked before their data are read. */
bool snw_reading_check_size(snw_reading *reading, uint32_t joint_count, uint32_t mesh_count);

/* ---- text lines ---------------------------------------------------------------------------------------------------------- */

/* Reads text files of lines with words and numbers (.obj, .mtl, .bvh). The result does not depend on the locale. Any line
 * end is accepted, a backslash continues a line, and lines are counted for error messages. A byte order mark is left out. */

typedef struct snw_text_lines {
	const char *at;
	const char *end; /* a zero byte follows */
	uint32_t line;   /* of `at`, from 1 */
} snw_text_lines;

snw_text_lines snw_text_start(snw_bytes bytes);

/* Skips blanks. True at the end of the line, or at a comment. */
bool snw_text_line_done(snw_text_lines *text);
/* Moves to the start of the next line. */
void snw_text_next_line(snw_text_lines *text);

/* The next word of the line, inside the text and not terminated. False at the end of the line. */
bool snw_text_word(snw_text_lines *text, const char **word, size_t *length);
/* The rest of the line without surrounding blanks, for names with spaces; "" if nothing follows. */
char *snw_text_rest(snw_text_lines *text, snw_arena *arena);
/* The next word as a number. False, without reading it, if it is not a finite number. */
bool snw_text_number(snw_text_lines *text, double *number);

/* ---- picture ------------------------------------------------------------------------------------------------------------- */

/* Textures, in separate files or as bytes inside another file. They stay encoded and are recognised by their first bytes. */

/* "image/png" or "image/jpeg", by the content; NULL for other formats. */
const char *snw_picture_media(const unsigned char *bytes, size_t count);

/* Reads a picture into `arena`, named after its file. Fails for files that are neither PNG nor JPEG. */
snw_status snw_picture_read(const char *path, snw_arena *arena, snw_image *image, snw_error *error);

/* Files that an imported file refers to are read only from its folder or below. Otherwise an untrusted file could copy any
 * of the user's pictures into a project that is then passed on. */

/* SNW_OK if `file` exists and is below `folder` once links are followed; otherwise SNW_ERROR_MISSING or SNW_ERROR_DATA. */
snw_status snw_below_folder(const char *folder, const char *file, snw_error *error);

/* The picture that an imported file names: at its path if that is below the file's folder. Otherwise the path is that of
 * another machine, and the picture is looked for beside the file. */
snw_status snw_picture_find(const char *imported_file, const char *path, snw_arena *arena, snw_image *image, snw_error *error);

/* Base64 in pieces, up to its padding: `dest` has room for three bytes for each four characters. False for a character that is
 * not base64. Blanks are skipped. */
typedef struct snw_base64 {
	unsigned char *dest;
	size_t count;
	uint32_t bits, bit_count; /* begun */
	bool is_done;
} snw_base64;
bool snw_base64_decode(snw_base64 *state, const char *text, size_t length);

/* ---- finished meshes ----------------------------------------------------------------------------------------------------- */

/* The last steps of a mesh: the influences of a file, in any order and of any quality, become a base skin; coincident points
 * become one. */

typedef struct snw_influence {
	uint32_t point;
	uint32_t slot;
	double weight;
} snw_influence;

/* Fills the mesh's influence arrays, for its point_count points, in `arena`; `list` is sorted in place. Duplicates of a slot at
 * a point are merged; weights that are zero, negative or not finite are dropped; the others are normalised. A point without
 * weights is bound to `fallback_slot`. One notice counts the points whose weights were repaired, another those without weights.
 * Points and slots must be in range. */
void snw_mesh_bind(snw_mesh *mesh, snw_influence *list, size_t count, uint32_t fallback_slot, snw_arena *arena,
				   const snw_task *task);

/* Merges coincident points unless they are kept (mesh/mesh.h), and leaves out faces that repeat a point, with a notice
 * that counts them. */
void snw_mesh_finish(snw_mesh *mesh, bool keep_points, bool repeats_points, snw_arena *arena, const snw_task *task);

/* ---- arrival ------------------------------------------------------------------------------------------------------------- */

/* A check after every import: is what the file has in the scene, and in a likely place? It only gives notices. */

/* How many of them a file has. */
typedef struct snw_arrival {
	uint32_t skinned_joints; /* that move points */
	uint32_t shapes;         /* morph targets */
	uint32_t clips;          /* that move something */
} snw_arrival;

/* One line for each kind of which the file has some and the scene none. */
void snw_check_arrival(const snw_scene *scene, const snw_arrival *file, const snw_task *task);
/* One line for each mesh that rests far from the joints that move it: its bind is in other units or elsewhere. */
void snw_check_rest_places(const snw_scene *scene, const snw_task *task);

/* ---- names --------------------------------------------------------------------------------------------------------------- */

/* Repairs the names in imported files, which may be missing, repeated, or not valid text. */

/* A copy of at most 200 bytes, in which control characters (with a notice) and bytes that are not UTF-8 become '_'. NULL if the
 * text is missing or blank. */
char *snw_name_clean(snw_arena *arena, const char *text, const snw_task *task);

/* Makes `count` names unique in place: a NULL one becomes "<word>-<index>", a repeated one gets a suffix "-2", "-3"…, with
 * one notice that counts them and shows the first. `kind` is the noun for what they name: "node", "clip". */
void snw_names_make_unique(snw_arena *arena, const char **names, uint32_t count, const char *kind, const snw_task *task);

/* ---- rigs ---------------------------------------------------------------------------------------------------------------- */

/* A rig on its way from a file to a scene: the file's nodes, which of them become joints, its skins, and the rest pose. A
 * skin's joint j moves a vertex v to G_j · (its inverse bind) · v, with G_j the global transform of its node: so glTF says,
 * and so clusters of FBX can be written.
 *
 * A reader fills in nodes and skins, and calls the functions in this order. */

typedef struct snw_rig_node {
	uint32_t parent;     /* SNW_NONE at a root */
	uint32_t mesh, skin; /* of the file; SNW_NONE for none */
	snw_transform local; /* the file's default pose */
	double global[12];
	bool is_shown;          /* in the file's default scene */
	uint32_t level_of;      /* the node whose mesh this one's is a level of; SNW_NONE for none: then it is not shown */
	uint32_t joint;         /* into the scene's joints; SNW_NONE for none */
	uint32_t first_channel; /* of its mesh's morph targets; SNW_NONE for none */
	/* From the skins: the joint's transform at bind, in rest space. */
	bool has_bind;
	bool bind_is_default; /* within an invisible tolerance */
	double bind_global[12];
	uint32_t slot; /* the first of its joint; SNW_NONE without one */
} snw_rig_node;

typedef struct snw_rig {
	snw_arena *scratch; /* lives as long as the import */
	snw_arena *arena;   /* the scene's */
	const snw_task *task;
	uint32_t count;
	snw_rig_node *nodes;
	uint32_t *order; /* parents first */
	uint32_t joint_count;
	uint32_t *joint_nodes;
} snw_rig;

/* A skin that a shown mesh uses. `placement` maps its bind space to rest space. */
typedef struct snw_rig_skin {
	bool is_used;
	uint32_t joint_count;
	uint32_t *nodes;       /* [joint_count] */
	double *inverse_binds; /* [joint_count][12], as in the file */
	uint32_t *slots;       /* [joint_count] */
	uint32_t top;          /* the first joint without another joint of the skin above it */
	double placement[12];
	double box[2][3]; /* of the meshes that use it */
	bool knows_bind;  /* the file says where the skin was bound in the world: `bind_world` */
	double bind_world[12];
} snw_rig_skin;

typedef struct snw_rig_slots {
	uint32_t count;
	uint32_t *joints;
	double *inverse_binds;
} snw_rig_slots;

/* ---- nodes (rig.c) ------------------------------------------------------------------------------------------------------- */

/* Nodes without parents, meshes, skins, joints and slots. */
void snw_rig_begin(snw_rig *rig, uint32_t node_count);
/* Fills `order` from the parents. Returns a node among its own ancestors; SNW_NONE if there is none. */
uint32_t snw_rig_order(snw_rig *rig);
/* The globals of the default pose. */
void snw_rig_solve(snw_rig *rig);
/* The joints are the nodes that `chosen` marks, those with a rigid mesh, and all their parents. Sets the names and parents of
 * the scene's joints, names[] of nodes being clean or NULL; their rest transforms follow from the skins. */
void snw_rig_choose_joints(snw_rig *rig, bool *chosen, const char *const *names, snw_scene *scene);

/* ---- skins (rig.c) ------------------------------------------------------------------------------------------------------- */

/* Finds the top joint of a skin whose joints are known. `positions` are the nodes' places in the order. */
uint32_t *snw_rig_positions(const snw_rig *rig);
void snw_rig_find_top(const uint32_t *positions, snw_rig_skin *skin);
/* Chooses the placement of a skin, and sets the bind of its nodes unless an earlier skin has. */
void snw_rig_place_skin(snw_rig *rig, snw_rig_skin *skin);

/* ---- the rest (rig.c) ---------------------------------------------------------------------------------------------------- */

/* Finishes the skeleton, whose rest pose is the bind pose. */
snw_status snw_rig_rest(const snw_rig *rig, snw_scene *scene, snw_error *error);
/* The most slots that skins and rigid meshes can need: reserve 13 · 8 bytes for each. */
uint64_t snw_rig_slot_limit(const snw_rig *rig, const snw_rig_skin *skins, uint32_t skin_count);
/* Lists the slots of the skins, each pair of joint and inverse bind once, with room for one more for each node. If a joint
 * rests at its bind up to the file's rounding, the inverse bind becomes the inverse of the rest transform, so that the rest
 * pose is exact. Returns a skin whose placement has no inverse; SNW_NONE if there is none. */
uint32_t snw_rig_list_slots(snw_rig *rig, snw_rig_skin *skins, uint32_t skin_count, const snw_scene *scene,
							snw_rig_slots *slots);
/* A mesh without a skin follows its node: its slot, and in `world` the matrix that places its points at rest. */
uint32_t snw_rig_rigid_slot(const snw_rig_node *node, const snw_scene *scene, snw_rig_slots *slots, double world[12]);
/* Binds all points of a mesh to one slot. */
void snw_rig_bind_rigid(snw_mesh *mesh, uint32_t slot, snw_arena *arena);
/* The poses "rest" and, if the file's pose differs, "default". Needs the scene's channels. */
void snw_rig_poses(const snw_rig *rig, snw_scene *scene);

#endif
