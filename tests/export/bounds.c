/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The boxes in the extras, used as docs/engines.md tells an engine to: they contain what the file plays, and are narrow.
 */
#include "fixture.h"

#include "base/numbers.h"
#include "tiny_arm.h"

#define MOST_TIMES 1.6  /* the exact box's volume, in the mean */
#define MOST_ROOM 0.008 /* beside what plays, of the diagonal: some of the extremes are between the moments here */

/* A fit over the small arm: "inverse-psd" to its sculpts, one of them at 150 degrees, or "pose-regression", whose weights have
 * both signs. */
static fixture fitted(const char *method) {
	fixture f = {.registry = kept_registry()};
	snw_error error = {0};
	snw_scene *scene = NULL;
	check_ok(make_tiny_arm(&scene, &error), error);
	const snw_fit_request request = {.method = method, .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	assert_true(!snw_failed(snw_fit_run(scene, f.registry, &request, NULL, &outcome, &error)));
	check_ok(snw_fit_apply(scene, &outcome, &f.scene, &error), error);
	snw_arena_destroy(outcome.arena);
	snw_scene_destroy(scene);
	build_stack(&f);
	return f;
}

/* ---- an engine ----------------------------------------------------------------------------------------------------------- */

enum { BOX = 6, REST = 1 + BOX, TARGETS = REST + BOX };

static double number(const cJSON *numbers, int at) {
	return cJSON_GetArrayItem(numbers, at)->valuedouble;
}

/* Adds `weight` times the box in `numbers`, from the one at `at` on. */
static void add_box(const cJSON *numbers, int at, double step, double weight, snw_box *box) {
	for (int c = 0; c < 3; c++) {
		const double least = step * number(numbers, at + c), most = step * number(numbers, at + 3 + c);
		box->lower[c] += weight * (weight < 0 ? most : least);
		box->upper[c] += weight * (weight < 0 ? least : most);
	}
}

/* A box at rest, at the weights of the mesh, or at any (NULL). */
static snw_box box_at_rest(const cJSON *numbers, double step, const double *weights) {
	const int count = cJSON_GetArraySize(numbers);
	snw_box box = {{0}, {0}};
	add_box(numbers, weights && count > REST ? REST : 1, step, 1, &box);
	for (int at = TARGETS; weights && at < count; at += 1 + BOX) {
		add_box(numbers, at + 1, step, weights[(int)number(numbers, at)], &box);
	}
	return box;
}

/* Column-major, of one of the skin's joints. */
static void joint_matrix(const player *p, int joint, double matrix[16]) {
	const cJSON *skin = player_list(p, "skins", 0);
	const double *global = p->global[cJSON_GetArrayItem(cJSON_GetObjectItem(skin, "joints"), joint)->valueint];
	int count;
	double *binds = player_values(p, cJSON_GetObjectItem(skin, "inverseBindMatrices")->valueint, &count);
	for (int i = 0; i < 16; i++) {
		matrix[i] = 0;
		for (int k = 0; k < 4; k++) {
			matrix[i] += global[4 * k + i % 4] * binds[16 * joint + i / 4 * 4 + k];
		}
	}
	free(binds);
}

static void row_matrix(const player *p, const cJSON *joints, double share, double matrix[16]) {
	double other[16];
	joint_matrix(p, cJSON_GetArrayItem(joints, 0)->valueint, matrix);
	if (share > 0) {
		joint_matrix(p, cJSON_GetArrayItem(joints, 1)->valueint, other);
		for (int i = 0; i < 16; i++) {
			matrix[i] += share * (other[i] - matrix[i]);
		}
	}
}

static void add_posed(const double matrix[16], const snw_box *box, snw_box *posed) {
	for (int i = 0; i < 8; i++) {
		double corner[3], place[3];
		snw_box_corner(box, i, corner);
		for (int r = 0; r < 3; r++) {
			place[r] = matrix[12 + r];
			for (int c = 0; c < 3; c++) {
				place[r] += matrix[4 * c + r] * corner[c];
			}
		}
		snw_box_add(posed, place);
	}
}

/* The box in the world round those of all joints and pairs. */
static snw_box posed_box(const player *p, const cJSON *bounds, const double *weights) {
	snw_box posed = snw_box_empty();
	const double step = cJSON_GetObjectItem(bounds, "step")->valuedouble;
	const cJSON *row, *numbers;
	cJSON_ArrayForEach(row, cJSON_GetObjectItem(bounds, "joints")) {
		cJSON_ArrayForEach(numbers, cJSON_GetObjectItem(row, "boxes")) {
			const snw_box box = box_at_rest(numbers, step, weights);
			double matrix[16];
			row_matrix(p, cJSON_GetObjectItem(row, "joints"), number(numbers, 0), matrix);
			add_posed(matrix, &box, &posed);
		}
	}
	return posed;
}

/* ---- the boxes against what plays ---------------------------------------------------------------------------------------- */

static double volume(const snw_box *box) {
	return (box->upper[0] - box->lower[0]) * (box->upper[1] - box->lower[1]) * (box->upper[2] - box->lower[2]);
}

static bool contains(const snw_box *outer, const snw_box *inner) {
	const double rounding = 1e-6 * snw_box_diagonal(inner); /* of floats */
	bool does = true;
	for (int c = 0; c < 3; c++) {
		does = does && outer->lower[c] <= inner->lower[c] + rounding && outer->upper[c] >= inner->upper[c] - rounding;
	}
	return does;
}

static const cJSON *bounds_of(const player *p, int node) {
	const cJSON *extras = cJSON_GetObjectItem(player_list(p, "nodes", node), "extras");
	return cJSON_GetObjectItem(cJSON_GetObjectItem(extras, "sinew"), "bounds");
}

/* The box of a clip is round what it plays, and hardly wider; that of all poses is round it. */
static void check_clip(const cJSON *bounds, const char *name, const snw_box *played) {
	const cJSON *numbers = cJSON_GetObjectItem(cJSON_GetObjectItem(bounds, "clips"), name),
				*all = cJSON_GetObjectItem(bounds, "allPoses");
	const double step = cJSON_GetObjectItem(bounds, "step")->valuedouble, most = MOST_ROOM * snw_box_diagonal(played);
	snw_box box = {{0}, {0}}, narrowest = {{0}, {0}};
	add_box(numbers, 0, step, 1, &box);
	assert_true(contains(&box, played));
	for (int c = 0; c < 3; c++) {
		narrowest.lower[c] = box.lower[c] + most;
		narrowest.upper[c] = box.upper[c] - most;
		assert_true(number(all, c) <= number(numbers, c) && number(all, 3 + c) >= number(numbers, 3 + c));
	}
	assert_true(contains(played, &narrowest));
}

/* The mean of how many times as large as the exact box the boxes at the weights are, over moments of all clips. */
static double check_clips(const fixture *f) {
	enum { MOMENTS = 40 };
	player *p = player_open(f->path);
	assert_non_null(p);
	const int node = player_node_of_mesh(p, 0), clips = player_count(p, "animations");
	double sum = 0;
	snw_box played = snw_box_empty(); /* in one clip */
	assert_int_equal(clips, f->scene->clip_count);
	for (int i = 0; i < clips * MOMENTS; i++) {
		const double duration = f->scene->clips[i / MOMENTS].duration_seconds;
		player_pose(p, i / MOMENTS, duration * (i % MOMENTS) / (MOMENTS - 1));
		int count;
		double *points = player_points(p, node, &count);
		snw_box exact = snw_box_empty();
		for (int v = 0; v < count; v++) {
			snw_box_add(&exact, points + 3 * (size_t)v);
		}
		free(points);
		const snw_box box = posed_box(p, bounds_of(p, node), p->weights[node]), widest = posed_box(p, bounds_of(p, node), NULL);
		assert_true(contains(&box, &exact) && contains(&widest, &exact));
		sum += volume(&box) / volume(&exact);
		snw_box_add(&played, exact.lower);
		snw_box_add(&played, exact.upper);
		if (i % MOMENTS == MOMENTS - 1) {
			check_clip(bounds_of(p, node), f->scene->clips[i / MOMENTS].name, &played);
			played = snw_box_empty();
		}
	}
	player_close(p);
	return sum / (clips * MOMENTS);
}

static void boxes_of_joints_contain_the_file_at_its_weights(void **state) {
	(void)state;
	static const char *const methods[] = {"inverse-psd", "pose-regression"}, *const engines[] = {NULL, "three"};
	for (int i = 0; i < 4; i++) {
		fixture f = fitted(methods[i / 2]);
		snw_error error = {0};
		f.path = place("bounds.glb");
		const snw_export_request request = {.path = f.path,
											.mesh = SNW_NONE,
											.clip = SNW_NONE,
											.influences = 4,
											.engine = engines[i % 2] ? snw_engine_find(engines[i % 2]) : NULL,
											.unmeasured = true};
		check_ok(snw_export(f.scene, f.stack, &request, NULL, &f.report, &error), error);
		const double times = check_clips(&f);
		print_message("%s for %s: %.3f times the exact box\n", methods[i / 2], engines[i % 2] ? engines[i % 2] : "any engine",
					  times);
		assert_true(times <= MOST_TIMES);
		end(&f);
	}
}

TEST_GROUP(bounds) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boxes_of_joints_contain_the_file_at_its_weights),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
