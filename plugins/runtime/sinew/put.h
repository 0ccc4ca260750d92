/* SPDX-License-Identifier: MIT
 *
 * Filling a struct that the host has sized: the members that both sides know are copied, and the host's size stays.
 *
 *     SNW_PUT(layout, snw_model_layout, .d_count = 1, .scratch_bytes = 64);
 *
 * For plug-in authors: header only, optional, not part of the binary interface.
 */
#ifndef SINEW_PUT_H
#define SINEW_PUT_H

#include <string.h>

#include "sinew/base.h"

/* Both are growable structs of one type, with their sizes set. */
static inline void snw_put(void *dest, const void *value) {
	uint32_t room, size;
	memcpy(&room, dest, sizeof room);
	memcpy(&size, value, sizeof size);
	const size_t count = room < size ? room : size;
	if (count > sizeof room) {
		memcpy((char *)dest + sizeof room, (const char *)value + sizeof room, count - sizeof room);
	}
}

/* The same for members as they are listed, those that are not being 0. In C++ they are in the order of the struct. */
#define SNW_PUT(dest, type, ...)                                                                                               \
	do {                                                                                                                       \
		const type snw_put_value = {.size = sizeof(type), __VA_ARGS__};                                                        \
		snw_put((dest), &snw_put_value);                                                                                       \
	} while (0)

#endif
