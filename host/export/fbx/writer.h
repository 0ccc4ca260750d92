/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of an FBX document, each written from the plan: models with the skeleton, meshes with their skins and shapes,
 * materials, clips.
 */
#ifndef SINEW_HOST_EXPORT_FBX_WRITER_H
#define SINEW_HOST_EXPORT_FBX_WRITER_H

#include "export/fbx/document.h"
#include "export/fbx/in_betweens.h"
#include "export/plan/plan.h"

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

/* The scale of a joint's parent: what its translations are multiplied by. */
double snw_fbx_parent_scale(const snw_fbx_writer *w, uint32_t joint);
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
