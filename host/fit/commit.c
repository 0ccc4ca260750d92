/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/commit.h"

#include "fit/fit.h"
#include "fit/skeleton.h"
#include "fit/stale.h"
#include "project/project.h"
#include "scene/copy.h"
#include "weights/skin_weights.h"

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

/* ---- onto the project as it is --------------------------------------------------------------------------------------- */

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
	snw_status status = snw_fit_apply_sharing(scene, outcome, arena, &after, error);
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
