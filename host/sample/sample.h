/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sample characters made by the program, with a ground truth by formula.
 */
#ifndef SINEW_HOST_SAMPLE_SAMPLE_H
#define SINEW_HOST_SAMPLE_SAMPLE_H

#include "scene/scene.h"

/* "arm": a smooth arm of about 10,000 points and three joints (shoulder, elbow, wrist), with the clips "bend", "twist" and
 * "both", their targets, and two sculpts. Its ground truth keeps the volume: the tube is swept along a circular arc through
 * the elbow with a constant cross-section, and the twist is spread evenly along the forearm. "small-arm": the same with a
 * quarter of the points; "tiny-arm": with a sixteenth, for what does not depend on how many there are. "bar": a sequence that
 * bends and twists, without a skeleton. "cloth": a hanging sheet in the wind, simulated. "face": 104 shapes of a head, as a set
 * of poses. "tube": two joints that bend and twist to 90°, with targets that keep the tube's cross-section. "dressed": a figure
 * of five meshes with a skeleton, two skins, shapes and a clip, whose sides are not alike. "limbs": 100 meshes, 300 joints and
 * 200 sculpts, to see what many of them cost. "twist-bar", "elbow" and "muscle-arm": three poses to train on and others to test
 * with (trained_limbs.h). SNW_ERROR_MISSING lists the samples. */
snw_status snw_sample_make(const char *name, snw_scene **scene, snw_error *error);

#endif
