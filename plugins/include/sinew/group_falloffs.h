/* SPDX-License-Identifier: MIT
 *
 * An extension of deformers that interpolate the examples of a group: falloffs, which say under a name how the influence of an
 * example changes with the pose. Interfaces offer them for each group. A plug-in that has it includes this header beside
 * sinew/sinew.h.
 */
#ifndef SINEW_GROUP_FALLOFFS_H
#define SINEW_GROUP_FALLOFFS_H

#include "sinew/deformer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The id that snw_deformer.extension is asked for. */
#define SNW_GROUP_FALLOFFS "org.sinew.group-falloffs/0"

/* The table. Each falloff sets the same parameters, which have SNW_SCOPE_GROUP. Interfaces have handles for the one with
 * SNW_ROLE_WIDTH, if there is one. */
typedef struct snw_group_falloffs {
	uint32_t size;
	uint32_t count;              /* at least 1 */
	const char *const *names;    /* [count]: different words without blanks, such as "steady" */
	const char *const *settings; /* [count]: "KEY=VALUE KEY=VALUE", the values written as people write them */
} snw_group_falloffs;

#ifdef __cplusplus
}
#endif

#endif
