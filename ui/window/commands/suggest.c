/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which pose to sculpt next. Where the clip that is shown has a target, by trying its frames; else by leaving each example out.
 */
#include <stdio.h>

#include "measure/suggest_pose.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

static const char usual_method[] = "inverse-psd";

/* ---- over a clip with a target ------------------------------------------------------------------------------------ */

typedef struct clip_order {
	const char *clip;
	uint32_t layer; /* SNW_NONE: none is there yet */
	snw_suggest_request request;
	snw_suggestions found;
} clip_order;

static snw_status try_frames(snw_desk_space *desk, snw_errand *errand, void *given, snw_error *error) {
	clip_order *order = given;
	const snw_scene *scene = desk->document->scene;
	order->request.layer = order->layer == SNW_NONE ? NULL : &scene->layers[order->layer];
	return snw_suggest(scene, desk->registry, &order->request, desk->task, errand->arena, &order->found, error);
}

static void show_frame(snw_session *session, const snw_errand *errand, void *given) {
	(void)errand;
	const clip_order *order = given;
	const uint32_t clip = snw_scene_find_clip(session->document->scene, order->clip);
	if (order->found.count == 0 || clip == SNW_NONE) {
		snw_view_state_say(&session->state, "No frame of %s would make it better.", order->clip);
		return;
	}
	const snw_suggestion *best = &order->found.list[0];
	snw_session_choose_clip(session, clip);
	session->state.playing = false;
	session->state.seconds = best->seconds;
	snw_view_state_say(
		&session->state,
		"Sculpt %s at %.3g s: of the frames that were tried it helps most; ERMS over the clip %.3g, and %.3g with it.",
		order->clip, best->seconds, order->found.erms_now, best->erms);
}

static void send_clip(snw_session *session, uint32_t target) {
	const snw_scene *scene = session->document->scene;
	snw_errand *errand = snw_errand_make("trying frames of the clip as examples", sizeof(clip_order));
	clip_order *order = errand->order;
	order->clip = snw_arena_text(errand->arena, scene->clips[scene->targets[target].clip].name);
	order->layer = snw_errand_corrective(scene, session->registry);
	const snw_deformer *deformer =
		order->layer == SNW_NONE ? NULL : snw_registry_find(session->registry, scene->layers[order->layer].deformer);
	order->request = (snw_suggest_request){
		.target = target, .method = deformer ? deformer->descriptor->short_name : usual_method, .count = 1};
	errand->is_long = true;
	errand->reloads = false;
	errand->run = try_frames;
	errand->done = show_frame;
	snw_session_send(session, errand);
}

/* ---- among the examples ------------------------------------------------------------------------------------------- */

typedef struct example_order {
	const char *layer;
	double percent;
	char name[200];
} example_order;

static snw_status leave_out(snw_desk_space *desk, snw_errand *errand, void *given, snw_error *error) {
	example_order *order = given;
	const snw_scene *scene = desk->document->scene;
	snw_measure *measures = SNW_NEW_ARRAY(errand->arena, snw_measure, scene->example_count);
	const snw_status status = snw_measure_leave_one_out(scene, desk->registry, order->layer, desk->task, measures, error);
	for (uint32_t i = 0; status >= 0 && i < scene->example_count; i++) {
		if (measures[i].max_percent > order->percent) {
			order->percent = measures[i].max_percent;
			snprintf(order->name, sizeof order->name, "%s", scene->examples[i].name);
		}
	}
	return status;
}

static void show_example(snw_session *session, const snw_errand *errand, void *given) {
	(void)errand;
	const example_order *order = given;
	const uint32_t example = snw_scene_find_example(session->document->scene, order->name);
	if (example != SNW_NONE) {
		session->state.example = example;
		snw_session_choose_pose(session, session->document->scene->examples[example].pose);
		snw_view_state_say(&session->state,
						   "Around %s the others say least (%.1f %% of the diagonal without it): sculpt a pose near it.",
						   order->name, order->percent);
	}
}

static void send_examples(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const uint32_t layer = snw_errand_corrective(scene, session->registry);
	if (layer == SNW_NONE || snw_scene_active_example_count(scene) < 2) {
		snw_view_state_warn(&session->state,
							"Two fitted examples at least are needed to tell what is missing, or a clip with a "
							"target.");
		return;
	}
	snw_errand *errand = snw_errand_make("leaving each example out in turn", sizeof(example_order));
	((example_order *)errand->order)->layer = snw_arena_text(errand->arena, scene->layers[layer].name);
	errand->is_long = true;
	errand->reloads = false;
	errand->run = leave_out;
	errand->done = show_example;
	snw_session_send(session, errand);
}

/* ---- the command -------------------------------------------------------------------------------------------------- */

uint32_t snw_session_clip_target(const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	for (uint32_t i = 0; i < scene->target_count && session->state.clip != SNW_NONE; i++) {
		if (scene->targets[i].clip == session->state.clip) {
			return i;
		}
	}
	return SNW_NONE;
}

void snw_do_suggest(snw_session *session, const snw_command *command) {
	(void)command;
	const uint32_t target = snw_session_clip_target(session);
	if (target != SNW_NONE) {
		send_clip(session, target);
	} else {
		send_examples(session);
	}
}
