/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a command can name in a scene, and the one message for a name that is not there.
 */
#ifndef SINEW_HOST_SCENE_NOUNS_H
#define SINEW_HOST_SCENE_NOUNS_H

#include "base/error.h"
#include "scene/scene.h"

typedef enum snw_noun {
	SNW_NOUN_MESH,
	SNW_NOUN_JOINT,
	SNW_NOUN_POSE,
	SNW_NOUN_CLIP,
	SNW_NOUN_EXAMPLE,
	SNW_NOUN_GROUP,
	SNW_NOUN_LAYER,
	SNW_NOUN_TARGET,
	SNW_NOUN_SHAPE, /* a morph target: a channel of the scene */
	SNW_NOUN_COUNT
} snw_noun;

/* "joint"; "morph target". */
const char *snw_noun_word(snw_noun noun);
/* "a" or "an". */
const char *snw_noun_article(snw_noun noun);
uint32_t snw_noun_count(const snw_scene *scene, snw_noun noun);
const char *snw_noun_name(const snw_scene *scene, snw_noun noun, uint32_t index);

/* The index of what has the name; SNW_ERROR_MISSING lists what there is. */
snw_status snw_noun_find(const snw_scene *scene, snw_noun noun, const char *name, uint32_t *index, snw_error *error);
/* SNW_ERROR_CONFLICT if something has the name. */
snw_status snw_noun_expect_free(const snw_scene *scene, snw_noun noun, const char *name, snw_error *error);
/* As snw_scene_free_name. */
const char *snw_noun_free_name(const snw_scene *scene, snw_noun noun, const char *name, snw_arena *arena);

#endif
