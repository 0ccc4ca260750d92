/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The proposal service: what a fit makes besides its model, checked and copied into the proposals' arena.
 */
#include <math.h>
#include <string.h>

#include "plugin/context.h"
#include "scene/skeleton.h"
#include "sinew/algebra.h"

enum { MOST_COMPONENTS = 1024 };

static snw_status refuse(const snw_host *host, snw_status status, const char *words) {
	return snw_services_fail(host, status, words);
}

static bool all_finite(const double *values, size_t count) {
	for (size_t i = 0; i < count; i++) {
		if (!isfinite(values[i])) {
			return false;
		}
	}
	return true;
}

/* The array with room for one more element behind its `count`, moved where it was full. */
static void *with_room(snw_arena *arena, void *items, uint32_t count, uint32_t *capacity, size_t item_bytes) {
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

/* ---- fields ---------------------------------------------------------------------------------------------------------------- */

/* How many elements the domain has; UINT32_MAX where there is no such domain or mesh. */
static uint32_t domain_count(const snw_services *services, int32_t domain, uint32_t owner) {
	const snw_scene *scene = services->scene;
	const bool of_mesh = domain == SNW_DOMAIN_POINTS || domain == SNW_DOMAIN_FACES;
	if (of_mesh && owner >= scene->mesh_count) {
		return UINT32_MAX;
	}
	switch (domain) {
	case SNW_DOMAIN_POINTS:
		return scene->meshes[owner].point_count;
	case SNW_DOMAIN_FACES:
		return scene->meshes[owner].face_count;
	case SNW_DOMAIN_JOINTS:
		return services->proposals->has_skeleton ? services->proposals->skeleton.joint_count : scene->skeleton.joint_count;
	default:
		return UINT32_MAX;
	}
}

static snw_status propose_field(const snw_host *host, uint32_t owner, const snw_field_view *field) {
	snw_thread_expect(SNW_TAG_OWNER_THREAD, "proposal.field");
	snw_services *services = snw_services_of(host);
	snw_proposals *p = services->proposals;
	if (!field || !field->name || (field->count > 0 && !field->values) || field->components == 0 ||
		field->components > MOST_COMPONENTS || field->domain < SNW_DOMAIN_POINTS || field->domain > SNW_DOMAIN_FRAMES) {
		return refuse(host, SNW_ERROR_ARGUMENT, "proposal.field: a field with a name, a domain and values is wanted");
	}
	const uint32_t elements = domain_count(services, field->domain, owner);
	const bool counted = field->domain == SNW_DOMAIN_EXAMPLES || field->domain == SNW_DOMAIN_FRAMES;
	if (!counted && elements != field->count) {
		return refuse(host, SNW_ERROR_ARGUMENT, "proposal.field: its count is not that of its domain");
	}
	const size_t count = (size_t)field->count * field->components;
	if (!all_finite(field->values, count)) {
		return refuse(host, SNW_ERROR_DATA, "proposal.field: it holds numbers that are not finite");
	}
	const bool of_mesh = field->domain == SNW_DOMAIN_POINTS || field->domain == SNW_DOMAIN_FACES;
	p->fields = with_room(p->arena, p->fields, p->field_count, &services->field_room, sizeof *p->fields);
	p->fields[p->field_count++] = (snw_field){
		.name = snw_arena_text(p->arena, field->name),
		.domain = field->domain,
		.mesh = of_mesh ? owner : SNW_NONE,
		.components = field->components,
		.count = field->count,
		.values = snw_arena_copy(p->arena, field->values, count * sizeof *field->values),
	};
	return SNW_OK;
}

/* ---- skeleton and weights -------------------------------------------------------------------------------------------------- */

static snw_status check_skeleton(const snw_host *host, const snw_skeleton_view *skeleton, uint32_t slot_count,
								 const uint32_t *slot_joints, const double *slot_inverse_binds) {
	if (!skeleton || skeleton->joint_count == 0 || !skeleton->names || !skeleton->parents || !skeleton->rest_local) {
		return refuse(host, SNW_ERROR_ARGUMENT, "proposal.skeleton: names, parents and rest transforms are wanted");
	}
	for (uint32_t i = 0; i < skeleton->joint_count; i++) {
		const snw_transform *t = &skeleton->rest_local[i];
		if (!skeleton->names[i] || !all_finite(t->translation, 3) || !all_finite(t->rotation, 4) || !all_finite(t->scale, 3)) {
			return refuse(host, SNW_ERROR_DATA, "proposal.skeleton: a joint has no name or a transform that is not finite");
		}
		for (uint32_t j = 0; j < i; j++) {
			if (strcmp(skeleton->names[j], skeleton->names[i]) == 0) {
				return refuse(host, SNW_ERROR_DATA, "proposal.skeleton: two joints have one name");
			}
		}
	}
	if (slot_count > 0 && (!slot_joints || !slot_inverse_binds)) {
		return refuse(host, SNW_ERROR_ARGUMENT, "proposal.skeleton: slots without joints or inverse binds");
	}
	for (uint32_t s = 0; s < slot_count; s++) {
		if (slot_joints[s] >= skeleton->joint_count || !all_finite(slot_inverse_binds + (size_t)12 * s, 12)) {
			return refuse(host, SNW_ERROR_DATA, "proposal.skeleton: a slot names no joint or is not finite");
		}
	}
	return SNW_OK;
}

static snw_status propose_skeleton(const snw_host *host, const snw_skeleton_view *skeleton, uint32_t slot_count,
								   const uint32_t *slot_joints, const double *slot_inverse_binds) {
	snw_thread_expect(SNW_TAG_OWNER_THREAD, "proposal.skeleton");
	const snw_services *services = snw_services_of(host);
	snw_proposals *p = services->proposals;
	if (services->scene->skeleton.joint_count > 0 || p->has_skeleton) {
		return refuse(host, SNW_ERROR_CONFLICT, "proposal.skeleton: the character has a skeleton");
	}
	snw_status status = check_skeleton(host, skeleton, slot_count, slot_joints, slot_inverse_binds);
	if (status != SNW_OK) {
		return status;
	}
	const uint32_t count = skeleton->joint_count;
	snw_skeleton copy = {
		.joint_count = count,
		.names = SNW_NEW_ARRAY(p->arena, const char *, count),
		.parents = snw_arena_copy(p->arena, skeleton->parents, count * sizeof *skeleton->parents),
		.rest_local = snw_arena_copy(p->arena, skeleton->rest_local, count * sizeof *skeleton->rest_local),
	};
	for (uint32_t i = 0; i < count; i++) {
		copy.names[i] = snw_arena_text(p->arena, skeleton->names[i]);
		snw_quat_normalize(copy.rest_local[i].rotation);
	}
	snw_error error;
	status = snw_skeleton_finish(&copy, p->arena, &error);
	if (status < 0) {
		return refuse(host, status, error.text);
	}
	p->skeleton = copy;
	p->has_skeleton = true;
	p->slot_count = slot_count;
	p->slot_joints = snw_arena_copy(p->arena, slot_joints, slot_count * sizeof *slot_joints);
	p->slot_inverse_binds = snw_arena_copy(p->arena, slot_inverse_binds, (size_t)12 * slot_count * sizeof(double));
	return SNW_OK;
}

/* Offsets that rise from 0, slots in range, weights that sum to 1: what the scene's own check will want. */
static snw_status check_weights(const snw_services *services, uint32_t point_count, const uint32_t *offsets,
								const uint32_t *slots, const double *weights) {
	const uint32_t slot_count =
		services->proposals->has_skeleton ? services->proposals->slot_count : services->scene->slot_count;
	if (offsets[0] != 0) {
		return SNW_ERROR_DATA;
	}
	for (uint32_t i = 0; i < point_count; i++) {
		if (offsets[i + 1] < offsets[i] || offsets[i + 1] == offsets[i]) {
			return SNW_ERROR_DATA;
		}
		double sum = 0;
		for (uint32_t k = offsets[i]; k < offsets[i + 1]; k++) {
			if (slots[k] >= slot_count || !isfinite(weights[k])) {
				return SNW_ERROR_DATA;
			}
			sum += weights[k];
		}
		if (fabs(sum - 1) > 1e-6) {
			return SNW_ERROR_DATA;
		}
	}
	return SNW_OK;
}

static snw_status propose_weights(const snw_host *host, uint32_t mesh, const uint32_t *influence_offsets,
								  const uint32_t *influence_slots, const double *influence_weights) {
	snw_thread_expect(SNW_TAG_OWNER_THREAD, "proposal.weights");
	snw_services *services = snw_services_of(host);
	snw_proposals *p = services->proposals;
	if (mesh >= services->scene->mesh_count || !influence_offsets || !influence_slots || !influence_weights) {
		return refuse(host, SNW_ERROR_ARGUMENT, "proposal.weights: a mesh of the character and its influences are wanted");
	}
	const uint32_t point_count = services->scene->meshes[mesh].point_count;
	if (check_weights(services, point_count, influence_offsets, influence_slots, influence_weights) != SNW_OK) {
		return refuse(host, SNW_ERROR_DATA, "proposal.weights: slots out of range, or weights that do not sum to 1");
	}
	const uint32_t count = influence_offsets[point_count];
	p->skins = with_room(p->arena, p->skins, p->skin_count, &services->skin_room, sizeof *p->skins);
	p->skins[p->skin_count++] = (struct snw_proposed_skin){
		.mesh = mesh,
		.influence_offsets = snw_arena_copy(p->arena, influence_offsets, ((size_t)point_count + 1) * sizeof(uint32_t)),
		.influence_slots = snw_arena_copy(p->arena, influence_slots, count * sizeof(uint32_t)),
		.influence_weights = snw_arena_copy(p->arena, influence_weights, count * sizeof(double)),
	};
	return SNW_OK;
}

/* ---- poses and tracks ------------------------------------------------------------------------------------------------------ */

/* The skeleton that poses are of: the one proposed in this fit, else the scene's. */
static const snw_skeleton *skeleton_of(const snw_services *services) {
	return services->proposals->has_skeleton ? &services->proposals->skeleton : &services->scene->skeleton;
}

static bool pose_is_sound(const snw_services *services, const snw_pose_view *view) {
	const uint32_t joint_count = skeleton_of(services)->joint_count;
	if (!view || view->joint_count != joint_count || (joint_count > 0 && !view->local) ||
		(view->channel_count != 0 && view->channel_count != services->scene->channel_count) ||
		(view->channel_count > 0 && (!view->channels || !all_finite(view->channels, view->channel_count)))) {
		return false;
	}
	for (uint32_t i = 0; i < joint_count; i++) {
		const snw_transform *t = &view->local[i];
		if (!all_finite(t->translation, 3) || !all_finite(t->rotation, 4) || !all_finite(t->scale, 3)) {
			return false;
		}
	}
	return !view->turns || all_finite(view->turns, (size_t)3 * joint_count);
}

/* Turns that the view leaves open become the shortest from the rest; channels the scene's initial ones. */
static snw_pose copy_pose(const snw_services *services, const char *name, const snw_pose_view *view) {
	snw_arena *arena = services->proposals->arena;
	const snw_skeleton *skeleton = skeleton_of(services);
	const uint32_t channel_count = services->scene->channel_count;
	snw_pose pose = {
		.name = snw_arena_text(arena, name),
		.local = snw_arena_copy(arena, view->local, skeleton->joint_count * sizeof *view->local),
		.turns = SNW_NEW_ARRAY(arena, double, (size_t)3 * skeleton->joint_count),
		.channels = SNW_NEW_ARRAY(arena, double, channel_count),
		.seconds = view->seconds,
	};
	for (uint32_t i = 0; i < skeleton->joint_count; i++) {
		snw_quat_normalize(pose.local[i].rotation);
		if (view->turns) {
			memcpy(pose.turns + (size_t)3 * i, view->turns + (size_t)3 * i, 3 * sizeof(double));
			continue;
		}
		double turn[4];
		snw_quat_conjugate(skeleton->rest_local[i].rotation, turn);
		snw_quat_multiply(turn, pose.local[i].rotation, turn);
		snw_quat_to_turn(turn, pose.turns + (size_t)3 * i);
	}
	for (uint32_t i = 0; i < channel_count; i++) {
		pose.channels[i] = view->channel_count > 0 ? view->channels[i] : services->scene->channels[i].initial;
	}
	return pose;
}

static snw_status propose_pose(const snw_host *host, const char *name, const snw_pose_view *pose) {
	snw_thread_expect(SNW_TAG_OWNER_THREAD, "proposal.pose");
	snw_services *services = snw_services_of(host);
	snw_proposals *p = services->proposals;
	if (!name || !name[0] || !pose_is_sound(services, pose)) {
		return refuse(host, SNW_ERROR_DATA, "proposal.pose: a name and finite transforms for every joint are wanted");
	}
	p->poses = with_room(p->arena, p->poses, p->pose_count, &services->pose_room, sizeof *p->poses);
	p->poses[p->pose_count++] = copy_pose(services, name, pose);
	return SNW_OK;
}

static snw_status propose_track(const snw_host *host, const char *name, uint32_t frame_count, const double *seconds,
								const snw_pose_view *poses) {
	snw_thread_expect(SNW_TAG_OWNER_THREAD, "proposal.track");
	snw_services *services = snw_services_of(host);
	snw_proposals *p = services->proposals;
	if (!name || !name[0] || frame_count == 0 || !seconds || !poses || !all_finite(seconds, frame_count)) {
		return refuse(host, SNW_ERROR_ARGUMENT, "proposal.track: a name and poses at finite times are wanted");
	}
	for (uint32_t f = 0; f < frame_count; f++) {
		if ((f > 0 && seconds[f] <= seconds[f - 1]) || !pose_is_sound(services, &poses[f])) {
			return refuse(host, SNW_ERROR_DATA, "proposal.track: times must rise, and every joint needs a finite transform");
		}
	}
	snw_pose *copies = SNW_NEW_ARRAY(p->arena, snw_pose, frame_count);
	for (uint32_t f = 0; f < frame_count; f++) {
		copies[f] = copy_pose(services, name, &poses[f]);
		copies[f].seconds = seconds[f];
	}
	p->tracks = with_room(p->arena, p->tracks, p->track_count, &services->track_room, sizeof *p->tracks);
	p->tracks[p->track_count++] = (struct snw_proposed_track){
		.name = snw_arena_text(p->arena, name),
		.frame_count = frame_count,
		.seconds = snw_arena_copy(p->arena, seconds, frame_count * sizeof *seconds),
		.poses = copies,
	};
	return SNW_OK;
}

const snw_proposal_service snw_proposal_table = {sizeof snw_proposal_table, propose_field, propose_skeleton,
												 propose_weights,           propose_pose,  propose_track};
