/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/session/method_pictures.h"

#include <string.h>

#include "file/file.h"
#include "picture/pictures.h"
#include "window/session/session.h"

enum { MOST_PICTURE_BYTES = 1 << 20, MOST_PICTURE_SIDE = 512 };

typedef struct method_picture method_picture;
struct method_picture {
	const char *plugin;        /* its path */
	snw_panel_picture picture; /* no pixels: it has none */
	method_picture *next;
};

struct snw_method_pictures {
	snw_arena *arena;
	method_picture *first;
};

/* A file that is not there, or is no small picture, is no fault. */
static void read_picture(const char *plugin, snw_arena *arena, snw_panel_picture *picture) {
	const char *end = strrchr(snw_path_name(plugin), '.');
	const char *path = snw_arena_format(arena, "%.*s.png", end ? (int)(end - plugin) : (int)strlen(plugin), plugin);
	snw_bytes bytes;
	snw_decoded_image image;
	if (!snw_failed(snw_file_read_limited(path, MOST_PICTURE_BYTES, arena, &bytes, NULL)) &&
		!snw_failed(snw_image_decode(bytes.data, bytes.count, path, arena, &image, NULL)) && image.width <= MOST_PICTURE_SIDE &&
		image.height <= MOST_PICTURE_SIDE) {
		*picture = (snw_panel_picture){.width = image.width, .height = image.height, .pixels = image.pixels};
	}
}

snw_panel_picture *snw_method_picture(snw_session *session, const char *plugin) {
	if (!session->method_pictures) {
		snw_arena *arena = snw_arena_create();
		session->method_pictures = SNW_NEW(arena, struct snw_method_pictures);
		session->method_pictures->arena = arena;
	}
	struct snw_method_pictures *pictures = session->method_pictures;
	method_picture *found = pictures->first;
	while (found && strcmp(found->plugin, plugin) != 0) {
		found = found->next;
	}
	if (!found) {
		found = SNW_NEW(pictures->arena, method_picture);
		*found = (method_picture){.plugin = snw_arena_text(pictures->arena, plugin), .next = pictures->first};
		read_picture(plugin, pictures->arena, &found->picture);
		pictures->first = found;
	}
	return found->picture.pixels ? &found->picture : NULL;
}

void snw_method_pictures_drop(snw_session *session) {
	struct snw_method_pictures *pictures = session->method_pictures;
	for (method_picture *picture = pictures ? pictures->first : NULL; picture; picture = picture->next) {
		snw_panel_picture_drop(session->renderer, &picture->picture);
	}
	if (pictures) {
		snw_arena_destroy(pictures->arena);
	}
	session->method_pictures = NULL;
}
