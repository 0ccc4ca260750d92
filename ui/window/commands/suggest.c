/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Suggests which pose to sculpt next: by trying the frames of a clip that has a target, else by leaving out each example.
 */
#include <math.h>
#include <stdio.h>

#include "fit/sculpt_reference.h"
#include "measure/suggest_pose.h"
#include "sinew/algebra.h"
#include "window/jobs/project_edit.h"
#include "window/units/lengths.h"

#define SAME_POSE 0.01 /* radians */

/* ---- over a clip with a target ------------------------------------------------------------------------------------ */

typedef struct clip_request {
	const char *clip;
	uint32_t layer; /* SNW_NONE: there is none yet */
	snw_suggest_request suggestion;
	double diagonal; /* of the target's mesh */
	snw_suggestions found;
} clip_request;

static snw_status try_frames(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	clip_request *request = data;
	const snw_scene *scene = context->document->scene;
	request->suggestion.layer = request->layer == SNW_NONE ? NULL : &scene->layers[request->layer];
	request->diagonal = snw_scene_diagonal(scene, scene->targets[request->suggestion.target].mesh);
	return snw_suggest(scene, context->registry, &request->suggestion, context->task, job->arena, &request->found, error);
}

static void show_frame(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	const clip_request *request = data;
	const uint32_t clip = snw_scene_find_clip(session->document->scene, request->clip);
	if (request->found.count == 0 || clip == SNW_NONE) {
		snw_view_state_say(&session->state, "No frame of %s would reduce the error.", request->clip);
		return;
	}
	const snw_suggestion *best = &request->found.list[0];
	snw_session_choose_clip(session, clip);
	session->state.playing = false;
	session->state.seconds = best->seconds;
	char before[40], after[40];
	snw_error_write(session, request->found.erms, request->diagonal, before, sizeof before);
	snw_error_write(session, best->erms, request->diagonal, after, sizeof after);
	snw_view_state_say(&session->state,
					   "Sculpt %s at %.3g s: of the frames tried, it helps most. The %s of the clip would fall from %s to %s.",
					   request->clip, best->seconds, snw_error_name(session), before, after);
}

static void send_clip(snw_session *session, uint32_t target) {
	const snw_scene *scene = session->document->scene;
	snw_job *job = snw_job_create("trying frames of the clip as examples", sizeof(clip_request));
	clip_request *request = job->request;
	request->clip = snw_arena_text(job->arena, scene->clips[scene->targets[target].clip].name);
	request->layer = snw_reference_layer(scene, session->registry);
	const snw_deformer *deformer =
		request->layer == SNW_NONE ? NULL : snw_registry_find(session->registry, scene->layers[request->layer].deformer);
	request->suggestion = (snw_suggest_request){.target = target,
												.method = deformer ? deformer->descriptor->short_name
																   : snw_registry_trait_name(session->registry, SNW_CORRECTS),
												.count = 1};
	if (!request->suggestion.method) {
		snw_view_state_warn(&session->state, "No loaded plug-in corrects a skin from examples.");
		snw_job_destroy(job);
		return;
	}
	job->is_long = true;
	job->reloads = false;
	job->run = try_frames;
	job->done = show_frame;
	snw_session_send(session, job);
}

/* ---- among the examples ------------------------------------------------------------------------------------------- */

typedef struct example_request {
	const char *layer;
	double metres; /* the largest error */
	char name[200];
} example_request;

static snw_status leave_out(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	example_request *request = data;
	const snw_scene *scene = context->document->scene;
	snw_measure *measures = SNW_NEW_ARRAY(job->arena, snw_measure, scene->example_count);
	const snw_status status =
		snw_measure_leave_one_out(scene, context->registry, request->layer, context->task, measures, error);
	for (uint32_t i = 0; !snw_failed(status) && i < scene->example_count; i++) {
		const double metres = measures[i].max_percent / 100 * snw_scene_diagonal(scene, scene->examples[i].mesh);
		if (metres > request->metres) {
			request->metres = metres;
			snprintf(request->name, sizeof request->name, "%s", scene->examples[i].name);
		}
	}
	return status;
}

static void show_example(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	const example_request *request = data;
	const uint32_t example = snw_scene_find_example(session->document->scene, request->name);
	if (example != SNW_NONE) {
		session->state.example = example;
		snw_session_choose_pose(session, session->document->scene->examples[example].pose);
		char error[40];
		snw_length_write(session, request->metres, error, sizeof error);
		snw_view_state_say(&session->state, "The other examples predict %s worst, by up to %s: sculpt a pose near it.",
						   request->name, error);
	}
}

static void send_examples(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const uint32_t layer = snw_reference_layer(scene, session->registry);
	if (layer == SNW_NONE || snw_scene_active_example_count(scene) < 2) {
		snw_view_state_warn(&session->state, "A suggestion needs two fitted examples, or a clip with a target.");
		return;
	}
	snw_job *job = snw_job_create("leaving out each example", sizeof(example_request));
	((example_request *)job->request)->layer = snw_arena_text(job->arena, scene->layers[layer].name);
	job->is_long = true;
	job->reloads = false;
	job->run = leave_out;
	job->done = show_example;
	snw_session_send(session, job);
}

/* ---- the next frame ------------------------------------------------------------------------------------------------------ */

/* How far a pose is from the nearest sculpted one of the mesh, or from rest: the largest difference of a joint, radians. */
static double distance_from_sculpts(const snw_scene *scene, uint32_t mesh, const snw_pose *pose) {
	double nearest = (double)INFINITY;
	for (uint32_t i = 0; i <= scene->example_count; i++) {
		const bool is_rest = i == scene->example_count;
		double most = 0;
		if (!is_rest && scene->examples[i].mesh != mesh) {
			continue;
		}
		const snw_pose *other = &scene->poses[is_rest ? 0 : scene->examples[i].pose];
		for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
			const double *a = pose->rotation_vectors + 3 * (size_t)j, *b = other->rotation_vectors + 3 * (size_t)j;
			most = fmax(most, snw_length3((double[]){a[0] - b[0], a[1] - b[1], a[2] - b[2]}));
		}
		nearest = fmin(nearest, most);
	}
	return nearest;
}

void snw_do_sculpt_next(snw_session *session, const snw_command *command) {
	(void)command;
	const snw_scene *scene = session->document->scene;
	const uint32_t mesh = snw_session_mesh(session);
	if (scene->clip_count == 0 || mesh == SNW_NONE || scene->pose_count == 0) {
		snw_view_state_warn(&session->state, "There is no clip with frames to sculpt. Clips come with an imported character.");
		return;
	}
	if (session->state.clip == SNW_NONE) {
		snw_session_choose_clip(session, 0); /* which Space plays, too */
	}
	const snw_sampled_clip *sampled = &session->display.sampled;
	double most = SAME_POSE, seconds = -1;
	for (uint32_t k = 0; k < sampled->key_count; k++) {
		const double away = distance_from_sculpts(scene, mesh, snw_sampled_clip_pose(sampled, sampled->key_seconds[k]));
		if (away > most) {
			most = away;
			seconds = sampled->key_seconds[k];
		}
	}
	if (seconds < 0) {
		snw_view_state_say(&session->state, "Every frame of %s is like a pose that is sculpted, or like rest.",
						   scene->clips[session->state.clip].name);
		return;
	}
	snw_session_discard_pose(session);
	session->state.playing = false;
	session->state.seconds = seconds;
	if (!session->state.sculpting) {
		snw_sculpting_enter(session);
	}
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
