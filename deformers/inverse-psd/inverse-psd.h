/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inverse pose space deformation: sculpts are taken back into the rest pose through everything below, and interpolated there by
 * radial basis functions of the pose.
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
 *   - Section 5.3 puts half of each sculpt into w even where S is regular, and has the wrong sign of w. Here the inverse is
 *     regularised on the singular values of S, and w is exactly what that leaves: next to nothing where S is regular.
 *   - w rotates with a joint, or it would stay in place when the character rotates.
 *   - Examples live in groups, one set of basis functions each; the rest is every group's zero example. Groups act in order,
 *     and each stores what the earlier ones leave at its examples. An earlier group's example that a later group could disturb
 *     is a zero example in the later one. So every example is reproduced exactly.
 *   - A group may be forward (the paper's section 4.2, for comparison): target − S(rest) is interpolated as it is and added
 *     after S. The paper adds it in the axes of the joint that stays while the other rotates; here these are the axes of the
 *     nearest joint above all joints of the group, or the world's. In those axes its direction is constant.
 *   - Weighted (T. Kurihara, N. Miyata, Modeling deformable human hands from medical images, 2004): each point has its own
 *     distances, in which a joint counts by its influence on the point. Coefficients then differ from point to point and do
 *     not lower to a skin program; the layer runs as a black box on what comes from below, and there
 *
 *         result = S(rest) + M Σ c d + Σ c w,
 *
 *     M being the linear part of the linear blend of the base skin at the point: over linear blend that is S(rest + Σ c d), and
 *     over anything else d is what M takes to the sculpt.
 */
#ifndef SINEW_DEFORMERS_INVERSE_PSD
#define SINEW_DEFORMERS_INVERSE_PSD

#include "sinew/kit/pose-space/pose_space.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Rows of the parameter table. */
enum {
	KERNEL,
	WIDTH,
	POLYNOMIAL,
	SMOOTHING,
	CLAMP,
	MODE,
	SWING,
	TWIST,
	TRANSLATION,
	SCALE,
	WEIGHTED,
	REGULARISATION,
	SOLVER,
	PARAMETER_COUNT
};

/* Choices of POLYNOMIAL: the kernel's own, then those of snk_polynomial. */
enum { POLYNOMIAL_AUTO, POLYNOMIAL_CHOSEN };

/* Choices of MODE. */
enum { MODE_INVERSE, MODE_FORWARD };

/* Choices of SOLVER. */
enum { SOLVER_AUTO, SOLVER_POWELL, SOLVER_NEWTON, SOLVER_CLOSED };

/* The pose space of a group. Poses with an example come first, and each of these has one coefficient; then those at which
 * the group must have no effect: the rest, and poses of earlier groups' examples.
 * 
 * Points are in classes by the weights of the joints in their distances; all are in one class unless the model is weighted.
 * A coefficient has a number for each class. */
typedef struct pose_space {
	const char *name;
	uint32_t is_forward;
	uint32_t joint_count;
	const uint32_t *joints;
	snk_joint_metric *metrics; /* [joint_count] */
	snk_kernel kernel;
	snk_polynomial polynomial;
	double width;    /* radians; 1 for the linear kernel */
	uint32_t clamps; /* coefficients below 0 count as 0, those above 1 as 1 */
	uint32_t pose_count, coefficient_count, class_count;
	const double *rotation_vectors; /* [pose_count][joint_count][3] */
	const double *places;           /* [pose_count][joint_count][6]: local translation and scale */
	const double *features; /* [joint_count][SNK_POSE_FEATURES][stride]: the same, as pose-space/pose_space.h compares it */
	/* [joint_count][SNK_POSE_COORDINATES + 1][stride]: how the poses lie from rest, and the squared length of that, for
	 * SNK_KERNEL_CONE; else NULL */
	const double *ways;
	const double *shares;        /* [class_count][joint_count]: what part of a joint's squared distance counts */
	const double *weights;       /* [class_count][term_count(space)][coefficient_count], as snk_rbf_solve has them */
	const char *const *names;    /* [coefficient_count]: "group/example" */
	const char *const *examples; /* [coefficient_count]: the same without the group */
} pose_space;

/* The displacements of one mesh. Coefficients are numbered through all groups; that of a point is the one of the
 * displacement, plus the point's class. */
typedef struct correction {
	uint32_t point_count;
	snw_displacements rest, posed;
	/* The classes for rest.points and posed.points, and the base skin, by which the displacements of a weighted model are
	 * transformed; NULL in other models. */
	const uint32_t *rest_classes, *posed_classes;
	const uint32_t *influence_offsets, *influence_slots;
	const double *influence_weights;
} correction;

/* An inversion through a black box: checksums of its inputs and of its remainder (invert.c). */
typedef struct inverted {
	uint64_t input_sum, result_sum;
	uint32_t coefficient, mesh;
} inverted;

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	uint32_t joint_count;
	const char *const
		*joint_names; /* [joint_count]: joints are found by name when a model is loaded, because their order may change */
	uint32_t is_weighted;
	uint32_t group_count;
	pose_space *groups;
	uint32_t mesh_count;
	correction *meshes;
	uint32_t inverted_count;
	inverted *inverted;
	uint32_t coefficient_count;              /* numbers that drive writes: of all groups, coefficients and classes */
	int has_posed;                           /* whether anything moves after the blend */
	const char *const *coefficient_examples; /* as in snw_model_layout */
};

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model);
void SNW_CALL layout(const snw_model *model, snw_model_layout *layout);
snw_status SNW_CALL drive(const snw_drive_call *call);
snw_status SNW_CALL lower(const snw_lower_call *call);

snw_status SNW_CALL deform(const snw_deform_call *call);

/* Numbers that the group's drive writes, and rows of its weights. */
uint32_t driven_count(const pose_space *group);
uint32_t term_count(const pose_space *group);

/* The group's coefficients at a pose: [coefficient_count][class_count]. `scratch` holds scratch_count(group) doubles. */
void group_coefficients(const pose_space *group, const snw_pose_view *pose, double *scratch, double *coefficients);
size_t scratch_count(const pose_space *group);

/* Fills coefficient_examples of a model whose groups and meshes are complete. */
snw_status list_coefficient_examples(snw_pool *pool, snw_model *model);

/* Fills `features` from rotation vectors and places. */
void group_features(const pose_space *group, double *features);
size_t feature_count(const pose_space *group);

/* The pose at rest, which follows those with an example. */
uint32_t rest_pose(const pose_space *group);

/* For a cone: fills `ways` from features and rotation vectors (else there are 0 of them). */
void group_ways(const pose_space *group, double *ways);
size_t way_count(const pose_space *group);

/* The polynomial's coordinates of a pose for one class: [SNK_POSE_COORDINATES joint_count]. `here` [joint_count]
 * [SNK_POSE_FEATURES]. */
void group_coordinates(const pose_space *group, uint32_t class_index, const double *rotation_vectors, const double *here,
					   double *coordinates);

/* A mesh's base skin, for snk_linear_part. */
snw_status copy_skin(snw_pool *pool, const snw_mesh_view *mesh, correction *corrective);

/* "group/example" of a coefficient, as numbered through all groups. */
const char *coefficient_name(uint32_t group_count, const pose_space *groups, uint32_t coefficient);

#endif
