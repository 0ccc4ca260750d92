/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * glTF 2.0: what engines can play of a stack (export/plan), as one .glb or .gltf.
 */
#ifndef SINEW_HOST_EXPORT_GLTF_GLTF_H
#define SINEW_HOST_EXPORT_GLTF_GLTF_H

#include "export/export.h"

snw_status snw_gltf_export(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
						   const snw_task *task, snw_export_report *report, snw_error *error);

#endif
