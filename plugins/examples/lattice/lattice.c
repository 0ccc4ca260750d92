/* SPDX-License-Identifier: MIT
 *
 * A lattice: the box around the rest is deformed by its eight corners, and every point with it (T. W. Sederberg, S. R. Parry:
 * Free-form deformation of solid geometric models, 1986, equation 2, with l = m = n = 1):
 *
 *     v = x + Σ_ijk B_i(s) B_j(t) B_k(u) c_ijk        (s, t, u): where x lies in the box, from 0 to 1 on each axis; B_0(s) = 1
 *     − s, B_1(s) = s
 *
 * c_ijk is how far a corner is pulled, a parameter of three numbers. A point that a pose moved out of the box is deformed by
 * the same polynomial.
 */
#include "sinew/plugin.h"

/* Rows of the parameter table: corner ijk is row 4 i + 2 j + k. */
enum { CORNERS = 8 };

struct snw_model {
	snw_pool pool;    /* holds the model itself */
	double origin[3]; /* of the box */
	double size[3];   /* positive */
};

/* The box of all meshes. A flat one gets the size 1 on the axis that it lacks. */
static void find_box(const snw_character_view *character, snw_model *model) {
	double most[3] = {0, 0, 0};
	int is_begun = 0;
	for (uint32_t m = 0; m < character->mesh_count; m++) {
		const snw_mesh_view *mesh = character->meshes[m];
		for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
			const double x = mesh->points_rest[i];
			const size_t c = i % 3;
			model->origin[c] = !is_begun || x < model->origin[c] ? x : model->origin[c];
			most[c] = !is_begun || x > most[c] ? x : most[c];
			is_begun = is_begun || c == 2;
		}
	}
	for (size_t c = 0; c < 3; c++) {
		const double size = most[c] - model->origin[c];
		model->size[c] = size > 1e-12 ? size : 1;
	}
}

static snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	snw_pool pool = snw_pool_open(instance->host);
	snw_model *made = SNW_POOL_ARRAY(&pool, snw_model, 1);
	if (!made) {
		return SNW_ERROR_MEMORY;
	}
	made->pool = pool;
	find_box(input->character, made);
	*model = made;
	return SNW_OK;
}

static void SNW_CALL release(snw_model *model) {
	snw_pool_release(&model->pool);
}

static snw_status SNW_CALL deform(const snw_deform_call *call) {
	const snw_model *model = call->model;
	for (size_t i = call->begin; i < call->end; i++) {
		const double *in = call->points_in + 3 * i;
		double *out = call->points_out + 3 * i, at[3], sum[3] = {0, 0, 0};
		for (size_t c = 0; c < 3; c++) {
			at[c] = (in[c] - model->origin[c]) / model->size[c];
		}
		for (unsigned corner = 0; corner < CORNERS; corner++) {
			const double share =
				(corner & 4 ? at[0] : 1 - at[0]) * (corner & 2 ? at[1] : 1 - at[1]) * (corner & 1 ? at[2] : 1 - at[2]);
			for (size_t c = 0; c < 3; c++) {
				sum[c] += share * call->values[corner].numbers[c];
			}
		}
		for (size_t c = 0; c < 3; c++) {
			out[c] = in[c] + sum[c];
		}
	}
	return SNW_OK;
}

#define CORNER(name)                                                                                                           \
	SNW_PARAMETER(.kind = SNW_PARAMETER_VECTOR, .key = "corner-" name, .label = "Corner " name,                                \
				  .help = "How far this corner of the box is pulled, in posed space.", .unit = "m",                            \
				  .initial = SNW_VECTOR(0, 0, 0), .minimum = -100, .maximum = 100, .stage = SNW_STAGE_DRIVE, SNW_SOFT(-1, 1))
static const snw_parameter *const parameters[CORNERS] = {CORNER("000"), CORNER("001"), CORNER("010"), CORNER("011"),
														 CORNER("100"), CORNER("101"), CORNER("110"), CORNER("111")};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "com.example.lattice",
	.short_name = "example-lattice",
	.name = "Lattice",
	.version = "1.0",
	.paper = "T. W. Sederberg, S. R. Parry: Free-form deformation of solid geometric models, 1986",
	.needs = SNW_NEEDS_MESH,
	.traits = SNW_BINDS,
	.rings = 0,
	.parameter_count = CORNERS,
	.parameters = parameters,
};

SNW_DEFORMER(.fit = fit, .deform = deform, .release = release)
