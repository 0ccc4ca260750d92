/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew contact: where the skin touches itself and others.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cli/stack/tables.h"
#include "fit/stale.h"
#include "measure/contact_moments.h"
#include "pose/pose.h"

#define MOST_TIMES 900.0 /* as large as another mesh */

/* ---- what is asked ------------------------------------------------------------------------------------------------------- */

static snw_status find_mesh(const snw_scene *scene, const char *name, size_t length, uint32_t *mesh, snw_error *error) {
	for (*mesh = 0; *mesh < scene->mesh_count; ++*mesh) {
		if (strlen(scene->meshes[*mesh].name) == length && strncmp(scene->meshes[*mesh].name, name, length) == 0) {
			return SNW_OK;
		}
	}
	return snw_fail(error, SNW_ERROR_MISSING, "--between: there is no mesh '%.*s'; 'sinew info' lists them", (int)length, name);
}

/* "MESH,MESH" */
static snw_status read_pair(const snw_scene *scene, const char *text, snw_mesh_pair *pair, snw_error *error) {
	const char *comma = strchr(text, ',');
	if (!comma) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--between %s: expected two meshes, such as coat,body", text);
	}
	snw_status status = find_mesh(scene, text, (size_t)(comma - text), &pair->first, error);
	status = snw_failed(status) ? status : find_mesh(scene, comma + 1, strlen(comma + 1), &pair->second, error);
	return !snw_failed(status) && pair->first == pair->second
			   ? snw_fail(error, SNW_ERROR_ARGUMENT, "--between %s: that is one mesh; --self finds where a mesh meets itself",
						  text)
			   : status;
}

static snw_status read_pairs(const snw_call *call, const snw_scene *scene, snw_contact_request *request, snw_error *error) {
	const bool with_itself = snw_call_option(call, "--self") != NULL;
	uint32_t count = 0, given = 0, room = 0;
	snw_status status = SNW_OK;
	snw_mesh_pair *pairs = NULL;
	for (const char *text; !snw_failed(status) && (text = snw_call_option_at(call, "--between", (int)given)); given++) {
		pairs = snw_arena_grow(call->arena, pairs, count, &room, sizeof *pairs);
		status = read_pair(scene, text, &pairs[count++], error);
	}
	if (snw_failed(status)) {
		return status;
	}
	const snw_mesh_pair *all =
		snw_mesh_pairs_list(scene, given == 0 && !with_itself, given == 0 || with_itself, call->arena, &request->pair_count);
	for (uint32_t i = 0; i < request->pair_count; i++) {
		pairs = snw_arena_grow(call->arena, pairs, count, &room, sizeof *pairs);
		pairs[count++] = all[i];
	}
	request->pairs = pairs;
	request->pair_count = count;
	return status;
}

static snw_status add_contact_pose(const snw_call *call, const snw_scene *scene, const char *text, snw_contact_request *request,
								   snw_error *error) {
	snw_pose *pose;
	const snw_status status = snw_pose_resolve(scene, text, call->arena, &pose, error);
	if (!snw_failed(status)) {
		snw_contact_moment *moment = SNW_NEW(call->arena, snw_contact_moment);
		*moment = (snw_contact_moment){
			.name = text, .clip = SNW_NONE, .seconds = pose->seconds, .pose = snw_pose_view_make(scene, pose, call->arena)};
		request->moments = moment;
		request->moment_count = 1;
	}
	return status;
}

static snw_status read_moments(const snw_call *call, const snw_scene *scene, snw_contact_request *request, snw_error *error) {
	snw_contact_moment *moments = NULL;
	uint32_t count = 0, room = 0;
	const char *at = snw_call_option(call, "--at"), *name = NULL;
	if (at) {
		return snw_call_option(call, "--clip") ? snw_fail(error, SNW_ERROR_ARGUMENT, "give either --at or --clip")
											   : add_contact_pose(call, scene, at, request, error);
	}
	for (int i = 0; (name = snw_call_option_at(call, "--clip", i)); i++) {
		const uint32_t clip = snw_scene_find_clip(scene, name);
		if (clip == SNW_NONE) {
			return snw_fail(error, SNW_ERROR_MISSING, "--clip %s: there is no such clip; 'sinew info' lists them", name);
		}
		snw_contact_moments_add_clip(scene, clip, call->arena, &moments, &count, &room);
	}
	for (uint32_t c = 0; c < scene->clip_count && !snw_call_option(call, "--clip"); c++) {
		snw_contact_moments_add_clip(scene, c, call->arena, &moments, &count, &room);
	}
	request->moments = moments;
	request->moment_count = count;
	return count > 0 ? SNW_OK : snw_fail(error, SNW_ERROR_MISSING, "the character has no clip; name a pose with --at");
}

/* A file in millimetres beside one in metres. */
static void warn_of_units(const snw_call *call, const snw_scene *scene, const snw_contact_request *request) {
	for (uint32_t i = 0; i < request->pair_count; i++) {
		const snw_mesh_pair *pair = &request->pairs[i];
		const double first = snw_scene_diagonal(scene, pair->first), second = snw_scene_diagonal(scene, pair->second);
		if (first > MOST_TIMES * second || second > MOST_TIMES * first) {
			snw_task_notice(&call->task, SNW_LOG_WARNING,
							"%s is %.3g m large and %s %.3g m; check that their units are the same",
							scene->meshes[pair->first].name, first, scene->meshes[pair->second].name, second);
		}
	}
}

static snw_status read_contact_request(const snw_call *call, const snw_scene *scene, snw_contact_request *request, double *most,
									   snw_error *error) {
	double clearance = 0, neighbours = 0;
	*request = (snw_contact_request){.patch = snw_contact_default_patch(scene)};
	snw_status status = read_pairs(call, scene, request, error);
	status = snw_failed(status) ? status : read_moments(call, scene, request, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--clearance", 0, 1e6, 0, &clearance, error);
	status = snw_failed(status) ? status
								: snw_call_number(call, "--neighbours", 0, 1e6, 1000 * snw_contact_default_neighbours(scene),
												  &neighbours, error);
	status = snw_failed(status) ? status : snw_call_number(call, "--most", 0, 1e6, INFINITY, most, error);
	if (!snw_failed(status)) {
		warn_of_units(call, scene, request);
	}
	request->clearance = clearance / 1000;
	request->neighbours = neighbours / 1000;
	return status;
}

/* ---- what is told -------------------------------------------------------------------------------------------------------- */

static const char *pair_name(const snw_call *call, const snw_scene *scene, const snw_mesh_pair *pair) {
	return pair->first == pair->second
			   ? snw_arena_format(call->arena, "%s with itself", scene->meshes[pair->first].name)
			   : snw_arena_format(call->arena, "%s, %s", scene->meshes[pair->first].name, scene->meshes[pair->second].name);
}

/* The joint that a point follows most; "" without a skin. */
static const char *joint_of(const snw_scene *scene, uint32_t mesh, uint32_t point) {
	const snw_mesh *of = &scene->meshes[mesh];
	uint32_t slot = SNW_NONE;
	double most = 0;
	for (uint32_t k = of->influence_offsets ? of->influence_offsets[point] : 0;
		 of->influence_offsets && k < of->influence_offsets[point + 1]; k++) {
		slot = of->influence_weights[k] > most ? of->influence_slots[k] : slot;
		most = fmax(most, of->influence_weights[k]);
	}
	return slot == SNW_NONE ? "" : scene->skeleton.names[scene->slot_joints[slot]];
}

static double millimetres(const snw_contact_depth *depth) {
	return 1000 * depth->deepest;
}

static bool is_contact(const snw_pair_contact *contact) {
	return contact->triangles > 0 || contact->near > 0 || contact->through.count > 0 || contact->inside.count > 0;
}

static void answer_depth(cJSON *row, const char *name, const snw_scene *scene, const snw_contact_depth *depth) {
	cJSON *answer = row ? cJSON_AddObjectToObject(row, name) : NULL;
	snw_answer_number(answer, "points", depth->count);
	snw_answer_number(answer, "deepest_mm", millimetres(depth));
	if (depth->count > 0) {
		snw_answer_text(answer, "mesh", scene->meshes[depth->mesh].name);
		snw_answer_number(answer, "point", depth->point);
		snw_answer_text(answer, "joint", joint_of(scene, depth->mesh, depth->point));
		snw_answer_text(answer, "other_joint", joint_of(scene, depth->other_mesh, depth->other_point));
		cJSON *place = snw_answer_list(answer, "place"), *direction = snw_answer_list(answer, "direction");
		for (int c = 0; c < 3 && place; c++) {
			cJSON_AddItemToArray(place, cJSON_CreateNumber(depth->place[c]));
			cJSON_AddItemToArray(direction, cJSON_CreateNumber(depth->direction[c]));
		}
	}
}

static void say_moment(const snw_call *call, const snw_scene *scene, const snw_contact_moment *moment,
					   const snw_pair_contact *contact) {
	const bool is_through = contact->through.deepest >= contact->inside.deepest;
	const snw_contact_depth *depth = is_through ? &contact->through : &contact->inside;
	const char *where = depth->count == 0
							? ""
							: snw_arena_format(call->arena, "at joints %s and %s", joint_of(scene, depth->mesh, depth->point),
											   joint_of(scene, depth->other_mesh, depth->other_point));
	const char *hidden = contact->hidden > 0 ? snw_arena_format(call->arena, ", %u hidden", contact->hidden) : "";
	const char *near = contact->near > 0 ? snw_arena_format(call->arena, ", %u near", contact->near) : "";
	snw_say(call, "  %s %8.2f %8.2f %8.3f  %u%s%s%s  %s", snw_padded(call, moment->name, 20), millimetres(&contact->through),
			millimetres(&contact->inside), 100 * contact->share, contact->triangles, contact->is_limited ? " and more" : "",
			hidden, near, where);
}

static void answer_moment(cJSON *list, const snw_scene *scene, const snw_mesh_pair *pair, const snw_contact_moment *moment,
						  const snw_pair_contact *contact) {
	cJSON *row = snw_answer_row(list);
	snw_answer_text(row, "at", moment->name);
	snw_answer_text(row, "mesh", scene->meshes[pair->first].name);
	snw_answer_text(row, "other", scene->meshes[pair->second].name);
	snw_answer_number(row, "triangles", contact->triangles);
	snw_answer_number(row, "hidden", contact->hidden);
	snw_answer_number(row, "near", contact->near);
	snw_answer_bool(row, "limited", contact->is_limited);
	snw_answer_number(row, "share_percent", 100 * contact->share);
	answer_depth(row, "through", scene, &contact->through);
	answer_depth(row, "inside", scene, &contact->inside);
}

enum { MOST_NAMED = 3 };

/* In one line; the first few meshes are named, the answer has all. */
static void tell_rest(const snw_call *call, const snw_scene *scene, const snw_contact_request *request,
					  const snw_contact_moments *found) {
	cJSON *list = snw_answer_list(call->answer, "rest");
	const char *named = "";
	uint32_t pair_count = 0, triangles = 0;
	for (uint32_t p = 0; p < request->pair_count; p++) {
		const uint32_t count = found->rest[p].triangles;
		if (count > 0) {
			triangles += count;
			if (pair_count++ < MOST_NAMED) {
				named = snw_arena_format(call->arena, "%s%s%s", named, pair_count > 1 ? "; " : "",
										 pair_name(call, scene, &request->pairs[p]));
			}
			cJSON *row = snw_answer_row(list);
			snw_answer_text(row, "mesh", scene->meshes[request->pairs[p].first].name);
			snw_answer_text(row, "other", scene->meshes[request->pairs[p].second].name);
			snw_answer_number(row, "triangles", count);
		}
	}
	if (pair_count > MOST_NAMED) {
		named = snw_arena_format(call->arena, "%s; and %u more", named, pair_count - MOST_NAMED);
	}
	if (pair_count > 0) {
		snw_say(call, "%u pair%s of triangles meet at rest, and are not counted: %s", triangles, snw_plural(triangles), named);
	}
}

/* Of all moments, millimetres. */
typedef struct deepest_contact {
	double through, inside;
} deepest_contact;

static void tell_pair(const snw_call *call, const snw_scene *scene, const snw_contact_request *request, uint32_t pair,
					  const snw_contact_moments *found, cJSON *list, deepest_contact *deepest) {
	uint32_t in_contact = 0;
	for (uint32_t m = 0; m < request->moment_count; m++) {
		const snw_pair_contact *contact = &found->found[(size_t)m * request->pair_count + pair];
		if (!is_contact(contact)) {
			continue;
		}
		if (in_contact++ == 0) {
			snw_say(call, "%s", pair_name(call, scene, &request->pairs[pair]));
			snw_say(call, "  %-20s %8s %8s %8s  pairs of triangles", "at", "through", "inside", "% points");
		}
		deepest->through = fmax(deepest->through, millimetres(&contact->through));
		deepest->inside = fmax(deepest->inside, millimetres(&contact->inside));
		say_moment(call, scene, &request->moments[m], contact);
		answer_moment(list, scene, &request->pairs[pair], &request->moments[m], contact);
	}
}

static double tell(const snw_call *call, const snw_scene *scene, const snw_contact_request *request,
				   const snw_contact_moments *found) {
	deepest_contact deepest = {0};
	tell_rest(call, scene, request, found);
	cJSON *list = snw_answer_list(call->answer, "contact");
	for (uint32_t p = 0; p < request->pair_count; p++) {
		tell_pair(call, scene, request, p, found, list, &deepest);
	}
	const double most = fmax(deepest.through, deepest.inside);
	snw_say(call,
			"%u moment%s, deepest %.2f mm: through %.2f, inside another part %.2f; places of one mesh within %.3g mm of each "
			"other along its surface do not count as contact",
			request->moment_count, snw_plural(request->moment_count), most, deepest.through, deepest.inside,
			1000 * request->neighbours);
	snw_answer_number(call->answer, "moments", request->moment_count);
	snw_answer_number(call->answer, "deepest_mm", most);
	snw_answer_number(call->answer, "through_mm", deepest.through);
	snw_answer_number(call->answer, "inside_mm", deepest.inside);
	snw_answer_number(call->answer, "neighbours_mm", 1000 * request->neighbours);
	return most;
}

/* ---- what a stack makes -------------------------------------------------------------------------------------------------- */

enum { MOST_MOMENTS = 24 }; /* of other verbs, which should not take long for it */

/* Returns the deepest, millimetres. */
static double tell_made(const snw_call *call, const snw_scene *scene, const snw_contact_request *request,
						const snw_contact_moments *found, const snw_contact_moments *before, const char *method) {
	uint32_t count;
	double deepest = 0;
	const snw_contact_made *made = snw_contact_made_list(scene, request, found, before, call->arena, &count);
	cJSON *list = snw_answer_list(call->answer, "contact");
	for (uint32_t i = 0; i < count; i++) {
		const snw_mesh_pair *pair = &request->pairs[made[i].pair];
		const char *at = request->moments[made[i].moment].name;
		snw_say(call, "contact: %s, at %s %.2f mm deep where %s has %.2f; deeper at %u of %u moments",
				pair_name(call, scene, pair), at, 1000 * made[i].deepest, method, 1000 * made[i].before, made[i].moment_count,
				request->moment_count);
		cJSON *row = snw_answer_row(list);
		snw_answer_text(row, "mesh", scene->meshes[pair->first].name);
		snw_answer_text(row, "other", scene->meshes[pair->second].name);
		snw_answer_text(row, "at", at);
		snw_answer_number(row, "deepest_mm", 1000 * made[i].deepest);
		snw_answer_number(row, "before_mm", 1000 * made[i].before);
		snw_answer_number(row, "moments", made[i].moment_count);
		deepest = fmax(deepest, 1000 * made[i].deepest);
	}
	return deepest;
}

/* The contact by two stacks at the same moments. */
static snw_status find_both(const snw_call *call, const snw_scene *scene, const snw_stack *const stacks[2],
							const snw_contact_request *request, snw_contact_moments found[2], snw_error *error) {
	snw_status status = SNW_OK;
	for (int i = 0; i < 2 && !snw_failed(status); i++) {
		status = snw_contact_moments_find(scene, stacks[i], request, &call->task, call->arena, &found[i], error);
	}
	return status;
}

static snw_status print_made(const snw_call *call, const snw_scene *scene, const snw_stack *const stacks[2], const char *before,
							 snw_error *error) {
	snw_contact_moment *moments = NULL;
	snw_contact_moments found[2];
	snw_contact_request request = {.neighbours = snw_contact_default_neighbours(scene),
								   .patch = snw_contact_default_patch(scene)};
	snw_contact_moments_choose(scene, MOST_MOMENTS, call->arena, &moments, &request.moment_count);
	request.moments = moments;
	request.pairs = snw_mesh_pairs_list(scene, true, true, call->arena, &request.pair_count);
	const snw_status status = find_both(call, scene, stacks, &request, found, error);
	if (!snw_failed(status)) {
		tell_made(call, scene, &request, &found[0], &found[1], before);
	}
	return status;
}

/* What a bake is compared with: the layers that it read. */
static snw_status build_baked(const snw_call *call, const snw_opened *opened, uint32_t baked, snw_stack **stack,
							  snw_error *error) {
	snw_scene *below = SNW_NEW(call->arena, snw_scene);
	snw_scene_below_bake(opened->scene, call->arena, below);
	const snw_stack_options options = {.method = snw_bake_record_read(&opened->scene->layers[baked], call->arena).method};
	return snw_stack_build(below, opened->registry, &options, &call->task, stack, error);
}

/* The stack that may not make contact, and its name; NULL: there is none beside the first. */
static snw_status build_before(const snw_call *call, const snw_opened *opened, const char *method, const snw_stack *first,
							   snw_stack **before, const char **name, snw_error *error) {
	const snw_scene *scene = opened->scene;
	const uint32_t baked = snw_scene_first_baked(scene);
	const char *base = snw_stack_base_blend(first);
	*before = NULL;
	if (!method && baked != SNW_NONE && !scene->layers[baked].muted) {
		*name = "the stack before the bake";
		return build_baked(call, opened, baked, before, error);
	}
	*name = base;
	const snw_stack_options options = {.method = base};
	return base && scene->layer_count > 1 && (!method || strcmp(method, base) != 0)
			   ? snw_stack_build(scene, opened->registry, &options, &call->task, before, error)
			   : SNW_OK;
}

snw_status snw_contact_made_print(const snw_call *call, const snw_opened *opened, const char *method, snw_error *error) {
	const snw_stack_options options = {.method = method};
	snw_stack *stack = NULL, *before = NULL;
	const char *name = NULL;
	if (method && strcmp(method, "source") == 0) {
		return SNW_OK; /* no stack makes it */
	}
	snw_status status = snw_stack_build(opened->scene, opened->registry, &options, &call->task, &stack, error);
	status = snw_failed(status) ? status : build_before(call, opened, method, stack, &before, &name, error);
	if (!snw_failed(status) && before) {
		status = print_made(call, opened->scene, (const snw_stack *const[2]){stack, before}, name, error);
	}
	snw_stack_destroy(before);
	snw_stack_destroy(stack);
	return status;
}

/* ---- the field ----------------------------------------------------------------------------------------------------------- */

static snw_status put_field(snw_opened *opened, const char *name, const snw_contact_moments *found, snw_error *error) {
	const snw_scene *scene = opened->scene;
	snw_status status = snw_project_begin(opened->project, "find contact", error);
	for (uint32_t m = 0; m < scene->mesh_count && !snw_failed(status); m++) {
		const snw_field field = {.name = name,
								 .domain = SNW_DOMAIN_POINTS,
								 .mesh = m,
								 .components = 1,
								 .count = scene->meshes[m].point_count,
								 .values = found->deepest[m],
								 .unit = "m"};
		status = snw_project_put_field(opened->project, &field, scene->meshes[m].id, NULL, error);
	}
	status = snw_failed(status) ? status : snw_project_commit(opened->project, error);
	snw_project_rollback(opened->project);
	return status;
}

/* `found` has two results with --beyond. */
static snw_status find(const snw_call *call, snw_opened *opened, const snw_contact_request *request,
					   snw_contact_moments found[2], snw_error *error) {
	snw_stack *stack = NULL, *before = NULL;
	const char *beyond = snw_call_option(call, "--beyond");
	const snw_stack_options options = {.method = beyond};
	snw_status status = snw_opened_stack(call, opened, snw_call_option(call, "--method"), &stack, error);
	if (!snw_failed(status) && beyond) {
		status = snw_stack_build(opened->scene, opened->registry, &options, &call->task, &before, error);
	}
	if (!snw_failed(status)) {
		status = beyond ? find_both(call, opened->scene, (const snw_stack *const[2]){stack, before}, request, found, error)
						: snw_contact_moments_find(opened->scene, stack, request, &call->task, call->arena, &found[0], error);
	}
	snw_stack_destroy(before);
	snw_stack_destroy(stack);
	const char *field = snw_call_option(call, "--field");
	return snw_failed(status) || !field ? status : put_field(opened, field, found, error);
}

static snw_status run_contact(snw_call *call, snw_error *error) {
	snw_opened opened;
	snw_contact_request request;
	snw_contact_moments found[2];
	double most = INFINITY;
	const int writes = snw_call_option(call, "--field") ? SNW_OPEN_WRITE : SNW_OPEN_READ;
	snw_status status = snw_open_project(call->arguments[0], writes | SNW_OPEN_PLUGINS, &call->task, &opened, error);
	if (snw_failed(status)) {
		return status;
	}
	status = read_contact_request(call, opened.scene, &request, &most, error);
	status = snw_failed(status) ? status : find(call, &opened, &request, found, error);
	if (!snw_failed(status)) {
		const char *beyond = snw_call_option(call, "--beyond");
		const double deepest = beyond ? tell_made(call, opened.scene, &request, &found[0], &found[1], beyond)
									  : tell(call, opened.scene, &request, &found[0]);
		if (deepest > most) {
			status = snw_fail(error, SNW_ERROR_DATA, "the deepest contact is %.3g mm, and --most is %.3g", deepest, most);
		}
	}
	snw_opened_close(&opened);
	return status;
}

static const snw_option contact_options[] = {
	{"--clip", "NAME",
	 "at the keys of this clip, and between keys that are over 1/24 s apart; may be repeated (default: all clips)"},
	{"--at", "POSE", "at one pose instead: NAME, or CLIP:SECONDS"},
	{"--between", "MESH,MESH", "only between these two meshes; may be repeated (default: all, and each with itself)"},
	{"--self", NULL, "each mesh with itself"},
	{"--clearance", "MM", "also count triangles that are nearer than this, in millimetres (default: 0)"},
	{"--neighbours", "MM",
	 "what is nearer than this along the surface of a mesh is no contact with itself (default: 20 for a human, in proportion)"},
	{"--most", "MM", "exit status 1 if anything is deeper than this"},
	{"--method", "METHOD", "which method or layer poses the meshes (default: the whole stack)"},
	{"--beyond", "METHOD", "only contact that this method or layer does not make"},
	{"--field", "NAME", "store the depth of each point, over all moments, as a field for heat maps (render --heat)"},
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_contact = {
	.name = "contact",
	.part = SNW_VERB_FITS,
	.usage = "P.sinew [--clip NAME]… [--at POSE] [--between MESH,MESH]… [--self] [--clearance MM] [--most MM]",
	.help = "Finds where meshes go through themselves and each other, and how deep.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = contact_options,
	.run = run_contact,
};
