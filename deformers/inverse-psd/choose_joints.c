/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which joints drive a group that names none: those that rotate at one of its examples (or move, where the distances count
 * translations and scales) and bend the skin where it is sculpted.
 *
 * A joint bends the skin at a point where a part W of the point's weight belongs to the joint and those below it: with W = 1
 * the point moves rigidly with the joint, with W = 0 it does not move. So a joint counts by the share of the sculpt (its
 * lengths, under the mask) that lies under 4 W (1 − W).
 */
#include <math.h>

#include "inverse-psd/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

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

int moves_in(const fitting *f, uint32_t g, uint32_t member, uint32_t joint) {
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

snw_status choose_joints(fitting *f, uint32_t g, uint32_t **joints, uint32_t *joint_count) {
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
