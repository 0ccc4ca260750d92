/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matches the joints, channels and meshes of the old scene with those of the new one, and moves what refers to them.
 */
#include "transfer/transfer.h"

#include <math.h>
#include <string.h>

#include "pose/clip.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

/* A smaller difference, as a share of the diagonal of the box, is rounding: files store floats. Also for weights. */
#define SNW_TRANSFER_STILL 1e-6

typedef struct snw_transfer_state {
	const snw_scene *old, *fresh;
	snw_arena *arena;
	snw_transfer *result;
	uint32_t *joints;   /* [old joint]: its index in the new skeleton; SNW_NONE if it was removed */
	uint32_t *channels; /* [old channel] */
	uint32_t *meshes;   /* [old mesh]: its index in the new scene */
	snw_error *error;
	const bool *are_ordered; /* [old's mesh_count]: the new mesh had its points in another order */
} snw_transfer_state;

/* ---- poses and clips ----------------------------------------------------------------------------------------------------- */

/* Transfers poses and clips to the new skeleton. Each joint keeps its transform relative to its rest:
 *     translation' = rest' + (translation − rest),  rotation' = rest' · rest⁻¹ · rotation,  scale' = scale · rest' / rest
 * It is unchanged to the last bit if the joint's rest is the same. */

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

/* A joint that the new character lacks; `use` says what it is for, and `user` what that is. */
static snw_status fail_gone_joint(const snw_transfer_state *c, uint32_t joint, const char *use, const char *user,
								  const char *name) {
	const char *gone = c->old->skeleton.names[joint];
	return snw_fail(c->error, SNW_ERROR_CONFLICT,
					"joint '%s' is gone, but it %s the %s '%s'; remove that %s first, or, if the joint only has another name "
					"now, give it that: "
					"'sinew joint P name %s NEW'",
					gone, use, user, name, user, gone);
}

/* A pose that has a sculpt must not change. */
static snw_status expect_example_poses(const snw_transfer_state *c) {
	const snw_scene *old = c->old;
	for (uint32_t e = 0; e < old->example_count; e++) {
		const snw_pose *pose = &old->poses[old->examples[e].pose];
		for (uint32_t j = 0; j < old->skeleton.joint_count; j++) {
			if (c->joints[j] == SNW_NONE && snw_length3(pose->rotation_vectors + 3 * (size_t)j) > 1e-6) {
				return fail_gone_joint(c, j, "is rotated in the pose of", "example", old->examples[e].name);
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
	if (place == SNW_NONE && !of_channel) {
		return fail_gone_joint(c, old->target, "is moved by", "clip", clip);
	}
	if (place == SNW_NONE) {
		return snw_fail(c->error, SNW_ERROR_CONFLICT, "the morph '%s' is gone, but the clip '%s' moves it",
						c->old->channels[old->target].name, clip);
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

/* Transfers clips and poses: those of the new scene, and those of the old one that it lacks. */
static snw_status transfer_motion(snw_transfer_state *c) {
	snw_status status = expect_example_poses(c);
	if (!snw_failed(status)) {
		transfer_poses(c);
		status = transfer_clips(c);
	}
	return status;
}

/* ---- sculpts ------------------------------------------------------------------------------------------------------------- */

/* Transfers sculpts, fields, groups and targets. */

/* ---- sculpts ------------------------------------------------------------------------------------------------------------- */

/* The number of slots of the same joint before a slot: several skins may bind one joint in different ways. */
static uint32_t rank_of(const snw_scene *scene, uint32_t slot) {
	uint32_t rank = 0;
	for (uint32_t s = 0; s < slot; s++) {
		rank += scene->slot_joints[s] == scene->slot_joints[slot];
	}
	return rank;
}

/* The slot of a joint with this rank, or the last one if there are fewer; SNW_NONE for a joint without slots. */
static uint32_t slot_of_rank(const snw_scene *scene, uint32_t joint, uint32_t rank) {
	uint32_t found = SNW_NONE;
	for (uint32_t s = 0; s < scene->slot_count; s++) {
		if (scene->slot_joints[s] == joint) {
			found = s;
			if (rank-- == 0) {
				break;
			}
		}
	}
	return found;
}

/* The new slot for an old one: of the same joint, or of the nearest joint above it that still exists. */
static uint32_t slot_for(const snw_transfer_state *c, uint32_t old_slot) {
	const uint32_t rank = rank_of(c->old, old_slot);
	uint32_t slot = SNW_NONE;
	for (uint32_t j = c->old->slot_joints[old_slot]; slot == SNW_NONE && j != SNW_NONE; j = c->old->skeleton.parents[j]) {
		slot = c->joints[j] == SNW_NONE ? SNW_NONE : slot_of_rank(c->fresh, c->joints[j], rank);
	}
	return slot;
}

/* The new scene with the old base skin on one mesh, to see where the old weights put the new points. False if a slot has no
 * joint in the new skeleton. */
static bool put_old_skin(const snw_transfer_state *c, uint32_t old_mesh, snw_scene *probe) {
	const snw_mesh *old = &c->old->meshes[old_mesh];
	snw_mesh *meshes = SNW_NEW_ARRAY(c->arena, snw_mesh, probe->mesh_count);
	memcpy(meshes, probe->meshes, probe->mesh_count * sizeof *meshes);
	snw_mesh *mesh = &meshes[c->meshes[old_mesh]];
	mesh->influence_offsets = old->influence_offsets;
	mesh->influence_weights = old->influence_weights;
	probe->meshes = meshes;
	if (!old->influence_offsets) {
		return true;
	}
	uint32_t *slots = SNW_NEW_ARRAY(c->arena, uint32_t, old->influence_offsets[old->point_count]);
	uint32_t *places = SNW_NEW_ARRAY(c->arena, uint32_t, c->old->slot_count);
	for (uint32_t s = 0; s < c->old->slot_count; s++) {
		places[s] = slot_for(c, s);
	}
	bool all = true;
	for (uint32_t i = 0; i < old->influence_offsets[old->point_count]; i++) {
		slots[i] = places[old->influence_slots[i]];
		all = all && slots[i] != SNW_NONE;
	}
	mesh->influence_slots = slots;
	return all;
}

/* Displaces a sculpt as the new rig and rest displace its points. */
static void move_sculpt(snw_transfer_state *c, uint32_t index, snw_example *example) {
	const snw_example *old = &c->old->examples[index];
	const uint32_t count = c->old->meshes[old->mesh].point_count;
	snw_scene probe = c->result->scene;
	if (!put_old_skin(c, old->mesh, &probe)) {
		return;
	}
	double *before = snw_arena_array(c->arena, count, 3 * sizeof *before);
	double *after = snw_arena_array(c->arena, count, 3 * sizeof *after);
	snw_blend_points(c->old, old->mesh, snw_pose_view_make(c->old, &c->old->poses[old->pose], c->arena), before);
	snw_blend_points(&probe, example->mesh, snw_pose_view_make(&probe, &probe.poses[example->pose], c->arena), after);
	const double least = SNW_TRANSFER_STILL * snw_scene_diagonal(c->old, old->mesh);
	bool is_shifted = false;
	for (size_t i = 0; i < 3 * (size_t)count; i++) {
		const double shift = fabs(after[i] - before[i]) > least ? after[i] - before[i] : 0;
		is_shifted = is_shifted || shift != 0;
		after[i] = old->points_posed[i] + shift;
	}
	if (is_shifted) {
		example->points_posed = after;
		c->result->example_moved[index] = true;
		c->result->examples_moved++;
	}
}

static void transfer_examples(snw_transfer_state *c) {
	const snw_scene *old = c->old;
	snw_example *examples = SNW_NEW_ARRAY(c->arena, snw_example, old->example_count);
	c->result->example_moved = SNW_NEW_ARRAY(c->arena, bool, old->example_count);
	for (uint32_t i = 0; i < old->example_count; i++) {
		examples[i] = old->examples[i];
		examples[i].mesh = c->meshes[old->examples[i].mesh]; /* poses keep their indices */
		move_sculpt(c, i, &examples[i]);
	}
	c->result->scene.examples = examples;
	c->result->scene.example_count = old->example_count;
}

/* ---- fields, groups, targets --------------------------------------------------------------------------------------------- */

/* Reorders a field over joints; new joints get 0. */
static void transfer_joint_field(const snw_transfer_state *c, snw_field *field) {
	const uint32_t width = field->components, count = c->fresh->skeleton.joint_count;
	double *values = snw_arena_array(c->arena, count, width * sizeof *values);
	memset(values, 0, (size_t)count * width * sizeof *values);
	for (uint32_t j = 0; j < c->old->skeleton.joint_count; j++) {
		if (c->joints[j] != SNW_NONE) {
			memcpy(values + (size_t)c->joints[j] * width, field->values + (size_t)j * width, width * sizeof *values);
		}
	}
	field->values = values;
	field->count = count;
}

/* The field of a removed mesh is removed. */
static void transfer_fields(snw_transfer_state *c) {
	const snw_scene *old = c->old;
	snw_field *fields = SNW_NEW_ARRAY(c->arena, snw_field, old->field_count);
	uint32_t count = 0;
	for (uint32_t i = 0; i < old->field_count; i++) {
		const uint32_t mesh = old->fields[i].mesh;
		if (mesh != SNW_NONE && c->meshes[mesh] == SNW_NONE) {
			continue;
		}
		fields[count] = old->fields[i];
		fields[count].mesh = mesh == SNW_NONE ? SNW_NONE : c->meshes[mesh];
		if (fields[count].domain == SNW_DOMAIN_JOINTS) {
			transfer_joint_field(c, &fields[count]);
		}
		count++;
	}
	c->result->scene.fields = fields;
	c->result->scene.field_count = count;
}

static uint32_t field_of_id(const snw_scene *scene, int64_t id) {
	for (uint32_t i = 0; i < scene->field_count; i++) {
		if (scene->fields[i].id == id) {
			return i;
		}
	}
	return SNW_NONE;
}

static snw_status transfer_groups(snw_transfer_state *c) {
	const snw_scene *old = c->old;
	snw_group *groups = SNW_NEW_ARRAY(c->arena, snw_group, old->group_count);
	for (uint32_t g = 0; g < old->group_count; g++) {
		const snw_group *group = &old->groups[g];
		uint32_t *joints = SNW_NEW_ARRAY(c->arena, uint32_t, group->joint_count);
		snw_member *members = SNW_NEW_ARRAY(c->arena, snw_member, group->member_count);
		for (uint32_t i = 0; i < group->joint_count; i++) {
			joints[i] = c->joints[group->joints[i]];
			if (joints[i] == SNW_NONE) {
				return fail_gone_joint(c, group->joints[i], "drives", "group", group->name);
			}
		}
		for (uint32_t i = 0; i < group->member_count; i++) {
			const uint32_t mask = group->members[i].mask;
			members[i] = group->members[i];
			members[i].mask = mask == SNW_NONE ? SNW_NONE : field_of_id(&c->result->scene, old->fields[mask].id);
		}
		groups[g] = *group;
		groups[g].joints = joints;
		groups[g].members = members;
	}
	c->result->scene.groups = groups;
	c->result->scene.group_count = old->group_count;
	return SNW_OK;
}

/* Clips keep their indices. */
static void transfer_targets(snw_transfer_state *c) {
	const snw_scene *old = c->old;
	snw_target *targets = SNW_NEW_ARRAY(c->arena, snw_target, old->target_count);
	for (uint32_t i = 0; i < old->target_count; i++) {
		targets[i] = old->targets[i];
		targets[i].mesh = c->meshes[old->targets[i].mesh];
	}
	c->result->scene.targets = targets;
	c->result->scene.target_count = old->target_count;
}

/* Transfers examples, fields and groups. Call it after the motion, since sculpts need the transferred poses. */
static snw_status transfer_sculpts(snw_transfer_state *c) {
	transfer_examples(c);
	transfer_fields(c);
	transfer_targets(c);
	const snw_scene *old = c->old;
	c->result->scene.layers = old->layers;
	c->result->scene.layer_count = old->layer_count;
	c->result->scene.models = old->models;
	c->result->scene.model_count = old->model_count;
	return transfer_groups(c);
}

/* ---- joints and channels ------------------------------------------------------------------------------------------------- */

static uint32_t find_channel(const snw_scene *scene, const char *name) {
	for (uint32_t i = 0; i < scene->channel_count; i++) {
		if (strcmp(scene->channels[i].name, name) == 0) {
			return i;
		}
	}
	return SNW_NONE;
}

/* Equal within the rounding of a file of floats; `reach` is the size of the character. */
static bool same_matrix(const double a[12], const double b[12], double reach) {
	for (int i = 0; i < 12; i++) {
		if (fabs(a[i] - b[i]) > SNW_TRANSFER_STILL * (i % 4 == 3 ? reach : 1)) {
			return false;
		}
	}
	return true;
}

static void match_joints(snw_transfer_state *c) {
	const snw_skeleton *old = &c->old->skeleton, *fresh = &c->fresh->skeleton;
	c->joints = SNW_NEW_ARRAY(c->arena, uint32_t, old->joint_count);
	c->channels = SNW_NEW_ARRAY(c->arena, uint32_t, c->old->channel_count);
	const double reach = snw_scene_diagonal(c->old, SNW_NONE);
	uint32_t same = 0;
	for (uint32_t j = 0; j < old->joint_count; j++) {
		const uint32_t place = snw_scene_find_joint(c->fresh, old->names[j]);
		c->joints[j] = place;
		if (place == SNW_NONE) {
			c->result->joints_gone++;
			continue;
		}
		same++;
		c->result->joints_moved +=
			!same_matrix(old->rest_global + 12 * (size_t)j, fresh->rest_global + 12 * (size_t)place, reach);
	}
	c->result->joints_added = fresh->joint_count - same;
	for (uint32_t i = 0; i < c->old->channel_count; i++) {
		c->channels[i] = find_channel(c->fresh, c->old->channels[i].name);
	}
}

/* ---- appearance ---------------------------------------------------------------------------------------------------------- */

/* Rows with the same name match. */
static void transfer_looks(snw_transfer_state *c) {
	const snw_scene *old = c->old, *fresh = c->fresh;
	snw_image *images = SNW_NEW_ARRAY(c->arena, snw_image, fresh->image_count);
	snw_material *materials = SNW_NEW_ARRAY(c->arena, snw_material, fresh->material_count);
	for (uint32_t i = 0; i < fresh->image_count; i++) {
		images[i] = fresh->images[i];
		images[i].id = i < old->image_count && strcmp(old->images[i].name, images[i].name) == 0 ? old->images[i].id : 0;
	}
	for (uint32_t i = 0; i < fresh->material_count; i++) {
		materials[i] = fresh->materials[i];
		materials[i].id =
			i < old->material_count && strcmp(old->materials[i].name, materials[i].name) == 0 ? old->materials[i].id : 0;
	}
	c->result->scene.images = images;
	c->result->scene.materials = materials;
}

/* ---- meshes -------------------------------------------------------------------------------------------------------------- */

static snw_status check_topology(const snw_mesh *old, const snw_mesh *fresh, snw_error *error) {
	static const char advice[] = "sculpts, targets, painted fields and fitted layers need the same points; remove them first, "
								 "import it as a new project, "
								 "or export it with the old points and faces";
	if (old->point_count != fresh->point_count || old->face_count != fresh->face_count) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "mesh '%s' has %u points and %u faces, but had %u and %u: %s", old->name,
						fresh->point_count, fresh->face_count, old->point_count, old->face_count, advice);
	}
	for (uint32_t f = 0; f < old->face_count; f++) {
		const uint32_t begin = old->face_offsets[f], corners = old->face_offsets[f + 1] - begin;
		if (fresh->face_offsets[f] != begin || fresh->face_offsets[f + 1] != begin + corners ||
			memcmp(old->face_points + begin, fresh->face_points + begin, corners * sizeof *old->face_points) != 0) {
			return snw_fail(error, SNW_ERROR_CONFLICT,
							"mesh '%s' has other faces, or its points in another order (face %u): %s", old->name, f, advice);
		}
	}
	return SNW_OK;
}

static bool is_used(const snw_scene *scene, uint32_t mesh) {
	for (uint32_t i = 0; i < scene->example_count; i++) {
		if (scene->examples[i].mesh == mesh) {
			return true;
		}
	}
	for (uint32_t i = 0; i < scene->target_count; i++) {
		if (scene->targets[i].mesh == mesh) {
			return true;
		}
	}
	return false;
}

bool snw_transfer_needs_points(const snw_scene *scene, uint32_t mesh) {
	bool needs = is_used(scene, mesh);
	for (uint32_t i = 0; i < scene->field_count; i++) {
		needs = needs || scene->fields[i].mesh == mesh;
	}
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		needs = needs || scene->layers[i].model != SNW_NONE;
	}
	return needs;
}

/* The weight of a joint, by name, at a point. */
static double weight_at(const snw_scene *scene, const snw_mesh *mesh, uint32_t point, const char *joint) {
	double weight = 0;
	for (uint32_t i = mesh->influence_offsets[point]; i < mesh->influence_offsets[point + 1]; i++) {
		if (strcmp(scene->skeleton.names[scene->slot_joints[mesh->influence_slots[i]]], joint) == 0) {
			weight += mesh->influence_weights[i];
		}
	}
	return weight;
}

/* Whether every weight of `a` is also in `b`. Since both sum to 1, `b` then has no others that matter. */
static bool same_skin(const snw_scene *old, const snw_mesh *a, const snw_scene *fresh, const snw_mesh *b) {
	if (!a->influence_offsets || !b->influence_offsets) {
		return !a->influence_offsets == !b->influence_offsets;
	}
	for (uint32_t p = 0; p < a->point_count; p++) {
		for (uint32_t i = a->influence_offsets[p]; i < a->influence_offsets[p + 1]; i++) {
			const char *joint = old->skeleton.names[old->slot_joints[a->influence_slots[i]]];
			if (fabs(weight_at(old, a, p, joint) - weight_at(fresh, b, p, joint)) > SNW_TRANSFER_STILL) {
				return false;
			}
		}
	}
	return true;
}

/* The new mesh, with the old values of everything that has not moved, to the last bit, so that a file's rounding makes no
 * model stale. */
static snw_mesh transfer_mesh(snw_transfer_state *c, uint32_t old_mesh, const snw_mesh *fresh) {
	const snw_mesh *old = &c->old->meshes[old_mesh];
	const double least = SNW_TRANSFER_STILL * snw_scene_diagonal(c->old, old_mesh);
	double *points = snw_arena_copy(c->arena, fresh->points_rest, 3 * (size_t)fresh->point_count * sizeof *points);
	for (uint32_t i = 0; i < old->point_count; i++) {
		const double *a = old->points_rest + 3 * (size_t)i;
		double *b = points + 3 * (size_t)i;
		if (fabs(a[0] - b[0]) > least || fabs(a[1] - b[1]) > least || fabs(a[2] - b[2]) > least) {
			c->result->points_moved++;
		} else {
			memcpy(b, a, 3 * sizeof *b);
		}
	}
	snw_mesh mesh = *fresh;
	mesh.id = old->id;
	mesh.points_rest = points;
	c->result->skins_changed += !same_skin(c->old, old, c->fresh, fresh);
	return mesh;
}

static bool has_other_faces(const snw_mesh *old, const snw_mesh *fresh) {
	snw_error ignored;
	return snw_failed(check_topology(old, fresh, &ignored));
}

/* The new scene with the points of its meshes in the old order, as far as they are in the old places. */
static snw_scene order_points(const snw_scene *old, const snw_scene *fresh, snw_arena *arena, bool *are_ordered) {
	snw_mesh *meshes = snw_arena_copy(arena, fresh->meshes, fresh->mesh_count * sizeof *meshes);
	snw_scene ordered = *fresh;
	for (uint32_t m = 0; m < old->mesh_count; m++) {
		const uint32_t place = snw_match_mesh(old, m, fresh);
		const snw_mesh *mesh = &old->meshes[m];
		if (place == SNW_NONE || mesh->face_count != meshes[place].face_count || !has_other_faces(mesh, &meshes[place])) {
			continue;
		}
		const uint32_t *order = snw_match_points(mesh, &meshes[place], arena);
		const snw_mesh in_order = order ? snw_mesh_in_order(&meshes[place], order, arena) : meshes[place];
		if (order && snw_same_faces(mesh, &in_order)) {
			meshes[place] = in_order;
			are_ordered[m] = true;
		}
	}
	ordered.meshes = meshes;
	return ordered;
}

/* Old meshes first, in their order, which the project's indices use; then the new ones. */
static snw_status transfer_meshes(snw_transfer_state *c) {
	const snw_scene *old = c->old, *fresh = c->fresh;
	snw_mesh *meshes = SNW_NEW_ARRAY(c->arena, snw_mesh, fresh->mesh_count);
	bool *taken = SNW_NEW_ARRAY(c->arena, bool, fresh->mesh_count);
	uint32_t count = 0;
	c->meshes = SNW_NEW_ARRAY(c->arena, uint32_t, old->mesh_count);
	for (uint32_t m = 0; m < old->mesh_count; m++) {
		const uint32_t place = snw_match_mesh(old, m, fresh);
		c->meshes[m] = SNW_NONE;
		if (place == SNW_NONE) {
			if (is_used(old, m)) {
				return snw_fail(c->error, SNW_ERROR_CONFLICT,
								"mesh '%s' is gone, but examples or targets belong to it; remove those first",
								old->meshes[m].name);
			}
			c->result->meshes_gone++;
			continue;
		}
		const bool is_other =
			!c->are_ordered[m] && !snw_transfer_needs_points(old, m) && has_other_faces(&old->meshes[m], &fresh->meshes[place]);
		const snw_status status =
			is_other || c->are_ordered[m] ? SNW_OK : check_topology(&old->meshes[m], &fresh->meshes[place], c->error);
		if (snw_failed(status)) {
			return status;
		}
		c->result->meshes_ordered += c->are_ordered[m];
		c->result->meshes_replaced += is_other;
		c->meshes[m] = count;
		taken[place] = true;
		meshes[count] = is_other ? fresh->meshes[place] : transfer_mesh(c, m, &fresh->meshes[place]);
		meshes[count++].id = old->meshes[m].id;
	}
	for (uint32_t m = 0; m < fresh->mesh_count; m++) {
		if (!taken[m]) {
			c->result->meshes_added++;
			meshes[count] = fresh->meshes[m];
			meshes[count++].id = 0;
		}
	}
	c->result->scene.meshes = meshes;
	return SNW_OK;
}

snw_status snw_scene_transfer(const snw_scene *old, const snw_scene *file, snw_arena *arena, snw_transfer *result,
							  snw_error *error) {
	*result = (snw_transfer){0};
	bool *are_ordered = SNW_NEW_ARRAY(arena, bool, old->mesh_count);
	const snw_scene fresh = order_points(old, file, arena, are_ordered);
	result->scene = fresh;
	result->scene.arena = arena;
	snw_transfer_state c = {
		.old = old, .fresh = &fresh, .are_ordered = are_ordered, .arena = arena, .result = result, .error = error};
	match_joints(&c);
	transfer_looks(&c);
	snw_status status = transfer_meshes(&c);
	status = snw_failed(status) ? status : transfer_motion(&c);
	return snw_failed(status) ? status : transfer_sculpts(&c);
}
