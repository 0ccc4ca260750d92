/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What people read for methods, layers and joints: a method's title in place of its short name, and what it is for; a joint's
 * part of the body in place of its name.
 */
#ifndef SINEW_UI_WINDOW_DOCUMENT_TITLES_H
#define SINEW_UI_WINDOW_DOCUMENT_TITLES_H

#include "plugin/registry.h"
#include "scene/scene.h"

/* The title of the deformer with this id or short name; the given name if none is loaded. */
const char *snw_method_title(const snw_registry *registry, const char *method);
/* The title of a layer. A layer that still has the short name of its method, with or without a number, gets the method's title
 * ("Smooth 2"); one that was renamed keeps its name. Written to `words` where needed. */
const char *snw_layer_title(const snw_registry *registry, const snw_layer *layer, char *words, size_t size);
/* A text of the journal or of a job, with the titles of methods in place of their short names: "mute layer sad" becomes
 * "mute layer Skinning arbitrary deformations". A short name of one plain word counts only after "layer" or "fitting". Written
 * to `words`, which are returned. */
const char *snw_words_with_titles(const snw_registry *registry, const char *text, char *words, size_t size);
/* One sentence by what the deformer declares: when to use it. */
const char *snw_method_purpose(const snw_descriptor *descriptor);

/* What the plug-in of a layer being missing means, and what to do if it had replaced the character's blend. Written to `words`,
 * which are returned. */
const char *snw_missing_words(const snw_registry *registry, const snw_scene *scene, uint32_t layer, char *words, size_t size);

/* The name of a morph target without that of its mesh, which an import puts before it: "smile" of "body.smile". Part of its
 * name. */
const char *snw_shape_short_name(const snw_scene *scene, uint32_t channel);
/* The first channel with that short name: one slider is for all of them. */
uint32_t snw_shape_first(const snw_scene *scene, uint32_t channel);

/* A name in sentence case: "Smooth" for "smooth". Written to `words`, which are returned. */
const char *snw_sentence_case(const char *name, char *words, size_t size);

/* How well a name fits what is typed to find it: it is that, begins with it, contains it, or does none of these. All fit "". */
typedef enum snw_search_rank {
	SNW_SEARCH_EXACT = 0,
	SNW_SEARCH_BEGINS = 1,
	SNW_SEARCH_CONTAINS = 2,
	SNW_SEARCH_LACKS = 3,
} snw_search_rank;
snw_search_rank snw_search_rank_of(const char *name, const char *typed);

/* A joint's title (pose/joint_title.h), written to `words`, which are returned. */
const char *snw_joint_words(const snw_skeleton *skeleton, uint32_t joint, char *words, size_t size);
/* A joint's name without what all joints of its skeleton may begin with: a namespace ("mixamorig:"), "Skeleton_", "Armature|".
 * Part of `name`. */
const char *snw_joint_short_name(const char *name);
/* By its name, with and without what all begin with; if it lacks what is typed, by its title, which is made in `arena`. */
snw_search_rank snw_joint_search_rank(const snw_skeleton *skeleton, uint32_t joint, const char *typed, snw_arena *arena);
/* The text of a widget for a joint: its title, and its name to tell it from others of the same title, "Right
 * shoulder##upperarm_r". Written to `words`, which are returned. */
const char *snw_joint_label(const snw_skeleton *skeleton, uint32_t joint, char *words, size_t size);

#endif
