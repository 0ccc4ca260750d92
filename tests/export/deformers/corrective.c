/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A deformer for the tests of export: two correctives of mesh 0 with the same name, driven smoothly and nonlinearly by the
 * rotations of joints 1 and 2, which it cannot tell beyond a hundred radians of the latter; and, with "posed", a displacement
 * after the blend with the coefficient of the first.
 */
#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

struct snw_model {
	snw_pool pool;
	uint32_t entries[3]; /* of each displacement */
	snw_displacements rest, posed;
};

static void fill(const snw_mesh_view *mesh, uint32_t every, double size, uint32_t *points, double *vectors) {
	for (uint32_t i = 0, n = 0; i < mesh->point_count; i += every, n++) {
		const double *p = mesh->points_rest + 3 * (size_t)i;
		points[n] = i;
		vectors[3 * n] = size * sin(7 * p[0] + every);
		vectors[3 * n + 1] = size * cos(5 * p[1]);
		vectors[3 * n + 2] = size * sin(3 * p[2] + 1);
	}
}

static snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	static const char *const names[] = {"elbow/bend", "elbow/bend"};
	static const uint32_t coefficients[] = {0, 1}, joints[] = {1};
	const snw_mesh_view *mesh = input->character->meshes[0];
	const uint32_t third = (mesh->point_count + 2) / 3, fifth = (mesh->point_count + 4) / 5;
	snw_pool pool = snw_pool_open(instance->host);
	snw_model *made = SNW_POOL_ARRAY(&pool, snw_model, 1);
	uint64_t *offsets = SNW_POOL_ARRAY(&pool, uint64_t, 5);
	uint32_t *points = SNW_POOL_ARRAY(&pool, uint32_t, third + 2 * fifth);
	double *vectors = SNW_POOL_ARRAY(&pool, double, 3 * ((size_t)third + 2 * fifth));
	if (!made || !offsets || !points || !vectors) {
		snw_pool_release(&pool);
		return SNW_ERROR_MEMORY;
	}
	offsets[1] = third;
	offsets[2] = third + fifth;
	offsets[4] = fifth;
	const double size = input->values[1].numbers[0];
	fill(mesh, 3, 0.02 * size, points, vectors);
	fill(mesh, 5, 0.03 * size, points + third, vectors + 3 * (size_t)third);
	fill(mesh, 5, 0.01 * size, points + third + fifth, vectors + 3 * ((size_t)third + fifth));
	made->pool = pool;
	made->rest = (snw_displacements){.size = sizeof made->rest,
									 .count = 2,
									 .coefficients = coefficients,
									 .offsets = offsets,
									 .points = points,
									 .vectors = vectors,
									 .names = names};
	if (input->values[0].numbers[0] != 0) {
		made->posed = (snw_displacements){.size = sizeof made->posed,
										  .count = 1,
										  .coefficients = coefficients,
										  .offsets = offsets + 3,
										  .points = points + third + fifth,
										  .vectors = vectors + 3 * ((size_t)third + fifth),
										  .joints = joints,
										  .names = names};
	}
	*model = made;
	return SNW_OK;
}

static void release(snw_model *model) {
	snw_pool_release(&model->pool);
}

static void layout(const snw_model *model, snw_model_layout *layout) {
	snw_put(layout, &(snw_model_layout){.size = sizeof(snw_model_layout), .d_count = 2, .e_count = model->posed.count});
}

static snw_status drive(const snw_drive_call *call) {
	const snw_pose_view *pose = call->pose;
	const snw_drive_output *output = call->output;
	const double bend = sin(snw_length3(pose->rotation_vectors + 3) / 2), twist = snw_length3(pose->rotation_vectors + 6);
	output->d[0] = bend * bend;
	output->d[1] = twist > 100 ? (double)NAN : twist * twist / (1 + twist * twist);
	if (call->model->posed.count > 0) {
		output->e[0] = output->d[0];
	}
	return SNW_OK;
}

static snw_status lower(const snw_lower_call *call) {
	snw_program_part part = {.size = sizeof part, .blend = SNW_BLEND_NONE};
	if (call->mesh == 0) {
		part.rest = &call->model->rest;
		part.posed = call->model->posed.count > 0 ? &call->model->posed : NULL;
	}
	snw_put(call->part, &part);
	return SNW_OK;
}

static snw_status describe(const snw_model *model, const snw_value *values, const snw_sink *sink) {
	static const char json[] = "{\"poseSpace\": {\"version\": 1, \"groups\": [{\"name\": \"elbow\", \"targets\": "
							   "[\"elbow/bend\", \"elbow/bend\", \"elbow/absent\"]}]}, \"other\": {\"version\": 3}}";
	(void)model;
	return values[2].numbers[0] != 0 ? sink->write(sink->context, "{}", 2) : sink->write(sink->context, json, sizeof json - 1);
}

static const snw_parameter *const parameters[] = {
	SNW_SWITCH("posed", "Posed", "Whether there is a displacement after the blend.", 0, SNW_STAGE_FIT),
	SNW_NUMBER("size", "Size", "What the displacements are multiplied by.", "", 1, 0, 1, SNW_STAGE_FIT, SNW_SOFT(0, 1)),
	SNW_SWITCH("silent", "Silent", "Whether it describes nothing.", 0, SNW_STAGE_DRIVE),
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.test.corrective",
	.short_name = "test-corrective",
	.name = "Test corrective",
	.version = "1.0",
	.paper = "",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON,
	.traits = SNW_BINDS,
	.parameter_count = 3,
	.parameters = parameters,
};

static const snw_deformer deformer = {
	.size = sizeof deformer,
	.descriptor = &descriptor,
	.create = snw_instance_create,
	.destroy = snw_instance_destroy,
	.fit = fit,
	.layout = layout,
	.drive = drive,
	.lower = lower,
	.release = release,
	.describe = describe,
};

SNW_PLUGIN(deformer)
