/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * glTF 2.0, .glb and .gltf, through a reader of our own.
 *
 * Kept: triangles, strips and fans of the default scene, a mesh for each node that shows one; normals, the first UVs and colours
 * at corners; all skins, any number of influences; morph targets' positions, names and weights; animations with their keys,
 * interpolation and tangents; materials and their PNG and JPEG pictures, as they are encoded. Integers, normalised and sparse
 * accessors anywhere (KHR_mesh_quantization). Points split at seams unite (mesh/unite_points.h).
 *
 * Left out, with a notice: points and lines, scenes but one, textures of occlusion, animations of anything else, what
 * other extensions say. Left out without: cameras, tangents and displaced normals, which follow from the geometry.
 *
 * The rest is the bind, brought upright into the world of the file's default pose (import/gltf/skins.c says how); the pose
 * "default" is there where the file's differs. Clips play as in the file. Where a joint's bind and its default pose are one up to
 * the file's rounding, its inverse bind is replaced by the inverse of its rest: the rest is exact, and no point moves by more than
 * 1e-5 of the size of its mesh.
 */
#ifndef SINEW_HOST_IMPORT_GLTF_GLTF_H
#define SINEW_HOST_IMPORT_GLTF_GLTF_H

#include "import/import.h"

/* Takes what the file's first bytes, or else its extension, say is glTF. Fills a fresh scene. SNW_ERROR_DATA for what breaks the format, SNW_ERROR_UNSUPPORTED for a required extension, by name,
 * SNW_ERROR_LIMIT for a file that would take much more memory than its size can justify, SNW_CANCELLED. */
extern const snw_import_format snw_import_gltf;

#endif
