/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "fit/fit.h"
#include "isolation/isolated_deformer.h"
#include "message/message.h"
#include "scene/check.h"
#include "scene/scene.h"
#include "worker/job/job.h"

enum { TRANSFORM_DOUBLES = 10 };
_Static_assert(sizeof(snw_transform) == TRANSFORM_DOUBLES * sizeof(double), "transforms are written as raw memory");

/* The poses of an outcome have the joints of the proposed skeleton, or the scene's if none is proposed. */
static uint32_t pose_joint_count(const snw_scene *scene, const snw_proposals *proposals) {
	return proposals->has_skeleton ? proposals->skeleton.joint_count : scene->skeleton.joint_count;
}

/* ---- writing ------------------------------------------------------------------------------------------------------------- */

static void put_model_and_layer(snw_stream *out, const snw_fit_outcome *outcome) {
	const snw_saved_model *model = &outcome->model;
	snw_put_text(out, model->name);
	snw_put_text(out, model->deformer);
	snw_put_text(out, model->deformer_version);
	snw_put_array(out, model->bytes, model->byte_count, 1);
	for (uint32_t i = 0; i < SNW_READ_KINDS; i++) {
		snw_put_number(out, model->reads ? model->reads[i] : 0);
	}
	const snw_layer *layer = &outcome->layer;
	snw_put_text(out, layer->name);
	snw_put_text(out, layer->deformer);
	snw_put_text(out, layer->deformer_version);
	snw_put_number(out, layer->muted);
	snw_put_settings(out, layer->settings, layer->setting_count);
	snw_put_text(out, layer->samples);
	snw_put_text(out, outcome->replaces);
	snw_put_number(out, outcome->proposes_only);
}

static void put_fields(snw_stream *out, const snw_proposals *p) {
	snw_put_number(out, p->field_count);
	for (uint32_t i = 0; i < p->field_count; i++) {
		const snw_field *field = &p->fields[i];
		snw_put_text(out, field->name);
		snw_put_number(out, (uint32_t)field->domain);
		snw_put_number(out, field->mesh);
		snw_put_number(out, field->components);
		snw_put_number(out, field->count);
		snw_put_array(out, field->values, (size_t)field->components * field->count, sizeof(double));
		snw_put_text(out, field->unit ? field->unit : "");
	}
}

static void put_skeleton(snw_stream *out, const snw_proposals *p) {
	snw_put_number(out, p->has_skeleton);
	if (!p->has_skeleton) {
		return;
	}
	const snw_skeleton *skeleton = &p->skeleton;
	snw_put_number(out, skeleton->joint_count);
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		snw_put_text(out, skeleton->names[j]);
	}
	snw_put_array(out, skeleton->parents, skeleton->joint_count, sizeof(uint32_t));
	snw_put_array(out, (const double *)skeleton->rest_local, (size_t)TRANSFORM_DOUBLES * skeleton->joint_count, sizeof(double));
	snw_put_number(out, p->slot_count);
	snw_put_array(out, p->slot_joints, p->slot_count, sizeof(uint32_t));
	snw_put_array(out, p->slot_inverse_binds, (size_t)12 * p->slot_count, sizeof(double));
}

static void put_skins(snw_stream *out, const snw_scene *scene, const snw_proposals *p) {
	snw_put_number(out, p->skin_count);
	for (uint32_t i = 0; i < p->skin_count; i++) {
		const struct snw_proposed_skin *skin = &p->skins[i];
		const uint32_t point_count = scene->meshes[skin->mesh].point_count;
		snw_put_number(out, skin->mesh);
		snw_put_array(out, skin->influence_offsets, (size_t)point_count + 1, sizeof(uint32_t));
		snw_put_array(out, skin->influence_slots, skin->influence_offsets[point_count], sizeof(uint32_t));
		snw_put_array(out, skin->influence_weights, skin->influence_offsets[point_count], sizeof(double));
	}
}

static void put_pose(snw_stream *out, const snw_pose *pose, uint32_t joint_count, uint32_t channel_count) {
	snw_put_text(out, pose->name);
	snw_put_number(out, (uint64_t)pose->clip);
	snw_put_real(out, pose->seconds);
	snw_put_array(out, (const double *)pose->local, (size_t)TRANSFORM_DOUBLES * joint_count, sizeof(double));
	snw_put_array(out, pose->rotation_vectors, (size_t)3 * joint_count, sizeof(double));
	snw_put_array(out, pose->channels, channel_count, sizeof(double));
}

static void put_poses(snw_stream *out, const snw_scene *scene, const snw_proposals *p) {
	const uint32_t joint_count = pose_joint_count(scene, p);
	snw_put_number(out, p->pose_count);
	for (uint32_t i = 0; i < p->pose_count; i++) {
		put_pose(out, &p->poses[i], joint_count, scene->channel_count);
	}
	snw_put_number(out, p->track_count);
	for (uint32_t i = 0; i < p->track_count; i++) {
		const struct snw_proposed_track *track = &p->tracks[i];
		snw_put_text(out, track->name);
		snw_put_number(out, track->frame_count);
		snw_put_array(out, track->seconds, track->frame_count, sizeof(double));
		for (uint32_t f = 0; f < track->frame_count; f++) {
			put_pose(out, &track->poses[f], joint_count, scene->channel_count);
		}
	}
}

static void put_targets(snw_stream *out, const snw_scene *scene, const snw_proposals *p) {
	snw_put_number(out, p->target_count);
	for (uint32_t i = 0; i < p->target_count; i++) {
		const struct snw_proposed_target *target = &p->targets[i];
		const uint32_t point_count = scene->meshes[target->mesh].point_count;
		snw_put_text(out, target->name);
		snw_put_number(out, target->mesh);
		snw_put_number(out, target->clip);
		snw_put_number(out, target->track);
		snw_put_number(out, target->frame_count);
		snw_put_array(out, target->seconds, target->frame_count, sizeof(double));
		snw_put_array(out, target->points_posed, (size_t)3 * target->frame_count * point_count, sizeof(float));
	}
}

/* The layers that the stacks of this process were built without. */
static void put_left_out(snw_stream *out) {
	const uint32_t count = snw_left_out_count();
	snw_put_number(out, count);
	for (uint32_t i = 0; i < count; i++) {
		const snw_left_out left_out = snw_left_out_at(i);
		snw_put_text(out, left_out.layer);
		snw_put_text(out, left_out.plugin);
		snw_put_text(out, left_out.why);
	}
}

snw_status snw_outcome_write(int file, const snw_scene *scene, const snw_fit_outcome *outcome, snw_error *error) {
	snw_stream stream = snw_stream_file_begin(file), *out = &stream;
	if (stream.is_broken) {
		return snw_stream_file_end(out, "the result of the fit", error);
	}
	snw_put_number(out, SNW_MESSAGE_VERSION);
	put_model_and_layer(out, outcome);
	snw_put_number(out, (uint32_t)outcome->status);
	snw_put_text(out, outcome->caveat);
	snw_put_real(out, outcome->seconds);
	put_fields(out, &outcome->proposals);
	put_skeleton(out, &outcome->proposals);
	put_skins(out, scene, &outcome->proposals);
	put_poses(out, scene, &outcome->proposals);
	put_targets(out, scene, &outcome->proposals);
	put_left_out(out);
	return snw_stream_file_end(out, "the result of the fit", error);
}

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

/* Reads an outcome. `bad` is set once a value is out of range; the stream is broken once bytes are missing. */
typedef struct source {
	snw_stream in;
	snw_arena *arena;
	const snw_scene *scene;
	bool bad;
} source;

static void expect(source *s, bool condition) {
	s->bad = s->bad || !condition;
}

static bool is_sound(const source *s) {
	return !s->bad && !s->in.is_broken;
}

static char *get_name(source *s) {
	char *name = snw_get_text(&s->in, s->arena);
	expect(s, name && name[0]);
	return name;
}

static double get_number(source *s) {
	const double value = snw_get_real(&s->in);
	expect(s, isfinite(value));
	return value;
}

static double *get_numbers(source *s, size_t count) {
	double *values = snw_get_elements(&s->in, count, sizeof(double), s->arena);
	for (size_t i = 0; values && i < count; i++) {
		expect(s, isfinite(values[i]));
	}
	return values;
}

static uint32_t *get_indices(source *s, size_t count, uint32_t bound) {
	uint32_t *values = snw_get_elements(&s->in, count, sizeof(uint32_t), s->arena);
	for (size_t i = 0; values && i < count; i++) {
		expect(s, values[i] < bound);
	}
	return values;
}

static void get_model_and_layer(source *s, snw_fit_outcome *outcome) {
	snw_saved_model *model = &outcome->model;
	model->name = get_name(s);
	model->deformer = get_name(s);
	model->deformer_version = get_name(s);
	uint64_t byte_count = 0;
	model->bytes = snw_get_counted(&s->in, 1, s->arena, &byte_count);
	model->byte_count = (size_t)byte_count;
	uint64_t *reads = SNW_NEW_ARRAY(s->arena, uint64_t, SNW_READ_KINDS);
	for (uint32_t i = 0; i < SNW_READ_KINDS; i++) {
		reads[i] = snw_get_number(&s->in);
	}
	model->reads = reads;
	snw_layer *layer = &outcome->layer;
	layer->name = get_name(s);
	layer->deformer = get_name(s);
	layer->deformer_version = get_name(s);
	layer->muted = snw_get_u32(&s->in) != 0;
	layer->model = SNW_NONE;
	expect(s, snw_get_settings(&s->in, s->arena, &layer->settings, &layer->setting_count));
	for (uint32_t i = 0; i < layer->setting_count; i++) {
		for (int n = 0; n < 4; n++) {
			expect(s, isfinite(layer->settings[i].value.numbers[n]));
		}
	}
	layer->samples = snw_get_text(&s->in, s->arena);
	outcome->replaces = snw_get_text(&s->in, s->arena);
	outcome->proposes_only = snw_get_u32(&s->in) != 0;
}

/* The element count that the scene requires of a field over points or faces; the field's count for the other domains. */
static uint32_t domain_count(const source *s, const snw_field *field) {
	switch (field->domain) {
	case SNW_DOMAIN_POINTS:
		return s->scene->meshes[field->mesh].point_count;
	case SNW_DOMAIN_FACES:
		return s->scene->meshes[field->mesh].face_count;
	default:
		return field->count;
	}
}

static void get_fields(source *s, snw_proposals *p) {
	p->field_count = snw_get_count(&s->in);
	p->fields = SNW_NEW_ARRAY(s->arena, snw_field, p->field_count);
	for (uint32_t i = 0; i < p->field_count && is_sound(s); i++) {
		snw_field *field = &p->fields[i];
		field->name = get_name(s);
		const uint32_t domain = snw_get_u32(&s->in);
		field->domain = (int32_t)domain;
		field->mesh = snw_get_u32(&s->in);
		field->components = snw_get_u32(&s->in);
		field->count = snw_get_u32(&s->in);
		const bool over_mesh = domain == SNW_DOMAIN_POINTS || domain == SNW_DOMAIN_FACES;
		expect(s, domain <= SNW_DOMAIN_FRAMES);
		expect(s, field->mesh < s->scene->mesh_count || (!over_mesh && field->mesh == SNW_NONE));
		expect(s, is_sound(s) && field->count == domain_count(s, field));
		field->values = get_numbers(s, (size_t)field->components * field->count);
		field->unit = snw_get_text(&s->in, s->arena);
		expect(s, field->unit);
	}
}

static snw_status get_skeleton(source *s, snw_proposals *p, snw_error *error) {
	p->has_skeleton = snw_get_u32(&s->in) != 0;
	if (!p->has_skeleton) {
		return SNW_OK;
	}
	snw_skeleton *skeleton = &p->skeleton;
	skeleton->joint_count = snw_get_count(&s->in);
	skeleton->names = SNW_NEW_ARRAY(s->arena, const char *, skeleton->joint_count);
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		skeleton->names[j] = get_name(s);
	}
	skeleton->parents = snw_get_elements(&s->in, skeleton->joint_count, sizeof(uint32_t), s->arena);
	skeleton->rest_local = (snw_transform *)get_numbers(s, (size_t)TRANSFORM_DOUBLES * skeleton->joint_count);
	p->slot_count = snw_get_u32(&s->in);
	p->slot_joints = get_indices(s, p->slot_count, skeleton->joint_count);
	p->slot_inverse_binds = get_numbers(s, (size_t)12 * p->slot_count);
	return is_sound(s) ? snw_skeleton_finish(skeleton, s->arena, error) : SNW_OK;
}

static void get_skins(source *s, uint32_t slot_count, snw_proposals *p) {
	p->skin_count = snw_get_count(&s->in);
	p->skins = SNW_NEW_ARRAY(s->arena, struct snw_proposed_skin, p->skin_count);
	for (uint32_t i = 0; i < p->skin_count && is_sound(s); i++) {
		struct snw_proposed_skin *skin = &p->skins[i];
		skin->mesh = snw_get_u32(&s->in);
		if (skin->mesh >= s->scene->mesh_count) {
			s->bad = true;
			return;
		}
		const uint32_t point_count = s->scene->meshes[skin->mesh].point_count;
		skin->influence_offsets = snw_get_elements(&s->in, (size_t)point_count + 1, sizeof(uint32_t), s->arena);
		if (!skin->influence_offsets) {
			return;
		}
		expect(s, skin->influence_offsets[0] == 0);
		for (uint32_t k = 0; k < point_count; k++) {
			expect(s, skin->influence_offsets[k] <= skin->influence_offsets[k + 1]);
		}
		skin->influence_slots = get_indices(s, skin->influence_offsets[point_count], slot_count);
		skin->influence_weights = get_numbers(s, skin->influence_offsets[point_count]);
	}
}

static void get_pose(source *s, uint32_t joint_count, snw_pose *pose) {
	pose->name = snw_get_text(&s->in, s->arena);
	pose->clip = (int64_t)snw_get_number(&s->in);
	pose->seconds = get_number(s);
	pose->local = (snw_transform *)get_numbers(s, (size_t)TRANSFORM_DOUBLES * joint_count);
	pose->rotation_vectors = get_numbers(s, (size_t)3 * joint_count);
	pose->channels = get_numbers(s, s->scene->channel_count);
}

static void get_poses(source *s, snw_proposals *p) {
	const uint32_t joint_count = pose_joint_count(s->scene, p);
	p->pose_count = snw_get_count(&s->in);
	p->poses = SNW_NEW_ARRAY(s->arena, snw_pose, p->pose_count);
	for (uint32_t i = 0; i < p->pose_count && is_sound(s); i++) {
		get_pose(s, joint_count, &p->poses[i]);
		expect(s, p->poses[i].name && p->poses[i].name[0]);
	}
	p->track_count = snw_get_count(&s->in);
	p->tracks = SNW_NEW_ARRAY(s->arena, struct snw_proposed_track, p->track_count);
	for (uint32_t i = 0; i < p->track_count && is_sound(s); i++) {
		struct snw_proposed_track *track = &p->tracks[i];
		track->name = get_name(s);
		track->frame_count = snw_get_count(&s->in);
		expect(s, track->frame_count > 0);
		track->seconds = get_numbers(s, track->frame_count);
		track->poses = SNW_NEW_ARRAY(s->arena, snw_pose, track->frame_count);
		for (uint32_t f = 0; f < track->frame_count && is_sound(s); f++) {
			get_pose(s, joint_count, &track->poses[f]);
			expect(s, f == 0 || track->seconds[f] > track->seconds[f - 1]);
		}
	}
}

static void get_target(source *s, uint32_t track_count, struct snw_proposed_target *target) {
	target->name = get_name(s);
	target->mesh = snw_get_u32(&s->in);
	target->clip = snw_get_u32(&s->in);
	target->track = snw_get_u32(&s->in);
	target->frame_count = snw_get_u32(&s->in);
	target->seconds = get_numbers(s, target->frame_count);
	expect(s, target->mesh < s->scene->mesh_count);
	expect(s, target->track == SNW_NONE ? target->clip < s->scene->clip_count : target->track < track_count);
	if (is_sound(s)) {
		const size_t numbers = (size_t)3 * target->frame_count * s->scene->meshes[target->mesh].point_count;
		target->points_posed = snw_get_elements(&s->in, numbers, sizeof(float), s->arena);
	}
	if (is_sound(s)) {
		const snw_target checked = {.name = target->name,
									.frame_count = target->frame_count,
									.seconds = target->seconds,
									.points_posed = target->points_posed};
		expect(s, !snw_failed(snw_target_check(&checked, s->scene->meshes[target->mesh].point_count, NULL)));
	}
}

static void get_targets(source *s, snw_proposals *p) {
	p->target_count = snw_get_count(&s->in);
	p->targets = SNW_NEW_ARRAY(s->arena, struct snw_proposed_target, p->target_count);
	for (uint32_t i = 0; i < p->target_count && is_sound(s); i++) {
		get_target(s, p->track_count, &p->targets[i]);
	}
}

static void get_left_out(source *s) {
	const uint32_t count = snw_get_count(&s->in);
	for (uint32_t i = 0; i < count && is_sound(s); i++) {
		const char *layer = snw_get_text(&s->in, s->arena), *plugin = snw_get_text(&s->in, s->arena),
				   *why = snw_get_text(&s->in, s->arena);
		expect(s, layer && plugin && why);
		if (is_sound(s)) {
			snw_left_out_add(layer, plugin, why);
		}
	}
}

static snw_status read_outcome(source *s, snw_fit_outcome *outcome, snw_error *error) {
	expect(s, snw_get_u32(&s->in) == SNW_MESSAGE_VERSION);
	get_model_and_layer(s, outcome);
	outcome->status = (snw_status)snw_get_u32(&s->in);
	outcome->caveat = snw_get_text(&s->in, s->arena);
	outcome->seconds = get_number(s);
	expect(s, !snw_failed(outcome->status));
	get_fields(s, &outcome->proposals);
	const snw_status status = is_sound(s) ? get_skeleton(s, &outcome->proposals, error) : SNW_OK;
	if (snw_failed(status)) {
		return status;
	}
	if (is_sound(s)) {
		const uint32_t completed = s->scene->slot_count + (outcome->proposes_only ? snw_scene_missing_slots(s->scene) : 0);
		get_skins(s, outcome->proposals.has_skeleton ? outcome->proposals.slot_count : completed, &outcome->proposals);
	}
	if (is_sound(s)) {
		get_poses(s, &outcome->proposals);
	}
	if (is_sound(s)) {
		get_targets(s, &outcome->proposals);
	}
	if (is_sound(s)) {
		get_left_out(s);
	}
	return is_sound(s) && s->in.at == s->in.end
			   ? SNW_OK
			   : snw_fail(
					 error, SNW_ERROR_DATA,
					 "the result of the fit is damaged: the plug-in wrote to memory that it does not own; tell its author");
}

snw_status snw_outcome_read(int file, const snw_scene *scene, snw_fit_outcome *outcome, snw_error *error) {
	snw_stream_contents contents;
	if (!snw_stream_contents_open(file, &contents)) {
		return snw_fail(error, SNW_ERROR_IO, "the result of the fit cannot be read; free some memory and fit again");
	}
	source s = {.in = contents.in, .arena = outcome->arena, .scene = scene};
	snw_fit_outcome read = {.arena = outcome->arena, .proposals.arena = outcome->arena};
	const snw_status status = read_outcome(&s, &read, error);
	if (!snw_failed(status)) {
		*outcome = read;
	}
	snw_stream_contents_close(&contents);
	return status;
}
