/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Animations of a Collada file. Assimp 5.2 ignores tangents and <animation_clip>, and makes a clip of each <animation>, which
 * for some programs is one number of one node. So they are written again for it: an <animation> for each clip, in which each
 * curve has a sampler of its own. A file without clips has one, with all curves; or one for each outer <animation>, if these
 * move the same things. Bezier and Hermite curves become straight lines between 8 to 64 moments from key to key.
 */
#ifndef SINEW_HOST_IMPORT_ASSIMP_COLLADA_ANIMATIONS_H
#define SINEW_HOST_IMPORT_ASSIMP_COLLADA_ANIMATIONS_H

#include "import/assimp/assimp_internal.h"
#include "import/assimp/collada_text.h"

/* A curve and what it moves: "node/rotateZ.ANGLE", or "controller/weights(2)". */
typedef struct snw_collada_curve {
	snw_span target;
	bool is_of_morph; /* the caller says so: it is not for Assimp */
	snw_span sampler;
	uint32_t animation;
} snw_collada_curve;

typedef struct snw_collada_animations snw_collada_animations;

snw_collada_animations *snw_collada_animations_read(snw_assimp *a, const char *begin, const char *end);
snw_collada_curve *snw_collada_curves(const snw_collada_animations *animations, uint32_t *count);
/* The keys of a curve of one number. Its key_count is 0 if there are none. */
void snw_collada_read_keys(snw_collada_animations *animations, uint32_t curve, snw_assimp_curve *dest);
/* The libraries of animations and clips for Assimp; NULL without curves. Lists the clips in snw_assimp. */
const char *snw_collada_animations_write(snw_collada_animations *animations);

#endif
