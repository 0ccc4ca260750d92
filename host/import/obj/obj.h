/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wavefront .obj, the sculpt round trip: points in the file's order, polygons as they are, all objects and groups in one mesh.
 * UVs and normals belong to corners; usemtl becomes the faces' materials. Lines, free-form curves, smoothing groups and
 * colours behind the coordinates are passed over. Malformed lines are refused with their number.
 */
#ifndef SINEW_HOST_IMPORT_OBJ_OBJ_H
#define SINEW_HOST_IMPORT_OBJ_OBJ_H

#include "import/import.h"

/* A mesh, the names of its materials (what face_materials points into) and of the .mtl files that define them. */
typedef struct snw_obj {
	snw_mesh mesh;
	uint32_t material_count;
	char **material_names;
	uint32_t library_count;
	char **libraries;
} snw_obj;

/* Only the file itself: no .mtl is opened. All in `arena`. */
snw_status snw_obj_read(const char *path, snw_arena *arena, snw_obj *obj, snw_error *error);

/* The materials of `obj` from its .mtl files beside `path`, with their textures. What is not there becomes a plain material, with
 * a notice. Fills scene->materials and scene->images. */
void snw_obj_read_materials(const char *path, const snw_obj *obj, const snw_task *task, snw_scene *scene);

/* Taken by its extension: its text begins like any other. A scene of one mesh. */
extern const snw_import_format snw_import_obj;

#endif
