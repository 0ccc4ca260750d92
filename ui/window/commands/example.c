/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "example/examples.h"
#include "example/sculpts.h"
#include "fit/samples.h"
#include "fit/stale.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "window/commands/commands.h"
#include "window/document/document.h"
#include "window/jobs/job_thread.h"
#include "window/session/sculpting.h"
#include "window/session/session.h"

/* ---- stored sculpts ------------------------------------------------------------------------------------------------------ */

/* Stores a sculpt in a job, and says what became of it. */

typedef struct store_request {
	snw_stored_sculpt sculpt;
	uint32_t stroke;
	bool carries;           /* to the meshes over it */
	int64_t chosen_example; /* its id */
} store_request;

/* ---- the job's part ------------------------------------------------------------------------------------------------------ */

/* Whether a stroke may make layers stale whose fits follow it, beside the one that it fits. */
static bool has_other_learners(const snw_scene *scene, const snw_registry *registry) {
	const uint32_t fitted = snw_reference_layer(scene, registry);
	bool has = false;
	for (uint32_t i = 0; i < scene->layer_count && !has; i++) {
		const snw_deformer *deformer = snw_registry_find(registry, scene->layers[i].deformer);
		has = i != fitted && deformer && deformer->descriptor->traits & (SNW_REFITS | SNW_REFITS_EXAMPLES) &&
			  !scene->layers[i].muted;
	}
	return has;
}

/* As a part of the stroke's step. */
static snw_status carry_sculpt(const snw_job_context *context, snw_job *job, const char *example, snw_error *error) {
	snw_carry order = {.example_count = 1, .examples = &example, .reach = snw_carry_usual_reach(context->document->scene)};
	snw_status status = snw_project_begin_amend(context->project, error);
	if (snw_failed(status)) {
		return status;
	}
	status = snw_project_put_carried(context->project, context->registry, context->task, job->arena, &order, error);
	if (snw_failed(status)) {
		snw_project_rollback(context->project);
		return status;
	}
	return snw_project_commit(context->project, error);
}

static snw_status commit_sculpt(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	store_request *request = data;
	snw_stored_sculpt *sculpt = &request->sculpt;
	const snw_scene *scene = context->document->scene;
	const bool refreshes = request->carries || has_other_learners(scene, context->registry);
	sculpt->stores_later = !refreshes && sculpt->counterpart == SNW_NONE; /* it is shown first (jobs/job_thread.h) */
	snw_status status =
		snw_store_sculpt_as_example(context->project, scene, context->registry, sculpt, context->task, job->arena, error);
	if (!snw_failed(status) && sculpt->warning) {
		snprintf(job->caveat.text, sizeof job->caveat.text, "%s", sculpt->warning);
	}
	status = snw_failed(status) || !request->carries ? status : carry_sculpt(context, job, sculpt->name, error);
	return snw_failed(status) || !refreshes ? status : snw_edit_refresh(context, job, error);
}

/* ---- the window's part --------------------------------------------------------------------------------------------------- */

/* Also chooses a group that contains it, unless the chosen one does. */
static void choose_stored(snw_session *session, uint32_t example) {
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
static void say_driver(snw_session *session, const snw_stored_sculpt *sculpt, uint32_t example) {
	snw_drivers_take(session, example, sculpt->driver_count, sculpt->drivers);
	char title[200];
	const char *joint = snw_joint_words(&session->document->scene->skeleton, sculpt->drivers->joint, title, sizeof title);
	if (sculpt->sides.sides == SNW_SIDES_APART) {
		char other[200];
		snw_joint_words(&session->document->scene->skeleton, sculpt->sides.partner, other, sizeof other);
		snw_view_state_say(&session->state, "%s and %s drive the new example %s, each on its own side.", joint, other,
						   sculpt->name);
		return;
	}
	if (snw_stored_sculpt_is_driven(sculpt)) {
		snw_view_state_say(&session->state, "%s drives the new example %s. Click another joint under Driven by to change that.",
						   joint, sculpt->name);
		return;
	}
	char words[500];
	snprintf(
		words, sizeof words,
		"%.150s drives %.150s but does not move these points. Choose another joint under Driven by, or bend one that does.",
		joint, sculpt->name);
	snw_view_state_warn(&session->state, words);
}

/* The first symmetric stroke on an example that one joint drove. */
static void say_parted(snw_session *session, const snw_stored_sculpt *sculpt) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	char one[200], other[200];
	snw_view_state_say(&session->state,
					   "%s and %s drive %s now, each on its own side. To keep one joint, undo and click it under Driven by.",
					   snw_joint_words(skeleton, sculpt->sides.group.joints[0], one, sizeof one),
					   snw_joint_words(skeleton, sculpt->sides.partner, other, sizeof other), sculpt->name);
}

static void say_counterpart(snw_session *session, const snw_stored_sculpt *sculpt) {
	snw_view_state_say(&session->state,
					   "%.150s keeps its shape, because this pose bends no joint that moves it. Bend that side too, or press "
					   "Mirror to copy %.150s to the other side.",
					   session->document->scene->meshes[sculpt->counterpart].name, sculpt->name);
}

/* Symmetry has sculpted a side that will change whenever the other one bends. */
static void say_unparted(snw_session *session, const snw_stored_sculpt *sculpt) {
	char title[200];
	const char *joint = snw_joint_words(&session->document->scene->skeleton, sculpt->sides.partner, title, sizeof title);
	const bool is_bent = sculpt->sides.sides == SNW_SIDES_UNMOVED;
	snw_view_state_say(&session->state,
					   "%s %s, so both sides of %s follow the other joint. %s sculpt without Symmetry and press Mirror.", joint,
					   is_bent ? "is bent but hardly moves what you sculpted on its side" : "is not bent", sculpt->name,
					   is_bent ? "Choose the joints under Driven by, or" : "Bend it too, or");
}

static void settle(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	const store_request *request = data;
	snw_sculpting_settle(&session->sculpting, SNW_BRUSH_POINTS, request->stroke);
}

static int64_t chosen_example(const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	return session->state.example < scene->example_count ? scene->examples[session->state.example].id : 0;
}

/* Shows what was stored, unless another pose or example has been chosen in the meantime. */
static void show(snw_session *session, const store_request *request, uint32_t example) {
	const bool same_pose = snw_session_shows_example(session, example);
	if (same_pose && chosen_example(session) == request->chosen_example) {
		choose_stored(session, example);
	}
	if (same_pose && (session->state.clip == SNW_NONE || session->edited_pose)) {
		snw_session_choose_pose(session, session->document->scene->examples[example].pose);
	}
}

static void done(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const store_request *request = data;
	const snw_stored_sculpt *sculpt = &request->sculpt;
	const uint32_t example = snw_scene_find_example(session->document->scene, sculpt->name);
	settle(owner, job, data);
	if (example != SNW_NONE) {
		show(session, request, example);
	}
	snw_sculpting_follow(session, false);
	const snw_document *document = session->document;
	if (example != SNW_NONE && document->scene->examples[example].muted) { /* since the stroke, or by Add */
		snw_view_state_say(&session->state, "%s is muted: its sculpt is stored but has no effect until you unmute it.",
						   sculpt->name);
	} else if (example != SNW_NONE && document->solo != SNW_NONE && document->solo != example) {
		snw_view_state_say(&session->state, "%s is stored; only %s is shown until you press Solo again.", sculpt->name,
						   document->scene->examples[document->solo].name);
	} else if (example != SNW_NONE && sculpt->is_new && sculpt->driver_count > 0) {
		say_driver(session, sculpt, example);
	} else if (example != SNW_NONE && sculpt->sides.sides == SNW_SIDES_APART) {
		say_parted(session, sculpt);
	}
	if (example != SNW_NONE && sculpt->leaves_counterpart) {
		say_counterpart(session, sculpt);
	} else if (example != SNW_NONE && sculpt->sides.sides >= SNW_SIDES_UNBENT) {
		say_unparted(session, sculpt);
	}
}

static bool is_nameless(const snw_session *session, const snw_pose *pose) {
	return session->edited_pose || session->state.clip != SNW_NONE || snw_pose_is_unnamed(pose->name) ||
		   session->state.pose == 0;
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
		if (fabs(snw_sculpt_layer_amount(layer)) < SNW_LEAST_STROKE_OPACITY) {
			char words[300];
			snprintf(words, sizeof words,
					 "The sculpt layer %.120s %s, so a stroke on it would not show. %s, or select another layer.", layer->name,
					 layer->muted ? "is muted" : "has hardly any opacity", layer->muted ? "Unmute it" : "Raise its opacity");
			snw_view_state_warn(&session->state, words);
			return false;
		}
	}
	if (here == SNW_NONE && snw_pose_has_joints_at_rest(scene, pose)) { /* the skin is given there */
		snw_view_state_warn(&session->state,
							"The rest pose cannot be sculpted. Click a joint and drag a ring or type degrees to bend it; then "
							"sculpt, or press Add.");
		return false;
	}
	return true;
}

/* The layer that would learn from a stroke but is muted, with all others that could; SNW_NONE: none, or one is in use. */
static uint32_t muted_learner(const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	uint32_t found = SNW_NONE;
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		const snw_deformer *deformer = snw_registry_find(session->registry, scene->layers[i].deformer);
		found = deformer && deformer->descriptor->needs & SNW_NEEDS_EXAMPLES ? i : found;
	}
	return snw_reference_layer(scene, session->registry) == SNW_NONE ? found : SNW_NONE;
}

static bool has_bake(const snw_scene *scene) {
	bool has = false;
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		has = has || (snw_layer_is_baked(&scene->layers[i]) && !scene->layers[i].muted);
	}
	return has;
}

bool snw_would_stroke_show(snw_session *session, uint32_t mesh) {
	const snw_document *document = session->document;
	const snw_scene *scene = document->scene;
	if (snw_is_editing_shape(session, mesh)) {
		return true;
	}
	const uint32_t here = snw_session_example_here(session, mesh), learner = muted_learner(session);
	char words[500] = "";
	if (here != SNW_NONE && scene->examples[here].muted) {
		snprintf(words, sizeof words, "%.150s is muted, so a stroke on it would not show. Unmute it under Examples.",
				 scene->examples[here].name);
	} else if (document->solo != SNW_NONE && document->solo != here) {
		snprintf(words, sizeof words, "Only %.150s is shown, so a stroke here would not show. Press Solo again.",
				 scene->examples[document->solo].name);
	} else if (learner != SNW_NONE && has_bake(scene)) {
		snw_view_state_say(&session->state, "The stack is baked: this stroke shows once you bake it again.");
	} else if (learner != SNW_NONE) {
		char title[200];
		snprintf(words, sizeof words, "The layer %.150s is muted, so a stroke would not show. Unmute it in the Stack tab.",
				 snw_layer_title(session->registry, &scene->layers[learner], title, sizeof title));
	}
	if (words[0]) {
		snw_view_state_warn(&session->state, words);
	}
	return !words[0];
}

/* What the stroke moved of the parts, which seams join to its mesh or symmetry moves with it. */
static void list_beside(const snw_session *session, snw_stored_sculpt *sculpt, snw_arena *arena) {
	const snw_sculpting *s = &session->sculpting;
	const snw_scene *scene = session->document->scene;
	const double *points = snw_sculpt_get_view(s->sculpt)->points;
	sculpt->beside = SNW_NEW_ARRAY(arena, snw_sculpt_beside, s->part_count);
	for (uint32_t p = 0; p < s->part_count; p++) {
		const snw_sculpted_part *part = &s->parts[p];
		const double *posed = points + 3 * (size_t)part->first_point;
		const size_t bytes = 3 * (size_t)scene->meshes[part->mesh].point_count * sizeof *posed;
		if (memcmp(posed, part->before, bytes) != 0 && part->is_counterpart) {
			sculpt->counterpart = part->mesh;
			sculpt->counterpart_points = snw_arena_copy(arena, posed, bytes);
		} else if (memcmp(posed, part->before, bytes) != 0) {
			sculpt->beside[sculpt->beside_count++] =
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

void snw_store_sculpt(snw_session *session, const char *verb, uint32_t mesh, const double *points, uint32_t stroke) {
	const snw_scene *scene = session->document->scene;
	const snw_pose *pose = snw_display_pose(&session->display, &session->state);
	if (snw_is_editing_shape(session, mesh)) {
		snw_store_shape(session, mesh, points, stroke);
		return;
	}
	const uint32_t here = snw_session_example_here(session, mesh), unnamed = snw_session_unnamed(session);
	snw_job *job = snw_job_create(verb, sizeof(store_request));
	snw_arena *arena = job->arena;
	store_request *request = job->request;
	snw_stored_sculpt *sculpt = &request->sculpt;
	const bool nameless = is_nameless(session, pose);
	sculpt->verb = snw_arena_text(arena, verb);
	sculpt->name = here != SNW_NONE ? snw_arena_text(arena, scene->examples[here].name)
				   : nameless       ? NULL
									: snw_example_name_in_pose(scene, pose, mesh, arena);
	sculpt->pose_name = nameless ? NULL : snw_arena_text(arena, pose->name);
	sculpt->pose = snw_pose_copy(scene, pose, arena);
	sculpt->pose->id = unnamed == SNW_NONE ? 0 : scene->poses[unnamed].id; /* this pose gets the example's name */
	sculpt->mesh = mesh;
	sculpt->points = snw_arena_copy(arena, points, 3 * (size_t)scene->meshes[mesh].point_count * sizeof(double));
	sculpt->counterpart = SNW_NONE;
	if (stroke > 0) {
		list_beside(session, sculpt, arena);
		sculpt->is_symmetric = is_symmetric(&session->sculpting);
		sculpt->plane = session->sculpting.plane;
	}
	request->stroke = stroke;
	request->carries = stroke > 0 && session->sculpting.carries && scene->mesh_count > 1;
	sculpt->layer = session->state.sculpt_layer;
	request->chosen_example = chosen_example(session);
	job->label = sculpt->name ? snw_arena_format(arena, "%s %s", verb, sculpt->name) : sculpt->verb;
	job->run = commit_sculpt;
	job->done = done;
	job->failed = settle;
	snw_session_send(session, job);
}

/* ---- examples ------------------------------------------------------------------------------------------------------------ */

/* Commands on examples and groups: which are selected, and the sculpt that is shown. */

/* ---- example ------------------------------------------------------------------------------------------------------------- */

void snw_do_example(snw_session *session, const snw_command *command) {
	session->state.example = snw_scene_find_example(session->document->scene, command->text);
}

void snw_do_group(snw_session *session, const snw_command *command) {
	session->state.group = snw_scene_find_group(session->document->scene, command->text);
}

void snw_do_example_go(snw_session *session, const snw_command *command) {
	const uint32_t example = snw_session_example(session, command->text);
	if (example != SNW_NONE) {
		session->state.example = example;
		snw_session_choose_pose(session, session->document->scene->examples[example].pose);
		snw_sculpting_take_mesh(session, session->document->scene->examples[example].mesh);
	}
}

/* ---- from what is shown -------------------------------------------------------------------------------------------------- */

/* With the skin of the method that is shown. */
static void operate_on_skin(snw_session *session, const snw_command *command, const char *line) {
	const uint32_t shown = snw_display_method(&session->display, &session->state);
	const char *method = shown < session->document->method_count ? session->document->methods[shown].method : NULL;
	snw_arena *scratch = snw_arena_create();
	snw_session_operate(session, command,
						method ? snw_arena_format(scratch, "%s --method=%s", line, snw_word_quoted(method, scratch)) : line);
	snw_arena_destroy(scratch);
}

/* Whether this pose has no example of the mesh yet, and may have one. */
static bool may_add(snw_session *session, uint32_t mesh) {
	const uint32_t here = snw_session_example_here(session, mesh);
	if (here != SNW_NONE) {
		session->state.example = here;
		snw_view_state_say(&session->state, "This pose already has an example: %s. Sculpt to change it.",
						   session->document->scene->examples[here].name);
		return false;
	}
	return snw_may_store_sculpt(session, mesh);
}

void snw_do_example_add(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	if (scene->mesh_count == 0) {
		snw_view_state_warn(&session->state, "There is no mesh; open a character first.");
		return;
	}
	if (command->text[0] && snw_scene_find_example(scene, command->text) != SNW_NONE) {
		snw_view_state_warn(&session->state, "An example with this name already exists; Update changes it.");
		return;
	}
	if (may_add(session, snw_session_mesh(session))) {
		operate_on_skin(session, command, command->text[0] ? "example add --name=$t" : "example add");
	}
}

/* The target of the mesh that is chosen, or else the first, in the clip that is shown. */
static uint32_t find_target(const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	uint32_t found = SNW_NONE;
	for (uint32_t i = scene->target_count; i-- > 0 && session->state.clip != SNW_NONE;) {
		const bool is_here = snw_target_clip(scene, &scene->targets[i]) == session->state.clip;
		const bool is_chosen = found != SNW_NONE && scene->targets[found].mesh == snw_session_mesh(session);
		found = is_here && (!is_chosen || scene->targets[i].mesh == scene->targets[found].mesh) ? i : found;
	}
	return found;
}

void snw_do_example_target(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t target = find_target(session);
	if (target == SNW_NONE) {
		snw_view_state_warn(&session->state,
							"No target has frames of what is shown. Choose its clip; File > Add target… adds one.");
		return;
	}
	if (may_add(session, scene->targets[target].mesh)) {
		snw_arena *scratch = snw_arena_create();
		snw_session_operate(session, command,
							snw_arena_format(scratch, "example add --mesh=%s --target=%s",
											 snw_word_quoted(scene->meshes[scene->targets[target].mesh].name, scratch),
											 snw_word_quoted(scene->targets[target].name, scratch)));
		snw_arena_destroy(scratch);
	}
}

void snw_do_example_update(snw_session *session, const snw_command *command) {
	const uint32_t example = snw_session_example(session, command->text);
	if (example == SNW_NONE) {
		return;
	}
	if (!snw_session_shows_example(session, example)) {
		snw_view_state_warn(&session->state, "Go to the example first: it can only be updated in its pose.");
		return;
	}
	session->state.example = example;
	operate_on_skin(session, command, "example update");
}

/* ---- sculpt layers ------------------------------------------------------------------------------------------------------- */

/* Commands on the sculpt layers of the selected example. The active one takes the strokes. */

/* The example and the active layer; NULL, with a message, if there is none. */
static const snw_example *active_layer(snw_session *session, uint32_t *layer) {
	const uint32_t index = snw_session_example(session, "");
	const snw_example *example = index == SNW_NONE ? NULL : &session->document->scene->examples[index];
	*layer = example ? snw_sculpt_layer_of_id(example, session->state.sculpt_layer) : SNW_NONE;
	if (example && *layer == SNW_NONE) {
		snw_view_state_warn(&session->state, "The example has no sculpt layers yet. Add one first.");
		return NULL;
	}
	return example;
}

void snw_do_sculpt_layer(snw_session *session, const snw_command *command) {
	uint32_t layer;
	const snw_example *example = active_layer(session, &layer);
	layer = example ? snw_sculpt_layer_find(example, command->text) : SNW_NONE;
	if (layer != SNW_NONE) {
		session->state.sculpt_layer = example->layers[layer].id;
		snw_sculpting_follow(session, false); /* Erase restores the sculpt without this layer */
	} else if (example) {
		snw_view_state_warn(&session->state, "The example has no sculpt layer with this name.");
	}
}

void snw_do_sculpt_layer_add(snw_session *session, const snw_command *command) {
	session->state.sculpt_layer = 0; /* the new one is the topmost */
	snw_session_operate(session, command, "example layer --add --layer=$t");
}

void snw_do_sculpt_layer_name(snw_session *session, const snw_command *command) {
	uint32_t layer;
	const snw_example *example = active_layer(session, &layer);
	if (example && !snw_session_asks(session, command, example->layers[layer].name)) {
		snw_session_operate(session, command, "example layer --rename=$t");
	}
}

void snw_do_sculpt_layer_mute(snw_session *session, const snw_command *command) {
	uint32_t layer;
	const snw_example *example = active_layer(session, &layer);
	if (example) {
		snw_session_operate(session, command, example->layers[layer].muted ? "example layer --unmute" : "example layer --mute");
	}
}

/* ---- solo ---------------------------------------------------------------------------------------------------------------- */

/* Mute and solo. Solo shows one example alone; it belongs to the view, not to the project, and outlasts changes and fits. */

void snw_do_example_mute(snw_session *session, const snw_command *command) {
	const uint32_t example = snw_session_example(session, command->text);
	if (example != SNW_NONE) {
		const bool is_muted = session->document->scene->examples[example].muted;
		snw_session_operate(session, command, is_muted ? "example unmute --example=$t" : "example mute --example=$t");
	}
}

typedef struct solo_request {
	int64_t id; /* the example that is shown alone; 0: all are shown */
} solo_request;

static snw_status preview_solo(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	(void)job, (void)error;
	context->preview.solo = ((solo_request *)request)->id;
	return SNW_OK;
}

static void report_result(void *owner, const snw_job *job, void *request) {
	snw_session *session = owner;
	(void)job, (void)request;
	const snw_document *document = session->document;
	if (document->solo != SNW_NONE) {
		snw_view_state_say(&session->state, "Solo: only %s is shown. The project does not change.",
						   document->scene->examples[document->solo].name);
	}
}

void snw_do_example_solo(snw_session *session, const snw_command *command) {
	const uint32_t example = snw_session_example(session, command->text);
	if (example != SNW_NONE) {
		const bool ends = session->document->solo == example;
		snw_job *job = snw_job_create(ends ? "showing all examples" : "showing one example", sizeof(solo_request));
		((solo_request *)job->request)->id = ends ? 0 : session->document->scene->examples[example].id;
		job->run = preview_solo;
		job->done = report_result;
		snw_session_send(session, job);
	}
}
