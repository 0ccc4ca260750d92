/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skinning arbitrary deformations: any mesh animation becomes a skin (L. Kavan, R. McDonnell, S. Dobbyn, J. Žára, C.
 * O'Sullivan, Skinning arbitrary deformations, 2007). Proxy joints over the rest, or the joints and weights of an existing
 * rig; for each frame the transforms that best map the rest to it; drive plays them back by clip and time. Outside its clips
 * a mesh follows the joints as the weights of the rig say (follow.c); without a rig it is at rest.
 */
#ifndef SINEW_DEFORMERS_SAD
#define SINEW_DEFORMERS_SAD

#include "motion/transforms.h"
#include "sinew/bytes.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Rows of the parameter table, and the choices in it. */
enum {
	JOINTS,
	TRANSFORMS,
	BLEND,
	RADIUS,
	INFLUENCES,
	EIGEN,
	REFINE,
	START,
	NORMALS,
	ERROR,
	LARGEST,
	SMOOTHNESS,
	MASK,
	LOCK,
	PARAMETER_COUNT
};
enum { RIGID, AFFINE };
enum { START_AUTO, START_CLUSTERS, START_P_CENTRE };
enum { BLEND_AUTO, BLEND_DUAL_QUATERNION, BLEND_LINEAR };
enum { NORMALS_OFF, NORMALS_ON, NORMALS_QUATERNIONS };

enum { REFINE_AS_NEEDED = -2, REFINE_AUTO = -1, REFINE_FEW = 20 };
enum { INFLUENCES_ALL = 0, USUAL_INFLUENCES = 4, MOST_JOINTS = 1000, MOST_AUTO_JOINTS = 512, JOINTS_AUTO = 0, FEW_FRAMES = 24 };

/* A mesh's part: its influences over the slots [first_slot, first_slot + slot_count) of the model's palette. */
typedef struct sad_mesh {
	uint32_t point_count;
	uint32_t first_slot;
	uint32_t slot_count; /* 0 for a mesh without a sequence */
	const uint32_t *offsets;
	const uint32_t *slots;
	const double *weights;
	const double *centres; /* [slot_count][3]: the mean of the points that a slot moves, at rest, by weight */
	/* How the slots follow those of the rig where there are no frames; NULL without a rig. They are found again when a model is
	 * loaded. */
	const uint32_t *follow_offsets; /* [slot_count + 1] */
	const uint32_t *follow_slots;   /* [follow_offsets[slot_count]]: of the rig */
	const double *follow_matrices;  /* [follow_offsets[slot_count]][16] */
	const uint32_t *sign_slots;     /* [slot_count]: the earlier one that gives a dual quaternion its sign */
	/* Eigen-displacements, each of all points: coefficients [first_detail, first_detail + detail_count) of the model's d. */
	uint32_t first_detail;
	uint32_t detail_count;
	const double *detail_vectors; /* [detail_count][point_count][3] */
	const double *normals_rest;   /* [point_count][3], unit; NULL for normals from the faces */
	/* And those of the normals, the coefficients after these. */
	uint32_t normal_detail_count;
	const double *normal_detail_vectors;
	snw_displacements details, normal_details; /* both in the form of the program */
} sad_mesh;

/* One mesh in one clip. */
typedef struct sad_track {
	uint64_t clip;
	uint32_t mesh;
	uint32_t frame_count;
	const double *seconds; /* [frame_count], rising */
	const double *palette; /* [frame_count][slot_count of the mesh][width] */
	const double *normals; /* [frame_count][slot_count of the mesh][normal width]; NULL where the mesh has none */
	const double *details; /* [frame_count][detail_count + normal_detail_count of the mesh] */
} sad_track;

struct snw_model {
	snw_pool pool;         /* holds the model itself and its arrays */
	uint32_t width;        /* of a slot: 12, a matrix under linear blend, or 8, a dual quaternion */
	uint32_t normal_width; /* of a slot of the normals' palette: 9, a linear map, or 4, a quaternion; 0 without */
	uint32_t slot_count;
	uint32_t detail_count;
	uint32_t mesh_count;
	sad_mesh *meshes;
	uint32_t track_count;
	sad_track *tracks;
};

static inline uint32_t sad_course_count(const sad_mesh *mesh) {
	return mesh->detail_count + mesh->normal_detail_count;
}

/* Finds how the slots of a mesh with centres follow the rig. */
snw_status sad_follow_rig(snw_pool *pool, const snw_mesh_view *view, sad_mesh *mesh);
/* Writes the palettes of such a mesh in a pose into the model's z. */
void sad_follow(const snw_model *model, const sad_mesh *mesh, const snw_pose_view *pose, double *z);

/* What follows from a mesh's influences and displacements: its centres, and the lists for displacements
 * of all points. SNW_ERROR_MEMORY if there is no memory. */
snw_status sad_finish_mesh(snw_pool *pool, const snw_mesh_view *view, sad_mesh *mesh);

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model);
void SNW_CALL layout(const snw_model *model, snw_model_layout *layout);
snw_status SNW_CALL drive(const snw_drive_call *call);
snw_status SNW_CALL lower(const snw_lower_call *call);
snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink);
snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model);
snw_status SNW_CALL transfer(const snw_deformer *self, const snw_transfer_call *call, snw_model **model);

#endif
