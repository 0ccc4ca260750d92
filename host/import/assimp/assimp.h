/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FBX, Collada and whatever else Assimp reads. Assimp aborts or reads out of bounds on malformed files: call this in the worker
 * process, or in a debugger.
 *
 * Brought to metres and Y up. Assimp gives every corner a vertex of its own, so points of equal position, skin and displacement
 * are united again; point order is that of first appearance. Keys are linear: Assimp drops interpolation modes.
 */
#ifndef SINEW_HOST_IMPORT_ASSIMP_ASSIMP_H
#define SINEW_HOST_IMPORT_ASSIMP_ASSIMP_H

#include "import/import.h"

/* Takes every extension that Assimp has a reader for; its row names those that are tested. Fills a fresh scene. SNW_ERROR_DATA with Assimp's own words where it refuses the file; SNW_CANCELLED. */
extern const snw_import_format snw_import_assimp;

#endif
