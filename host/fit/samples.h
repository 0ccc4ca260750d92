/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samples that a fit reads: the targets and sequences of the clips that the user names. The others are held out. The layer
 * stores the selection, and its later fits use it again.
 *
 * A selection is text: a clip name on each line. The line "examples" selects the sculpted examples. A line that begins with a
 * tab says which frames of each clip are read ("\tcover:16"), or that the poses of the clips are read, not their targets
 * ("\tposes": a bake, which adds notes of itself). Without a name, and for NULL, all samples are selected.
 */
#ifndef SINEW_HOST_FIT_SAMPLES_H
#define SINEW_HOST_FIT_SAMPLES_H

#include "plugin/registry.h"
#include "pose/clip_times.h"
#include "scene/scene.h"
#include "sinew/sinew.h"

/* Whether a selection has the examples, or a target or sequence. */
bool snw_samples_have_examples(const char *samples);
bool snw_samples_have_target(const snw_scene *scene, const char *samples, const snw_target *target);

/* Which frames of each clip are read. */
snw_frame_choice snw_samples_frames(const char *samples);

/* The poses of some clips, in `arena`; of none: of the named poses. Whether a selection is such. */
const char *snw_samples_of_poses(const snw_scene *scene, uint32_t clip_count, const uint32_t *clips, snw_arena *arena);
bool snw_samples_are_poses(const char *samples);

/* What a bake records in its selection: the value of the i-th line "\tKEY VALUE" with this key, in `arena`; NULL beyond the
 * last one. */
const char *snw_samples_note(const char *samples, const char *key, uint32_t i, snw_arena *arena);
const char *snw_samples_add_note(const char *samples, const char *key, const char *value, snw_arena *arena);

/* Whether a selection names a clip. */
bool snw_samples_have_clip(const char *samples, const char *clip);

/* The name that selects a target or sequence: its clip's. */
const char *snw_samples_target_name(const snw_scene *scene, const snw_target *target);
/* Whether a fit with these needs (SNW_NEEDS_…) gets a target or sequence that is selected. */
bool snw_samples_can_have_target(uint32_t needs, const snw_target *target);
/* Whether the fits of the scene's layers, of those that are not muted, leave a target or sequence out that they could read. */
bool snw_samples_hold_out(const snw_scene *scene, const snw_registry *registry, const snw_target *target);

/* Whether a fit with these needs gets the examples. */
bool snw_samples_include_examples(uint32_t needs, const char *samples);

/* SNW_ERROR_ARGUMENT if the method reads no clips, or if it cannot read one of the names. */
snw_status snw_samples_check(const snw_scene *scene, const snw_descriptor *descriptor, const char *samples, snw_error *error);

/* The index of a target's first frame in a field over frames. Such a field has the frames of all sequences that its layer's fit
 * read, then those of all targets. SNW_NONE if the fit did not read the target, or if the field does not match the scene. */
uint32_t snw_samples_first_frame(const snw_scene *scene, const snw_field *field, uint32_t target);

/* The same names with other frames; NULL if both are all. In `arena`. */
const char *snw_samples_with_frames(const char *samples, snw_frame_choice choice, snw_arena *arena);
/* The same frames with other names, in the form that snw_samples_parse gives; "" for all. */
const char *snw_samples_with_names(const char *samples, const char *names, snw_arena *arena);

/* Parses names separated by commas. A clip name may contain a comma. In `arena`. */
const char *snw_samples_parse(const snw_scene *scene, const char *text, snw_arena *arena);
/* The inverse: names separated by commas; "all" if there are none. */
const char *snw_samples_text(const char *samples, snw_arena *arena);

#endif
