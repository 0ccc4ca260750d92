/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * glTF 2.0: what engines can play of a stack (export/plan), as one .glb or .gltf.
 */
#ifndef SINEW_HOST_EXPORT_GLTF_GLTF_H
#define SINEW_HOST_EXPORT_GLTF_GLTF_H

#include "export/export.h"

extern const snw_export_format snw_export_glb, snw_export_gltf;

#endif
