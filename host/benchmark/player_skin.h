/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skin files (docs/skin-file.md) of synthetic programs, in memory, for the benchmark of the C player and its tests.
 */
#ifndef SINEW_HOST_BENCHMARK_PLAYER_SKIN_H
#define SINEW_HOST_BENCHMARK_PLAYER_SKIN_H

#include "sample/synthetic_program.h"

/* The points of a program with up to 8 influences, and its displacements at rest as morph targets, which `group_count`
 * groups of a pose space drive in turn. Each slot is a joint at the origin, below the slot before it. Each group has two joints
 * and one example for each of its targets, with the kernel "cone". Returns the bytes, in `arena`. */
unsigned char *snw_player_skin_make(const snw_program *program, uint32_t group_count, snw_arena *arena, size_t *byte_count);

#endif
