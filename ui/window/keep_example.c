/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One errand: pose, example, group, and the fit after it.
 */
#include "window/keep_example.h"

#include <stdio.h>
#include <string.h>

#include "project/commit.h"
#include "scene/pose.h"
#include "sinew/algebra.h"
#include "stack/fit.h"
#include "window/errands.h"
#include "window/session.h"

typedef struct keep_order {
	const char *name; /* of the example */
	const char *pose_name;
	snw_pose *pose;
	const char *group; /* of a new example */
	uint32_t joint;    /* that a new group follows; SNW_NONE: the method chooses */
	uint32_t mesh;
	double *points;
	bool is_stroke;
} keep_order;

/* ---- the project's side ------------------------------------------------------------------------------------------- */

/* The pose by its name where it is there, as it was when the stroke was made. */
static snw_status put_pose(snw_desk_space *desk, const keep_order *order, int64_t *id, snw_error *error) {
	const snw_scene *scene = desk->document->scene;
	const uint32_t found = snw_scene_find_pose(scene, order->pose_name);
	if (found != SNW_NONE) {
		*id = scene->poses[found].id;
		return SNW_OK;
	}
	order->pose->name = order->pose_name;
	order->pose->id = order->pose->clip = 0;
	return snw_project_put_pose(desk->project, order->pose, id, error);
}

static snw_status join(snw_desk_space *desk, const keep_order *order, int64_t example, snw_arena *scratch, snw_error *error) {
	const snw_scene *scene = desk->document->scene;
	const uint32_t found = snw_scene_find_group(scene, order->group);
	snw_group group = {.name = order->group};
	if (found != SNW_NONE) {
		group = scene->groups[found];
	} else if (order->joint != SNW_NONE) {
		group.joint_count = 1;
		group.joints = &order->joint;
	}
	int64_t *examples = SNW_NEW_ARRAY(scratch, int64_t, group.member_count + 1u), id;
	int64_t *masks = SNW_NEW_ARRAY(scratch, int64_t, group.member_count + 1u);
	for (uint32_t i = 0; i < group.member_count; i++) {
		examples[i] = scene->examples[group.members[i].example].id;
		masks[i] = group.members[i].mask == SNW_NONE ? 0 : scene->fields[group.members[i].mask].id;
	}
	examples[group.member_count++] = example;
	return snw_project_put_group(desk->project, &group, examples, masks, &id, error);
}

static snw_status put(snw_desk_space *desk, void *given, snw_error *error) {
	const keep_order *order = given;
	const snw_scene *scene = desk->document->scene;
	const uint32_t found = snw_scene_find_example(scene, order->name);
	const snw_mesh *mesh = &scene->meshes[order->mesh];
	snw_example example = {.name = order->name, .points_posed = order->points};
	int64_t pose = 0, id;
	snw_status status = SNW_OK;
	if (found != SNW_NONE) {
		example.id = scene->examples[found].id;
		pose = scene->poses[scene->examples[found].pose].id;
	} else {
		status = put_pose(desk, order, &pose, error);
	}
	if (status >= 0) {
		status = snw_project_put_example(desk->project, &example, pose, mesh->id, mesh->point_count, &id, error);
	}
	if (status >= 0 && found == SNW_NONE) {
		snw_arena *scratch = snw_arena_create();
		status = join(desk, order, id, scratch, error);
		snw_arena_destroy(scratch);
	}
	return status;
}

static snw_status keep(snw_desk_space *desk, snw_errand *errand, void *order, snw_error *error) {
	const snw_status status = snw_errand_commit(desk, errand->what, put, order, error);
	return status < 0 ? status : snw_errand_refit(desk, errand->what, error);
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

snw_status snw_errand_refit(snw_desk_space *desk, const char *why, snw_error *error) {
	snw_scene *scene = NULL;
	snw_status status = snw_project_scene(desk->project, &scene, error);
	if (status < 0 || scene->example_count == 0) {
		snw_scene_destroy(scene);
		return status;
	}
	const uint32_t found = snw_errand_corrective(scene, desk->registry);
	const snw_layer *layer = found == SNW_NONE ? NULL : &scene->layers[found];
	const snw_fit_request request = {.method = layer ? layer->deformer : "inverse-psd",
									 .layer = layer ? layer->name : NULL,
									 .setting_count = layer ? layer->setting_count : 0,
									 .settings = layer ? layer->settings : NULL,
									 .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	status = snw_fit_run(scene, desk->registry, &request, desk->task, &outcome, error);
	if (status >= 0 && status != SNW_CANCELLED) {
		const char *label = snw_arena_format(outcome.arena, SNW_FOLLOWS "%s", why);
		status = snw_project_commit_fit(desk->project, scene, &outcome, label, error);
	}
	snw_arena_destroy(outcome.arena);
	snw_scene_destroy(scene);
	return status < 0 ? status : SNW_OK;
}

/* ---- the window's side -------------------------------------------------------------------------------------------- */

static void kept(snw_session *session, const snw_errand *errand, void *given) {
	(void)errand;
	const keep_order *order = given;
	const uint32_t example = snw_scene_find_example(session->document->scene, order->name);
	snw_sculpting *s = &session->sculpting;
	s->unsent -= order->is_stroke && s->unsent > 0;
	if (example != SNW_NONE) {
		session->state.example = example;
		if (session->state.sculpting || session->state.clip != SNW_NONE || session->hand) {
			session->state.pose = session->document->scene->examples[example].pose;
			session->state.clip = SNW_NONE;
			snw_session_drop_hand(session);
			snw_studio_choose_clip(&session->studio, SNW_NONE);
		}
	}
	snw_sculpting_follow(session, false);
}

/* The joint that is farthest from rest: what the sculpt is about. */
static uint32_t most_turned(const snw_scene *scene, const snw_pose *pose) {
	uint32_t most = SNW_NONE;
	double angle = 0.05;
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		const double turn = snw_length3(pose->turns + 3 * (size_t)j);
		if (turn > angle) {
			angle = turn;
			most = j;
		}
	}
	return most;
}

static bool is_nameless(const snw_session *session, const snw_pose *pose) {
	return session->hand || session->state.clip != SNW_NONE || strncmp(pose->name, "scratch", 7) == 0 ||
		   session->state.pose == 0;
}

static uint32_t example_of_pose(const snw_session *session, uint32_t mesh) {
	const snw_scene *scene = session->document->scene;
	for (uint32_t i = 0; session->state.clip == SNW_NONE && !session->hand && i < scene->example_count; i++) {
		if (scene->examples[i].pose == session->state.pose && scene->examples[i].mesh == mesh) {
			return i;
		}
	}
	return SNW_NONE;
}

void snw_keep_example(snw_session *session, const char *verb, const char *name, uint32_t mesh, const double *points,
					  bool is_stroke) {
	const snw_scene *scene = session->document->scene;
	const snw_pose *pose = snw_studio_pose(&session->studio, &session->state);
	const uint32_t here = example_of_pose(session, mesh);
	if (!pose) {
		snw_view_state_warn(&session->state, "There is no pose to sculpt in: the character has no skeleton.");
		return;
	}
	snw_errand *errand = snw_errand_make(verb, sizeof(keep_order));
	snw_arena *arena = errand->arena;
	keep_order *order = errand->order;
	const uint32_t joint = most_turned(scene, pose);
	const bool nameless = is_nameless(session, pose);
	const char *stem = nameless ? (joint != SNW_NONE ? scene->skeleton.names[joint] : "example") : pose->name;
	order->name = here != SNW_NONE ? snw_arena_text(arena, scene->examples[here].name)
				  : name           ? snw_arena_text(arena, name)
								   : snw_arena_text(arena, snw_free_name(scene, snw_scene_find_example, stem, arena));
	order->pose_name =
		nameless ? snw_free_name(scene, snw_scene_find_pose, order->name, arena) : snw_arena_text(arena, pose->name);
	order->pose = snw_pose_copy(scene, pose, arena);
	order->joint = joint;
	order->group = snw_arena_text(arena, joint == SNW_NONE ? "main" : scene->skeleton.names[joint]);
	order->mesh = mesh;
	order->points = snw_arena_copy(arena, points, 3 * (size_t)scene->meshes[mesh].point_count * sizeof(double));
	order->is_stroke = is_stroke;
	errand->what = snw_arena_format(arena, "%s %s", verb, order->name);
	errand->run = keep;
	errand->done = kept;
	snw_session_send(session, errand);
}

/* ---- painted fields ----------------------------------------------------------------------------------------------- */

typedef struct field_order {
	snw_field field;
	int64_t mesh;
} field_order;

static snw_status put_field(snw_desk_space *desk, void *given, snw_error *error) {
	const field_order *order = given;
	int64_t id;
	return snw_project_put_field(desk->project, &order->field, order->mesh, &id, error);
}

static snw_status keep_field(snw_desk_space *desk, snw_errand *errand, void *order, snw_error *error) {
	return snw_errand_commit(desk, errand->what, put_field, order, error);
}

void snw_keep_field(snw_session *session, uint32_t mesh, const double *values) {
	const snw_document *document = session->document;
	const uint32_t heat = session->state.heat, count = document->scene->meshes[mesh].point_count;
	const char *name = heat >= SNW_HEAT_FIELDS ? document->fields[heat - SNW_HEAT_FIELDS] : "painted";
	snw_errand *errand = snw_errand_make("paint", sizeof(field_order));
	field_order *order = errand->order;
	order->mesh = document->scene->meshes[mesh].id;
	order->field = (snw_field){.name = snw_arena_text(errand->arena, name),
							   .domain = SNW_DOMAIN_POINTS,
							   .mesh = mesh,
							   .components = 1,
							   .count = count,
							   .values = snw_arena_copy(errand->arena, values, count * sizeof(double))};
	errand->what = snw_arena_format(errand->arena, "paint %s", name);
	errand->run = keep_field;
	snw_session_send(session, errand);
}
