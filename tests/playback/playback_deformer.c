/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A deformer that plays back: a separate palette over time, stored by clip, from a mesh animation without a rig. The motion
 * is synthetic (each slot rotates and drifts differently), to test the host's support for methods without a skeleton.
 * Outside its clips it gives the rest.
 */
#include <math.h>
#include <stdlib.h>

#include "sinew/algebra.h"
#include "sinew/bytes.h"
#include "sinew/plugin.h"
#include "sinew/report.h"
#include "sinew/sinew.h"

enum { KIND, SLOTS, SPREAD, DETAIL, NORMALS, PARAMETERS };
enum { RIGID, AFFINE, DUAL_QUATERNION };
enum { MOST_CLIPS = 8, MOST_SLOTS = 64, MOST_SPREAD = 12 };

static const char *const kinds[] = {"rigid", "affine", "dual-quaternion", NULL};

#define WHOLE(key, least, most, initial) SNW_COUNT(key, key, key, initial, least, most, SNW_STAGE_FIT)
static const snw_parameter *const parameters[PARAMETERS] = {
	[KIND] = SNW_CHOICE("kind", "kind", "kind", kinds, 0, SNW_STAGE_FIT),
	[SLOTS] = WHOLE("slots", 1, MOST_SLOTS, 4),
	[SPREAD] = WHOLE("spread", 2, MOST_SPREAD, 2), /* influences of a point */
	[DETAIL] = WHOLE("detail", 0, 1, 1),           /* a displacement over time */
	[NORMALS] = WHOLE("normals", 0, 1, 0),
};

static const snw_field_info *const fields[] = {
	&(const snw_field_info){sizeof(snw_field_info), "slot", "Slot", "The slot that pulls most.", "", SNW_DOMAIN_POINTS, 1, 1}};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.test.playback",
	.short_name = "test-playback",
	.name = "Playback",
	.version = "1.0",
	.paper = "",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SEQUENCE,
	.traits = SNW_REPLACES_BLEND,
	.parameter_count = PARAMETERS,
	.parameters = parameters,
	.field_count = 1,
	.fields = fields,
};

typedef struct settings {
	uint32_t kind, slot_count, spread, detail, normals, clip_count;
	uint64_t clips[MOST_CLIPS];
	double ends[MOST_CLIPS]; /* seconds */
} settings;

typedef struct lowered {
	uint32_t point_count;
	uint32_t *offsets, *slots, *detail_points;
	uint64_t detail_offsets[2];
	double *weights, *vectors, *normals;
	snw_displacements detail;
} lowered;

struct snw_model {
	settings as;
	uint32_t mesh_count;
	lowered *meshes;
};

static const uint32_t zero = 0;
static const char *const detail_name = "detail";

/* Slots stand along x; a point's weights fall off linearly over `spread` of them. */
static void lower_points(const snw_model *model, const snw_mesh_view *mesh, lowered *dest) {
	const uint32_t count = mesh->point_count, slot_count = model->as.slot_count;
	double least = INFINITY, most = -INFINITY;
	for (uint32_t i = 0; i < count; i++) {
		least = fmin(least, mesh->points_rest[3 * (size_t)i]);
		most = fmax(most, mesh->points_rest[3 * (size_t)i]);
	}
	dest->point_count = count;
	dest->offsets = calloc((size_t)count + 1, sizeof(uint32_t));
	dest->slots = calloc((size_t)count * slot_count + 1, sizeof(uint32_t));
	dest->weights = calloc((size_t)count * slot_count + 1, sizeof(double));
	dest->detail_points = calloc((size_t)count + 1, sizeof(uint32_t));
	dest->vectors = calloc(3 * (size_t)count + 1, sizeof(double));
	dest->normals = calloc(3 * (size_t)count + 1, sizeof(double));
	dest->detail_offsets[1] = count;
	dest->detail = (snw_displacements){.size = sizeof dest->detail,
									   .count = 1,
									   .coefficients = &zero,
									   .offsets = dest->detail_offsets,
									   .points = dest->detail_points,
									   .vectors = dest->vectors,
									   .names = &detail_name};
	for (uint32_t i = 0; i < count; i++) {
		const double *rest = mesh->points_rest + 3 * (size_t)i;
		const double along = most > least ? (rest[0] - least) / (most - least) * (slot_count - 1) : 0;
		uint32_t at = dest->offsets[i];
		double sum = 0;
		for (uint32_t s = 0; s < slot_count; s++) {
			const double weight = 1 - fabs(along - s) / (0.5 * model->as.spread);
			if (weight > 0) {
				dest->slots[at] = s;
				dest->weights[at++] = weight;
				sum += weight;
			}
		}
		for (uint32_t k = dest->offsets[i]; k < at; k++) {
			dest->weights[k] /= sum;
		}
		dest->offsets[i + 1] = at;
		dest->detail_points[i] = i;
		dest->vectors[3 * (size_t)i + 1] = 0.03 * (most - least) * sin(9 * along);
		memcpy(dest->normals + 3 * (size_t)i, rest, 3 * sizeof(double));
		snw_normalize3(dest->normals + 3 * (size_t)i);
	}
}

static snw_model *model_make(const settings *as, const snw_character_view *character) {
	snw_model *made = calloc(1, sizeof *made);
	made->as = *as;
	made->mesh_count = character->mesh_count;
	made->meshes = calloc((size_t)character->mesh_count + 1, sizeof *made->meshes);
	for (uint32_t m = 0; m < character->mesh_count; m++) {
		lower_points(made, character->meshes[m], &made->meshes[m]);
	}
	return made;
}

static void propose_slots(const snw_host *host, const snw_model *model, uint32_t mesh) {
	const snw_proposal_service *proposals = host->service(host, SNW_SERVICE_PROPOSAL);
	if (!proposals) {
		return;
	}
	const lowered *fixture = &model->meshes[mesh];
	double *values = calloc((size_t)fixture->point_count + 1, sizeof *values);
	for (uint32_t i = 0; i < fixture->point_count; i++) {
		double most = 0;
		for (uint32_t k = fixture->offsets[i]; k < fixture->offsets[i + 1]; k++) {
			values[i] = fixture->weights[k] > most ? fixture->slots[k] : values[i];
			most = fmax(most, fixture->weights[k]);
		}
	}
	const snw_field_view field = {sizeof field, "slot", SNW_DOMAIN_POINTS, 1, fixture->point_count, values};
	proposals->field(host, &(snw_field_proposal){sizeof(snw_field_proposal), mesh, &field});
	free(values);
}

static snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	settings as = {
		.kind = (uint32_t)input->values[KIND].numbers[0],
		.slot_count = (uint32_t)input->values[SLOTS].numbers[0],
		.spread = (uint32_t)input->values[SPREAD].numbers[0],
		.detail = (uint32_t)input->values[DETAIL].numbers[0],
		.normals = (uint32_t)input->values[NORMALS].numbers[0],
	};
	if (!snw_report_progress(instance->host, 0.5, "playing")) {
		return SNW_CANCELLED;
	}
	for (uint32_t s = 0; s < input->sequence_count && s < MOST_CLIPS; s++) {
		const snw_sequence_view *sequence = input->sequences[s];
		as.clips[as.clip_count] = sequence->clip;
		as.ends[as.clip_count++] = sequence->seconds[sequence->frame_count - 1];
	}
	*model = model_make(&as, input->character);
	for (uint32_t m = 0; m < (*model)->mesh_count; m++) {
		propose_slots(instance->host, *model, m);
	}
	return SNW_OK;
}

static void release(snw_model *model) {
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		const lowered *fixture = &model->meshes[m];
		free(fixture->offsets);
		free(fixture->slots);
		free(fixture->weights);
		free(fixture->detail_points);
		free(fixture->vectors);
		free(fixture->normals);
	}
	free(model->meshes);
	free(model);
}

/* ---- running ------------------------------------------------------------------------------------------------------------- */

static uint32_t palette_count(const snw_model *model) {
	return (model->as.kind == DUAL_QUATERNION ? 8 : 12) * model->as.slot_count;
}

static void layout(const snw_model *model, snw_model_layout *dest) {
	snw_put(dest, &(snw_model_layout){.size = sizeof(snw_model_layout),
									  .z_count = palette_count(model) + (model->as.normals ? 4 * model->as.slot_count : 0),
									  .d_count = model->as.detail});
}

/* The progress of a pose's clip, 0 to 1; 0 outside the model's clips. */
static double phase_of(const snw_model *model, const snw_pose_view *pose) {
	for (uint32_t c = 0; c < model->as.clip_count; c++) {
		if (pose->clip != 0 && model->as.clips[c] == pose->clip && model->as.ends[c] > 0) {
			return fmin(fmax(pose->seconds / model->as.ends[c], 0), 1);
		}
	}
	return 0;
}

static snw_status drive(const snw_drive_call *call) {
	const snw_model *model = call->model;
	const snw_drive_output *output = call->output;
	const double phase = phase_of(model, call->pose);
	for (uint32_t s = 0; s < model->as.slot_count; s++) {
		const double vector[3] = {0.3 * phase * sin(s), 0.5 * phase * phase, 1.1 * phase * cos(2.0 * s)};
		const double t[4] = {0.2 * phase * s, 0.3 * sin(3 * phase + s) - 0.3 * sin(s), 0.1 * phase, 0};
		double q[4], m[12];
		snw_quat_from_rotation_vector(vector, q);
		if (model->as.kind == DUAL_QUATERNION) {
			const double half[4] = {t[0] / 2, t[1] / 2, t[2] / 2, 0};
			memcpy(output->z + 8 * s, q, sizeof q);
			snw_quat_multiply(half, q, output->z + 8 * s + 4);
		} else {
			snw_quat_to_mat34(q, m);
			for (int r = 0; r < 3; r++) {
				m[4 * r] *= model->as.kind == AFFINE ? 1 + 0.2 * phase : 1;
				m[4 * r + 1] += model->as.kind == AFFINE ? 0.15 * phase * m[4 * r] : 0;
				m[4 * r + 3] = t[r];
			}
			memcpy(output->z + 12 * s, m, sizeof m);
		}
		if (model->as.normals) {
			memcpy(output->z + palette_count(model) + 4 * s, q, sizeof q);
		}
	}
	if (model->as.detail) {
		output->d[0] = sin(7 * phase);
	}
	return SNW_OK;
}

static snw_status lower(const snw_lower_call *call) {
	const snw_model *model = call->model;
	const lowered *fixture = &model->meshes[call->mesh];
	const int is_dual = model->as.kind == DUAL_QUATERNION;
	snw_program_part part = {.size = sizeof part,
							 .blend = is_dual ? SNW_BLEND_DUAL_QUATERNION : SNW_BLEND_LINEAR,
							 .palette = is_dual ? SNW_PALETTE_DUAL_QUATERNIONS : SNW_PALETTE_MATRICES,
							 .slot_count = model->as.slot_count,
							 .influence_offsets = fixture->offsets,
							 .influence_slots = fixture->slots,
							 .influence_weights = fixture->weights};
	if (model->as.detail) {
		part.rest = &fixture->detail;
	}
	if (model->as.normals) {
		part.normal_palette = SNW_NORMALS_QUATERNIONS;
		part.normal_z = palette_count(model);
		part.normals_rest = fixture->normals;
	}
	snw_put(call->part, &part);
	return SNW_OK;
}

static snw_status save(const snw_model *model, const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snw_write(&writer, &model->as, sizeof model->as);
	snw_write_seal(&writer);
	return writer.status;
}

/* A seal proves that bytes are whole, not who wrote them. */
static int settings_are_possible(const settings *as) {
	int possible = as->kind <= DUAL_QUATERNION && as->slot_count >= 1 && as->slot_count <= MOST_SLOTS && as->spread >= 2 &&
				   as->spread <= MOST_SPREAD && as->detail <= 1 && as->normals <= 1 && as->clip_count <= MOST_CLIPS;
	for (uint32_t c = 0; possible && c < as->clip_count; c++) {
		possible = isfinite(as->ends[c]);
	}
	return possible;
}

static snw_status load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	settings as;
	snw_reader reader = snw_read_sealed(call->bytes, call->count);
	snw_read(&reader, &as, sizeof as);
	if (reader.failed || reader.count > 0 || !settings_are_possible(&as)) {
		return snw_report_fail(call->host, SNW_ERROR_DATA, "these are not its bytes");
	}
	*model = model_make(&as, call->character);
	return SNW_OK;
}

static const snw_deformer deformer = {
	.size = sizeof deformer,
	.descriptor = &descriptor,
	.create = snw_instance_create,
	.destroy = snw_instance_destroy,
	.fit = fit,
	.layout = layout,
	.drive = drive,
	.lower = lower,
	.save = save,
	.load = load,
	.release = release,
};

SNW_PLUGIN(deformer)
