/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>
#include <string.h>

#include "export/export.h"
#include "file/file.h"

/* ---- formats ------------------------------------------------------------------------------------------------------------- */

/* The table of export formats, and the checks of requests against it. Each is defined as snw_export_NAME in a file of its
 * folder. */

#define FORMATS(ROW) ROW(glb) ROW(gltf) ROW(fbx) ROW(skin) ROW(obj_pose) ROW(pc2) ROW(mdd) ROW(numbered_obj)

#define DECLARE_FORMAT(name) extern const snw_export_format snw_export_##name;
FORMATS(DECLARE_FORMAT)
#undef DECLARE_FORMAT

#define POINT_TO_FORMAT(name) &snw_export_##name,
static const snw_export_format *const formats[] = {FORMATS(POINT_TO_FORMAT)};
#undef POINT_TO_FORMAT

const snw_file_format *snw_export_formats(uint32_t index) {
	return index < sizeof formats / sizeof *formats ? &formats[index]->file : NULL;
}

/* The row of the table for a path; NULL if there is none. */
static const snw_export_format *find_format(const char *path) {
	const snw_file_format *file = snw_file_format_of(snw_export_formats, path);
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		if (&formats[i]->file == file) {
			return formats[i];
		}
	}
	return NULL;
}

/* A request for data that the format cannot hold is an error. */
static snw_status check_request(const snw_scene *scene, const snw_export_request *request, const snw_file_format *format,
								snw_arena *arena, snw_error *error) {
	if (!format) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "%s: \".%s\" is not an export format; use %s", request->path,
						snw_path_extension(request->path), snw_file_formats_text(snw_export_formats, UINT32_MAX, arena));
	}
	if (request->clip != SNW_NONE && request->clip >= scene->clip_count) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: no clip number %u", request->path, request->clip);
	}
	if (request->clip != SNW_NONE && !(format->holds & (SNW_FILE_ANIMATION | SNW_FILE_FRAMES))) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: one .%s holds a pose, not a clip; use %s", request->path,
						format->extensions,
						snw_file_formats_text(snw_export_formats, SNW_FILE_ANIMATION | SNW_FILE_FRAMES, arena));
	}
	if (request->pose && !(format->holds & SNW_FILE_POSE)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: it does not hold a single pose; omit --pose, or use %s", request->path,
						snw_file_formats_text(snw_export_formats, SNW_FILE_POSE, arena));
	}
	if ((format->holds & SNW_FILE_SKIN) && request->influences != 4 && request->influences != 8) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: %u influences per point; it holds 4 or 8", request->path,
						request->influences);
	}
	if ((format->holds & SNW_FILE_SKIN) && request->engine && request->influences > request->engine->influences) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: %u influences per point, and %s plays %u; export %u", request->path,
						request->influences, request->engine->label, request->engine->influences, request->engine->influences);
	}
	return SNW_OK;
}

snw_status snw_export(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request, const snw_task *task,
					  snw_export_report *report, snw_error *error) {
	const snw_export_format *format = find_format(request->path);
	snw_arena *arena = snw_arena_create();
	const snw_status status = check_request(scene, request, format ? &format->file : NULL, arena, error);
	snw_arena_destroy(arena);
	return snw_failed(status) ? status : format->write(scene, stack, request, task, report, error);
}

bool snw_export_is_far_off(const snw_export_report *report) {
	static const double most_percent = 0.5, most_of_stack = 1.5;
	return report->playback_max_percent > most_percent &&
		   (report->source_erms < 0 || report->playback_erms > most_of_stack * report->stack_source_erms);
}

/* ---- engines ------------------------------------------------------------------------------------------------------------- */

/* Joints have 16-bit indices in glTF (2.0, section 3.7.3.3). WebGL 2 guarantees 256 layers of an array texture, which is where
 * three.js and Babylon.js have the morph targets. */
enum { INDEXED = 65536, LAYERS = 256 };

static const snw_engine engines[] = {
	{"three", "three.js", 4, INDEXED, LAYERS, false, false},
	{"babylon", "Babylon.js", 8, INDEXED, LAYERS, false, false},
	{"bevy", "Bevy", 4, 256, 256, false, false},
	{"filament", "Filament", 4, 256, 256, false, false},
	{"godot", "Godot", 8, INDEXED, UINT32_MAX, false, false},
	{"unity", "Unity", 4, INDEXED, UINT32_MAX, true, true},
	{"unreal", "Unreal", 8, INDEXED, UINT32_MAX, false, true},
	{"vrm", "VRM", 4, INDEXED, UINT32_MAX, true, false},
	{"maya", "Maya", 8, INDEXED, UINT32_MAX, false, true},
	{"roblox", "Roblox", 4, INDEXED, 0, true, false},
};

/* One joint and one morph target below the smallest limit, for those who count in a byte. Packers clamp weights as well. */
static const snw_engine any = {"", "every engine", 4, 255, 255, true, false};

const snw_engine *snw_engines(uint32_t index) {
	return index < sizeof engines / sizeof *engines ? &engines[index] : NULL;
}

const snw_engine *snw_engine_find(const char *name) {
	for (uint32_t i = 0; snw_engines(i); i++) {
		if (strcmp(engines[i].name, name) == 0) {
			return &engines[i];
		}
	}
	return NULL;
}

const snw_engine *snw_engine_any(void) {
	return &any;
}
