/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Clips of many keys: walked no more often than short ones, and exported with few keys of the morph weights. Mesh animations of
 * many frames: with drives and memory that grow with the frames alone, and a report for each. The linker puts the counted
 * functions here in place of the host's (--wrap).
 */
#include <malloc.h>
#include <math.h>
#include <stdatomic.h>

#include "fixture.h"
#include "playback/fit_with.h"
#include "pose/clip.h"

/* Walks along tracks from their first keys, and drives of the stack. */
static atomic_uint walks, drives;

void __real_snw_rotation_walk_begin(const snw_track *track, const double rest_rotation[4], bool is_set,
									snw_rotation_walk *walk);
void __wrap_snw_rotation_walk_begin(const snw_track *track, const double rest_rotation[4], bool is_set,
									snw_rotation_walk *walk);
void __wrap_snw_rotation_walk_begin(const snw_track *track, const double rest_rotation[4], bool is_set,
									snw_rotation_walk *walk) {
	walks++;
	__real_snw_rotation_walk_begin(track, rest_rotation, is_set, walk);
}

void __real_snw_rotation_walk_keys(const snw_track *track, const double rest_rotation[4], bool is_set, double *vectors);
void __wrap_snw_rotation_walk_keys(const snw_track *track, const double rest_rotation[4], bool is_set, double *vectors);
void __wrap_snw_rotation_walk_keys(const snw_track *track, const double rest_rotation[4], bool is_set, double *vectors) {
	walks++;
	__real_snw_rotation_walk_keys(track, rest_rotation, is_set, vectors);
}

snw_status __real_snw_stack_drive(const snw_stack *stack, const snw_pose_view *pose, snw_evaluation *evaluation,
								  snw_error *error);
snw_status __wrap_snw_stack_drive(const snw_stack *stack, const snw_pose_view *pose, snw_evaluation *evaluation,
								  snw_error *error);
snw_status __wrap_snw_stack_drive(const snw_stack *stack, const snw_pose_view *pose, snw_evaluation *evaluation,
								  snw_error *error) {
	drives++;
	return __real_snw_stack_drive(stack, pose, evaluation, error);
}

/* The arm's elbow swings for as many keys, 30 a second, at this many radians of its phase from key to key. */
static void swing(snw_scene *scene, uint32_t keys, double speed) {
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, keys),
		   *values = SNW_NEW_ARRAY(scene->arena, double, 4 * (size_t)keys);
	for (uint32_t k = 0; k < keys; k++) {
		seconds[k] = k / 30.0;
		snw_quat_from_rotation_vector((const double[3]){0, 0, 1 - cos(speed * k)}, values + 4 * (size_t)k);
	}
	snw_track *track = SNW_NEW(scene->arena, snw_track);
	*track = (snw_track){.target = 1,
						 .path = SNW_PATH_ROTATION,
						 .interpolation = SNW_LINEAR,
						 .key_count = keys,
						 .seconds = seconds,
						 .values = values};
	snw_clip *clip = SNW_NEW(scene->arena, snw_clip);
	*clip = (snw_clip){.id = 77, .name = "swing", .duration_seconds = seconds[keys - 1], .track_count = 1, .tracks = track};
	scene->clips = clip;
	scene->clip_count = 1;
	scene->target_count = 0;
}

static fixture swinging_arm(uint32_t keys, double speed) {
	fixture f = sample_arm();
	swing(f.scene, keys, speed);
	add_layer(f.scene, "test", "org.sinew.test.corrective", NULL, 0);
	build_stack(&f);
	return f;
}

static void count_in_export(uint32_t keys) {
	snw_error error = {0};
	fixture f = swinging_arm(keys, 0.1);
	walks = drives = 0;
	check_ok(export_to(&f, check_scratch("long.glb"), 4, NULL, &error), error);
	print_message("%u keys: %u walks, %u drives, %u moments\n", keys, walks, drives, f.report.frame_count);
	assert_true(walks > 0 && drives > 0);
	end(&f);
}

/* Were each moment's rotation unwound from the start of its clip, there would be as many walks as moments, each as long as the
 * clip. */
static void long_clip_is_walked_as_often_as_a_short_one(void **state) {
	(void)state;
	count_in_export(150);
	const unsigned few_walks = walks, few_drives = drives;
	count_in_export(600);
	assert_int_equal(walks, few_walks);
	assert_in_range(drives, 1, 4 * few_drives + 4);
}

/* How many keys the weights of the first animation have. */
static int count_weight_keys(const player *p) {
	const cJSON *animation = player_list(p, "animations", 0), *channel;
	int count = 0;
	cJSON_ArrayForEach(channel, cJSON_GetObjectItem(animation, "channels")) {
		const cJSON *target = cJSON_GetObjectItem(channel, "target");
		if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(target, "path")), "weights") == 0) {
			const int sampler = cJSON_GetObjectItem(channel, "sampler")->valueint;
			const cJSON *input =
				cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(animation, "samplers"), sampler), "input");
			free(player_values(p, input->valueint, &count));
		}
	}
	return count;
}

static void slow_weights_have_few_keys_that_hold_a_thousandth(void **state) {
	(void)state;
	enum { KEYS = 600 };
	snw_error error = {0};
	fixture f = swinging_arm(KEYS, 0.01);
	check_ok(export_to(&f, place("slow.glb"), 4, NULL, &error), error);
	player *p = player_open(f.path);
	const int keys = count_weight_keys(p), node = player_node_of_mesh(p, 0);
	snw_evaluation *evaluation = snw_evaluation_create(f.stack);
	double worst = 0;
	for (int i = 0; i < 3 * KEYS; i++) {
		const double seconds = i * f.scene->clips[0].duration_seconds / (3 * KEYS);
		const snw_pose *pose = snw_pose_sample(f.scene, 0, seconds, f.scene->arena);
		check_ok(snw_stack_drive(f.stack, snw_pose_view_make(f.scene, pose, f.scene->arena), evaluation, &error), error);
		player_pose(p, 0, seconds);
		const double *driven = snw_stack_program_input(evaluation, 0, 0)->d;
		for (int t = 0; t < p->target_counts[node]; t++) {
			worst = fmax(worst, fabs(p->weights[node][t] - driven[t]));
		}
	}
	print_message("%d keys for %d of the clip, at most %.2g off\n", keys, KEYS, worst);
	assert_in_range(keys, 2, KEYS / 4);
	check_near(worst, 0, 1e-3);
	snw_evaluation_destroy(evaluation);
	player_close(p);
	end(&f);
}

/* ---- mesh animations ----------------------------------------------------------------------------------------------------- */

/* The bytes that are allocated at this moment. */
#ifdef __SANITIZE_ADDRESS__
size_t __sanitizer_get_current_allocated_bytes(void);
static size_t live_bytes(void) {
	return __sanitizer_get_current_allocated_bytes();
}
#else
static size_t live_bytes(void) {
	const struct mallinfo2 info = mallinfo2();
	return info.uordblks + info.hblkhd;
}
#endif

typedef struct watch {
	uint32_t reports;
	double fraction;
	bool has_fallen;
	size_t most_bytes;
	unsigned drives;
} watch;

static bool look(void *context, double fraction, const char *activity) {
	watch *w = context;
	(void)activity;
	const size_t bytes = live_bytes();
	w->reports++;
	w->has_fallen = w->has_fallen || fraction < w->fraction;
	w->fraction = fraction;
	w->most_bytes = bytes > w->most_bytes ? bytes : w->most_bytes;
	return true;
}

enum { SIDE = 20, POINTS = SIDE * SIDE, FACES = (SIDE - 1) * (SIDE - 1) };

/* A square of quads. */
static snw_mesh *add_sheet(snw_scene *scene) {
	double *rest = SNW_NEW_ARRAY(scene->arena, double, 3 * POINTS);
	uint32_t *offsets = SNW_NEW_ARRAY(scene->arena, uint32_t, FACES + 1),
			 *corners = SNW_NEW_ARRAY(scene->arena, uint32_t, 4 * FACES);
	for (uint32_t i = 0; i < POINTS; i++) {
		const uint32_t row = i / SIDE;
		rest[3 * i] = i % SIDE;
		rest[3 * i + 1] = row;
	}
	for (uint32_t face = 0; face < FACES; face++) {
		const uint32_t first = face % (SIDE - 1) + face / (SIDE - 1) * SIDE;
		memcpy(corners + 4 * face, (uint32_t[4]){first, first + 1, first + SIDE + 1, first + SIDE}, 4 * sizeof *corners);
		offsets[face + 1] = 4 * face + 4;
	}
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	*mesh = (snw_mesh){.name = "sheet",
					   .point_count = POINTS,
					   .points_rest = rest,
					   .face_count = FACES,
					   .face_offsets = offsets,
					   .face_points = corners};
	scene->meshes = mesh;
	scene->mesh_count = 1;
	return mesh;
}

/* A sheet that waves for so many frames. */
static snw_scene *long_cloth(uint32_t frames) {
	snw_scene *scene = snw_scene_create();
	const snw_mesh *mesh = add_sheet(scene);
	float *points = SNW_NEW_ARRAY(scene->arena, float, (size_t)3 * POINTS * frames);
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, frames);
	for (uint32_t f = 0; f < frames; f++) {
		seconds[f] = f / 24.0;
		for (size_t i = 0; i < POINTS; i++) {
			const double *rest = mesh->points_rest + 3 * i;
			const float wave = (float)(3 * sin(0.2 * rest[0] + 0.1 * f) + sin(0.3 * rest[1] - 0.17 * f));
			memcpy(points + 3 * (f * (size_t)POINTS + i), (float[3]){(float)rest[0], (float)rest[1], wave}, 3 * sizeof *points);
		}
	}
	snw_target *target = SNW_NEW(scene->arena, snw_target);
	snw_clip *clip = SNW_NEW(scene->arena, snw_clip);
	*target = (snw_target){.name = "frames", .frame_count = frames, .seconds = seconds, .points_posed = points};
	*clip = (snw_clip){.id = 1, .name = "frames", .duration_seconds = seconds[frames - 1]};
	scene->targets = target;
	scene->clips = clip;
	scene->target_count = scene->clip_count = 1;
	return scene;
}

static watch export_cloth(uint32_t frames) {
	fixture f = {.registry = kept_registry(), .scene = long_cloth(frames)};
	snw_error error = {0};
	fit_with(&f.scene, f.registry, "sad", "joints=4 influences=2 normals=off");
	build_stack(&f);
	const size_t before = live_bytes();
	watch w = {0};
	drives = 0;
	const snw_task task = {.context = &w, .progress = look};
	check_ok(export_to(&f, check_scratch("long-cloth.glb"), 4, &task, &error), error);
	w.drives = drives;
	w.most_bytes -= before;
	print_message("%u frames: %u drives, %.1f MB, %u reports\n", frames, w.drives, 1e-6 * (double)w.most_bytes, w.reports);
	assert_true(!w.has_fallen && w.reports > frames);
	unlink(f.path);
	end(&f);
	return w;
}

static void export_cloths(uint32_t frames) {
	const watch few = export_cloth(frames / 4), many = export_cloth(frames);
	assert_in_range(many.drives, 1, 4 * few.drives + 8);
	assert_in_range(many.reports, 1, 5 * few.reports);
	assert_true(many.most_bytes < 5 * few.most_bytes);
	assert_true(many.most_bytes < 3 * sizeof(float) * POINTS * frames); /* less than the frames themselves */
}

static void long_animations_are_exported_in_bounded_memory_with_progress(void **state) {
	(void)state;
	export_cloths(480);
}

static void thousands_of_frames_are_exported_in_bounded_memory_with_progress(void **state) {
	(void)state;
	export_cloths(5000);
}

int main(int argc, char **argv) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slow_weights_have_few_keys_that_hold_a_thousandth),
		cmocka_unit_test(long_clip_is_walked_as_often_as_a_short_one),
		cmocka_unit_test(long_animations_are_exported_in_bounded_memory_with_progress),
	};
	const struct CMUnitTest long_tests[] = {
		cmocka_unit_test(thousands_of_frames_are_exported_in_bounded_memory_with_progress),
	};
	return argc > 1 && strcmp(argv[1], "long") == 0 ? cmocka_run_group_tests(long_tests, NULL, NULL)
													: cmocka_run_group_tests(tests, NULL, NULL);
}
