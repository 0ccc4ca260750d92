/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samples that a fit reads: the targets and sequences of the clips that the user names. The others are held out. The layer
 * stores the selection, and its later fits use it again.
 *
 * A selection is text: a clip name on each line. The line "examples" selects the sculpted examples. NULL selects all samples.
 */
#ifndef SINEW_HOST_FIT_SAMPLES_H
#define SINEW_HOST_FIT_SAMPLES_H

#include "scene/scene.h"
#include "sinew/sinew.h"

/* Whether a selection has the examples, or a target or sequence. */
bool snw_samples_have_examples(const char *samples);
bool snw_samples_have_target(const snw_scene *scene, const char *samples, const snw_target *target);

/* Whether a fit with these needs (SNW_NEEDS_…) gets the examples. */
bool snw_samples_include_examples(uint32_t needs, const char *samples);

/* SNW_ERROR_ARGUMENT if the method reads no clips, or if it cannot read one of the names. */
snw_status snw_samples_check(const snw_scene *scene, const snw_descriptor *descriptor, const char *samples, snw_error *error);

/* The index of a target's first frame in a field over frames. Such a field has the frames of all sequences that its layer's fit
 * read, then those of all targets. SNW_NONE if the fit did not read the target, or if the field does not match the scene. */
uint32_t snw_samples_first_frame(const snw_scene *scene, const snw_field *field, uint32_t target);

/* Parses names separated by commas. A clip name may contain a comma. In `arena`. */
const char *snw_samples_parse(const snw_scene *scene, const char *text, snw_arena *arena);
/* The inverse: names separated by commas. */
const char *snw_samples_text(const char *samples, snw_arena *arena);

#endif
