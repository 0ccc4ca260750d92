/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pose space of a group: its joints, their metric, and its poses.
 */
#include <math.h>
#include <string.h>

#include "inverse-psd/fit.h"
#include "inverse-psd/inverse-psd.h"
#include "sinew/algebra.h"
#include "sinew/kit/clock.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* Poses of a group that are closer than this are one pose; a joint that rotates less than this counts as unmoved. Radians. */
#define SAME_POSE 1e-4

/* ---- joints -------------------------------------------------------------------------------------------------------------- */

/* Which joints drive a group that names none: those that rotate at one of its examples (or move, where the distances count
 * translations and scales) and bend the skin where it is sculpted.
 *
 * A joint bends the skin at a point where a part W of the point's weight belongs to the joint and those below it: with W = 1
 * the point moves rigidly with the joint, with W = 0 it does not move. So a joint counts by the share of the sculpt (its
 * lengths, under the mask) that lies under 4 W (1 − W). */

/* The share of the sculpt that a joint must bend. With a smaller one, the hip of the other leg would drive a group through a
 * soft mask in the middle, and every driving joint increases the distance of poses that differ in it. */
#define LEAST_SHARE 0.1
/* Points edited by less than this part of the longest edit do not count. */
#define NEGLIGIBLE_EDIT 0.01

typedef struct candidates {
	uint32_t count;
	uint32_t *joints;
	double *bends; /* [count]: the share of the current example that each joint bends */
	double *near;  /* [count]: the share that the joint and its parent move */
	char *chosen;  /* [count] */
	char *below;   /* [joint_count]: whether a joint is the current one, or below it */
	double *edits; /* [points]: lengths of the current example's edits */
} candidates;

/* Whether a joint differs from its rest in a member's example. */
static int moves_in(const fitting *f, uint32_t g, uint32_t member, uint32_t joint) {
	const snw_example_view *example = f->input->examples[f->groups[g]->members[member]->example];
	const snw_transform *rest = &f->input->character->skeleton->rest_local[joint], *here = &example->pose->local[joint];
	double distance = snw_length3(example->pose->rotation_vectors + 3 * (size_t)joint);
	for (int c = 0; c < 3; c++) {
		distance = fmax(distance, snk_parameter_value(f->input, TRANSLATION, g, joint) *
									  fabs(here->translation[c] - rest->translation[c]));
		distance = fmax(distance, snk_parameter_value(f->input, SCALE, g, joint) * fabs(here->scale[c] - rest->scale[c]));
	}
	return distance > SAME_POSE;
}

static void mark_below(const snw_skeleton_view *skeleton, uint32_t joint, char *below) {
	for (uint32_t i = 0; i < skeleton->joint_count; i++) {
		const uint32_t j = skeleton->order[i], parent = skeleton->parents[j];
		below[j] = (char)(j == joint || (parent != SNW_NONE && below[parent]));
	}
}

/* Lengths of what the example asks for over what lies below, under the mask; 0 where that is negligible. Returns their sum. */
static double find_edits(const fitting *f, const snw_group_view *group, uint32_t e, double *edits) {
	const snw_example_view *example = f->input->examples[e];
	const snw_mesh_view *mesh = f->input->character->meshes[example->mesh];
	double longest = 0, sum = 0;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		double gap[3];
		for (size_t c = 0; c < 3; c++) {
			gap[c] = example->points_posed[3 * (size_t)i + c] - f->posed[3 * (size_t)i + c];
		}
		edits[i] = fmin(mask_at(group, e, i), 1) * snw_length3(gap);
		longest = fmax(longest, edits[i]);
	}
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		edits[i] = edits[i] > NEGLIGIBLE_EDIT * longest ? edits[i] : 0;
		sum += edits[i];
	}
	return sum;
}

static void find_shares(const fitting *f, uint32_t mesh_index, double sum, candidates *found) {
	const snw_character_view *character = f->input->character;
	const snw_mesh_view *mesh = character->meshes[mesh_index];
	for (uint32_t k = 0; k < found->count; k++) {
		const uint32_t joint = found->joints[k], parent = character->skeleton->parents[joint];
		mark_below(character->skeleton, joint, found->below);
		found->bends[k] = found->near[k] = 0;
		for (uint32_t i = 0; mesh->influence_offsets && sum > 0 && i < mesh->point_count; i++) {
			double under = 0, beside = 0;
			for (uint32_t n = mesh->influence_offsets[i]; found->edits[i] > 0 && n < mesh->influence_offsets[i + 1]; n++) {
				const uint32_t owner = character->slot_joints[mesh->influence_slots[n]];
				under += found->below[owner] ? mesh->influence_weights[n] : 0;
				beside += owner == joint || owner == parent ? mesh->influence_weights[n] : 0;
			}
			found->bends[k] += found->edits[i] * 4 * under * fmax(1 - under, 0) / sum;
			found->near[k] += found->edits[i] * beside / sum;
		}
	}
}

/* Chooses for one member: by bending; if no joint that rotates here bends it, by nearness; else all that rotate. */
static void choose_for(const fitting *f, uint32_t g, uint32_t member, candidates *found) {
	for (int rule = 0; rule < 3; rule++) {
		int any = 0;
		for (uint32_t k = 0; k < found->count; k++) {
			const double share = rule == 0 ? found->bends[k] : rule == 1 ? found->near[k] : 1;
			if (moves_in(f, g, member, found->joints[k]) && (found->chosen[k] || share >= LEAST_SHARE)) {
				found->chosen[k] = 1;
				any = 1;
			}
		}
		if (any) {
			return;
		}
	}
}

static void report_choice(const fitting *f, const snw_group_view *group, uint32_t count, const uint32_t *joints) {
	char list[600] = "";
	size_t used = 0;
	for (uint32_t k = 0; k < count && used < sizeof list; k++) {
		const int wrote =
			snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", f->input->character->skeleton->names[joints[k]]);
		used += wrote > 0 ? (size_t)wrote : 0;
	}
	snw_report_line(f->host, SNW_LOG_INFO, "group \"%s\" is driven by %s", group->name, list);
}

static snw_status copy_given_joints(fitting *f, const snw_group_view *group, uint32_t **joints, uint32_t *joint_count) {
	*joints = SNW_POOL_ARRAY(f->model_pool, uint32_t, group->joint_count);
	if (!*joints) {
		return SNW_ERROR_MEMORY;
	}
	*joint_count = 0;
	for (uint32_t k = 0; k < group->joint_count; k++) {
		if (group->joints[k] >= f->input->character->skeleton->joint_count) {
			return snw_report_fail(f->host, SNW_ERROR_ARGUMENT,
								   "group \"%s\" names a joint that does not exist; change its joints", group->name);
		}
		int known = 0;
		for (uint32_t n = 0; n < *joint_count; n++) {
			known |= (*joints)[n] == group->joints[k];
		}
		if (!known) {
			(*joints)[(*joint_count)++] = group->joints[k];
		}
	}
	return SNW_OK;
}

static snw_status open_candidates(fitting *f, uint32_t g, snw_pool *pool, candidates *found) {
	const uint32_t joint_count = f->input->character->skeleton->joint_count;
	uint32_t most = 0;
	for (uint32_t m = 0; m < f->input->character->mesh_count; m++) {
		const uint32_t points = f->input->character->meshes[m]->point_count;
		most = points > most ? points : most;
	}
	*found = (candidates){.joints = SNW_POOL_ARRAY(pool, uint32_t, joint_count),
						  .bends = SNW_POOL_ARRAY(pool, double, joint_count),
						  .near = SNW_POOL_ARRAY(pool, double, joint_count),
						  .chosen = SNW_POOL_ARRAY(pool, char, joint_count),
						  .below = SNW_POOL_ARRAY(pool, char, joint_count),
						  .edits = SNW_POOL_ARRAY(pool, double, most)};
	for (uint32_t j = 0; !pool->failed && j < joint_count; j++) {
		int moves = 0;
		for (uint32_t m = 0; m < f->groups[g]->member_count; m++) {
			moves |= moves_in(f, g, m, j);
		}
		if (moves) {
			found->joints[found->count++] = j;
		}
	}
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

/* The joints that drive the group: its own list, or those that bend the skin where its examples are sculpted. */
static snw_status choose_joints(fitting *f, uint32_t g, uint32_t **joints, uint32_t *joint_count) {
	const snw_group_view *group = f->groups[g];
	if (group->joint_count > 0) {
		return copy_given_joints(f, group, joints, joint_count);
	}
	snw_pool pool = snw_pool_open(f->host);
	candidates found;
	snw_status status = open_candidates(f, g, &pool, &found);
	for (uint32_t m = 0; !snk_failed(status) && m < group->member_count; m++) {
		const uint32_t e = group->members[m]->example;
		status = find_posed(f, e, f->input->character->meshes[f->input->examples[e]->mesh]->points_rest, f->posed);
		if (!snk_failed(status)) {
			find_shares(f, f->input->examples[e]->mesh, find_edits(f, group, e, found.edits), &found);
			choose_for(f, g, m, &found);
		}
	}
	if (!snk_failed(status)) {
		*joints = SNW_POOL_ARRAY(f->model_pool, uint32_t, found.count);
		*joint_count = 0;
		for (uint32_t k = 0; *joints && k < found.count; k++) {
			if (found.chosen[k]) {
				(*joints)[(*joint_count)++] = found.joints[k];
			}
		}
		status = *joints ? SNW_OK : SNW_ERROR_MEMORY;
	}
	if (!snk_failed(status) && *joint_count > 0) {
		report_choice(f, group, *joint_count, *joints);
	}
	snw_pool_release(&pool);
	return status;
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

/* The poses of a group while they are collected. */
typedef struct pose_list {
	uint32_t count;
	uint32_t *examples; /* an example with this pose; SNW_NONE for the rest */
	double *rotation_vectors, *places;
	double *features; /* [count][joint_count][SNK_POSE_FEATURES] */
} pose_list;

double mask_at(const snw_group_view *group, uint32_t example, uint32_t point) {
	for (uint32_t m = 0; m < group->member_count; m++) {
		if (group->members[m]->example == example) {
			const double *mask = group->members[m]->mask;
			return mask ? fmax(mask[point], 0) : 1;
		}
	}
	return 0;
}

int group_has(const snw_group_view *group, uint32_t example) {
	for (uint32_t m = 0; m < group->member_count; m++) {
		if (group->members[m]->example == example) {
			return 1;
		}
	}
	return 0;
}

static void add_pose(const fitting *f, const pose_space *space, uint32_t example, pose_list *list) {
	const snw_skeleton_view *skeleton = f->input->character->skeleton;
	const snw_pose_view *pose = example == SNW_NONE ? NULL : f->input->examples[example]->pose;
	for (uint32_t j = 0; j < space->joint_count; j++) {
		const size_t at = (size_t)list->count * space->joint_count + j, joint = space->joints[j];
		const snw_transform *local = pose ? &pose->local[joint] : &skeleton->rest_local[joint];
		for (size_t c = 0; c < 3; c++) {
			list->rotation_vectors[3 * at + c] = pose ? pose->rotation_vectors[3 * joint + c] : 0;
			list->places[6 * at + c] = local->translation[c];
			list->places[6 * at + 3 + c] = local->scale[c];
		}
		snk_pose_features(&space->metrics[j], list->rotation_vectors + 3 * at, local, list->features + SNK_POSE_FEATURES * at);
	}
	list->examples[list->count++] = example;
}

static double distance_between(const pose_space *space, const pose_list *list, uint32_t a, uint32_t b) {
	double sum = 0;
	for (uint32_t j = 0; j < space->joint_count; j++) {
		const double *here = list->features + SNK_POSE_FEATURES * ((size_t)a * space->joint_count + j);
		const double *there = list->features + SNK_POSE_FEATURES * ((size_t)b * space->joint_count + j);
		double side_by_side[2 * SNK_POSE_FEATURES] = {0}, squares[2];
		for (int k = 0; k < SNK_POSE_FEATURES; k++) {
			side_by_side[2 * k] = there[k];
		}
		snk_pose_squared_distances(&space->metrics[j], 2, side_by_side, here, squares);
		sum += squares[0];
	}
	return sqrt(sum);
}

/* The index of an earlier pose equal to the last one; its own index if there is none. */
static uint32_t place_of_last(const pose_space *space, const pose_list *list) {
	const uint32_t last = list->count - 1;
	for (uint32_t p = 0; p < last; p++) {
		if (distance_between(space, list, last, p) < SAME_POSE) {
			return p;
		}
	}
	return last;
}

static int is_wound(const fitting *f, const snw_group_view *group, uint32_t joint) {
	int wound = 0;
	for (uint32_t m = 0; m < group->member_count; m++) {
		const snw_pose_view *pose = f->input->examples[group->members[m]->example]->pose;
		wound |= snw_length3(pose->rotation_vectors + 3 * (size_t)joint) > 3.14159265358979323846 + SAME_POSE;
	}
	return wound;
}

static void find_metrics(const fitting *f, uint32_t g, const pose_space *space, snk_joint_metric *metrics) {
	for (uint32_t j = 0; j < space->joint_count; j++) {
		const uint32_t joint = space->joints[j];
		metrics[j] = (snk_joint_metric){.swing = snk_parameter_value(f->input, SWING, g, joint),
										.twist = snk_parameter_value(f->input, TWIST, g, joint),
										.translation = snk_parameter_value(f->input, TRANSLATION, g, joint),
										.scale = snk_parameter_value(f->input, SCALE, g, joint),
										.unwound = is_wound(f, f->groups[g], joint) ? 1 : 0};
		snk_bone_axis(f->input->character->skeleton, joint, metrics[j].axis);
	}
}

uint32_t find_anchor(const snw_skeleton_view *skeleton, uint32_t count, const uint32_t *joints) {
	uint32_t anchor = count > 0 ? skeleton->parents[joints[0]] : SNW_NONE;
	while (anchor != SNW_NONE) {
		uint32_t below_count = 0;
		for (uint32_t j = 0; j < count; j++) {
			uint32_t above = skeleton->parents[joints[j]];
			while (above != SNW_NONE && above != anchor) {
				above = skeleton->parents[above];
			}
			below_count += above == anchor;
		}
		if (below_count == count) {
			break;
		}
		anchor = skeleton->parents[anchor];
	}
	return anchor;
}

static snw_status refuse_twin(const fitting *f, const snw_group_view *group, uint32_t a, uint32_t b) {
	return snw_report_fail(f->host, SNW_ERROR_CONFLICT,
						   "examples \"%s\" and \"%s\" have the same pose in the joints that drive group \"%s\"; remove one, "
						   "or give the group a joint in which they differ",
						   f->input->examples[a]->name, f->input->examples[b]->name, group->name);
}

/* The members' poses, then the rest. Members on several meshes may share a pose. */
static snw_status add_members(fitting *f, uint32_t g, pose_space *space, pose_list *list) {
	const snw_group_view *group = f->groups[g];
	for (uint32_t m = 0; m < group->member_count; m++) {
		const uint32_t e = group->members[m]->example;
		add_pose(f, space, e, list);
		const uint32_t place = place_of_last(space, list);
		f->member_coefficients[g][m] = place;
		if (place == list->count - 1) {
			continue;
		}
		list->count--;
		for (uint32_t other = 0; other < m; other++) {
			const uint32_t twin = group->members[other]->example;
			if (f->member_coefficients[g][other] == place && f->input->examples[twin]->mesh == f->input->examples[e]->mesh) {
				return refuse_twin(f, group, twin, e);
			}
		}
	}
	space->coefficient_count = list->count;
	add_pose(f, space, SNW_NONE, list);
	const uint32_t at_rest = place_of_last(space, list);
	if (at_rest != list->count - 1) {
		return snw_report_fail(f->host, SNW_ERROR_CONFLICT,
							   "example \"%s\" is at rest in the joints that drive group \"%s\", where the corrective is zero; "
							   "give the group a joint that rotates there, or remove the example",
							   f->input->examples[list->examples[at_rest]]->name, group->name);
	}
	return SNW_OK;
}

/* Whether group g could move a point that the example edits through an earlier group. */
static int could_disturb(const fitting *f, uint32_t g, uint32_t example) {
	const uint32_t mesh = f->input->examples[example]->mesh, points = f->input->character->meshes[mesh]->point_count;
	for (uint32_t m = 0; m < f->groups[g]->member_count; m++) {
		const uint32_t other = f->groups[g]->members[m]->example;
		if (f->input->examples[other]->mesh != mesh) {
			continue;
		}
		for (uint32_t earlier = 0; earlier < g; earlier++) {
			for (uint32_t i = 0; group_has(f->groups[earlier], example) && i < points; i++) {
				if (mask_at(f->groups[earlier], example, i) > 0 && mask_at(f->groups[g], other, i) > 0) {
					return 1;
				}
			}
		}
	}
	return 0;
}

/* The member of group g by which it moves points that the example edits; SNW_NONE for none. Its coefficient is that of the
 * example's pose. A mask may keep it away: the parts of a split sculpt have a pose but no point in common. */
static uint32_t find_disturbing(const fitting *f, uint32_t g, uint32_t coefficient, uint32_t example) {
	const snw_example_view *view = f->input->examples[example];
	const uint32_t count = view->edited ? view->edited_count : f->input->character->meshes[view->mesh]->point_count;
	for (uint32_t m = 0; m < f->groups[g]->member_count; m++) {
		const uint32_t other = f->groups[g]->members[m]->example;
		const int may = f->member_coefficients[g][m] == coefficient && f->input->examples[other]->mesh == view->mesh;
		for (uint32_t i = 0; may && i < count; i++) {
			if (mask_at(f->groups[g], other, view->edited ? view->edited[i] : i) > 0) {
				return other;
			}
		}
	}
	return SNW_NONE;
}

/* Poses of earlier groups' examples, at which this group must not act. */
static void add_zeros(fitting *f, uint32_t g, pose_space *space, pose_list *list) {
	for (uint32_t e = 0; e < f->input->example_count; e++) {
		int earlier = 0;
		for (uint32_t before = 0; before < g; before++) {
			earlier |= group_has(f->groups[before], e);
		}
		if (!earlier || group_has(f->groups[g], e) || !could_disturb(f, g, e)) {
			continue;
		}
		add_pose(f, space, e, list);
		const uint32_t place = place_of_last(space, list);
		if (place < list->count - 1) {
			list->count--;
		}
		const uint32_t other = place < space->coefficient_count ? find_disturbing(f, g, place, e) : SNW_NONE;
		if (other != SNW_NONE) {
			snw_report_line(f->host, SNW_LOG_WARNING,
							"group \"%s\" cannot tell example \"%s\" from \"%s\" by its joints and will disturb it; give the "
							"group a joint in which they differ",
							f->groups[g]->name, f->input->examples[e]->name, f->input->examples[other]->name);
		}
	}
}

static snw_status name_coefficients(fitting *f, const pose_list *list, pose_space *space) {
	const char **names = SNW_POOL_ARRAY(f->model_pool, const char *, space->coefficient_count);
	const char **examples = SNW_POOL_ARRAY(f->model_pool, const char *, space->coefficient_count);
	for (uint32_t k = 0; names && examples && k < space->coefficient_count; k++) {
		const char *example = f->input->examples[list->examples[k]]->name;
		const size_t bytes = strlen(space->name) + strlen(example) + 2;
		char *name = SNW_POOL_ARRAY(f->model_pool, char, bytes);
		if (name) {
			snprintf(name, bytes, "%s/%s", space->name, example);
			examples[k] = name + strlen(space->name) + 1;
		}
		names[k] = name;
	}
	space->names = names;
	space->examples = examples;
	return f->model_pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

static snw_status open_space(fitting *f, uint32_t g, pose_space *space, pose_list *list) {
	const snw_group_view *group = f->groups[g];
	const size_t name_bytes = strlen(group->name) + 1, most = (size_t)f->input->example_count + 2;
	const size_t joint_poses = most * space->joint_count;
	char *name = SNW_POOL_ARRAY(f->model_pool, char, name_bytes);
	snk_joint_metric *metrics = SNW_POOL_ARRAY(f->model_pool, snk_joint_metric, space->joint_count);
	f->member_coefficients[g] = SNW_POOL_ARRAY(&f->scratch, uint32_t, group->member_count);
	*list = (pose_list){.examples = SNW_POOL_ARRAY(&f->scratch, uint32_t, most),
						.rotation_vectors = SNW_POOL_ARRAY(f->model_pool, double, 3 * joint_poses),
						.places = SNW_POOL_ARRAY(f->model_pool, double, 6 * joint_poses),
						.features = SNW_POOL_ARRAY(&f->scratch, double, SNK_POSE_FEATURES *joint_poses)};
	if (f->model_pool->failed || f->scratch.failed) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(name, group->name, name_bytes);
	find_metrics(f, g, space, metrics);
	space->name = name;
	space->metrics = metrics;
	space->is_forward = snk_parameter_value(f->input, MODE, g, SNW_NONE) == MODE_FORWARD;
	return SNW_OK;
}

snw_status find_pose_space(fitting *f, uint32_t g) {
	pose_space *space = &f->spaces[g];
	pose_list list;
	uint32_t *joints = NULL;
	snw_status status = choose_joints(f, g, &joints, &space->joint_count);
	if (snk_failed(status)) {
		return status;
	}
	if (space->joint_count == 0 && f->groups[g]->member_count > 0) {
		return snw_report_fail(
			f->host, SNW_ERROR_MISSING,
			"group \"%s\": no joint rotates in any of its examples, so nothing can drive them; pose them away from rest",
			f->groups[g]->name);
	}
	space->joints = joints;
	status = open_space(f, g, space, &list);
	if (snk_failed(status) || f->groups[g]->member_count == 0) {
		return status;
	}
	status = add_members(f, g, space, &list);
	if (!snk_failed(status)) {
		add_zeros(f, g, space, &list);
		space->pose_count = list.count;
		space->rotation_vectors = list.rotation_vectors;
		space->places = list.places;
		status = name_coefficients(f, &list, space);
	}
	return status;
}
