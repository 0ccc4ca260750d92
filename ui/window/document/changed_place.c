/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/document/changed_place.h"

#include <string.h>

#include "pose/pose.h"

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
