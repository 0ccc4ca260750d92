/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A skeleton from motion alone: finds the bones of a mesh animation, their weights and their poses.
 *
 *   1. Rigid parts: clusters of points under rigid motion, of which those that are no bones join others (merge.c), refined to
 *      a linear blend of rigid motions (motion/decompose). Each part is then made one connected piece of the surface, because
 *      parts that are far apart may happen to move alike.
 *   2. The tree: the joint of two parts is the point that both motions move to nearly the same position. Two parts are
 *      connected if they share a border and their joint is nearly fixed.
 *   3. Alternately: rotations of all bones at once, by Gauss-Newton steps on the distance, with bones of constant length; the
 *      positions of the joints, from all frames; the weights, over the bones near each point.
 *
 * After A. Kirk, J. O'Brien and D. Forsyth, Skeletal parameter estimation from optical motion capture data, 2005; S. Schaefer
 * and C. Yuksel, Example-based skeleton extraction, 2007; B. Le and Z. Deng, Robust and accurate skeletal rigging from mesh
 * sequences, 2014; and section 4.1.4 of B. Merry's thesis (Linear skinning on high-level animation space, 2007) for the
 * positions of joints. Departures: the ridge that holds a joint to its border grows with the noise of that joint alone, or,
 * where the number of bones is not given, with what its bones bend; a root above the bones has the motion of the whole body;
 * and what stands still, such as a floor, is no part of the body where that number is not given (still.c).
 *
 * Guided by a drawing, the parts are those around the bones that a person drew, and the tree is the drawing's
 * (parts.c). It is a file or the joints that the character has (drawing.c).
 * Joints are held to where they are drawn by the ridge of that section, 1e-3 in a unit box, and then, as the weights are
 * refined, to where that put them.
 */
#ifndef SINEW_DEFORMERS_MOTION_SKELETON
#define SINEW_DEFORMERS_MOTION_SKELETON

#include "sinew/kit/skin/skins.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Rows of the parameter table. */
enum { BONES, INFLUENCES, DRAWING, PARAMETER_COUNT };
enum { BONES_AUTO = 0, MOST_BONES = 128 };

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model);

#endif
