/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/session/drivers.h"

#include <string.h>

#include "fit/sculpt_reference.h"
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
	if (at == scene->example_count || context->document->number != job->number) {
		return SNW_CANCELLED; /* it will be sent again for the new document */
	}
	const snw_example *example = &scene->examples[at];
	const snw_pose *pose = &scene->poses[example->pose];
	const uint32_t corrective = snw_reference_layer(scene, context->registry);
	double *points, *original;
	const snw_status status =
		snw_sculpt_points(scene, context->registry, example->mesh, pose, at, corrective, job->arena, &points, &original, error);
	const snw_driver_query query = {
		.mesh = example->mesh, .pose = pose, .points_posed = points, .points_original = original, .corrective = corrective};
	/* Where the stack fails, the view says so. */
	return snw_failed(status) || snw_failed(snw_find_drivers(scene, context->registry, &query, job->arena, &request->items,
															 &request->count, error))
			   ? SNW_CANCELLED
			   : SNW_OK;
}

static snw_drivers_key drivers_key(const snw_document *document, uint32_t example) {
	const snw_scene *scene = document->scene;
	return (snw_drivers_key){example < scene->example_count ? scene->examples[example].id : 0, document->number};
}

static bool are_same(snw_drivers_key one, snw_drivers_key other) {
	return one.example == other.example && one.document == other.document;
}

static void found(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const drivers_request *request = data;
	const snw_scene *scene = session->document->scene;
	const snw_drivers_key key = {request->example, job->number};
	if (job->number != session->document->number || !are_same(key, session->drivers.requested)) {
		return;
	}
	if (snw_failed(job->status)) {
		snw_drivers_forget(session);
		session->drivers.requested = key;
	} else {
		snw_drivers_take(session, find_example(scene, request->example), request->count, request->items);
	}
}

void snw_drivers_take(snw_session *session, uint32_t example, uint32_t count, const snw_driver *items) {
	snw_drivers *drivers = &session->drivers;
	snw_drivers_forget(session);
	drivers->arena = snw_arena_create();
	drivers->key = drivers_key(session->document, example);
	drivers->items = count > 0 ? snw_arena_copy(drivers->arena, items, count * sizeof *items) : NULL;
	drivers->count = count;
}

void snw_drivers_forget(snw_session *session) {
	snw_arena_destroy(session->drivers.arena);
	session->drivers = (snw_drivers){0};
}

void snw_drivers_succeed(snw_session *session, const snw_document *former) {
	snw_drivers *drivers = &session->drivers;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < drivers->count; i++) {
		snw_driver item = drivers->items[i];
		item.joint = snw_scene_find_joint(session->document->scene, former->scene->skeleton.names[item.joint]);
		if (item.joint != SNW_NONE) {
			drivers->items[kept++] = item;
		}
	}
	drivers->count = kept;
}

void snw_drivers_follow(snw_session *session) {
	const snw_drivers_key chosen = drivers_key(session->document, session->state.example);
	if (chosen.example == 0 || are_same(chosen, session->drivers.key) || are_same(chosen, session->drivers.requested)) {
		return;
	}
	snw_job *job = snw_job_create("finding the joints that drive the example", sizeof(drivers_request));
	((drivers_request *)job->request)->example = chosen.example;
	job->run = find;
	job->done = found;
	session->drivers.requested = chosen;
	snw_background_send(session, job);
}

const snw_drivers *snw_drivers_known(const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const snw_drivers *drivers = &session->drivers;
	const uint32_t example = session->state.example;
	return drivers->arena && example < scene->example_count && scene->examples[example].id == drivers->key.example ? drivers
																												   : NULL;
}
