/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decoding the pictures of a character. They come from strangers, and their sum has a budget: pictures that would go over it are all
 * shown coarser, by the same number of halvings. The worker does this, not the program.
 */
#ifndef SINEW_HOST_PICTURE_PICTURES_H
#define SINEW_HOST_PICTURE_PICTURES_H

#include "base/task.h"
#include "picture/mipmap.h"

/* A picture in one of its two uses: as colours, or as data. */
typedef struct snw_picture_use {
	const char *name;
	const unsigned char *bytes; /* PNG or JPEG */
	size_t byte_count;
	bool is_color;
} snw_picture_use;

/* decoded [count], in `arena`: at most `budget` bytes of finest levels; one picture more is in memory while it is decoded. One that
 * cannot be read has no pixels, and a notice. */
void snw_pictures_decode(const snw_picture_use *uses, uint32_t count, uint64_t budget, const snw_task *task, snw_arena *arena,
						 snw_mipmap *decoded);

#endif
