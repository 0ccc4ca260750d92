/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/session/sculpt_distances.h"

#include <math.h>

#include "fit/sculpt_reference.h"
#include "sinew/algebra.h"
#include "window/session/background.h"
#include "window/session/session.h"

typedef struct distances_request {
	int64_t example; /* its id */
	uint32_t mesh, count;
	double *values;
} distances_request;

static uint32_t find_example(const snw_scene *scene, int64_t id) {
	uint32_t i = 0;
	while (i < scene->example_count && scene->examples[i].id != id) {
		i++;
	}
	return i;
}

static snw_status find_distances(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	distances_request *request = data;
	const snw_scene *scene = context->document->scene;
	const uint32_t at = find_example(scene, request->example);
	if (at == scene->example_count || context->document->number != job->number) {
		return SNW_CANCELLED; /* it will be sent again for the new document */
	}
	const snw_example *example = &scene->examples[at];
	double *points, *original;
	const uint32_t corrective = snw_reference_layer(scene, context->registry);
	if (snw_failed(snw_sculpt_points(scene, context->registry, example->mesh, &scene->poses[example->pose], at, corrective,
									 job->arena, &points, &original, error))) {
		return SNW_CANCELLED; /* where the stack fails, the view says so */
	}
	request->mesh = example->mesh;
	request->count = scene->meshes[example->mesh].point_count;
	request->values = SNW_NEW_ARRAY(job->arena, double, request->count);
	for (size_t p = 0; p < request->count; p++) {
		request->values[p] = 1000 * sqrt(snw_squared_distance3(points + 3 * p, original + 3 * p));
	}
	return SNW_OK;
}

static snw_drivers_key key_of(const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const uint32_t example = session->state.example;
	const bool is_shown = session->state.heat == SNW_HEAT_SCULPT && example < scene->example_count;
	return (snw_drivers_key){is_shown ? scene->examples[example].id : 0, session->document->number};
}

static bool are_same(snw_drivers_key one, snw_drivers_key other) {
	return one.example == other.example && one.document == other.document;
}

static void found_distances(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const distances_request *request = data;
	snw_sculpt_distances *distances = &session->sculpt_distances;
	const snw_drivers_key key = {request->example, job->number};
	if (job->number != session->document->number || !are_same(key, distances->requested)) {
		return;
	}
	snw_sculpt_distances_forget(session);
	distances->key = distances->requested = key;
	if (!snw_failed(job->status)) {
		distances->arena = snw_arena_create();
		distances->mesh = request->mesh;
		distances->count = request->count;
		distances->values = snw_arena_copy(distances->arena, request->values, request->count * sizeof *request->values);
	}
}

void snw_sculpt_distances_forget(snw_session *session) {
	snw_arena_destroy(session->sculpt_distances.arena);
	session->sculpt_distances = (snw_sculpt_distances){0};
	session->display.sculpt_distances = NULL;
	session->display.is_stale = true;
}

void snw_sculpt_distances_follow(snw_session *session) {
	const snw_drivers_key chosen = key_of(session);
	snw_sculpt_distances *distances = &session->sculpt_distances;
	if (chosen.example != 0 && !are_same(chosen, distances->key) && !are_same(chosen, distances->requested)) {
		snw_job *job = snw_job_create("measuring the sculpt", sizeof(distances_request));
		((distances_request *)job->request)->example = chosen.example;
		job->run = find_distances;
		job->done = found_distances;
		distances->requested = chosen;
		snw_background_send(session, job);
	}
	/* those of the example before a stroke stay until the new ones are there */
	const snw_scene *scene = session->document->scene;
	const bool is_known = distances->values && distances->key.example == chosen.example &&
						  distances->mesh < scene->mesh_count && scene->meshes[distances->mesh].point_count == distances->count;
	const double *shown = is_known ? distances->values : NULL;
	if (shown != session->display.sculpt_distances) {
		session->display.sculpt_distances = shown;
		session->display.sculpt_mesh = distances->mesh;
		session->display.is_stale = true;
	}
}
