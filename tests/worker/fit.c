/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fits in the worker and the transfer of their outcome: the program gets what the fit produced, and damaged bytes are
 * refused.
 */
#include "check.h"
#include "deformers/thinned.h"
#include "mutate.h"

#include <sys/mman.h>

#include "pose/pose.h"
#include "project/project.h"
#include "sample/sample.h"
#include "worker/job/job.h"
#include "worker/worker.h"

enum { DAMAGED = 3000 };

/* With each n-th frame of its targets. */
static const char *write_sample(const char *name, uint32_t n) {
	char file[40];
	snprintf(file, sizeof file, "%s.sinew", name);
	const char *path = check_scratch(file);
	snw_scene *scene = NULL;
	snw_error error = {0};
	check_ok(snw_sample_make(name, &scene, &error), error);
	thin_targets(scene, n);
	check_ok(snw_project_write(path, scene, name, &error), error);
	snw_scene_destroy(scene);
	return path;
}

static const char *write_arm(void) {
	static char path[1100];
	if (!path[0]) {
		snprintf(path, sizeof path, "%s", write_sample("small-arm", 1));
	}
	return path;
}

static void fit_in_the_worker_equals_in_process(void **state) {
	(void)state;
	const char *path = write_arm();
	const snw_fit_request request = {.method = "inverse-psd", .left_out_example = SNW_NONE};
	snw_fit_outcome outcomes[2] = {{.arena = snw_arena_create()}, {.arena = snw_arena_create()}};
	snw_error error = {0};
	for (int i = 0; i < 2; i++) {
		const snw_worker_limits limits = {.in_process = i == 1};
		assert_true(!snw_failed(snw_worker_fit(path, &request, &limits, NULL, &outcomes[i], &error)));
	}
	const snw_saved_model *a = &outcomes[0].model, *b = &outcomes[1].model;
	assert_true(a->byte_count > 0);
	assert_int_equal(a->byte_count, b->byte_count);
	assert_memory_equal(a->bytes, b->bytes, a->byte_count);
	assert_string_equal(a->deformer, b->deformer);
	assert_string_equal(outcomes[0].layer.name, outcomes[1].layer.name);
	assert_int_equal(outcomes[0].status, outcomes[1].status);
	const snw_proposals *p = &outcomes[0].proposals, *q = &outcomes[1].proposals;
	assert_int_equal(p->field_count, q->field_count);
	for (uint32_t f = 0; f < p->field_count; f++) {
		assert_string_equal(p->fields[f].name, q->fields[f].name);
		assert_memory_equal(p->fields[f].values, q->fields[f].values,
							(size_t)p->fields[f].components * p->fields[f].count * sizeof(double));
	}
	for (int i = 0; i < 2; i++) {
		snw_arena_destroy(outcomes[i].arena);
	}
}

static void fit_of_an_unknown_method_is_an_error(void **state) {
	(void)state;
	const snw_fit_request request = {.method = "no-such-method", .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	snw_error error = {0};
	assert_true(snw_failed(snw_worker_fit(write_arm(), &request, NULL, NULL, &outcome, &error)));
	assert_non_null(strstr(error.text, "no-such-method"));
	assert_null(outcome.model.bytes);
	assert_true(snw_failed(snw_worker_fit("/nowhere/p.sinew", &request, NULL, NULL, &outcome, &error)));
	snw_arena_destroy(outcome.arena);
}

static bool stop(void *context, double fraction, const char *activity) {
	(void)context, (void)fraction, (void)activity;
	return false;
}

static void fit_cancelled_leaves_no_outcome(void **state) {
	(void)state;
	const snw_fit_request request = {.method = "inverse-psd", .left_out_example = SNW_NONE};
	const snw_task task = {.progress = stop};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	snw_error error = {0};
	assert_int_equal(snw_worker_fit(write_arm(), &request, NULL, &task, &outcome, &error), SNW_CANCELLED);
	assert_null(outcome.model.bytes);
	snw_arena_destroy(outcome.arena);
}

static bool stop_while_refining(void *context, double fraction, const char *activity) {
	(void)context, (void)fraction;
	return strcmp(activity, "refining") != 0;
}

static void fit_stopped_while_it_refines_hands_over_the_best_so_far(void **state) {
	(void)state;
	const snw_setting settings[] = {{"joints", SNW_VALUE(3)}, {"refine", SNW_VALUE(10000)}};
	const snw_fit_request request = {.method = "sad", .settings = settings, .setting_count = 2, .left_out_example = SNW_NONE};
	const snw_task task = {.progress = stop_while_refining};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	snw_error error = {0};
	assert_int_equal(snw_worker_fit(write_sample("cloth", 15), &request, NULL, &task, &outcome, &error), SNW_NOT_CONVERGED);
	assert_true(outcome.model.byte_count > 0);
	assert_non_null(strstr(outcome.caveat, "kept the best so far"));
	snw_arena_destroy(outcome.arena);
}

/* ---- an outcome with everything in it ------------------------------------------------------------------------------------ */

enum { POINTS = 4, JOINTS = 2 };

/* The scene that it is about: a square, no skeleton yet, one channel. */
static snw_scene make_square(void) {
	static const double points[3 * POINTS] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
	static const uint32_t offsets[] = {0, 4}, corners[] = {0, 1, 2, 3};
	static const snw_mesh mesh = {.name = "square",
								  .point_count = POINTS,
								  .points_rest = points,
								  .face_count = 1,
								  .face_offsets = offsets,
								  .face_points = corners};
	static const snw_channel channel = {.name = "smile"};
	return (snw_scene){.mesh_count = 1, .meshes = &mesh, .channel_count = 1, .channels = &channel};
}

static snw_fit_outcome make_outcome(snw_arena *arena) {
	static const snw_setting settings[] = {{"width", SNW_VALUE(0.5)}};
	static const double residual[POINTS] = {0.5, 0.25, 0.125, 0}, seconds[] = {0, 0.5};
	static const char *names[JOINTS] = {"root", "tip"};
	static uint32_t parents[JOINTS] = {SNW_NONE, 0};
	static snw_transform rest[JOINTS] = {{{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, {{0, 1, 0}, {0, 0, 0, 1}, {1, 1, 1}}};
	static const uint32_t slot_joints[JOINTS] = {0, 1};
	static const double binds[12 * JOINTS] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1, 0};
	static const uint32_t influence_offsets[POINTS + 1] = {0, 1, 2, 4, 5}, influence_slots[] = {0, 0, 0, 1, 1};
	static const double influence_weights[] = {1, 1, 0.5, 0.5, 1};
	static double vectors[3 * JOINTS], channels[1] = {0.75};
	static snw_field field = {
		.name = "residual", .domain = SNW_DOMAIN_POINTS, .components = 1, .count = POINTS, .values = residual, .unit = "m"};
	static struct snw_proposed_skin skin = {0, influence_offsets, influence_slots, influence_weights};
	static snw_pose pose = {.name = "bent", .local = rest, .rotation_vectors = vectors, .channels = channels};
	static snw_pose frames[2] = {{.local = rest, .rotation_vectors = vectors, .channels = channels},
								 {.local = rest, .rotation_vectors = vectors, .channels = channels}};
	static struct snw_proposed_track track = {"tracked", 2, seconds, frames};
	static const float posed[2 * 3 * POINTS] = {[3] = 1, [23] = 0.25F};
	static struct snw_proposed_target target = {"meant", 0, SNW_NONE, 0, 2, seconds, posed};
	return (snw_fit_outcome){
		.arena = arena,
		.model = {.name = "m",
				  .deformer = "org.test",
				  .deformer_version = "1",
				  .bytes = (const unsigned char *)"abc",
				  .byte_count = 3},
		.layer = {.name = "m",
				  .deformer = "org.test",
				  .deformer_version = "1",
				  .model = SNW_NONE,
				  .setting_count = 1,
				  .settings = settings},
		.proposals = {.arena = arena,
					  .field_count = 1,
					  .fields = &field,
					  .has_skeleton = true,
					  .skeleton = {.joint_count = JOINTS, .names = names, .parents = parents, .rest_local = rest},
					  .slot_count = JOINTS,
					  .slot_joints = slot_joints,
					  .slot_inverse_binds = binds,
					  .skin_count = 1,
					  .skins = &skin,
					  .pose_count = 1,
					  .poses = &pose,
					  .track_count = 1,
					  .tracks = &track,
					  .target_count = 1,
					  .targets = &target},
		.status = SNW_NOT_CONVERGED,
		.caveat = "after 100 steps",
		.replaces = "linear-blend",
		.seconds = 1.5,
	};
}

/* `frame_count`: of its track, 0 to 2. */
static int write_outcome(uint32_t frame_count) {
	snw_arena *arena = snw_arena_create();
	const snw_scene scene = make_square();
	snw_fit_outcome outcome = make_outcome(arena);
	struct snw_proposed_track track = outcome.proposals.tracks[0];
	track.frame_count = frame_count;
	outcome.proposals.tracks = &track;
	const int file = memfd_create("outcome", 0);
	snw_error error = {0};
	check_ok(snw_outcome_write(file, &scene, &outcome, &error), error);
	snw_arena_destroy(arena);
	return file;
}

static void outcome_with_everything_is_read_back(void **state) {
	(void)state;
	const int file = write_outcome(2);
	const snw_scene scene = make_square();
	snw_fit_outcome read = {.arena = snw_arena_create()};
	snw_error error = {0};
	check_ok(snw_outcome_read(file, &scene, &read, &error), error);
	assert_int_equal(read.model.byte_count, 3);
	assert_string_equal(read.layer.settings[0].key, "width");
	assert_int_equal(read.layer.model, SNW_NONE);
	assert_int_equal(read.status, SNW_NOT_CONVERGED);
	assert_string_equal(read.caveat, "after 100 steps");
	assert_string_equal(read.replaces, "linear-blend");
	const snw_proposals *p = &read.proposals;
	assert_string_equal(p->targets[0].name, "meant");
	assert_int_equal(p->targets[0].track, 0);
	assert_true(p->targets[0].seconds[1] == 0.5 && p->targets[0].points_posed[23] == 0.25F);
	assert_true(p->fields[0].values[2] == 0.125);
	assert_string_equal(p->fields[0].unit, "m");
	assert_string_equal(p->skeleton.names[1], "tip");
	assert_true(p->skeleton.rest_global[12 + 7] == 1);
	assert_int_equal(p->skeleton.order[0], 0);
	assert_true(p->slot_inverse_binds[12 + 7] == -1);
	assert_true(p->skins[0].influence_weights[3] == 0.5);
	assert_string_equal(p->poses[0].name, "bent");
	assert_true(p->poses[0].channels[0] == 0.75);
	assert_int_equal(p->tracks[0].frame_count, 2);
	assert_true(p->tracks[0].seconds[1] == 0.5);
	snw_arena_destroy(read.arena);
	close(file);
}

static unsigned char *read_all(int file, size_t *count) {
	struct stat info;
	assert_int_equal(fstat(file, &info), 0);
	*count = (size_t)info.st_size;
	unsigned char *bytes = malloc(*count);
	assert_int_equal(pread(file, bytes, *count, 0), (ssize_t)*count);
	return bytes;
}

/* An accepted outcome has complete arrays: all of it is read here. */
static double read_everything(const snw_fit_outcome *read) {
	const snw_proposals *p = &read->proposals;
	double sum = 0;
	for (uint32_t f = 0; f < p->field_count; f++) {
		for (size_t i = 0; i < (size_t)p->fields[f].components * p->fields[f].count; i++) {
			sum += p->fields[f].values[i];
		}
	}
	for (uint32_t i = 0; i < p->skin_count; i++) {
		for (uint32_t k = 0; k < p->skins[i].influence_offsets[POINTS]; k++) {
			sum += p->skins[i].influence_weights[k] + p->skins[i].influence_slots[k];
		}
	}
	for (uint32_t i = 0; i < p->pose_count; i++) {
		sum += p->poses[i].channels[0];
	}
	for (uint32_t i = 0; i < p->track_count; i++) {
		for (uint32_t f = 0; f < p->tracks[i].frame_count; f++) {
			sum += p->tracks[i].seconds[f] + p->tracks[i].poses[f].channels[0];
		}
	}
	return sum + (double)read->model.byte_count;
}

/* A clip ends at its track's last frame. */
static void track_without_frames_is_refused(void **state) {
	(void)state;
	const int file = write_outcome(0);
	const snw_scene scene = make_square();
	snw_fit_outcome read = {.arena = snw_arena_create()};
	snw_error error = {0};
	assert_int_equal(snw_outcome_read(file, &scene, &read, &error), SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "damaged"));
	snw_arena_destroy(read.arena);
	close(file);
}

static void outcome_damaged_is_refused_or_complete(void **state) {
	(void)state;
	const int file = write_outcome(2);
	const snw_scene scene = make_square();
	size_t count;
	unsigned char *bytes = read_all(file, &count);
	const uint64_t seed = random_seed();
	int refused = 0;
	for (uint64_t i = 0; i < DAMAGED; i++) {
		size_t damaged_count = 0;
		unsigned char *damaged = mutate_copy(bytes, count, seed + i, &damaged_count);
		assert_int_equal(ftruncate(file, 0), 0);
		assert_int_equal(pwrite(file, damaged, damaged_count, 0), (ssize_t)damaged_count);
		snw_fit_outcome read = {.arena = snw_arena_create()};
		snw_error error = {0};
		if (!snw_failed(snw_outcome_read(file, &scene, &read, &error))) {
			assert_true(isfinite(read_everything(&read)));
		} else {
			assert_null(read.model.bytes);
			refused++;
		}
		snw_arena_destroy(read.arena);
		free(damaged);
	}
	assert_true(refused > DAMAGED / 4);
	free(bytes);
	close(file);
}

TEST_GROUP(fit) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fit_in_the_worker_equals_in_process),
		cmocka_unit_test(fit_of_an_unknown_method_is_an_error),
		cmocka_unit_test(fit_stopped_while_it_refines_hands_over_the_best_so_far),
		cmocka_unit_test(fit_cancelled_leaves_no_outcome),
		cmocka_unit_test(outcome_with_everything_is_read_back),
		cmocka_unit_test(track_without_frames_is_refused),
		cmocka_unit_test(outcome_damaged_is_refused_or_complete),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
