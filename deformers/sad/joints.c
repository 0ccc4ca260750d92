/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joints and weights: proxy joints, or those of a rig; and what a mask and locked joints leave alone.
 */
#include "motion/decompose.h"
#include "motion/learn_weights.h"
#include "sad/sad.h"
#include "sinew/algebra.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

/* ---- what a mask and locked joints leave alone --------------------------------------------------------------------------- */

/* Whether the rig's joints and weights are used, instead of proxy joints. */
static int uses_rig(const mesh_fit *f) {
	return f->input->values[JOINTS].numbers[0] == JOINTS_AUTO && has_rig(f->input->character->meshes[f->mesh]);
}

/* ---- settings ------------------------------------------------------------------------------------------------------------ */

static int has_locks(const snw_fit_input *input) {
	int any = input->values[LOCK].numbers[0] != 0;
	for (uint32_t i = 0; i < input->override_count; i++) {
		any |= input->overrides[i]->parameter == LOCK && input->overrides[i]->value.numbers[0] != 0;
	}
	return any;
}

snw_status check_held(const snw_host *host, const snw_fit_input *input, int *has_held) {
	const snw_value *values = input->values;
	const int locks = has_locks(input), masks = values[MASK].text && values[MASK].text[0];
	*has_held = locks || masks;
	if (*has_held && (values[BLEND].numbers[0] == BLEND_DUAL_QUATERNION || values[INFLUENCES].numbers[0] == INFLUENCES_ALL ||
					  values[LARGEST].numbers[0] > 0 || values[EIGEN].numbers[0] > 0)) {
		return snw_report_fail(
			host, SNW_ERROR_ARGUMENT,
			"%s needs linear blend and joints alone; leave out blend=dual-quaternion, influences=all, largest and "
			"eigen",
			masks ? "a mask" : "a locked joint");
	}
	if (locks && values[JOINTS].numbers[0] != JOINTS_AUTO) {
		return snw_report_fail(host, SNW_ERROR_ARGUMENT,
							   "locked joints are joints of the rig, and joints=%g asks for others; set joints=auto",
							   values[JOINTS].numbers[0]);
	}
	return SNW_OK;
}

/* ---- points outside the mask --------------------------------------------------------------------------------------------- */

/* In all frames where it is at rest. */
static void still(mesh_fit *f, uint32_t point) {
	for (uint32_t block = 0; block < f->motion.block_count; block++) {
		snk_float_lanes *posed = f->motion.posed + 3 * ((size_t)block * f->motion.point_count + point);
		for (uint32_t c = 0; c < 3; c++) {
			posed[c] = (snk_float_lanes){0} + (float)f->motion.points_rest[3 * (size_t)point + c];
		}
	}
}

snw_status find_held(mesh_fit *f) {
	const double *mask;
	const snw_status status = snk_mask_read(f->input, MASK, f->mesh, &f->pool, &mask);
	if (snk_failed(status) || !mask) {
		return status;
	}
	f->held = SNW_POOL_ARRAY(&f->pool, unsigned char, f->motion.point_count);
	for (uint32_t i = 0; f->held && i < f->motion.point_count; i++) {
		f->held[i] = !(mask[i] > 0);
		if (f->held[i] && !uses_rig(f)) {
			still(f, i);
		}
	}
	return f->held ? SNW_OK : SNW_ERROR_MEMORY;
}

/* The part's influences, and weight 1 for the last joint at the other points. */
static snw_status add_still_joint(mesh_fit *f, const snk_influences *part) {
	const uint32_t points = f->motion.point_count, joints = part->joint_count + 1;
	const size_t count = (size_t)part->offsets[part->point_count] + points - part->point_count;
	uint32_t *offsets = SNW_POOL_ARRAY(&f->current.pool, uint32_t, (size_t)points + 1);
	uint32_t *slots = SNW_POOL_ARRAY(&f->current.pool, uint32_t, count);
	double *weights = SNW_POOL_ARRAY(&f->current.pool, double, count);
	f->current.locked = SNW_POOL_ARRAY(&f->current.pool, unsigned char, joints);
	f->current.given = SNW_POOL_ARRAY(&f->current.pool, snk_lanes, (size_t)12 * joints * f->motion.block_count);
	if (f->current.pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	uint32_t next = 0;
	for (uint32_t i = 0; i < points; i++) {
		uint32_t at = offsets[i];
		if (f->held[i]) {
			slots[at] = joints - 1;
			weights[at++] = 1;
		} else {
			for (uint32_t k = part->offsets[next]; k < part->offsets[next + 1]; k++, at++) {
				slots[at] = part->joints[k];
				weights[at] = part->weights[k];
			}
			next++;
		}
		offsets[i + 1] = at;
	}
	f->current.locked[joints - 1] = 1;
	for (uint32_t block = 0; block < f->motion.block_count; block++) {
		for (uint32_t i = 0; i < 3; i++) {
			f->current.given[(size_t)12 * ((size_t)joints * block + joints - 1) + (size_t)5 * i] += 1;
		}
	}
	f->current.influences = (snk_influences){points, joints, offsets, slots, weights};
	return SNW_OK;
}

/* Proxy joints for the points that the mask does not hold, and one joint more that stays at rest, for the others. */
static snw_status choose_part_proxies(mesh_fit *f, uint32_t wanted) {
	const uint32_t points = f->motion.point_count;
	snw_pool *pool = &f->current.pool;
	double *rest = SNW_POOL_ARRAY(pool, double, 3 * (size_t)points), *scratch = SNW_POOL_ARRAY(pool, double, points);
	double *radii = SNW_POOL_ARRAY(pool, double, wanted);
	uint32_t *centres = SNW_POOL_ARRAY(pool, uint32_t, wanted), *none = SNW_POOL_ARRAY(pool, uint32_t, 1), count = 0;
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t i = 0; i < points; i++) {
		if (!f->held[i]) {
			memcpy(rest + 3 * (size_t)count++, f->motion.points_rest + 3 * (size_t)i, 3 * sizeof *rest);
		}
	}
	snk_influences part = {.offsets = none};
	const uint32_t joints = count > 0 ? snk_p_centre(count, rest, wanted, centres, radii, scratch) : 0;
	if (count > 0 && joints == 0) {
		return snw_report_fail(f->host, SNW_ERROR_DATA, "all painted points of mesh '%s' are in one place at rest",
							   f->input->character->meshes[f->mesh]->name);
	}
	const snw_status status = joints == 0 ? SNW_OK
										  : snk_proxy_weights(pool, count, rest, joints, centres, radii[joints - 1],
															  f->input->values[RADIUS].numbers[0], most_influences(f), &part);
	return snk_failed(status) ? status : add_still_joint(f, &part);
}

/* ---- locked joints ------------------------------------------------------------------------------------------------------- */

/* A transform for points relative to the motion's centre. */
static void put_transform(const mesh_fit *f, const double *matrix, uint32_t frame, uint32_t joint) {
	const size_t joints = f->current.influences.joint_count;
	snk_lanes *dest = f->current.given + 12 * (joints * (frame / SNK_LANES) + joint);
	const double *centre = f->motion.centre;
	for (uint32_t r = 0; r < 3; r++) {
		for (uint32_t c = 0; c < 3; c++) {
			dest[4 * r + c][frame % SNK_LANES] = matrix[4 * r + c];
		}
		dest[4 * r + 3][frame % SNK_LANES] = matrix[4 * r + 3] + snw_dot3(matrix + 4 * r, centre) - centre[r];
	}
}

static snw_status read_transforms(const mesh_fit *f, uint32_t slot, uint32_t joint) {
	uint32_t frame = 0;
	for (uint32_t s = 0; s < f->animations.count; s++) {
		const snw_sequence_view *sequence = f->animations.sequences[s];
		if (!sequence->poses) {
			return snw_report_fail(f->host, SNW_ERROR_ARGUMENT,
								   "the frames of '%s' have no poses for locked joints to move in; add them as the target of a "
								   "clip with 'sinew target', or leave out lock",
								   sequence->name);
		}
		for (uint32_t k = 0; k < sequence->frame_count; k++, frame++) {
			put_transform(f, sequence->poses[k]->palette + 12 * (size_t)slot, frame, joint);
		}
	}
	/* The last block is filled by repeating the last frame. */
	for (; frame % SNK_LANES != 0; frame++) {
		const snw_sequence_view *last = f->animations.sequences[f->animations.count - 1];
		put_transform(f, last->poses[last->frame_count - 1]->palette + 12 * (size_t)slot, frame, joint);
	}
	return SNW_OK;
}

/* Locks the rig's joints that the settings lock: `joint_of` [slot_count] has the joints of the rig's slots, SNW_NONE for
 * none. */
static snw_status lock_rig(mesh_fit *f, const uint32_t *joint_of) {
	const uint32_t joints = f->current.influences.joint_count;
	const unsigned char *slots;
	snw_status status = snk_locked_slots_read(f->input, LOCK, &f->current.pool, &slots);
	if (snk_failed(status) || !slots) {
		return status;
	}
	f->current.locked = SNW_POOL_ARRAY(&f->current.pool, unsigned char, joints);
	f->current.given = SNW_POOL_ARRAY(&f->current.pool, snk_lanes, (size_t)12 * joints * f->motion.block_count);
	status = f->current.pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t s = 0; !snk_failed(status) && s < f->input->character->slot_count; s++) {
		if (slots[s] && joint_of[s] != SNW_NONE) {
			f->current.locked[joint_of[s]] = 1;
			status = read_transforms(f, s, joint_of[s]);
		}
	}
	return status;
}

void put_given(const mesh_fit *f) {
	const uint32_t joints = f->current.influences.joint_count;
	for (size_t at = 0; f->current.locked && at < (size_t)joints * f->motion.block_count; at++) {
		if (f->current.locked[at % joints]) {
			memcpy(f->current.transforms.values + 12 * at, f->current.given + 12 * at, 12 * sizeof(snk_lanes));
		}
	}
}

/* ---- joints and weights -------------------------------------------------------------------------------------------------- */

uint32_t most_influences(const mesh_fit *f) {
	return f->choice.is_dense ? USUAL_INFLUENCES : (uint32_t)f->input->values[INFLUENCES].numbers[0];
}

static snw_status choose_proxies(mesh_fit *f, uint32_t wanted) {
	if (f->held) {
		return choose_part_proxies(f, wanted);
	}
	const snw_value *values = f->input->values;
	uint32_t *centres = SNW_POOL_ARRAY(&f->current.pool, uint32_t, wanted);
	double *radii = SNW_POOL_ARRAY(&f->current.pool, double, wanted);
	double *scratch = SNW_POOL_ARRAY(&f->current.pool, double, f->motion.point_count);
	if (f->current.pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	const uint32_t count = snk_p_centre(f->motion.point_count, f->motion.points_rest, wanted, centres, radii, scratch);
	if (count == 0) {
		return snw_report_fail(f->host, SNW_ERROR_DATA,
							   "all points of mesh '%s' are in one place at rest, so there is no skin to fit",
							   f->input->character->meshes[f->mesh]->name);
	}
	if (count < wanted) {
		snw_report_line(f->host, SNW_LOG_WARNING, "mesh '%s' has room for only %u joints, not the %u asked for",
						f->input->character->meshes[f->mesh]->name, count, wanted);
	}
	return snk_proxy_weights(&f->current.pool, f->motion.point_count, f->motion.points_rest, count, centres, radii[count - 1],
							 values[RADIUS].numbers[0], most_influences(f), &f->current.influences);
}

int has_rig(const snw_mesh_view *mesh) {
	return mesh->influence_offsets && mesh->influence_offsets[mesh->point_count] > 0;
}

/* The largest weights of a point, normalised to a sum of 1; those of a point that a mask holds as they are, if there is room
 * for all. */
static uint32_t find_largest(const mesh_fit *f, uint32_t point, uint32_t most, uint32_t *slots, double *weights) {
	const snw_mesh_view *mesh = f->input->character->meshes[f->mesh];
	const uint32_t all = mesh->influence_offsets[point + 1] - mesh->influence_offsets[point];
	const uint32_t count = snk_largest_influences(mesh, point, most, slots, weights);
	double sum = 0;
	for (uint32_t k = 0; k < count; k++) {
		sum += weights[k];
	}
	for (uint32_t k = 0; k < count && !(f->held && f->held[point] && all <= most); k++) {
		weights[k] /= sum;
	}
	return count;
}

/* The rig's weights, the largest of each point; slots that move nothing of the mesh get no joint. */
static snw_status choose_rig(mesh_fit *f) {
	const snw_mesh_view *mesh = f->input->character->meshes[f->mesh];
	const uint32_t most = most_influences(f), slots = f->input->character->slot_count;
	uint32_t *offsets = SNW_POOL_ARRAY(&f->current.pool, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *joints = SNW_POOL_ARRAY(&f->current.pool, uint32_t, (size_t)most * mesh->point_count);
	double *weights = SNW_POOL_ARRAY(&f->current.pool, double, (size_t)most * mesh->point_count);
	uint32_t *joint_of = SNW_POOL_ARRAY(&f->current.pool, uint32_t, slots), count = 0;
	if (f->current.pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	memset(joint_of, 0xff, slots * sizeof *joint_of);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		offsets[i + 1] = offsets[i] + find_largest(f, i, most, joints + offsets[i], weights + offsets[i]);
		if (offsets[i + 1] == offsets[i]) {
			return snw_report_fail(
				f->host, SNW_ERROR_DATA,
				"point %u of mesh '%s' has no weights; give it some, or ask for proxy joints with joints=100", i, mesh->name);
		}
	}
	for (uint32_t k = 0; k < offsets[mesh->point_count]; k++) {
		uint32_t *joint = &joint_of[joints[k]];
		*joint = *joint == SNW_NONE ? count++ : *joint;
		joints[k] = *joint;
	}
	f->current.influences = (snk_influences){mesh->point_count, count, offsets, joints, weights};
	return lock_rig(f, joint_of);
}

snw_status count_flat_joints(mesh_fit *f) {
	snw_pool scratch = snw_pool_open(f->host);
	snk_joint_rank *ranks = SNW_POOL_ARRAY(&scratch, snk_joint_rank, f->current.influences.joint_count);
	f->current.flat_joints = ranks ? snk_joint_ranks(&f->current.graph, ranks) : 0;
	snw_pool_release(&scratch);
	return ranks ? SNW_OK : SNW_ERROR_MEMORY;
}

snw_status choose_joints(mesh_fit *f, uint32_t joint_count) {
	const double begun = snk_clock_seconds();
	snw_status status = joint_count == 0 ? choose_rig(f) : choose_proxies(f, joint_count);
	if (!snk_failed(status)) {
		status = snk_blend_graph_make(f->host, f->motion.points_rest, &f->current.influences, &f->current.graph);
		f->current.has_graph = !snk_failed(status);
	}
	status = snk_failed(status) ? status : count_flat_joints(f);
	f->seconds.joints += snk_clock_seconds() - begun;
	return status;
}
