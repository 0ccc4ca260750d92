/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture/pictures.h"

#include "picture/decode.h"

/* 0 if the header of a picture cannot be read. */
typedef struct sides {
	uint32_t width, height;
} sides;

static uint64_t count_bytes(const sides *sizes, uint32_t count, uint32_t halvings) {
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < count; i++) {
		bytes += 4 * (uint64_t)snw_mipmap_side(sizes[i].width, halvings) * snw_mipmap_side(sizes[i].height, halvings);
	}
	return bytes;
}

static uint32_t choose_halvings(const sides *sizes, uint32_t count, uint64_t budget, const snw_task *task) {
	uint32_t halvings = 0;
	while (halvings < 31 && count_bytes(sizes, count, halvings) > budget) {
		halvings++;
	}
	if (halvings > 0) {
		snw_task_notice(task, SNW_LOG_WARNING, "the pictures need more than %llu MiB; they are shown at 1/%u of their size",
						(unsigned long long)(budget >> 20), 1u << halvings);
	}
	return halvings;
}

static snw_mipmap decode(const snw_picture_use *use, uint32_t halvings, const snw_task *task, snw_arena *arena) {
	snw_error error;
	snw_decoded_image decoded;
	snw_mipmap made = {0};
	snw_arena *scratch = snw_arena_create();
	if (snw_failed(snw_image_decode(use->bytes, use->byte_count, use->name, scratch, &decoded, &error))) {
		snw_task_notice(task, SNW_LOG_WARNING, "%s; its material is shown without it", error.text);
	} else if (halvings == 0) {
		made = snw_mipmap_make(decoded.pixels, decoded.width, decoded.height, use->is_color, arena);
	} else {
		const snw_mipmap whole = snw_mipmap_make(decoded.pixels, decoded.width, decoded.height, use->is_color, scratch);
		made = snw_mipmap_coarser(&whole, halvings, arena);
	}
	snw_arena_destroy(scratch);
	return made;
}

void snw_pictures_decode(const snw_picture_use *uses, uint32_t count, uint64_t budget, const snw_task *task, snw_arena *arena,
						 snw_mipmap *decoded) {
	sides *sizes = SNW_NEW_ARRAY(arena, sides, count);
	for (uint32_t i = 0; i < count; i++) {
		(void)snw_image_size(uses[i].bytes, uses[i].byte_count, uses[i].name, &sizes[i].width, &sizes[i].height, NULL);
	}
	const uint32_t halvings = choose_halvings(sizes, count, budget, task);
	for (uint32_t i = 0; i < count; i++) {
		decoded[i] = decode(&uses[i], halvings, task, arena);
	}
}
