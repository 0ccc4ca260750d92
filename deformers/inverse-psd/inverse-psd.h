/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inverse pose space deformation: sculpts are taken back into the rest pose through everything below, and interpolated there
 * by radial basis functions of the pose.
 *
 * After Xiao, Seah, Tian, Lewis and Fong, "A Powell optimization approach for example-based skinning in a production animation
 * environment". With S the deformation below at the pose of an example,
 *
 *     d = S⁻¹(target) − rest            (equation 5), interpolated as in equations 6 and 7,
 *     result = S(rest + Σ c d) + Σ c w  (equation 8 and section 5.3),  w = target − S(rest + d).
 *
 * Where we depart:
 *   - Where S is affine at each point (linear blend and dual quaternion are) its inverse is had in closed form. Elsewhere S is
 *     a black box (equation 9): Newton steps first, Powell's method for the points that they leave; and where S couples
 *     neighbours, as smoothing does, an iteration over the whole mesh.
 *   - Section 5.3 puts half of each sculpt into w even where S is regular, and has w's sign turned round. Here the inverse is
 *     regularised on the singular values of S, and w is exactly what that leaves: next to nothing where S is regular.
 *   - w is carried by the rotation of a joint, or it would stay behind when the character turns.
 *   - Examples live in groups, one set of basis functions each; the rest is every group's zero example. Groups act in order, and
 *     each stores what the earlier ones leave at its examples. An earlier group's example that a later group could disturb
 *     stands in the later one as a zero example. So every example is given back exactly.
 */
#ifndef SINEW_DEFORMERS_INVERSE_PSD
#define SINEW_DEFORMERS_INVERSE_PSD

#include "math/rbf.h"
#include "sinew/pool.h"
#include "sinew/sinew.h"

/* Rows of the parameter table. */
enum { KERNEL, WIDTH, REGULARISATION, SOLVER, PARAMETER_COUNT };

/* Choices of SOLVER. */
enum { SOLVER_AUTO, SOLVER_POWELL, SOLVER_NEWTON, SOLVER_CLOSED };

/* Rows of the field table. */
enum { RESIDUAL, CONDITIONING, FIELD_COUNT };

/* The pose space of a group. Poses that have an example come first, and each of these drives one coefficient; then those at
 * which the group must do nothing: the rest, and poses of earlier groups' examples. */
typedef struct pose_space {
	const char *name;
	uint32_t joint_count;
	const uint32_t *joints;
	const uint32_t *unwound; /* [joint_count], 0 or 1: see math/rbf.h */
	snw_kernel kernel;
	double width; /* radians; 1 for the linear kernel */
	uint32_t pose_count, coefficient_count;
	const double *turns;       /* [pose_count][joint_count][3] */
	const double *quaternions; /* the same as unit quaternions: [pose_count][joint_count][4] */
	const double *weights;     /* [coefficient_count][pose_count + 1] */
	const char *const *names;  /* [coefficient_count]: "group/example" */
} pose_space;

/* What moves on one mesh; coefficients are numbered through all groups. */
typedef struct correction {
	uint32_t point_count;
	snw_displacements rest, posed;
} correction;

struct snw_instance {
	snw_pool pool; /* holds the instance itself */
	const snw_host *host;
};

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	uint32_t joint_count;
	const char *const *joint_names; /* [joint_count]: a model is loaded by these, in whatever order joints then stand */
	uint32_t group_count;
	const pose_space *groups;
	uint32_t mesh_count;
	const correction *meshes;
	uint32_t coefficient_count;
	int has_posed; /* whether anything moves after the blend */
};

snw_status create(const snw_host *host, snw_instance **instance);
void destroy(snw_instance *instance);
snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **model);
void release(snw_model *model);
void layout(const snw_model *model, snw_drive_layout *layout);
size_t scratch_bytes(const snw_model *model);
snw_status drive(const snw_model *model, const double *values, const snw_pose_view *pose, void *scratch,
				 snw_drive_output *output);
snw_status lower(const snw_model *model, const double *values, uint32_t mesh, snw_program_part *part, const char **reason);
snw_status save(const snw_model *model, const snw_sink *sink);
snw_status load(const snw_host *host, const snw_character_view *character, const void *bytes, size_t count, snw_model **model);
snw_status describe(const snw_model *model, const double *values, const snw_sink *sink);

/* The turns of the group's joints in a pose, as quaternions [joint_count][4]. */
void turns_as_quaternions(const pose_space *group, const double *turns, double *quaternions);

/* The group's coefficients at a pose. `scratch` holds scratch_count(group) doubles. */
void group_coefficients(const pose_space *group, const double *turns, double *scratch, double *coefficients);
size_t scratch_count(const pose_space *group);

/* "group/example" of a coefficient, counted through all groups. */
const char *coefficient_name(uint32_t group_count, const pose_space *groups, uint32_t coefficient);

#endif
