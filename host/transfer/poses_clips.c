/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transfers poses and clips to the new skeleton. Each joint keeps its transform relative to its rest:
 *     translation' = rest' + (translation − rest),  rotation' = rest' · rest⁻¹ · rotation,  scale' = scale · rest' / rest
 * It is unchanged to the last bit if the joint's rest is the same.
 */
#include <math.h>
#include <string.h>

#include "pose/clip.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "transfer/transfer_internal.h"

/* Maps transforms from one rest of a joint to another. */
typedef struct rebase {
	bool same;
	double shift[3], delta[4], stretch[3];
} rebase;

static rebase rebase_between(const snw_transform *from, const snw_transform *to) {
	rebase r = {.same = memcmp(from, to, sizeof *from) == 0};
	double back[4];
	snw_quat_conjugate(from->rotation, back);
	snw_quat_multiply(to->rotation, back, r.delta);
	for (int i = 0; i < 3; i++) {
		r.shift[i] = to->translation[i] - from->translation[i];
		r.stretch[i] = from->scale[i] != 0 ? to->scale[i] / from->scale[i] : 1;
	}
	return r;
}

static rebase rebase_joint(const snw_transfer_state *c, uint32_t old) {
	return rebase_between(&c->old->skeleton.rest_local[old], &c->fresh->skeleton.rest_local[c->joints[old]]);
}

static void rebase_transform(const rebase *r, snw_transform *transform) {
	if (r->same) {
		return;
	}
	snw_quat_multiply(r->delta, transform->rotation, transform->rotation);
	snw_quat_normalize(transform->rotation);
	for (int i = 0; i < 3; i++) {
		transform->translation[i] += r->shift[i];
		transform->scale[i] *= r->stretch[i];
	}
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

static snw_pose *transfer_pose(const snw_transfer_state *c, const snw_pose *old) {
	snw_pose *pose = snw_pose_rest(&c->result->scene, c->arena);
	pose->id = old->id;
	pose->name = old->name;
	pose->clip = old->clip;
	pose->seconds = old->seconds;
	for (uint32_t j = 0; j < c->old->skeleton.joint_count; j++) {
		const uint32_t place = c->joints[j];
		if (place != SNW_NONE) {
			const rebase r = rebase_joint(c, j);
			pose->local[place] = old->local[j];
			rebase_transform(&r, &pose->local[place]);
			memcpy(pose->rotation_vectors + 3 * (size_t)place, old->rotation_vectors + 3 * (size_t)j,
				   3 * sizeof *pose->rotation_vectors);
		}
	}
	for (uint32_t i = 0; i < c->old->channel_count; i++) {
		if (c->channels[i] != SNW_NONE) {
			pose->channels[c->channels[i]] = old->channels[i];
		}
	}
	return pose;
}

/* The rest and the file's default pose come from the new file; all others are the user's. */
static bool comes_with_the_file(const snw_transfer_state *c, const char *name) {
	return strcmp(name, "rest") == 0 || (strcmp(name, "default") == 0 && snw_scene_find_pose(c->fresh, name) != SNW_NONE);
}

static void transfer_poses(snw_transfer_state *c) {
	const snw_scene *old = c->old, *fresh = c->fresh;
	snw_pose *poses = SNW_NEW_ARRAY(c->arena, snw_pose, (size_t)old->pose_count + fresh->pose_count);
	uint32_t count = 0;
	for (uint32_t i = 0; i < old->pose_count; i++) {
		const uint32_t place =
			comes_with_the_file(c, old->poses[i].name) ? snw_scene_find_pose(fresh, old->poses[i].name) : SNW_NONE;
		poses[count] = place == SNW_NONE ? *transfer_pose(c, &old->poses[i]) : fresh->poses[place];
		poses[count++].id = old->poses[i].id;
	}
	for (uint32_t i = 0; i < fresh->pose_count; i++) {
		if (snw_scene_find_pose(old, fresh->poses[i].name) == SNW_NONE) {
			poses[count] = fresh->poses[i];
			poses[count].clip = 0;
			poses[count++].id = 0;
		}
	}
	c->result->scene.poses = poses;
	c->result->scene.pose_count = count;
}

/* A pose that has a sculpt must not change. */
static snw_status expect_example_poses(const snw_transfer_state *c) {
	const snw_scene *old = c->old;
	for (uint32_t e = 0; e < old->example_count; e++) {
		const snw_pose *pose = &old->poses[old->examples[e].pose];
		for (uint32_t j = 0; j < old->skeleton.joint_count; j++) {
			if (c->joints[j] == SNW_NONE && snw_length3(pose->rotation_vectors + 3 * (size_t)j) > 1e-6) {
				return snw_fail(
					c->error, SNW_ERROR_CONFLICT,
					"joint '%s' is gone, but the example '%s' was sculpted with it rotated; remove that example first",
					old->skeleton.names[j], old->examples[e].name);
			}
		}
		for (uint32_t i = 0; i < old->channel_count; i++) {
			if (c->channels[i] == SNW_NONE && pose->channels[i] != old->channels[i].initial) {
				return snw_fail(c->error, SNW_ERROR_CONFLICT,
								"the morph '%s' is gone, but the example '%s' was sculpted with it; "
								"remove that example first",
								old->channels[i].name, old->examples[e].name);
			}
		}
	}
	return SNW_OK;
}

/* ---- clips --------------------------------------------------------------------------------------------------------------- */

/* Converts a key's value. Tangents are differences of values, so translations are not added to them. */
static void rebase_value(const rebase *r, int32_t path, bool tangent, double *value) {
	if (path == SNW_PATH_ROTATION) {
		snw_quat_multiply(r->delta, value, value);
	}
	for (int i = 0; i < 3 && path != SNW_PATH_ROTATION; i++) {
		value[i] = path == SNW_PATH_SCALE ? value[i] * r->stretch[i] : value[i] + (tangent ? 0 : r->shift[i]);
	}
}

static snw_status transfer_track(const snw_transfer_state *c, const char *clip, const snw_track *old, snw_track *track) {
	const bool of_channel = old->path == SNW_PATH_CHANNEL;
	const uint32_t place = of_channel ? c->channels[old->target] : c->joints[old->target];
	if (place == SNW_NONE) {
		return snw_fail(c->error, SNW_ERROR_CONFLICT, "the %s '%s' is gone, but the clip '%s' moves it",
						of_channel ? "morph" : "joint",
						of_channel ? c->old->channels[old->target].name : c->old->skeleton.names[old->target], clip);
	}
	*track = *old;
	track->target = place;
	const rebase r = of_channel ? (rebase){.same = true} : rebase_joint(c, old->target);
	if (!r.same) {
		const uint32_t width = snw_track_width(old), parts = old->interpolation == SNW_CUBIC ? 3 : 1;
		double *values = snw_arena_array(c->arena, (size_t)old->key_count * parts, width * sizeof *values);
		memcpy(values, old->values, (size_t)old->key_count * parts * width * sizeof *values);
		for (uint32_t k = 0; k < old->key_count * parts; k++) {
			rebase_value(&r, old->path, parts == 3 && k % 3 != 1, values + (size_t)k * width);
		}
		track->values = values;
	}
	return SNW_OK;
}

static snw_status transfer_clips(snw_transfer_state *c) {
	const snw_scene *old = c->old, *fresh = c->fresh;
	snw_clip *clips = SNW_NEW_ARRAY(c->arena, snw_clip, (size_t)old->clip_count + fresh->clip_count);
	snw_status status = SNW_OK;
	uint32_t count = 0;
	for (uint32_t i = 0; !snw_failed(status) && i < old->clip_count; i++) {
		const uint32_t place = snw_scene_find_clip(fresh, old->clips[i].name);
		clips[count] = place == SNW_NONE ? old->clips[i] : fresh->clips[place];
		clips[count].id = old->clips[i].id;
		if (place == SNW_NONE) {
			snw_track *tracks = SNW_NEW_ARRAY(c->arena, snw_track, old->clips[i].track_count);
			for (uint32_t t = 0; !snw_failed(status) && t < old->clips[i].track_count; t++) {
				status = transfer_track(c, old->clips[i].name, &old->clips[i].tracks[t], &tracks[t]);
			}
			clips[count].tracks = tracks;
		}
		c->result->clips_kept += place == SNW_NONE;
		c->result->clips_renewed += place != SNW_NONE;
		count++;
	}
	for (uint32_t i = 0; i < fresh->clip_count; i++) {
		if (snw_scene_find_clip(old, fresh->clips[i].name) == SNW_NONE) {
			clips[count] = fresh->clips[i];
			clips[count++].id = 0;
			c->result->clips_added++;
		}
	}
	c->result->scene.clips = clips;
	c->result->scene.clip_count = count;
	return status;
}

snw_status snw_transfer_motion(snw_transfer_state *c) {
	snw_status status = expect_example_poses(c);
	if (!snw_failed(status)) {
		transfer_poses(c);
		status = transfer_clips(c);
	}
	return status;
}
