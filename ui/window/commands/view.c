/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on the view: the camera, the appearance, the time.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "file/file.h"
#include "render/shading/shading.h"
#include "window/preferences/preferences.h"
#include "window/session/session.h"
#include "window/units/units.h"

/* ---- the camera ---------------------------------------------------------------------------------------------------------- */

void snw_do_orbit(snw_session *session, const snw_command *command) {
	snw_camera_orbit(&session->state.camera, command->n[0], command->n[1]);
}

void snw_do_pan(snw_session *session, const snw_command *command) {
	snw_camera_pan(&session->state.camera, command->n[0], command->n[1]);
}

void snw_do_zoom(snw_session *session, const snw_command *command) {
	snw_camera_zoom(&session->state.camera, command->n[0], command->n[1], command->n[2], session->aspect);
}

void snw_do_frame(snw_session *session, const snw_command *command) {
	(void)command;
	snw_session_fit_camera(session, NULL, 0);
}

/* A joint with its descendants and the skin that it moves, and some room for the gizmo. */
void snw_do_frame_chosen(snw_session *session, const snw_command *command) {
	const uint32_t joint = session->state.joint;
	if (joint >= session->document->scene->skeleton.joint_count ||
		snw_failed(snw_display_update(&session->display, &session->state, NULL)) || !session->display.posed) {
		snw_do_frame(session, command);
		return;
	}
	snw_arena *scratch = snw_arena_create();
	double *points;
	const size_t count = snw_display_joint_points(&session->display, joint, scratch, &points);
	snw_session_fit_camera(session, points, count);
	snw_camera_zoom(&session->state.camera, 1.35, 0, 0, 1);
	snw_arena_destroy(scratch);
}

/* The view that was used stays. */
void snw_do_split(snw_session *session, const snw_command *command) {
	(void)command;
	snw_view_state *state = &session->state;
	if (!state->is_split && state->other.camera.distance <= 0) { /* the first time */
		snw_view_state_copy_side(state);
	}
	state->is_split = !state->is_split;
	state->side = 0;
}

/* A stroke stays in its view. */
void snw_do_view_side(snw_session *session, const snw_command *command) {
	if (!snw_sculpting_is_stroking(&session->sculpting)) {
		snw_view_state_use_side(&session->state, command->n[0] > 0);
	}
}

static void set_direction(snw_session *session, double yaw, double pitch) {
	session->state.camera.yaw = yaw;
	session->state.camera.pitch = pitch;
}

void snw_do_front(snw_session *session, const snw_command *command) {
	(void)command;
	set_direction(session, 0, 0);
}

void snw_do_back(snw_session *session, const snw_command *command) {
	(void)command;
	set_direction(session, M_PI, 0);
}

void snw_do_side(snw_session *session, const snw_command *command) {
	(void)command;
	set_direction(session, M_PI / 2, 0);
}

void snw_do_other_side(snw_session *session, const snw_command *command) {
	(void)command;
	set_direction(session, -M_PI / 2, 0);
}

void snw_do_below(snw_session *session, const snw_command *command) {
	(void)command;
	set_direction(session, 0, -M_PI / 2 + 1e-4);
}

void snw_do_parallel(snw_session *session, const snw_command *command) {
	(void)command;
	snw_camera *camera = &session->state.camera;
	snw_camera_flatten(camera, !snw_camera_is_flat(camera));
}

void snw_do_top(snw_session *session, const snw_command *command) {
	(void)command;
	set_direction(session, 0, M_PI / 2 - 1e-4);
}

/* ---- appearance ---------------------------------------------------------------------------------------------------------- */

void snw_do_before(snw_session *session, const snw_command *command) {
	session->state.before = command->n[0] != 0;
}

void snw_do_heat(snw_session *session, const snw_command *command) {
	(void)command;
	session->state.heat = session->state.heat == SNW_HEAT_ERROR ? SNW_HEAT_NONE : SNW_HEAT_ERROR;
}

void snw_do_field(snw_session *session, const snw_command *command) {
	const snw_document *document = session->document;
	session->state.heat = SNW_HEAT_NONE;
	for (uint32_t i = SNW_HEAT_FIELDS + document->field_count - 1; i > SNW_HEAT_NONE; i--) {
		if (strcmp(snw_heat_name(document, i), command->text) == 0) {
			session->state.heat = i;
		}
	}
}

void snw_do_plot(snw_session *session, const snw_command *command) {
	const snw_document *document = session->document;
	session->state.plot = SNW_PLOT_ERROR;
	for (uint32_t i = SNW_PLOT_FIELDS; i < SNW_PLOT_FIELDS + document->plot_count; i++) {
		if (strcmp(snw_plot_name(document, i), command->text) == 0) {
			session->state.plot = i;
		}
	}
}

void snw_do_skeleton(snw_session *session, const snw_command *command) {
	(void)command;
	session->state.flags ^= SNW_VIEW_SKELETON;
}

void snw_do_wireframe(snw_session *session, const snw_command *command) {
	(void)command;
	session->state.flags ^= SNW_VIEW_WIREFRAME;
}

void snw_do_flat(snw_session *session, const snw_command *command) {
	(void)command;
	session->state.flags ^= SNW_VIEW_FLAT;
}

void snw_do_grid(snw_session *session, const snw_command *command) {
	(void)command;
	session->state.flags ^= SNW_VIEW_GRID;
}

void snw_do_contact(snw_session *session, const snw_command *command) {
	(void)command;
	session->state.shows_contact = !session->state.shows_contact;
	session->display.is_stale = true;
}

/* A box round the deepest point, a fifth of the character's size. */
void snw_do_contact_worst(snw_session *session, const snw_command *command) {
	(void)command;
	const snw_contact_marks marks = snw_contact_watch_marks(session->contact_watch);
	if (marks.count == 0 || marks.clip != session->state.clip || !(marks.deepest[marks.worst] > 0)) {
		snw_view_state_say(&session->state, !session->state.shows_contact ? "Show contact first."
											: session->state.clip == SNW_NONE
												? "Show a clip: contact is searched for at its keys."
											: marks.count == 0 ? "Contact in this clip is not known yet."
															   : "Nothing goes through anything else in this clip.");
		return;
	}
	const double room = session->document->size / 10;
	double corners[8][3];
	for (unsigned i = 0; i < 24; i++) {
		corners[i / 3][i % 3] = marks.place[i % 3] + (i / 3 >> i % 3 & 1U ? room : -room);
	}
	char words[60];
	session->state.playing = false;
	snw_session_discard_pose(session);
	session->state.seconds = marks.seconds[marks.worst];
	snw_session_fit_camera(session, corners[0], 8);
	snw_length_write(session, marks.deepest[marks.worst], words, sizeof words);
	snw_view_state_say(&session->state, "The deepest contact of this clip: %s.", words);
}

void snw_do_driver_cone(snw_session *session, const snw_command *command) {
	(void)command;
	session->state.shows_cone = !session->state.shows_cone;
}

void snw_do_ghosts(snw_session *session, const snw_command *command) {
	(void)command;
	session->state.ghosts = !session->state.ghosts;
	session->display.is_stale = true;
}

void snw_do_shading(snw_session *session, const snw_command *command) {
	const uint32_t look = (uint32_t)fmin(fmax(command->n[0], 0), SNW_LOOK_COUNT - 1);
	session->state.flags = snw_look_put(session->state.flags, look);
}

/* From any other look to the first matcap, and from the last one back to that look. */
void snw_do_matcap(snw_session *session, const snw_command *command) {
	(void)command;
	snw_view_state *state = &session->state;
	const uint32_t look = snw_look_of(state->flags);
	const bool is_matcap = look >= SNW_LOOK_MATCAPS;
	state->look_before_matcap = is_matcap ? state->look_before_matcap : look;
	const uint32_t next = !is_matcap                  ? (uint32_t)SNW_LOOK_MATCAPS
						  : look + 1 < SNW_LOOK_COUNT ? look + 1
													  : state->look_before_matcap;
	state->flags = snw_look_put(state->flags, next);
	snw_view_state_say(state, "%s: %s", next >= SNW_LOOK_MATCAPS ? "Matcap" : "Shading", snw_looks[next].label);
}

void snw_do_level(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const bool is_by_size = command->n[0] < 0;
	const uint32_t number = (uint32_t)fmin(fmax(command->n[0], 0), 1e6);
	if (is_by_size ? scene->level_count == 0 : number > 0 && !snw_scene_has_level(scene, number)) {
		snw_view_state_warn(&session->state, "There is no such level of detail; make levels in the Stack tab.");
	} else {
		session->state.level = is_by_size ? SNW_LEVEL_BY_SIZE : number;
	}
}

void snw_do_lights(snw_session *session, const snw_command *command) {
	session->state.lights = (uint32_t)fmin(fmax(command->n[0], 0), SNW_LIGHTS_COUNT - 1);
}

void snw_do_light_turn(snw_session *session, const snw_command *command) {
	session->state.light_turn = fmin(fmax(command->n[0], -180), 180) * M_PI / 180;
}

typedef struct refine_request {
	uint32_t level;
	snw_gpu_scene_data *refined;
} refine_request;

static snw_status refine(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	refine_request *request = data;
	const snw_document *document = context->document;
	return document->shape == job->shape ? snw_gpu_scene_data_refine(document->scene, request->level, &request->refined, error)
										 : SNW_CANCELLED;
}

/* A later document with the same meshes may show the result; any other document may not. */
static void refined(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	refine_request *request = data;
	snw_error error = {0};
	if (snw_failed(job->status) || job->shape != session->document->shape) {
		return;
	}
	if (snw_failed(snw_viewport_refine(session->display.viewport, request->refined, &error))) {
		snw_view_state_warn(&session->state, error.text);
	} else {
		session->display.is_uploading = true;
		session->state.subdivision = request->level;
	}
}

static void free_refined(void *request) {
	snw_gpu_scene_data_destroy(((refine_request *)request)->refined);
}

/* A subdivision level that is missing is computed in the background, and shown when it is ready. */
void snw_do_subdivide(snw_session *session, const snw_command *command) {
	const uint32_t level = (uint32_t)fmin(fmax(command->n[0], 0), 2);
	if (snw_viewport_has_level(session->display.viewport, level)) {
		session->state.subdivision = level;
		return;
	}
	snw_job *job = snw_job_create("refining the mesh", sizeof(refine_request));
	((refine_request *)job->request)->level = level;
	job->run = refine;
	job->done = refined;
	job->free_request = free_refined;
	snw_background_send(session, job);
}

void snw_do_reset_graphics(snw_session *session, const snw_command *command) {
	(void)command;
	snw_renderer_lose(session->renderer);
}

void snw_do_panels(snw_session *session, const snw_command *command) {
	(void)command;
	session->state.bare = !session->state.bare;
}

void snw_do_tab(snw_session *session, const snw_command *command) {
	session->state.tab = (snw_tab)fmin(fmax(command->n[0], 0), SNW_TAB_HISTORY);
}

void snw_do_picture(snw_session *session, const snw_command *command) {
	snprintf(session->picture_path, sizeof session->picture_path, "%s", command->text);
	session->picture_requested = true;
}

void snw_do_report(snw_session *session, const snw_command *command) {
	(void)command;
	session->report_requested = true;
}

void snw_do_report_at_once(snw_session *session, const snw_command *command) {
	(void)command;
	session->report_at_once = true;
}

/* ---- time ---------------------------------------------------------------------------------------------------------------- */

void snw_do_clip(snw_session *session, const snw_command *command) {
	const uint32_t clip = snw_session_find(session, SNW_NOUN_CLIP, command->text);
	if (clip != SNW_NONE) {
		session->state.seconds = clip == session->state.clip ? session->state.seconds : 0;
		snw_session_choose_clip(session, clip);
		snw_session_say_no_frames(session);
	}
}

void snw_do_play(snw_session *session, const snw_command *command) {
	(void)command;
	snw_view_state *state = &session->state;
	if (session->document->scene->clip_count == 0) {
		snw_view_state_warn(state, "There is no clip to play. Clips come with an imported character.");
	} else if (state->clip == SNW_NONE || session->edited_pose) {
		snw_session_choose_clip(session, state->clip == SNW_NONE ? 0 : state->clip);
		state->playing = true;
	} else {
		state->playing = !state->playing;
		const bool at_end = state->seconds >= session->display.sampled.duration_seconds;
		state->seconds = state->playing && at_end ? 0 : state->seconds;
	}
}

static void step_frame(snw_session *session, int steps) {
	if (session->state.clip != SNW_NONE) {
		snw_session_discard_pose(session);
		session->state.playing = false;
		session->state.seconds = snw_sampled_clip_step(&session->display.sampled, session->state.seconds, steps);
	}
}

void snw_do_step(snw_session *session, const snw_command *command) {
	step_frame(session, (int)fmin(fmax(command->n[0], -1e6), 1e6));
}

void snw_do_step_on(snw_session *session, const snw_command *command) {
	(void)command;
	step_frame(session, 1);
}

void snw_do_step_back(snw_session *session, const snw_command *command) {
	(void)command;
	step_frame(session, -1);
}

void snw_do_seek(snw_session *session, const snw_command *command) {
	if (session->state.clip == SNW_NONE && session->document->scene->clip_count > 0) {
		snw_session_choose_clip(session, 0);
	}
	if (session->state.clip != SNW_NONE) {
		snw_session_discard_pose(session);
		session->state.playing = false;
		session->state.seconds = fmin(fmax(command->n[0], 0), session->display.sampled.duration_seconds);
	}
}

void snw_do_start(snw_session *session, const snw_command *command) {
	(void)command;
	session->state.seconds = 0;
}

void snw_do_loop(snw_session *session, const snw_command *command) {
	(void)command;
	session->state.loop = !session->state.loop;
}

void snw_do_speed(snw_session *session, const snw_command *command) {
	session->state.speed = fmin(fmax(command->n[0], 0.05), 8);
}

/* ---- help ---------------------------------------------------------------------------------------------------------------- */

/* The palette, the list of keys, preferences, and the recorded script for a bug report. */

void snw_do_palette(snw_session *session, const snw_command *command) {
	(void)command;
	snw_session_open_dialog(session, SNW_DIALOG_PALETTE);
}

void snw_do_keys(snw_session *session, const snw_command *command) {
	(void)command;
	snw_session_open_dialog(session, SNW_DIALOG_KEYS);
}

void snw_do_help(snw_session *session, const snw_command *command) {
	session->asking = *command;
	snw_session_open_dialog(session, SNW_DIALOG_PAGES);
}

void snw_do_about(snw_session *session, const snw_command *command) {
	(void)command;
	snw_session_open_dialog(session, SNW_DIALOG_ABOUT);
}

void snw_do_preferences(snw_session *session, const snw_command *command) {
	(void)command;
	snw_session_open_dialog(session, SNW_DIALOG_PREFERENCES);
}

void snw_do_prefer(snw_session *session, const snw_command *command) {
	if (!snw_preferences_set(&session->preferences, command->text) || session->preferences.fault[0]) {
		snw_view_state_warn(&session->state, session->preferences.fault);
		session->preferences.fault[0] = '\0';
	}
}

void snw_do_panel_width(snw_session *session, const snw_command *command) {
	snw_preferences *preferences = &session->preferences;
	*(command->n[0] == 0 ? &preferences->outliner_width : &preferences->side_width) = fmin(fmax(command->n[1], 1), 4000);
}

/* Whether two commands' keys act at the same time: always, while posing, or while sculpting. */
static bool act_together(snw_command_id one, snw_command_id other) {
	const char a = snw_command_infos[one].when[0], b = snw_command_infos[other].when[0];
	return one != other && (a == b || a == 'a' || b == 'a');
}

/* Whether the command may have these keys; if not, says what has one of them. */
static bool are_free(snw_session *session, snw_command_id id, const char *wanted) {
	char keys[SNW_KEYS_SIZE], words[400], *cursor;
	snprintf(keys, sizeof keys, "%s", wanted);
	for (char *word = strtok_r(keys, " ", &cursor); word; word = strtok_r(NULL, " ", &cursor)) {
		const char *key = strncmp(word, "hold:", 5) == 0 ? word + 5 : word;
		if (key[0] >= '1' && key[0] <= '9' && !key[1] && snw_command_infos[id].when[0] != 's') {
			snprintf(words, sizeof words, "%s selects a method. Choose another key for \"%s\".", key, snw_command_title(id));
			snw_view_state_warn(&session->state, words);
			return false;
		}
		for (int i = 0; i < SNW_DO_COUNT; i++) {
			const char *others = session->preferences.keys[i];
			if (act_together(id, (snw_command_id)i) &&
				(snw_keys_contain(others, "", key) || snw_keys_contain(others, "hold:", key))) {
				snprintf(words, sizeof words, "%s is the key of \"%s\". Change that one first, or choose another for \"%s\".",
						 key, snw_command_title(i), snw_command_title(id));
				snw_view_state_warn(&session->state, words);
				return false;
			}
		}
	}
	return true;
}

void snw_do_bind(snw_session *session, const snw_command *command) {
	snw_preferences *preferences = &session->preferences;
	snw_command_id id;
	char keys[SNW_KEYS_SIZE];
	if (!snw_preferences_read_keys(preferences, command->text, &id, keys)) {
		snw_view_state_warn(&session->state, preferences->fault);
	} else if (are_free(session, id, keys)) {
		snw_preferences_bind(preferences, id, keys);
		if (preferences->fault[0]) {
			snw_view_state_warn(&session->state, preferences->fault);
		} else {
			snw_view_state_say(&session->state, "%s: %s", snw_command_title(id), keys[0] ? keys : "no key");
		}
	}
	preferences->fault[0] = '\0';
}

void snw_do_key_preset(snw_session *session, const snw_command *command) {
	snw_preferences *preferences = &session->preferences;
	if (!snw_preferences_use_key_preset(preferences, command->text) || preferences->fault[0]) {
		snw_view_state_warn(&session->state, preferences->fault);
	} else {
		snw_view_state_say(&session->state, "All keys are those of the preset %s.", command->text);
	}
	preferences->fault[0] = '\0';
}

void snw_do_write_script(snw_session *session, const snw_command *command) {
	(void)command;
	char path[400];
	snw_error error = {0};
	snw_file_write *file = NULL;
	int number = 0;
	do {
		snprintf(path, sizeof path, "%s-session-%d.txt", session->document->title, ++number);
	} while (snw_file_exists(path));
	snw_status status = snw_file_write_begin(path, &file, &error);
	if (!snw_failed(status)) {
		FILE *stream = snw_file_write_stream(file);
		fprintf(stream, "# sinew view PROJECT --script THIS --size %dx%d\n", session->width, session->height);
		fwrite(session->record, 1, session->record_used, stream);
		status = snw_file_write_commit(file, &error);
	}
	if (snw_failed(status)) {
		snw_view_state_warn(&session->state, error.text);
	} else {
		snw_view_state_say(&session->state, "Saved %s; 'sinew view --script' repeats it.", path);
	}
}
