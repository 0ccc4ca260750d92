/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Influences as colours. Each joint of a skin has a colour that differs clearly from its neighbours' on the mesh, and each
 * point mixes its joints' colours by its weights (Kavan et al. 2007, figure 2). The influences are read from the skin programs
 * that a stack lowers to, so rigs, fitted blends and proxy joints are shown alike, without help from the method.
 *
 * Colours are linear light with sRGB's primaries, 0 to 1 (SNW_UNIT_COLOR).
 */
#ifndef SINEW_HOST_STACK_INFLUENCE_COLORS_H
#define SINEW_HOST_STACK_INFLUENCE_COLORS_H

#include "stack/stack.h"

typedef struct snw_influence_colors {
	bool of_skeleton; /* all are joints of the skeleton; otherwise proxy joints of a layer */
	uint32_t joint_count;
	uint32_t moving_count; /* joints that move points */
	const double *joints;  /* [joint_count][3], in the arena given to snw_influence_colors_choose */
} snw_influence_colors;

/* Chooses the colours. Each joint gets the least used colour of an even set that differs enough from its neighbours' colours.
 * The result is deterministic. False if no layer of the stack blends. */
bool snw_influence_colors_choose(const snw_scene *scene, const snw_stack *stack, snw_arena *arena,
								 snw_influence_colors *colors);

/* Whether colours chosen for another stack also fit the joints of this one. So they stay the same from method to method, and
 * while weights are painted. */
bool snw_influence_colors_fit(const snw_influence_colors *colors, const snw_scene *scene, const snw_stack *stack);

/* The mixed colour of each point of a mesh, [point_count][3]; weights below 0 count as 0. False, with nothing written, if no
 * layer blends it. */
bool snw_influence_colors_mix(const snw_influence_colors *colors, const snw_scene *scene, const snw_stack *stack, uint32_t mesh,
							  double *mixes);
/* The same for a base skin, with the colours of the skeleton's joints. */
void snw_influence_colors_mix_skin(const snw_influence_colors *colors, const snw_scene *scene, const snw_mesh *skin,
								   double *mixes);

/* "influences of 31 joints", truncated to `bytes`. */
void snw_influence_colors_text(const snw_influence_colors *colors, char *text, size_t bytes);

#endif
