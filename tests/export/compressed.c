/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compressed files: read back, they are as far from the stack as the export reported, and no farther.
 */
#include <string.h>
#include <sys/stat.h>

#include "fixture.h"
#include "import/import.h"
#include "tiny_arm.h"

static snw_scene *import(const char *path) {
	const snw_import_request request = {.file = path};
	snw_scene *scene = NULL;
	snw_error error = {0};
	check_ok(snw_import(&request, NULL, &scene, &error), error);
	return scene;
}

static double distance(const double *a, const double *b) {
	const double gap[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
	return snw_length3(gap);
}

static double *points_at(const snw_scene *scene, const snw_stack *stack, const snw_pose *pose, uint32_t mesh,
						 snw_arena *arena) {
	snw_error error = {0};
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)scene->meshes[mesh].point_count);
	check_ok(snw_stack_drive(stack, snw_pose_view_make(scene, pose, arena), evaluation, &error), error);
	check_ok(snw_stack_reference(stack, evaluation, mesh, NULL, points, &error), error);
	snw_evaluation_destroy(evaluation);
	return points;
}

enum { MOMENTS = 5, NEAR = 8 };

/* The vertices of a file are in another order: a point is compared with those near it at rest, and the one counts that stays
 * nearest over all moments. The largest distance as a part of the diagonal. */
static double compare_scenes(const fixture *f, const snw_scene *after, const snw_stack *stack_after, uint32_t m,
							 uint32_t other) {
	snw_arena *arena = snw_arena_create();
	const snw_mesh *a = &f->scene->meshes[m], *b = &after->meshes[other];
	const double diagonal = snw_scene_diagonal(f->scene, m);
	const uint32_t clips = f->scene->clip_count;
	double **here = SNW_NEW_ARRAY(arena, double *, MOMENTS *(size_t)clips),
		   **there = SNW_NEW_ARRAY(arena, double *, MOMENTS *(size_t)clips);
	for (uint32_t i = 0; i < MOMENTS * clips; i++) {
		const uint32_t c = i / MOMENTS;
		const double seconds = f->scene->clips[c].duration_seconds * (i % MOMENTS + 0.37) / MOMENTS;
		here[i] = points_at(f->scene, f->stack, snw_pose_sample(f->scene, c, seconds, arena), m, arena);
		there[i] = points_at(after, stack_after, snw_pose_sample(after, c, seconds, arena), other, arena);
	}
	double worst = 0;
	for (uint32_t p = 0; p < b->point_count; p++) {
		double nearest = HUGE_VAL;
		for (uint32_t q = 0; q < a->point_count; q++) {
			if (distance(a->points_rest + 3 * (size_t)q, b->points_rest + 3 * (size_t)p) > 1e-3 * diagonal) {
				continue;
			}
			double farthest = 0;
			for (uint32_t i = 0; i < MOMENTS * clips; i++) {
				farthest = fmax(farthest, distance(here[i] + 3 * (size_t)q, there[i] + 3 * (size_t)p));
			}
			nearest = fmin(nearest, farthest);
		}
		worst = fmax(worst, nearest / diagonal);
	}
	snw_arena_destroy(arena);
	return worst;
}

static long bytes_of(const char *path) {
	struct stat status;
	assert_int_equal(stat(path, &status), 0);
	return (long)status.st_size;
}

static double write_and_compare(fixture *f, const char *name, snw_export_weights weights) {
	snw_error error = {0};
	const snw_export_request request = {
		.path = place(name), .mesh = SNW_NONE, .clip = SNW_NONE, .influences = 4, .weights = weights, .compresses = true};
	f->path = request.path;
	check_ok(snw_export(f->scene, f->stack, &request, NULL, &f->report, &error), error);
	snw_scene *after = import(f->path);
	snw_stack *stack = NULL;
	check_ok(snw_stack_build(after, f->registry, NULL, NULL, &stack, &error), error);
	assert_int_equal(after->mesh_count, f->scene->mesh_count);
	double worst = 0;
	for (uint32_t m = 0; m < f->scene->mesh_count; m++) {
		const uint32_t other = f->scene->mesh_count == 1 ? 0 : snw_scene_find_mesh(after, f->scene->meshes[m].name);
		assert_int_not_equal(other, SNW_NONE);
		const snw_mesh *mesh = &f->scene->meshes[m];
		const uint32_t triangles = mesh->face_offsets[mesh->face_count] - 2 * mesh->face_count;
		assert_int_equal(after->meshes[other].face_count, triangles);
		worst = fmax(worst, compare_scenes(f, after, stack, m, other));
	}
	print_message("%s: %.5f %% off, reported %.5f %%, %ld bytes\n", name, 100 * worst, f->report.playback_max_percent,
				  bytes_of(f->path));
	assert_true(100 * worst <= 1.2 * f->report.playback_max_percent + 1e-4);
	snw_stack_destroy(stack);
	snw_scene_destroy(after);
	return 100 * worst;
}

/* Of a .glb without its JSON, of which nothing is compressed. */
static long binary_bytes_of(const char *path) {
	unsigned char head[16] = {0};
	FILE *file = fopen(path, "rb");
	assert_true(file && fread(head, 1, sizeof head, file) == sizeof head);
	fclose(file);
	return bytes_of(path) - (head[12] | head[13] << 8 | head[14] << 16);
}

static void a_compressed_corrective_skin_is_as_far_off_as_reported(void **state) {
	(void)state;
	snw_error error = {0};
	fixture f = {.registry = kept_registry_with("test-corrective", TEST_CORRECTIVE)};
	check_ok(make_tiny_arm(&f.scene, &error), error);
	add_layer(f.scene, "test", "org.sinew.test.corrective", NULL, 0);
	build_stack(&f);
	check_ok(export_to(&f, place("plain.glb"), 4, NULL, &error), error);
	const long plain = binary_bytes_of(f.path);
	const double exact = f.report.playback_max_percent;
	const double off = write_and_compare(&f, "compressed.glb", true);
	assert_true(off > exact); /* something was rounded */
	assert_true(binary_bytes_of(f.path) < plain / 2);
	write_and_compare(&f, "compressed-exact-weights.gltf", false);
	end(&f);
}

/* A seam, a picture, targets without a skin, rigid meshes, several skins. */
static void compressed_files_of_every_kind_are_read_back(void **state) {
	(void)state;
	static const char *const names[] = {"small/tentacle.glb", "small/leaf.gltf", "small/pair.glb"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		fixture f = {.registry = kept_registry(), .scene = import(check_data(names[i]))};
		char name[64];
		snprintf(name, sizeof name, "compressed-%.4s.glb", names[i] + strlen("small/"));
		build_stack(&f);
		write_and_compare(&f, name, true);
		end(&f);
	}
}

TEST_GROUP(compressed) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_compressed_corrective_skin_is_as_far_off_as_reported),
		cmocka_unit_test(compressed_files_of_every_kind_are_read_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
