/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Delta mush: smooths what the layers below make of the skin and puts the detail of the rest back, in local axes.
 *
 * After Mancewicz, Derksen, Rijpkema and Wilson, "Delta Mush: smoothing deformations while preserving detail", 2014. With L^n
 * the smoothing of n iterations, and R_i the axes of the smoothed surface at point i,
 *
 *     at binding:  δ_i = R_i(L^n rest)ᵀ (rest_i − (L^n rest)_i)
 *     at a pose:   result_i = (L^n below)_i + R_i(L^n below) δ_i,  mixed with below_i by the mask.
 *
 * Where we depart:
 *   - The paper takes R from the normal and one edge. Here it is the rotation of all neighbours together: u = Σ a_k e_k and
 *     v = Σ b_k e_k over the edges e_k to the neighbours, with a and b such that at rest u and v are the two directions in
 *     which the neighbours spread furthest; R is nearest to (u, v). So R does not depend on which edge comes first.
 *   - A point on a border is smoothed along the border alone, as by `smooth`.
 *   - A point whose neighbours span no plane, at rest or at the pose, stays where the layers below put it.
 *
 * δ keeps its length: detail does not grow with a joint's scale. The rest is the undisplaced one, so what a corrective above
 * adds is smoothed too; inverse-psd takes that into account when it inverts through this layer.
 */
#ifndef SINEW_DEFORMERS_DELTA_MUSH
#define SINEW_DEFORMERS_DELTA_MUSH

#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Rows of the parameter table. */
enum { ITERATIONS, STRENGTH, PARAMETER_COUNT };

/* The field that it reads. */
#define MASK_FIELD "delta-mush-mask"

typedef struct mush_mesh {
	uint32_t point_count;
	/* Neighbours of point i: [offsets[i], offsets[i + 1]); those before smooth_ends[i] smooth it. */
	const uint32_t *offsets;     /* [point_count + 1] */
	const uint32_t *smooth_ends; /* [point_count] */
	const uint32_t *neighbours;
	const double *tangents; /* [2] beside each neighbour: a and b */
	const double *deltas;   /* [point_count][3] */
	const double *mask;     /* [point_count], 0 to 1; 0 where the neighbours span no plane */
} mush_mesh;

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	uint32_t iterations;
	double strength;
	uint32_t mesh_count;
	const mush_mesh *meshes;
};

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model);
uint32_t SNW_CALL passes(const snw_model *model, const snw_value *values);
snw_status SNW_CALL deform(const snw_deform_call *call);
snw_status SNW_CALL lower(const snw_lower_call *call);

/* One iteration of the smoothing for the points [begin, end). */
void smooth_points(const mush_mesh *mesh, double strength, uint32_t begin, uint32_t end, const double *in, double *out);

/* The axes of a smoothed surface at a point, as columns of `axes`; 0 where the neighbours span no plane. */
int find_axes(const mush_mesh *mesh, uint32_t point, const double *smoothed, double axes[9]);

#endif
