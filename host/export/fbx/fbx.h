/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exports FBX 7.4, planned and measured as glTF is. Polygons, units and axes are declared; joints are limbs whose transforms
 * multiply (RSrs), meshes are bound to them by clusters, morph targets are shapes, clips are stacks.
 */
#ifndef SINEW_HOST_EXPORT_FBX_FBX_H
#define SINEW_HOST_EXPORT_FBX_FBX_H

#include "export/export.h"

extern const snw_export_format snw_export_fbx;

#endif
