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
#include "pose/clip.h"
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

/* ---- the reference of sculpts -------------------------------------------------------------------------------------------- */

/* The reference of a sculpt: the skin without sculpts, from the layers below the corrective. */

/* The layer that learns from sculpts: the topmost unmuted one whose method needs examples; SNW_NONE if there is none. */
uint32_t snw_reference_layer(const snw_scene *scene, const snw_registry *registry);

/* One mesh below that layer (through the whole stack if there is none) in each pose: points[i] is [point_count][3]. */
snw_status snw_reference_points(const snw_scene *scene, const snw_registry *registry, uint32_t mesh, uint32_t pose_count,
								const snw_pose *const *poses, double *const *points, snw_error *error);

/* Finds the edited points of a sculpt: those farther than `tolerance` (metres, along an axis) from `below`. If all are,
 * `edited` becomes NULL. */
void snw_example_find_edited(snw_example *example, uint32_t point_count, const double *below, double tolerance,
							 snw_arena *arena);

/* Places the unedited points of the scene's examples where the layers below the corrective put them; without a corrective,
 * where the stack puts them, but for a learned blend, which gives way to the blend that it replaces. */
snw_status snw_examples_place_unedited(snw_scene *scene, const snw_registry *registry, snw_error *error);

/* The example of a mesh in a pose, which may be a moment of a clip: of this pose, else of one that is the same; SNW_NONE if
 * there is none. */
uint32_t snw_sculpt_example(const snw_scene *scene, uint32_t mesh, const snw_pose *pose);

/* The initial points of a sculpt on a mesh in a pose, [point_count][3] each, in `arena`. `original` is the skin without
 * sculpts: the layers below the corrective. `points` is the example (an index, SNW_NONE for none) at its edited points and the
 * original elsewhere; without an example, the skin of the whole stack. `corrective` is the reference layer. */
snw_status snw_sculpt_points(const snw_scene *scene, const snw_registry *registry, uint32_t mesh, const snw_pose *pose,
							 uint32_t example, uint32_t corrective, snw_arena *arena, double **points, double **original,
							 snw_error *error);

/* ---- morph shape --------------------------------------------------------------------------------------------------------- */

/* Shapes that the morph brush moves a sculpt towards, in the pose that is sculpted. */

typedef enum snw_morph_kind {
	SNW_MORPH_BELOW = 0, /* the skin below the sculpt */
	SNW_MORPH_REST,      /* the rest, moved by the joints alone: linear blend */
	SNW_MORPH_EXAMPLE,   /* another example */
} snw_morph_kind;

/* The shape of a mesh in a pose (NULL: the rest), [point_count][3] in `arena`. `below` is the skin below the sculpt there. An
 * example's displacement from the skin below it in its own pose is turned with each point, from that pose to this one, by the
 * rotation in the point's blended matrix, and added to `below`. In its own pose it is the example itself. `example` SNW_NONE,
 * or one of another mesh: `below`. */
snw_status snw_morph_shape(const snw_scene *scene, const snw_registry *registry, uint32_t mesh, const snw_pose *pose,
						   snw_morph_kind kind, uint32_t example, const double *below, snw_arena *arena, double **points,
						   snw_error *error);

#endif
