/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/session/session.h"

#include <math.h>
#include <string.h>

#include "file/file.h"
#include "picture/pictures.h"
#include "pose/pose.h"

/* ---- what is drawn ------------------------------------------------------------------------------------------------------- */

/* Millimetres from the sculpt. */
static double *distances_from_sculpt(const snw_sculpts_comparison *made, const float *points, uint32_t count,
									 snw_arena *arena) {
	double *distances = SNW_NEW_ARRAY(arena, double, count);
	for (size_t i = 0; i < count; i++) {
		double sum = 0;
		for (size_t c = 0; c < 3; c++) {
			const double gap = (double)points[3 * i + c] - (double)made->sculpt[3 * i + c];
			sum += gap * gap;
		}
		distances[i] = 1000 * sqrt(sum);
	}
	return distances;
}

static double largest_of(const double *values, uint32_t count) {
	double most = 0;
	for (uint32_t i = 0; i < count; i++) {
		most = fmax(most, values[i]);
	}
	return most;
}

/* What is in the picture: where it was sculpted; NULL: all of the mesh. */
static const double *const *framed_part(const snw_scene *scene, const snw_example *example, snw_arena *arena) {
	if (!example->edited || example->edited_count == 0) {
		return NULL;
	}
	const double **part = SNW_NEW_ARRAY(arena, const double *, scene->mesh_count);
	double *inside = SNW_NEW_ARRAY(arena, double, scene->meshes[example->mesh].point_count);
	for (uint32_t i = 0; i < example->edited_count; i++) {
		inside[example->edited[i]] = 1;
	}
	part[example->mesh] = inside;
	return part;
}

/* A mesh with these points, alone. */
static snw_view view_of(const snw_session *session, const snw_example *example, const float *points, snw_arena *arena) {
	const snw_scene *scene = session->document->scene;
	const float **shown = SNW_NEW_ARRAY(arena, const float *, scene->mesh_count);
	bool *hidden = SNW_NEW_ARRAY(arena, bool, scene->mesh_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		hidden[m] = m != example->mesh;
	}
	shown[example->mesh] = points;
	return (snw_view){.scene = scene,
					  .pose = snw_pose_view_make(scene, &scene->poses[example->pose], arena),
					  .points = shown,
					  .hidden = hidden,
					  .camera = {.yaw = session->state.camera.yaw, .pitch = session->state.camera.pitch},
					  .flags = SNW_VIEW_CLAY | SNW_VIEW_DARK};
}

/* The sculpt as it is, and each answer with its distance from it, on the scale of what all learn over. */
static snw_view *make_method_views(const snw_session *session, const snw_sculpts_comparison *made, snw_arena *arena) {
	const snw_scene *scene = session->document->scene;
	const snw_example *example = &scene->examples[made->example];
	const uint32_t points = scene->meshes[example->mesh].point_count;
	snw_view *views = SNW_NEW_ARRAY(arena, snw_view, made->row_count + 1u);
	const double most = largest_of(distances_from_sculpt(made, made->rows[0].picture, points, arena), points);
	views[0] = view_of(session, example, made->sculpt, arena);
	for (uint32_t r = 0; r < made->row_count; r++) {
		const float *answer = made->rows[r].picture;
		views[r + 1] = view_of(session, example, answer ? answer : made->sculpt, arena);
		if (answer) {
			const double **heat = SNW_NEW_ARRAY(arena, const double *, scene->mesh_count);
			heat[example->mesh] = distances_from_sculpt(made, answer, points, arena);
			views[r + 1].heat = heat;
			views[r + 1].heat_maximum = fmax(most, 1e-3);
		}
	}
	const snw_camera camera = snw_camera_frame_all(views, made->row_count + 1, framed_part(scene, example, arena),
												   SNW_METHOD_PICTURE_WIDTH, SNW_METHOD_PICTURE_HEIGHT);
	for (uint32_t v = 0; v <= made->row_count; v++) {
		views[v].camera = camera;
	}
	return views;
}

/* ---- drawing ------------------------------------------------------------------------------------------------------------- */

/* One row of a sheet, cut into its pictures, without the lines between them. */
static snw_status draw_pictures(const snw_session *session, snw_method_comparison *comparison, snw_error *error) {
	enum { LINE = SNW_METHOD_PICTURE_WIDTH / 400 + 1 }; /* as the sheet draws them */
	const uint32_t count = comparison->made.row_count + 1, width = SNW_METHOD_PICTURE_WIDTH, height = SNW_METHOD_PICTURE_HEIGHT;
	const size_t row_bytes = 4 * (size_t)width, cut_bytes = row_bytes - 2 * 4 * LINE;
	snw_arena *scratch = snw_arena_create();
	unsigned char *sheet = SNW_NEW_ARRAY(scratch, unsigned char, count *row_bytes *height);
	const snw_view *views = make_method_views(session, &comparison->made, scratch);
	const snw_status status = snw_renderer_sheet(session->renderer, views, count, 1, width, height, sheet, NULL, error);
	comparison->pictures = snw_failed(status) ? NULL : SNW_NEW_ARRAY(comparison->arena, snw_panel_picture, count);
	for (uint32_t p = 0; p < count && comparison->pictures; p++) {
		unsigned char *pixels = SNW_NEW_ARRAY(comparison->arena, unsigned char, cut_bytes *height);
		for (size_t y = 0; y < height; y++) {
			memcpy(pixels + y * cut_bytes, sheet + (y * count + p) * row_bytes + 4 * LINE, cut_bytes);
		}
		comparison->pictures[p] = (snw_panel_picture){.width = width - 2 * LINE, .height = height, .pixels = pixels};
	}
	snw_arena_destroy(scratch);
	return status;
}

void snw_method_comparison_take(snw_session *session, const snw_sculpts_comparison *made, snw_arena *arena) {
	snw_method_comparison *comparison = &session->method_comparison;
	const snw_scene *scene = session->document->scene;
	snw_error error = {0};
	snw_method_comparison_drop(session);
	*comparison = (snw_method_comparison){.arena = arena, .made = *made};
	comparison->sculpt = snw_arena_text(arena, scene->examples[made->example].name);
	if (snw_failed(draw_pictures(session, comparison, &error))) {
		comparison->failure = snw_arena_text(arena, error.text);
	}
}

void snw_method_comparison_drop(snw_session *session) {
	snw_method_comparison *comparison = &session->method_comparison;
	for (uint32_t p = 0; comparison->pictures && p <= comparison->made.row_count; p++) {
		snw_panel_picture_drop(session->renderer, &comparison->pictures[p]);
	}
	snw_arena_destroy(comparison->arena);
	*comparison = (snw_method_comparison){0};
}

/* ---- method pictures ----------------------------------------------------------------------------------------------------- */

enum { MOST_PICTURE_BYTES = 1 << 20, MOST_PICTURE_SIDE = 512 };

typedef struct method_picture method_picture;
struct method_picture {
	const char *plugin;        /* its path */
	snw_panel_picture picture; /* no pixels: it has none */
	method_picture *next;
};

struct snw_method_pictures {
	snw_arena *arena;
	method_picture *first;
};

/* A file that is not there, or is no small picture, is no fault. */
static void read_picture(const char *plugin, snw_arena *arena, snw_panel_picture *picture) {
	const char *end = strrchr(snw_path_name(plugin), '.');
	const char *path = snw_arena_format(arena, "%.*s.png", end ? (int)(end - plugin) : (int)strlen(plugin), plugin);
	snw_bytes bytes;
	snw_decoded_image image;
	if (!snw_failed(snw_file_read_limited(path, MOST_PICTURE_BYTES, arena, &bytes, NULL)) &&
		!snw_failed(snw_image_decode(bytes.data, bytes.count, path, arena, &image, NULL)) && image.width <= MOST_PICTURE_SIDE &&
		image.height <= MOST_PICTURE_SIDE) {
		*picture = (snw_panel_picture){.width = image.width, .height = image.height, .pixels = image.pixels};
	}
}

snw_panel_picture *snw_method_picture(snw_session *session, const char *plugin) {
	if (!session->method_pictures) {
		snw_arena *arena = snw_arena_create();
		session->method_pictures = SNW_NEW(arena, struct snw_method_pictures);
		session->method_pictures->arena = arena;
	}
	struct snw_method_pictures *pictures = session->method_pictures;
	method_picture *found = pictures->first;
	while (found && strcmp(found->plugin, plugin) != 0) {
		found = found->next;
	}
	if (!found) {
		found = SNW_NEW(pictures->arena, method_picture);
		*found = (method_picture){.plugin = snw_arena_text(pictures->arena, plugin), .next = pictures->first};
		read_picture(plugin, pictures->arena, &found->picture);
		pictures->first = found;
	}
	return found->picture.pixels ? &found->picture : NULL;
}

void snw_method_pictures_drop(snw_session *session) {
	struct snw_method_pictures *pictures = session->method_pictures;
	for (method_picture *picture = pictures ? pictures->first : NULL; picture; picture = picture->next) {
		snw_panel_picture_drop(session->renderer, &picture->picture);
	}
	if (pictures) {
		snw_arena_destroy(pictures->arena);
	}
	session->method_pictures = NULL;
}
