/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layers to test stacks with: blends of every kind, a corrective with displacements before and after, a black box that takes
 * points by themselves and one that couples neighbours, and one whose parts are broken in ways of one's choice.
 */
#include "layers.h"

#include <stdlib.h>

#include "../unsaved.h"

/* Rows of the one parameter table that all of them share. */
enum { SEED, KIND, STRENGTH, PASSES, FAULT, PARAMETERS };

static const char *const kinds[] = {"joints", "matrices", "combined", "affine", "dual-quaternion", NULL};
static const char *const faults[] = {"none",        "slot",        "vector",       "order",      "frame",
									 "coefficient", "short-z",     "offsets",      "constant",   "blend",
									 "drive-nan",   "drive-error", "deform-error", "deform-nan", NULL};
enum {
	NO_FAULT,
	SLOT,
	VECTOR,
	ORDER,
	FRAME,
	COEFFICIENT,
	SHORT_Z,
	OFFSETS,
	CONSTANT,
	BLEND,
	DRIVE_NAN,
	DRIVE_ERROR,
	DEFORM_ERROR,
	DEFORM_NAN,
	FAULTS
};

static const snw_parameter parameters[PARAMETERS] = {
	[SEED] = {sizeof(snw_parameter), "seed", "Seed", "Seed.", "", SNW_PARAMETER_INTEGER, SNW_STAGE_FIT, 1, 0, 1e6, 0, 100, NULL,
			  0},
	[KIND] = {sizeof(snw_parameter), "kind", "Kind", "Kind.", "", SNW_PARAMETER_CHOICE, SNW_STAGE_FIT, 0, 0, KIND_COUNT - 1, 0,
			  KIND_COUNT - 1, kinds, 0},
	[STRENGTH] = {sizeof(snw_parameter), "strength", "Strength", "Strength.", "", SNW_PARAMETER_NUMBER, SNW_STAGE_DRIVE, 0.5, 0,
				  2, 0, 1, NULL, 0},
	[PASSES] = {sizeof(snw_parameter), "passes", "Passes", "Passes.", "", SNW_PARAMETER_INTEGER, SNW_STAGE_DRIVE, 1, 0, 5, 0, 5,
				NULL, 0},
	[FAULT] = {sizeof(snw_parameter), "fault", "Fault", "Fault.", "", SNW_PARAMETER_CHOICE, SNW_STAGE_FIT, 0, 0, FAULTS - 1, 0,
			   FAULTS - 1, faults, 0},
};

struct snw_instance {
	int unused;
};

/* What a part points at, for one mesh. */
typedef struct lowered {
	uint32_t point_count;
	uint32_t *offsets, *slots;
	double *weights, *rows;
	uint32_t *displacement_offsets, *displacement_points;
	double *vectors;
} lowered;

struct snw_model {
	uint32_t seed;
	int kind, fault;
	uint32_t mesh_count;
	lowered *meshes;
	double *combined;
};

static const uint32_t coefficients[2] = {0, 1}, past_coefficients[2] = {0, 2};
static const uint32_t frames[2] = {LAYER_ELBOW, SNW_NONE}, wrong_frames[2] = {1000, SNW_NONE};

static snw_status create(const snw_host *host, snw_instance **instance) {
	(void)host;
	*instance = calloc(1, sizeof **instance);
	return *instance ? SNW_OK : SNW_ERROR_MEMORY;
}

static void destroy(snw_instance *instance) {
	free(instance);
}

static void fill_influences(const snw_model *model, const snw_mesh_view *mesh, lowered *target) {
	const uint32_t count = LAYER_SLOTS * mesh->point_count;
	target->offsets = calloc(mesh->point_count + 1, sizeof(uint32_t));
	target->slots = calloc(count, sizeof(uint32_t));
	target->weights = calloc(count, sizeof(double));
	target->rows = calloc(4 * (size_t)count, sizeof(double));
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		layer_weights(model->seed, i, target->weights + LAYER_SLOTS * i);
		target->offsets[i + 1] = LAYER_SLOTS * (i + 1);
		for (uint32_t s = 0; s < LAYER_SLOTS; s++) {
			target->slots[LAYER_SLOTS * i + s] = s;
			layer_row(model->seed, i, s, mesh->points_rest + 3 * (size_t)i, target->rows + 4 * (size_t)(LAYER_SLOTS * i + s));
		}
	}
}

static void fill_displacements(const snw_model *model, lowered *target) {
	target->displacement_offsets = calloc(3, sizeof(uint32_t));
	target->displacement_points = calloc(2 * (size_t)target->point_count + 1, sizeof(uint32_t));
	target->vectors = calloc(6 * (size_t)target->point_count + 1, sizeof(double));
	uint32_t entry = 0;
	for (uint32_t k = 0; k < 2; k++) {
		for (uint32_t i = 0; i < target->point_count; i++) {
			if (layer_moves(i, k)) {
				target->displacement_points[entry] = i;
				layer_displacement(model->seed, i, k, target->vectors + 3 * (size_t)entry);
				entry++;
			}
		}
		target->displacement_offsets[k + 1] = entry;
	}
}

static void break_something(snw_model *model, lowered *target) {
	switch (model->fault) {
	case SLOT:
		target->slots[7] = LAYER_SLOTS;
		break;
	case VECTOR:
		target->vectors[10] = (double)NAN;
		break;
	case ORDER:
		target->displacement_points[4] = target->displacement_points[3];
		break;
	case OFFSETS:
		target->offsets[5] = 100000;
		break;
	case CONSTANT:
		model->combined[3] = (double)INFINITY;
		break;
	default:
		break;
	}
}

static snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	(void)instance;
	snw_model *made = calloc(1, sizeof *made);
	made->seed = (uint32_t)input->values[SEED];
	made->kind = (int)input->values[KIND];
	made->fault = (int)input->values[FAULT];
	made->mesh_count = input->character->mesh_count;
	made->meshes = calloc(made->mesh_count, sizeof *made->meshes);
	made->combined = calloc(4 * LAYER_SLOTS * LAYER_COMBINED, sizeof(double));
	for (uint32_t i = 0; i < 4 * LAYER_SLOTS * LAYER_COMBINED; i++) {
		made->combined[i] = layer_constant(made->seed, i / LAYER_COMBINED, i % LAYER_COMBINED);
	}
	for (uint32_t m = 0; m < made->mesh_count; m++) {
		made->meshes[m].point_count = input->character->meshes[m].point_count;
		fill_influences(made, &input->character->meshes[m], &made->meshes[m]);
		fill_displacements(made, &made->meshes[m]);
		break_something(made, &made->meshes[m]);
	}
	*model = made;
	return SNW_OK;
}

static void release(snw_model *model) {
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		free(model->meshes[m].offsets);
		free(model->meshes[m].slots);
		free(model->meshes[m].weights);
		free(model->meshes[m].rows);
		free(model->meshes[m].displacement_offsets);
		free(model->meshes[m].displacement_points);
		free(model->meshes[m].vectors);
	}
	free(model->meshes);
	free(model->combined);
	free(model);
}

static size_t scratch_bytes(const snw_model *model) {
	(void)model;
	return 100; /* no multiple of anything, on purpose */
}

static snw_status refuse_lower(const snw_model *model, const double *values, uint32_t mesh, snw_program_part *part,
							   const char **reason) {
	(void)model;
	(void)values;
	(void)mesh;
	(void)part;
	*reason = "it is a black box on purpose";
	return SNW_ERROR_UNSUPPORTED;
}

/* ---- the blend ------------------------------------------------------------------------------------------------------------- */

static void blend_layout(const snw_model *model, snw_drive_layout *layout) {
	layout->z_count = layer_z_count(model->kind) - (model->fault == SHORT_Z);
}

static snw_status blend_drive(const snw_model *model, const double *values, const snw_pose_view *pose, void *scratch,
							  snw_drive_output *output) {
	(void)values;
	memset(scratch, 0xA5, 100);
	layer_z(model->seed, model->kind, pose, output->z);
	if (model->fault == DRIVE_NAN) {
		output->z[0] = (double)NAN;
	}
	return model->fault == DRIVE_ERROR ? SNW_ERROR_SINGULAR : SNW_OK;
}

static snw_status blend_lower(const snw_model *model, const double *values, uint32_t mesh, snw_program_part *part,
							  const char **reason) {
	(void)values;
	(void)reason;
	static const int32_t blends[KIND_COUNT] = {SNW_BLEND_LINEAR, SNW_BLEND_LINEAR, SNW_BLEND_LINEAR, SNW_BLEND_AFFINE,
											   SNW_BLEND_DUAL_QUATERNION};
	static const int32_t palettes[KIND_COUNT] = {SNW_PALETTE_JOINTS, SNW_PALETTE_MATRICES, SNW_PALETTE_COMBINED,
												 SNW_PALETTE_MATRICES, SNW_PALETTE_DUAL_QUATERNIONS};
	const lowered *fixture = &model->meshes[mesh];
	part->blend = model->fault == BLEND ? 17 : blends[model->kind];
	part->palette = palettes[model->kind];
	part->sign_rule = SNW_SIGN_AS_GIVEN;
	part->slot_count = LAYER_SLOTS;
	part->influence_offsets = fixture->offsets;
	part->influence_slots = fixture->slots;
	part->influence_weights = model->kind == KIND_AFFINE ? NULL : fixture->weights;
	part->influence_rows = model->kind == KIND_AFFINE ? fixture->rows : NULL;
	part->combined_count = LAYER_COMBINED;
	part->combined = model->combined;
	return SNW_OK;
}

/* ---- the corrective -------------------------------------------------------------------------------------------------------- */

static void corrective_layout(const snw_model *model, snw_drive_layout *layout) {
	(void)model;
	layout->d_count = 2;
	layout->e_count = 2;
}

static snw_status corrective_drive(const snw_model *model, const double *values, const snw_pose_view *pose, void *scratch,
								   snw_drive_output *output) {
	(void)values;
	(void)scratch;
	for (uint32_t k = 0; k < 2; k++) {
		output->d[k] = layer_coefficient(model->seed, pose, k);
		output->e[k] = layer_coefficient(model->seed, pose, k + 2);
	}
	return SNW_OK;
}

static snw_status corrective_lower(const snw_model *model, const double *values, uint32_t mesh, snw_program_part *part,
								   const char **reason) {
	(void)values;
	(void)reason;
	const lowered *fixture = &model->meshes[mesh];
	part->rest = (snw_displacements){
		.count = 2,
		.coefficients = model->fault == COEFFICIENT ? past_coefficients : coefficients,
		.offsets = fixture->displacement_offsets,
		.points = fixture->displacement_points,
		.vectors = fixture->vectors,
	};
	part->posed = part->rest;
	part->posed.joints = model->fault == FRAME ? wrong_frames : frames;
	return SNW_OK;
}

/* ---- the black boxes ------------------------------------------------------------------------------------------------------- */

static uint32_t passes(const snw_model *model, const double *values) {
	(void)model;
	return (uint32_t)values[PASSES];
}

static snw_status twist(const snw_model *model, const double *values, const snw_pose_view *pose, const snw_drive_output *driven,
						uint32_t mesh, uint32_t pass, const double *points_in, double *points_out, uint32_t begin, uint32_t end,
						void *scratch) {
	(void)pose;
	(void)driven;
	(void)mesh;
	(void)pass;
	memset(scratch, 0x5A, 100);
	if (model->fault == DEFORM_ERROR && begin > 0) {
		return SNW_ERROR_DATA;
	}
	for (uint32_t i = begin; i < end; i++) {
		layer_twist(values[STRENGTH], points_in + 3 * (size_t)i, points_out + 3 * (size_t)i);
		if (model->fault == DEFORM_NAN && (i == 7 || i == 520 || i == 600)) {
			points_out[3 * (size_t)i + 1] = i == 7 ? INFINITY : NAN;
		}
	}
	return SNW_OK;
}

static snw_status ring(const snw_model *model, const double *values, const snw_pose_view *pose, const snw_drive_output *driven,
					   uint32_t mesh, uint32_t pass, const double *points_in, double *points_out, uint32_t begin, uint32_t end,
					   void *scratch) {
	(void)pose;
	(void)driven;
	(void)pass;
	(void)scratch;
	for (uint32_t i = begin; i < end; i++) {
		layer_ring(values[STRENGTH], points_in, model->meshes[mesh].point_count, i, points_out + 3 * (size_t)i);
	}
	return SNW_OK;
}

/* ---- the entry ------------------------------------------------------------------------------------------------------------- */

#define DESCRIBE(word, reach)                                                                                                  \
	{                                                                                                                          \
		sizeof(snw_descriptor), "org.sinew.test." #word, "test-" #word, #word, "1.0", "", SNW_NEEDS_MESH, SNW_BINDS, reach,    \
			PARAMETERS, parameters, 0, NULL                                                                                    \
	}
static const snw_descriptor descriptors[] = {DESCRIBE(blend, 0), DESCRIBE(corrective, 0), DESCRIBE(twist, 0),
											 DESCRIBE(ring, 1)};

#define COMMON(index)                                                                                                          \
	.size = sizeof(snw_deformer), .descriptor = &descriptors[index], .create = create, .destroy = destroy, .fit = fit,         \
	.scratch_bytes = scratch_bytes, .save = save, .load = load, .release = release
static const snw_deformer deformers[] = {
	{COMMON(0), .layout = blend_layout, .drive = blend_drive, .lower = blend_lower},
	{COMMON(1), .layout = corrective_layout, .drive = corrective_drive, .lower = corrective_lower},
	{COMMON(2), .passes = passes, .deform = twist, .lower = refuse_lower},
	{COMMON(3), .passes = passes, .deform = ring},
};

static const snw_deformer *deformer_at(uint32_t index) {
	return index < 4 ? &deformers[index] : NULL;
}

SNW_EXPORT extern const snw_entry SNW_ENTRY_SYMBOL;
const snw_entry SNW_ENTRY_SYMBOL = {sizeof(snw_entry), SNW_ABI_MAJOR, SNW_ABI_MINOR, 4, deformer_at};
