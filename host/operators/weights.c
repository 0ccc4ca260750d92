/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skin weights edited as a whole.
 */
#include "weights/weights.h"

#include <string.h>

#include "base/error.h"
#include "operators/arguments.h"
#include "sculpt/sculpt.h"

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
