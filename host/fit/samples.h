/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which samples a fit reads: the targets and sequences of the clips that the user names, so that the others can be held out. The
 * choice is a setting of the layer: later fits of the layer keep it.
 *
 * A choice is text: names of clips, a line each; the word "examples" among them stands for the sculpted examples. NULL is no
 * choice: a fit reads everything there is.
 */
#ifndef SINEW_HOST_FIT_SAMPLES_H
#define SINEW_HOST_FIT_SAMPLES_H

#include "scene/scene.h"
#include "sinew/sinew.h"

/* Whether a choice takes the examples in, and whether it takes a target (or a sequence) in. */
bool snw_samples_have_examples(const char *samples);
bool snw_samples_have_target(const snw_scene *scene, const char *samples, const snw_target *target);

/* Whether a fit with these needs (SNW_NEEDS_…) is given the examples. */
bool snw_samples_give_examples(uint32_t needs, const char *samples);

/* SNW_ERROR_ARGUMENT where the method reads nothing that could be chosen, or a name stands for nothing that it could read. */
snw_status snw_samples_check(const snw_scene *scene, const snw_descriptor *descriptor, const char *samples, snw_error *error);

/* Where the frames of a target begin in a field over frames: those of all sequences that the fit of the field's layer read, then
 * those of all such targets. SNW_NONE where the fit did not read that target, or the field does not fit the scene. */
uint32_t snw_samples_first_frame(const snw_scene *scene, const snw_field *field, uint32_t target);

/* From names between commas, as people write them. A clip whose name holds a comma is found whole. In `arena`. */
const char *snw_samples_parse(const snw_scene *scene, const char *text, snw_arena *arena);
/* The other way: names between commas. */
const char *snw_samples_text(const char *samples, snw_arena *arena);

#endif
