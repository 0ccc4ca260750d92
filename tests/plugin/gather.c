/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A method that uses rare features: open and close, an extension, corners with their UVs and normals, the thread index for
 * scratch in its fit, and prepare for a sum over the whole mesh.
 *
 * In each pass a point moves towards the centroid of all points, by the mean u of its corners, and along the mean normal of
 * its corners.
 */
#include "gather.h"

#include "sinew/plugin.h"

enum { PASSES = 2, GRAIN = 16 };
#define STRENGTH 0.25
#define LIFT 0.01 /* metres a pass */

SNW_EXPORT extern gather_calls gather_calls_made __attribute__((weak)); /* so that the validator knows that it hides nothing */
gather_calls gather_calls_made;

static const snw_descriptor descriptor = {.size = sizeof descriptor,
										  .id = "org.sinew.test.gather",
										  .short_name = "test-gather",
										  .name = "Gather",
										  .version = "1.0",
										  .paper = "",
										  .needs = SNW_NEEDS_MESH | SNW_NEEDS_FACES,
										  .traits = SNW_BINDS,
										  .rings = SNW_NONE};

/* ---- the model ----------------------------------------------------------------------------------------------------------- */

/* Of one mesh, by point. */
typedef struct mesh {
	uint32_t point_count;
	double *shares; /* mean u */
	double *lifts;  /* [3], mean normal */
} mesh;

struct snw_model {
	snw_pool pool; /* holds the model itself */
	uint32_t mesh_count;
	mesh *meshes;
};

static void SNW_CALL release(snw_model *model) {
	if (model) {
		snw_pool_release(&model->pool);
	}
}

/* ---- fitting ------------------------------------------------------------------------------------------------------------- */

/* The sums of one chunk, in the scratch of its thread: u, normal and the number of corners of each point. */
typedef struct sums {
	double values[GRAIN][5];
	atomic_flag is_busy;
} sums;

typedef struct gathering {
	const snw_mesh_view *view;
	mesh *dest;
	sums *scratch; /* [thread_count] */
	uint32_t thread_count;
} gathering;

static void add_corners(const snw_mesh_view *view, uint32_t begin, uint32_t end, double values[][5]) {
	for (uint32_t corner = 0; corner < view->face_offsets[view->face_count]; corner++) {
		const uint32_t point = view->face_points[corner];
		if (point < begin || point >= end) {
			continue;
		}
		double *sum = values[point - begin];
		sum[0] += view->corner_uvs ? (double)view->corner_uvs[2 * (size_t)corner] : 0;
		for (size_t c = 0; c < 3 && view->corner_normals; c++) {
			sum[1 + c] += (double)view->corner_normals[3 * (size_t)corner + c];
		}
		sum[4] += 1;
	}
}

static void SNW_CALL gather_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const gathering *g = argument;
	gather_calls_made.chunks++;
	if (thread >= g->thread_count) {
		gather_calls_made.past++;
		return;
	}
	sums *mine = &g->scratch[thread];
	gather_calls_made.collisions += atomic_flag_test_and_set(&mine->is_busy);
	memset(mine->values, 0, sizeof mine->values);
	add_corners(g->view, begin, end, mine->values);
	for (uint32_t i = begin; i < end; i++) {
		const double *sum = mine->values[i - begin], count = sum[4] > 0 ? sum[4] : 1;
		g->dest->shares[i] = sum[0] / count;
		for (size_t c = 0; c < 3; c++) {
			g->dest->lifts[3 * (size_t)i + c] = sum[1 + c] / count;
		}
	}
	atomic_flag_clear(&mine->is_busy);
}

static snw_status fit_mesh(const snw_host *host, const snw_mesh_view *view, snw_pool *pool, mesh *dest) {
	const snw_parallel_service *parallel = host->service(host, SNW_SERVICE_PARALLEL);
	if (!parallel) {
		return SNW_ERROR_UNSUPPORTED;
	}
	snw_pool scratch = snw_pool_open(host);
	gathering g = {.view = view, .dest = dest, .thread_count = parallel->thread_count(host)};
	g.scratch = SNW_POOL_ARRAY(&scratch, sums, g.thread_count);
	*dest = (mesh){view->point_count, SNW_POOL_ARRAY(pool, double, view->point_count),
				   SNW_POOL_ARRAY(pool, double, 3 * (size_t)view->point_count)};
	const int good = !pool->failed && !scratch.failed;
	if (good) {
		parallel->run(host, view->point_count, GRAIN, gather_chunk, &g);
	}
	snw_pool_release(&scratch);
	return good ? SNW_OK : SNW_ERROR_MEMORY;
}

static snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **dest) {
	snw_pool pool = snw_pool_open(instance->host);
	snw_model *model = SNW_POOL_ARRAY(&pool, snw_model, 1);
	mesh *meshes = SNW_POOL_ARRAY(&pool, mesh, input->character->mesh_count);
	snw_status status = model && meshes ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t m = 0; status == SNW_OK && m < input->character->mesh_count; m++) {
		status = fit_mesh(instance->host, input->character->meshes[m], &pool, &meshes[m]);
	}
	if (status != SNW_OK) {
		snw_pool_release(&pool);
		return status;
	}
	*model = (snw_model){pool, input->character->mesh_count, meshes};
	*dest = model;
	return SNW_OK;
}

/* ---- running ------------------------------------------------------------------------------------------------------------- */

static void SNW_CALL layout(const snw_model *model, snw_model_layout *dest) {
	(void)model;
	snw_put(dest, &(snw_model_layout){.size = sizeof(snw_model_layout), .prepared_bytes = 3 * sizeof(double)});
}

static uint32_t SNW_CALL passes(const snw_model *model, const snw_value *values) {
	(void)model;
	(void)values;
	return PASSES;
}

static snw_status SNW_CALL prepare(const snw_deform_call *call) {
	double *centroid = call->prepared;
	if (call->points_out || call->scratch) {
		return SNW_ERROR_INTERNAL;
	}
	if (gather_calls_made.prepares) {
		++*gather_calls_made.prepares;
	}
	for (size_t c = 0; c < 3; c++) {
		centroid[c] = 0;
		for (uint32_t i = call->begin; i < call->end; i++) {
			centroid[c] += call->points_in[3 * (size_t)i + c];
		}
		centroid[c] /= call->end;
	}
	return SNW_OK;
}

static snw_status SNW_CALL deform(const snw_deform_call *call) {
	const double *centroid = call->prepared;
	const mesh *from = &call->model->meshes[call->mesh];
	for (size_t i = call->begin; i < call->end; i++) {
		for (size_t c = 0; c < 3; c++) {
			const double in = call->points_in[3 * i + c];
			call->points_out[3 * i + c] = in + STRENGTH * from->shares[i] * (centroid[c] - in) + LIFT * from->lifts[3 * i + c];
		}
	}
	return SNW_OK;
}

/* ---- the plug-in --------------------------------------------------------------------------------------------------------- */

static double strength(void) {
	return STRENGTH;
}

static const void *SNW_CALL extension(const snw_deformer *self, const char *id) {
	static const gather_strength table = {sizeof table, strength};
	return self->descriptor == &descriptor && strcmp(id, GATHER_EXTENSION) == 0 ? &table : NULL;
}

static const snw_deformer deformer = {.size = sizeof deformer,
									  .descriptor = &descriptor,
									  .create = snw_instance_create,
									  .destroy = snw_instance_destroy,
									  .fit = fit,
									  .layout = layout,
									  .passes = passes,
									  .prepare = prepare,
									  .deform = deform,
									  .release = release,
									  .extension = extension};

static const snw_deformer *SNW_CALL deformer_at(uint32_t index) {
	return index == 0 ? &deformer : NULL;
}

static snw_status SNW_CALL open_plugin(const snw_open_call *call) {
	strncpy(gather_calls_made.path, call->path, sizeof gather_calls_made.path - 1);
	if (gather_calls_made.refuses) {
		return SNW_ERROR_MISSING;
	}
	gather_calls_made.opens++;
	return SNW_OK;
}

static void SNW_CALL close_plugin(void) {
	gather_calls_made.closes++;
}

SNW_EXPORT extern const snw_entry SNW_ENTRY_SYMBOL;
const snw_entry SNW_ENTRY_SYMBOL = {sizeof(snw_entry), SNW_ABI_MAJOR, SNW_ABI_MINOR, 1, deformer_at, open_plugin, close_plugin};
