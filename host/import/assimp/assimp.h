/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collada and the other formats that Assimp reads. Assimp aborts or reads out of bounds on malformed files, so this runs
 * in the worker process only.
 *
 * Assimp converts Collada to metres and Y up. It gives each corner its own vertex, so points of equal position, skin and
 * displacements are merged again, in the order of first appearance. All keys are linear, because Assimp drops interpolation
 * modes.
 */
#ifndef SINEW_HOST_IMPORT_ASSIMP_ASSIMP_H
#define SINEW_HOST_IMPORT_ASSIMP_ASSIMP_H

#include "import/import.h"

/* Recognises each extension that Assimp can read; the row lists those that are tested. SNW_ERROR_DATA, with Assimp's message,
 * if it refuses the file. */
extern const snw_import_format snw_import_assimp;

#endif
