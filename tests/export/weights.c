/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights in steps of 1/255: their sum, what they cost, and that what they cost is reported.
 */
#include <string.h>

#include "export/plan/plan.h"
#include "fixture.h"

/* A point that five joints move: a tube whose weights are spread over all. */
static fixture soft_arm(void) {
	fixture f = sample_arm();
	snw_mesh *mesh = snw_arena_copy(f.scene->arena, f.scene->meshes, sizeof *mesh);
	const uint32_t slots = f.scene->slot_count;
	uint32_t *offsets = SNW_NEW_ARRAY(f.scene->arena, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *all = SNW_NEW_ARRAY(f.scene->arena, uint32_t, (size_t)mesh->point_count * slots);
	double *weights = SNW_NEW_ARRAY(f.scene->arena, double, (size_t)mesh->point_count *slots);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		double sum = 0;
		for (uint32_t s = 0; s < slots; s++) {
			const double away = mesh->points_rest[3 * (size_t)p] - 0.25 * s;
			all[(size_t)p * slots + s] = s;
			weights[(size_t)p * slots + s] = exp(-20 * away * away);
			sum += weights[(size_t)p * slots + s];
		}
		for (uint32_t s = 0; s < slots; s++) {
			weights[(size_t)p * slots + s] /= sum;
		}
		offsets[p + 1] = (p + 1) * slots;
	}
	mesh->influence_offsets = offsets;
	mesh->influence_slots = all;
	mesh->influence_weights = weights;
	f.scene->meshes = mesh;
	f.scene->clip_count = 1;
	f.scene->target_count = 0;
	build_stack(&f);
	return f;
}

static snw_plan *plan_of(const fixture *f, const snw_export_request *request) {
	snw_plan *plan = NULL;
	snw_error error = {0};
	check_ok(snw_plan_make(f->scene, f->stack, request, "glTF", NULL, &plan, &error), error);
	return plan;
}

static const snw_export_request exact = {.mesh = SNW_NONE, .clip = SNW_NONE, .influences = 4};
static const snw_export_request rounded = {.mesh = SNW_NONE, .clip = SNW_NONE, .influences = 4, .weights = SNW_WEIGHTS_BYTES};

/* The weights of a point by slot. */
static void gather(const snw_plan_mesh *mesh, uint32_t point, double *by_slot, uint32_t slots) {
	memset(by_slot, 0, slots * sizeof *by_slot);
	for (uint32_t i = 0; i < mesh->width; i++) {
		const size_t at = (size_t)point * mesh->width + i;
		by_slot[mesh->slots[at]] += (double)mesh->weights[at];
	}
}

static void rounded_weights_are_steps_whose_sum_is_255(void **state) {
	(void)state;
	fixture f = soft_arm();
	snw_plan *before = plan_of(&f, &exact), *after = plan_of(&f, &rounded);
	const snw_plan_mesh *a = &before->meshes[0], *b = &after->meshes[0];
	const uint32_t slots = f.scene->slot_count;
	double *from = SNW_NEW_ARRAY(f.scene->arena, double, slots), *to = SNW_NEW_ARRAY(f.scene->arena, double, slots);
	uint32_t changed = 0;
	for (uint32_t p = 0; p < b->mesh->point_count; p++) {
		double sum = 0;
		gather(a, p, from, slots);
		gather(b, p, to, slots);
		for (uint32_t s = 0; s < slots; s++) {
			const double steps = 255 * to[s];
			check_near(steps, round(steps), 1e-4);
			assert_true(fabs(steps - 255 * from[s]) < 1 + 1e-4); /* up or down, no farther */
			changed += fabs(steps - 255 * from[s]) > 0.01;
			sum += round(steps);
		}
		assert_true(sum == 255);
		for (uint32_t i = 1; i < b->width; i++) {
			const float *weights = b->weights + (size_t)p * b->width;
			assert_true(weights[i] <= weights[i - 1]);
		}
	}
	assert_true(2 * changed > 3 * b->mesh->point_count);
	snw_plan_destroy(before);
	snw_plan_destroy(after);
	end(&f);
}

/* As most packers do: the largest remainders are rounded up. */
static void round_by_remainders(const double *weights, uint32_t count, double *dest) {
	int missing = 255;
	for (uint32_t s = 0; s < count; s++) {
		dest[s] = floor(255 * weights[s]);
		missing -= (int)dest[s];
	}
	for (; missing > 0; missing--) {
		uint32_t best = 0;
		for (uint32_t s = 1; s < count; s++) {
			best = 255 * weights[s] - dest[s] > 255 * weights[best] - dest[best] ? s : best;
		}
		dest[best]++;
	}
	for (uint32_t s = 0; s < count; s++) {
		dest[s] /= 255;
	}
}

static double moved_squared(const fixture *f, const double *palette, const double *from, const double *to, uint32_t point) {
	double gap[3] = {0};
	for (uint32_t s = 0; s < f->scene->slot_count; s++) {
		double place[3];
		snw_mat34_point(palette + 12 * (size_t)s, f->scene->meshes[0].points_rest + 3 * (size_t)point, place);
		for (int c = 0; c < 3; c++) {
			gap[c] += (to[s] - from[s]) * place[c];
		}
	}
	return snw_dot3(gap, gap);
}

static void rounding_moves_points_less_than_by_remainders_and_is_reported(void **state) {
	(void)state;
	fixture f = soft_arm();
	snw_plan *before = plan_of(&f, &exact), *after = plan_of(&f, &rounded);
	const uint32_t slots = f.scene->slot_count;
	double *from = SNW_NEW_ARRAY(f.scene->arena, double, slots), *to = SNW_NEW_ARRAY(f.scene->arena, double, slots);
	double *plain = SNW_NEW_ARRAY(f.scene->arena, double, slots), chosen = 0, by_remainders = 0, farthest = 0;
	for (int moment = 0; moment < 8; moment++) {
		const snw_pose *pose =
			snw_pose_sample(f.scene, 0, f.scene->clips[0].duration_seconds * (moment + 0.3) / 8, f.scene->arena);
		const double *palette = snw_pose_view_make(f.scene, pose, f.scene->arena)->palette;
		for (uint32_t p = 0; p < f.scene->meshes[0].point_count; p++) {
			gather(&before->meshes[0], p, from, slots);
			gather(&after->meshes[0], p, to, slots);
			round_by_remainders(from, slots, plain);
			const double square = moved_squared(&f, palette, from, to, p);
			chosen += square;
			farthest = fmax(farthest, square);
			by_remainders += moved_squared(&f, palette, from, plain, p);
		}
	}
	print_message("root mean square: %.3f of that by remainders\n", sqrt(chosen / by_remainders));
	assert_true(sqrt(chosen / by_remainders) < 0.97);
	const double percent = 100 * sqrt(farthest) / snw_scene_diagonal(f.scene, 0);
	assert_true(percent > 0.001 && after->report.rounding_max_percent > 0.8 * percent);
	check_near(before->report.rounding_max_percent, 0, 0);
	assert_true(after->report.playback_max_percent >= 0.8 * percent);
	snw_plan_destroy(before);
	snw_plan_destroy(after);
	end(&f);
}

/* The arm's weights cost more than is allowed over its clip, and nothing where no joint ever moves. */
static void weights_are_rounded_by_choice_where_that_costs_nothing(void **state) {
	(void)state;
	static const snw_export_request chosen = {
		.mesh = SNW_NONE, .clip = SNW_NONE, .influences = 4, .weights = SNW_WEIGHTS_CHOSEN};
	fixture f = soft_arm();
	snw_plan *moving = plan_of(&f, &chosen), *as_they_are = plan_of(&f, &exact);
	const size_t bytes = sizeof(float) * moving->meshes[0].mesh->point_count * moving->meshes[0].width;
	assert_false(moving->report.has_rounded_weights);
	assert_true(moving->report.rounding_max_percent > 0.02 && moving->report.rounded_erms > 1.02 * moving->report.exact_erms);
	assert_memory_equal(moving->meshes[0].weights, as_they_are->meshes[0].weights, bytes);
	snw_plan_destroy(moving);
	snw_plan_destroy(as_they_are);
	snw_stack_destroy(f.stack);
	f.scene->clip_count = 0;
	f.scene->pose_count = 0;
	build_stack(&f);
	snw_plan *still = plan_of(&f, &chosen);
	assert_true(still->report.has_rounded_weights);
	check_near(still->report.rounding_max_percent, 0, 0);
	snw_plan_destroy(still);
	end(&f);
}

/* A skin file has no clips: its player computes what the layers describe, and the rest stays at rest. */
static void weights_that_no_layer_describes_are_measured_at_rest_where_the_player_computes_them(void **state) {
	(void)state;
	for (int is_silent = 0; is_silent <= 1; is_silent++) {
		fixture f = sample_arm();
		add_layer(f.scene, "corrective", "test-corrective", is_silent ? "silent" : NULL, 1);
		build_stack(&f);
		const snw_export_request live = {.mesh = SNW_NONE, .clip = SNW_NONE, .influences = 4, .plays_drives = true};
		snw_plan *driven = plan_of(&f, &live), *keyed = plan_of(&f, &exact);
		assert_true(keyed->report.playback_max_percent < 0.1);
		assert_int_equal(driven->meshes[0].morphs[0].is_described, !is_silent);
		print_message("at most %.3g %%\n", driven->report.playback_max_percent);
		assert_true(is_silent ? driven->report.playback_max_percent > 1 : driven->report.playback_max_percent < 1e-3);
		snw_plan_destroy(driven);
		snw_plan_destroy(keyed);
		end(&f);
	}
}

/* A weight whose morph target hardly moves anything needs no more keys than one that is far from a thousandth. */
static void targets_that_hardly_move_points_need_few_keys(void **state) {
	(void)state;
	uint32_t counts[2];
	for (int i = 0; i < 2; i++) {
		fixture f = sample_arm();
		add_layer(f.scene, "corrective", "test-corrective", i ? "size" : NULL, 1e-4);
		build_stack(&f);
		snw_plan *plan = plan_of(&f, &exact);
		counts[i] = plan->samples[0].count;
		assert_true(plan->report.playback_max_percent < 0.01);
		snw_plan_destroy(plan);
		end(&f);
	}
	print_message("%u samples, %u of small ones\n", counts[0], counts[1]);
	assert_true(2 * counts[1] < counts[0]);
}

TEST_GROUP(weights) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rounded_weights_are_steps_whose_sum_is_255),
		cmocka_unit_test(rounding_moves_points_less_than_by_remainders_and_is_reported),
		cmocka_unit_test(weights_are_rounded_by_choice_where_that_costs_nothing),
		cmocka_unit_test(weights_that_no_layer_describes_are_measured_at_rest_where_the_player_computes_them),
		cmocka_unit_test(targets_that_hardly_move_points_need_few_keys),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
