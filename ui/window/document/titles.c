/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/document/titles.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "pose/joint_title.h"
#include "stack/stack.h"

const char *snw_method_title(const snw_registry *registry, const char *method) {
	const snw_deformer *deformer = snw_registry_find(registry, method);
	return deformer ? deformer->descriptor->name : method;
}

const char *snw_layer_title(const snw_registry *registry, const snw_layer *layer, char *words, size_t size) {
	const snw_deformer *deformer = snw_registry_find(registry, layer->deformer);
	const char *stem = deformer ? deformer->descriptor->short_name : "";
	const size_t length = strlen(stem);
	if (!deformer || strncmp(layer->name, stem, length) != 0) {
		return layer->name;
	}
	const char *rest = layer->name + length;
	if (!rest[0]) {
		return deformer->descriptor->name;
	}
	if (rest[0] != '-' || !rest[1] || rest[1 + strspn(rest + 1, "0123456789")]) {
		return layer->name;
	}
	snprintf(words, size, "%s %s", deformer->descriptor->name, rest + 1);
	return words;
}

/* The deformer whose short name a word is; NULL if it is none, or an ordinary word where no method is meant. */
static const snw_deformer *find_named(const snw_registry *registry, const char *word, size_t length, bool is_meant) {
	for (uint32_t i = 0; i < snw_registry_count(registry); i++) {
		const snw_deformer *deformer = snw_registry_get(registry, i)->deformer;
		const char *name = deformer ? deformer->descriptor->short_name : "";
		if (strlen(name) == length && memcmp(name, word, length) == 0) {
			return is_meant || memchr(word, '-', length) ? deformer : NULL;
		}
	}
	return NULL;
}

const char *snw_words_with_titles(const snw_registry *registry, const char *text, char *words, size_t size) {
	size_t used = 0;
	bool is_meant = false;
	words[0] = '\0';
	while (*text && used + 1 < size) {
		const size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz-"), whole = length > 0 ? length : 1;
		const snw_deformer *deformer = length > 0 ? find_named(registry, text, length, is_meant) : NULL;
		used += (size_t)(deformer ? snprintf(words + used, size - used, "%s", deformer->descriptor->name)
								  : snprintf(words + used, size - used, "%.*s", (int)whole, text));
		is_meant = length == 0 ? is_meant : strncmp(text, "layer ", 6) == 0 || strncmp(text, "fitting ", 8) == 0;
		text += whole;
	}
	return words;
}

const char *snw_method_purpose(const snw_descriptor *descriptor) {
	const uint32_t needs = descriptor->needs, traits = descriptor->traits;
	if (traits & SNW_BASELINE) {
		return "The skin as it came with the file.";
	}
	if (traits & SNW_CORRECTS) {
		return "For sculpts: reproduces each in its pose and interpolates between them.";
	}
	if (traits & SNW_BINDS) {
		return traits & SNW_REPLACES_BLEND ? "Blends the weights of the file in another way. Needs no fit."
										   : "Changes the shape that the layers below it make. Needs no fit.";
	}
	if (needs & SNW_NEEDS_FRAMES) {
		return "Plays animated meshes (caches, simulations) as a skin. Not for a few sculpts.";
	}
	if (needs & SNW_NEEDS_SEQUENCE) {
		return "For animated meshes without a skeleton.";
	}
	return traits & SNW_REPLACES_BLEND ? "Learns a blend in place of the file's from many poses: a target or examples."
									   : "Learns what to add to the layers below from many poses: a target or examples.";
}

const char *snw_missing_words(const snw_registry *registry, const snw_scene *scene, uint32_t layer, char *words, size_t size) {
	const uint32_t replaced = snw_replaced_blend(scene, registry, layer);
	char title[200] = "";
	int used = snprintf(words, size, "The plug-in is missing. The layer stays in the project but has no effect.");
	if (replaced != SNW_NONE && used > 0 && (size_t)used < size) {
		snprintf(words + used, size - (size_t)used,
				 " It replaced %s, which is muted, so nothing follows the joints: unmute that layer until the plug-in is back.",
				 snw_layer_title(registry, &scene->layers[replaced], title, sizeof title));
	}
	return words;
}

const char *snw_sentence_case(const char *name, char *words, size_t size) {
	snprintf(words, size, "%s", name);
	words[0] = (char)toupper((unsigned char)words[0]);
	return words;
}

snw_search_rank snw_search_rank_of(const char *name, const char *typed) {
	const size_t length = strlen(typed);
	return length == 0 || strcasecmp(name, typed) == 0 ? SNW_SEARCH_EXACT
		   : strncasecmp(name, typed, length) == 0     ? SNW_SEARCH_BEGINS
		   : strcasestr(name, typed)                   ? SNW_SEARCH_CONTAINS
													   : SNW_SEARCH_LACKS;
}

snw_search_rank snw_joint_search_rank(const snw_skeleton *skeleton, uint32_t joint, const char *typed, snw_arena *arena) {
	const char *name = skeleton->names[joint];
	const snw_search_rank whole = snw_search_rank_of(name, typed), part = snw_search_rank_of(snw_joint_short_name(name), typed);
	const snw_search_rank named = whole < part ? whole : part;
	return named < SNW_SEARCH_LACKS ? named : snw_search_rank_of(snw_joint_title(skeleton, joint, arena), typed);
}

const char *snw_joint_words(const snw_skeleton *skeleton, uint32_t joint, char *words, size_t size) {
	snw_arena *scratch = snw_arena_create();
	snprintf(words, size, "%s", snw_joint_title(skeleton, joint, scratch));
	snw_arena_destroy(scratch);
	return words;
}

const char *snw_joint_short_name(const char *name) {
	static const char *const wholes[] = {"skeleton", "armature", "character", "rig"};
	const char *colon = strrchr(name, ':');
	const char *rest = colon && colon[1] ? colon + 1 : name;
	for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
		const size_t length = strlen(wholes[i]);
		const bool begins = strncasecmp(rest, wholes[i], length) == 0 && strchr("_|.- ", rest[length]) && rest[length];
		if (begins && rest[length + 1]) {
			return rest + length + 1;
		}
	}
	return rest;
}

const char *snw_joint_label(const snw_skeleton *skeleton, uint32_t joint, char *words, size_t size) {
	char title[200];
	snprintf(words, size, "%s##%.200s", snw_joint_words(skeleton, joint, title, sizeof title), skeleton->names[joint]);
	return words;
}

const char *snw_shape_short_name(const snw_scene *scene, uint32_t channel) {
	const char *name = scene->channels[channel].name;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const size_t length = strlen(scene->meshes[m].name);
		if (strncmp(name, scene->meshes[m].name, length) == 0 && name[length] == '.' && name[length + 1]) {
			return name + length + 1;
		}
	}
	return name;
}

uint32_t snw_shape_first(const snw_scene *scene, uint32_t channel) {
	uint32_t first = 0;
	while (strcmp(snw_shape_short_name(scene, first), snw_shape_short_name(scene, channel)) != 0) {
		first++;
	}
	return first;
}
