/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One errand: pose, example, group, and the fit after it.
 */
#include "window/commands/keep_sculpt.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "edit/commit_fit.h"
#include "edit/commit_sculpt.h"
#include "edit/groups.h"
#include "fit/fit.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

#define STILL 1e-6 /* radians, metres, times: nearer to rest than that is rest */

typedef struct keep_order {
	const char *name; /* of the example */
	const char *pose_name;
	snw_pose *pose;
	const char *group; /* of a new example */
	uint32_t joint;    /* that a new group follows; SNW_NONE: the method chooses */
	uint32_t mesh;
	const double *points; /* NULL: what the method makes of the pose */
	uint32_t method;      /* of the document's; SNW_NONE: the rest is shown */
	uint32_t stroke;
} keep_order;

/* ---- the project's side ------------------------------------------------------------------------------------------- */

static uint32_t count_learners(const snw_scene *scene, const snw_registry *registry) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		const snw_deformer *deformer = snw_registry_find(registry, scene->layers[i].deformer);
		count += deformer && deformer->descriptor->needs & SNW_NEEDS_EXAMPLES && !scene->layers[i].muted;
	}
	return count;
}

/* What is shown of the mesh. */
static snw_status find_shown(const snw_desk_space *desk, const keep_order *order, snw_arena *arena, const double **points,
							 snw_error *error) {
	const snw_scene *scene = desk->document->scene;
	const snw_mesh *mesh = &scene->meshes[order->mesh];
	const bool has_method = order->method < desk->document->method_count;
	const snw_stack *stack = has_method ? desk->document->methods[order->method].stack : NULL;
	if (!stack) {
		*points = mesh->points_rest;
		return SNW_OK;
	}
	double *posed = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count);
	snw_stack_frame *frame = snw_stack_frame_create_truth(stack);
	snw_status status = snw_stack_drive(stack, snw_pose_view_make(scene, order->pose, arena), frame, error);
	status = status < 0 ? status : snw_stack_truth(stack, frame, order->mesh, NULL, posed, error);
	snw_stack_frame_destroy(frame);
	*points = posed;
	return status;
}

/* Kept and fitted as one step; what keeps it from being fitted is told. */
static snw_status keep(snw_desk_space *desk, snw_errand *errand, void *given, snw_error *error) {
	const keep_order *order = given;
	const snw_scene *scene = desk->document->scene;
	const uint32_t found = snw_scene_find_example(scene, order->name),
				   corrective = snw_sculpt_corrective(scene, desk->registry);
	if (!desk->project) {
		return snw_fail(error, SNW_ERROR_MISSING, "no project is open; open one first");
	}
	order->pose->name = order->pose_name;
	const snw_pose *pose = found == SNW_NONE ? order->pose : &scene->poses[scene->examples[found].pose];
	double *points, *original;
	snw_status status = snw_sculpt_points(scene, desk->registry, order->mesh, pose, found, corrective, errand->arena, &points,
										  &original, error);
	const double *wanted = order->points;
	status = status < 0 || wanted ? status : find_shown(desk, order, errand->arena, &wanted, error);
	if (status < 0) {
		return status;
	}
	const snw_sculpt_keep keeping = {.label = errand->what,
									 .example = order->name,
									 .mesh = order->mesh,
									 .points_posed = wanted,
									 .points_original = original,
									 .pose = pose,
									 .group = order->group,
									 .joint_count = order->joint == SNW_NONE ? 0 : 1,
									 .joints = &order->joint,
									 .corrective = corrective,
									 .method = "inverse-psd"};
	snw_sculpt_kept kept;
	status = snw_sculpt_keep_example(desk->project, scene, desk->registry, &keeping, desk->task, errand->arena, &kept, error);
	if (status >= 0 && kept.trouble) {
		snprintf(errand->caveat.text, sizeof errand->caveat.text, "%s", kept.trouble);
	}
	const bool others_learn = count_learners(scene, desk->registry) > 1;
	return status < 0 || !others_learn ? status : snw_errand_refresh(desk, errand, error);
}

/* ---- the corrective that follows ---------------------------------------------------------------------------------- */

uint32_t snw_errand_corrective(const snw_scene *scene, const snw_registry *registry) {
	for (uint32_t i = scene->layer_count; i-- > 0;) {
		const snw_deformer *deformer = snw_registry_find(registry, scene->layers[i].deformer);
		const uint32_t needs = deformer ? deformer->descriptor->needs : 0;
		if (needs & SNW_NEEDS_EXAMPLES && !scene->layers[i].muted) {
			return i;
		}
	}
	return SNW_NONE;
}

/* ---- the window's side -------------------------------------------------------------------------------------------- */

/* And a group that it is in: the chosen one, where it is in it. */
static void choose(snw_session *session, uint32_t example) {
	const snw_scene *scene = session->document->scene;
	const uint32_t group = session->state.group;
	session->state.example = example;
	if (group < scene->group_count && snw_group_member(&scene->groups[group], example) != SNW_NONE) {
		return;
	}
	for (uint32_t g = scene->group_count; g-- > 0;) {
		session->state.group = snw_group_member(&scene->groups[g], example) != SNW_NONE ? g : session->state.group;
	}
}

static void kept(snw_session *session, const snw_errand *errand, void *given) {
	(void)errand;
	const keep_order *order = given;
	const uint32_t example = snw_scene_find_example(session->document->scene, order->name);
	snw_sculpting *s = &session->sculpting;
	if (order->stroke > 0) {
		s->sent[SNW_BRUSH_POINTS] = order->stroke; /* with all that had not got there before */
	}
	if (example != SNW_NONE) {
		choose(session, example);
		if (session->state.sculpting || session->state.clip != SNW_NONE || session->hand) {
			session->state.pose = session->document->scene->examples[example].pose;
			session->state.clip = SNW_NONE;
			snw_session_drop_hand(session);
			snw_studio_choose_clip(&session->studio, SNW_NONE);
		}
	}
	snw_sculpting_follow(session, false);
	const snw_document *document = session->document;
	if (example != SNW_NONE && document->scene->examples[example].muted) {
		snw_view_state_say(&session->state, "%s is muted: its sculpt is kept, and acts when it is unmuted.", order->name);
	} else if (example != SNW_NONE && document->solo != SNW_NONE && document->solo != example) {
		snw_view_state_say(&session->state, "%s is kept; only %s is shown, until Solo is pressed again.", order->name,
						   document->scene->examples[document->solo].name);
	}
}

/* The joint that is farthest from rest: what the sculpt is about. */
static uint32_t most_turned(const snw_scene *scene, const snw_pose *pose) {
	uint32_t most = SNW_NONE;
	double angle = 0.05;
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		const double turn = snw_length3(pose->rotation_vectors + 3 * (size_t)j);
		if (turn > angle) {
			angle = turn;
			most = j;
		}
	}
	return most;
}

static bool is_nameless(const snw_session *session, const snw_pose *pose) {
	return session->hand || session->state.clip != SNW_NONE || snw_pose_is_unnamed(pose->name) || session->state.pose == 0;
}

/* At rest the rest is given, so nothing can be learned there. */
static bool is_at_rest(const snw_scene *scene, const snw_pose *pose) {
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		const snw_transform *now = &pose->local[j], *rest = &scene->skeleton.rest_local[j];
		for (size_t c = 0; c < 3; c++) {
			if (fabs(pose->rotation_vectors[3 * (size_t)j + c]) > STILL ||
				fabs(now->translation[c] - rest->translation[c]) > STILL || fabs(now->scale[c] - rest->scale[c]) > STILL) {
				return false;
			}
		}
	}
	return true;
}

bool snw_may_keep_example(snw_session *session, uint32_t mesh) {
	const snw_pose *pose = snw_studio_pose(&session->studio, &session->state);
	const snw_scene *scene = session->document->scene;
	if (!pose || scene->skeleton.joint_count == 0) {
		snw_view_state_warn(&session->state,
							"There is no pose to sculpt in: the character has no skeleton. Import one that has.");
		return false;
	}
	if (snw_session_example_here(session, mesh) == SNW_NONE && is_at_rest(scene, pose)) {
		snw_view_state_warn(&session->state,
							"No joint is turned here, and at rest the skin stays as it came. Click a joint and "
							"bend it by a ring or by typed degrees; then sculpt, or press Add.");
		return false;
	}
	return true;
}

void snw_keep_example(snw_session *session, const char *verb, const char *name, uint32_t mesh, const double *points,
					  uint32_t stroke) {
	const snw_scene *scene = session->document->scene;
	const snw_pose *pose = snw_studio_pose(&session->studio, &session->state);
	const uint32_t here = snw_session_example_here(session, mesh), unnamed = snw_session_unnamed(session);
	snw_errand *errand = snw_errand_make(verb, sizeof(keep_order));
	snw_arena *arena = errand->arena;
	keep_order *order = errand->order;
	const uint32_t joint = most_turned(scene, pose);
	const bool nameless = is_nameless(session, pose);
	const char *stem = nameless ? (joint != SNW_NONE ? scene->skeleton.names[joint] : "example") : pose->name;
	order->name = here != SNW_NONE ? snw_arena_text(arena, scene->examples[here].name)
				  : name           ? snw_arena_text(arena, name)
								   : snw_free_name(scene, snw_scene_find_example, stem, arena);
	order->pose_name =
		nameless ? snw_free_name(scene, snw_scene_find_pose, order->name, arena) : snw_arena_text(arena, pose->name);
	order->pose = snw_pose_copy(scene, pose, arena);
	order->pose->id = unnamed == SNW_NONE ? 0 : scene->poses[unnamed].id; /* that one gets the example's name */
	order->joint = joint;
	order->group = snw_arena_text(arena, joint == SNW_NONE ? "main" : scene->skeleton.names[joint]);
	order->mesh = mesh;
	order->points = points ? snw_arena_copy(arena, points, 3 * (size_t)scene->meshes[mesh].point_count * sizeof(double)) : NULL;
	order->method = snw_studio_method(&session->studio, &session->state);
	order->stroke = stroke;
	errand->what = snw_arena_format(arena, "%s %s", verb, order->name);
	errand->run = keep;
	errand->done = kept;
	snw_session_send(session, errand);
}
