/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/scene.h"

#include <string.h>

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
