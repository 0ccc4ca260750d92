/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packs displacements by the blocks of their points.
 */
#ifndef SINEW_HOST_PROGRAM_PACK_DISPLACEMENTS_H
#define SINEW_HOST_PROGRAM_PACK_DISPLACEMENTS_H

#include "program/packed.h"

/* The program's places and blocks are known. */
void snw_pack_displacements(const snw_displacements *from, const snw_packed_program *packed, snw_packed_displacements *to);

#endif
