/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The initial view, and how the view follows its document.
 */
#include "window/document/document.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lod/lod.h"
#include "pose/pose.h"
#include "stack/stack.h"

/* ---- view state ---------------------------------------------------------------------------------------------------------- */

void snw_view_state_say(snw_view_state *state, const char *format, ...) {
	va_list values;
	va_start(values, format);
	vsnprintf(state->message, sizeof state->message, format, values);
	va_end(values);
	state->alarmed = false;
}

void snw_view_state_warn(snw_view_state *state, const char *words) {
	snprintf(state->message, sizeof state->message, "%s", words);
	state->alarmed = true;
}

const char *snw_heat_name(const snw_document *document, uint32_t heat) {
	static const char *const names[SNW_HEAT_FIELDS] = {"none", "error", "influences", "sculpt", "level"};
	return heat < SNW_HEAT_FIELDS ? names[heat] : document->fields[heat - SNW_HEAT_FIELDS];
}

const char *snw_plot_name(const snw_document *document, uint32_t plot) {
	return plot < SNW_PLOT_FIELDS ? "largest error" : document->plots[plot - SNW_PLOT_FIELDS];
}

/* ---- following the document ---------------------------------------------------------------------------------------------- */

void snw_view_state_start(snw_view_state *state, const snw_document *document) {
	const bool has_rest = document->scene->skeleton.joint_count > 0 && document->scene->pose_count > 0;
	state->clip = document->scene->clip_count > 0 && !has_rest ? 0 : SNW_NONE;
	state->pose = 0;
	state->seconds = 0;
	state->playing = state->before = state->sculpting = state->drawing_joints = false;
	state->method = state->heat = state->plot = state->level = 0;
	state->mesh = state->joint = state->example = state->group = state->layer = SNW_NONE;
}

static snw_view_side used_side(const snw_view_state *state) {
	return (snw_view_side){state->camera, state->flags, state->lights, state->light_turn};
}

snw_view_side snw_view_state_side(const snw_view_state *state, uint32_t side) {
	return state->is_split && side != state->side ? state->other : used_side(state);
}

void snw_view_state_use_side(snw_view_state *state, uint32_t side) {
	if (!state->is_split || side == state->side) {
		return;
	}
	const snw_view_side used = used_side(state), next = state->other;
	state->camera = next.camera;
	state->flags = next.flags;
	state->lights = next.lights;
	state->light_turn = next.light_turn;
	state->other = used;
	state->side = side;
}

void snw_view_state_copy_side(snw_view_state *state) {
	state->other = used_side(state);
	snw_camera_orbit(&state->other.camera, M_PI / 2, 0);
}

static uint32_t find_name(const char *const *names, uint32_t count, const char *name) {
	for (uint32_t i = 0; i < count; i++) {
		if (strcmp(names[i], name) == 0) {
			return i;
		}
	}
	return SNW_NONE;
}

/* The index in `list` (of `count`) of the row with the id that `former` (of `former_count`) has at `at`. */
#define FOLLOW(kind)                                                                                                           \
	static uint32_t follow_##kind(const snw_scene *former, const snw_scene *next, uint32_t at) {                               \
		for (uint32_t i = 0; at < former->kind##_count && i < next->kind##_count; i++) {                                       \
			if (next->kind##s[i].id == former->kind##s[at].id) {                                                               \
				return i;                                                                                                      \
			}                                                                                                                  \
		}                                                                                                                      \
		return SNW_NONE;                                                                                                       \
	}
FOLLOW(clip)
FOLLOW(pose)
FOLLOW(example)
FOLLOW(group)
FOLLOW(layer)
#undef FOLLOW

static uint32_t follow_shown_mesh(const snw_scene *former, const snw_scene *next, uint32_t at) {
	for (uint32_t i = 0; at < former->mesh_count && i < next->mesh_count; i++) {
		if (next->meshes[i].id == former->meshes[at].id) {
			return i;
		}
	}
	return SNW_NONE;
}

static uint32_t follow_method(const snw_document *old, const snw_document *next, uint32_t at) {
	for (uint32_t i = 0; at > 0 && at < old->method_count && i < next->method_count; i++) {
		if (strcmp(next->methods[i].name, old->methods[at].name) == 0 && next->methods[i].stack) {
			return i;
		}
	}
	return 0;
}

static uint32_t follow_joint(const snw_skeleton *former, const snw_skeleton *next, uint32_t at) {
	return at < former->joint_count ? find_name(next->names, next->joint_count, former->names[at]) : SNW_NONE;
}

snw_choices snw_view_state_choices(const snw_view_state *state) {
	return (snw_choices){.at = {state->mesh, state->joint, state->example, state->group, state->layer},
						 .sculpt_layer = state->sculpt_layer};
}

void snw_view_state_choose(snw_view_state *state, const snw_choices *choices) {
	state->mesh = choices->at[SNW_CHOICE_MESH];
	state->joint = choices->at[SNW_CHOICE_JOINT];
	state->example = choices->at[SNW_CHOICE_EXAMPLE];
	state->group = choices->at[SNW_CHOICE_GROUP];
	state->layer = choices->at[SNW_CHOICE_LAYER];
	state->sculpt_layer = choices->sculpt_layer;
}

void snw_choices_follow(snw_choices *choices, const snw_document *old, const snw_document *next) {
	const snw_scene *former = old->scene, *scene = next->scene;
	uint32_t *at = choices->at;
	at[SNW_CHOICE_MESH] = follow_shown_mesh(former, scene, at[SNW_CHOICE_MESH]);
	at[SNW_CHOICE_JOINT] = follow_joint(&former->skeleton, &scene->skeleton, at[SNW_CHOICE_JOINT]);
	at[SNW_CHOICE_EXAMPLE] = follow_example(former, scene, at[SNW_CHOICE_EXAMPLE]);
	at[SNW_CHOICE_GROUP] = follow_group(former, scene, at[SNW_CHOICE_GROUP]);
	at[SNW_CHOICE_LAYER] = follow_layer(former, scene, at[SNW_CHOICE_LAYER]);
}

void snw_view_state_follow(snw_view_state *state, const snw_document *old, const snw_document *next) {
	const snw_scene *old_scene = old->scene, *scene = next->scene;
	const uint32_t clip = state->clip;
	state->clip = follow_clip(old_scene, scene, state->clip);
	if (clip != SNW_NONE && state->clip == SNW_NONE) {
		state->playing = false;
	}
	state->pose = follow_pose(old_scene, scene, state->pose);
	state->pose = state->pose == SNW_NONE ? 0 : state->pose;
	snw_choices choices = snw_view_state_choices(state);
	snw_choices_follow(&choices, old, next);
	snw_view_state_choose(state, &choices);
	state->method = follow_method(old, next, state->method);
	if (state->level == SNW_LEVEL_BY_SIZE ? scene->level_count == 0 : !snw_scene_has_level(scene, state->level)) {
		state->level = 0;
	}
	state->shape = old_scene->channel_count == scene->channel_count ? state->shape : 0;
	if (state->heat >= SNW_HEAT_FIELDS) {
		const uint32_t at = find_name(next->fields, next->field_count, old->fields[state->heat - SNW_HEAT_FIELDS]);
		state->heat = at == SNW_NONE ? SNW_HEAT_NONE : at + SNW_HEAT_FIELDS;
	}
	if (state->plot >= SNW_PLOT_FIELDS) {
		const uint32_t at = find_name(next->plots, next->plot_count, old->plots[state->plot - SNW_PLOT_FIELDS]);
		state->plot = at == SNW_NONE ? SNW_PLOT_ERROR : at + SNW_PLOT_FIELDS;
	}
}

/* ---- what differs -------------------------------------------------------------------------------------------------------- */

static bool same_bytes(const void *one, const void *other, size_t bytes) {
	return bytes == 0 || one == other || (one && other && memcmp(one, other, bytes) == 0);
}

static bool same_layers(const snw_example *a, const snw_example *b) {
	bool is_same = a->layer_count == b->layer_count;
	for (uint32_t i = 0; is_same && i < a->layer_count; i++) {
		const snw_sculpt_layer *one = &a->layers[i], *other = &b->layers[i];
		is_same = one->id == other->id && one->opacity == other->opacity && one->muted == other->muted &&
				  one->count == other->count && strcmp(one->name, other->name) == 0;
	}
	return is_same;
}

static bool same_example(const snw_scene *old, uint32_t a, const snw_scene *next, uint32_t b) {
	const snw_example *one = &old->examples[a], *other = &next->examples[b];
	const uint32_t points = old->meshes[one->mesh].point_count;
	return old->meshes[one->mesh].id == next->meshes[other->mesh].id && points == next->meshes[other->mesh].point_count &&
		   old->poses[one->pose].id == next->poses[other->pose].id && strcmp(one->name, other->name) == 0 &&
		   one->muted == other->muted && one->edited_count == other->edited_count && same_layers(one, other) &&
		   same_bytes(one->points_posed, other->points_posed, 3 * (size_t)points * sizeof(double));
}

static bool same_pose(const snw_scene *old, uint32_t a, const snw_scene *next, uint32_t b) {
	return strcmp(old->poses[a].name, next->poses[b].name) == 0 && snw_pose_is_same(next, &old->poses[a], &next->poses[b]);
}

static bool same_target(const snw_scene *old, uint32_t a, const snw_scene *next, uint32_t b) {
	const snw_target *one = &old->targets[a], *other = &next->targets[b];
	return strcmp(one->name, other->name) == 0 && one->frame_count == other->frame_count;
}

static bool same_clip(const snw_scene *old, uint32_t a, const snw_scene *next, uint32_t b) {
	const snw_clip *one = &old->clips[a], *other = &next->clips[b];
	return strcmp(one->name, other->name) == 0 && one->track_count == other->track_count &&
		   one->duration_seconds == other->duration_seconds;
}

static bool same_morphs(const snw_mesh *a, const snw_mesh *b) {
	bool is_same = a->morph_count == b->morph_count;
	for (uint32_t i = 0; is_same && i < a->morph_count; i++) {
		const size_t count = a->morphs[i].count;
		is_same =
			count == b->morphs[i].count && same_bytes(a->morphs[i].vectors, b->morphs[i].vectors, 3 * count * sizeof(double));
	}
	return is_same;
}

static bool same_mesh_place(const snw_scene *old, uint32_t a, const snw_scene *next, uint32_t b) {
	const snw_mesh *one = &old->meshes[a], *other = &next->meshes[b];
	const uint32_t *from = one->influence_offsets, *to = other->influence_offsets;
	const size_t points = one->point_count;
	if (points != other->point_count || !from != !to || !same_bytes(from, to, from ? (points + 1) * sizeof *from : 0)) {
		return false;
	}
	const size_t count = from ? from[points] : 0;
	return strcmp(one->name, other->name) == 0 &&
		   same_bytes(one->points_rest, other->points_rest, 3 * points * sizeof(double)) &&
		   same_bytes(one->influence_slots, other->influence_slots, count * sizeof *one->influence_slots) &&
		   same_bytes(one->influence_weights, other->influence_weights, count * sizeof(double)) && same_morphs(one, other);
}

static bool same_field(const snw_scene *old, uint32_t a, const snw_scene *next, uint32_t b) {
	const snw_field *one = &old->fields[a], *other = &next->fields[b];
	const size_t count = one->count * (size_t)one->components;
	return strcmp(one->name, other->name) == 0 && count == other->count * (size_t)other->components &&
		   same_bytes(one->values, other->values, count * sizeof(double));
}

/* ---- lists --------------------------------------------------------------------------------------------------------------- */

/* A list of a scene. Each row begins with its id. */
typedef struct scene_list {
	const void *rows;
	uint32_t count;
	size_t row_bytes;
	bool (*is_same)(const snw_scene *old, uint32_t a, const snw_scene *next, uint32_t b);
} scene_list;

enum { EXAMPLES, TARGETS, CLIPS, POSES, MESHES, FIELDS, LISTS };

static scene_list list_of(const snw_scene *scene, int kind) {
	const scene_list lists[LISTS] = {
		[EXAMPLES] = {scene->examples, scene->example_count, sizeof *scene->examples, same_example},
		[TARGETS] = {scene->targets, scene->target_count, sizeof *scene->targets, same_target},
		[CLIPS] = {scene->clips, scene->clip_count, sizeof *scene->clips, same_clip},
		[POSES] = {scene->poses, scene->pose_count, sizeof *scene->poses, same_pose},
		[MESHES] = {scene->meshes, scene->mesh_count, sizeof *scene->meshes, same_mesh_place},
		[FIELDS] = {scene->fields, scene->field_count, sizeof *scene->fields, same_field},
	};
	return lists[kind];
}

static int64_t id_of(const scene_list *list, uint32_t at) {
	int64_t id;
	memcpy(&id, (const char *)list->rows + at * list->row_bytes, sizeof id);
	return id;
}

static uint32_t find_id(const snw_scene *scene, int kind, int64_t id) {
	const scene_list list = list_of(scene, kind);
	for (uint32_t i = 0; i < list.count; i++) {
		if (id_of(&list, i) == id) {
			return i;
		}
	}
	return SNW_NONE;
}

/* A row that differs: of the later scene, or one of the earlier scene that the later one lacks. */
typedef struct changed_row {
	const snw_scene *scene; /* NULL: none differs */
	uint32_t at;
} changed_row;

/* The first row that differs; of examples the first of the mesh, if there is one. */
static changed_row find_changed(const snw_scene *old, const snw_scene *next, int kind, int64_t mesh) {
	changed_row found = {0};
	for (int pass = 0; pass < 2; pass++) {
		const snw_scene *scene = pass == 0 ? next : old, *other = pass == 0 ? old : next;
		const scene_list list = list_of(scene, kind);
		for (uint32_t i = 0; i < list.count; i++) {
			const uint32_t there = find_id(other, kind, id_of(&list, i));
			const bool differs = there == SNW_NONE || (pass == 0 && !list.is_same(old, there, next, i));
			const bool is_meant = kind == EXAMPLES && scene->meshes[scene->examples[i].mesh].id == mesh;
			if (differs && is_meant) {
				return (changed_row){scene, i};
			}
			found = differs && !found.scene ? (changed_row){scene, i} : found;
		}
	}
	return found;
}

/* ---- where it is seen ---------------------------------------------------------------------------------------------------- */

static uint32_t follow_mesh(const changed_row *row, uint32_t mesh, const snw_scene *next) {
	return mesh < row->scene->mesh_count ? find_id(next, MESHES, row->scene->meshes[mesh].id) : SNW_NONE;
}

/* A pose, and the moment of the clip of which it is, if the clip still has it. */
static void place_pose(snw_changed_place *place, const snw_pose *pose, const snw_scene *next) {
	const uint32_t clip = pose->clip != 0 ? find_id(next, CLIPS, pose->clip) : SNW_NONE;
	place->pose = find_id(next, POSES, pose->id);
	if (clip != SNW_NONE) {
		snw_arena *scratch = snw_arena_create();
		const bool is_moment = snw_pose_is_same(next, snw_pose_sample(next, clip, pose->seconds, scratch), pose);
		place->clip = is_moment ? clip : SNW_NONE;
		place->seconds = pose->seconds;
		snw_arena_destroy(scratch);
	}
}

static void place_row(snw_changed_place *place, int kind, const changed_row *row, const snw_scene *next) {
	const snw_scene *scene = row->scene;
	if (kind == EXAMPLES) {
		const snw_example *example = &scene->examples[row->at];
		place->example = find_id(next, EXAMPLES, example->id);
		place->mesh = follow_mesh(row, example->mesh, next);
		place_pose(place, &scene->poses[example->pose], next);
	} else if (kind == TARGETS) {
		const snw_target *target = &scene->targets[row->at];
		place->mesh = follow_mesh(row, target->mesh, next);
		place->clip = target->clip < scene->clip_count ? find_id(next, CLIPS, scene->clips[target->clip].id) : SNW_NONE;
	} else if (kind == CLIPS) {
		place->clip = find_id(next, CLIPS, scene->clips[row->at].id);
	} else if (kind == POSES) {
		place_pose(place, &scene->poses[row->at], next);
	} else {
		place->mesh = follow_mesh(row, kind == MESHES ? row->at : scene->fields[row->at].mesh, next);
	}
}

snw_changed_place snw_document_changed_place(const snw_document *old, const snw_document *next, int64_t mesh) {
	snw_changed_place place = {SNW_NONE, SNW_NONE, SNW_NONE, SNW_NONE, 0};
	const bool counts = old->scene->skeleton.joint_count == next->scene->skeleton.joint_count &&
						old->scene->channel_count == next->scene->channel_count;
	for (int kind = 0; counts && kind < LISTS; kind++) {
		const changed_row row = find_changed(old->scene, next->scene, kind, mesh);
		if (row.scene) {
			place_row(&place, kind, &row, next->scene);
			break;
		}
	}
	return place;
}

/* ---- titles -------------------------------------------------------------------------------------------------------------- */

const char *snw_method_title(const snw_registry *registry, const char *method) {
	const snw_deformer *deformer = snw_registry_find(registry, method);
	return deformer ? deformer->descriptor->name : method;
}

const char *snw_layer_title(const snw_registry *registry, const snw_layer *layer, char *words, size_t size) {
	const snw_deformer *deformer = snw_registry_find(registry, layer->deformer);
	const char *stem = deformer ? deformer->descriptor->short_name : "";
	const size_t length = strlen(stem);
	if (!deformer || strncmp(layer->name, stem, length) != 0) {
		return layer->name;
	}
	const char *rest = layer->name + length;
	if (!rest[0]) {
		return deformer->descriptor->name;
	}
	if (rest[0] != '-' || !rest[1] || rest[1 + strspn(rest + 1, "0123456789")]) {
		return layer->name;
	}
	snprintf(words, size, "%s %s", deformer->descriptor->name, rest + 1);
	return words;
}

/* The deformer whose short name a word is; NULL if it is none, or an ordinary word where no method is meant. */
static const snw_deformer *find_named(const snw_registry *registry, const char *word, size_t length, bool is_meant) {
	for (uint32_t i = 0; i < snw_registry_count(registry); i++) {
		const snw_deformer *deformer = snw_registry_get(registry, i)->deformer;
		const char *name = deformer ? deformer->descriptor->short_name : "";
		if (strlen(name) == length && memcmp(name, word, length) == 0) {
			return is_meant || memchr(word, '-', length) ? deformer : NULL;
		}
	}
	return NULL;
}

const char *snw_words_with_titles(const snw_registry *registry, const char *text, char *words, size_t size) {
	size_t used = 0;
	bool is_meant = false;
	words[0] = '\0';
	while (*text && used + 1 < size) {
		const size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz-"), whole = length > 0 ? length : 1;
		const snw_deformer *deformer = length > 0 ? find_named(registry, text, length, is_meant) : NULL;
		used += (size_t)(deformer ? snprintf(words + used, size - used, "%s", deformer->descriptor->name)
								  : snprintf(words + used, size - used, "%.*s", (int)whole, text));
		is_meant = length == 0 ? is_meant : strncmp(text, "layer ", 6) == 0 || strncmp(text, "fitting ", 8) == 0;
		text += whole;
	}
	return words;
}

const char *snw_method_purpose(const snw_descriptor *descriptor) {
	const uint32_t needs = descriptor->needs, traits = descriptor->traits;
	if (traits & SNW_BASELINE) {
		return "The skin as it came with the file.";
	}
	if (traits & SNW_CORRECTS) {
		return "For sculpts: reproduces each in its pose and interpolates between them.";
	}
	if (traits & SNW_BINDS) {
		return traits & SNW_REPLACES_BLEND ? "Blends the weights of the file in another way. Needs no fit."
										   : "Changes the shape that the layers below it make. Needs no fit.";
	}
	if (needs & SNW_NEEDS_FRAMES) {
		return "Plays animated meshes (caches, simulations) as a skin. Not for a few sculpts.";
	}
	if (needs & SNW_NEEDS_SEQUENCE) {
		return "For animated meshes without a skeleton.";
	}
	return traits & SNW_REPLACES_BLEND ? "Learns a blend in place of the file's from many poses: a target or examples."
									   : "Learns what to add to the layers below from many poses: a target or examples.";
}

const char *snw_missing_words(const snw_registry *registry, const snw_scene *scene, uint32_t layer, char *words, size_t size) {
	const uint32_t replaced = snw_replaced_blend(scene, registry, layer);
	char title[200] = "";
	int used = snprintf(words, size, "The plug-in is missing. The layer stays in the project but has no effect.");
	if (replaced != SNW_NONE && used > 0 && (size_t)used < size) {
		snprintf(words + used, size - (size_t)used,
				 " It replaced %s, which is muted, so nothing follows the joints: unmute that layer until the plug-in is back.",
				 snw_layer_title(registry, &scene->layers[replaced], title, sizeof title));
	}
	return words;
}

const char *snw_sentence_case(const char *name, char *words, size_t size) {
	snprintf(words, size, "%s", name);
	words[0] = (char)toupper((unsigned char)words[0]);
	return words;
}

snw_search_rank snw_search_rank_of(const char *name, const char *typed) {
	const size_t length = strlen(typed);
	return length == 0 || strcasecmp(name, typed) == 0 ? SNW_SEARCH_EXACT
		   : strncasecmp(name, typed, length) == 0     ? SNW_SEARCH_BEGINS
		   : strcasestr(name, typed)                   ? SNW_SEARCH_CONTAINS
													   : SNW_SEARCH_LACKS;
}

snw_search_rank snw_joint_search_rank(const snw_skeleton *skeleton, uint32_t joint, const char *typed, snw_arena *arena) {
	const char *name = skeleton->names[joint];
	const snw_search_rank whole = snw_search_rank_of(name, typed), part = snw_search_rank_of(snw_joint_short_name(name), typed);
	const snw_search_rank named = whole < part ? whole : part;
	return named < SNW_SEARCH_LACKS ? named : snw_search_rank_of(snw_joint_title(skeleton, joint, arena), typed);
}

const char *snw_joint_words(const snw_skeleton *skeleton, uint32_t joint, char *words, size_t size) {
	snw_arena *scratch = snw_arena_create();
	snprintf(words, size, "%s", snw_joint_title(skeleton, joint, scratch));
	snw_arena_destroy(scratch);
	return words;
}

const char *snw_joint_short_name(const char *name) {
	static const char *const wholes[] = {"skeleton", "armature", "character", "rig"};
	const char *colon = strrchr(name, ':');
	const char *rest = colon && colon[1] ? colon + 1 : name;
	for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
		const size_t length = strlen(wholes[i]);
		const bool begins = strncasecmp(rest, wholes[i], length) == 0 && strchr("_|.- ", rest[length]) && rest[length];
		if (begins && rest[length + 1]) {
			return rest + length + 1;
		}
	}
	return rest;
}

const char *snw_joint_label(const snw_skeleton *skeleton, uint32_t joint, char *words, size_t size) {
	char title[200];
	snprintf(words, size, "%s##%.200s", snw_joint_words(skeleton, joint, title, sizeof title), skeleton->names[joint]);
	return words;
}

const char *snw_shape_short_name(const snw_scene *scene, uint32_t channel) {
	const char *name = scene->channels[channel].name;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const size_t length = strlen(scene->meshes[m].name);
		if (strncmp(name, scene->meshes[m].name, length) == 0 && name[length] == '.' && name[length + 1]) {
			return name + length + 1;
		}
	}
	return name;
}

uint32_t snw_shape_first(const snw_scene *scene, uint32_t channel) {
	uint32_t first = 0;
	while (strcmp(snw_shape_short_name(scene, first), snw_shape_short_name(scene, channel)) != 0) {
		first++;
	}
	return first;
}
