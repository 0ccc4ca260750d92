/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/nouns.h"

#include <stdio.h>
#include <string.h>

/* Of each noun: its word, where a scene holds the number of its things, and how one is found. */
static const struct {
	const char *word;
	size_t count;
	snw_scene_finder *find;
} nouns[SNW_NOUN_COUNT] = {
	[SNW_NOUN_MESH] = {"mesh", offsetof(snw_scene, mesh_count), snw_scene_find_mesh},
	[SNW_NOUN_JOINT] = {"joint", offsetof(snw_scene, skeleton.joint_count), snw_scene_find_joint},
	[SNW_NOUN_POSE] = {"pose", offsetof(snw_scene, pose_count), snw_scene_find_pose},
	[SNW_NOUN_CLIP] = {"clip", offsetof(snw_scene, clip_count), snw_scene_find_clip},
	[SNW_NOUN_EXAMPLE] = {"example", offsetof(snw_scene, example_count), snw_scene_find_example},
	[SNW_NOUN_GROUP] = {"group", offsetof(snw_scene, group_count), snw_scene_find_group},
	[SNW_NOUN_LAYER] = {"layer", offsetof(snw_scene, layer_count), snw_scene_find_layer},
	[SNW_NOUN_TARGET] = {"target", offsetof(snw_scene, target_count), snw_scene_find_target},
	[SNW_NOUN_SHAPE] = {"morph target", offsetof(snw_scene, channel_count), snw_scene_find_channel},
};

const char *snw_noun_word(snw_noun noun) {
	return nouns[noun].word;
}

const char *snw_noun_article(snw_noun noun) {
	return strchr("aeiou", nouns[noun].word[0]) ? "an" : "a";
}

uint32_t snw_noun_count(const snw_scene *scene, snw_noun noun) {
	return *(const uint32_t *)((const char *)scene + nouns[noun].count);
}

const char *snw_noun_name(const snw_scene *scene, snw_noun noun, uint32_t index) {
	switch (noun) {
	case SNW_NOUN_MESH:
		return scene->meshes[index].name;
	case SNW_NOUN_JOINT:
		return scene->skeleton.names[index];
	case SNW_NOUN_POSE:
		return scene->poses[index].name;
	case SNW_NOUN_CLIP:
		return scene->clips[index].name;
	case SNW_NOUN_EXAMPLE:
		return scene->examples[index].name;
	case SNW_NOUN_GROUP:
		return scene->groups[index].name;
	case SNW_NOUN_LAYER:
		return scene->layers[index].name;
	case SNW_NOUN_TARGET:
		return scene->targets[index].name;
	case SNW_NOUN_SHAPE:
		return scene->channels[index].name;
	case SNW_NOUN_COUNT:
		break;
	}
	return "";
}

/* "; there are: shoulder, elbow, …", as far as it helps. */
static void list_names(const snw_scene *scene, snw_noun noun, char *text, size_t size) {
	enum { MOST = 8 };
	const uint32_t count = snw_noun_count(scene, noun);
	size_t used = (size_t)snprintf(text, size,
								   count == 0   ? "; there is none"
								   : count == 1 ? "; there is only "
												: "; there are: ");
	for (uint32_t i = 0; i < count && i < MOST && used < size; i++) {
		used += (size_t)snprintf(text + used, size - used, "%s%.60s", i ? ", " : "", snw_noun_name(scene, noun, i));
	}
	if (count > MOST && used < size) {
		snprintf(text + used, size - used, " and %u more", count - MOST);
	}
}

snw_status snw_noun_find(const snw_scene *scene, snw_noun noun, const char *name, uint32_t *index, snw_error *error) {
	char names[600];
	const uint32_t found = nouns[noun].find(scene, name);
	if (found == SNW_NONE) {
		list_names(scene, noun, names, sizeof names);
		return snw_fail(error, SNW_ERROR_MISSING, "no %s is named '%.120s'%s", nouns[noun].word, name, names);
	}
	*index = found;
	return SNW_OK;
}

snw_status snw_noun_expect_free(const snw_scene *scene, snw_noun noun, const char *name, snw_error *error) {
	return nouns[noun].find(scene, name) == SNW_NONE
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_CONFLICT, "there is already %s %s named '%.120s'; choose another name",
						  snw_noun_article(noun), nouns[noun].word, name);
}

const char *snw_noun_free_name(const snw_scene *scene, snw_noun noun, const char *name, snw_arena *arena) {
	return snw_scene_free_name(scene, nouns[noun].find, name, arena);
}
