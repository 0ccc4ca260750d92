/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * BVH: a skeleton and one clip, as motion capture writes them. It has no mesh, so it is read for its clip alone.
 *
 * Rotations are about the axes in the order of the channels, first the outermost. A position replaces the joint's offset, as
 * Blender writes and reads it. At rest no joint rotates; a root without an offset rests where the lowest end of the skeleton is
 * on the ground. A BVH has no unit: lengths are taken as they are.
 */
#ifndef SINEW_HOST_IMPORT_BVH_H
#define SINEW_HOST_IMPORT_BVH_H

#include "import/import.h"

extern const snw_import_format snw_import_bvh;

#endif
