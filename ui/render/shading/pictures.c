/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/shading/pictures.h"

#include <stdio.h>

#include "worker/worker.h"

typedef struct uses {
	snw_picture_use *items;
	uint32_t *images; /* [count]: into the scene's */
	uint32_t count;
	bool (*seen)[2]; /* [image_count] */
} uses;

static void add(uses *list, const snw_scene *scene, uint32_t index, bool is_color) {
	if (index == SNW_NONE || list->seen[index][is_color]) {
		return;
	}
	const snw_image *image = &scene->images[index];
	list->seen[index][is_color] = true;
	list->images[list->count] = index;
	list->items[list->count++] = (snw_picture_use){image->name, image->bytes, image->byte_count, is_color};
}

/* Each picture once for each of its uses. */
static uses list_uses(const snw_scene *scene, snw_arena *arena) {
	uses list = {
		.items = SNW_NEW_ARRAY(arena, snw_picture_use, 2 * (size_t)scene->image_count),
		.images = SNW_NEW_ARRAY(arena, uint32_t, 2 * (size_t)scene->image_count),
		.seen = snw_arena_array(arena, scene->image_count, sizeof *list.seen),
	};
	for (uint32_t m = 0; m < scene->material_count; m++) {
		add(&list, scene, scene->materials[m].base_color_image, true);
		add(&list, scene, scene->materials[m].metallic_roughness_image, false);
		add(&list, scene, scene->materials[m].normal_image, false);
		add(&list, scene, scene->materials[m].emissive_image, true);
	}
	return list;
}

static void print_notice(void *context, snw_log_level level, const char *line) {
	(void)context, (void)level;
	fprintf(stderr, "sinew: %s\n", line);
}

snw_picture *snw_pictures_of_scene(const snw_scene *scene, uint64_t budget, snw_arena *arena) {
	const snw_task task = {.notice = print_notice};
	snw_picture *pictures = snw_arena_array(arena, scene->image_count, sizeof *pictures);
	snw_arena *scratch = snw_arena_create();
	const uses list = list_uses(scene, scratch);
	snw_mipmap *decoded = SNW_NEW_ARRAY(scratch, snw_mipmap, list.count);
	snw_worker_decode_pictures(list.items, list.count, budget, &task, arena, decoded);
	for (uint32_t i = 0; i < list.count; i++) {
		pictures[list.images[i]][list.items[i].is_color] = decoded[i];
	}
	snw_arena_destroy(scratch);
	return pictures;
}
