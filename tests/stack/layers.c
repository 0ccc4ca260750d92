/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layers to test stacks with: blends of every kind, a corrective with displacements before and after, a black box that moves
 * points independently and one that couples neighbours, and a layer whose parts have a chosen fault.
 */
#include "layers.h"

#include <stdlib.h>

#include "sinew/helper_joints.h"
#include "sinew/put.h"

/* Rows of the one parameter table that all of them share. */
enum { SEED, KIND, STRENGTH, PASSES, FAULT, PARAMETERS };

static const char *const kinds[] = {"joints", "matrices", "combined", "affine", "dual-quaternion", "sparse", "zeros", NULL};
static const char *const faults[] = {
	"none",      "slot",         "vector",         "order",         "frame",         "coefficient",  "short-z",
	"offsets",   "constant",     "blend",          "drive-nan",     "drive-error",   "deform-error", "deform-nan",
	"row-count", "column-count", "first-row",      "falling-rows",  "past-column",   "column-twice", "entries",
	"both",      "drive-caveat", "prepare-caveat", "deform-caveat", "no-reason",     "palette",      "sign-rule",
	"normals",   "asks",         "all-points",     "no-points",     "turned-helper", "loose-helper", NULL};
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
	ROW_COUNT,
	COLUMN_COUNT,
	FIRST_ROW,
	FALLING_ROWS,
	PAST_COLUMN,
	COLUMN_TWICE,
	ENTRIES,
	BOTH,
	DRIVE_CAVEAT,
	PREPARE_CAVEAT,
	DEFORM_CAVEAT,
	NO_REASON,
	PALETTE,
	SIGN_RULE,
	NORMALS,
	ASKS,
	ALL_POINTS,    /* no fault: each displacement moves all of them, and does not list them */
	NO_POINTS,     /* the same list is missing, but they move some */
	TURNED_HELPER, /* no fault: a helper joint with axes of its own */
	LOOSE_HELPER,  /* its rotation is none */
	FAULTS
};

static const snw_parameter *const parameters[PARAMETERS] = {
	[SEED] = SNW_COUNT("seed", "Seed", "Seed.", 1, 0, 1e6, SNW_STAGE_FIT, SNW_SOFT(0, 100)),
	[KIND] = SNW_CHOICE("kind", "Kind", "Kind.", kinds, 0, SNW_STAGE_FIT),
	[STRENGTH] = SNW_NUMBER("strength", "Strength", "Strength.", "", 0.5, 0, 2, SNW_STAGE_DRIVE, SNW_SOFT(0, 1)),
	[PASSES] = SNW_COUNT("passes", "Passes", "Passes.", 1, 0, 5, SNW_STAGE_DRIVE),
	[FAULT] = SNW_CHOICE("fault", "Fault", "Fault.", faults, 0, SNW_STAGE_FIT),
};

struct snw_instance {
	int unused;
};

/* The data of a part, for one mesh. */
typedef struct lowered {
	uint32_t point_count;
	uint32_t *offsets, *slots;
	double *weights, *rows;
	uint64_t *displacement_offsets;
	uint32_t *displacement_points;
	double *vectors;
	snw_displacements rest, posed;
} lowered;

struct snw_model {
	uint32_t seed;
	int kind, fault;
	uint32_t mesh_count;
	lowered *meshes;
	double *combined; /* C, dense */
	uint32_t sparse_offsets[4 * LAYER_SLOTS + 1], sparse_columns[4 * LAYER_SLOTS * LAYER_COMBINED];
	double sparse_values[4 * LAYER_SLOTS * LAYER_COMBINED];
	snw_sparse_rows sparse;
};

static const uint32_t coefficients[2] = {0, 1}, past_coefficients[2] = {0, 2};
static const uint32_t joints[2] = {LAYER_ELBOW, SNW_NONE}, wrong_joints[2] = {1000, SNW_NONE};

static snw_status create(const snw_deformer *self, const snw_host *host, snw_instance **instance) {
	(void)self;
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
	target->displacement_offsets = calloc(3, sizeof(uint64_t));
	target->displacement_points = calloc(2 * (size_t)target->point_count + 1, sizeof(uint32_t));
	target->vectors = calloc(6 * (size_t)target->point_count + 1, sizeof(double));
	uint32_t entry = 0;
	for (uint32_t k = 0; k < 2; k++) {
		for (uint32_t i = 0; i < target->point_count; i++) {
			if (layer_moves(i, k) || model->fault == ALL_POINTS) {
				target->displacement_points[entry] = i;
				layer_displacement(model->seed, i, k, target->vectors + 3 * (size_t)entry);
				entry++;
			}
		}
		target->displacement_offsets[k + 1] = entry;
	}
	target->rest = (snw_displacements){
		.size = sizeof target->rest,
		.count = 2,
		.coefficients = model->fault == COEFFICIENT ? past_coefficients : coefficients,
		.offsets = target->displacement_offsets,
		.points = model->fault == ALL_POINTS || model->fault == NO_POINTS ? NULL : target->displacement_points,
		.vectors = target->vectors,
	};
	target->posed = target->rest;
	target->posed.joints = model->fault == FRAME ? wrong_joints : joints;
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
		model->combined[3] = model->sparse_values[3] = (double)INFINITY;
		break;
	case ROW_COUNT:
		model->sparse.row_count--;
		break;
	case COLUMN_COUNT:
		model->sparse.column_count++;
		break;
	case FIRST_ROW:
		model->sparse_offsets[0] = 1;
		break;
	case FALLING_ROWS:
		model->sparse_offsets[3] = 100000;
		break;
	case PAST_COLUMN:
		model->sparse_columns[1] = LAYER_COMBINED;
		break;
	case COLUMN_TWICE:
		model->sparse_columns[1] = model->sparse_columns[0];
		break;
	case ENTRIES:
		model->sparse.values = NULL;
		break;
	default:
		break;
	}
}

static void fill_combined(snw_model *model) {
	model->combined = calloc(4 * LAYER_SLOTS * LAYER_COMBINED, sizeof(double));
	uint32_t entry = 0;
	for (uint32_t row = 0; row < 4 * LAYER_SLOTS; row++) {
		for (uint32_t k = 0; k < LAYER_COMBINED; k++) {
			const double value = layer_constant(model->seed, model->kind, row, k);
			model->combined[row * LAYER_COMBINED + k] = value;
			if (value != 0) {
				model->sparse_columns[entry] = k;
				model->sparse_values[entry++] = value;
			}
		}
		model->sparse_offsets[row + 1] = entry;
	}
	model->sparse =
		(snw_sparse_rows){4 * LAYER_SLOTS, LAYER_COMBINED, model->sparse_offsets, model->sparse_columns, model->sparse_values};
}

static snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	(void)instance;
	snw_model *made = calloc(1, sizeof *made);
	made->seed = (uint32_t)input->values[SEED].numbers[0];
	made->kind = (int)input->values[KIND].numbers[0];
	made->fault = (int)input->values[FAULT].numbers[0];
	made->mesh_count = input->character->mesh_count;
	made->meshes = calloc(made->mesh_count, sizeof *made->meshes);
	fill_combined(made);
	for (uint32_t m = 0; m < made->mesh_count; m++) {
		made->meshes[m].point_count = input->character->meshes[m]->point_count;
		fill_influences(made, input->character->meshes[m], &made->meshes[m]);
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

enum { SCRATCH_BYTES = 100 }; /* no multiple of anything, on purpose */

static void black_box_layout(const snw_model *model, snw_model_layout *layout) {
	(void)model;
	snw_put(layout, &(snw_model_layout){.size = sizeof(snw_model_layout), .scratch_bytes = SCRATCH_BYTES});
}

static snw_status refuse_lower(const snw_lower_call *call) {
	if (*call->reason) {
		return SNW_ERROR_ARGUMENT; /* the host zeroes what a plug-in fills */
	}
	*call->reason = call->model->fault == NO_REASON ? NULL : "it is a black box on purpose";
	return SNW_ERROR_UNSUPPORTED;
}

enum { UNKNOWN = 17 };

/* Whether the host says that it runs linear blends, and no blend of a later version. */
static int host_answers(const snw_host *host) {
	const snw_program_service *program = host->service(host, SNW_SERVICE_PROGRAM);
	const snw_program_part linear = {.size = sizeof linear, .blend = SNW_BLEND_LINEAR};
	const snw_program_part later = {.size = sizeof later, .blend = UNKNOWN};
	return program && program->runs(host, &linear) == 1 && program->runs(host, &later) == 0;
}

/* A black box that lowers, if its fault says so, to a value that only a later host knows. */
static snw_status twist_lower(const snw_lower_call *call) {
	const int fault = call->model->fault;
	if (fault == ASKS && host_answers(call->host)) {
		*call->reason = "the host has answered";
		return SNW_ERROR_UNSUPPORTED;
	}
	if (fault != BLEND && fault != PALETTE && fault != SIGN_RULE && fault != NORMALS) {
		return refuse_lower(call);
	}
	snw_put(call->part, &(snw_program_part){.size = sizeof(snw_program_part),
											.blend = fault == BLEND ? UNKNOWN : SNW_BLEND_LINEAR,
											.palette = fault == PALETTE ? UNKNOWN : SNW_PALETTE_JOINTS,
											.sign_rule = fault == SIGN_RULE ? UNKNOWN : SNW_SIGN_AS_GIVEN,
											.normal_palette = fault == NORMALS ? UNKNOWN : SNW_NORMALS_FROM_FACES});
	return SNW_OK;
}

/* ---- the blend ----------------------------------------------------------------------------------------------------------- */

static void blend_layout(const snw_model *model, snw_model_layout *layout) {
	snw_put(layout, &(snw_model_layout){.size = sizeof(snw_model_layout),
										.z_count = layer_z_count(model->kind) - (model->fault == SHORT_Z),
										.scratch_bytes = SCRATCH_BYTES});
}

static snw_status blend_drive(const snw_drive_call *call) {
	const snw_model *model = call->model;
	memset(call->scratch, 0xA5, SCRATCH_BYTES);
	layer_z(model->seed, model->kind, call->pose, call->output->z);
	if (model->fault == DRIVE_NAN) {
		call->output->z[0] = (double)NAN;
	}
	return model->fault == DRIVE_ERROR ? SNW_ERROR_SINGULAR : model->fault == DRIVE_CAVEAT ? SNW_ILL_CONDITIONED : SNW_OK;
}

static snw_status blend_lower(const snw_lower_call *call) {
	static const int32_t blends[KIND_COUNT] = {SNW_BLEND_LINEAR,          SNW_BLEND_LINEAR, SNW_BLEND_LINEAR, SNW_BLEND_AFFINE,
											   SNW_BLEND_DUAL_QUATERNION, SNW_BLEND_LINEAR, SNW_BLEND_LINEAR};
	static const int32_t palettes[KIND_COUNT] = {SNW_PALETTE_JOINTS,   SNW_PALETTE_MATRICES,         SNW_PALETTE_COMBINED,
												 SNW_PALETTE_MATRICES, SNW_PALETTE_DUAL_QUATERNIONS, SNW_PALETTE_COMBINED,
												 SNW_PALETTE_COMBINED};
	const snw_model *model = call->model;
	const lowered *fixture = &model->meshes[call->mesh];
	const int is_affine = model->kind == KIND_AFFINE, is_sparse = model->kind == KIND_SPARSE;
	snw_put(call->part, &(snw_program_part){.size = sizeof(snw_program_part),
											.blend = model->fault == BLEND ? UNKNOWN : blends[model->kind],
											.palette = palettes[model->kind],
											.sign_rule = SNW_SIGN_AS_GIVEN,
											.slot_count = LAYER_SLOTS,
											.influence_offsets = fixture->offsets,
											.influence_slots = fixture->slots,
											.influence_weights = is_affine ? NULL : fixture->weights,
											.influence_rows = is_affine ? fixture->rows : NULL,
											.combined_count = LAYER_COMBINED,
											.combined = is_sparse && model->fault != BOTH ? NULL : model->combined,
											.combined_rows = is_sparse ? &model->sparse : NULL});
	return SNW_OK;
}

/* One helper joint with the faults that name it; it has no slot here. */
static void list_helpers(const snw_model *model, uint32_t *count, const snw_helper_joint *const **helpers) {
	static const snw_helper_joint rotated = {sizeof rotated, "helper", LAYER_ELBOW, {1, 2, 3}, {0, 0, 0.6, 0.8}, {0}};
	static const snw_helper_joint loose = {sizeof loose, "helper", LAYER_ELBOW, {1, 2, 3}, {0, 0, 0.6, 0.9}, {0}};
	static const snw_helper_joint *const lists[] = {&rotated, &loose};
	*count = model->fault == TURNED_HELPER || model->fault == LOOSE_HELPER;
	*helpers = &lists[model->fault == LOOSE_HELPER];
}

static const void *blend_extension(const snw_deformer *self, const char *id) {
	static const snw_helper_joints table = {sizeof table, list_helpers};
	(void)self;
	return strcmp(id, SNW_HELPER_JOINTS) == 0 ? &table : NULL;
}

/* ---- the corrective ------------------------------------------------------------------------------------------------------ */

static void corrective_layout(const snw_model *model, snw_model_layout *layout) {
	(void)model;
	snw_put(layout,
			&(snw_model_layout){.size = sizeof(snw_model_layout), .d_count = 2, .e_count = 2, .scratch_bytes = SCRATCH_BYTES});
}

static snw_status corrective_drive(const snw_drive_call *call) {
	for (uint32_t k = 0; k < 2; k++) {
		call->output->d[k] = layer_coefficient(call->model->seed, call->pose, k);
		call->output->e[k] = layer_coefficient(call->model->seed, call->pose, k + 2);
	}
	return SNW_OK;
}

static snw_status corrective_lower(const snw_lower_call *call) {
	const lowered *fixture = &call->model->meshes[call->mesh];
	snw_put(call->part,
			&(snw_program_part){.size = sizeof(snw_program_part), .rest = &fixture->rest, .posed = &fixture->posed});
	return SNW_OK;
}

/* ---- the black boxes ----------------------------------------------------------------------------------------------------- */

static uint32_t passes(const snw_model *model, const snw_value *values) {
	(void)model;
	return (uint32_t)values[PASSES].numbers[0];
}

static snw_status twist_prepare(const snw_deform_call *call) {
	return call->model->fault == PREPARE_CAVEAT ? SNW_NOT_CONVERGED : SNW_OK;
}

static snw_status twist(const snw_deform_call *call) {
	const snw_model *model = call->model;
	memset(call->scratch, 0x5A, SCRATCH_BYTES);
	if (model->fault == DEFORM_ERROR && call->begin > 0) {
		return SNW_ERROR_DATA;
	}
	for (uint32_t i = call->begin; i < call->end; i++) {
		double *point = call->points_out + 3 * (size_t)i;
		layer_twist(call->values[STRENGTH].numbers[0], call->points_in + 3 * (size_t)i, point);
		if (model->fault == DEFORM_NAN && (i == 7 || i == 520 || i == 600)) {
			point[1] = i == 7 ? INFINITY : NAN;
		}
	}
	return model->fault == DEFORM_CAVEAT ? SNW_NOT_CONVERGED : SNW_OK;
}

static snw_status ring(const snw_deform_call *call) {
	const uint32_t count = call->model->meshes[call->mesh].point_count;
	for (uint32_t i = call->begin; i < call->end; i++) {
		layer_ring(call->values[STRENGTH].numbers[0], call->points_in, count, i, call->points_out + 3 * (size_t)i);
	}
	return SNW_OK;
}

/* ---- the entry ----------------------------------------------------------------------------------------------------------- */

#define DESCRIBE(word, reach)                                                                                                  \
	{                                                                                                                          \
		sizeof(snw_descriptor), "org.sinew.test." #word, "test-" #word, #word, "1.0", "", SNW_NEEDS_MESH, SNW_BINDS, reach,    \
			PARAMETERS, parameters, 0, NULL                                                                                    \
	}
static const snw_descriptor descriptors[] = {DESCRIBE(blend, 0), DESCRIBE(corrective, 0), DESCRIBE(twist, 0),
											 DESCRIBE(ring, 1)};

#define COMMON(index)                                                                                                          \
	.size = sizeof(snw_deformer), .descriptor = &descriptors[index], .create = create, .destroy = destroy, .fit = fit,         \
	.release = release
static const snw_deformer deformers[] = {
	{COMMON(0), .layout = blend_layout, .drive = blend_drive, .lower = blend_lower, .extension = blend_extension},
	{COMMON(1), .layout = corrective_layout, .drive = corrective_drive, .lower = corrective_lower},
	{COMMON(2), .layout = black_box_layout, .passes = passes, .prepare = twist_prepare, .deform = twist, .lower = twist_lower},
	{COMMON(3), .layout = black_box_layout, .passes = passes, .deform = ring},
};

static const snw_deformer *deformer_at(uint32_t index) {
	return index < 4 ? &deformers[index] : NULL;
}

SNW_EXPORT extern const snw_entry SNW_ENTRY_SYMBOL;
const snw_entry SNW_ENTRY_SYMBOL = {sizeof(snw_entry), SNW_ABI_MAJOR, SNW_ABI_MINOR, 4, deformer_at, NULL, NULL};
