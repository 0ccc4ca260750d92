/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Moments are chosen in the window's thread, evaluated in the one beside.
 */
#include "window/session/error_scale.h"

#include <math.h>

#include "pose/pose.h"
#include "window/display/ground_truth.h"
#include "window/session/background.h"
#include "window/session/session.h"

enum { SAMPLES = 12 };

typedef struct scale_order {
	const snw_document *document;
	uint32_t round; /* of the studio's wish for it */
	uint32_t count;
	snw_moment moments[SAMPLES];
	const snw_pose *poses[SAMPLES];
	double most; /* the answer */
} scale_order;

/* The largest error of the linear blend at one moment, millimetres; 0 where it gives nothing. */
static double linear_error(const snw_document *document, const snw_moment *moment, const snw_pose *pose, snw_stack_frame *frame,
						   float *points, snw_arena *arena) {
	const snw_scene *scene = document->scene;
	const snw_stack *stack = document->methods[document->linear].stack;
	double most = 0;
	if (snw_stack_drive(stack, snw_pose_view_make(scene, pose, arena), frame, NULL) < 0) {
		return 0;
	}
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_wanted wanted = snw_wanted_at(scene, moment, m);
		if ((wanted.sculpt || wanted.frame) && snw_stack_run(stack, frame, m, points, NULL) >= 0) {
			most = fmax(most, snw_wanted_distances(&wanted, points, scene->meshes[m].point_count, NULL));
		}
	}
	return most;
}

static snw_status find(snw_desk_space *desk, snw_errand *errand, void *given, snw_error *error) {
	(void)error;
	scale_order *order = given;
	const snw_document *document = desk->document;
	if (document != order->document) {
		return SNW_CANCELLED; /* another one has come, which is asked about by itself */
	}
	uint32_t points = 0;
	for (uint32_t m = 0; m < document->scene->mesh_count; m++) {
		const uint32_t count = document->scene->meshes[m].point_count;
		points = count > points ? count : points;
	}
	float *posed = SNW_NEW_ARRAY(errand->arena, float, 3 * (size_t)points);
	snw_stack_frame *frame = snw_stack_frame_create(document->methods[document->linear].stack);
	for (uint32_t i = 0; i < order->count; i++) {
		order->most =
			fmax(order->most, linear_error(document, &order->moments[i], order->poses[i], frame, posed, errand->arena));
	}
	snw_stack_frame_destroy(frame);
	return SNW_OK;
}

static void found(snw_session *session, const snw_errand *errand, void *given) {
	const scale_order *order = given;
	snw_studio *studio = &session->studio;
	if (errand->status == SNW_OK && order->document == session->document && order->round == studio->scale_round) {
		studio->error_scale = snw_scale_of(order->most);
		studio->is_stale = true;
	}
}

static void add_moment(scale_order *order, const snw_scene *scene, const snw_moment *moment, const snw_pose *pose,
					   snw_arena *arena) {
	order->moments[order->count] = *moment;
	order->poses[order->count++] = snw_pose_copy(scene, pose, arena);
}

void snw_scale_seek(snw_session *session) {
	snw_studio *studio = &session->studio;
	const snw_clip_reel *reel = &studio->reel;
	if (!studio->wants_scale) {
		return;
	}
	studio->wants_scale = false;
	snw_errand *errand = snw_errand_make("finding the scale of the errors", sizeof(scale_order));
	scale_order *order = errand->order;
	*order = (scale_order){.document = session->document, .round = studio->scale_round};
	const uint32_t samples = reel->truth_count < SAMPLES ? reel->truth_count : SAMPLES;
	for (uint32_t i = 0; reel->arena && i < samples; i++) {
		const uint32_t at = samples > 1 ? (uint32_t)((uint64_t)i * (reel->truth_count - 1) / (samples - 1)) : 0;
		const snw_pose *pose = snw_clip_reel_pose(reel, reel->truth_seconds[at]);
		const snw_moment moment = {.pose = SNW_NONE, .clip = reel->clip, .seconds = pose->seconds};
		add_moment(order, studio->scene, &moment, pose, errand->arena);
	}
	if (!reel->arena) {
		const snw_moment moment = snw_studio_moment(studio);
		add_moment(order, studio->scene, &moment, studio->posed, errand->arena);
	}
	errand->run = find;
	errand->done = found;
	snw_aside_send(session, errand);
}
