/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The proposal service: what a fit produces besides its model, checked and copied into the proposals' arena.
 */
#include <string.h>

#include "base/adopt.h"
#include "scene/check.h"
#include "scene/scene.h"
#include "services/services_internal.h"
#include "sinew/algebra.h"

static snw_status refuse(const snw_host *host, snw_status status, const char *words) {
	return snw_services_fail(host, status, words);
}

/* Converts a struct to this host's layout; all zero if it is missing. */
static void adopt(void *dest, size_t bytes, const void *foreign) {
	static const uint32_t none = sizeof none;
	snw_adopt(dest, bytes, foreign ? foreign : &none);
}

/* Makes room in an array for one element more than its `count`. */
static void *grown(snw_arena *arena, void *items, uint32_t count, uint32_t *capacity, size_t item_bytes) {
	if (count < *capacity) {
		return items;
	}
	*capacity = *capacity == 0 ? 8 : 2 * *capacity;
	void *grown = snw_arena_array(arena, *capacity, item_bytes);
	if (count > 0) {
		memcpy(grown, items, count * item_bytes);
	}
	return grown;
}

/* ---- fields -------------------------------------------------------------------------------------------------------------- */

static snw_status propose_field(const snw_host *host, const snw_field_proposal *foreign) {
	if (!snw_thread_allows(SNW_TAG_OWNER_THREAD, "proposal.field")) {
		return SNW_ERROR_UNSUPPORTED;
	}
	snw_services *services = snw_services_of(host);
	snw_proposals *p = services->proposals;
	snw_field_proposal proposal;
	adopt(&proposal, sizeof proposal, foreign);
	snw_field_view known;
	adopt(&known, sizeof known, proposal.field);
	const snw_field_view *field = &known;
	const uint32_t owner = proposal.owner;
	if (!field->name) {
		return refuse(host, SNW_ERROR_ARGUMENT, "proposal.field: the field or its name is missing");
	}
	const bool of_mesh = field->domain == SNW_DOMAIN_POINTS || field->domain == SNW_DOMAIN_FACES;
	if (of_mesh && owner >= services->scene->mesh_count) {
		return refuse(host, SNW_ERROR_ARGUMENT, "proposal.field: its owner is no mesh of the character");
	}
	snw_field proposed = {
		.name = field->name,
		.domain = field->domain,
		.mesh = of_mesh ? owner : SNW_NONE,
		.components = field->components,
		.count = field->count,
		.values = field->values,
	};
	const bool of_new_joints = field->domain == SNW_DOMAIN_JOINTS && p->has_skeleton;
	const uint32_t count =
		of_new_joints ? p->skeleton.joint_count : snw_scene_domain_count(services->scene, field->domain, owner);
	snw_error error;
	const snw_status status = snw_field_check(&proposed, count, &error);
	if (snw_failed(status)) {
		return refuse(host, status, error.text);
	}
	proposed.name = snw_arena_text(p->arena, field->name);
	proposed.values = snw_arena_copy(p->arena, field->values, (size_t)field->count * field->components * sizeof *field->values);
	p->fields = grown(p->arena, p->fields, p->field_count, &services->field_room, sizeof *p->fields);
	p->fields[p->field_count++] = proposed;
	return SNW_OK;
}

static const snw_field_info *declaration(const snw_descriptor *descriptor, const snw_field *field) {
	for (uint32_t i = 0; i < descriptor->field_count; i++) {
		const snw_field_info *info = descriptor->fields[i];
		if (info->written && strcmp(info->name, field->name) == 0 && info->domain == field->domain &&
			info->components == field->components) {
			return info;
		}
	}
	return NULL;
}

snw_status snw_proposals_declare(const snw_descriptor *descriptor, snw_proposals *proposals, snw_error *error) {
	for (uint32_t i = 0; i < proposals->field_count; i++) {
		snw_field *field = &proposals->fields[i];
		const snw_field_info *info = declaration(descriptor, field);
		if (!info) {
			return snw_fail(error, SNW_ERROR_INTERNAL,
							"%s proposes a field '%s' that its descriptor does not declare as written in that shape",
							descriptor->short_name, field->name);
		}
		field->unit = snw_arena_text(proposals->arena, info->unit);
		snw_error fault;
		if (snw_failed(snw_field_check(field, SNW_NONE, &fault))) {
			return snw_fail(error, SNW_ERROR_INTERNAL, "%s proposes a field that is not what it declares: %s",
							descriptor->short_name, fault.text);
		}
	}
	return SNW_OK;
}

/* ---- skeleton and weights ------------------------------------------------------------------------------------------------ */

/* Names are unique in a skeleton; everything else is the scene's own checks. */
static snw_status check_names(const snw_skeleton *skeleton, snw_error *error) {
	for (uint32_t i = 0; i < skeleton->joint_count; i++) {
		for (uint32_t j = 0; j < i; j++) {
			if (strcmp(skeleton->names[j], skeleton->names[i]) == 0) {
				return snw_fail(error, SNW_ERROR_DATA, "proposal.skeleton: two joints are named '%s'", skeleton->names[i]);
			}
		}
	}
	return SNW_OK;
}

static snw_skeleton copy_skeleton(snw_arena *arena, const snw_skeleton_view *skeleton) {
	const uint32_t count = skeleton->joint_count;
	snw_skeleton copy = {
		.joint_count = count,
		.names = SNW_NEW_ARRAY(arena, const char *, count),
		.parents = snw_arena_copy(arena, skeleton->parents, count * sizeof *skeleton->parents),
		.rest_local = snw_arena_copy(arena, skeleton->rest_local, count * sizeof *skeleton->rest_local),
	};
	for (uint32_t i = 0; i < count; i++) {
		copy.names[i] = skeleton->names[i] ? snw_arena_text(arena, skeleton->names[i]) : "";
		snw_quat_normalize(copy.rest_local[i].rotation);
	}
	return copy;
}

static snw_status propose_skeleton(const snw_host *host, const snw_skeleton_proposal *foreign) {
	if (!snw_thread_allows(SNW_TAG_OWNER_THREAD, "proposal.skeleton")) {
		return SNW_ERROR_UNSUPPORTED;
	}
	const snw_services *services = snw_services_of(host);
	snw_proposals *p = services->proposals;
	if ((services->scene->skeleton.joint_count > 0 && !p->replaces_skeleton) || p->has_skeleton) {
		return refuse(host, SNW_ERROR_CONFLICT, "proposal.skeleton: the character has a skeleton");
	}
	snw_skeleton_proposal proposal;
	adopt(&proposal, sizeof proposal, foreign);
	snw_skeleton_view known;
	adopt(&known, sizeof known, proposal.skeleton);
	const snw_skeleton_view *skeleton = &known;
	if (skeleton->joint_count == 0 || !skeleton->names || !skeleton->parents || !skeleton->rest_local ||
		(proposal.slot_count > 0 && (!proposal.slot_joints || !proposal.slot_inverse_binds))) {
		return refuse(host, SNW_ERROR_ARGUMENT, "proposal.skeleton: names, parents, rest transforms or slots are missing");
	}
	snw_skeleton copy = copy_skeleton(p->arena, skeleton);
	snw_error error;
	snw_status status = snw_skeleton_finish(&copy, p->arena, &error);
	status = snw_failed(status) ? status : snw_skeleton_check(&copy, &error);
	status = snw_failed(status) ? status : check_names(&copy, &error);
	status = snw_failed(status) ? status
								: snw_slots_check(proposal.slot_joints, proposal.slot_inverse_binds, proposal.slot_count,
												  copy.joint_count, &error);
	if (snw_failed(status)) {
		return refuse(host, status, error.text);
	}
	p->skeleton = copy;
	p->has_skeleton = true;
	p->slot_count = proposal.slot_count;
	p->slot_joints = snw_arena_copy(p->arena, proposal.slot_joints, p->slot_count * sizeof *p->slot_joints);
	p->slot_inverse_binds = snw_arena_copy(p->arena, proposal.slot_inverse_binds, (size_t)12 * p->slot_count * sizeof(double));
	return SNW_OK;
}

static snw_status propose_weights(const snw_host *host, const snw_weights_proposal *foreign) {
	if (!snw_thread_allows(SNW_TAG_OWNER_THREAD, "proposal.weights")) {
		return SNW_ERROR_UNSUPPORTED;
	}
	snw_services *services = snw_services_of(host);
	snw_proposals *p = services->proposals;
	snw_weights_proposal skin;
	adopt(&skin, sizeof skin, foreign);
	if (skin.mesh >= services->scene->mesh_count || !skin.influence_offsets || !skin.influence_slots ||
		!skin.influence_weights) {
		return refuse(host, SNW_ERROR_ARGUMENT, "proposal.weights: the mesh is out of range, or its influences are missing");
	}
	const snw_mesh *geometry = &services->scene->meshes[skin.mesh];
	const uint32_t point_count = geometry->point_count;
	snw_error error;
	const snw_status status =
		snw_skin_check(geometry->name, point_count, skin.influence_offsets, skin.influence_slots, skin.influence_weights,
					   p->has_skeleton ? p->slot_count : services->scene->slot_count, &error);
	if (snw_failed(status)) {
		return refuse(host, status, error.text);
	}
	const uint32_t count = skin.influence_offsets[point_count];
	p->skins = grown(p->arena, p->skins, p->skin_count, &services->skin_room, sizeof *p->skins);
	p->skins[p->skin_count++] = (struct snw_proposed_skin){
		.mesh = skin.mesh,
		.influence_offsets = snw_arena_copy(p->arena, skin.influence_offsets, ((size_t)point_count + 1) * sizeof(uint32_t)),
		.influence_slots = snw_arena_copy(p->arena, skin.influence_slots, count * sizeof(uint32_t)),
		.influence_weights = snw_arena_copy(p->arena, skin.influence_weights, count * sizeof(double)),
	};
	return SNW_OK;
}

/* ---- poses and tracks ---------------------------------------------------------------------------------------------------- */

/* The skeleton of proposed poses: the one proposed in this fit, else the scene's. */
static const snw_skeleton *skeleton_of(const snw_services *services) {
	return services->proposals->has_skeleton ? &services->proposals->skeleton : &services->scene->skeleton;
}

/* Converts the view to this host's layout; false if arrays are missing or their lengths are not the character's. The numbers
 * are checked after copying. */
static bool adopt_pose(const snw_services *services, const snw_pose_view *foreign, snw_pose_view *view) {
	if (!foreign) {
		return false;
	}
	snw_adopt(view, sizeof *view, foreign);
	const uint32_t joint_count = skeleton_of(services)->joint_count;
	return view->joint_count == joint_count && (joint_count == 0 || view->local) &&
		   (view->channel_count == 0 || (view->channel_count == services->scene->channel_count && view->channels));
}

/* Rotation vectors that the view omits become the shortest from the rest; omitted channels get the scene's initial values. */
static snw_pose copy_pose(const snw_services *services, const char *name, const snw_pose_view *view) {
	snw_arena *arena = services->proposals->arena;
	const snw_skeleton *skeleton = skeleton_of(services);
	const uint32_t channel_count = services->scene->channel_count;
	snw_pose pose = {
		.name = snw_arena_text(arena, name),
		.local = snw_arena_copy(arena, view->local, skeleton->joint_count * sizeof *view->local),
		.rotation_vectors = SNW_NEW_ARRAY(arena, double, (size_t)3 * skeleton->joint_count),
		.channels = SNW_NEW_ARRAY(arena, double, channel_count),
		.seconds = view->seconds,
	};
	for (uint32_t i = 0; i < skeleton->joint_count; i++) {
		snw_quat_normalize(pose.local[i].rotation);
		if (view->rotation_vectors) {
			memcpy(pose.rotation_vectors + (size_t)3 * i, view->rotation_vectors + (size_t)3 * i, 3 * sizeof(double));
			continue;
		}
		double quaternion[4];
		snw_quat_conjugate(skeleton->rest_local[i].rotation, quaternion);
		snw_quat_multiply(quaternion, pose.local[i].rotation, quaternion);
		snw_quat_to_rotation_vector(quaternion, pose.rotation_vectors + (size_t)3 * i);
	}
	for (uint32_t i = 0; i < channel_count; i++) {
		pose.channels[i] = view->channel_count > 0 ? view->channels[i] : services->scene->channels[i].initial;
	}
	return pose;
}

static snw_status check_pose(const snw_services *services, const snw_pose *pose, snw_error *error) {
	return snw_pose_check(pose, skeleton_of(services)->joint_count, services->scene->channel_count, error);
}

static snw_status propose_pose(const snw_host *host, const snw_pose_proposal *foreign) {
	if (!snw_thread_allows(SNW_TAG_OWNER_THREAD, "proposal.pose")) {
		return SNW_ERROR_UNSUPPORTED;
	}
	snw_services *services = snw_services_of(host);
	snw_proposals *p = services->proposals;
	snw_pose_proposal proposal;
	adopt(&proposal, sizeof proposal, foreign);
	snw_pose_view view;
	if (!proposal.name || !adopt_pose(services, proposal.pose, &view)) {
		return refuse(host, SNW_ERROR_ARGUMENT, "proposal.pose: the name or a joint's transform is missing");
	}
	const snw_pose copy = copy_pose(services, proposal.name, &view);
	snw_error error;
	const snw_status status = check_pose(services, &copy, &error);
	if (snw_failed(status)) {
		return refuse(host, status, error.text);
	}
	p->poses = grown(p->arena, p->poses, p->pose_count, &services->pose_room, sizeof *p->poses);
	p->poses[p->pose_count++] = copy;
	return SNW_OK;
}

static snw_status propose_track(const snw_host *host, const snw_track_proposal *foreign) {
	if (!snw_thread_allows(SNW_TAG_OWNER_THREAD, "proposal.track")) {
		return SNW_ERROR_UNSUPPORTED;
	}
	snw_services *services = snw_services_of(host);
	snw_proposals *p = services->proposals;
	snw_track_proposal track;
	adopt(&track, sizeof track, foreign);
	const uint32_t frame_count = track.frame_count;
	const double *seconds = track.seconds;
	if (!track.name || frame_count == 0 || !seconds || !track.poses) {
		return refuse(host, SNW_ERROR_ARGUMENT, "proposal.track: the name, the poses or their times are missing");
	}
	snw_pose *copies = SNW_NEW_ARRAY(p->arena, snw_pose, frame_count);
	for (uint32_t f = 0; f < frame_count; f++) {
		snw_pose_view view;
		if (!isfinite(seconds[f]) || (f > 0 && seconds[f] <= seconds[f - 1]) || !adopt_pose(services, track.poses[f], &view)) {
			return refuse(host, SNW_ERROR_DATA, "proposal.track: times must rise, and every joint needs a transform");
		}
		copies[f] = copy_pose(services, track.name, &view);
		copies[f].seconds = seconds[f];
		snw_error error;
		const snw_status status = check_pose(services, &copies[f], &error);
		if (snw_failed(status)) {
			return refuse(host, status, error.text);
		}
	}
	p->tracks = grown(p->arena, p->tracks, p->track_count, &services->track_room, sizeof *p->tracks);
	p->tracks[p->track_count++] = (struct snw_proposed_track){
		.name = snw_arena_text(p->arena, track.name),
		.frame_count = frame_count,
		.seconds = snw_arena_copy(p->arena, seconds, frame_count * sizeof *seconds),
		.poses = copies,
	};
	return SNW_OK;
}

/* ---- targets ------------------------------------------------------------------------------------------------------------- */

static uint32_t find_clip(const snw_scene *scene, uint64_t id) {
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		if ((uint64_t)scene->clips[c].id == id) {
			return c;
		}
	}
	return SNW_NONE;
}

static snw_status propose_target(const snw_host *host, const snw_target_proposal *foreign) {
	if (!snw_thread_allows(SNW_TAG_OWNER_THREAD, "proposal.target")) {
		return SNW_ERROR_UNSUPPORTED;
	}
	snw_services *services = snw_services_of(host);
	snw_proposals *p = services->proposals;
	snw_target_proposal proposal;
	adopt(&proposal, sizeof proposal, foreign);
	if (!proposal.name || proposal.mesh >= services->scene->mesh_count) {
		return refuse(host, SNW_ERROR_ARGUMENT, "proposal.target: the name is missing, or the mesh is out of range");
	}
	const uint32_t clip = proposal.clip ? find_clip(services->scene, proposal.clip) : SNW_NONE;
	if (clip == SNW_NONE && (proposal.clip || p->track_count == 0)) {
		return refuse(host, SNW_ERROR_MISSING,
					  "proposal.target: the clip is missing; name one of the project, or propose a track first");
	}
	const uint32_t point_count = services->scene->meshes[proposal.mesh].point_count;
	const snw_target target = {.name = proposal.name,
							   .mesh = proposal.mesh,
							   .frame_count = proposal.frame_count,
							   .seconds = proposal.seconds,
							   .points_posed = proposal.points_posed};
	snw_error error;
	const snw_status status = snw_target_check(&target, point_count, &error);
	if (snw_failed(status)) {
		return refuse(host, status, error.text);
	}
	p->targets = grown(p->arena, p->targets, p->target_count, &services->target_room, sizeof *p->targets);
	p->targets[p->target_count++] = (struct snw_proposed_target){
		.name = snw_arena_text(p->arena, proposal.name),
		.mesh = proposal.mesh,
		.clip = clip,
		.track = clip == SNW_NONE ? p->track_count - 1 : SNW_NONE,
		.frame_count = proposal.frame_count,
		.seconds = snw_arena_copy(p->arena, proposal.seconds, proposal.frame_count * sizeof *proposal.seconds),
		.points_posed = snw_arena_copy(p->arena, proposal.points_posed,
									   (size_t)3 * proposal.frame_count * point_count * sizeof *proposal.points_posed),
	};
	return SNW_OK;
}

const snw_proposal_service snw_proposal_table = {
	sizeof snw_proposal_table, propose_field, propose_skeleton, propose_weights, propose_pose, propose_track, propose_target};
