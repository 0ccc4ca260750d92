/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skeletons and skin weights: made by a method, or edited as a whole.
 */
#include <string.h>

#include "base/error.h"
#include "example/groups.h"
#include "fit/fit.h"
#include "operators/arguments.h"
#include "parameter/parameters.h"
#include "sculpt/sculpt.h"
#include "weights/weights.h"

/* ---- made by a method ---------------------------------------------------------------------------------------------------- */

/* Skeletons and skin weights that a method makes for the project, and no layer, in the worker process. */

#define METHOD                                                                                                                 \
	{ "method", SNW_ARGUMENT_TEXT, "METHOD", "which method, where several can", .flags = 0 }
#define METHOD_PARAMETERS                                                                                                      \
	{                                                                                                                          \
		"set", SNW_ARGUMENT_TEXT, "KEY=VALUE", "a parameter of the method; 'sinew plugins' lists the parameters",              \
			.flags = SNW_ARGUMENT_MANY                                                                                         \
	}

static const snw_argument skeleton_arguments[] = {
	{"bones", SNW_ARGUMENT_TEXT, "N|auto", "how many bones, besides a root (default: auto, which finds the number)",
	 .not_with = "from|from-joints"},
	{"from", SNW_ARGUMENT_FILE, "FILE.tgf", "a drawing: which joints there are, and which bones between them",
	 .not_with = "from-joints"},
	SNW_SWITCH_ARGUMENT("from-joints", "the project's joints are the drawing; the skeleton takes their place"),
	SNW_SWITCH_ARGUMENT("replace", "replace the existing skeleton"),
	METHOD,
	METHOD_PARAMETERS,
	SNW_FIT_LIMIT_ARGUMENTS,
	{0},
};
static const snw_argument bind_arguments[] = {
	{"mesh", SNW_ARGUMENT_THING, "MESH", "which mesh (default: all)", .noun = SNW_NOUN_MESH},
	{"influences", SNW_ARGUMENT_TEXT, "K", "the most joints that may move one point", .flags = 0},
	SNW_SWITCH_ARGUMENT("replace", "replace existing weights"),
	SNW_LOCK_ARGUMENT,
	{"mask", SNW_ARGUMENT_TEXT, "MASK", "where weights are replaced: field:NAME, x+, x- (y, z) or joints:A,B", .flags = 0},
	METHOD,
	METHOD_PARAMETERS,
	SNW_FIT_LIMIT_ARGUMENTS,
	{0},
};

/* ---- the request --------------------------------------------------------------------------------------------------------- */

/* The method that --method names, or the first with the trait. */
static snw_status find_method_with(const snw_operation *o, uint32_t trait, const snw_deformer **deformer, snw_error *error) {
	const char *makes = trait == SNW_MAKES_SKELETON ? "skeleton" : "skin weights";
	*deformer = snw_registry_find_trait(o->in->registry, trait);
	if (!snw_operation_has(o, "method")) {
		return *deformer ? SNW_OK
						 : snw_fail(error, SNW_ERROR_MISSING,
									"no method that makes %s is loaded; 'sinew plugins' lists the methods", makes);
	}
	const snw_status status = snw_operation_method(o, "method", deformer, error);
	if (snw_failed(status) || (*deformer)->descriptor->traits & trait) {
		return status;
	}
	return snw_fail(error, SNW_ERROR_ARGUMENT, "%s makes no %s; run 'sinew fit %s' to fit it", snw_operation_text(o, "method"),
					makes, snw_operation_text(o, "method"));
}

/* The value of an argument becomes the parameter with a role. */
static snw_status set_role(const snw_operation *o, const char *argument, const snw_descriptor *descriptor, snw_role role,
						   snw_fit_request *request, snw_error *error) {
	const char *value = snw_operation_text(o, argument);
	const snw_parameter *parameter = snw_parameter_of_role(descriptor, role);
	if (!value) {
		return SNW_OK;
	}
	if (!parameter) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s has no parameter for --%s", descriptor->short_name, argument);
	}
	const char *change = snw_arena_format(o->arena, "%s=%s", parameter->key, value);
	snw_settings settings = {request->setting_count, request->settings};
	const snw_status status =
		snw_settings_change(o->scene, descriptor, o->in->folder, true, 1, &change, o->arena, &settings, error);
	request->setting_count = settings.count;
	request->settings = settings.list;
	return status;
}

/* Runs the method; what it makes is written afterwards. */
static snw_status run_method(snw_operation *o, const snw_deformer *deformer, snw_fit_request *request,
							 snw_operator_function *write, const char *label, snw_error *error) {
	request->method = deformer->descriptor->short_name;
	request->left_out_example = SNW_NONE;
	snw_status status = snw_operation_fit_settings(o, deformer->descriptor, request, error);
	status = snw_failed(status) ? status : snw_operation_fit(o, o->in->path, request, error);
	o->work->write = write;
	o->work->is_beside = true;
	o->work->label = label;
	return status;
}

static void report_caveat(const snw_operation *o) {
	const snw_fit_outcome *outcome = o->work->outcome;
	if (outcome->status > 0 && outcome->caveat) {
		snw_report_warn(o->report, "%s", outcome->caveat);
	}
	snw_report_number(o->report, "seconds", outcome->seconds);
	snw_report_text(o->report, "status", snw_status_words(outcome->status));
}

/* ---- skeletons ----------------------------------------------------------------------------------------------------------- */

static snw_status put_made_skeleton(snw_operation *o, snw_error *error) {
	const snw_skeleton *skeleton = &o->work->outcome->proposals.skeleton;
	const snw_status status = snw_project_put_outcome(o->project, o->in->registry, NULL, o->work->outcome, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_report_say(o->report, "a skeleton of %u joints in %.3f s", skeleton->joint_count, o->work->outcome->seconds);
	snw_report_number(o->report, "joints", skeleton->joint_count);
	report_caveat(o);
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		const uint32_t parent = skeleton->parents[j];
		snw_report_row(o->report, "names", j);
		snw_report_text(o->report, "name", skeleton->names[j]);
		snw_report_text(o->report, "parent", parent == SNW_NONE ? "" : skeleton->names[parent]);
	}
	snw_report_row(o->report, NULL, 0);
	return status;
}

static snw_status make_skeleton(snw_operation *o, snw_error *error) {
	const bool from_joints = snw_operation_has(o, "from-joints");
	const snw_deformer *deformer;
	snw_fit_request request = {.replaces_skeleton = from_joints || snw_operation_has(o, "replace"),
							   .follows_joints = from_joints};
	if (from_joints && o->scene->skeleton.joint_count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"the project has no joints; draw them in the window, or add them with 'joint add'");
	}
	snw_status status = find_method_with(o, SNW_MAKES_SKELETON, &deformer, error);
	status = snw_failed(status) ? status : set_role(o, "bones", deformer->descriptor, SNW_ROLE_BONES, &request, error);
	status = snw_failed(status) ? status : set_role(o, "from", deformer->descriptor, SNW_ROLE_DRAWING, &request, error);
	return snw_failed(status) ? status : run_method(o, deformer, &request, put_made_skeleton, "make a skeleton", error);
}

/* ---- skin weights -------------------------------------------------------------------------------------------------------- */

/* Weights that are there are replaced only on request. */
static bool wants(const snw_operation *o, uint32_t mesh) {
	const uint32_t chosen = snw_operation_thing(o, "mesh");
	return (chosen == SNW_NONE || chosen == mesh) &&
		   (!o->scene->meshes[mesh].influence_offsets || snw_operation_has(o, "replace"));
}

static snw_status expect_work(const snw_operation *o, snw_error *error) {
	const uint32_t chosen = snw_operation_thing(o, "mesh");
	for (uint32_t m = 0; m < o->scene->mesh_count; m++) {
		if (wants(o, m)) {
			return SNW_OK;
		}
	}
	return o->scene->mesh_count == 0
			   ? snw_fail(error, SNW_ERROR_MISSING, "the project has no mesh to bind")
			   : snw_fail(error, SNW_ERROR_CONFLICT, "%s has skin weights; --replace puts others in their place",
						  chosen == SNW_NONE ? "every mesh"
											 : snw_arena_format(o->arena, "mesh '%s'", o->scene->meshes[chosen].name));
}

/* A mask is one mesh's. */
static snw_status read_mask(const snw_operation *o, uint32_t *mesh, const double **values, snw_error *error) {
	if (!snw_operation_has(o, "replace")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--mask keeps some of the existing weights; it goes with --replace");
	}
	if (*mesh == SNW_NONE && o->scene->mesh_count > 1) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "a mask is of one mesh; choose it with --mesh");
	}
	*mesh = *mesh == SNW_NONE ? 0 : *mesh;
	return snw_mask_values(o->scene, *mesh, snw_operation_text(o, "mask"), o->arena, values, error);
}

/* Which weights are replaced; refused where there are none. Without --replace no weights change that could be locked. */
static snw_status choose(const snw_operation *o, snw_skin_choice *choice, snw_error *error) {
	uint32_t mesh = snw_operation_thing(o, "mesh");
	*choice = (snw_skin_choice){.replaces = snw_operation_has(o, "replace")};
	choice->locked = snw_operation_things(o, "lock", &choice->lock_count);
	choice->lock_count = choice->replaces ? choice->lock_count : 0;
	snw_status status = expect_work(o, error);
	status = snw_failed(status) || !snw_operation_has(o, "mask") ? status : read_mask(o, &mesh, &choice->mask, error);
	choice->mesh = snw_failed(status) || mesh == SNW_NONE ? 0 : o->scene->meshes[mesh].id;
	return status;
}

static snw_status put_weights(snw_operation *o, snw_error *error) {
	const snw_proposals *proposals = &o->work->outcome->proposals;
	snw_skin_choice choice;
	snw_status status = choose(o, &choice, error);
	status =
		snw_failed(status) ? status : snw_project_put_outcome(o->project, o->in->registry, &choice, o->work->outcome, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_report_say(o->report, "weights of %u mesh%s in %.3f s", proposals->skin_count, proposals->skin_count == 1 ? "" : "es",
				   o->work->outcome->seconds);
	report_caveat(o);
	for (uint32_t i = 0; i < proposals->skin_count; i++) {
		const char *name = o->scene->meshes[proposals->skins[i].mesh].name;
		snw_report_changed(o->report, SNW_NOUN_MESH, name);
		snw_report_row(o->report, "meshes", i);
		snw_report_text(o->report, "mesh", name);
	}
	snw_report_row(o->report, NULL, 0);
	return status;
}

static snw_status make_weights(snw_operation *o, snw_error *error) {
	const snw_deformer *deformer;
	snw_skin_choice choice;
	snw_fit_request request = {0};
	snw_status status = find_method_with(o, SNW_MAKES_WEIGHTS, &deformer, error);
	status =
		snw_failed(status) ? status : set_role(o, "influences", deformer->descriptor, SNW_ROLE_INFLUENCES, &request, error);
	status = snw_failed(status) ? status : choose(o, &choice, error);
	return snw_failed(status) ? status : run_method(o, deformer, &request, put_weights, "bind", error);
}

enum { MAKES = SNW_OPERATOR_LONG | SNW_OPERATOR_PLUGINS | SNW_OPERATOR_REFITS | SNW_OPERATOR_STAYS };

static const snw_operator skeleton_operators[] = {
	{"", "Skeleton from motion",
	 "Makes a skeleton for a mesh animation: joints, weights, and the poses of its frames as a clip.", "make a skeleton", MAKES,
	 skeleton_arguments, make_skeleton},
	{0},
};
static const snw_operator bind_operators[] = {
	{"", "Bind skin", "Makes skin weights for the skeleton: from motion where there is any, else from the shape.", "bind",
	 MAKES, bind_arguments, make_weights},
	{0},
};

const snw_operator_noun snw_operators_skeleton = {
	"skeleton", "Makes a skeleton for a mesh animation: joints, weights, and the poses of its frames as a clip.",
	skeleton_operators};
const snw_operator_noun snw_operators_bind = {
	"bind", "Makes skin weights for the skeleton: from motion where there is any, else from the shape.", bind_operators};

/* ---- edited as a whole --------------------------------------------------------------------------------------------------- */

/* Skin weights edited as a whole. */

static const snw_argument normalise_arguments[] = {SNW_MESH_ARGUMENT, SNW_LOCK_ARGUMENT, {0}};

static const snw_argument prune_arguments[] = {
	SNW_MESH_ARGUMENT,
	{"influences", SNW_ARGUMENT_COUNT, "K", "the most joints that may move one point, locked ones included", .least = 1,
	 .most = 1000, .initial = 4},
	{"least", SNW_ARGUMENT_NUMBER, "W", "drop smaller weights", .least = 0, .most = 1, .initial = 0.01},
	SNW_LOCK_ARGUMENT,
	{0},
};

static const snw_argument mirror_weights_arguments[] = {
	SNW_MESH_ARGUMENT,
	{"from", SNW_ARGUMENT_CHOICE, "+|-", "the side with larger or with smaller coordinates, which the other side gets",
	 .choices = "+|-"},
	SNW_PLANE_ARGUMENTS,
	SNW_LOCK_ARGUMENT,
	{0},
};

static const snw_argument copy_arguments[] = {
	SNW_MESH_ARGUMENT,
	{"from", SNW_ARGUMENT_THING, "MESH", "the mesh to copy from", .flags = SNW_ARGUMENT_NEEDED, .noun = SNW_NOUN_MESH},
	SNW_LOCK_ARGUMENT,
	{0},
};

static const snw_argument set_weight_arguments[] = {
	{"joint", SNW_ARGUMENT_THING, "JOINT", "the joint", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED,
	 .noun = SNW_NOUN_JOINT},
	SNW_MESH_ARGUMENT,
	{"point", SNW_ARGUMENT_COUNT, "N", "the point, from 0", .flags = SNW_ARGUMENT_NEEDED, .least = 0, .most = 4e9},
	{"weight", SNW_ARGUMENT_NUMBER, "W", "its weight, at most what locked joints leave of 1", .flags = SNW_ARGUMENT_NEEDED,
	 .least = 0, .most = 1},
	SNW_LOCK_ARGUMENT,
	{0},
};

static const snw_argument take_arguments[] = {{0}};

/* The mesh to edit; with `is_skinned` it must have a skin. */
static snw_status find_edited_mesh(const snw_operation *o, const char *argument, bool is_skinned, const snw_mesh **mesh,
								   snw_error *error) {
	*mesh = &o->scene->meshes[snw_operation_thing(o, argument)];
	return !is_skinned || (*mesh)->influence_offsets
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_MISSING, "mesh '%s' has no skin weights; 'bind' makes them", (*mesh)->name);
}

/* Puts the wanted skin, in which locked joints keep their weights. */
static snw_status put_skin(const snw_operation *o, const snw_mesh *mesh, const snw_mesh *wanted, snw_error *error) {
	uint32_t lock_count;
	const uint32_t *locked = snw_operation_things(o, "lock", &lock_count);
	const snw_mesh skin = snw_skin_lock(o->scene, mesh, wanted, lock_count, locked, o->arena);
	const uint32_t influences = skin.influence_offsets[skin.point_count];
	snw_report_changed(o->report, SNW_NOUN_MESH, mesh->name);
	snw_report_number(o->report, "influences", influences);
	snw_report_say(o->report, "mesh %s has %u influence%s at %u point%s", mesh->name, influences, snw_plural(influences),
				   skin.point_count, snw_plural(skin.point_count));
	return snw_project_put_skin(o->project, skin.id, skin.point_count, skin.influence_offsets, skin.influence_slots,
								skin.influence_weights, error);
}

static snw_status normalise(snw_operation *o, snw_error *error) {
	const snw_mesh *mesh;
	const snw_status status = find_edited_mesh(o, "mesh", true, &mesh, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_mesh wanted = snw_skin_normalise(mesh, o->arena);
	return put_skin(o, mesh, &wanted, error);
}

static snw_status prune(snw_operation *o, snw_error *error) {
	const snw_mesh *mesh;
	const snw_status status = find_edited_mesh(o, "mesh", true, &mesh, error);
	if (snw_failed(status)) {
		return status;
	}
	uint32_t lock_count;
	const uint32_t *locked = snw_operation_things(o, "lock", &lock_count);
	const snw_mesh wanted = snw_skin_prune(o->scene, mesh, snw_operation_count(o, "influences"),
										   snw_operation_number(o, "least"), lock_count, locked, o->arena);
	return put_skin(o, mesh, &wanted, error);
}

/* As by one dab of the brush. */
static snw_status set_weight(snw_operation *o, snw_error *error) {
	const uint32_t joint = snw_operation_thing(o, "joint"), point = snw_operation_count(o, "point");
	const snw_mesh *mesh;
	snw_painted_skin *painted;
	uint32_t lock_count;
	const uint32_t *locks = snw_operation_things(o, "lock", &lock_count);
	bool *locked = SNW_NEW_ARRAY(o->arena, bool, o->scene->skeleton.joint_count);
	memset(locked, 0, o->scene->skeleton.joint_count * sizeof *locked);
	for (uint32_t i = 0; i < lock_count; i++) {
		locked[locks[i]] = true;
	}
	snw_status status = find_edited_mesh(o, "mesh", true, &mesh, error);
	if (!snw_failed(status) && point >= mesh->point_count) {
		return snw_fail(error, SNW_ERROR_MISSING, "mesh '%s' has no point %u; it has %u points", mesh->name, point,
						mesh->point_count);
	}
	const uint32_t index = (uint32_t)(mesh - o->scene->meshes);
	status = snw_failed(status) ? status : snw_painted_skin_make(o->scene, index, joint, locked, o->arena, &painted, error);
	if (snw_failed(status)) {
		return status;
	}
	double *weights = SNW_NEW_ARRAY(o->arena, double, mesh->point_count);
	snw_sculpt_weights(o->scene, index, joint, weights);
	weights[point] = snw_operation_number(o, "weight");
	return put_skin(o, mesh, snw_painted_skin_apply(painted, weights), error);
}

static snw_status mirror_weights(snw_operation *o, snw_error *error) {
	const snw_mesh *mesh;
	snw_status status = find_edited_mesh(o, "mesh", true, &mesh, error);
	if (snw_failed(status)) {
		return status;
	}
	const uint32_t index = (uint32_t)(mesh - o->scene->meshes);
	const snw_mirror_options options = {.method = SNW_MIRROR_AUTO,
										.plane = snw_operation_plane(o, snw_symmetry_plane(o->scene, index))};
	snw_mirror_map map;
	snw_mirror_joints joints;
	snw_mesh wanted;
	status = snw_mirror_map_build(mesh, &options, o->arena, &map, error);
	if (status == SNW_ERROR_MISSING) {
		return snw_fail(error, status,
						"the sides of %s are not alike at rest, so its weights have no mirror image; paint those of the other "
						"side, or copy them from a mesh that has them",
						mesh->name);
	}
	if (!snw_failed(status)) {
		snw_mirror_joints_find(o->scene, &options.plane, 0, o->arena, &joints);
		status = snw_skin_mirror(o->scene, mesh, &map, &joints, snw_operation_count(o, "from") == 0, o->arena, &wanted, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	snw_report_say(o->report, "%u pairs of points, %u in the middle; %u have no partner and keep their weights", map.pair_count,
				   map.middle_count, map.unpaired_count);
	snw_report_say(o->report, "%u pairs of joints, %u without a partner", joints.pair_count, joints.unpaired_count);
	snw_report_number(o->report, "unpaired", map.unpaired_count);
	return put_skin(o, mesh, &wanted, error);
}

static snw_status put_copied(snw_operation *o, snw_error *error) {
	return put_skin(o, &o->scene->meshes[snw_operation_thing(o, "mesh")], o->work->skin, error);
}

/* The mesh may have no weights yet. */
static snw_status copy(snw_operation *o, snw_error *error) {
	const snw_mesh *mesh, *from;
	snw_mesh *wanted = SNW_NEW(o->arena, snw_mesh);
	snw_status status = find_edited_mesh(o, "mesh", false, &mesh, error);
	status = snw_failed(status) ? status : find_edited_mesh(o, "from", true, &from, error);
	if (!snw_failed(status) && from == mesh) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "mesh '%s' cannot be copied onto itself; choose another with --from",
						mesh->name);
	}
	*o->work = (snw_operator_work){.write = put_copied, .skin = wanted};
	return snw_failed(status) ? status : snw_skin_from_mesh(mesh, from, o->in->task, o->arena, wanted, error);
}

/* The weights that the fitted blend of the stack has learned, for all meshes. */
static snw_status take(snw_operation *o, snw_error *error) {
	const uint32_t layer = snw_learned_blend(o->scene, o->in->registry);
	if (layer == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"no layer that is not muted has learned weights; 'stack list' lists the layers");
	}
	const char *name = o->scene->layers[layer].name;
	snw_report_changed(o->report, SNW_NOUN_LAYER, name);
	snw_report_say(o->report, "the skin has the weights of %s, which is muted", name);
	return snw_project_take_weights(o->project, o->scene, o->in->registry, layer, error);
}

static const snw_operator weights_operators[] = {
	{"normalise", "Normalise weights", "Divides the weights of each point by their sum.", "normalise weights of",
	 SNW_OPERATOR_REFITS, normalise_arguments, normalise},
	{"prune", "Prune weights", "Keeps the largest weights of each point.", "prune weights of", SNW_OPERATOR_REFITS,
	 prune_arguments, prune},
	{"mirror", "Mirror weights", "The weights of one side replace those of the other, for the partners of their joints.",
	 "mirror weights of", SNW_OPERATOR_REFITS, mirror_weights_arguments, mirror_weights},
	{"set", "Set weight", "Sets the weight of a joint at one point; its other joints share the rest.", "set weights of",
	 SNW_OPERATOR_REFITS, set_weight_arguments, set_weight},
	{"copy", "Copy weights from mesh", "Each point gets the weights of the nearest place of another mesh at rest.",
	 "copy weights to", SNW_OPERATOR_REFITS | SNW_OPERATOR_LONG, copy_arguments, copy},
	{"take", "Take learned weights",
	 "Copies the weights of the fitted blend that is shown to the skin, where they can be painted. The layer is muted; to get "
	 "it "
	 "back, fit it again and unmute it.",
	 "take learned weights", SNW_OPERATOR_REFITS | SNW_OPERATOR_PLUGINS, take_arguments, take},
	{0},
};

const snw_operator_noun snw_operators_weights = {"weights", "Edits the skin weights of a mesh as a whole.", weights_operators};
