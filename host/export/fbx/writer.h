/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of an FBX document, each written from the plan: models with the skeleton, meshes with their skins and shapes,
 * materials, clips.
 */
#ifndef SINEW_HOST_EXPORT_FBX_WRITER_H
#define SINEW_HOST_EXPORT_FBX_WRITER_H

#include "base/arena.h"
#include "base/error.h"
#include "export/plan/plan.h"
#include "fbx/format.h"

/* ---- the document -------------------------------------------------------------------------------------------------------- */

/* An FBX 7.4 document that is being written: nodes in an arena, in order. */

/* A node that nodes are being added to. */
typedef struct snw_fbx_open {
	snw_fbx_node *node, *last;
} snw_fbx_open;

typedef struct snw_fbx_document {
	snw_arena *arena;
	snw_fbx_open root, objects, connections;
	int64_t next_id;
} snw_fbx_document;

/* ---- nodes --------------------------------------------------------------------------------------------------------------- */

/* A node without values. `name` must last as long as the document. */
snw_fbx_open snw_fbx_put_node(snw_fbx_document *d, snw_fbx_open *parent, const char *name);
/* A node with one value. Texts are copied. */
void snw_fbx_put_integer(snw_fbx_document *d, snw_fbx_open *parent, const char *name, int32_t value);
void snw_fbx_put_long(snw_fbx_document *d, snw_fbx_open *parent, const char *name, int64_t value);
void snw_fbx_put_number(snw_fbx_document *d, snw_fbx_open *parent, const char *name, double value);
void snw_fbx_put_text(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const char *text);
/* Arrays, deflated if that makes them smaller. */
void snw_fbx_put_numbers(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const double *values, size_t count);
void snw_fbx_put_floats(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const float *values, size_t count);
void snw_fbx_put_integers(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const int32_t *values, size_t count);
void snw_fbx_put_longs(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const int64_t *values, size_t count);
/* A 3×4 matrix as the sixteen numbers of its columns. */
void snw_fbx_put_matrix(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const double matrix[12]);

/* ---- objects ------------------------------------------------------------------------------------------------------------- */

/* An object with an id of its own: "Model", the class "Model" of its name, and its own class "Mesh". */
snw_fbx_open snw_fbx_put_object(snw_fbx_document *d, const char *kind, const char *name, const char *name_class,
								const char *class, int64_t *id);
/* Connects an object to its owner, 0 for the scene; or to a property of it. */
void snw_fbx_connect(snw_fbx_document *d, int64_t source, int64_t owner, const char *property);

/* Properties, into a node Properties70. */
void snw_fbx_put_property_numbers(snw_fbx_document *d, snw_fbx_open *list, const char *key, const char *type, const char *label,
								  const char *flags, const double *values, uint32_t count);
void snw_fbx_put_property_integer(snw_fbx_document *d, snw_fbx_open *list, const char *key, const char *type, const char *label,
								  int32_t value);
void snw_fbx_put_property_time(snw_fbx_document *d, snw_fbx_open *list, const char *key, double seconds);
void snw_fbx_put_property_text(snw_fbx_document *d, snw_fbx_open *list, const char *key, const char *flags, const char *text);

/* The time of the file that is nearest to seconds. */
int64_t snw_fbx_time(double seconds);

/* ---- in betweens --------------------------------------------------------------------------------------------------------- */

/* In-betweens: a channel of FBX may have several shapes, each with the percent at which it is whole. Between two of them the
 * channel goes from one to the other. In a plan each is a shape with a weight of its own. */

/* The shapes of one channel: in-betweens, then their own. */
typedef struct snw_fbx_joined {
	const snw_plan_mesh *mesh;
	uint32_t first, count; /* among the mesh's shapes; count is 1 for a shape alone */
	double *percents;      /* [count]: where each is whole */
	int64_t channel;       /* the object in the file, once it is written */
} snw_fbx_joined;

/* The percent of the channel from the weights of its shapes, [count]. */
double snw_fbx_joined_percent(const snw_fbx_joined *joined, const double *weights);

/* ---- writer -------------------------------------------------------------------------------------------------------------- */

typedef struct snw_fbx_writer {
	const snw_plan *plan;
	snw_fbx_document *document;
	snw_arena *arena;        /* the document's */
	double scale;            /* of lengths: units of the file in a metre */
	int64_t *joints;         /* [the rig's joint_count]: their models */
	double *binds;           /* [joint_count][12]: where each is bound, in metres; without a slot, where its parent puts it */
	double *joint_scales;    /* [joint_count]: how large each is there; in the file all are 1 */
	int64_t *meshes;         /* [mesh_count]: their models */
	int64_t *materials;      /* [material_count]; 0 before it is written */
	int64_t *videos;         /* [image_count] */
	snw_fbx_joined **joined; /* [mesh_count][shape_count]: at the first shape of each blend shape channel */
} snw_fbx_writer;

/* A matrix with its translation in units of the file. */
void snw_fbx_scale_matrix(const snw_fbx_writer *w, const double matrix[12], double dest[12]);

/* The models of the joints. Fails for a slot whose inverse bind has no inverse. */
snw_status snw_fbx_write_joints(snw_fbx_writer *w, snw_error *error);
/* Where joints and meshes are bound. */
void snw_fbx_write_bind_pose(const snw_fbx_writer *w);

/* A mesh of the plan: its model, geometry, skin and shapes. */
void snw_fbx_write_mesh(snw_fbx_writer *w, uint32_t mesh);
/* The name of a UV set of a mesh, from 0. */
const char *snw_fbx_uv_set_name(const snw_fbx_writer *w, const snw_mesh *mesh, uint32_t set);
/* The object of a material, which is written at the first call, for a mesh that has it. */
int64_t snw_fbx_write_material(snw_fbx_writer *w, uint32_t material, const snw_mesh *mesh);
void snw_fbx_write_clips(const snw_fbx_writer *w);

#endif
