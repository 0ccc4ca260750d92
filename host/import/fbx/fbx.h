/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FBX 7, binary and text.
 *
 * Imported: models with their whole transform (pivots, offsets, pre- and post-rotation, orders, geometric transforms, how
 * scale is inherited), polygons with normals, the first UVs and colours, hard edges, materials and their PNG and JPEG
 * pictures, all clusters of all skins, blend shapes with in-betweens, and every animation stack with its layers. Units
 * become metres; the axes become right-handed with Y up.
 *
 * A curve that a clip can hold stays as it is: its keys, and cubic tangents without weights. Others become cubic keys, added
 * where they are needed to stay within SNW_FBX_TOLERANCE. Rotations are of this kind, because FBX moves Euler angles.
 *
 * Ignored with a notice: UV sets but the first, layers of pivots and other properties. Ignored without: cameras, lights,
 * NURBS, constraints, custom properties.
 *
 * The rest pose is the bind pose of the clusters (import/common/rig.c).
 */
#ifndef SINEW_HOST_IMPORT_FBX_FBX_H
#define SINEW_HOST_IMPORT_FBX_FBX_H

#include "import/import.h"

/* Recognised by the first bytes or the extension. SNW_ERROR_DATA for an invalid file; SNW_ERROR_UNSUPPORTED for an older
 * version; SNW_ERROR_LIMIT for a file that needs much more memory than its size suggests. */
extern const snw_import_format snw_import_fbx;

#endif
