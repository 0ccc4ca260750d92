/* SPDX-License-Identifier: MIT
 *
 * What a deformer sees of a character: read-only views of meshes, skeleton, skin, poses and examples, valid during the call
 * that passes them.
 */
#ifndef SINEW_VIEW_H
#define SINEW_VIEW_H

#include "sinew/base.h"
#include "sinew/field.h"

#define SNW_NONE UINT32_MAX /* "no index", wherever an index may be missing */

/* A joint's local transform relative to its parent: v ↦ translation + rotation · (scale * v), with scale by component. */
typedef struct snw_transform {
	double translation[3]; /* metres */
	double rotation[4];    /* unit quaternion x, y, z, w */
	double scale[3];
} snw_transform SNW_FROZEN;

/* One mesh: the points that move, and the faces (three or more corners each) that join them. Corner c of the mesh belongs to
 * point face_points[c]; there are face_offsets[face_count] corners.
 *
 * Rings: the first ring of a point is all points that share a face with it. Ring n + 1 is all points that share a face with a
 * point of ring n and are in no earlier ring. A point without a face has no rings. */
typedef struct snw_mesh_view {
	uint32_t size;
	const char *name;
	uint32_t point_count;
	const double *points_rest; /* [point_count][3], metres */
	uint32_t face_count;
	const uint32_t *face_offsets; /* [face_count + 1], into face_points */
	const uint32_t *face_points;  /* [face_offsets[face_count]], points in order around each face */
	/* The base skin: for point i the influences influence_offsets[i] .. influence_offsets[i + 1]; weights sum to 1.
	 * NULL where the mesh has none. */
	const uint32_t *influence_offsets; /* [point_count + 1] */
	const uint32_t *influence_slots;   /* [influence_offsets[point_count]], into the character's slots */
	const double *influence_weights;   /* [influence_offsets[point_count]], from 0 to 1 */
	uint32_t field_count;
	const snw_field_view *const *fields; /* [field_count], over this mesh's points or faces */
	const float *corner_uvs;             /* [corner count][2], v down as in glTF; NULL where the mesh has none */
	const float *corner_normals;         /* [corner count][3], unit, rest space; NULL where they follow from the faces */
} snw_mesh_view;

/* A skin of 4-vectors for one mesh: v_i = Σ_s T_s p_is, with a row p_is in rest coordinates for each influence. Linear blend is
 * the case p_is = w_is (r_i, 1). The fourth numbers of a point sum to 1. */
typedef struct snw_rows_view {
	uint32_t size;
	const uint32_t *influence_offsets; /* [point_count + 1]; NULL where the mesh has no skin */
	const uint32_t *influence_slots;   /* [influence_offsets[point_count]], into the character's slots */
	const double *influence_rows;      /* [influence_offsets[point_count]][4] */
} snw_rows_view;

/* How the points of a mesh that has changed follow those that it had: point i is at Σ shares[k] · sources[k], k from offsets[i]
 * to offsets[i + 1] − 1. The shares of a point are from 0 to 1 and sum to 1. */
typedef struct snw_stencils_view {
	uint32_t size;
	uint32_t source_count;   /* of the points that the mesh had */
	const uint32_t *offsets; /* [point_count + 1]; NULL where the mesh is as it was */
	const uint32_t *sources; /* [offsets[point_count]], below source_count */
	const double *shares;    /* [offsets[point_count]] */
} snw_stencils_view;

/* The rest pose is the bind pose. Joints are in any order; `order` visits parents before children. */
typedef struct snw_skeleton_view {
	uint32_t size;
	uint32_t joint_count;
	const char *const *names;        /* [joint_count], unique */
	const uint32_t *parents;         /* [joint_count], SNW_NONE at a root */
	const uint32_t *order;           /* [joint_count] */
	const snw_transform *rest_local; /* [joint_count], relative to the parent */
	const double *rest_global;       /* [joint_count][12], joint space → rest space */
	const double *limits; /* [joint_count]: the largest rotation away from rest, radians; 0: none. NULL: no joint has one */
} snw_skeleton_view;

/* A whole character. A slot is (joint, inverse bind); several skins over one skeleton share one list of slots. */
typedef struct snw_character_view {
	uint32_t size;
	uint32_t mesh_count;
	const snw_mesh_view *const *meshes; /* [mesh_count] */
	const snw_skeleton_view *skeleton;  /* never NULL; joint_count 0 where there is none */
	uint32_t slot_count;
	const uint32_t *slot_joints;      /* [slot_count] */
	const double *slot_inverse_binds; /* [slot_count][12], rest space → joint space */
	uint32_t channel_count;           /* morph channels that came with the file */
	const char *const *channel_names; /* [channel_count], unique */
} snw_character_view;

/* A pose, with what the host has computed from it. */
typedef struct snw_pose_view {
	uint32_t size;
	uint32_t joint_count;
	const snw_transform *local; /* [joint_count], relative to the parent */
	/* [joint_count][3]: the joint's rotation away from rest, rest⁻¹ · local, as a rotation vector in radians. It is unwound: it
	 * may be longer than π, which a quaternion alone cannot say. */
	const double *rotation_vectors;
	const double *global; /* [joint_count][12], joint space → posed space */
	uint32_t slot_count;
	const double *palette; /* [slot_count][12], rest space → posed space: global[joint] · inverse bind */
	uint32_t channel_count;
	const double *channels; /* [channel_count], morph weights */
	uint64_t clip;          /* the clip's id in the project; 0 for a pose outside any clip */
	double seconds;         /* time in that clip, which need not be at one of its keys; 0 outside any clip */
} snw_pose_view;

/* An example: a pose, and the mesh as it should look there. */
typedef struct snw_example_view {
	uint32_t size;
	const char *name;
	const snw_pose_view *pose;
	uint32_t mesh;              /* into the character's meshes */
	const double *points_posed; /* [point_count of that mesh][3], metres */
	/* The points that an artist moved, ascending; the others are where the layers below put them. NULL: all points count as
	 * edited. An example of which no point is edited has a count of 0 and is not NULL. */
	uint32_t edited_count;
	const uint32_t *edited; /* [edited_count] */
} snw_example_view;

/* An example's share in a corrective group. */
typedef struct snw_member_view {
	uint32_t size;
	uint32_t example;   /* into the fit's examples */
	const double *mask; /* [point_count of the example's mesh], 0 to 1; NULL for 1 everywhere */
} snw_member_view;

/* A corrective group: the joints that drive it and the examples in it. Groups act in order. */
typedef struct snw_group_view {
	uint32_t size;
	const char *name;
	uint32_t joint_count;   /* 0: the method chooses */
	const uint32_t *joints; /* [joint_count] */
	uint32_t member_count;
	const snw_member_view *const *members; /* [member_count] */
} snw_group_view;

/* A mesh animation: a simulation, or what a black-box rig makes of a clip. */
typedef struct snw_sequence_view {
	uint32_t size;
	const char *name; /* of a sequence: that of its clip, which the sequences of several meshes of one body share */
	uint32_t mesh;    /* into the character's meshes */
	uint32_t frame_count;
	const double *seconds;             /* [frame_count], rising */
	const snw_pose_view *const *poses; /* [frame_count]; NULL where no skeleton moves with it */
	const float *points_posed;         /* [frame_count][point_count of the mesh][3], metres */
	/* The clip whose moments the frames show: the id that poses of that clip have in snw_pose_view.clip. A sequence has a clip
	 * of its own, in which only time passes, so that a model driven by clip and time plays wherever a clip does. 0 where there
	 * is none. */
	uint64_t clip;
	/* 1: the frames are poses in no order, and none follows from the one before; 0: they are moments of a motion. */
	uint32_t is_set;
} snw_sequence_view;

#endif
