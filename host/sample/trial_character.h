/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small character for the checks of plug-ins, with everything that a fit may ask for.
 */
#ifndef SINEW_HOST_SAMPLE_TRIAL_CHARACTER_H
#define SINEW_HOST_SAMPLE_TRIAL_CHARACTER_H

#include "scene/scene.h"

/* Two meshes: "tube", which bends at "elbow" and twists at "wrist", with a morph target and a painted field "mask"; and
 * "bead" on the wrist. Three joints; poses "rest", "bent", "twisted", "both"; examples "bent" and "twisted" of the tube with
 * a bulge, each in its own group; a clip "move" with its target; a sequence "swing". No layers. Ends the process if it is
 * inconsistent, which would be a bug of this program. */
snw_scene *snw_trial_character(void);

/* Only the tube, for methods that make a skin of a mesh animation: the sequence "swing" with its clip, no skeleton, no skin.
 * Poses "rest", outside any clip, and three moments of the clip, one of them between frames and one past its end. */
snw_scene *snw_trial_sequence(void);

/* How another one differs. The joints of a sequence, which has none, and its meshes, of which it has one, do not. */
typedef enum snw_trial_shape {
	SNW_TRIAL_USUAL,
	SNW_TRIAL_FLAT, /* sheets, in one plane at rest, in place of the tube and the bead */
	SNW_TRIAL_MORE_POINTS,
	SNW_TRIAL_FEWER_POINTS,
	SNW_TRIAL_MORE_JOINTS,  /* a joint "hand" beyond the wrist */
	SNW_TRIAL_FEWER_JOINTS, /* no wrist: what twists is the elbow */
	SNW_TRIAL_MORE_MESHES,  /* a second bead, where the first one is */
	SNW_TRIAL_FEWER_MESHES, /* no bead */
} snw_trial_shape;

snw_scene *snw_trial_character_like(snw_trial_shape shape);
snw_scene *snw_trial_sequence_like(snw_trial_shape shape);

#endif
