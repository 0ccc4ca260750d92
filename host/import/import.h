/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Import: from files to a scene. Files are not trusted: everything is checked, and the result has passed snw_scene_check.
 * The format is recognised by the content if possible, otherwise by the extension.
 */
#ifndef SINEW_HOST_IMPORT_IMPORT_H
#define SINEW_HOST_IMPORT_IMPORT_H

#include "file/file.h"
#include "scene/scene.h"
#include "task/task.h"

/* The frames of one mesh, and its rest pose: an .obj, NULL: frame 0, which must have faces. */
typedef struct snw_import_frames_of_mesh {
	const char *sequence;
	const char *rest;
} snw_import_frames_of_mesh;

typedef struct snw_import_request {
	const char *file;         /* a character or a mesh; NULL for a sequence */
	const char *sequence;     /* a file of frames, or a pattern */
	const char *rest;         /* an .obj: the rest pose of a sequence; NULL: frame 0, which must have faces */
	double frames_per_second; /* of a sequence; 0: the file's rate, or 24 if it has none */
	bool keep_points;         /* do not merge coincident points */
	bool is_set;              /* the frames of the sequence are poses in no order */
	bool is_lossy;            /* what a reader is known to lose of a file does not refuse it */
	bool is_motion;           /* of the file its clips and their joints: it needs no mesh */
	/* Further meshes of the body that the sequence shows, at the same moments. */
	uint32_t further_count;
	const snw_import_frames_of_mesh *further;
} snw_import_request;

/* A format: a row of the table that import/formats lists. */
typedef struct snw_import_format {
	snw_file_format file;
	/* Whether a file has this format, by its content or extension; NULL for frames, which are read as a sequence. */
	bool (*recognizes)(const char *path, const unsigned char *head, size_t head_count);
	snw_status (*read)(const char *path, const snw_import_request *request, const snw_task *task, snw_scene *scene,
					   snw_error *error);
} snw_import_format;

/* Recognised by the first bytes or the extension; BVH, which is read for its clip alone, by the extension. SNW_ERROR_DATA for
 * an invalid file; SNW_ERROR_UNSUPPORTED for an older FBX, or an extension that a glTF requires; SNW_ERROR_LIMIT for a file
 * that needs much more memory than its size suggests. */
extern const snw_import_format snw_import_gltf, snw_import_fbx, snw_import_bvh;

/* Recognises each extension that Assimp can read; the row lists those that are tested. SNW_ERROR_DATA, with Assimp's message,
 * if it refuses the file. */
extern const snw_import_format snw_import_assimp;

/* Formats of frames, which are read as a sequence: a scene of one mesh. */
extern const snw_import_format snw_import_pc2, snw_import_mdd, snw_import_numbered_obj;

/* The rows of the table. */
const snw_file_format *snw_import_formats(uint32_t index);

/* Imports in this process; the worker calls it. A scene with a skin gets one layer, which blends as the file says: linearly,
 * or dual quaternions. */
snw_status snw_import(const snw_import_request *request, const snw_task *task, snw_scene **scene, snw_error *error);

/* Reads one mesh from an .obj into `arena`, with the point order, polygons, normals and UVs of the file. */
snw_status snw_import_obj_mesh(const char *path, snw_arena *arena, snw_mesh *mesh, snw_error *error);

/* Frames of points from a file of frames or a pattern, checked against `point_count`. `seconds` comes from the file or from
 * frames_per_second. */
typedef struct snw_point_frames {
	uint32_t frame_count;
	uint32_t point_count;
	double *seconds;
	float *points; /* [frame_count][point_count][3] */
} snw_point_frames;
snw_status snw_import_frames(const char *path, uint32_t point_count, double frames_per_second, snw_arena *arena,
							 const snw_task *task, snw_point_frames *frames, snw_error *error);

/* The same as a scene, with the further meshes of the request, each with a target of its own, and one clip for all of them,
 * named like the first. Fails if they do not have the same moments. */
snw_status snw_import_sequence(const snw_import_request *request, const snw_task *task, snw_scene *scene, snw_error *error);

/* ---- OBJ ----------------------------------------------------------------------------------------------------------------- */

/* Wavefront .obj, the format in which sculpts are exchanged: points and polygons in the file's order, all objects and groups in
 * one mesh. UVs and normals belong to corners; usemtl becomes the faces' materials. Lines, free-form curves, smoothing groups
 * and colours after the coordinates are ignored. A malformed line is an error with the line's number. */

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

/* Recognised by the extension, because the text has no signature. Gives a scene of one mesh. */
extern const snw_import_format snw_import_obj;

#endif
