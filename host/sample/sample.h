/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Characters that the program makes itself, with a truth of their own formula to be measured against.
 */
#ifndef SINEW_HOST_SAMPLE_SAMPLE_H
#define SINEW_HOST_SAMPLE_SAMPLE_H

#include "scene/scene.h"

/* "arm": a smooth arm of about 10,000 points and three joints (shoulder, elbow, wrist), with the clips "bend", "twist" and
 * "both", their targets, and two sculpts from a volume-keeping truth: the tube swept along a circular arc through the elbow
 * with its cross-section kept, twist spread evenly along the forearm. "small-arm": the same with a quarter
 * of the points. "bar": a sequence that bends and twists, without a skeleton. "cloth": a hanging square in the wind, simulated. "tube":
 * two joints that bend and twist to 90°, with targets that keep the tube's sections. SNW_ERROR_MISSING names the samples there are. */
snw_status snw_sample_make(const char *name, snw_scene **scene, snw_error *error);

#endif
