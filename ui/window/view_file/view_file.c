/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes and reads the files of views, and runs the commands that restore one.
 */
#include "window/view_file/view_file.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/numbers.h"
#include "file/file.h"
#include "render/shading/shading.h"
#include "window/session/session.h"

enum { LINE_MOST = 2048, LINES_MOST = 96 };

/* ---- writing ------------------------------------------------------------------------------------------------------------- */

/* Names with line breaks, which files from elsewhere may have, are not kept. */
static void put_name(FILE *file, const char *key, const char *name) {
	if (!strpbrk(name, "\r\n")) {
		fprintf(file, "%s %s\n", key, name);
	}
}

static void put_selection(FILE *file, const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const snw_view_state *state = &session->state;
	const uint32_t mesh = snw_session_mesh(session);
	if (state->clip < scene->clip_count) {
		put_name(file, "clip", scene->clips[state->clip].name);
		fprintf(file, "seconds %.17g\n", state->seconds);
	} else if (state->pose < scene->pose_count) {
		put_name(file, "pose", scene->poses[state->pose].name);
	}
	if (mesh < scene->mesh_count) {
		put_name(file, "mesh", scene->meshes[mesh].name);
	}
	if (state->joint < scene->skeleton.joint_count) {
		put_name(file, "joint", scene->skeleton.names[state->joint]);
	}
	if (state->example < scene->example_count) {
		put_name(file, "example", scene->examples[state->example].name);
	}
	if (state->group < scene->group_count) {
		put_name(file, "group", scene->groups[state->group].name);
	}
	if (state->layer < scene->layer_count) {
		put_name(file, "layer", scene->layers[state->layer].name);
	}
	fprintf(file, "tab %d\n", (int)state->tab);
}

/* Which of all are chosen so, a digit each: "locked-meshes 010". Nothing if none is. */
static void put_flags(FILE *file, const char *key, const bool *flags, uint32_t count) {
	if (count > 0 && memchr(flags, true, count)) {
		fprintf(file, "%s ", key);
		for (uint32_t i = 0; i < count; i++) {
			fputc(flags[i] ? '1' : '0', file);
		}
		fputc('\n', file);
	}
}

static void put_parts(FILE *file, const snw_display *display) {
	const uint32_t meshes = display->scene->mesh_count, joints = display->scene->skeleton.joint_count;
	put_flags(file, "hidden-meshes", display->hidden, meshes);
	put_flags(file, "locked-meshes", display->locked, meshes);
	put_flags(file, "hidden-joints", display->hidden_joints, joints);
	put_flags(file, "locked-joints", display->locked_joints, joints);
	put_flags(file, "pinned-joints", display->pinned_joints, joints);
	put_flags(file, "stiff-joints", display->stiff_joints, joints);
}

static void put_brush(FILE *file, const snw_sculpting *s) {
	const snw_brush *brush = &s->brush;
	for (int i = 0; i < SNW_BRUSH_COUNT; i++) {
		fprintf(file, "strength %s %.17g\n", snw_brush_infos[i].name,
				i == (int)brush->kind ? brush->strength : s->strengths[i]);
	}
	fprintf(file, "brush %s\n", snw_brush_infos[brush->kind].name);
	if (s->has_radius) {
		fprintf(file, "radius %.17g\n", brush->radius);
	}
	fprintf(file, "falloff %s\nvalue %.17g\n", snw_falloff_names[brush->falloff], brush->value);
	fprintf(file, "volume %d\nsymmetry %d\ncarry %d\noutside %d\nweights %d\n", brush->volume, brush->symmetric, s->carries,
			brush->stays_outside, s->paints_weights);
	if (s->morph_to[0]) {
		put_name(file, "morph-to", s->morph_to);
	}
	if (s->alpha_path[0]) {
		put_name(file, "alpha", s->alpha_path);
	}
}

/* `prefix`: "" for the view in use, "other-" for the other one. */
static void put_side(FILE *file, const char *prefix, const snw_view_side *side) {
	const snw_camera *camera = &side->camera;
	fprintf(file, "%scamera %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", prefix, camera->yaw, camera->pitch, camera->distance,
			camera->field_of_view, camera->target[0], camera->target[1], camera->target[2]);
	fprintf(file, "%slook %s\n%slights %s\n%slight-turn %.17g\n", prefix, snw_looks[snw_look_of(side->flags)].word, prefix,
			snw_lights_words[side->lights], prefix, side->light_turn);
}

static void put_views(FILE *file, const snw_view_state *state) {
	const snw_view_side used = snw_view_state_side(state, state->side);
	put_side(file, "", &used);
	fprintf(file, "split %d %u\n", state->is_split, state->side);
	put_side(file, "other-", &state->other);
}

/* The text of the file, to be freed; NULL if memory runs out. */
static char *describe(const snw_session *session) {
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	if (!file) {
		return NULL;
	}
	put_name(file, "project", session->document->path);
	put_selection(file, session);
	put_parts(file, &session->display);
	put_brush(file, &session->sculpting);
	put_views(file, &session->state);
	fprintf(file, "sculpting %d\n", session->state.sculpting);
	if (fclose(file) != 0) {
		free(text);
		text = NULL;
	}
	return text;
}

static bool view_folder(const snw_session *session, char *folder, size_t size) {
	snprintf(folder, size, "%s/views", session->preferences.state);
	return session->keeps_view && session->document->path && session->preferences.state[0];
}

static void view_path(const snw_session *session, const char *folder, char *path, size_t size) {
	snw_hash hash = {0};
	snw_hash_text(&hash, session->document->path);
	snprintf(path, size, "%s/%016" PRIx64, folder, snw_hash_value(&hash));
}

/* Not flushed to the disk: that would make the window wait, for what a power failure may well cost. */
static void write_text(const char *path, const char *text) {
	char temporary[1400];
	snprintf(temporary, sizeof temporary, "%s.part", path);
	FILE *file = fopen(temporary, "w");
	const bool is_written = file && fputs(text, file) >= 0;
	const bool is_closed = file && fclose(file) == 0;
	if (file && (!is_written || !is_closed || rename(temporary, path) != 0)) {
		remove(temporary);
	}
}

void snw_view_file_write(snw_session *session) {
	char folder[1100], path[1200];
	if (!view_folder(session, folder, sizeof folder)) {
		return;
	}
	char *text = describe(session);
	if (text && (!session->kept_view || strcmp(text, session->kept_view) != 0)) {
		mkdir(session->preferences.state, 0700); /* its parents exist once the project is among the recent ones */
		mkdir(folder, 0700);
		view_path(session, folder, path, sizeof path);
		write_text(path, text);
		free(session->kept_view);
		session->kept_view = text;
		text = NULL;
	}
	free(text);
}

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

/* Whether the first line names a project that still exists. */
static bool is_current(FILE *file, char *line, size_t size) {
	static const char key[] = "project ";
	if (!fgets(line, (int)size, file)) {
		return false;
	}
	line[strcspn(line, "\r\n")] = '\0';
	return strncmp(line, key, strlen(key)) == 0 && snw_file_exists(line + strlen(key));
}

static void remove_outdated(const char *folder) {
	char path[1400], line[LINE_MOST];
	DIR *entries = opendir(folder);
	for (struct dirent *entry; entries && (entry = readdir(entries));) {
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		FILE *file = entry->d_name[0] == '.' ? NULL : fopen(path, "r");
		if (file && !is_current(file, line, sizeof line)) {
			remove(path);
		}
		if (file) {
			fclose(file);
		}
	}
	if (entries) {
		closedir(entries);
	}
}

void snw_view_file_read(snw_session *session) {
	char folder[1100], path[1200], line[LINE_MOST];
	if (!view_folder(session, folder, sizeof folder)) {
		return;
	}
	remove_outdated(folder);
	view_path(session, folder, path, sizeof path);
	FILE *file = fopen(path, "r");
	if (file && is_current(file, line, sizeof line) && strcmp(line + strlen("project "), session->document->path) == 0) {
		for (int i = 0; i < LINES_MOST && fgets(line, sizeof line, file); i++) {
			line[strcspn(line, "\r\n")] = '\0';
			snw_emit_text(&session->queue, SNW_DO_RESTORE_VIEW, line);
		}
	}
	if (file) {
		fclose(file);
	}
}

/* ---- restoring ----------------------------------------------------------------------------------------------------------- */

static void restore_camera(snw_camera *camera, const char *text) {
	double n[7];
	const int count = sscanf(text, "%lf %lf %lf %lf %lf %lf %lf", &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &n[6]);
	bool is_usable = count == 7;
	for (int i = 0; i < 7 && is_usable; i++) {
		is_usable = isfinite(n[i]) && fabs(n[i]) < 1e9;
	}
	if (is_usable && n[2] > 0 && n[3] >= 0 && n[3] < 3) {
		*camera =
			(snw_camera){.yaw = n[0], .pitch = n[1], .distance = n[2], .field_of_view = n[3], .target = {n[4], n[5], n[6]}};
	}
}

static void restore_side(snw_view_side *side, const char *key, const char *text) {
	const snw_look *look = snw_look_find(text);
	const double angle = strtod(text, NULL);
	if (strcmp(key, "camera") == 0) {
		restore_camera(&side->camera, text);
	} else if (strcmp(key, "look") == 0 && look) {
		side->flags = snw_look_put(side->flags, (uint32_t)(look - snw_looks));
	} else if (strcmp(key, "light-turn") == 0 && fabs(angle) <= M_PI) {
		side->light_turn = angle;
	}
	for (uint32_t i = 0; i < SNW_LIGHTS_COUNT && strcmp(key, "lights") == 0; i++) {
		side->lights = strcmp(snw_lights_words[i], text) == 0 ? i : side->lights;
	}
}

/* Returns whether the key is one of put_views. */
static bool restore_views(snw_view_state *state, const char *key, const char *text) {
	static const char *const keys[] = {"camera", "look", "lights", "light-turn"}, other[] = "other-";
	const bool is_other = strncmp(key, other, strlen(other)) == 0;
	const char *plain = is_other ? key + strlen(other) : key;
	bool is_known = strcmp(key, "split") == 0;
	if (is_known) {
		state->is_split = text[0] == '1';
		state->side = state->is_split && strcmp(text, "1 1") == 0;
	}
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		is_known = is_known || strcmp(keys[i], plain) == 0;
	}
	snw_view_side used = snw_view_state_side(state, state->side);
	restore_side(is_other ? &state->other : &used, plain, text);
	state->camera = used.camera;
	state->flags = used.flags;
	state->lights = used.lights;
	state->light_turn = used.light_turn;
	return is_known;
}

/* Returns whether the key names a thing of the scene. What no longer exists is not selected. */
static bool restore_selection(snw_session *session, const char *key, const char *name) {
	const snw_scene *scene = session->document->scene;
	snw_view_state *state = &session->state;
	const struct {
		const char *key;
		snw_scene_finder *find;
		uint32_t *index;
	} rows[] = {{"mesh", snw_scene_find_mesh, &state->mesh},
				{"joint", snw_scene_find_joint, &state->joint},
				{"example", snw_scene_find_example, &state->example},
				{"group", snw_scene_find_group, &state->group},
				{"layer", snw_scene_find_layer, &state->layer}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (strcmp(rows[i].key, key) == 0) {
			*rows[i].index = rows[i].find(scene, name);
			return true;
		}
	}
	const bool is_clip = strcmp(key, "clip") == 0, is_pose = strcmp(key, "pose") == 0;
	const uint32_t at = is_clip ? snw_scene_find_clip(scene, name) : is_pose ? snw_scene_find_pose(scene, name) : SNW_NONE;
	if (at != SNW_NONE && is_clip) {
		snw_session_choose_clip(session, at);
	} else if (at != SNW_NONE) {
		snw_session_choose_pose(session, at);
	}
	return is_clip || is_pose;
}

/* Returns whether the key is one of put_parts. Where the number of meshes or joints has changed, nothing is restored. */
static bool restore_parts(snw_session *session, const char *key, const char *text) {
	snw_display *display = &session->display;
	const uint32_t meshes = display->scene->mesh_count, joints = display->scene->skeleton.joint_count;
	const struct {
		const char *key;
		bool *flags;
		uint32_t count;
	} rows[] = {{"hidden-meshes", display->hidden, meshes},        {"locked-meshes", display->locked, meshes},
				{"hidden-joints", display->hidden_joints, joints}, {"locked-joints", display->locked_joints, joints},
				{"pinned-joints", display->pinned_joints, joints}, {"stiff-joints", display->stiff_joints, joints}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (strcmp(rows[i].key, key) != 0) {
			continue;
		}
		for (uint32_t k = 0; strlen(text) == rows[i].count && k < rows[i].count; k++) {
			rows[i].flags[k] = text[k] == '1';
		}
		if (!display->is_uploading) {
			snw_display_hide_faces(display);
		}
		display->is_stale = true;
		snw_sculpting_take_parts(session);
		return true;
	}
	return false;
}

static void restore_strength(snw_sculpting *s, const char *text) {
	char name[40];
	double value;
	if (sscanf(text, "%39s %lf", name, &value) == 2 && value >= 0 && value <= 1) {
		for (int i = 0; i < SNW_BRUSH_COUNT; i++) {
			s->strengths[i] = strcmp(snw_brush_infos[i].name, name) == 0 ? value : s->strengths[i];
		}
		s->brush.strength = s->strengths[s->brush.kind];
	}
}

static void restore_brush(snw_session *session, const char *key, const char *text) {
	snw_sculpting *s = &session->sculpting;
	const double number = strtod(text, NULL);
	for (int i = 0; i < SNW_BRUSH_COUNT && strcmp(key, "brush") == 0; i++) {
		if (strcmp(snw_brush_infos[i].name, text) == 0) {
			s->brush.kind = (snw_brush_kind)i;
			s->brush.strength = s->strengths[i];
		}
	}
	for (int i = 0; i < SNW_FALLOFF_COUNT && strcmp(key, "falloff") == 0; i++) {
		s->brush.falloff = strcmp(snw_falloff_names[i], text) == 0 ? (snw_falloff)i : s->brush.falloff;
	}
	if (strcmp(key, "strength") == 0) {
		restore_strength(s, text);
	} else if (strcmp(key, "radius") == 0 && number > 1e-6 && number < 1e5) {
		s->brush.radius = number;
		s->has_radius = true;
	} else if (strcmp(key, "morph-to") == 0) {
		snprintf(s->morph_to, sizeof s->morph_to, "%.199s", text);
	} else if (strcmp(key, "value") == 0) {
		s->brush.value = fmin(fmax(number, -1e6), 1e6);
	} else if (strcmp(key, "volume") == 0) {
		s->brush.volume = number > 0;
	} else if (strcmp(key, "symmetry") == 0) {
		s->brush.symmetric = number > 0;
	} else if (strcmp(key, "carry") == 0) {
		s->carries = number > 0;
	} else if (strcmp(key, "outside") == 0) {
		s->brush.stays_outside = number > 0;
	} else if (strcmp(key, "weights") == 0) {
		s->paints_weights = number > 0;
	} else if (strcmp(key, "alpha") == 0 && snw_file_exists(text)) {
		snw_emit_text(&session->queue, SNW_DO_BRUSH_ALPHA, text);
	}
}

void snw_do_restore_view(snw_session *session, const snw_command *command) {
	const size_t length = strcspn(command->text, " ");
	const char *text = command->text + length + (command->text[length] == ' ');
	char key[40];
	snprintf(key, sizeof key, "%.*s", (int)(length < sizeof key ? length : 0), command->text);
	if (strcmp(key, "seconds") == 0) {
		session->state.seconds = fmin(fmax(strtod(text, NULL), 0), session->display.sampled.duration_seconds);
	} else if (strcmp(key, "tab") == 0) {
		session->state.tab = (snw_tab)fmin(fmax(strtod(text, NULL), 0), SNW_TAB_HISTORY);
	} else if (strcmp(key, "sculpting") == 0) {
		if (text[0] == '1' && !session->state.sculpting && session->document->scene->mesh_count > 0) {
			snw_sculpting_enter(session);
		}
	} else if (!restore_selection(session, key, text) && !restore_parts(session, key, text) &&
			   !restore_views(&session->state, key, text)) {
		restore_brush(session, key, text);
	}
}
