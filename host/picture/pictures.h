/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decoding the pictures of a character. They are untrusted, and together they have a memory budget: if they exceed it, all are
 * made coarser by the same number of halvings. The worker does this, not the program.
 */
#ifndef SINEW_HOST_PICTURE_PICTURES_H
#define SINEW_HOST_PICTURE_PICTURES_H

#include "picture/mipmap.h"
#include "task/task.h"

/* A picture in one of its two uses: as colours, or as data. */
typedef struct snw_picture_use {
	const char *name;
	const unsigned char *bytes; /* PNG or JPEG */
	size_t byte_count;
	bool is_color;
} snw_picture_use;

/* decoded [count], in `arena`: at most `budget` bytes of finest levels, and one more picture while it is decoded. A picture
 * that cannot be read has no pixels, and is reported as a notice. */
void snw_pictures_decode(const snw_picture_use *uses, uint32_t count, uint64_t budget, const snw_task *task, snw_arena *arena,
						 snw_mipmap *decoded);

#endif
