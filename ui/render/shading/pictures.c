/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/shading/pictures.h"

#include <stdio.h>

#include "render/image/decode.h"

/* A picture in one of its two uses. */
typedef struct use {
	uint32_t index;
	bool is_color;
	uint32_t width, height; /* 0 if its header cannot be read */
} use;

typedef struct uses {
	use *items;
	uint32_t count;
	bool (*seen)[2]; /* [image_count] */
} uses;

static void add(uses *list, const snw_scene *scene, uint32_t index, bool is_color) {
	if (index == SNW_NONE || list->seen[index][is_color]) {
		return;
	}
	list->seen[index][is_color] = true;
	use *u = &list->items[list->count++];
	const snw_image *image = &scene->images[index];
	*u = (use){.index = index, .is_color = is_color};
	(void)snw_image_size(image->bytes, image->byte_count, image->name, &u->width, &u->height, NULL);
}

/* Each picture once for each of its uses. */
static uses list_uses(const snw_scene *scene, snw_arena *arena) {
	uses list = {
		.items = SNW_NEW_ARRAY(arena, use, 2 * (size_t)scene->image_count),
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

static uint64_t count_bytes(const uses *list, uint32_t halvings) {
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < list->count; i++) {
		bytes +=
			4 * (uint64_t)snw_mipmap_side(list->items[i].width, halvings) * snw_mipmap_side(list->items[i].height, halvings);
	}
	return bytes;
}

static uint32_t choose_halvings(const uses *list, uint64_t budget) {
	uint32_t halvings = 0;
	while (halvings < 31 && count_bytes(list, halvings) > budget) {
		halvings++;
	}
	if (halvings > 0) {
		fprintf(stderr, "sinew: the pictures need more than %llu MiB; they are shown at 1/%u of their size\n",
				(unsigned long long)(budget >> 20), 1u << halvings);
	}
	return halvings;
}

static snw_mipmap decode(const snw_image *image, bool is_color, uint32_t halvings, snw_arena *arena) {
	snw_error error;
	snw_decoded_image decoded;
	snw_mipmap made = {0};
	snw_arena *scratch = snw_arena_create();
	if (snw_failed(snw_image_decode(image->bytes, image->byte_count, image->name, scratch, &decoded, &error))) {
		fprintf(stderr, "sinew: %s; its material is shown without it\n", error.text);
	} else if (halvings == 0) {
		made = snw_mipmap_make(decoded.pixels, decoded.width, decoded.height, is_color, arena);
	} else {
		const snw_mipmap whole = snw_mipmap_make(decoded.pixels, decoded.width, decoded.height, is_color, scratch);
		made = snw_mipmap_coarser(&whole, halvings, arena);
	}
	snw_arena_destroy(scratch);
	return made;
}

snw_picture *snw_pictures_decode(const snw_scene *scene, uint64_t budget, snw_arena *arena) {
	snw_picture *pictures = snw_arena_array(arena, scene->image_count, sizeof *pictures);
	snw_arena *scratch = snw_arena_create();
	const uses list = list_uses(scene, scratch);
	const uint32_t halvings = choose_halvings(&list, budget);
	for (uint32_t i = 0; i < list.count; i++) {
		const use *u = &list.items[i];
		pictures[u->index][u->is_color] = decode(&scene->images[u->index], u->is_color, halvings, arena);
	}
	snw_arena_destroy(scratch);
	return pictures;
}
