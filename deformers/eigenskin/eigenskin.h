/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * EigenSkin: for each joint, a few displacements of the rest pose whose coefficients are radial basis functions of the joint's
 * rotation.
 *
 *     v_i = below(p_i + Σ_k Σ_e d_ke(r_k) u_ke,i),   d_ke(r) = Σ_c w_kec (κ(r, c) − κ(r, 0) − κ(c, 0) + 1)
 *
 * κ is a Gaussian of the angle between two rotations, as a pose space has it (docs/pose-space.md), so players drive it live.
 *
 * after P. Kry, D. James and D. Pai, EigenSkin: Real time large deformation character skinning in hardware, 2002. The offsets
 * below⁻¹(target) − p of the samples are explained by the joints near each point; a joint's eigendisplacements u_k are the best
 * in the least-squares sense over its part of all points and samples.
 *
 * Where we depart:
 *   - The paper rotates one joint at a time, so that each residual has one cause. Here samples may be any motion: the functions
 *     of all joints near a point are fitted together, so that each explains what the others do not.
 *   - Centres are a few of the samples' rotations, chosen farthest first, beside the rest. The functions are 0 at rest,
 *     exactly, and their norm in the kernel's own space is penalized.
 *   - Displacements are shared out among the joints by what each is worth.
 *   - Points that a displacement moves by less than three millionths of the diagonal are left out of it.
 *   - What was learned shrinks where the layers below are better (sinew/kit/fit/guard.h).
 */
#ifndef SINEW_DEFORMERS_EIGENSKIN
#define SINEW_DEFORMERS_EIGENSKIN

#include "sinew/kit/pose-space/pose_space.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Rows of the parameter table. */
enum { DISPLACEMENTS, CENTRES, WIDTH, RIDGE, GUARD, PARAMETER_COUNT };

enum { MOST_CENTRES = 16 };

/* A joint whose rotation drives displacements. It has as many functions as centres beside the rest. */
typedef struct driver {
	const char *name;
	uint32_t joint, count, unwound;
	uint32_t coefficient_count;
	const double *weights;               /* [coefficient_count][count]: of the functions */
	double centres[MOST_CENTRES + 1][3]; /* rotation vectors: `count`, then that of the rest */
	/* As snk_pose_squared_distances takes them, and κ(c, 0) of each. */
	_Alignas(16) double quaternions[SNK_POSE_FEATURES * (MOST_CENTRES + 2)];
	double at_rest[MOST_CENTRES];
} driver;

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	uint32_t joint_count;
	double width; /* of the kernel, radians */
	uint32_t driver_count;
	driver *drivers;
	uint32_t coefficient_count; /* of all drivers, in their order */
	uint32_t mesh_count;
	uint32_t *point_counts;    /* [mesh_count] */
	snw_displacements *meshes; /* [mesh_count] */
};

/* Fills what follows from a driver's centres. */
void driver_prepare(driver *one, double width);

/* κ(r, c) − κ(r, 0) − κ(c, 0) + 1 at each centre: [count]. They are 0 at rest. */
void driver_functions(const driver *from, double width, const double rotation_vector[3], double *values);

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model);
void SNW_CALL layout(const snw_model *model, snw_model_layout *layout);
snw_status SNW_CALL drive(const snw_drive_call *call);
snw_status SNW_CALL lower(const snw_lower_call *call);
snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink);
snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model);
snw_status SNW_CALL transfer(const snw_deformer *self, const snw_transfer_call *call, snw_model **model);
snw_status SNW_CALL describe(const snw_model *model, const snw_value *values, const snw_sink *sink);

#endif
