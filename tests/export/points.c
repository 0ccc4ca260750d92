/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Poses and clips in point order: .obj, numbered .obj, .pc2 and .mdd contain the points of the stack, or nothing is written.
 */
#include <glob.h>

#include "file/file.h"
#include "fixture.h"
#include "flushed.h"
#include "import/import.h"

static fixture bent_arm(void) {
	fixture f = sample_arm();
	f.scene->clip_count = 1;
	build_stack(&f);
	return f;
}

static double *truth_at(const fixture *f, const snw_pose *pose) {
	snw_error error = {0};
	double *points = SNW_NEW_ARRAY(f->scene->arena, double, 3 * (size_t)f->scene->meshes[0].point_count);
	snw_evaluation *evaluation = snw_evaluation_create(f->stack);
	check_ok(snw_stack_drive(f->stack, snw_pose_view_make(f->scene, pose, f->scene->arena), evaluation, &error), error);
	check_ok(snw_stack_reference(f->stack, evaluation, 0, NULL, points, &error), error);
	snw_evaluation_destroy(evaluation);
	return points;
}

static snw_status export_frames(fixture *f, const char *path, const snw_pose *pose, const snw_task *task, snw_error *error) {
	const snw_export_request request = {.path = path, .mesh = SNW_NONE, .clip = SNW_NONE, .pose = pose};
	return snw_export(f->scene, f->stack, &request, task, &f->report, error);
}

static void compare_frames(const fixture *f, const char *path, const double *keys) {
	snw_point_frames frames;
	snw_error error = {0};
	const uint32_t points = f->scene->meshes[0].point_count;
	check_ok(snw_import_frames(path, points, 0, f->scene->arena, NULL, &frames, &error), error);
	assert_int_equal(frames.frame_count, f->report.frame_count);
	for (uint32_t i = 0; i < frames.frame_count; i += 7) {
		const double *truth = truth_at(f, snw_pose_sample(f->scene, 0, keys[i], f->scene->arena));
		for (size_t n = 0; n < 3 * (size_t)points; n++) {
			check_near(frames.points[i * 3 * (size_t)points + n], truth[n], 1e-6);
		}
	}
}

static void caches_hold_every_frame_of_a_clip(void **state) {
	(void)state;
	fixture f = bent_arm();
	double *keys;
	uint32_t key_count;
	snw_clip_key_seconds(&f.scene->clips[0], f.scene->arena, &keys, &key_count);
	static const char *const names[] = {"arm.pc2", "arm.mdd", "arm-*.obj"};
	for (int i = 0; i < 3; i++) {
		snw_error error = {0};
		const char *path = check_scratch(names[i]);
		check_ok(export_frames(&f, path, NULL, NULL, &error), error);
		assert_int_equal(f.report.frame_count, key_count);
		compare_frames(&f, path, keys);
	}
	end(&f);
}

static void a_clip_of_uneven_keys_is_sampled_24_times_a_second(void **state) {
	(void)state;
	fixture f = bent_arm();
	static const double seconds[] = {0, 0.3, 2}, rotations[] = {0, 0, 0, 1, 0, 0, 0.6, 0.8, 0, 0, 0, 1};
	static const snw_track track = {1, SNW_PATH_ROTATION, SNW_LINEAR, 3, seconds, rotations};
	static const snw_clip clip = {.name = "uneven", .duration_seconds = 2, .track_count = 1, .tracks = &track};
	f.scene->clips = &clip;
	f.scene->target_count = 0;
	snw_error error = {0};
	check_ok(export_frames(&f, check_scratch("uneven.mdd"), NULL, NULL, &error), error);
	assert_int_equal(f.report.frame_count, 49);
	end(&f);
}

/* Its keys are evenly spaced, and say nothing about the times between them. */
/* How many frames a part of the clip has; 0 if it is refused. */
static uint32_t count_frames(fixture *f, double from, double to, double rate) {
	snw_error error = {0};
	const snw_export_request request = {.path = check_scratch("part.pc2"),
										.mesh = SNW_NONE,
										.clip = SNW_NONE,
										.frames_per_second = rate,
										.from_seconds = from,
										.to_seconds = to};
	const snw_status status = snw_export(f->scene, f->stack, &request, NULL, &f->report, &error);
	assert_true(status == SNW_OK || status == SNW_ERROR_ARGUMENT);
	return snw_failed(status) ? 0 : f->report.frame_count;
}

/* Ends a clip of 65 frames at 24 per second, so that its end is printed as 2.66667. */
static void times_as_they_are_printed_choose_their_frames(void **state) {
	(void)state;
	enum { FRAMES = 65 };
	fixture f = bent_arm();
	double seconds[FRAMES], rotations[4 * FRAMES] = {0};
	for (int i = 0; i < FRAMES; i++) {
		seconds[i] = i / 24.0;
		rotations[4 * i + 3] = 1;
	}
	const double length = seconds[FRAMES - 1];
	const snw_track track = {1, SNW_PATH_ROTATION, SNW_LINEAR, FRAMES, seconds, rotations};
	snw_clip clip = {.name = "thirds", .duration_seconds = length, .track_count = 1, .tracks = &track};
	f.scene->clips = &clip;
	f.scene->target_count = 0;
	for (int i = 0; i < 2; i++) {
		const double rate = i == 0 ? 0 : 24;
		assert_int_equal(count_frames(&f, 0, 0, rate), FRAMES);
		assert_int_equal(count_frames(&f, 0, 2.66667, rate), FRAMES);
		assert_int_equal(count_frames(&f, 0, 1.33333, rate), 33);
		assert_int_equal(count_frames(&f, 1.33333, 2.66667, rate), 33);
		assert_int_equal(count_frames(&f, 2.66667, 0, rate), 1);
		assert_int_equal(count_frames(&f, length + 5e-7, 0, rate), 1);
		assert_int_equal(count_frames(&f, 0, 2.6668, rate), 0);
		assert_int_equal(count_frames(&f, 2.6668, 0, rate), 0);
	}
	/* Frames that go on just past the clip's end are not cut. */
	clip.duration_seconds = length - 1e-4;
	assert_int_equal(count_frames(&f, 0, 0, 0), FRAMES);
	end(&f);
}

static void a_clip_of_few_keys_is_exported_at_the_frames_of_its_target(void **state) {
	(void)state;
	fixture f = bent_arm();
	static const double seconds[] = {0, 2}, rotations[] = {0, 0, 0, 1, 0, 0, 0.6, 0.8};
	static const snw_track track = {1, SNW_PATH_ROTATION, SNW_LINEAR, 2, seconds, rotations};
	static const snw_clip clip = {.name = "few", .duration_seconds = 2, .track_count = 1, .tracks = &track};
	f.scene->clips = &clip;
	const uint32_t frames = f.scene->targets[0].frame_count;
	assert_int_equal(f.scene->targets[0].clip, 0);
	snw_error error = {0};
	check_ok(export_frames(&f, check_scratch("few.mdd"), NULL, NULL, &error), error);
	assert_int_equal(f.report.frame_count, frames);
	f.scene->target_count = 0;
	check_ok(export_frames(&f, check_scratch("few.mdd"), NULL, NULL, &error), error);
	assert_int_equal(f.report.frame_count, 49);
	end(&f);
}

static void one_pose_is_exported_as_obj(void **state) {
	(void)state;
	fixture f = bent_arm();
	snw_error error = {0};
	const char *path = check_scratch("pose.obj");
	const snw_pose *pose = snw_pose_sample(f.scene, 0, 0.7 * f.scene->clips[0].duration_seconds, f.scene->arena);
	check_ok(export_frames(&f, path, pose, NULL, &error), error);
	snw_mesh mesh;
	check_ok(snw_import_obj_mesh(path, f.scene->arena, &mesh, &error), error);
	const double *truth = truth_at(&f, pose);
	assert_int_equal(mesh.point_count, f.scene->meshes[0].point_count);
	assert_int_equal(mesh.face_count, f.scene->meshes[0].face_count);
	for (size_t n = 0; n < 3 * (size_t)mesh.point_count; n++) {
		check_near(mesh.points_rest[n], truth[n], 1e-6);
	}
	end(&f);
}

static bool stop_late(void *context, double fraction, const char *activity) {
	(void)context;
	(void)activity;
	return fraction < 0.5;
}

static void a_cancelled_sequence_leaves_no_file(void **state) {
	(void)state;
	fixture f = bent_arm();
	const snw_task task = {.progress = stop_late};
	static const char *const names[] = {"cancelled-*.obj", "cancelled.pc2", "cancelled.mdd"};
	for (int i = 0; i < 3; i++) {
		snw_error error = {0};
		assert_int_equal(export_frames(&f, check_scratch(names[i]), NULL, &task, &error), SNW_CANCELLED);
	}
	glob_t found = {0};
	assert_int_equal(glob(check_scratch("cancelled*"), 0, NULL, &found), GLOB_NOMATCH);
	assert_int_equal(glob(check_scratch(".frames*"), 0, NULL, &found), GLOB_NOMATCH);
	globfree(&found);
	end(&f);
}

static void write_word(const char *path, const char *word) {
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(word, file);
	fclose(file);
}

static void check_word(const char *path, const char *word) {
	char found[40] = "";
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	assert_non_null(fgets(found, sizeof found, file));
	fclose(file);
	assert_string_equal(found, word);
}

static void a_frame_that_cannot_be_written_leaves_all_as_they_were(void **state) {
	(void)state;
	fixture f = bent_arm();
	char folder[1000], path[1100];
	snprintf(folder, sizeof folder, "%s", check_scratch("mixed"));
	assert_int_equal(mkdir(folder, 0700), 0);
	/* 0 and 1 are there, 2 is not, 3 is a folder that no file can replace, 4 is there again. */
	static const int there[] = {0, 1, 4};
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/arm-%04d.obj", folder, there[i]);
		write_word(path, "old");
	}
	snprintf(path, sizeof path, "%s/arm-0003.obj", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof path, "%s/arm-*.obj", folder);
	snw_error error = {0};
	assert_int_equal(export_frames(&f, path, NULL, NULL, &error), SNW_ERROR_IO);
	assert_non_null(strstr(error.text, "arm-0003.obj"));
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/arm-%04d.obj", folder, there[i]);
		check_word(path, "old");
		unlink(path);
	}
	snprintf(path, sizeof path, "%s/arm-0003.obj", folder);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(rmdir(folder), 0); /* so nothing else is in it */
	/* And over old frames that can be replaced. */
	assert_int_equal(mkdir(folder, 0700), 0);
	snprintf(path, sizeof path, "%s/arm-0000.obj", folder);
	write_word(path, "old");
	snprintf(path, sizeof path, "%s/arm-*.obj", folder);
	check_ok(export_frames(&f, path, NULL, NULL, &error), error);
	double *keys;
	uint32_t key_count;
	snw_clip_key_seconds(&f.scene->clips[0], f.scene->arena, &keys, &key_count);
	compare_frames(&f, path, keys);
	for (uint32_t i = 0; i < key_count; i++) {
		snprintf(path, sizeof path, "%s/arm-%04u.obj", folder, i);
		check_renamed_durably(path);
		assert_int_equal(unlink(path), 0);
	}
	assert_int_equal(rmdir(folder), 0);
	end(&f);
}

/* Faces of points that have lost digits far from the origin have other normals; a file without faces has none. */
static void the_error_of_normals_is_reported_in_degrees(void **state) {
	(void)state;
	fixture f = bent_arm();
	snw_pose *pose = snw_pose_sample(f.scene, 0, 0.5, f.scene->arena);
	static const char *const names[] = {"normals.obj", "normals.pc2"};
	for (int i = 0; i < 2; i++) {
		snw_error error = {0};
		check_ok(export_frames(&f, check_scratch(names[i]), i == 0 ? pose : NULL, NULL, &error), error);
		check_near(f.report.playback_normals_max_degrees, 0, 0.02);
	}
	snw_error error = {0};
	pose->local[0].translation[0] += 1e4;
	check_ok(export_frames(&f, check_scratch(names[0]), pose, NULL, &error), error);
	assert_true(f.report.playback_normals_degrees > 0.1);
	assert_true(f.report.playback_normals_max_degrees > f.report.playback_normals_degrees);
	end(&f);
}

static void ambiguous_mesh_must_be_named(void **state) {
	(void)state;
	fixture f = sample_arm();
	build_stack(&f);
	snw_error error = {0};
	assert_int_equal(export_frames(&f, check_scratch("which.pc2"), NULL, NULL, &error), SNW_ERROR_ARGUMENT);
	assert_non_null(strstr(error.text, "--clip"));
	f.scene->clip_count = 0;
	assert_int_equal(export_frames(&f, check_scratch("none.pc2"), NULL, NULL, &error), SNW_ERROR_MISSING);
	assert_int_equal(export_frames(&f, check_scratch("two-*-*.obj"), NULL, NULL, &error), SNW_ERROR_MISSING);
	f.scene->mesh_count = 0;
	assert_int_equal(export_frames(&f, check_scratch("mesh.obj"), NULL, NULL, &error), SNW_ERROR_ARGUMENT);
	end(&f);
}

static void a_sequence_without_layers_is_exported_unchanged(void **state) {
	(void)state;
	fixture f = {.registry = kept_registry()};
	snw_error error = {0};
	check_ok(snw_sample_make("bar", &f.scene, &error), error);
	build_stack(&f);
	const snw_target *sequence = &f.scene->targets[0];
	const char *path = check_scratch("bar.pc2");
	check_ok(export_frames(&f, path, NULL, NULL, &error), error);
	snw_point_frames frames;
	const uint32_t points = f.scene->meshes[0].point_count;
	check_ok(snw_import_frames(path, points, 0, f.scene->arena, NULL, &frames, &error), error);
	assert_int_equal(frames.frame_count, sequence->frame_count);
	assert_memory_equal(frames.points, sequence->points_posed, sizeof(float) * 3 * (size_t)points * frames.frame_count);
	end(&f);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(caches_hold_every_frame_of_a_clip),
		cmocka_unit_test(a_clip_of_uneven_keys_is_sampled_24_times_a_second),
		cmocka_unit_test(times_as_they_are_printed_choose_their_frames),
		cmocka_unit_test(a_clip_of_few_keys_is_exported_at_the_frames_of_its_target),
		cmocka_unit_test(one_pose_is_exported_as_obj),
		cmocka_unit_test(a_cancelled_sequence_leaves_no_file),
		cmocka_unit_test(a_frame_that_cannot_be_written_leaves_all_as_they_were),
		cmocka_unit_test(the_error_of_normals_is_reported_in_degrees),
		cmocka_unit_test(ambiguous_mesh_must_be_named),
		cmocka_unit_test(a_sequence_without_layers_is_exported_unchanged),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
