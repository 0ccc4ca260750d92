/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/session/drivers.h"

#include <string.h>

#include "edit/commit_sculpt.h"
#include "pose/pose.h"
#include "window/session/background.h"
#include "window/session/session.h"

typedef struct drivers_request {
	int64_t example; /* its id */
	uint32_t count;
	snw_driver *items;
} drivers_request;

static uint32_t find_example(const snw_scene *scene, int64_t id) {
	uint32_t i = 0;
	while (i < scene->example_count && scene->examples[i].id != id) {
		i++;
	}
	return i;
}

static snw_status find(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	drivers_request *request = data;
	const snw_scene *scene = context->document->scene;
	const uint32_t at = find_example(scene, request->example);
	if (at == scene->example_count) {
		return SNW_CANCELLED;
	}
	const snw_example *example = &scene->examples[at];
	const snw_pose *pose = &scene->poses[example->pose];
	const uint32_t corrective = snw_sculpt_corrective(scene, context->registry);
	double *points, *original;
	const snw_status status =
		snw_sculpt_points(scene, context->registry, example->mesh, pose, at, corrective, job->arena, &points, &original, error);
	const snw_driver_query query = {
		.mesh = example->mesh, .pose = pose, .points_posed = points, .points_original = original, .corrective = corrective};
	return snw_failed(status)
			   ? status
			   : snw_find_drivers(scene, context->registry, &query, job->arena, &request->items, &request->count, error);
}

static void found(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const drivers_request *request = data;
	const snw_scene *scene = session->document->scene;
	const uint32_t example = find_example(scene, request->example);
	const bool is_usable = job->status >= 0 && job->status != SNW_CANCELLED && job->shape == session->document->shape;
	if (example < scene->example_count && request->example == session->drivers.requested) {
		snw_drivers_take(session, example, is_usable ? request->count : 0, request->items);
	}
}

void snw_drivers_take(snw_session *session, uint32_t example, uint32_t count, const snw_driver *items) {
	snw_drivers *drivers = &session->drivers;
	snw_drivers_forget(session);
	drivers->arena = snw_arena_create();
	drivers->example = session->document->scene->examples[example].id;
	drivers->items = count > 0 ? snw_arena_copy(drivers->arena, items, count * sizeof *items) : NULL;
	drivers->count = count;
}

void snw_drivers_forget(snw_session *session) {
	snw_arena_destroy(session->drivers.arena);
	session->drivers = (snw_drivers){0};
}

void snw_drivers_follow(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const uint32_t example = session->state.example;
	const int64_t id = example < scene->example_count ? scene->examples[example].id : 0;
	if (id == 0 || id == session->drivers.example || id == session->drivers.requested) {
		return;
	}
	snw_job *job = snw_job_create("finding the joints that drive the example", sizeof(drivers_request));
	((drivers_request *)job->request)->example = id;
	job->run = find;
	job->done = found;
	session->drivers.requested = id;
	snw_background_send(session, job);
}

const snw_drivers *snw_drivers_known(const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const snw_drivers *drivers = &session->drivers;
	const uint32_t example = session->state.example;
	return drivers->arena && example < scene->example_count && scene->examples[example].id == drivers->example ? drivers : NULL;
}
