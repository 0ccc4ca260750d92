/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * glTF 2.0, .glb and .gltf.
 *
 * Imported: triangles, strips and fans of the default scene, as a mesh for each node that has one; normals, the first UVs and
 * colours at corners; all skins, with any number of influences; positions, names and weights of morph targets; animations with
 * their keys, interpolation and tangents; materials, and their PNG and JPEG pictures as encoded. Accessors may be integer,
 * normalised and sparse (KHR_mesh_quantization), buffer views compressed (EXT_meshopt_compression). Points split at seams are
 * merged (mesh/mesh.h).
 *
 * Ignored with a notice: points and lines, scenes other than the default, occlusion textures, animations of other properties,
 * other extensions, cameras, extras, further UV sets, attributes of one's own, displaced normals. Ignored without: displaced
 * tangents. Empty nodes below a joint (sockets, end joints) are joints that move no point.
 *
 * The rest pose is the bind pose, placed upright in the world of the file's default pose (see nodes.c). If the default pose
 * differs, it becomes the pose "default". Clips play as in the file. If a joint's bind and its default pose are equal up to the
 * file's rounding, the inverse bind is replaced by the inverse of the rest transform: then the rest pose is exact, and no point
 * moves by more than 1e-5 of the size of its mesh.
 */
#ifndef SINEW_HOST_IMPORT_GLTF_GLTF_H
#define SINEW_HOST_IMPORT_GLTF_GLTF_H

#include "import/import.h"

/* Recognised by the first bytes or the extension. SNW_ERROR_DATA for an invalid file; SNW_ERROR_UNSUPPORTED for a required
 * extension, which the message names; SNW_ERROR_LIMIT for a file that needs much more memory than its size suggests. */
extern const snw_import_format snw_import_gltf;

#endif
