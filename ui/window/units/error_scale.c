/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Moments are chosen in the window's thread and evaluated in the background.
 */
#include "window/units/error_scale.h"

#include <math.h>

#include "measure/measured_frames.h"
#include "pose/pose.h"
#include "window/session/background.h"
#include "window/session/session.h"

enum { SAMPLES = 12 };

typedef struct scale_request {
	uint32_t round; /* the display's scale_round at the request */
	uint32_t count;
	snw_moment moments[SAMPLES];
	const snw_pose *poses[SAMPLES];
	double most; /* the result */
} scale_request;

/* The largest error of the baseline at one moment, millimetres; 0 if it gives no points. */
static double baseline_error(const snw_document *document, const snw_moment *moment, const snw_pose *pose,
							 snw_evaluation *evaluation, float *points, snw_arena *arena) {
	const snw_scene *scene = document->scene;
	const snw_stack *stack = document->methods[document->baseline].stack;
	double most = 0;
	if (snw_failed(snw_stack_drive(stack, snw_pose_view_make(scene, pose, arena), evaluation, NULL))) {
		return 0;
	}
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_ground_truth truth = snw_ground_truth_at(scene, moment, m);
		if ((truth.sculpt || truth.frame) && !snw_failed(snw_stack_run(stack, evaluation, m, points, NULL))) {
			most = fmax(most, snw_ground_truth_distances(&truth, points, scene->meshes[m].point_count, NULL));
		}
	}
	return most;
}

static snw_status find_scale(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	(void)error;
	scale_request *request = data;
	const snw_document *document = context->document;
	if (document->number != job->number) {
		return SNW_CANCELLED; /* the display of a later document makes its own request */
	}
	uint32_t points = 0;
	for (uint32_t m = 0; m < document->scene->mesh_count; m++) {
		const uint32_t count = document->scene->meshes[m].point_count;
		points = count > points ? count : points;
	}
	float *posed = SNW_NEW_ARRAY(job->arena, float, 3 * (size_t)points);
	snw_evaluation *evaluation = snw_evaluation_create(document->methods[document->baseline].stack);
	for (uint32_t i = 0; i < request->count; i++) {
		request->most = fmax(request->most,
							 baseline_error(document, &request->moments[i], request->poses[i], evaluation, posed, job->arena));
	}
	snw_evaluation_destroy(evaluation);
	return SNW_OK;
}

static void found_scale(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const scale_request *request = data;
	snw_display *display = &session->display;
	if (!snw_failed(job->status) && job->number == session->document->number && request->round == display->scale_round) {
		display->error_scale = snw_error_scale_round(request->most);
		display->is_stale = true;
	}
}

static void add_moment(scale_request *request, const snw_scene *scene, const snw_moment *moment, const snw_pose *pose,
					   snw_arena *arena) {
	request->moments[request->count] = *moment;
	request->poses[request->count++] = snw_pose_copy(scene, pose, arena);
}

void snw_error_scale_request(snw_session *session) {
	snw_display *display = &session->display;
	const snw_sampled_clip *sampled = &display->sampled;
	if (!display->needs_scale) {
		return;
	}
	display->needs_scale = false;
	snw_job *job = snw_job_create("finding the scale of the errors", sizeof(scale_request));
	scale_request *request = job->request;
	request->round = display->scale_round;
	const uint32_t samples = sampled->truth_count < SAMPLES ? sampled->truth_count : SAMPLES;
	for (uint32_t i = 0; sampled->arena && i < samples; i++) {
		const uint32_t at = samples > 1 ? (uint32_t)((uint64_t)i * (sampled->truth_count - 1) / (samples - 1)) : 0;
		const snw_pose *pose = snw_sampled_clip_pose(sampled, sampled->truth_seconds[at]);
		const snw_moment moment = {.pose = SNW_NONE, .clip = sampled->clip, .seconds = pose->seconds};
		add_moment(request, display->scene, &moment, pose, job->arena);
	}
	if (!sampled->arena) {
		const snw_moment moment = snw_display_moment(display);
		add_moment(request, display->scene, &moment, display->posed, job->arena);
	}
	job->run = find_scale;
	job->done = found_scale;
	snw_background_send(session, job);
}
