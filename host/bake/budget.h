/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a baked skin may cost.
 */
#ifndef SINEW_HOST_BAKE_BUDGET_H
#define SINEW_HOST_BAKE_BUDGET_H

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

typedef struct snw_budget {
	uint32_t influences; /* of a point */
	uint32_t joints;     /* that move points, helper joints and proxy joints included */
	uint32_t helpers;    /* helper joints */
	uint32_t proxies;    /* proxy joints of a mesh, in place of the rig's */
	uint32_t morphs;     /* morph targets of a mesh */
	uint64_t bytes;      /* of the glTF file; 0: any */
} snw_budget;

/* "influences=4,joints=80,helpers=24,proxies=40,morphs=8,bytes=2M": parts in any order, each at most once; others are 4, 255,
 * 0, 0, 0 and any. Bytes may end in k,
 * M or G. SNW_ERROR_ARGUMENT names the part and what is expected. */
snw_status snw_budget_parse(const char *text, snw_budget *budget, snw_error *error);

/* The inverse, with all parts; bytes only where they are limited. In `arena`. */
const char *snw_budget_text(const snw_budget *budget, snw_arena *arena);

#endif
