/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small character that plug-ins are tried on: all that a fit may ask for, made on the spot.
 */
#ifndef SINEW_HOST_SAMPLE_TRIAL_CHARACTER_H
#define SINEW_HOST_SAMPLE_TRIAL_CHARACTER_H

#include "scene/scene.h"

/* Two meshes: "tube", bent at "elbow" and twisted at "wrist", with a morph target and a painted field "mask", and "bead", which
 * sits on the wrist. Three joints; poses "rest", "bent", "twisted", "both"; examples "bent" and "twisted", each in its group, of
 * the tube with a bulge; a clip "move" with its target; a sequence "swing". No layers. Ends the process where its own check
 * fails, which is a fault of this program. */
snw_scene *snw_trial_character(void);

/* Its tube alone, for methods that make a skin of a mesh animation: the sequence "swing" with its clip, no skeleton, no skin. Poses
 * "rest", outside any clip, and three moments of the clip, one of them between frames and one past its end. */
snw_scene *snw_trial_sequence(void);

#endif
