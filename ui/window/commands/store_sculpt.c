/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One job: it stores pose, example and group, and fits the corrective.
 */
#include "window/commands/store_sculpt.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "edit/commit_sculpt.h"
#include "example/driver.h"
#include "example/names.h"
#include "example/sculpt_layers.h"
#include "example/sides.h"
#include "fit/fit.h"
#include "fit/sculpt_reference.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "window/commands/store_shape.h"
#include "window/document/titles.h"
#include "window/jobs/project_edit.h"
#include "window/session/drivers.h"
#include "window/session/session.h"

#define STILL 1e-6 /* radians, metres, factors: a smaller difference from rest does not count */

typedef struct store_request {
	const char *verb;
	const char *name;      /* of the example; NULL until the joint that drives it is known, after which it is called */
	const char *pose_name; /* NULL: the example's */
	snw_pose *pose;
	uint32_t mesh;
	const double *points; /* NULL: where the method puts them in the pose */
	uint32_t beside_count;
	snw_sculpt_beside *beside; /* of other meshes: what the stroke moved over a seam */
	uint32_t counterpart;      /* the mesh of the other side, if symmetry moved it; else SNW_NONE */
	const double *counterpart_points;
	bool is_symmetric;      /* the stroke was repeated on the other side of the mesh itself */
	snw_mirror_plane plane; /* between the sides */
	bool must_be_driven;    /* a new example is stored only if a joint that the pose moves drives it */
	uint32_t method;        /* index of the document's method; SNW_NONE: the rest is shown */
	uint32_t stroke;
	int64_t layer; /* the active sculpt layer */
	/* What was shown and chosen, by id. */
	int64_t shown_pose, chosen_example;
	bool shows_clip;
	/* The result. */
	bool is_new;
	uint32_t driver_count; /* of a new example: the joints that could drive it, the chosen one first */
	snw_driver *drivers;
	snw_group_choice group; /* of a new example */
	snw_groups_of_sides sides;
	bool leaves_counterpart; /* nothing would drive what symmetry made of it, so it was not stored */
} store_request;

/* ---- the job's part ------------------------------------------------------------------------------------------------------ */

static uint32_t count_learners(const snw_scene *scene, const snw_registry *registry) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		const snw_deformer *deformer = snw_registry_find(registry, scene->layers[i].deformer);
		count += deformer && deformer->descriptor->needs & SNW_NEEDS_EXAMPLES && !scene->layers[i].muted;
	}
	return count;
}

/* The points of the mesh as they are shown. */
static snw_status find_shown(const snw_job_context *context, const store_request *request, snw_arena *arena,
							 const double **points, snw_error *error) {
	const snw_scene *scene = context->document->scene;
	const snw_mesh *mesh = &scene->meshes[request->mesh];
	const bool has_method = request->method < context->document->method_count;
	const snw_stack *stack = has_method ? context->document->methods[request->method].stack : NULL;
	if (!stack) {
		*points = mesh->points_rest;
		return SNW_OK;
	}
	double *posed = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count);
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	snw_status status = snw_stack_drive(stack, snw_pose_view_make(scene, request->pose, arena), evaluation, error);
	status = snw_failed(status) ? status : snw_stack_reference(stack, evaluation, request->mesh, NULL, posed, error);
	snw_evaluation_destroy(evaluation);
	*points = posed;
	return status;
}

static bool are_same_poses(const snw_scene *scene, const snw_pose *one, const snw_pose *other) {
	const uint32_t joints = scene->skeleton.joint_count;
	return memcmp(one->local, other->local, joints * sizeof *one->local) == 0 &&
		   memcmp(one->channels, other->channels, scene->channel_count * sizeof *one->channels) == 0;
}

/* The example that a pose without a name got by an earlier stroke; SNW_NONE for none. */
static uint32_t find_in_pose(const snw_scene *scene, uint32_t mesh, const snw_pose *wanted) {
	for (uint32_t i = 0; i < scene->example_count; i++) {
		const snw_pose *pose = &scene->poses[scene->examples[i].pose];
		const bool is_this = pose->id == wanted->id || are_same_poses(scene, pose, wanted);
		if (scene->examples[i].mesh == mesh && is_this) {
			return i;
		}
	}
	return SNW_NONE;
}

static uint32_t find_earlier(const snw_scene *scene, const store_request *request) {
	return request->name ? snw_scene_find_example(scene, request->name) : find_in_pose(scene, request->mesh, request->pose);
}

/* The name of an example beside that of the stroked mesh, which none of the others in this step has: their meshes have other
 * names. */
static const char *name_beside(const snw_scene *scene, const char *name, uint32_t mesh, snw_arena *arena) {
	return snw_scene_free_name(scene, snw_scene_find_example, snw_arena_format(arena, "%s-%s", name, scene->meshes[mesh].name),
							   arena);
}

/* Names what the stroke moved of other meshes, and finds it without the sculpt. */
static snw_status find_beside(const snw_job_context *context, const snw_scene *scene, store_request *request,
							  const snw_pose *pose, uint32_t corrective, snw_arena *arena, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t k = 0; k < request->beside_count && !snw_failed(status); k++) {
		snw_sculpt_beside *beside = &request->beside[k];
		const uint32_t found = find_in_pose(scene, beside->mesh, pose);
		double *points, *original;
		status = snw_sculpt_points(scene, context->registry, beside->mesh, pose, found, corrective, arena, &points, &original,
								   error);
		beside->points_original = original;
		beside->example = found != SNW_NONE ? snw_arena_text(arena, scene->examples[found].name)
											: name_beside(scene, request->name, beside->mesh, arena);
	}
	return status;
}

/* Of the joints that could drive the sculpt. */
static void choose_group(const snw_scene *scene, store_request *request, snw_arena *arena) {
	uint32_t *joints = SNW_NEW_ARRAY(arena, uint32_t, request->driver_count);
	for (uint32_t i = 0; i < request->driver_count; i++) {
		joints[i] = request->drivers[i].joint;
	}
	request->group = snw_choose_group(scene, request->mesh, request->pose, SNW_NONE, request->driver_count, joints, arena);
}

/* Whether a joint that the pose moves also moves the points of a new example. */
static bool has_driver(const store_request *request) {
	return request->driver_count > 0 && request->drivers[0].share >= SNW_LEAST_DRIVEN;
}

/* The joints that could drive the sculpt; and under symmetry those of both sides. */
static snw_status find_drivers(const snw_job_context *context, const snw_scene *scene, store_request *request, uint32_t found,
							   const double *points, const double *original, uint32_t corrective, snw_arena *arena,
							   snw_error *error) {
	const snw_driver_query query = {.mesh = request->mesh,
									.pose = request->pose,
									.points_posed = points,
									.points_original = original,
									.corrective = corrective};
	const snw_status status =
		snw_find_drivers(scene, context->registry, &query, arena, &request->drivers, &request->driver_count, error);
	if (!snw_failed(status) && request->is_symmetric) {
		request->sides =
			snw_choose_groups_of_sides(scene, &query, &request->plane, found, request->driver_count, request->drivers, arena);
	}
	return status;
}

/* The group of a new example, and the names that follow from the joint that drives it. */
static void choose_names(const snw_scene *scene, store_request *request, snw_arena *arena) {
	const bool is_driven = request->driver_count > 0;
	const uint32_t driver = is_driven ? request->drivers[0].joint : SNW_NONE;
	request->is_new = true;
	choose_group(scene, request, arena);
	if (!request->name) {
		request->name = is_driven ? snw_sculpt_example_name(scene, request->pose, driver, arena)
								  : snw_scene_free_name(scene, snw_scene_find_example, "example", arena);
	}
	if (!request->pose_name) {
		request->pose_name = is_driven ? snw_sculpt_pose_name(scene, request->pose, request->name, driver, arena)
									   : snw_scene_free_name(scene, snw_scene_find_pose, request->name, arena);
	}
}

/* Stores the example and fits the corrective in one step, or as a part of the last one. `scene` is the project's. The caveat
 * says why a fit was not possible. */
static snw_status store(const snw_job_context *context, snw_job *job, const snw_scene *scene, store_request *request,
						bool amends, snw_error *error) {
	const uint32_t found = find_earlier(scene, request), corrective = snw_reference_layer(scene, context->registry);
	const snw_pose *pose = found == SNW_NONE ? request->pose : &scene->poses[scene->examples[found].pose];
	double *points, *original;
	snw_status status = snw_sculpt_points(scene, context->registry, request->mesh, pose, found, corrective, job->arena, &points,
										  &original, error);
	const double *wanted = request->points;
	status = snw_failed(status) || wanted ? status : find_shown(context, request, job->arena, &wanted, error);
	const bool may_part = request->is_symmetric && found != SNW_NONE && snw_group_to_part(scene, found) != SNW_NONE;
	if (!snw_failed(status) && (found == SNW_NONE || may_part)) {
		status = find_drivers(context, scene, request, found, wanted, original, corrective, job->arena, error);
	}
	if (!snw_failed(status) && found == SNW_NONE) {
		choose_names(scene, request, job->arena);
	}
	if (snw_failed(status) || (request->must_be_driven && request->is_new && !has_driver(request))) {
		return status;
	}
	request->name = found == SNW_NONE ? request->name : snw_arena_text(job->arena, scene->examples[found].name);
	request->pose->name = request->pose_name;
	status = find_beside(context, scene, request, pose, corrective, job->arena, error);
	if (snw_failed(status)) {
		return status;
	}
	const bool are_apart = request->sides.sides == SNW_SIDES_APART;
	const snw_group_choice *group = are_apart ? &request->sides.group : &request->group, *other = &request->sides.other;
	const snw_sculpt_commit commit_options = {.label = snw_arena_format(job->arena, "%s %s", request->verb, request->name),
											  .amends = amends,
											  .example = request->name,
											  .mesh = request->mesh,
											  .points_posed = wanted,
											  .points_original = original,
											  .beside_count = request->beside_count,
											  .beside = request->beside,
											  .layer = request->layer,
											  .pose = pose,
											  .group = group->name,
											  .joint_count = group->joint_count,
											  .joints = group->joints,
											  .other_group = are_apart ? other->name : NULL,
											  .other_joint_count = other->joint_count,
											  .other_joints = other->joints,
											  .other_is_left = request->sides.other_is_left,
											  .plane = request->plane,
											  .corrective = corrective,
											  .method = snw_registry_trait_name(context->registry, SNW_CORRECTS)};
	snw_sculpt_committed done;
	status = snw_sculpt_commit_example(context->project, scene, context->registry, &commit_options, context->task, job->arena,
									   &done, error);
	if (!snw_failed(status) && done.warning) {
		snprintf(job->caveat.text, sizeof job->caveat.text, "%s", done.warning);
	}
	return status;
}

/* What the stroke made of the counterpart, in the pose that the example of the mesh has now. A new example is named after the
 * joint that drives it, which is that of the other side. If that side is not bent, nothing is stored: the example would appear
 * whenever this side bends. */
static snw_status store_counterpart(const snw_job_context *context, snw_job *job, store_request *stored, snw_error *error) {
	snw_scene *scene = NULL;
	snw_status status = snw_project_scene(context->project, &scene, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_example *example = &scene->examples[snw_scene_find_example(scene, stored->name)];
	const snw_pose *pose = &scene->poses[example->pose];
	const uint32_t found = snw_sculpt_example(scene, stored->counterpart, example->pose);
	store_request request = {.verb = stored->verb,
							 .pose_name = snw_arena_text(job->arena, pose->name),
							 .pose = snw_pose_copy(scene, pose, job->arena),
							 .mesh = stored->counterpart,
							 .points = stored->counterpart_points,
							 .counterpart = SNW_NONE,
							 .must_be_driven = true};
	request.pose->id = pose->id;
	request.name = found == SNW_NONE ? NULL : snw_arena_text(job->arena, scene->examples[found].name);
	status = store(context, job, scene, &request, true, error);
	stored->leaves_counterpart = request.is_new && !has_driver(&request);
	snw_scene_destroy(scene);
	return status;
}

static snw_status commit(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	store_request *request = data;
	const snw_scene *scene = context->document->scene;
	if (!context->project) {
		return snw_fail(error, SNW_ERROR_MISSING, "no project is open; open one first");
	}
	snw_status status = store(context, job, scene, request, false, error);
	if (!snw_failed(status) && request->counterpart != SNW_NONE) {
		status = store_counterpart(context, job, request, error);
	}
	const bool others_learn = count_learners(scene, context->registry) > 1;
	return snw_failed(status) || !others_learn ? status : snw_edit_refresh(context, job, error);
}

/* ---- the window's part --------------------------------------------------------------------------------------------------- */

/* Also chooses a group that contains it, unless the chosen one does. */
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

/* Says at once which joint drives a new example. */
static void say_driver(snw_session *session, const store_request *request, uint32_t example) {
	snw_drivers_take(session, example, request->driver_count, request->drivers);
	char title[200];
	const char *joint = snw_joint_words(&session->document->scene->skeleton, request->drivers->joint, title, sizeof title);
	if (request->sides.sides == SNW_SIDES_APART) {
		char other[200];
		snw_joint_words(&session->document->scene->skeleton, request->sides.partner, other, sizeof other);
		snw_view_state_say(&session->state, "%s and %s drive the new example %s, each on its own side.", joint, other,
						   request->name);
		return;
	}
	if (has_driver(request)) {
		snw_view_state_say(&session->state, "%s drives the new example %s. Click another joint under Driven by to change that.",
						   joint, request->name);
		return;
	}
	char words[500];
	snprintf(
		words, sizeof words,
		"%.150s drives %.150s but does not move these points. Choose another joint under Driven by, or bend one that does.",
		joint, request->name);
	snw_view_state_warn(&session->state, words);
}

/* The first symmetric stroke on an example that one joint drove. */
static void say_parted(snw_session *session, const store_request *request) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	char one[200], other[200];
	snw_view_state_say(&session->state,
					   "%s and %s drive %s now, each on its own side. To keep one joint, undo and click it under Driven by.",
					   snw_joint_words(skeleton, request->sides.group.joints[0], one, sizeof one),
					   snw_joint_words(skeleton, request->sides.partner, other, sizeof other), request->name);
}

static void say_counterpart(snw_session *session, const store_request *request) {
	snw_view_state_say(&session->state,
					   "%.150s keeps its shape, because this pose bends no joint that moves it. Bend that side too, or press "
					   "Mirror to copy %.150s to the other side.",
					   session->document->scene->meshes[request->counterpart].name, request->name);
}

/* Symmetry has sculpted a side that will change whenever the other one bends. */
static void say_unbent(snw_session *session, const store_request *request) {
	char title[200];
	const char *joint = snw_joint_words(&session->document->scene->skeleton, request->sides.partner, title, sizeof title);
	snw_view_state_say(
		&session->state,
		"%s is not bent, so both sides of %s follow the other joint. Bend it too, or sculpt without Symmetry and "
		"press Mirror.",
		joint, request->name);
}

static void settle(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	const store_request *request = data;
	snw_sculpting_settle(&session->sculpting, SNW_BRUSH_POINTS, request->stroke);
}

static int64_t shown_pose(const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	return session->state.pose < scene->pose_count ? scene->poses[session->state.pose].id : 0;
}

static int64_t chosen_example(const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	return session->state.example < scene->example_count ? scene->examples[session->state.example].id : 0;
}

/* Shows what was stored, unless another pose or example has been chosen in the meantime. */
static void show(snw_session *session, const store_request *request, uint32_t example) {
	snw_view_state *state = &session->state;
	const bool same_pose = shown_pose(session) == request->shown_pose && (state->clip != SNW_NONE) == request->shows_clip;
	if (same_pose && chosen_example(session) == request->chosen_example) {
		choose(session, example);
	}
	if (same_pose && (state->sculpting || state->clip != SNW_NONE || session->edited_pose)) {
		state->pose = session->document->scene->examples[example].pose;
		state->clip = SNW_NONE;
		snw_session_discard_pose(session);
		snw_display_choose_clip(&session->display, SNW_NONE);
	}
}

static void done(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const store_request *request = data;
	const uint32_t example = snw_scene_find_example(session->document->scene, request->name);
	settle(owner, job, data);
	if (example != SNW_NONE) {
		show(session, request, example);
	}
	snw_sculpting_follow(session, false);
	const snw_document *document = session->document;
	if (example != SNW_NONE && document->scene->examples[example].muted) {
		snw_view_state_say(&session->state, "%s is muted: its sculpt is stored but has no effect until you unmute it.",
						   request->name);
	} else if (example != SNW_NONE && document->solo != SNW_NONE && document->solo != example) {
		snw_view_state_say(&session->state, "%s is stored; only %s is shown until you press Solo again.", request->name,
						   document->scene->examples[document->solo].name);
	} else if (example != SNW_NONE && request->is_new && request->driver_count > 0) {
		say_driver(session, request, example);
	} else if (example != SNW_NONE && request->sides.sides == SNW_SIDES_APART) {
		say_parted(session, request);
	}
	if (example != SNW_NONE && request->leaves_counterpart) {
		say_counterpart(session, request);
	} else if (example != SNW_NONE && request->sides.sides == SNW_SIDES_UNBENT) {
		say_unbent(session, request);
	}
}

/* What an example in a named pose is called: as the pose, and as its mesh if another mesh has an example in this pose. */
static const char *name_in_pose(const snw_scene *scene, const snw_pose *pose, uint32_t mesh, snw_arena *arena) {
	const uint32_t found = snw_scene_find_example(scene, pose->name);
	const bool is_other = found != SNW_NONE && scene->examples[found].mesh != mesh;
	const char *stem = is_other ? snw_arena_format(arena, "%s-%s", pose->name, scene->meshes[mesh].name) : pose->name;
	return snw_scene_free_name(scene, snw_scene_find_example, stem, arena);
}

static bool is_nameless(const snw_session *session, const snw_pose *pose) {
	return session->edited_pose || session->state.clip != SNW_NONE || snw_pose_is_unnamed(pose->name) ||
		   session->state.pose == 0;
}

/* At rest the skin is given, so there is nothing to learn. */
static bool is_at_rest(const snw_scene *scene, const snw_pose *pose) {
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		const snw_transform *local = &pose->local[j], *rest = &scene->skeleton.rest_local[j];
		for (size_t c = 0; c < 3; c++) {
			if (fabs(pose->rotation_vectors[3 * (size_t)j + c]) > STILL ||
				fabs(local->translation[c] - rest->translation[c]) > STILL || fabs(local->scale[c] - rest->scale[c]) > STILL) {
				return false;
			}
		}
	}
	return true;
}

bool snw_may_store_sculpt(snw_session *session, uint32_t mesh) {
	const snw_pose *pose = snw_display_pose(&session->display, &session->state);
	const snw_scene *scene = session->document->scene;
	if (snw_is_editing_shape(session, mesh)) {
		return true;
	}
	if (!pose || scene->skeleton.joint_count == 0) {
		snw_view_state_warn(&session->state, "The character has no skeleton, so it has no pose to sculpt. Draw joints (Pose > "
											 "Draw joints) and bind the skin, or open "
											 "a character that has one.");
		return false;
	}
	const uint32_t here = snw_session_example_here(session, mesh);
	if (here != SNW_NONE && scene->examples[here].layer_count > 0) {
		const snw_example *example = &scene->examples[here];
		const snw_sculpt_layer *layer = &example->layers[snw_sculpt_layer_of_id(example, session->state.sculpt_layer)];
		if (snw_sculpt_layer_amount(layer) < SNW_LEAST_STROKE_OPACITY) {
			char words[300];
			snprintf(words, sizeof words,
					 "The sculpt layer %.120s %s, so a stroke on it would not show. %s, or select another layer.", layer->name,
					 layer->muted ? "is muted" : "has hardly any opacity", layer->muted ? "Unmute it" : "Raise its opacity");
			snw_view_state_warn(&session->state, words);
			return false;
		}
	}
	if (here == SNW_NONE && is_at_rest(scene, pose)) {
		snw_view_state_warn(&session->state,
							"The rest pose cannot be sculpted. Click a joint and drag a ring or type degrees to bend it; then "
							"sculpt, or press Add.");
		return false;
	}
	return true;
}

/* What the stroke moved of the parts, which seams join to its mesh or symmetry moves with it. */
static void list_beside(const snw_session *session, store_request *request, snw_arena *arena) {
	const snw_sculpting *s = &session->sculpting;
	const snw_scene *scene = session->document->scene;
	const double *points = snw_sculpt_get_view(s->sculpt)->points;
	request->beside = SNW_NEW_ARRAY(arena, snw_sculpt_beside, s->part_count);
	for (uint32_t p = 0; p < s->part_count; p++) {
		const snw_sculpted_part *part = &s->parts[p];
		const double *posed = points + 3 * (size_t)part->first_point;
		const size_t bytes = 3 * (size_t)scene->meshes[part->mesh].point_count * sizeof *posed;
		if (memcmp(posed, part->before, bytes) != 0 && part->is_counterpart) {
			request->counterpart = part->mesh;
			request->counterpart_points = snw_arena_copy(arena, posed, bytes);
		} else if (memcmp(posed, part->before, bytes) != 0) {
			request->beside[request->beside_count++] =
				(snw_sculpt_beside){.mesh = part->mesh, .points_posed = snw_arena_copy(arena, posed, bytes)};
		}
	}
}

/* Whether the last stroke was repeated on the mesh itself, and not on its counterpart. */
static bool is_symmetric(const snw_sculpting *sculpting) {
	bool is = sculpting->stroke.symmetric && sculpting->partners;
	for (uint32_t p = 0; p < sculpting->part_count; p++) {
		is = is && !sculpting->parts[p].is_counterpart;
	}
	return is;
}

void snw_store_sculpt(snw_session *session, const char *verb, const char *name, uint32_t mesh, const double *points,
					  uint32_t stroke) {
	const snw_scene *scene = session->document->scene;
	const snw_pose *pose = snw_display_pose(&session->display, &session->state);
	if (points && snw_is_editing_shape(session, mesh)) {
		snw_store_shape(session, mesh, points, stroke);
		return;
	}
	const uint32_t here = snw_session_example_here(session, mesh), unnamed = snw_session_unnamed(session);
	snw_job *job = snw_job_create(verb, sizeof(store_request));
	snw_arena *arena = job->arena;
	store_request *request = job->request;
	const bool nameless = is_nameless(session, pose);
	request->verb = snw_arena_text(arena, verb);
	request->name = here != SNW_NONE ? snw_arena_text(arena, scene->examples[here].name)
					: name           ? snw_arena_text(arena, name)
					: nameless       ? NULL
									 : name_in_pose(scene, pose, mesh, arena);
	request->pose_name = nameless ? NULL : snw_arena_text(arena, pose->name);
	request->pose = snw_pose_copy(scene, pose, arena);
	request->pose->id = unnamed == SNW_NONE ? 0 : scene->poses[unnamed].id; /* this pose gets the example's name */
	request->mesh = mesh;
	request->points =
		points ? snw_arena_copy(arena, points, 3 * (size_t)scene->meshes[mesh].point_count * sizeof(double)) : NULL;
	request->counterpart = SNW_NONE;
	if (stroke > 0) {
		list_beside(session, request, arena);
		request->is_symmetric = is_symmetric(&session->sculpting);
		request->plane = session->sculpting.plane;
	}
	request->method = snw_display_method(&session->display, &session->state);
	request->stroke = stroke;
	request->layer = session->state.sculpt_layer;
	request->shown_pose = shown_pose(session);
	request->chosen_example = chosen_example(session);
	request->shows_clip = session->state.clip != SNW_NONE;
	job->label = request->name ? snw_arena_format(arena, "%s %s", verb, request->name) : request->verb;
	job->run = commit;
	job->done = done;
	job->failed = settle;
	snw_session_send(session, job);
}
