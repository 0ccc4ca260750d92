/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/stale.h"

#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "file/file.h"
#include "fit/samples.h"
#include "parameter/parameters.h"
#include "plugin/registry.h"
#include "pose/clip.h"
#include "scene/scene.h"

/* ---- the method and its settings ----------------------------------------------------------------------------------------- */

/* A file counts by its name and content, not by its folder. */
static void hash_file(snw_hash *hash, const snw_scene *scene, const char *text) {
	snw_arena *scratch = snw_arena_create();
	const char *path = snw_path_absolute(scratch, scene->folder, text);
	FILE *stream = snw_failed(snw_file_check_readable(path, NULL)) ? NULL : fopen(path, "rb");
	unsigned char piece[1 << 14];
	size_t count;
	snw_hash_text(hash, snw_path_name(path));
	while (stream && (count = fread(piece, 1, sizeof piece, stream)) > 0) {
		snw_hash_bytes(hash, piece, count);
	}
	if (stream) {
		fclose(stream);
	}
	snw_arena_destroy(scratch);
}

/* A single number is hashed as it was when settings had no more, so that models of then stay current. NULL parameter: of a
 * method that is not there. */
static void hash_value(snw_hash *hash, const snw_scene *scene, const snw_parameter *parameter, const snw_value *value) {
	const char *text = value->text ? value->text : "";
	if (parameter && parameter->kind == SNW_PARAMETER_FILE && *text) {
		hash_file(hash, scene, text);
	} else if (parameter ? snw_parameter_has_text(parameter) : value->text != NULL) {
		snw_hash_text(hash, text);
	} else {
		const bool is_one = value->numbers[1] == 0 && value->numbers[2] == 0;
		snw_hash_f64s(hash, value->numbers, is_one ? 1 : 3);
	}
}

static uint64_t hash_method(const snw_scene *scene, const snw_deformer *deformer, const snw_layer *layer) {
	const snw_descriptor *descriptor = deformer->descriptor;
	snw_hash hash = {0};
	snw_hash_text(&hash, descriptor->version);
	for (uint32_t i = 0; i < descriptor->parameter_count; i++) {
		const snw_parameter *parameter = descriptor->parameters[i];
		const snw_value *value = &parameter->initial;
		for (uint32_t s = 0; s < layer->setting_count; s++) {
			value = strcmp(layer->settings[s].key, parameter->key) == 0 ? &layer->settings[s].value : value;
		}
		if (parameter->stage == SNW_STAGE_FIT) {
			snw_hash_text(&hash, parameter->key);
			hash_value(&hash, scene, parameter, value);
		}
	}
	if (layer->samples) { /* so that models fitted before selections existed stay current */
		snw_hash_text(&hash, layer->samples);
	}
	/* Only fits read the settings of single groups and joints. */
	for (uint32_t s = 0; s < layer->setting_count; s++) {
		if (strchr(layer->settings[s].key, '@')) {
			const uint32_t index = snw_parameter_of_key(descriptor, layer->settings[s].key, NULL);
			snw_hash_text(&hash, layer->settings[s].key);
			hash_value(&hash, scene, index == SNW_NONE ? NULL : descriptor->parameters[index], &layer->settings[s].value);
		}
	}
	return snw_hash_value(&hash);
}

/* ---- the character ------------------------------------------------------------------------------------------------------- */

/* Whether a setting says the field. */
static bool names_field(const snw_descriptor *descriptor, const snw_layer *layer, const snw_field *field) {
	bool names = false;
	for (uint32_t s = 0; s < layer->setting_count; s++) {
		const uint32_t index = snw_parameter_of_key(descriptor, layer->settings[s].key, NULL);
		const snw_parameter *parameter = index == SNW_NONE ? NULL : descriptor->parameters[index];
		names = names || (parameter && parameter->kind == SNW_PARAMETER_FIELD && layer->settings[s].value.text &&
						  strcmp(layer->settings[s].value.text, field->name) == 0);
	}
	return names;
}

static bool reads_field(const snw_descriptor *descriptor, const snw_layer *layer, const snw_field *field) {
	if (names_field(descriptor, layer, field)) {
		return true;
	}
	for (uint32_t i = 0; i < descriptor->field_count; i++) {
		if (!descriptor->fields[i]->written && strcmp(descriptor->fields[i]->name, field->name) == 0) {
			return true;
		}
	}
	return false;
}

static void hash_field(snw_hash *hash, const snw_field *field) {
	snw_hash_text(hash, field->name);
	snw_hash_u64(hash, (uint64_t)field->domain);
	snw_hash_u64(hash, field->mesh);
	snw_hash_u64(hash, field->components);
	snw_hash_f64s(hash, field->values, (size_t)field->count * field->components);
}

static void hash_shapes(snw_hash *hash, const snw_scene *scene, bool with_uvs) {
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		const snw_mesh *mesh = &scene->meshes[i];
		snw_hash_text(hash, mesh->name);
		snw_hash_f64s(hash, mesh->points_rest, 3 * (size_t)mesh->point_count);
		snw_hash_u32s(hash, mesh->face_offsets, (size_t)mesh->face_count + 1);
		const size_t corners = mesh->face_offsets[mesh->face_count];
		snw_hash_u32s(hash, mesh->face_points, corners);
		if (mesh->corner_uvs && with_uvs) {
			snw_hash_bytes(hash, mesh->corner_uvs, 2 * corners * sizeof *mesh->corner_uvs);
		}
		if (mesh->corner_normals) {
			snw_hash_bytes(hash, mesh->corner_normals, 3 * corners * sizeof *mesh->corner_normals);
		}
	}
}

static uint64_t hash_meshes(const snw_scene *scene, const snw_descriptor *descriptor, const snw_layer *layer) {
	snw_hash hash = {0};
	hash_shapes(&hash, scene, descriptor->traits & SNW_READS_UVS);
	for (uint32_t i = 0; i < scene->field_count; i++) {
		if (reads_field(descriptor, layer, &scene->fields[i])) {
			hash_field(&hash, &scene->fields[i]);
		}
	}
	return snw_hash_value(&hash);
}

static uint64_t hash_skins(const snw_scene *scene) {
	snw_hash hash = {0};
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		const snw_mesh *mesh = &scene->meshes[i];
		const size_t count = mesh->influence_offsets ? mesh->influence_offsets[mesh->point_count] : 0;
		snw_hash_u32s(&hash, mesh->influence_offsets, (size_t)mesh->point_count + 1);
		snw_hash_u32s(&hash, mesh->influence_slots, count);
		snw_hash_f64s(&hash, mesh->influence_weights, count);
	}
	return snw_hash_value(&hash);
}

static uint64_t hash_skeleton(const snw_scene *scene) {
	const snw_skeleton *skeleton = &scene->skeleton;
	snw_hash hash = {0};
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		snw_hash_text(&hash, skeleton->names[j]);
	}
	snw_hash_u32s(&hash, skeleton->parents, skeleton->joint_count);
	snw_hash_bytes(&hash, skeleton->rest_local, skeleton->joint_count * sizeof *skeleton->rest_local);
	snw_hash_u32s(&hash, scene->slot_joints, scene->slot_count);
	snw_hash_f64s(&hash, scene->slot_inverse_binds, 12 * (size_t)scene->slot_count);
	for (uint32_t c = 0; c < scene->channel_count; c++) {
		snw_hash_text(&hash, scene->channels[c].name);
	}
	return snw_hash_value(&hash);
}

/* ---- examples and frames ------------------------------------------------------------------------------------------------- */

static void hash_pose(snw_hash *hash, const snw_scene *scene, const snw_pose *pose) {
	const uint32_t joints = scene->skeleton.joint_count;
	snw_hash_bytes(hash, pose->local, joints * sizeof *pose->local);
	snw_hash_f64s(hash, pose->rotation_vectors, 3 * (size_t)joints);
	snw_hash_f64s(hash, pose->channels, scene->channel_count);
}

/* Points that were not edited follow the layers below, which are hashed separately. */
static void hash_sculpt(snw_hash *hash, const snw_scene *scene, const snw_example *example) {
	snw_hash_u32s(hash, example->edited, example->edited_count);
	if (!example->edited) {
		snw_hash_f64s(hash, example->points_posed, 3 * (size_t)scene->meshes[example->mesh].point_count);
	}
	for (uint32_t i = 0; i < example->edited_count; i++) {
		snw_hash_f64s(hash, example->points_posed + 3 * (size_t)example->edited[i], 3);
	}
}

static uint64_t hash_examples(const snw_scene *scene) {
	snw_hash hash = {0};
	for (uint32_t i = 0; i < scene->example_count; i++) {
		const snw_example *example = &scene->examples[i];
		if (example->muted) {
			continue;
		}
		snw_hash_text(&hash, example->name);
		snw_hash_u64(&hash, example->mesh);
		hash_pose(&hash, scene, &scene->poses[example->pose]);
		hash_sculpt(&hash, scene, example);
	}
	return snw_hash_value(&hash);
}

static uint64_t hash_groups(const snw_scene *scene) {
	snw_hash hash = {0};
	for (uint32_t g = 0; g < scene->group_count; g++) {
		const snw_group *group = &scene->groups[g];
		snw_hash_text(&hash, group->name);
		snw_hash_u32s(&hash, group->joints, group->joint_count);
		snw_hash_u64(&hash, group->member_count);
		for (uint32_t m = 0; m < group->member_count; m++) {
			const bool muted = scene->examples[group->members[m].example].muted;
			snw_hash_u64(&hash, muted ? SNW_NONE : group->members[m].example);
			if (group->members[m].mask != SNW_NONE) {
				hash_field(&hash, &scene->fields[group->members[m].mask]);
			}
		}
	}
	return snw_hash_value(&hash);
}

static void hash_clip(snw_hash *hash, const snw_clip *clip) {
	static const size_t widths[] = {3, 4, 3, 1};
	for (uint32_t i = 0; i < clip->track_count; i++) {
		const snw_track *track = &clip->tracks[i];
		const size_t width = widths[track->path] * (track->interpolation == SNW_CUBIC ? 3 : 1);
		snw_hash_u64(hash, track->target);
		snw_hash_u64(hash, (uint64_t)track->path << 8 | (uint64_t)track->interpolation);
		snw_hash_f64s(hash, track->seconds, track->key_count);
		snw_hash_f64s(hash, track->values, width * track->key_count);
	}
}

/* What a bake has posed. */
static uint64_t hash_posed(const snw_scene *scene, const char *samples) {
	snw_hash hash = {0};
	uint32_t known = 0;
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		if (snw_samples_have_clip(samples, scene->clips[c].name)) {
			hash_clip(&hash, &scene->clips[c]);
			known++;
		}
	}
	for (uint32_t p = 0; p < scene->pose_count && *samples == '\t'; p++) {
		hash_pose(&hash, scene, &scene->poses[p]);
	}
	snw_hash_u64(&hash, known);
	return snw_hash_value(&hash);
}

static uint64_t hash_frames(const snw_scene *scene, uint32_t needs, const char *samples) {
	snw_hash hash = {0};
	if (snw_samples_are_poses(samples)) {
		return hash_posed(scene, samples);
	}
	for (uint32_t i = 0; i < scene->target_count; i++) {
		const snw_target *target = &scene->targets[i];
		const uint32_t wants = target->clip == SNW_NONE ? SNW_NEEDS_SEQUENCE : SNW_NEEDS_TARGETS;
		if (!(needs & (wants | SNW_NEEDS_SAMPLES | SNW_NEEDS_FRAMES)) || !snw_samples_have_target(scene, samples, target)) {
			continue;
		}
		snw_hash_text(&hash, target->name);
		snw_hash_u64(&hash, target->mesh | (uint64_t)target->is_set << 32);
		snw_hash_u64(&hash, target->points_posed ? snw_frames_hash(target, scene->meshes[target->mesh].point_count)
												 : target->frames_hash);
		const uint32_t clip = snw_target_clip(scene, target);
		if (clip != SNW_NONE) {
			hash_clip(&hash, &scene->clips[clip]);
		}
	}
	return snw_hash_value(&hash);
}

/* ---- the layers below ---------------------------------------------------------------------------------------------------- */

static void hash_layer(snw_hash *hash, const snw_scene *scene, const snw_registry *registry, const snw_layer *layer) {
	const snw_deformer *deformer = snw_registry_find(registry, layer->deformer);
	snw_hash_text(hash, layer->deformer);
	snw_hash_text(hash, deformer ? deformer->descriptor->version : NULL);
	snw_hash_u64(hash, layer->setting_count);
	for (uint32_t s = 0; s < layer->setting_count; s++) {
		const uint32_t index = deformer ? snw_parameter_of_key(deformer->descriptor, layer->settings[s].key, NULL) : SNW_NONE;
		snw_hash_text(hash, layer->settings[s].key);
		hash_value(hash, scene, index == SNW_NONE ? NULL : deformer->descriptor->parameters[index], &layer->settings[s].value);
	}
	for (uint32_t f = 0; deformer && f < scene->field_count; f++) {
		if (names_field(deformer->descriptor, layer, &scene->fields[f])) {
			hash_field(hash, &scene->fields[f]);
		}
	}
	if (layer->model != SNW_NONE) {
		const snw_saved_model *model = &scene->models[layer->model];
		snw_hash_bytes(hash, model->bytes, model->byte_count);
	}
}

/* Morphs are the implicit lowest layer. `with_muted`: for a method that takes the base blend's place, which that blend lies
 * below whether it is muted or not. */
static uint64_t hash_below(const snw_scene *scene, const snw_registry *registry, uint32_t below_layer, bool with_muted) {
	snw_hash hash = {0};
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		for (uint32_t m = 0; m < scene->meshes[i].morph_count; m++) {
			const snw_morph *morph = &scene->meshes[i].morphs[m];
			snw_hash_u64(&hash, morph->channel);
			snw_hash_u32s(&hash, morph->points, morph->count);
			snw_hash_f64s(&hash, morph->vectors, 3 * (size_t)morph->count);
		}
	}
	for (uint32_t i = 0; i < below_layer && i < scene->layer_count; i++) {
		const snw_deformer *deformer = snw_registry_find(registry, scene->layers[i].deformer);
		if ((with_muted || !scene->layers[i].muted) && (!deformer || snw_layer_is_active(scene, deformer->descriptor))) {
			hash_layer(&hash, scene, registry, &scene->layers[i]);
		}
	}
	return snw_hash_value(&hash);
}

/* The fields of that name, one a mesh. */
static void hash_protected(snw_hash *hash, const snw_scene *scene, const char *samples) {
	snw_arena *scratch = snw_arena_create();
	const char *name = snw_samples_note(samples, "protect", 0, scratch);
	for (uint32_t f = 0; name && f < scene->field_count; f++) {
		if (strcmp(scene->fields[f].name, name) == 0) {
			hash_field(hash, &scene->fields[f]);
		}
	}
	snw_arena_destroy(scratch);
}

uint64_t snw_played_hash(const snw_scene *scene, const snw_registry *registry, const char *samples) {
	snw_hash hash = {0};
	snw_hash_u64(&hash, hash_posed(scene, samples));
	snw_hash_u64(&hash, scene->skeleton.joint_count == 0 ? hash_frames(scene, SNW_NEEDS_SEQUENCE, NULL) : 0);
	hash_protected(&hash, scene, samples);
	hash_shapes(&hash, scene, true);
	snw_hash_u64(&hash, hash_skins(scene));
	snw_hash_u64(&hash, hash_skeleton(scene));
	snw_hash_u64(&hash, hash_below(scene, registry, scene->layer_count, false));
	return snw_hash_value(&hash);
}

/* ---- all kinds ----------------------------------------------------------------------------------------------------------- */

void snw_fit_reads(const snw_scene *scene, const snw_registry *registry, const snw_deformer *deformer, const snw_layer *layer,
				   uint32_t below_layer, bool reads_below, uint64_t reads[SNW_READ_KINDS]) {
	const uint32_t samples = snw_proposes_only(deformer->descriptor) ? SNW_NEEDS_SAMPLES : 0; /* those that there are */
	const uint32_t needs = deformer->descriptor->needs | samples;
	const bool examples = snw_samples_include_examples(needs, layer->samples);
	const bool frames = needs & (SNW_NEEDS_SEQUENCE | SNW_NEEDS_TARGETS | SNW_NEEDS_SAMPLES | SNW_NEEDS_FRAMES);
	reads[SNW_READ_METHOD] = hash_method(scene, deformer, layer);
	reads[SNW_READ_MESHES] = hash_meshes(scene, deformer->descriptor, layer);
	reads[SNW_READ_SKINS] = hash_skins(scene);
	reads[SNW_READ_SKELETON] = hash_skeleton(scene);
	reads[SNW_READ_EXAMPLES] = examples ? hash_examples(scene) : 0;
	reads[SNW_READ_GROUPS] = examples ? hash_groups(scene) : 0;
	reads[SNW_READ_FRAMES] = frames ? hash_frames(scene, needs, layer->samples) : 0;
	reads[SNW_READ_BELOW] =
		reads_below ? hash_below(scene, registry, below_layer, deformer->descriptor->traits & SNW_REPLACES_BLEND) : 0;
}

static uint32_t changed_kinds(const uint64_t stored[SNW_READ_KINDS], const uint64_t current[SNW_READ_KINDS]) {
	uint32_t changed = 0;
	for (uint32_t k = 0; k < SNW_READ_KINDS; k++) {
		changed |= stored[k] != 0 && stored[k] != current[k] ? (uint32_t)1 << k : 0;
	}
	return changed;
}

uint32_t snw_proposals_stale(const snw_scene *scene, const snw_registry *registry, const snw_layer *layer,
							 const uint64_t reads[SNW_READ_KINDS]) {
	const snw_deformer *deformer = snw_registry_find(registry, layer->deformer);
	if (!deformer) {
		return 0;
	}
	uint64_t current[SNW_READ_KINDS];
	snw_fit_reads(scene, registry, deformer, layer, scene->layer_count, true, current);
	return changed_kinds(reads, current);
}

static uint32_t find_stale(const snw_scene *scene, const snw_registry *registry, uint32_t index) {
	const snw_layer *layer = &scene->layers[index];
	const snw_deformer *deformer = snw_registry_find(registry, layer->deformer);
	if (!deformer || layer->model == SNW_NONE || !snw_layer_is_active(scene, deformer->descriptor)) {
		return 0;
	}
	const uint64_t *stored = scene->models[layer->model].reads;
	if (!stored) {
		return SNW_STALE_UNKNOWN;
	}
	uint64_t current[SNW_READ_KINDS];
	snw_fit_reads(scene, registry, deformer, layer, index, stored[SNW_READ_BELOW] != 0, current);
	return changed_kinds(stored, current);
}

/* Below a bake, layers that it muted still count as layers below. */
uint32_t snw_layer_stale(const snw_scene *scene, const snw_registry *registry, uint32_t index) {
	snw_arena *scratch = snw_arena_create();
	snw_scene below;
	snw_scene_below_bake(scene, scratch, &below);
	const uint32_t stale = find_stale(index < below.layer_count ? &below : scene, registry, index);
	snw_arena_destroy(scratch);
	return stale;
}

const char *snw_stale_words(uint32_t stale, snw_arena *arena) {
	static const char *const words[SNW_READ_KINDS] = {
		[SNW_READ_METHOD] = "its parameters",
		[SNW_READ_MESHES] = "the mesh",
		[SNW_READ_SKINS] = "the weights",
		[SNW_READ_SKELETON] = "the skeleton",
		[SNW_READ_EXAMPLES] = "the examples",
		[SNW_READ_GROUPS] = "the groups",
		[SNW_READ_FRAMES] = "the clips, targets or sequences",
		[SNW_READ_BELOW] = "the layers below it",
	};
	if (stale & SNW_STALE_UNKNOWN) {
		return "its fit is from a version that recorded no inputs";
	}
	const char *text = "";
	uint32_t remaining = (uint32_t)__builtin_popcount(stale);
	for (uint32_t k = 0; k < SNW_READ_KINDS; k++) {
		if (stale & (uint32_t)1 << k) {
			const char *join = text[0] == 0 ? "" : remaining == 1 ? " and " : ", ";
			text = snw_arena_format(arena, "%s%s%s", text, join, words[k]);
			remaining--;
		}
	}
	return snw_arena_format(arena, "%s changed", text);
}

/* ---- baked layers -------------------------------------------------------------------------------------------------------- */

#define READ "read" /* the key of the id of a layer that the bake read */

bool snw_layer_is_baked(const snw_layer *layer) {
	return snw_samples_are_poses(layer->samples);
}

uint32_t snw_scene_first_baked(const snw_scene *scene) {
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		if (snw_layer_is_baked(&scene->layers[i])) {
			return i;
		}
	}
	return SNW_NONE;
}

static bool was_read(const snw_layer *baked, int64_t id, snw_arena *arena) {
	const char *read;
	for (uint32_t i = 0; (read = snw_samples_note(baked->samples, READ, i, arena)); i++) {
		if (strtoll(read, NULL, 10) == id) {
			return true;
		}
	}
	return false;
}

void snw_scene_below_bake(const snw_scene *scene, snw_arena *arena, snw_scene *below) {
	const uint32_t first = snw_scene_first_baked(scene);
	*below = *scene;
	if (first == SNW_NONE) {
		return;
	}
	const snw_layer *baked = &scene->layers[first];
	snw_layer *layers = SNW_NEW_ARRAY(arena, snw_layer, first);
	for (uint32_t i = 0; i < first; i++) {
		layers[i] = scene->layers[i];
		layers[i].muted = layers[i].muted && (baked->muted || !was_read(baked, layers[i].id, arena));
	}
	below->layers = layers;
	below->layer_count = first;
}

const snw_scene *snw_scene_of_layer(const snw_scene *scene, const char *layer, snw_arena *arena) {
	snw_scene *below = SNW_NEW(arena, snw_scene);
	snw_scene_below_bake(scene, arena, below);
	return layer && snw_scene_find_layer(below, layer) != SNW_NONE ? below : scene;
}

const char *snw_bake_record_write(const snw_scene *scene, uint32_t clip_count, const uint32_t *clips,
								  const snw_bake_record *record, snw_arena *arena) {
	const struct {
		const char *key, *value;
	} notes[] = {{"budget", record->budget},
				 {"for", record->engine},
				 {"method", record->method},
				 {"clips", record->names_clips ? "named" : NULL}};
	const char *samples = snw_samples_of_poses(scene, clip_count, clips, arena);
	for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
		if (notes[i].value) {
			samples = snw_samples_add_note(samples, notes[i].key, notes[i].value, arena);
		}
	}
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		if (!scene->layers[i].muted) {
			samples =
				snw_samples_add_note(samples, READ, snw_arena_format(arena, "%lld", (long long)scene->layers[i].id), arena);
		}
	}
	return samples;
}

snw_bake_record snw_bake_record_read(const snw_layer *layer, snw_arena *arena) {
	return (snw_bake_record){.budget = snw_samples_note(layer->samples, "budget", 0, arena),
							 .engine = snw_samples_note(layer->samples, "for", 0, arena),
							 .method = snw_samples_note(layer->samples, "method", 0, arena),
							 .names_clips = snw_samples_note(layer->samples, "clips", 0, arena)};
}
