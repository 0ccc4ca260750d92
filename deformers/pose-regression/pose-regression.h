/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pose regression: the residual of the layers below is inverted to the rest pose and predicted there, for each point, as a
 * linear function of the rotations of a few joints nearby.
 *
 *     v_i = below(p_i + B_i φ(pose)),   B_i = argmin Σ_f |B φ(pose_f) − d_i^f|² + ridge |B|²
 *
 * with d_i^f = below⁻¹(target_f) − p_i, and φ for each joint the nine numbers of R − I, R its rotation away from rest: the pose
 * blend shapes of M. Loper et al., SMPL: A skinned multi-person linear model, 2015 (equation 9), but with a few chosen joints
 * for each point instead of all.
 *
 * Where we depart:
 *   - Each point has at most `joints` joints, found one after another among those near it: the one that leaves least comes
 *     next.
 *   - The ridge is chosen by cross-validation over blocks of time. Neighbouring frames are alike, so single frames would tell
 *     nothing. The joints of a point are chosen from all samples, the blocks that are held out included.
 *   - Where no sample is at rest, the rest is one without an offset, of the weight of all samples.
 *   - B shrinks where the layers below are better (sinew/kit/fit/guard.h).
 *   - On a symmetric character, samples are used mirrored as well where that lowers the validated error.
 *   - Features outside the range of the samples are clamped, a quarter of the range beyond it.
 *   - A refit keeps the ridge, whether samples are used mirrored, and what the guard found of each region.
 *   - The regression is reduced to a few displacements: for each region the best in the least-squares sense over the samples,
 *     as P. Kry, D. James and D. Pai's EigenSkin (2002) does it, shared out among the regions by what each is worth.
 */
#ifndef SINEW_DEFORMERS_POSE_REGRESSION
#define SINEW_DEFORMERS_POSE_REGRESSION

#include "sinew/kit/fit/guard.h"
#include "sinew/kit/pose-space/pose_space.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Rows of the parameter table. */
enum { JOINTS, FEATURES, RIDGE, DISPLACEMENTS, MIRROR, CLAMP, GUARD, PARAMETER_COUNT };

/* Choices of FEATURES. */
enum { FEATURES_MATRICES, FEATURES_VECTORS, FEATURE_KINDS };

/* Choices of MIRROR. */
enum { MIRROR_AUTO, MIRROR_OFF };

enum { JOINT_FEATURES = SNK_ROTATION_FEATURES };

/* A joint whose rotation drives displacements. */
typedef struct driver {
	const char *name;
	uint32_t joint;
	double axes[9]; /* joint axes → axes of the rest space: the rotation of its rest_global */
	double lowest[JOINT_FEATURES], highest[JOINT_FEATURES]; /* what its features are clamped to */
} driver;

/* What a fit has chosen for a mesh, which a refit keeps. */
typedef struct mesh_choices {
	uint32_t is_made; /* 0: nothing, since the mesh had no samples */
	uint32_t uses_mirrored;
	double ridge;
	uint32_t region_count;     /* that of joints; 0 without a guard */
	snk_guard_region *regions; /* [region_count] */
} mesh_choices;

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	uint32_t joint_count;
	uint32_t kind; /* of features */
	uint32_t driver_count;
	driver *drivers;
	snw_sparse_rows rows; /* d = rows · φ, φ the features of all drivers, then 1 */
	uint32_t mesh_count;
	uint32_t *point_counts;    /* [mesh_count] */
	snw_displacements *meshes; /* [mesh_count] */
	mesh_choices *choices;     /* [mesh_count] */
};

/* φ of a pose: [JOINT_FEATURES count + 1]. */
void pose_features(uint32_t kind, uint32_t count, const driver *drivers, const snw_pose_view *pose, int clamps,
				   double *features);

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model);
void SNW_CALL layout(const snw_model *model, snw_model_layout *layout);
snw_status SNW_CALL drive(const snw_drive_call *call);
snw_status SNW_CALL lower(const snw_lower_call *call);
snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink);
snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model);
snw_status SNW_CALL transfer(const snw_deformer *self, const snw_transfer_call *call, snw_model **model);
snw_status SNW_CALL describe(const snw_model *model, const snw_value *values, const snw_sink *sink);

#endif
