/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands of sculpting and of skin weights: which of them wait for others, what they store, and what a script records of them.
 * Without a window: the session has one triangle and three joints.
 */
#include "check.h"

#include <SDL.h>

#include "file/file.h"
#include "window/commands/commands.h"
#include "window/input/input.h"
#include "window/session/sculpting.h"
#include "window/session/session.h"

enum { POINTS = 3, JOINTS = 3 };

static const char *const names[JOINTS] = {"root", "upper", "lower"};
static const uint32_t slots[JOINTS] = {0, 1, 2};
static uint32_t parents[JOINTS] = {SNW_NONE, 0, 1};
/* All points have weights of upper, the last one also of lower. */
static const uint32_t influence_offsets[POINTS + 1] = {0, 1, 2, 4}, influence_slots[] = {1, 1, 1, 2};
static const double influence_weights[] = {1, 1, 0.5, 0.5};
static const double points[POINTS][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const uint32_t face_offsets[] = {0, 3}, face_points[] = {0, 1, 2};

static snw_mesh mesh;
static snw_scene scene;
static snw_document document;
static snw_session session;
static snw_command_queue done;
static snw_job other_job; /* that is never sent */
static bool locked[JOINTS];
static const double *values[1];
static snw_error fault;

static int setup(void **state) {
	(void)state;
	mesh = (snw_mesh){.name = "triangle",
					  .point_count = POINTS,
					  .points_rest = &points[0][0],
					  .face_count = 1,
					  .face_offsets = face_offsets,
					  .face_points = face_points,
					  .influence_offsets = influence_offsets,
					  .influence_slots = influence_slots,
					  .influence_weights = influence_weights};
	scene = (snw_scene){.skeleton = {.joint_count = JOINTS, .names = (const char **)names, .parents = parents},
						.mesh_count = 1,
						.meshes = &mesh,
						.slot_count = JOINTS,
						.slot_joints = slots};
	document = (snw_document){.scene = &scene, .path = "triangle.sinew"};
	memset(locked, 0, sizeof locked);
	memset(&session, 0, sizeof session);
	session.document = &document;
	session.display.scene = &scene;
	session.display.locked_joints = locked;
	session.state.camera = (snw_camera){.distance = 3};
	snw_sculpting_start(&session.sculpting);
	session.sculpting.mesh = &mesh;
	session.sculpting.point_count = mesh.point_count;
	session.sculpting.values = values;
	done.count = 0;
	return 0;
}

static int teardown(void **state) {
	(void)state;
	snw_job_queue_clear(&session.job_queue);
	snw_sculpt_destroy(session.sculpting.sculpt);
	free(session.record);
	return 0;
}

static void make_sculpt(void) {
	const snw_sculpt_setup options = {.mesh = &mesh, .points_posed = &points[0][0]};
	check_ok(snw_sculpt_create(&options, &session.sculpting.sculpt, &fault), fault);
	session.state.sculpting = true;
}

static void begin_stroke(snw_brush_kind kind) {
	snw_sculpting *s = &session.sculpting;
	const snw_pick pick = {.face = 0, .point = 0};
	s->brush.kind = s->stroke.kind = kind;
	check_ok(snw_sculpt_begin(s->sculpt, &s->brush, &pick, &fault), fault);
}

/* ---- waiting ------------------------------------------------------------------------------------------------------------- */

static bool stroke_waits(snw_brush_kind kind, int keys) {
	const double numbers[] = {0.5, 0.5, 1, keys};
	session.sculpting.brush.kind = kind;
	session.queue.count = done.count = 0;
	snw_emit_with(&session.queue, SNW_DO_STROKE, numbers, 4, NULL);
	snw_session_apply(&session, &done);
	return session.queue.count == 1;
}

static void strokes_that_change_weights_wait_for_edits_and_no_others_do(void **state) {
	(void)state;
	session.uploading_job = &other_job; /* "mirror weights", say */
	session.sculpting.paints_weights = true;
	session.state.joint = 1;
	assert_true(stroke_waits(SNW_BRUSH_PAINT, 0) && stroke_waits(SNW_BRUSH_BLUR, 0) && stroke_waits(SNW_BRUSH_PAINT, 1));
	assert_false(stroke_waits(SNW_BRUSH_GRAB, 0));
	assert_false(stroke_waits(SNW_BRUSH_INFLATE, 1));
	assert_false(stroke_waits(SNW_BRUSH_MASK, 0));
	session.state.joint = SNW_NONE; /* Paint paints a field */
	assert_false(stroke_waits(SNW_BRUSH_PAINT, 0));
}

static void typed_weight_waits_until_a_stroke_is_over(void **state) {
	(void)state;
	make_sculpt();
	begin_stroke(SNW_BRUSH_PAINT);
	snw_emit_with(&session.queue, SNW_DO_WEIGHT, (const double[]){0.25}, 1, "upper");
	snw_emit(&session.queue, SNW_DO_UNDO);
	snw_emit(&session.queue, SNW_DO_STROKE_END);
	snw_session_apply(&session, &done);
	assert_false(snw_sculpting_is_stroking(&session.sculpting));
	assert_int_equal(done.count, 1);
	assert_int_equal(done.commands[0].id, SNW_DO_STROKE_END);
	assert_int_equal(session.queue.count, 2);
}

/* It would wait for the typed weight, the end of the stroke for it, and the weight for that. */
static void other_mesh_does_not_keep_a_stroke_from_ending(void **state) {
	(void)state;
	make_sculpt();
	begin_stroke(SNW_BRUSH_PAINT);
	snw_emit_with(&session.queue, SNW_DO_WEIGHT, (const double[]){0.25}, 1, "upper");
	snw_emit_text(&session.queue, SNW_DO_MESH, "triangle");
	snw_emit(&session.queue, SNW_DO_STROKE_END);
	session.uploading_job = &other_job; /* which ends by itself */
	snw_session_apply(&session, &done);
	assert_false(snw_sculpting_is_stroking(&session.sculpting));
	assert_int_equal(session.queue.count, 1);
}

static void stroke_that_waits_leaves_room_in_the_queue_and_keeps_its_path(void **state) {
	(void)state;
	snw_command_queue *queue = &session.queue;
	snw_emit(queue, SNW_DO_STROKE);
	for (int i = 0; i < 100; i++) { /* a corner at (0.5, 0) */
		const double numbers[] = {i < 50 ? 0.01 * i : 0.5, i < 50 ? 0 : 0.01 * (i - 50), 1};
		snw_emit_with(queue, SNW_DO_DAB, numbers, 3, NULL);
	}
	snw_emit(queue, SNW_DO_STROKE_END);
	snw_queue_thin(queue, SNW_DO_DAB, 20);
	assert_int_equal(queue->count, 20);
	assert_true(queue->commands[0].id == SNW_DO_STROKE && queue->commands[19].id == SNW_DO_STROKE_END);
	bool has_corner = false;
	for (int i = 1; i < 19; i++) {
		has_corner = has_corner || (queue->commands[i].n[0] == 0.5 && queue->commands[i].n[1] == 0);
	}
	assert_true(has_corner && queue->commands[1].n[0] == 0 && queue->commands[18].n[1] == 0.01 * 49);
	snw_queue_thin(queue, SNW_DO_DAB, 1);
	assert_int_equal(queue->count, 4); /* the first and the last stay */
}

static void press_begins_no_stroke_once_many_wait(void **state) {
	(void)state;
	static snw_input input;
	const snw_layout layout = {.view_width = 100, .view_height = 100};
	const SDL_Event press = {.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_LEFT, .x = 50, .y = 50}};
	const SDL_Event release = {.button = {.type = SDL_MOUSEBUTTONUP, .button = SDL_BUTTON_LEFT, .x = 50, .y = 50}};
	session.state.sculpting = session.sculpting.is_preparing = true;
	for (int i = 0; i < SNW_QUEUE_MOST; i++) {
		snw_input_event(&input, &press, true, &layout, &session);
		snw_input_event(&input, &release, true, &layout, &session);
	}
	assert_in_range(session.queue.count, SNW_QUEUE_MOST / 2, SNW_QUEUE_MOST - 9);
	assert_int_equal(session.queue.commands[session.queue.count - 1].id, SNW_DO_STROKE_END);
	assert_non_null(strstr(session.state.message, "strokes are waiting"));
}

/* ---- storing ------------------------------------------------------------------------------------------------------------- */

static void typed_weight_leaves_what_the_brush_paints(void **state) {
	(void)state;
	snw_sculpting *s = &session.sculpting;
	const snw_command weight = {.id = SNW_DO_WEIGHT, .n = {0.25}, .text = "upper"};
	make_sculpt();
	session.uploading_job = &other_job;
	s->painted_joint = 2;
	s->chosen_point = 2;
	snprintf(s->painted, sizeof s->painted, "weights of lower");
	snw_do_weight(&session, &weight);
	assert_non_null(session.job_queue.first);
	assert_string_equal(session.job_queue.first->label, "set weights of upper");
	assert_string_equal(session.record, "weights set --joint=upper --mesh=triangle --point=2 --weight=0.25\n");
	/* An operator that has failed is no part of the script. What was recorded meanwhile is. */
	snw_emit_text(&session.queue, SNW_DO_MESH, "triangle");
	snw_session_apply(&session, &done);
	snw_job *job = snw_job_queue_take(&session.job_queue);
	job->failed(&session, job, job->request);
	snw_job_destroy(job);
	assert_string_equal(session.record, "window mesh triangle\n");
	assert_string_equal(s->painted, "weights of lower");
	assert_int_equal(s->painted_joint, 2);
}

static void mask_that_does_not_change_is_not_stored(void **state) {
	(void)state;
	make_sculpt();
	session.uploading_job = &other_job;
	const snw_command clear = {.id = SNW_DO_MASK_CLEAR}, invert = {.id = SNW_DO_MASK_INVERT};
	const snw_command click = {.id = SNW_DO_MASK_OUTLINE, .n = {1}, .text = "0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5"};
	snw_do_mask_clear(&session, &clear);
	snw_do_mask_outline(&session, &click);
	assert_null(session.job_queue.first);
	snw_do_mask_invert(&session, &invert);
	assert_non_null(session.job_queue.first);
}

/* The triangle is around the middle of the view in which the outline was drawn, and out of sight when it runs. */
static void outline_that_waits_is_of_the_view_it_was_drawn_in(void **state) {
	(void)state;
	make_sculpt();
	session.aspect = 1;
	session.uploading_job = &other_job;
	session.is_restoring = true;
	session.state.camera = (snw_camera){.distance = 20};
	const double masks = 1;
	snw_emit_with(&session.queue, SNW_DO_MASK_OUTLINE, &masks, 1, "0 0 1 0 1 1 0 1");
	snw_session_apply(&session, &done);
	assert_int_equal(session.queue.count, 1);
	session.state.camera.target[0] = 1000;
	session.is_restoring = false;
	snw_session_apply(&session, &done);
	assert_int_equal(session.queue.count, 0);
	const snw_sculpt_view *view = snw_sculpt_get_view(session.sculpting.sculpt);
	for (uint32_t i = 0; i < view->point_count; i++) {
		assert_true(view->mask[i] == 1);
	}
}

/* ---- what waiting commands are for --------------------------------------------------------------------------------------- */

/* The commands that wait run, with a job thread that has nothing to do. */
static void run_waiting(void) {
	check_ok(snw_job_thread_create(NULL, SDL_USEREVENT, &session.job_thread, &fault), fault);
	session.uploading_job = NULL;
	done.count = 0;
	snw_session_apply(&session, &done);
	snw_job_thread_destroy(session.job_thread);
	session.job_thread = NULL;
}

static void put_layers(snw_scene *where, snw_layer *layers, uint32_t count) {
	where->layers = layers;
	where->layer_count = count;
}

/* The session goes on with what a job has made of the scene. */
static void follow(const snw_scene *changed, snw_document *next) {
	*next = (snw_document){.scene = (snw_scene *)changed, .path = document.path};
	snw_session_follow_commands(&session, &document, next);
	snw_view_state_follow(&session.state, &document, next);
	session.document = next;
}

/* "Rename layer" asks for a name, and so says which layer it is for. */
static void waiting_command_is_for_what_was_chosen_when_it_was_given(void **state) {
	(void)state;
	snw_layer layers[] = {{.id = 1, .name = "low"}, {.id = 2, .name = "middle"}, {.id = 3, .name = "high"}};
	put_layers(&scene, layers, 3);
	session.uploading_job = &other_job;
	snw_emit_number(&session.queue, SNW_DO_LAYER, 1);
	snw_emit(&session.queue, SNW_DO_LAYER_NAME);
	snw_emit_number(&session.queue, SNW_DO_LAYER_PLACE, 2);
	snw_session_apply(&session, &done);
	snw_emit_number(&session.queue, SNW_DO_LAYER, 2);
	snw_session_apply(&session, &done);
	assert_int_equal(session.queue.count, 2);
	/* Meanwhile an earlier command deletes the lowest layer. */
	snw_scene fewer = scene;
	put_layers(&fewer, layers + 1, 2);
	snw_document next;
	follow(&fewer, &next);
	assert_true(session.queue.commands[1].n[0] == 1); /* where "high" is now */
	session.queue.count = 1;
	run_waiting();
	assert_int_equal(session.state.dialog, SNW_DIALOG_NAME);
	assert_string_equal(session.asking.text, "middle");
	assert_int_equal(session.state.layer, 1); /* "high" stays chosen */
	assert_string_equal(session.record, "window layer 1\nwindow layer 2\n");
}

static void waiting_command_for_what_was_deleted_is_dropped_with_words(void **state) {
	(void)state;
	snw_layer layers[] = {{.id = 1, .name = "low"}, {.id = 2, .name = "high"}};
	put_layers(&scene, layers, 2);
	session.uploading_job = &other_job;
	snw_emit_number(&session.queue, SNW_DO_LAYER, 0);
	snw_emit(&session.queue, SNW_DO_LAYER_REMOVE);
	snw_session_apply(&session, &done);
	snw_emit_number(&session.queue, SNW_DO_LAYER, 1);
	snw_session_apply(&session, &done);
	snw_scene fewer = scene;
	put_layers(&fewer, layers + 1, 1);
	snw_document next;
	follow(&fewer, &next);
	run_waiting();
	assert_int_equal(session.queue.count, 0);
	assert_null(session.job_queue.first);
	assert_true(session.state.alarmed);
	assert_non_null(strstr(session.state.message, "has been deleted"));
	assert_int_equal(session.state.layer, 0);
	assert_string_equal(session.record, "window layer 0\nwindow layer 1\n"); /* a script does not remove another layer */
}

/* Saving has nothing to do with the layer that was chosen. */
static void waiting_command_for_something_else_runs_after_a_deletion(void **state) {
	(void)state;
	snw_layer layers[] = {{.id = 1, .name = "low"}, {.id = 2, .name = "high"}};
	put_layers(&scene, layers, 2);
	session.uploading_job = &other_job; /* "remove layer low", say */
	snw_emit_number(&session.queue, SNW_DO_LAYER, 0);
	snw_emit(&session.queue, SNW_DO_SAVE_AS); /* which asks for a place */
	snw_session_apply(&session, &done);
	snw_emit_number(&session.queue, SNW_DO_LAYER, 1);
	snw_session_apply(&session, &done);
	snw_scene fewer = scene;
	put_layers(&fewer, layers + 1, 1);
	snw_document next;
	follow(&fewer, &next);
	run_waiting();
	assert_false(session.state.alarmed);
	assert_int_equal(session.state.dialog, SNW_DIALOG_SAVE_AS);
}

/* A stroke, once stored, chooses its example. */
static void waiting_command_is_not_for_what_a_job_chooses(void **state) {
	(void)state;
	snw_example examples[] = {{.id = 1, .name = "old"}, {.id = 2, .name = "new"}};
	scene.examples = examples;
	scene.example_count = 2;
	session.uploading_job = &other_job;
	snw_emit_text(&session.queue, SNW_DO_EXAMPLE, "old");
	snw_session_apply(&session, &done);
	snw_emit(&session.queue, SNW_DO_EXAMPLE_NAME); /* in the redraw in which the job ends */
	snw_session_keep_choices(&session);
	session.state.example = 1;
	run_waiting();
	assert_int_equal(session.state.dialog, SNW_DIALOG_NAME);
	assert_string_equal(session.asking.text, "old");
	assert_int_equal(session.state.example, 1);
	/* Where nothing was chosen, it is for what the job has made. */
	session.state.example = SNW_NONE;
	session.uploading_job = &other_job;
	snw_emit(&session.queue, SNW_DO_EXAMPLE_NAME);
	snw_session_apply(&session, &done);
	session.state.example = 1;
	run_waiting();
	assert_string_equal(session.asking.text, "new");
}

/* Without a choice the largest mesh is meant. */
static void waiting_command_is_for_the_mesh_that_was_meant(void **state) {
	(void)state;
	snw_mesh meshes[] = {mesh, mesh};
	meshes[1].name = "other";
	meshes[1].point_count = POINTS - 1;
	scene.meshes = meshes;
	scene.mesh_count = 2;
	session.state.mesh = SNW_NONE;
	session.uploading_job = &other_job;
	snw_emit(&session.queue, SNW_DO_WEIGHTS_PRUNE);
	snw_session_apply(&session, &done);
	snw_emit_text(&session.queue, SNW_DO_MESH, "other");
	snw_session_apply(&session, &done);
	assert_int_equal(session.state.mesh, 1);
	run_waiting();
	assert_int_equal(session.state.mesh, 1);
	assert_string_equal(session.record, "window mesh other\nweights prune --mesh=triangle\n");
}

static void waiting_command_for_a_sculpt_layer_leaves_the_topmost(void **state) {
	(void)state;
	snw_sculpt_layer sculpts[] = {{.id = 7, .name = "bulge", .opacity = 1}, {.id = 8, .name = "fold", .opacity = 1}};
	snw_example example = {.id = 1, .name = "bent", .layer_count = 2, .layers = sculpts}, less = example;
	less.layers = sculpts + 1;
	less.layer_count = 1;
	scene.examples = &example;
	scene.example_count = 1;
	session.uploading_job = &other_job; /* "delete bulge" */
	session.state.example = 0;
	session.state.sculpt_layer = 7;
	snw_emit(&session.queue, SNW_DO_SCULPT_LAYER_NAME);
	snw_session_apply(&session, &done);
	snw_scene fewer = scene;
	fewer.examples = &less;
	snw_document next;
	follow(&fewer, &next);
	run_waiting();
	assert_int_equal(session.state.dialog, SNW_DIALOG_NONE);
	assert_true(session.state.alarmed);
	assert_non_null(strstr(session.state.message, "has been deleted"));
}

static void another_moment_waits_for_what_stores_this_one(void **state) {
	(void)state;
	session.uploading_job = &other_job;
	snw_emit_number(&session.queue, SNW_DO_SEEK, 0.25);
	snw_session_apply(&session, &done);
	assert_int_equal(session.queue.count, 0);
	snw_emit(&session.queue, SNW_DO_EXAMPLE_ADD);
	snw_emit_number(&session.queue, SNW_DO_SEEK, 0.5);
	snw_session_apply(&session, &done);
	assert_int_equal(session.queue.count, 2);
}

/* Also a clip that plays stands still, until what waits for a fit has stored the moment at which it was asked for. */
static void clip_stands_still_for_what_stores_its_moment(void **state) {
	(void)state;
	session.uploading_job = &other_job;
	session.state.playing = true;
	snw_emit(&session.queue, SNW_DO_UNDO);
	snw_session_apply(&session, &done);
	assert_true(session.state.playing && session.queue.count == 1);
	snw_emit(&session.queue, SNW_DO_EXAMPLE_ADD);
	snw_emit(&session.queue, SNW_DO_PLAY);
	snw_session_apply(&session, &done);
	assert_int_equal(session.queue.count, 3);
	assert_false(session.state.playing);
}

static void another_pose_waits_for_what_changes_this_one(void **state) {
	(void)state;
	session.uploading_job = &other_job;
	snw_emit_text(&session.queue, SNW_DO_POSE, "rest");
	snw_session_apply(&session, &done);
	assert_int_equal(session.queue.count, 0); /* nothing waits: looking around is free */
	snw_emit_text(&session.queue, SNW_DO_ROTATE, "upper");
	snw_emit_text(&session.queue, SNW_DO_POSE, "rest");
	snw_emit_number(&session.queue, SNW_DO_LAYER, 0);
	snw_session_apply(&session, &done);
	assert_int_equal(session.queue.count, 2);
	assert_int_equal(session.queue.commands[1].id, SNW_DO_POSE);
}

/* While a sculpt is stored, the user shows another pose or chooses another example: neither is taken back. */
static void user_who_goes_on_stays_there_when_a_sculpt_is_stored(void **state) {
	(void)state;
	static snw_transform locals[3][JOINTS] = {[1] = {{.rotation = {0, 0, 0, 1}}}, [2] = {{.rotation = {1, 0, 0, 0}}}};
	static double vectors[3 * JOINTS];
	const snw_pose poses[] = {{.id = 1, .name = "rest", .local = locals[0], .rotation_vectors = vectors},
							  {.id = 2, .name = "bent", .local = locals[1], .rotation_vectors = vectors},
							  {.id = 3, .name = "up", .local = locals[2], .rotation_vectors = vectors}};
	const snw_example examples[] = {{.id = 5, .name = "old"}, {.id = 6, .name = "other"}, {.id = 7, .name = "bent", .pose = 1}};
	scene.poses = poses;
	scene.pose_count = 3;
	scene.examples = examples;
	session.display.scene = &scene;
	session.display.document = &document;
	session.state.clip = session.state.group = SNW_NONE;
	session.state.sculpting = true;
	session.sculpting.mesh = NULL; /* nothing is prepared again */
	session.uploading_job = &other_job;
	for (int moves = 0; moves < 3; moves++) {
		scene.example_count = 2;
		session.state.pose = 1;
		session.state.example = 0;
		snw_store_sculpt(&session, "add", 0, &points[0][0], 0);
		snw_job *job = snw_job_queue_take(&session.job_queue);
		assert_non_null(job);
		session.state.pose = moves == 1 ? 2 : 1;
		session.state.example = moves == 2 ? 1 : 0;
		scene.example_count = 3;
		job->done(&session, job, job->request);
		assert_int_equal(session.state.pose, moves == 1 ? 2 : 1);
		assert_int_equal(session.state.example, moves == 0 ? 2 : moves == 1 ? 0 : 1);
		snw_job_destroy(job);
	}
}

/* ---- scripts and messages ------------------------------------------------------------------------------------------------ */

static void weights_of_a_point_are_listed_with_paint_and_recorded_by_its_index(void **state) {
	(void)state;
	snw_sculpting *s = &session.sculpting;
	s->is_over = true;
	s->under.point = 2;
	s->brush.kind = SNW_BRUSH_GRAB;
	snw_emit(&session.queue, SNW_DO_WEIGHTS_POINT);
	snw_session_apply(&session, &done);
	assert_string_equal(session.record, "window weights-point 2\n");
	assert_int_equal(s->chosen_point, 2);
	assert_true(s->paints_weights);
	assert_int_equal(s->brush.kind, SNW_BRUSH_PAINT);
}

static void no_preset_gives_one_key_to_two_commands(void **state) {
	(void)state;
	const snw_preferences *preferences = &session.preferences;
	char words[200], folder[] = "/tmp/sinew-keys-XXXXXX";
	assert_non_null(mkdtemp(folder));
	snprintf(session.preferences.config, sizeof session.preferences.config, "%s", folder);
	for (uint32_t i = 0; i < SNW_KEY_PRESETS; i++) {
		snw_emit_text(&session.queue, SNW_DO_KEY_PRESET, snw_key_presets[i]);
		snw_session_apply(&session, &done);
		assert_false(session.state.alarmed);
		assert_int_equal(snw_preferences_key_preset(preferences), i);
		for (int id = 0; id < SNW_DO_COUNT; id++) {
			snprintf(words, sizeof words, "%s %s", snw_command_infos[id].name, preferences->keys[id]);
			snw_emit_text(&session.queue, SNW_DO_BIND, words);
			snw_session_apply(&session, &done);
			assert_false(session.state.alarmed);
		}
		for (int id = SNW_DO_BRUSH_GRAB; id <= SNW_DO_BRUSH_BLUR; id++) {
			assert_true(preferences->keys[id][0]);
			assert_string_equal(snw_command_infos[id].name + strlen("brush-"), snw_command_brush((snw_command_id)id)->name);
		}
	}
	assert_string_equal(preferences->keys[SNW_DO_BRUSH_DRAW], "X 5");
	assert_string_equal(preferences->keys[SNW_DO_MESH_ISOLATE], "Shift+H Keypad/");
	assert_string_equal(preferences->keys[SNW_DO_FRAME_CHOSEN], "Keypad.");
	assert_string_equal(preferences->keys[SNW_DO_BEFORE], "hold:Z");
	assert_string_equal(preferences->keys[SNW_DO_GRID], "");
	snw_emit_text(&session.queue, SNW_DO_BIND, "brush-fill X");
	snw_session_apply(&session, &done);
	assert_non_null(strstr(session.state.message, "X is the key of \"Draw\""));
	assert_int_equal(snw_preferences_key_preset(preferences), 1);
	snw_emit_text(&session.queue, SNW_DO_KEY_PRESET, "maya");
	snw_session_apply(&session, &done);
	assert_non_null(strstr(session.state.message, "choose sinew or blender"));
	assert_int_equal(snw_preferences_key_preset(preferences), 1);
	snw_file_remove_folder(folder);
}

static void advice_about_learned_weights_does_not_end_a_script(void **state) {
	(void)state;
	snw_layer layer = {.name = "learned", .deformer = "linear-blend-fit"};
	snw_registry *registry = snw_registry_open();
	const snw_command command = {.id = SNW_DO_PAINT_WEIGHTS};
	session.registry = registry;
	session.state.joint = 1;
	scene.layers = &layer;
	scene.layer_count = 1;
	snw_do_paint_weights(&session, &command);
	assert_non_null(strstr(session.state.message, "learned has learned weights"));
	assert_false(session.state.alarmed);
	snw_registry_close(registry);
}

static void line_at_the_foot_says_which_dialog_gets_what_is_typed(void **state) {
	(void)state;
	static const snw_input input;
	static const snw_layout layout;
	char hint[500];
	snw_example example = {.id = 1, .name = "old"};
	scene.examples = &example;
	scene.example_count = 1;
	session.uploading_job = &other_job;
	snw_emit_text(&session.queue, SNW_DO_EXAMPLE, "old");
	snw_emit(&session.queue, SNW_DO_EXAMPLE_NAME);
	snw_session_apply(&session, &done);
	assert_int_equal(snw_queue_asking(&session.queue), 0);
	snw_hint_write(&input, &layout, &session, hint, sizeof hint);
	assert_string_equal(hint, "Rename example opens after this change; what you type goes into it");
	run_waiting();
	assert_int_equal(session.state.dialog, SNW_DIALOG_NAME);
	assert_int_equal(snw_queue_asking(&session.queue), session.queue.count);
	snw_hint_write(&input, &layout, &session, hint, sizeof hint);
	assert_null(strstr(hint, "opens after"));
}

static void lasso_far_outside_the_view_is_written_whole(void **state) {
	(void)state;
	const snw_layout layout = {.view_width = 100, .view_height = 100};
	const double radius = 1500;
	snw_outline outline;
	double x = 0, y = 0;
	for (int i = 0; i < SNW_OUTLINE_POINTS; i++) {
		x = -2 * radius + radius * cos(2 * M_PI * i / SNW_OUTLINE_POINTS);
		y = -2 * radius + radius * sin(2 * M_PI * i / SNW_OUTLINE_POINTS);
		if (i == 0) {
			snw_outline_begin(&outline, SNW_OUTLINE_LASSO, x, y);
		} else {
			snw_outline_extend(&outline, x, y);
		}
	}
	snw_outline_end(&outline, &layout, false, &session.queue);
	assert_int_equal(session.queue.count, 1);
	const char *text = session.queue.commands[0].text;
	const char *last = text;
	int spaces = 0;
	for (const char *at = text + strlen(text); at > text && spaces < 2; last = at--) {
		spaces += at[-1] == ' ';
	}
	double wx = 0, wy = 0;
	assert_int_equal(sscanf(last, "%lf %lf", &wx, &wy), 2);
	assert_true(hypot(100 * wx - x, 100 * wy - y) < 2.1 * 2 * M_PI * radius / SNW_OUTLINE_POINTS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

TEST_GROUP(commands) {
	const struct CMUnitTest tests[] = {
		TEST(strokes_that_change_weights_wait_for_edits_and_no_others_do),
		TEST(typed_weight_waits_until_a_stroke_is_over),
		TEST(other_mesh_does_not_keep_a_stroke_from_ending),
		TEST(stroke_that_waits_leaves_room_in_the_queue_and_keeps_its_path),
		TEST(press_begins_no_stroke_once_many_wait),
		TEST(typed_weight_leaves_what_the_brush_paints),
		TEST(mask_that_does_not_change_is_not_stored),
		TEST(outline_that_waits_is_of_the_view_it_was_drawn_in),
		TEST(waiting_command_is_for_what_was_chosen_when_it_was_given),
		TEST(waiting_command_for_what_was_deleted_is_dropped_with_words),
		TEST(waiting_command_for_something_else_runs_after_a_deletion),
		TEST(waiting_command_is_not_for_what_a_job_chooses),
		TEST(waiting_command_is_for_the_mesh_that_was_meant),
		TEST(waiting_command_for_a_sculpt_layer_leaves_the_topmost),
		TEST(clip_stands_still_for_what_stores_its_moment),
		TEST(another_pose_waits_for_what_changes_this_one),
		TEST(another_moment_waits_for_what_stores_this_one),
		TEST(user_who_goes_on_stays_there_when_a_sculpt_is_stored),
		TEST(weights_of_a_point_are_listed_with_paint_and_recorded_by_its_index),
		TEST(no_preset_gives_one_key_to_two_commands),
		TEST(advice_about_learned_weights_does_not_end_a_script),
		TEST(line_at_the_foot_says_which_dialog_gets_what_is_typed),
		TEST(lasso_far_outside_the_view_is_written_whole),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
