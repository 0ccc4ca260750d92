/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wavefront .obj, the format in which sculpts are exchanged: points and polygons in the file's order, all objects and groups in
 * one mesh. UVs and normals belong to corners; usemtl becomes the faces' materials. Lines, free-form curves, smoothing groups
 * and colours after the coordinates are ignored. A malformed line is an error with the line's number.
 */
#ifndef SINEW_HOST_IMPORT_OBJ_OBJ_H
#define SINEW_HOST_IMPORT_OBJ_OBJ_H

#include "import/import.h"

/* A mesh, the names of its materials (indexed by face_materials), and of the .mtl files that define them. */
typedef struct snw_obj {
	snw_mesh mesh;
	uint32_t material_count;
	char **material_names;
	uint32_t library_count;
	char **libraries;
} snw_obj;

/* Reads the .obj alone, without its .mtl files, into `arena`. */
snw_status snw_obj_read(const char *path, snw_arena *arena, snw_obj *obj, snw_error *error);

/* Fills scene->materials and scene->images from the .mtl files beside `path` and their textures. A material that is missing
 * gets default values, with a notice. */
void snw_obj_read_materials(const char *path, const snw_obj *obj, const snw_task *task, snw_scene *scene);

/* Recognised by the extension, because the text has no signature. Gives a scene of one mesh. */
extern const snw_import_format snw_import_obj;

#endif
