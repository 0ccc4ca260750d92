/* SPDX-License-Identifier: MIT
 *
 * An extension of deformers whose fit learns from samples (SNW_NEEDS_SAMPLES) what engines play, within limits: `sinew bake` fits
 * them to what any stack makes. A plug-in that has it includes this header beside sinew/sinew.h.
 */
#ifndef SINEW_BAKE_H
#define SINEW_BAKE_H

#include "sinew/deformer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The id that snw_deformer.extension is asked for. */
#define SNW_BAKE "org.sinew.bake/0"

/* The table: the keys of the integer parameters that hold the limits. NULL for a limit that the method does not have.
 *   influences     with SNW_REPLACES_BLEND: it lowers to a linear blend of the joints with at most so many weights a point, none of
 *                  them negative
 *   displacements  without: it lowers to at most so many rest displacements a mesh over the layers below */
typedef struct snw_bake_limits {
	uint32_t size;
	const char *influences;
	const char *displacements;
} snw_bake_limits;

#ifdef __cplusplus
}
#endif

#endif
