/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which joints move what, as colours: each joint of a skin has one, well apart from those of its neighbours on the mesh, and each
 * point is the mix of its joints' colours by its weights (Kavan et al. 2007, figure 2). It is read from the skin programs that a
 * stack lowers to, so it is there for a rig, a fitted blend and proxy joints alike, without a word from the method.
 *
 * Colours are linear light with sRGB's primaries, 0 to 1 (SNW_UNIT_COLOR).
 */
#ifndef SINEW_HOST_STACK_INFLUENCE_COLORS_H
#define SINEW_HOST_STACK_INFLUENCE_COLORS_H

#include "stack/stack.h"

typedef struct snw_influence_colors {
	bool of_skeleton;      /* all are the skeleton's joints; else there are a layer's proxy joints */
	uint32_t joint_count;  /* that there are */
	uint32_t moving_count; /* of them, those that move something */
	const double *joints;  /* [joint_count][3], in the arena they were chosen with */
} snw_influence_colors;

/* Chooses them: each joint in turn gets, of an even set of colours, one that is far enough from its neighbours' and was given
 * least often. False where the stack blends nothing. The same stack, the same colours. */
bool snw_influence_colors_choose(const snw_scene *scene, const snw_stack *stack, snw_arena *arena,
								 snw_influence_colors *colors);

/* Whether colours that were chosen for another stack stand for the joints of this one too: so they stay from one method to the
 * next, and while weights are painted. */
bool snw_influence_colors_fit(const snw_influence_colors *colors, const snw_scene *scene, const snw_stack *stack);

/* The mix at each point of a mesh, [point_count][3]; weights below 0 count as 0. False, and nothing written, where nothing blends
 * it. */
bool snw_influence_colors_mix(const snw_influence_colors *colors, const snw_scene *scene, const snw_stack *stack, uint32_t mesh,
							  double *mixes);
/* The same for a base skin, by the colours of the skeleton's joints. */
void snw_influence_colors_mix_skin(const snw_influence_colors *colors, const snw_scene *scene, const snw_mesh *skin,
								   double *mixes);

/* "influences of 31 joints", cut to `bytes`. */
void snw_influence_colors_words(const snw_influence_colors *colors, char *words, size_t bytes);

#endif
