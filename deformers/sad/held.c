/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a fit leaves alone: points outside a mask, and locked joints of the rig.
 */
#include "motion/animation/proxy_joints.h"
#include "motion/weights/held_points.h"
#include "sad/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

int uses_rig(const mesh_fit *f) {
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

snw_status choose_part_proxies(mesh_fit *f, uint32_t wanted) {
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

snw_status lock_rig(mesh_fit *f, const uint32_t *joint_of) {
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
