/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plug-in with a parameter of each kind that is more than a number. The positions of points show the values that it
 * received:
 *
 *     x ↦ x + mask · (offset + push) + (displacement of the joint `follow` from its rest)
 *     push = (the number in the file `curve`, the sum of the rest positions of `pivot` and its overrides along x, the bytes of
 *     `note` / 1000)
 *
 * `tint` becomes a field. With VALUES_BINDS it binds, so that every parameter is read whenever the stack is built. With
 * VALUES_TRUSTS_NOTE it ends the process if a note is not ASCII.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/bytes.h"
#include "sinew/put.h"
#include "sinew/sinew.h"
#include "small/tint.h"

enum { OFFSET, TINT, PIVOT, FOLLOW, MASK, NOTE, CURVE, MESHES = 8 };

struct snw_model {
	double push[3];
	uint32_t mesh_count, joint_count;
	double *joints_rest;   /* [joint_count][3] */
	double *masks[MESHES]; /* [point counts] */
	uint32_t counts[MESHES];
};

#define ROW(key, kind, stage, initial, least, most, scopes)                                                                    \
	&(const snw_parameter) {                                                                                                   \
		sizeof(snw_parameter), kind, key, key, "A value.", "", initial, least, most, NULL, stage, scopes, 0, 0, 0              \
	}
static const snw_parameter *const parameters[] = {
	ROW("offset", SNW_PARAMETER_VECTOR, SNW_STAGE_DRIVE, SNW_VECTOR(0, 0, 0), -10, 10, 0),
	ROW("tint", SNW_PARAMETER_COLOR, SNW_STAGE_FIT, SNW_VECTOR(0.5, 0.5, 0.5), 0, 1, 0),
	ROW("pivot", SNW_PARAMETER_JOINT, SNW_STAGE_FIT, SNW_NO_JOINT, 0, 0, SNW_SCOPE_GROUP | SNW_SCOPE_JOINT),
	ROW("follow", SNW_PARAMETER_JOINT, SNW_STAGE_DRIVE, SNW_NO_JOINT, 0, 0, 0),
	ROW("mask", SNW_PARAMETER_FIELD, SNW_STAGE_FIT, SNW_TEXT(""), 0, 0, 0),
	ROW("note", SNW_PARAMETER_TEXT, SNW_STAGE_FIT, SNW_TEXT("plain"), 0, 0, 0),
	ROW("curve", SNW_PARAMETER_FILE, SNW_STAGE_FIT, SNW_TEXT(""), 0, 0, 0),
};

static const snw_field_info *const fields[] = {
	&(const snw_field_info){sizeof(snw_field_info), "tint", "Tint", "The colour that was set.", SNW_UNIT_COLOR,
							SNW_DOMAIN_POINTS, 3, 1},
};

#ifdef VALUES_BINDS
#define VALUES_NAME "test-values-bound"
#define VALUES_TRAITS SNW_BINDS
#else
#define VALUES_NAME "test-values"
#define VALUES_TRAITS 0
#endif

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew." VALUES_NAME,
	.short_name = VALUES_NAME,
	.name = "Values",
	.version = "1.0",
	.paper = "",
	.needs = SNW_NEEDS_MESH,
	.traits = VALUES_TRAITS,
	.parameter_count = sizeof parameters / sizeof parameters[0],
	.parameters = parameters,
	.field_count = VALUES_TRAITS ? 0 : 1,
	.fields = fields,
};

static void release(snw_model *model) {
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		free(model->masks[m]);
	}
	free(model->joints_rest);
	free(model);
}

static snw_model *make_model(const snw_character_view *character) {
	snw_model *model = calloc(1, sizeof *model);
	const snw_skeleton_view *skeleton = character->skeleton;
	model->mesh_count = character->mesh_count < MESHES ? character->mesh_count : MESHES;
	model->joint_count = skeleton->joint_count;
	model->joints_rest = calloc((size_t)3 * skeleton->joint_count + 1, sizeof *model->joints_rest);
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		for (int c = 0; c < 3; c++) {
			model->joints_rest[3 * (size_t)j + c] = skeleton->rest_global[12 * (size_t)j + 4 * c + 3];
		}
	}
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		model->counts[m] = character->meshes[m]->point_count;
		model->masks[m] = calloc((size_t)model->counts[m] + 1, sizeof *model->masks[m]);
	}
	return model;
}

/* ---- fit ------------------------------------------------------------------------------------------------------------- */

static snw_status fail(const snw_instance *instance, snw_status status, const char *words) {
	const snw_task_service *task = instance->host->service(instance->host, SNW_SERVICE_TASK);
	task->fail(instance->host, status, words);
	return status;
}

/* Where a joint rests along x. The host has looked it up: index and name are of one joint, or both of none. */
static int add_joint(const snw_fit_input *input, const snw_value *value, double *sum) {
	const snw_skeleton_view *skeleton = input->character->skeleton;
	const double index = value->numbers[0];
	if (index == -1) {
		return value->text && !value->text[0];
	}
	if (index < 0 || index >= skeleton->joint_count || strcmp(skeleton->names[(uint32_t)index], value->text) != 0) {
		return 0;
	}
	*sum += skeleton->rest_global[12 * (size_t)index + 3];
	return 1;
}

static int read_curve(const char *path, double *number) {
	*number = 0;
	if (!path[0]) {
		return 1;
	}
	FILE *file = path[0] == '/' ? fopen(path, "r") : NULL;
	const int read = file && fscanf(file, "%lf", number) == 1;
	if (file) {
		fclose(file);
	}
	return read;
}

static void fill_mask(const snw_mesh_view *mesh, const char *name, uint32_t count, double *mask) {
	const snw_field_view *field = NULL;
	for (uint32_t f = 0; f < mesh->field_count; f++) {
		const int is_it = strcmp(mesh->fields[f]->name, name) == 0 && mesh->fields[f]->domain == SNW_DOMAIN_POINTS;
		field = is_it ? mesh->fields[f] : field;
	}
	for (uint32_t i = 0; i < count; i++) {
		mask[i] = field ? field->values[(size_t)i * field->components] : name[0] ? 0 : 1;
	}
}

static snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	const snw_value *values = input->values;
	double push[3] = {0, 0, 0};
	int right = add_joint(input, &values[PIVOT], &push[1]);
	for (uint32_t i = 0; i < input->override_count; i++) {
		right = right && input->overrides[i]->parameter == PIVOT && add_joint(input, &input->overrides[i]->value, &push[1]);
	}
	if (!right || !values[MASK].text || !values[NOTE].text || !values[CURVE].text) {
		return fail(instance, SNW_ERROR_INTERNAL, "a value is not what the headers say");
	}
#ifdef VALUES_TRUSTS_NOTE
	for (const char *c = values[NOTE].text; *c; c++) {
		if (*c & 0x80) {
			abort(); /* "it is all ASCII" */
		}
	}
#endif
	if (!read_curve(values[CURVE].text, &push[0])) {
		return fail(instance, SNW_ERROR_DATA, "the file has no number");
	}
	push[2] = (double)strlen(values[NOTE].text) / 1000;
	*model = make_model(input->character);
	memcpy((*model)->push, push, sizeof push);
	for (uint32_t m = 0; m < (*model)->mesh_count; m++) {
		fill_mask(input->character->meshes[m], values[MASK].text, (*model)->counts[m], (*model)->masks[m]);
	}
	return VALUES_TRAITS ? SNW_OK : propose_tint(instance->host, input->character, values[TINT].numbers);
}

/* ---- evaluation ------------------------------------------------------------------------------------------------------ */

static void layout(const snw_model *model, snw_model_layout *dest) {
	(void)model;
	snw_put(dest, &(snw_model_layout){.size = sizeof(snw_model_layout), .d_count = 6});
}

static snw_status drive(const snw_drive_call *call) {
	const double *offset = call->values[OFFSET].numbers, joint = call->values[FOLLOW].numbers[0];
	for (int c = 0; c < 3; c++) {
		const size_t j = joint < 0 ? 0 : (size_t)joint;
		call->output->d[c] = offset[c] + call->model->push[c];
		call->output->d[3 + c] = joint < 0 ? 0 : call->pose->global[12 * j + 4 * c + 3] - call->model->joints_rest[3 * j + c];
	}
	return SNW_OK;
}

static snw_status deform(const snw_deform_call *call) {
	const double *d = call->driven->d, *mask = call->model->masks[call->mesh];
	for (size_t i = call->begin; i < call->end; i++) {
		for (int c = 0; c < 3; c++) {
			call->points_out[3 * i + c] = call->points_in[3 * i + c] + mask[i] * d[c] + d[3 + c];
		}
	}
	return SNW_OK;
}

/* ---- bytes ----------------------------------------------------------------------------------------------------------- */

static snw_status save(const snw_model *model, const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snw_write(&writer, model->push, sizeof model->push);
	for (uint32_t m = 0; m < model->mesh_count; m++) {
		snw_write(&writer, model->masks[m], model->counts[m] * sizeof(double));
	}
	snw_write_seal(&writer);
	return writer.status;
}

static snw_status load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	snw_reader reader = snw_read_sealed(call->bytes, call->count);
	snw_model *made = make_model(call->character);
	snw_read(&reader, made->push, sizeof made->push);
	for (uint32_t m = 0; m < made->mesh_count; m++) {
		snw_read(&reader, made->masks[m], made->counts[m] * sizeof(double));
	}
	if (reader.failed || reader.count != 0) {
		release(made);
		return SNW_ERROR_DATA;
	}
	*model = made;
	return SNW_OK;
}

static const snw_deformer deformer = {
	.size = sizeof deformer,
	.descriptor = &descriptor,
	.create = create,
	.destroy = destroy,
	.fit = fit,
	.layout = layout,
	.drive = drive,
	.deform = deform,
	.save = save,
	.load = load,
	.release = release,
};

static const snw_deformer *deformer_at(uint32_t index) {
	return index == 0 ? &deformer : NULL;
}

SNW_EXPORT extern const snw_entry SNW_ENTRY_SYMBOL;
const snw_entry SNW_ENTRY_SYMBOL = {sizeof(snw_entry), SNW_ABI_MAJOR, SNW_ABI_MINOR, 1, deformer_at, NULL, NULL};
