/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/fit.h"

#include <string.h>

#include "fit/stale.h"
#include "pose/clip.h"
#include "project/project.h"
#include "scene/scene.h"
#include "sinew/algebra.h"
#include "weights/weights.h"

/* ---- apply outcome ------------------------------------------------------------------------------------------------------- */

/* Applies a fit's outcome to a copy of the scene. Items of the same name are replaced and keep their ids. */

/* A copy of an array with room for `added` more elements. */
static void *grown(snw_arena *arena, const void *items, uint32_t count, uint32_t added, size_t item_bytes) {
	void *array = snw_arena_array(arena, (size_t)count + added, item_bytes);
	if (count > 0) {
		memcpy(array, items, count * item_bytes);
	}
	return array;
}

#define GROWN(arena, items, count, added) grown((arena), (items), (count), (added), sizeof *(items))

static void *copied(snw_arena *arena, const void *items, size_t bytes) {
	return snw_arena_copy(arena, items, bytes);
}

/* ---- skeleton and skins -------------------------------------------------------------------------------------------------- */

static snw_pose rest_pose(snw_arena *arena, const snw_scene *scene, const snw_skeleton *skeleton) {
	snw_pose pose = {
		.name = snw_arena_text(arena, "rest"),
		.local = copied(arena, skeleton->rest_local, skeleton->joint_count * sizeof *skeleton->rest_local),
		.rotation_vectors = SNW_NEW_ARRAY(arena, double, (size_t)3 * skeleton->joint_count),
		.channels = SNW_NEW_ARRAY(arena, double, scene->channel_count),
	};
	for (uint32_t i = 0; i < scene->channel_count; i++) {
		pose.channels[i] = scene->channels[i].initial;
	}
	return pose;
}

static void apply_skeleton(snw_scene *scene, const snw_proposals *p) {
	snw_arena *arena = scene->arena;
	const uint32_t count = p->skeleton.joint_count;
	snw_skeleton skeleton = {
		.joint_count = count,
		.names = SNW_NEW_ARRAY(arena, const char *, count),
		.parents = copied(arena, p->skeleton.parents, count * sizeof *p->skeleton.parents),
		.order = copied(arena, p->skeleton.order, count * sizeof *p->skeleton.order),
		.rest_local = copied(arena, p->skeleton.rest_local, count * sizeof *p->skeleton.rest_local),
		.rest_global = copied(arena, p->skeleton.rest_global, (size_t)12 * count * sizeof(double)),
	};
	for (uint32_t i = 0; i < count; i++) {
		skeleton.names[i] = snw_arena_text(arena, p->skeleton.names[i]);
	}
	/* Existing poses had no joints: they get the rest transforms. */
	snw_pose *poses = GROWN(arena, scene->poses, scene->pose_count, 1);
	for (uint32_t i = 0; i < scene->pose_count; i++) {
		const snw_pose rest = rest_pose(arena, scene, &skeleton);
		poses[i].local = rest.local;
		poses[i].rotation_vectors = rest.rotation_vectors;
	}
	if (scene->pose_count == 0) {
		poses[scene->pose_count++] = rest_pose(arena, scene, &skeleton);
	}
	scene->poses = poses;
	scene->skeleton = skeleton;
	scene->slot_count = p->slot_count;
	scene->slot_joints = copied(arena, p->slot_joints, p->slot_count * sizeof *p->slot_joints);
	scene->slot_inverse_binds = copied(arena, p->slot_inverse_binds, (size_t)12 * p->slot_count * sizeof(double));
}

/* In place of a skeleton, skins of all meshes that it moved: what the project holds of another would name slots that are
 * gone. */
static snw_status expect_skins(const snw_scene *before, const snw_proposals *p, snw_error *error) {
	for (uint32_t m = 0; m < before->mesh_count; m++) {
		uint32_t at = 0;
		while (at < p->skin_count && p->skins[at].mesh != m) {
			at++;
		}
		if (before->meshes[m].influence_offsets && at == p->skin_count) {
			return snw_fail(error, SNW_ERROR_CONFLICT, "the skeleton moves mesh '%s', and the fit made no weights for it",
							before->meshes[m].name);
		}
	}
	return SNW_OK;
}

static void apply_skins(snw_scene *scene, const snw_proposals *p) {
	snw_mesh *meshes = GROWN(scene->arena, scene->meshes, scene->mesh_count, 0);
	for (uint32_t i = 0; i < p->skin_count; i++) {
		const struct snw_proposed_skin *skin = &p->skins[i];
		snw_mesh *mesh = &meshes[skin->mesh];
		const uint32_t influences = skin->influence_offsets[mesh->point_count];
		mesh->influence_offsets =
			copied(scene->arena, skin->influence_offsets, ((size_t)mesh->point_count + 1) * sizeof(uint32_t));
		mesh->influence_slots = copied(scene->arena, skin->influence_slots, influences * sizeof(uint32_t));
		mesh->influence_weights = copied(scene->arena, skin->influence_weights, influences * sizeof(double));
	}
	scene->meshes = meshes;
}

/* ---- fields, poses, tracks ----------------------------------------------------------------------------------------------- */

/* A proposed field "residual" is named "LAYER.residual". */
static void apply_fields(snw_scene *scene, const snw_fit_outcome *outcome) {
	const snw_proposals *p = &outcome->proposals;
	snw_field *fields = GROWN(scene->arena, scene->fields, scene->field_count, p->field_count);
	for (uint32_t i = 0; i < p->field_count; i++) {
		snw_field field = p->fields[i];
		field.name = snw_arena_format(scene->arena, "%s.%s", outcome->layer.name, field.name);
		field.unit = field.unit ? snw_arena_text(scene->arena, field.unit) : NULL;
		field.values = copied(scene->arena, field.values, (size_t)field.count * field.components * sizeof(double));
		uint32_t at = 0;
		while (at < scene->field_count && (fields[at].mesh != field.mesh || strcmp(fields[at].name, field.name) != 0)) {
			at++;
		}
		field.id = at < scene->field_count ? fields[at].id : 0;
		fields[at] = field;
		scene->field_count += at == scene->field_count;
	}
	scene->fields = fields;
}

static void apply_poses(snw_scene *scene, const snw_proposals *p) {
	snw_arena *arena = scene->arena;
	const uint32_t joints = scene->skeleton.joint_count;
	snw_pose *poses = GROWN(arena, scene->poses, scene->pose_count, p->pose_count);
	for (uint32_t i = 0; i < p->pose_count; i++) {
		uint32_t at = 0;
		while (at < scene->pose_count && strcmp(poses[at].name, p->poses[i].name) != 0) {
			at++;
		}
		poses[at] = (snw_pose){
			.id = at < scene->pose_count ? poses[at].id : 0,
			.name = snw_arena_text(arena, p->poses[i].name),
			.local = copied(arena, p->poses[i].local, joints * sizeof *p->poses[i].local),
			.rotation_vectors = copied(arena, p->poses[i].rotation_vectors, (size_t)3 * joints * sizeof(double)),
			.channels = copied(arena, p->poses[i].channels, scene->channel_count * sizeof(double)),
		};
		scene->pose_count += at == scene->pose_count;
	}
	scene->poses = poses;
}

static void apply_tracks(snw_scene *scene, const snw_proposals *p) {
	snw_clip *clips = GROWN(scene->arena, scene->clips, scene->clip_count, p->track_count);
	for (uint32_t i = 0; i < p->track_count; i++) {
		snw_clip clip = snw_clip_from_poses(scene, p->tracks[i].name, p->tracks[i].frame_count, p->tracks[i].seconds,
											p->tracks[i].poses, scene->arena);
		uint32_t at = 0;
		while (at < scene->clip_count && strcmp(clips[at].name, clip.name) != 0) {
			at++;
		}
		clip.id = at < scene->clip_count ? clips[at].id : 0;
		clips[at] = clip;
		scene->clip_count += at == scene->clip_count;
	}
	scene->clips = clips;
}

static void apply_targets(snw_scene *scene, const snw_proposals *p) {
	snw_target *targets = GROWN(scene->arena, scene->targets, scene->target_count, p->target_count);
	for (uint32_t i = 0; i < p->target_count; i++) {
		const struct snw_proposed_target *proposed = &p->targets[i];
		const size_t numbers = (size_t)3 * proposed->frame_count * scene->meshes[proposed->mesh].point_count;
		uint32_t at = 0;
		while (at < scene->target_count && strcmp(targets[at].name, proposed->name) != 0) {
			at++;
		}
		targets[at] = (snw_target){
			.id = at < scene->target_count ? targets[at].id : 0,
			.name = snw_arena_text(scene->arena, proposed->name),
			.mesh = proposed->mesh,
			.clip = proposed->track == SNW_NONE ? proposed->clip : snw_scene_find_clip(scene, p->tracks[proposed->track].name),
			.frame_count = proposed->frame_count,
			.seconds = copied(scene->arena, proposed->seconds, proposed->frame_count * sizeof *proposed->seconds),
			.points_posed = copied(scene->arena, proposed->points_posed, numbers * sizeof *proposed->points_posed),
		};
		scene->target_count += at == scene->target_count;
	}
	scene->targets = targets;
}

/* ---- layer and model ----------------------------------------------------------------------------------------------------- */

static uint32_t apply_model(snw_scene *scene, const snw_saved_model *saved, uint32_t existing) {
	snw_arena *arena = scene->arena;
	snw_saved_model *models = GROWN(arena, scene->models, scene->model_count, 1);
	const bool replaces = existing < scene->model_count;
	const uint32_t at = replaces ? existing : scene->model_count;
	models[at] = (snw_saved_model){
		.id = replaces ? models[at].id : 0,
		.name = snw_arena_text(arena, saved->name),
		.deformer = snw_arena_text(arena, saved->deformer),
		.deformer_version = snw_arena_text(arena, saved->deformer_version),
		.bytes = copied(arena, saved->bytes, saved->byte_count),
		.byte_count = saved->byte_count,
		.reads = saved->reads ? copied(arena, saved->reads, SNW_READ_KINDS * sizeof *saved->reads) : NULL,
	};
	scene->models = models;
	scene->model_count += !replaces;
	return at;
}

/* Inserts a new layer on top, or directly above the one that it replaces; returns its index. */
static uint32_t insert_layer(snw_scene *scene, snw_layer *layers, uint32_t replaced) {
	const uint32_t at = replaced == SNW_NONE ? scene->layer_count : replaced + 1;
	memmove(layers + at + 1, layers + at, (scene->layer_count - at) * sizeof *layers);
	scene->layer_count++;
	return at;
}

static void apply_layer(snw_scene *scene, const snw_fit_outcome *outcome) {
	snw_arena *arena = scene->arena;
	uint32_t at = snw_scene_find_layer(scene, outcome->layer.name);
	snw_layer *layers = GROWN(arena, scene->layers, scene->layer_count, 1);
	const bool exists = at != SNW_NONE;
	const uint32_t replaced = outcome->replaces ? snw_scene_find_layer(scene, outcome->replaces) : SNW_NONE;
	if (replaced != SNW_NONE) {
		layers[replaced].muted = true;
	}
	if (!exists) {
		at = insert_layer(scene, layers, replaced);
	}
	layers[at] = (snw_layer){
		.id = exists ? layers[at].id : 0,
		.name = snw_arena_text(arena, outcome->layer.name),
		.deformer = snw_arena_text(arena, outcome->layer.deformer),
		.deformer_version = snw_arena_text(arena, outcome->layer.deformer_version),
		.muted = outcome->layer.muted,
		.model = apply_model(scene, &outcome->model, exists ? layers[at].model : SNW_NONE),
		.setting_count = outcome->layer.setting_count,
		.samples = outcome->layer.samples ? snw_arena_text(arena, outcome->layer.samples) : NULL,
		.settings = snw_settings_copy(arena, outcome->layer.settings, outcome->layer.setting_count),
	};
	scene->layers = layers;
}

/* To a scene whose lists may be those of another scene: those that change are replaced by longer copies in its arena. */
static snw_status apply_outcome(const snw_fit_outcome *outcome, snw_scene *after, snw_error *error) {
	const snw_proposals *p = &outcome->proposals;
	if (p->has_skeleton) {
		apply_skeleton(after, p);
	} else if (outcome->proposes_only) {
		snw_scene_complete_slots(after);
	}
	apply_skins(after, p);
	apply_fields(after, outcome);
	apply_poses(after, p);
	apply_tracks(after, p);
	apply_targets(after, p);
	if (!outcome->proposes_only) {
		apply_layer(after, outcome);
	} else if (after->layer_count == 0) {
		snw_scene_add_baseline(after);
	}
	return snw_scene_check(after, error);
}

snw_status snw_fit_apply(const snw_scene *scene, const snw_fit_outcome *outcome, snw_scene **result, snw_error *error) {
	const snw_proposals *p = &outcome->proposals;
	snw_scene *after = NULL;
	if (outcome->proposes_only && p->has_skeleton && scene->skeleton.joint_count > 0) {
		snw_status status = expect_skins(scene, p, error);
		status = snw_failed(status) ? status : snw_scene_without_skeleton(scene, &after, error);
		if (snw_failed(status)) {
			return status;
		}
	} else {
		after = snw_scene_copy(scene);
	}
	const snw_status status = apply_outcome(outcome, after, error);
	if (snw_failed(status)) {
		snw_scene_destroy(after);
		return status;
	}
	*result = after;
	return SNW_OK;
}

/* The same for the outcome of a layer, which is not `proposes_only`: what it leaves as it is stays the scene's, which must
 * outlive `after`. What it changes is in `arena`, and nothing of `after` is destroyed. */
static snw_status fit_apply_sharing(const snw_scene *scene, const snw_fit_outcome *outcome, snw_arena *arena, snw_scene *after,
									snw_error *error) {
	*after = *scene;
	after->arena = arena;
	return apply_outcome(outcome, after, error);
}

/* ---- layers -------------------------------------------------------------------------------------------------------------- */

static snw_status mute_layer(snw_project *project, const snw_scene *scene, uint32_t index, snw_error *error) {
	snw_layer layer = scene->layers[index];
	layer.muted = true;
	int64_t id;
	return snw_project_put_layer(project, &layer, layer.model == SNW_NONE ? 0 : scene->models[layer.model].id, -1, &id, error);
}

snw_status snw_layer_put_over(snw_project *project, const snw_scene *scene, const snw_layer *layer, int64_t model,
							  uint32_t replaced, snw_error *error) {
	const bool is_new = snw_scene_find_layer(scene, layer->name) == SNW_NONE;
	const int32_t place = is_new && replaced != SNW_NONE ? (int32_t)replaced + 1 : -1;
	const snw_status status = replaced == SNW_NONE ? SNW_OK : mute_layer(project, scene, replaced, error);
	int64_t id;
	return snw_failed(status) ? status : snw_project_put_layer(project, layer, model, place, &id, error);
}

uint32_t snw_layer_replaces(const snw_scene *scene, const snw_registry *registry, const snw_deformer *deformer) {
	const bool blends = deformer->descriptor->traits & SNW_REPLACES_BLEND;
	const uint32_t base = blends ? snw_fit_base_blend(scene, registry, scene->layer_count) : SNW_NONE;
	return base != SNW_NONE && scene->layers[base].muted ? SNW_NONE : base;
}

/* ---- outcomes ------------------------------------------------------------------------------------------------------------ */

/* `clips` are the ids of the proposed tracks' clips. */
static snw_status put_targets(snw_project *project, const snw_proposals *proposals, const snw_scene *after,
							  const int64_t *clips, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < proposals->target_count; i++) {
		const struct snw_proposed_target *proposed = &proposals->targets[i];
		const snw_target *target = &after->targets[snw_scene_find_target(after, proposed->name)];
		const snw_mesh *mesh = &after->meshes[target->mesh];
		const int64_t clip = proposed->track == SNW_NONE ? after->clips[target->clip].id : clips[proposed->track];
		status = snw_project_put_target(project, target, mesh->id, mesh->point_count, clip, NULL, error);
	}
	return status;
}

/* Writes base skins, poses, clips and targets. `after` is the scene with the proposals applied. */
static snw_status put_motion(snw_project *project, const snw_proposals *proposals, const snw_scene *after, snw_error *error) {
	int64_t id;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < proposals->skin_count; i++) {
		const struct snw_proposed_skin *skin = &proposals->skins[i];
		const snw_mesh *mesh = &after->meshes[skin->mesh];
		status = snw_project_put_skin(project, mesh->id, mesh->point_count, skin->influence_offsets, skin->influence_slots,
									  skin->influence_weights, error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < proposals->pose_count; i++) {
		status = snw_project_put_pose(project, &proposals->poses[i], &id, error);
	}
	int64_t *clips = SNW_NEW_ARRAY(after->arena, int64_t, proposals->track_count);
	for (uint32_t i = 0; !snw_failed(status) && i < proposals->track_count; i++) {
		const uint32_t clip = snw_scene_find_clip(after, proposals->tracks[i].name);
		status = snw_project_put_clip(project, &after->clips[clip], &clips[i], error);
	}
	return snw_failed(status) ? status : put_targets(project, proposals, after, clips, error);
}

/* Field names are prefixed with the layer's name, because two layers may propose fields of the same name. */
static snw_status put_fields(snw_project *project, const snw_fit_outcome *outcome, const snw_scene *after, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < outcome->proposals.field_count; i++) {
		const snw_field *proposed = &outcome->proposals.fields[i];
		const char *name = snw_arena_format(after->arena, "%s.%s", outcome->layer.name, proposed->name);
		const snw_field *field = &after->fields[snw_scene_find_field(after, proposed->mesh, name)];
		int64_t id;
		status = snw_project_put_field(project, field, field->mesh == SNW_NONE ? 0 : after->meshes[field->mesh].id, &id, error);
	}
	return status;
}

/* As in snw_fit_apply. */
static snw_status put_layer(snw_project *project, const snw_scene *scene, const snw_fit_outcome *outcome, snw_error *error) {
	const uint32_t replaced = outcome->replaces ? snw_scene_find_layer(scene, outcome->replaces) : SNW_NONE;
	int64_t model;
	const snw_status status = snw_project_put_model(project, &outcome->model, &model, error);
	return snw_failed(status) ? status : snw_layer_put_over(project, scene, &outcome->layer, model, replaced, error);
}

/* Replaces the existing skeleton. Its tracks are removed first, because a joint cannot be removed while a clip uses it. Poses
 * become the new rest, whatever its joints are named. */
static snw_status put_learned_skeleton(snw_project *project, const snw_scene *before, const snw_scene *after,
									   snw_error *error) {
	int64_t id;
	snw_status status = SNW_OK;
	if (before->skeleton.joint_count > 0) {
		snw_scene *silent = snw_scene_copy(before);
		snw_scene_drop_joint_tracks(silent);
		for (uint32_t i = 0; !snw_failed(status) && i < silent->clip_count; i++) {
			status = snw_project_put_clip(project, &silent->clips[i], &id, error);
		}
		snw_scene_destroy(silent);
	}
	status = snw_failed(status) ? status : snw_project_put_skeleton(project, after, error);
	for (uint32_t i = 0; !snw_failed(status) && before->skeleton.joint_count > 0 && i < after->pose_count; i++) {
		status = snw_project_put_pose(project, &after->poses[i], &id, error);
	}
	return status;
}

/* `after` is the scene with the outcome applied. */
static snw_status put_all(snw_project *project, const snw_scene *scene, const snw_scene *after, const snw_fit_outcome *outcome,
						  snw_error *error) {
	snw_status status = outcome->proposals.has_skeleton ? put_learned_skeleton(project, scene, after, error)
						: after->slot_count != scene->slot_count
							? snw_project_put_skeleton(project, after, error) /* with new slots */
							: SNW_OK;
	status = snw_failed(status) ? status : put_motion(project, &outcome->proposals, after, error);
	status = snw_failed(status) ? status : put_fields(project, outcome, after, error);
	if (outcome->proposes_only) { /* a skin needs a layer that shows it */
		int64_t id;
		const bool is_bare = scene->layer_count == 0 && after->layer_count > 0;
		return snw_failed(status) || !is_bare ? status : snw_project_put_layer(project, &after->layers[0], 0, -1, &id, error);
	}
	return snw_failed(status) ? status : put_layer(project, scene, outcome, error);
}

/* ---- onto the project as it is ------------------------------------------------------------------------------------------- */

static snw_status fail_changed(const snw_fit_outcome *outcome, const char *change, snw_error *error) {
	if (outcome->proposes_only) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s while %s ran; nothing was written: run it again", change,
						outcome->layer.name);
	}
	return snw_fail(
		error, SNW_ERROR_CONFLICT,
		"%s while %s was fitted; nothing was written: fit again, or give --keep-as NAME to keep such a fit as a muted layer",
		change, outcome->layer.name);
}

/* The indices of an outcome are those of the scene that the fit saw. */
static snw_status expect_place(const snw_scene *present, const snw_fit_outcome *outcome, snw_error *error) {
	return outcome->place == 0 || outcome->place == snw_fit_place(present)
			   ? SNW_OK
			   : fail_changed(outcome, "the character or its layers changed", error);
}

/* A stroke waits for this: only what the fit changes is copied. */
static snw_status put_layer_fit(snw_project *project, const snw_scene *scene, const snw_fit_outcome *outcome,
								snw_error *error) {
	snw_scene after;
	snw_arena *arena = snw_arena_create();
	snw_status status = fit_apply_sharing(scene, outcome, arena, &after, error);
	status = snw_failed(status) ? status : put_all(project, scene, &after, outcome, error);
	snw_arena_destroy(arena);
	return status;
}

snw_status snw_project_put_fit(snw_project *project, const snw_scene *scene, const snw_fit_outcome *outcome, snw_error *error) {
	snw_scene *after = NULL;
	snw_status status = expect_place(scene, outcome, error);
	if (!snw_failed(status) && !outcome->proposes_only) {
		return put_layer_fit(project, scene, outcome, error);
	}
	status = snw_failed(status) ? status : snw_fit_apply(scene, outcome, &after, error);
	status = snw_failed(status) ? status : put_all(project, scene, after, outcome, error);
	snw_scene_destroy(after);
	return status;
}

static snw_status begin(snw_project *project, const snw_fit_outcome *outcome, const char *label, snw_error *error) {
	if (label) {
		return snw_project_begin_beside(project, label, error);
	}
	const snw_status status = snw_project_begin_amend(project, error);
	if (status != SNW_ERROR_MISSING) {
		return status;
	}
	return snw_project_begin(project, snw_arena_format(outcome->arena, "fit %s again", outcome->layer.name), error);
}

/* `present` is the project's scene, `after` the same with the outcome in place. */
static snw_status expect_unchanged(const snw_scene *present, const snw_scene *after, const snw_registry *registry,
								   const snw_fit_outcome *outcome, snw_error *error) {
	if (!registry || !outcome->model.reads) {
		return SNW_OK;
	}
	const uint32_t stale = outcome->proposes_only
							   ? snw_proposals_stale(present, registry, &outcome->layer, outcome->model.reads)
							   : snw_layer_stale(after, registry, snw_scene_find_layer(after, outcome->layer.name));
	return stale == 0 || stale == SNW_STALE_UNKNOWN ? SNW_OK
													: fail_changed(outcome, snw_stale_words(stale, after->arena), error);
}

/* NULL `choice`: all weights. */
static snw_status keep_skins(const snw_scene *present, const snw_skin_choice *choice, snw_fit_outcome *outcome,
							 snw_error *error) {
	snw_proposals *proposals = &outcome->proposals;
	uint32_t kept = 0;
	for (uint32_t i = 0; choice && i < proposals->skin_count; i++) {
		const snw_mesh *mesh = &present->meshes[proposals->skins[i].mesh];
		if ((choice->mesh == 0 || choice->mesh == mesh->id) && (choice->replaces || !mesh->influence_offsets)) {
			proposals->skins[kept++] = proposals->skins[i];
		}
	}
	proposals->skin_count = choice ? kept : proposals->skin_count;
	return choice && kept == 0 ? fail_changed(outcome, "the weights changed", error) : SNW_OK;
}

/* The skin where the mask is above 0; outside it the one before, whatever its weights are. */
static snw_mesh keep_outside(const snw_mesh *before, const snw_mesh *skin, const double *mask, snw_arena *arena) {
	double *inside = SNW_NEW_ARRAY(arena, double, before->point_count);
	for (uint32_t i = 0; i < before->point_count; i++) {
		inside[i] = mask[i] > 0;
	}
	return snw_skin_mix(before, skin, inside, arena);
}

/* The weights of locked joints and those outside the mask stay. */
static void hold_weights(const snw_scene *present, const snw_scene *after, const snw_skin_choice *choice,
						 const snw_fit_outcome *outcome) {
	for (uint32_t i = 0; choice && i < outcome->proposals.skin_count; i++) {
		struct snw_proposed_skin *proposed = &outcome->proposals.skins[i];
		const snw_mesh *before = &present->meshes[proposed->mesh];
		const uint32_t of_old = snw_skin_most_influences(before),
					   of_new = snw_skin_most_influences(&after->meshes[proposed->mesh]);
		snw_mesh skin = after->meshes[proposed->mesh];
		if (choice->mask) {
			skin = snw_skin_mix(before, &skin, choice->mask, outcome->arena);
		}
		if (choice->mask || choice->lock_count > 0) {
			skin = snw_skin_lock(after, before, &skin, choice->lock_count, choice->locked, outcome->arena);
			skin = snw_skin_prune(after, &skin, of_old > of_new ? of_old : of_new, 0, choice->lock_count, choice->locked,
								  outcome->arena);
			skin = snw_skin_lock(after, before, &skin, choice->lock_count, choice->locked, outcome->arena);
			skin = choice->mask ? keep_outside(before, &skin, choice->mask, outcome->arena) : skin;
			proposed->influence_offsets = skin.influence_offsets;
			proposed->influence_slots = skin.influence_slots;
			proposed->influence_weights = skin.influence_weights;
		}
	}
}

snw_status snw_project_put_outcome(snw_project *project, const snw_registry *registry, const snw_skin_choice *choice,
								   snw_fit_outcome *outcome, snw_error *error) {
	snw_scene *present = NULL, *after = NULL;
	snw_status status = snw_project_scene(project, &present, error);
	status = snw_failed(status) ? status : expect_place(present, outcome, error);
	status = snw_failed(status) ? status : keep_skins(present, choice, outcome, error);
	status = snw_failed(status) ? status : snw_fit_apply(present, outcome, &after, error);
	status = snw_failed(status) ? status : expect_unchanged(present, after, registry, outcome, error);
	if (!snw_failed(status)) {
		hold_weights(present, after, choice, outcome);
		status = put_all(project, present, after, outcome, error);
	}
	snw_scene_destroy(after);
	snw_scene_destroy(present);
	return status;
}

snw_status snw_project_commit_fit(snw_project *project, const snw_registry *registry, const snw_fit_outcome *outcome,
								  const char *label, snw_error *error) {
	snw_fit_outcome whole = *outcome;
	snw_status status = begin(project, outcome, label, error);
	if (snw_failed(status)) {
		return status;
	}
	status = snw_project_put_outcome(project, registry, NULL, &whole, error);
	status = snw_failed(status) ? status : snw_project_commit(project, error);
	if (snw_failed(status)) {
		snw_project_rollback(project);
	}
	return status;
}
