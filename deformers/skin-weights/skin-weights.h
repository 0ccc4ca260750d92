/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights for a skeleton and meshes without a skin.
 *
 *   1. Heat (I. Baran, J. Popović, Automatic rigging and animation of 3D characters, 2007, section 4): the weights of a bone
 *      are the equilibrium of heat on the surface, with the bone at 1 and the others at 0:
 *
 *          (L + A H) w_j = A H p_j,   H_i = c / d_i²
 *
 *      L is the cotangent Laplacian, A the areas of points, d_i the distance of point i to its nearest bone in sight, and p_j
 *      is 1 where that is bone j. Equally near bones share p.
 *   2. Where meshes and poses are known (targets, examples, sequences with poses): non-negative least squares at each point
 *      over the bones that heat gives it, with a ridge toward the heat's weights.
 *
 * Departures, all for skin that is thick compared with the bones in it:
 *   - A bone competes for a point by its distance, plus a part of the way that the point is on the wrong side of the planes
 *     through joints that separate bones, over a power of the bone's thickness. So a trunk reaches as far as it is thick. Bones
 *     that are about equally near share the point.
 *   - The planes are a little below the joints, where skin folds, and at a right angle to the way that the limb takes there as
 *     far as it is thick, not to the bones at the joint, which may zigzag in a thick body.
 *   - A limb that goes on is a trunk, as far from its bones as the surface beside them. What branches off has no claim in it: a
 *     collarbone begins where it leaves the chest. Where branches of one trunk share a point, as two legs do, the trunk gets
 *     most of what they share.
 *   - Heat falls with a lower power of the distance than the second.
 *   - A joint without children heats more strongly, because nothing beyond it moves: a head is rigid.
 *   - The weights are raised to a high power and normalised, so that heat decides little more than the borders, and then evened
 *     out by a step of diffusion, wider where the body is thick: (A / t + L) w' = A w / t.
 *
 * A bone is in sight of a point if it is behind the surface there, by a wide margin, and not much farther than the nearest
 * bone, which needs no rays; a piece of surface that sees no bone takes the nearest ones. Negative cotangent weights count as
 * 0, so that all weights are from 0 to 1. A joint without children gets a bone that goes on as its parent's does; a bone that
 * is outside all meshes, as that of a root on the ground, gets no weights. A connected piece whose volume is negative is inside
 * out, and its normals are taken the other way.
 *
 * The constants (heat.c, limbs.c) were chosen on a human, for the least error of linear blend. The rules
 * were tried on seven other rigged characters too; docs/skeletons.md says with which result.
 */
#ifndef SINEW_DEFORMERS_SKIN_WEIGHTS
#define SINEW_DEFORMERS_SKIN_WEIGHTS

#include "sinew/kit/skin/skins.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Rows of the parameter table. */
enum { SOURCE, INFLUENCES, SPREAD, RIDGE, PARAMETER_COUNT };
enum { SOURCE_AUTO, SOURCE_HEAT };

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model);

#endif
