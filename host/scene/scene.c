/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/algebra.h"
#include "sinew/deformer.h"

/* ---- scene --------------------------------------------------------------------------------------------------------------- */

snw_scene *snw_scene_create(void) {
	snw_arena *arena = snw_arena_create();
	snw_scene *scene = SNW_NEW(arena, snw_scene);
	scene->arena = arena;
	return scene;
}

void snw_scene_destroy(snw_scene *scene) {
	if (scene) {
		snw_arena_destroy(scene->arena); /* which contains the scene */
	}
}

/* Names are pointers at some offset in the elements of an array. */
static uint32_t find_name(const void *elements, uint32_t count, size_t element_bytes, size_t name_offset, const char *name) {
	for (uint32_t i = 0; i < count; i++) {
		const char *candidate;
		memcpy(&candidate, (const char *)elements + i * element_bytes + name_offset, sizeof candidate);
		if (strcmp(candidate, name) == 0) {
			return i;
		}
	}
	return SNW_NONE;
}

#define FIND(array, count, type, wanted) find_name((array), (count), sizeof(type), offsetof(type, name), (wanted))

uint32_t snw_scene_find_mesh(const snw_scene *scene, const char *name) {
	return FIND(scene->meshes, scene->mesh_count, snw_mesh, name);
}

uint32_t snw_scene_find_joint(const snw_scene *scene, const char *name) {
	return find_name(scene->skeleton.names, scene->skeleton.joint_count, sizeof(const char *), 0, name);
}

uint32_t snw_scene_find_clip(const snw_scene *scene, const char *name) {
	return FIND(scene->clips, scene->clip_count, snw_clip, name);
}

uint32_t snw_scene_find_pose(const snw_scene *scene, const char *name) {
	return FIND(scene->poses, scene->pose_count, snw_pose, name);
}

uint32_t snw_scene_find_example(const snw_scene *scene, const char *name) {
	return FIND(scene->examples, scene->example_count, snw_example, name);
}

uint32_t snw_scene_find_group(const snw_scene *scene, const char *name) {
	return FIND(scene->groups, scene->group_count, snw_group, name);
}

uint32_t snw_scene_find_target(const snw_scene *scene, const char *name) {
	return FIND(scene->targets, scene->target_count, snw_target, name);
}

uint32_t snw_scene_find_layer(const snw_scene *scene, const char *name) {
	return FIND(scene->layers, scene->layer_count, snw_layer, name);
}

uint32_t snw_scene_find_channel(const snw_scene *scene, const char *name) {
	return FIND(scene->channels, scene->channel_count, snw_channel, name);
}

uint32_t snw_scene_find_field(const snw_scene *scene, uint32_t mesh, const char *name) {
	for (uint32_t i = 0; i < scene->field_count; i++) {
		if (scene->fields[i].mesh == mesh && strcmp(scene->fields[i].name, name) == 0) {
			return i;
		}
	}
	return SNW_NONE;
}

uint32_t snw_scene_active_example_count(const snw_scene *scene) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->example_count; i++) {
		count += !scene->examples[i].muted;
	}
	return count;
}

const char *snw_scene_free_name(const snw_scene *scene, snw_scene_finder *find, const char *name, snw_arena *arena) {
	const char *dash = strrchr(name, '-'), *tried = name;
	char *end = NULL;
	const unsigned long number = dash ? strtoul(dash + 1, &end, 10) : 0;
	const bool numbered = number > 0 && *end == '\0';
	const int stem = numbered ? (int)(dash - name) : (int)strlen(name);
	for (unsigned long i = numbered ? number + 1 : 2; find(scene, tried) != SNW_NONE; i++) {
		tried = snw_arena_format(arena, "%.*s-%lu", stem, name, i);
	}
	return tried == name ? snw_arena_text(arena, name) : tried;
}

uint32_t snw_scene_largest_mesh(const snw_scene *scene) {
	uint32_t largest = scene->mesh_count > 0 ? 0 : SNW_NONE;
	for (uint32_t m = 1; m < scene->mesh_count; m++) {
		largest = scene->meshes[m].point_count > scene->meshes[largest].point_count ? m : largest;
	}
	return largest;
}

/* Scenes get this layer when no plug-ins are loaded, so it cannot be found by the trait SNW_BASELINE. The build says which
 * deformer it is (deformers/meson.build); tests/plugin/registry.c compares it with the trait. */
static void set_layer(snw_scene *scene, const char *name, const char *deformer, const char *version) {
	snw_layer *layer = SNW_NEW(scene->arena, snw_layer);
	*layer = (snw_layer){.name = name, .deformer = deformer, .deformer_version = version, .model = SNW_NONE};
	scene->layers = layer;
	scene->layer_count = 1;
}

void snw_scene_add_baseline(snw_scene *scene) {
	set_layer(scene, SINEW_BASELINE_NAME, SINEW_BASELINE_ID, SINEW_BASELINE_VERSION);
}

void snw_scene_add_dual_quaternions(snw_scene *scene) {
	set_layer(scene, SINEW_DUAL_QUATERNION_NAME, SINEW_DUAL_QUATERNION_ID, SINEW_DUAL_QUATERNION_VERSION);
}

snw_box snw_scene_box(const snw_scene *scene, uint32_t mesh) {
	snw_box box = snw_box_empty();
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (mesh == SNW_NONE || m == mesh) {
			snw_box_add_points(&box, scene->meshes[m].points_rest, scene->meshes[m].point_count);
		}
	}
	return box;
}

double snw_scene_diagonal(const snw_scene *scene, uint32_t mesh) {
	const snw_box box = snw_scene_box(scene, mesh);
	return snw_box_diagonal(&box);
}

/* ---- skeleton ------------------------------------------------------------------------------------------------------------ */

enum { UNSEEN = 0, WALKING = 1, PLACED = 2 };

/* Appends a joint to the order, after its ancestors that are not in it yet. False on a cycle. */
static bool place_joint(const uint32_t *parents, uint32_t joint, unsigned char *state, uint32_t *path, uint32_t *order,
						uint32_t *placed) {
	uint32_t length = 0;
	for (uint32_t j = joint; j != SNW_NONE && state[j] != PLACED; j = parents[j]) {
		if (state[j] == WALKING) {
			return false;
		}
		state[j] = WALKING;
		path[length++] = j;
	}
	while (length > 0) {
		const uint32_t j = path[--length];
		state[j] = PLACED;
		order[(*placed)++] = j;
	}
	return true;
}

snw_status snw_skeleton_finish(snw_skeleton *skeleton, snw_arena *arena, snw_error *error) {
	const uint32_t count = skeleton->joint_count;
	for (uint32_t j = 0; j < count; j++) {
		const uint32_t parent = skeleton->parents[j];
		if (parent != SNW_NONE && parent >= count) {
			return snw_fail(error, SNW_ERROR_DATA, "joint '%s': its parent is number %u of %u joints; repair the file",
							skeleton->names[j], parent, count);
		}
	}
	uint32_t *order = SNW_NEW_ARRAY(arena, uint32_t, count);
	uint32_t *path = SNW_NEW_ARRAY(arena, uint32_t, count);
	unsigned char *state = SNW_NEW_ARRAY(arena, unsigned char, count);
	uint32_t placed = 0;
	for (uint32_t j = 0; j < count; j++) {
		if (!place_joint(skeleton->parents, j, state, path, order, &placed)) {
			return snw_fail(error, SNW_ERROR_DATA, "joint '%s': it is its own ancestor; repair the file", skeleton->names[j]);
		}
	}
	double *global = snw_arena_array(arena, count, 12 * sizeof *global);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t j = order[i], parent = skeleton->parents[j];
		snw_transform_to_mat34(&skeleton->rest_local[j], global + 12 * (size_t)j);
		if (parent != SNW_NONE) {
			snw_mat34_multiply(global + 12 * (size_t)parent, global + 12 * (size_t)j, global + 12 * (size_t)j);
		}
	}
	skeleton->order = order;
	skeleton->rest_global = global;
	return SNW_OK;
}

bool snw_skeleton_is_below(const snw_skeleton *skeleton, uint32_t joint, uint32_t ancestor) {
	for (uint32_t j = joint; j != SNW_NONE; j = skeleton->parents[j]) {
		if (j == ancestor) {
			return true;
		}
	}
	return false;
}

/* ---- field display ------------------------------------------------------------------------------------------------------- */

bool snw_field_is_color(const snw_field *field) {
	return field->unit && strcmp(field->unit, SNW_UNIT_COLOR) == 0;
}

bool snw_field_is_length(const snw_field *field) {
	return field->unit && strcmp(field->unit, "m") == 0;
}

double snw_field_number(const snw_field *field, uint32_t element) {
	const double *values = field->values + (size_t)element * field->components;
	double square = 0;
	for (uint32_t c = 0; c < field->components; c++) {
		square += values[c] * values[c];
	}
	return field->components == 1 ? values[0] : sqrt(square);
}

void snw_field_title(const snw_field *field, char *title, size_t bytes) {
	const bool is_color = snw_field_is_color(field);
	const char *unit = snw_field_is_length(field) ? "mm"
					   : field->unit && !is_color ? field->unit
												  : "",
			   *quantity = field->components == 1 || is_color ? "" : "length";
	if (!quantity[0] && !unit[0]) {
		snprintf(title, bytes, "%s", field->name);
	} else {
		snprintf(title, bytes, "%s (%s%s%s)", field->name, quantity, quantity[0] && unit[0] ? ", " : "", unit);
	}
}

/* ---- nouns --------------------------------------------------------------------------------------------------------------- */

/* Of each noun: its word, where a scene holds the number of its things, and how one is found. */
static const struct {
	const char *word;
	size_t count;
	snw_scene_finder *find;
} nouns[SNW_NOUN_COUNT] = {
	[SNW_NOUN_MESH] = {"mesh", offsetof(snw_scene, mesh_count), snw_scene_find_mesh},
	[SNW_NOUN_JOINT] = {"joint", offsetof(snw_scene, skeleton.joint_count), snw_scene_find_joint},
	[SNW_NOUN_POSE] = {"pose", offsetof(snw_scene, pose_count), snw_scene_find_pose},
	[SNW_NOUN_CLIP] = {"clip", offsetof(snw_scene, clip_count), snw_scene_find_clip},
	[SNW_NOUN_EXAMPLE] = {"example", offsetof(snw_scene, example_count), snw_scene_find_example},
	[SNW_NOUN_GROUP] = {"group", offsetof(snw_scene, group_count), snw_scene_find_group},
	[SNW_NOUN_LAYER] = {"layer", offsetof(snw_scene, layer_count), snw_scene_find_layer},
	[SNW_NOUN_TARGET] = {"target", offsetof(snw_scene, target_count), snw_scene_find_target},
	[SNW_NOUN_SHAPE] = {"morph target", offsetof(snw_scene, channel_count), snw_scene_find_channel},
};

const char *snw_noun_word(snw_noun noun) {
	return nouns[noun].word;
}

const char *snw_noun_article(snw_noun noun) {
	return strchr("aeiou", nouns[noun].word[0]) ? "an" : "a";
}

uint32_t snw_noun_count(const snw_scene *scene, snw_noun noun) {
	return *(const uint32_t *)((const char *)scene + nouns[noun].count);
}

const char *snw_noun_name(const snw_scene *scene, snw_noun noun, uint32_t index) {
	switch (noun) {
	case SNW_NOUN_MESH:
		return scene->meshes[index].name;
	case SNW_NOUN_JOINT:
		return scene->skeleton.names[index];
	case SNW_NOUN_POSE:
		return scene->poses[index].name;
	case SNW_NOUN_CLIP:
		return scene->clips[index].name;
	case SNW_NOUN_EXAMPLE:
		return scene->examples[index].name;
	case SNW_NOUN_GROUP:
		return scene->groups[index].name;
	case SNW_NOUN_LAYER:
		return scene->layers[index].name;
	case SNW_NOUN_TARGET:
		return scene->targets[index].name;
	case SNW_NOUN_SHAPE:
		return scene->channels[index].name;
	case SNW_NOUN_COUNT:
		break;
	}
	return "";
}

/* "; there are: shoulder, elbow, …", as far as it helps. */
static void list_names(const snw_scene *scene, snw_noun noun, char *text, size_t size) {
	enum { MOST = 8 };
	const uint32_t count = snw_noun_count(scene, noun);
	size_t used = (size_t)snprintf(text, size,
								   count == 0   ? "; there is none"
								   : count == 1 ? "; there is only "
												: "; there are: ");
	for (uint32_t i = 0; i < count && i < MOST && used < size; i++) {
		used += (size_t)snprintf(text + used, size - used, "%s%.60s", i ? ", " : "", snw_noun_name(scene, noun, i));
	}
	if (count > MOST && used < size) {
		snprintf(text + used, size - used, " and %u more", count - MOST);
	}
}

snw_status snw_noun_find(const snw_scene *scene, snw_noun noun, const char *name, uint32_t *index, snw_error *error) {
	char names[600];
	const uint32_t found = nouns[noun].find(scene, name);
	if (found == SNW_NONE) {
		list_names(scene, noun, names, sizeof names);
		return snw_fail(error, SNW_ERROR_MISSING, "no %s is named '%.120s'%s", nouns[noun].word, name, names);
	}
	*index = found;
	return SNW_OK;
}

snw_status snw_noun_expect_free(const snw_scene *scene, snw_noun noun, const char *name, snw_error *error) {
	return nouns[noun].find(scene, name) == SNW_NONE
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_CONFLICT, "there is already %s %s named '%.120s'; choose another name",
						  snw_noun_article(noun), nouns[noun].word, name);
}

const char *snw_noun_free_name(const snw_scene *scene, snw_noun noun, const char *name, snw_arena *arena) {
	return snw_scene_free_name(scene, nouns[noun].find, name, arena);
}

/* ---- views for plug-ins -------------------------------------------------------------------------------------------------- */

/* The fields over one mesh, in the scene's order. */
static void view_fields(const snw_scene *scene, uint32_t mesh, snw_arena *arena, snw_mesh_view *view) {
	snw_field_view *views = SNW_NEW_ARRAY(arena, snw_field_view, scene->field_count);
	const snw_field_view **fields = SNW_NEW_ARRAY(arena, const snw_field_view *, scene->field_count);
	for (uint32_t i = 0; i < scene->field_count; i++) {
		const snw_field *field = &scene->fields[i];
		if (field->mesh == mesh) {
			views[i] = (snw_field_view){
				.size = sizeof(snw_field_view),
				.name = field->name,
				.domain = field->domain,
				.components = field->components,
				.count = field->count,
				.values = field->values,
			};
			fields[view->field_count++] = &views[i];
		}
	}
	view->fields = fields;
}

static const snw_mesh_view *const *view_meshes(const snw_scene *scene, snw_arena *arena) {
	snw_mesh_view *views = SNW_NEW_ARRAY(arena, snw_mesh_view, scene->mesh_count);
	const snw_mesh_view **list = SNW_NEW_ARRAY(arena, const snw_mesh_view *, scene->mesh_count);
	for (uint32_t i = 0; i < scene->mesh_count; i++) {
		const snw_mesh *mesh = &scene->meshes[i];
		views[i] = (snw_mesh_view){
			.size = sizeof(snw_mesh_view),
			.name = mesh->name,
			.point_count = mesh->point_count,
			.points_rest = mesh->points_rest,
			.face_count = mesh->face_count,
			.face_offsets = mesh->face_offsets,
			.face_points = mesh->face_points,
			.influence_offsets = mesh->influence_offsets,
			.influence_slots = mesh->influence_slots,
			.influence_weights = mesh->influence_weights,
			.corner_uvs = mesh->corner_uvs,
			.corner_normals = mesh->corner_normals,
		};
		view_fields(scene, i, arena, &views[i]);
		list[i] = &views[i];
	}
	return list;
}

static const double *find_limits(const snw_scene *scene) {
	const uint32_t found = snw_scene_find_field(scene, SNW_NONE, SNW_JOINT_LIMITS);
	const snw_field *field = found == SNW_NONE ? NULL : &scene->fields[found];
	const bool is_valid = field && field->domain == SNW_DOMAIN_JOINTS && field->components == 1;
	return is_valid && field->count == scene->skeleton.joint_count ? field->values : NULL;
}

static const snw_skeleton_view *view_skeleton(const snw_scene *scene, snw_arena *arena) {
	const snw_skeleton *skeleton = &scene->skeleton;
	snw_skeleton_view *view = SNW_NEW(arena, snw_skeleton_view);
	*view = (snw_skeleton_view){
		.size = sizeof *view,
		.joint_count = skeleton->joint_count,
		.names = skeleton->names,
		.parents = skeleton->parents,
		.order = skeleton->order,
		.rest_local = skeleton->rest_local,
		.rest_global = skeleton->rest_global,
		.limits = find_limits(scene),
	};
	return view;
}

const snw_character_view *snw_character_view_make(const snw_scene *scene, snw_arena *arena) {
	const char **channel_names = SNW_NEW_ARRAY(arena, const char *, scene->channel_count);
	for (uint32_t i = 0; i < scene->channel_count; i++) {
		channel_names[i] = scene->channels[i].name;
	}
	snw_character_view *view = SNW_NEW(arena, snw_character_view);
	*view = (snw_character_view){
		.size = sizeof *view,
		.mesh_count = scene->mesh_count,
		.meshes = view_meshes(scene, arena),
		.skeleton = view_skeleton(scene, arena),
		.slot_count = scene->slot_count,
		.slot_joints = scene->slot_joints,
		.slot_inverse_binds = scene->slot_inverse_binds,
		.channel_count = scene->channel_count,
		.channel_names = channel_names,
	};
	return view;
}

/* ---- characters ---------------------------------------------------------------------------------------------------------- */

typedef struct finder {
	const snw_scene *scene;
	snw_arena *arena;
	bool *moves;      /* [joint_count]: points, or by a clip */
	uint32_t *tops;   /* [joint_count]: the topmost joint at or above it that moves; SNW_NONE above all that move */
	uint32_t *joined; /* [joint_count]: another top of the same character, itself for the first: a forest */
} finder;

static uint32_t first_of(const finder *f, uint32_t top) {
	while (f->joined[top] != top) {
		top = f->joined[top];
	}
	return top;
}

/* Whether a slot moves a point of a mesh. */
static bool is_used(const snw_mesh *mesh, uint32_t influence) {
	return mesh->influence_weights[influence] != 0;
}

static uint32_t influence_count(const snw_mesh *mesh) {
	return mesh->influence_offsets ? mesh->influence_offsets[mesh->point_count] : 0;
}

static void find_moving(const finder *f) {
	const snw_scene *scene = f->scene;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		for (uint32_t i = 0; i < influence_count(mesh); i++) {
			if (is_used(mesh, i)) {
				f->moves[scene->slot_joints[mesh->influence_slots[i]]] = true;
			}
		}
	}
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		for (uint32_t t = 0; t < scene->clips[c].track_count; t++) {
			const snw_track *track = &scene->clips[c].tracks[t];
			if (track->path != SNW_PATH_CHANNEL) {
				f->moves[track->target] = true;
			}
		}
	}
}

static void find_tops(const finder *f) {
	const snw_skeleton *skeleton = &f->scene->skeleton;
	for (uint32_t i = 0; i < skeleton->joint_count; i++) {
		const uint32_t joint = skeleton->order[i], parent = skeleton->parents[joint];
		const uint32_t above = parent == SNW_NONE ? SNW_NONE : f->tops[parent];
		f->tops[joint] = above != SNW_NONE ? above : f->moves[joint] ? joint : SNW_NONE;
		f->joined[joint] = joint;
	}
}

/* The first top that moves a mesh; SNW_NONE if none does. All that move it become one. */
static uint32_t join_tops(const finder *f, const snw_mesh *mesh) {
	uint32_t first = SNW_NONE;
	for (uint32_t i = 0; i < influence_count(mesh); i++) {
		if (!is_used(mesh, i)) {
			continue;
		}
		const uint32_t top = first_of(f, f->tops[f->scene->slot_joints[mesh->influence_slots[i]]]);
		if (first == SNW_NONE) {
			first = top;
		}
		f->joined[top] = first;
	}
	return first;
}

/* What is being made of a character. */
typedef struct draft {
	uint32_t top; /* the first of its tops; SNW_NONE: no joint moves its mesh */
	bool *joints, *meshes;
	uint32_t mesh_count, mesh; /* the first of them */
} draft;

typedef struct draft_list {
	draft *drafts;
	uint32_t count;
} draft_list;

/* SNW_NONE if there is none. */
static uint32_t find_draft(const draft_list *list, uint32_t top) {
	for (uint32_t d = 0; d < list->count && top != SNW_NONE; d++) {
		if (list->drafts[d].top == top) {
			return d;
		}
	}
	return SNW_NONE;
}

static void add_mesh(const finder *f, draft_list *list, uint32_t m, uint32_t top) {
	const uint32_t first = top == SNW_NONE ? SNW_NONE : first_of(f, top), found = find_draft(list, first);
	draft *d = &list->drafts[found == SNW_NONE ? list->count++ : found];
	if (found == SNW_NONE) {
		*d = (draft){.top = first, .mesh = m};
		d->joints = SNW_NEW_ARRAY(f->arena, bool, f->scene->skeleton.joint_count);
		d->meshes = SNW_NEW_ARRAY(f->arena, bool, f->scene->mesh_count);
	}
	d->mesh_count++;
	d->meshes[m] = true;
}

/* The characters of joints. A joint that does not move belongs to the only character below it; one without a character below
 * it to that of its parent; one above several to all of them. */
static void share_joints(const finder *f, const draft_list *list) {
	const uint32_t several = SNW_NONE - 1;
	const snw_skeleton *skeleton = &f->scene->skeleton;
	uint32_t *owners = SNW_NEW_ARRAY(f->arena, uint32_t, skeleton->joint_count);
	memset(owners, 0xff, skeleton->joint_count * sizeof *owners);
	for (uint32_t i = skeleton->joint_count; i-- > 0;) {
		const uint32_t joint = skeleton->order[i], parent = skeleton->parents[joint], top = f->tops[joint];
		const uint32_t owner = top == SNW_NONE ? SNW_NONE : find_draft(list, first_of(f, top));
		owners[joint] = owner == SNW_NONE ? owners[joint] : owner;
		if (parent != SNW_NONE && owners[joint] != SNW_NONE) {
			owners[parent] = owners[parent] == SNW_NONE || owners[parent] == owners[joint] ? owners[joint] : several;
		}
	}
	for (uint32_t i = 0; i < skeleton->joint_count; i++) {
		const uint32_t joint = skeleton->order[i], parent = skeleton->parents[joint];
		if (owners[joint] == SNW_NONE && parent != SNW_NONE && owners[parent] != several) {
			owners[joint] = owners[parent];
		}
		for (uint32_t above = joint; owners[joint] < list->count && above != SNW_NONE; above = skeleton->parents[above]) {
			list->drafts[owners[joint]].joints[above] = true;
		}
	}
}

/* The topmost joint that it has and shares with none. */
static const char *topmost_name(const finder *f, const draft_list *list, uint32_t d) {
	const snw_skeleton *skeleton = &f->scene->skeleton;
	for (uint32_t i = 0; i < skeleton->joint_count; i++) {
		const uint32_t joint = skeleton->order[i];
		uint32_t owners = 0;
		for (uint32_t other = 0; other < list->count; other++) {
			owners += list->drafts[other].joints[joint];
		}
		if (list->drafts[d].joints[joint] && owners == 1) {
			return skeleton->names[joint];
		}
	}
	return f->scene->meshes[list->drafts[d].mesh].name;
}

static const char *free_name(const snw_character *characters, uint32_t count, const char *name, snw_arena *arena) {
	const char *tried = name;
	uint32_t n = 2;
	for (uint32_t c = 0; c < count; c++) {
		if (strcmp(characters[c].name, tried) == 0) {
			tried = snw_arena_format(arena, "%s-%u", name, n++);
			c = UINT32_MAX; /* from the first again */
		}
	}
	return tried;
}

uint32_t snw_scene_characters(const snw_scene *scene, snw_arena *arena, const snw_character **characters) {
	const size_t joints = scene->skeleton.joint_count;
	finder f = {.scene = scene, .arena = arena};
	f.moves = SNW_NEW_ARRAY(arena, bool, joints);
	f.tops = SNW_NEW_ARRAY(arena, uint32_t, joints);
	f.joined = SNW_NEW_ARRAY(arena, uint32_t, joints);
	find_moving(&f);
	find_tops(&f);
	uint32_t *tops = SNW_NEW_ARRAY(arena, uint32_t, scene->mesh_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		tops[m] = join_tops(&f, &scene->meshes[m]);
	}
	draft_list list = {.drafts = SNW_NEW_ARRAY(arena, draft, scene->mesh_count)};
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		add_mesh(&f, &list, m, tops[m]);
	}
	share_joints(&f, &list);
	snw_character *made = SNW_NEW_ARRAY(arena, snw_character, list.count);
	for (uint32_t c = 0; c < list.count; c++) {
		const draft *d = &list.drafts[c];
		const char *name = d->mesh_count == 1 ? scene->meshes[d->mesh].name : topmost_name(&f, &list, c);
		made[c] = (snw_character){free_name(made, c, name, arena), d->joints, d->meshes};
	}
	*characters = made;
	return list.count;
}
