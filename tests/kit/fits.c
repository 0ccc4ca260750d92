/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared parts of fits: least squares, ranges, values of parameters, JSON, saved arrays, models.
 */
#include "check.h"

#include "fit/fit.h"
#include "pose/pose.h"
#include "random.h"
#include "sample/sample.h"
#include "scene/scene.h"
#include "services/services.h"
#include "sinew/algebra.h"
#include "sinew/kit/bytes/json.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/skin/shape_model.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/kit/skin/transfer.h"
#include "stack/stack.h"
#include "tiny_arm.h"

/* ---- ranges -------------------------------------------------------------------------------------------------------------- */

typedef struct parts {
	uint32_t begins[8], ends[8];
} parts;

static void remember_part(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	parts *found = argument;
	found->begins[begin / 10] = begin + 1;
	found->ends[begin / 10] = end;
}

static const void *no_service(const snw_host *host, const char *id) {
	(void)host;
	(void)id;
	return NULL;
}

static void ranges_are_the_same_with_a_parallel_service_and_without(void **state) {
	(void)state;
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	const snw_host plain = {.size = sizeof plain, .service = no_service};
	const uint32_t counts[] = {0, 1, 10, 11, 35};
	for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
		parts with = {{0}, {0}}, without = {{0}, {0}};
		snk_ranges_run(snw_services_host(services), counts[n], 10, remember_part, &with);
		snk_ranges_run(&plain, counts[n], 10, remember_part, &without);
		assert_memory_equal(&with, &without, sizeof with);
		for (uint32_t p = 0; p < 8; p++) {
			assert_int_equal(with.begins[p], p < snk_ranges_count(counts[n], 10) ? 10 * p + 1 : 0);
		}
		assert_int_equal(snk_ranges_count(counts[n], 10), (counts[n] + 9) / 10);
	}
	snw_services_destroy(services);
}

/* ---- parameters ---------------------------------------------------------------------------------------------------------- */

static void value_of_a_joint_precedes_its_groups_and_that_the_one_for_all(void **state) {
	(void)state;
	const snw_value values[] = {SNW_VALUE(1), SNW_VALUE(2)};
	const snw_override rows[] = {
		{.size = sizeof(snw_override), .parameter = 1, .scope = SNW_SCOPE_JOINT, .index = 4, .value = SNW_VALUE(40)},
		{.size = sizeof(snw_override), .parameter = 1, .scope = SNW_SCOPE_GROUP, .index = 3, .value = SNW_VALUE(30)},
		{.size = sizeof(snw_override), .parameter = 0, .scope = SNW_SCOPE_GROUP, .index = 3, .value = SNW_VALUE(10)},
	};
	const snw_override *const overrides[] = {&rows[0], &rows[1], &rows[2]};
	const snw_fit_input input = {.values = values, .override_count = 3, .overrides = overrides};
	assert_true(snk_parameter_value(&input, 1, SNW_NONE, SNW_NONE) == 2);
	assert_true(snk_parameter_value(&input, 1, 3, SNW_NONE) == 30);
	assert_true(snk_parameter_value(&input, 1, 3, 4) == 40);
	assert_true(snk_parameter_value(&input, 1, 2, 4) == 40);
	assert_true(snk_parameter_value(&input, 1, 2, 3) == 2);
	assert_true(snk_parameter_value(&input, 0, 3, 4) == 10);
}

/* ---- JSON ---------------------------------------------------------------------------------------------------------------- */

typedef struct page {
	char text[512];
	size_t count, limit;
} page;

static snw_status write_page(void *context, const void *bytes, size_t count) {
	page *to = context;
	if (to->count + count > to->limit) {
		return SNW_ERROR_IO;
	}
	memcpy(to->text + to->count, bytes, count);
	to->count += count;
	return SNW_OK;
}

static snw_status write_example(page *to) {
	const snw_sink sink = {.size = sizeof sink, .context = to, .write = write_page};
	const double numbers[] = {0.1, -2, 1e300};
	snk_json json = snk_json_start(&sink);
	snk_json_open_object(&json, NULL);
	snk_json_open_array(&json, "a \"b\"\n");
	snk_json_close_array(&json);
	snk_json_numbers(&json, "é\\", 3, numbers);
	snk_json_open_array(&json, "rest");
	snk_json_integer(&json, NULL, -7);
	snk_json_boolean(&json, NULL, 1);
	snk_json_text(&json, NULL, "");
	snk_json_number(&json, NULL, (double)NAN);
	snk_json_open_object(&json, NULL);
	snk_json_close_object(&json);
	snk_json_close_array(&json);
	snk_json_close_object(&json);
	return snk_json_finish(&json);
}

static const char *const example = "{\"a \\\"b\\\"\\u000a\":[],\"é\\\\\":[0.10000000000000001,-2,1.0000000000000001e+300],"
								   "\"rest\":[-7,true,\"\",null,{}]}";

static void json_has_commas_between_escapes_within_and_no_locale(void **state) {
	(void)state;
	page with_point = {.limit = sizeof with_point.text - 1}, with_comma = {.limit = sizeof with_comma.text - 1};
	assert_int_equal(write_example(&with_point), SNW_OK);
	assert_string_equal(with_point.text, example);
	check_comma_locale();
	const snw_status status = write_example(&with_comma);
	setlocale(LC_NUMERIC, "C");
	assert_int_equal(status, SNW_OK);
	assert_string_equal(with_comma.text, example);
}

static void json_keeps_the_sinks_failure_and_detects_open_objects(void **state) {
	(void)state;
	page small = {.limit = 10};
	assert_int_equal(write_example(&small), SNW_ERROR_IO);
	page open = {.limit = 100};
	const snw_sink sink = {.size = sizeof sink, .context = &open, .write = write_page};
	snk_json json = snk_json_start(&sink);
	snk_json_open_array(&json, NULL);
	assert_int_equal(snk_json_finish(&json), SNW_ERROR_INTERNAL);
}

/* ---- saved models -------------------------------------------------------------------------------------------------------- */

/* A load of so many bytes. */
static snk_bytes load_of(const void *saved, size_t count, snw_pool *pool) {
	return (snk_bytes){.is_load = 1, .pool = pool, .reader = {(const unsigned char *)saved, count, 0}};
}

static snw_status read_offsets(const uint32_t *values, size_t value_count, uint32_t count, snw_pool *pool) {
	snk_bytes bytes = load_of(values, value_count * sizeof *values, pool);
	const uint32_t *offsets = NULL;
	snk_bytes_offsets(&bytes, count, &offsets);
	assert_int_equal(offsets != NULL, bytes.status == SNW_OK);
	return bytes.status;
}

static void saved_arrays_are_refused_before_they_become_sizes_or_indices(void **state) {
	(void)state;
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	snw_pool pool = snw_pool_open(snw_services_host(services));
	const uint32_t good[] = {0, 2, 2, 5}, falling[] = {0, 3, 2, 5}, late[] = {1, 2, 3, 4};
	assert_int_equal(read_offsets(good, 4, 3, &pool), SNW_OK);
	assert_int_equal(read_offsets(falling, 4, 3, &pool), SNW_ERROR_DATA);
	assert_int_equal(read_offsets(late, 4, 3, &pool), SNW_ERROR_DATA);
	assert_int_equal(read_offsets(good, 4, 4, &pool), SNW_ERROR_DATA);
	assert_int_equal(read_offsets(good, 4, UINT32_MAX, &pool), SNW_ERROR_DATA);
	const double numbers[] = {1, (double)INFINITY}, *found = numbers;
	snk_bytes bytes = load_of(numbers, sizeof numbers, &pool);
	snk_bytes_numbers(&bytes, 2, &found);
	assert_null(found);
	assert_int_equal(bytes.status, SNW_ERROR_DATA);
	const uint32_t *indices = good;
	bytes = load_of(good, sizeof good, &pool);
	snk_bytes_indices(&bytes, 4, 5, &indices);
	assert_null(indices);
	assert_int_equal(bytes.status, SNW_ERROR_DATA);
	bytes = load_of(good + 1, sizeof *good, &pool);
	uint32_t count = 0;
	snk_bytes_count(&bytes, 1, &count);
	assert_int_equal(count, 0);
	assert_int_equal(bytes.status, SNW_ERROR_DATA);
	snw_pool_release(&pool);
	snw_services_destroy(services);
}

static void saved_texts_are_read_whole_or_refused(void **state) {
	(void)state;
	page written = {.limit = 100};
	const snw_sink sink = {.size = sizeof sink, .context = &written, .write = write_page};
	snk_bytes save = {.writer = {.sink = &sink}};
	const char *text = "elbow", *empty = "";
	snk_bytes_text(&save, &text);
	snk_bytes_text(&save, &empty);
	assert_int_equal(save.status, SNW_OK);
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	snw_pool pool = snw_pool_open(snw_services_host(services));
	snk_bytes bytes = load_of(written.text, written.count, &pool);
	snk_bytes_text(&bytes, &text);
	assert_string_equal(text, "elbow");
	snk_bytes_text(&bytes, &text);
	assert_string_equal(text, "");
	assert_int_equal(bytes.status, SNW_OK);
	snk_bytes_text(&bytes, &text); /* there is no more */
	assert_null(text);
	assert_int_equal(bytes.status, SNW_ERROR_DATA);
	written.text[6] = '\0'; /* within the first one */
	bytes = load_of(written.text, written.count, &pool);
	snk_bytes_text(&bytes, &text);
	assert_null(text);
	assert_int_equal(bytes.status, SNW_ERROR_DATA);
	snw_pool_release(&pool);
	snw_services_destroy(services);
}

static void numbers_read_into_memory_are_finite_or_refused(void **state) {
	(void)state;
	const double written[3] = {1, 2, (double)NAN};
	double read[3];
	snk_bytes bytes = load_of(written, sizeof written, NULL);
	snk_bytes_f64(&bytes, 2, read);
	assert_int_equal(bytes.status, SNW_OK);
	assert_true(read[0] == 1 && read[1] == 2);
	snk_bytes_f64(&bytes, 1, read);
	assert_int_equal(bytes.status, SNW_ERROR_DATA);
	bytes.status = SNW_OK;
	snk_bytes_f64(&bytes, 1, read); /* there is no more */
	assert_int_equal(bytes.status, SNW_ERROR_DATA);
}

/* Points of a displacement, and columns of a row, rise; a save that has failed writes nothing more. */
static void what_does_not_rise_is_refused_and_a_failed_save_ends(void **state) {
	(void)state;
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	snw_pool pool = snw_pool_open(snw_services_host(services));
	for (uint32_t last = 2; last < 4; last++) {
		const uint32_t offsets[] = {0, 2}, columns[] = {2, last};
		const double values[] = {0.5, 1};
		page written = {.limit = 100};
		const snw_sink sink = {.size = sizeof sink, .context = &written, .write = write_page};
		snk_bytes save = {.writer = {.sink = &sink}};
		snw_sparse_rows rows = {1, 4, offsets, columns, values}, read = {.row_count = 1, .column_count = 4};
		snk_bytes_rows(&save, &rows);
		snk_bytes load = load_of(written.text, written.count, &pool);
		snk_bytes_rows(&load, &read);
		assert_int_equal(load.status, last == 2 ? SNW_ERROR_DATA : SNW_OK);
	}
	page small = {.limit = 2};
	const snw_sink sink = {.size = sizeof sink, .context = &small, .write = write_page};
	snk_bytes save = {.writer = {.sink = &sink}};
	snk_bytes_same(&save, 1);
	snk_bytes_same(&save, 1);
	assert_int_equal(save.status, SNW_ERROR_IO);
	snw_pool_release(&pool);
	snw_services_destroy(services);
}

/* ---- influences and masks ------------------------------------------------------------------------------------------------ */

static void largest_influences_are_kept_and_sorted_by_slot(void **state) {
	(void)state;
	uint32_t count = 0, slots[3];
	double weights[3];
	static const double offered[] = {0.1, 0.3, 0.3, 0.05, 0.2};
	for (uint32_t s = 0; s < 5; s++) {
		snk_keep_influence(3, 7 - s, offered[s], &count, slots, weights);
	}
	assert_int_equal(count, 3);
	assert_true(slots[0] == 6 && slots[1] == 5 && slots[2] == 3); /* of equal ones the first */
	snk_sort_influences(count, slots, weights);
	assert_true(slots[0] == 3 && slots[1] == 5 && slots[2] == 6);
	assert_true(weights[0] == 0.2 && weights[1] == 0.3 && weights[2] == 0.3);
}

static void blend_leaves_points_without_influences_at_rest(void **state) {
	(void)state;
	static const uint32_t offsets[] = {0, 2, 2}, slots[] = {0, 1};
	static const double weights[] = {0.25, 0.75}, rest[3] = {1, 2, 3};
	static const double palette[24] = {1, 0, 0, 4, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 8, 0, 0, 1, 0};
	double posed[3];
	snk_blend_point(offsets, slots, weights, palette, 0, rest, posed);
	assert_true(posed[0] == 2 && posed[1] == 8 && posed[2] == 3);
	snk_blend_point(offsets, slots, weights, palette, 1, rest, posed);
	assert_memory_equal(posed, rest, sizeof rest);
	snk_blend_point(NULL, NULL, NULL, palette, 0, rest, posed);
	assert_memory_equal(posed, rest, sizeof rest);
}

static void mask_is_clamped_and_filled_where_there_is_none(void **state) {
	(void)state;
	static const double values[] = {-1, 0.5, 2};
	const snw_field_view field = {
		.size = sizeof field, .name = "mask", .domain = SNW_DOMAIN_POINTS, .components = 1, .count = 3, .values = values};
	const snw_field_view *const fields[] = {&field};
	const snw_mesh_view mesh = {.size = sizeof mesh, .point_count = 3, .field_count = 1, .fields = fields};
	double mask[3];
	snk_mask_fill(&mesh, "mask", 1, mask);
	assert_true(mask[0] == 0 && mask[1] == 0.5 && mask[2] == 1);
	snk_mask_fill(&mesh, "other", 1, mask);
	assert_true(mask[0] == 1 && mask[1] == 1 && mask[2] == 1);
}

static void fit_without_samples_is_refused(void **state) {
	(void)state;
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	assert_int_equal(snk_samples_check(snw_services_host(services), 0, 0), SNW_ERROR_MISSING);
	assert_int_equal(snk_samples_check(snw_services_host(services), 1, 2), SNW_OK);
	snw_services_destroy(services);
}

/* ---- joints -------------------------------------------------------------------------------------------------------------- */

/* A root, an arm of two joints below it, and a leg. */
static void joints_bend_a_skin_that_is_not_all_below_them(void **state) {
	(void)state;
	static const uint32_t parents[] = {SNW_NONE, 0, 1, 0};
	const snw_skeleton_view skeleton = {.size = sizeof skeleton, .joint_count = 4, .parents = parents};
	static const int bend_arm[] = {0, 0, 1, 1};
	static const uint32_t offsets[] = {0, 2}, slots[] = {1, 2}, slot_joints[] = {0, 1, 2, 3};
	static const double weights[] = {0.5, 0.5};
	const snw_mesh_view sleeve = {.size = sizeof sleeve,
								  .point_count = 1,
								  .influence_offsets = offsets,
								  .influence_slots = slots,
								  .influence_weights = weights};
	const snw_mesh_view bare = {.size = sizeof bare, .point_count = 1};
	const snw_mesh_view *const meshes[] = {&bare, &sleeve};
	const snw_character_view character = {.size = sizeof character,
										  .skeleton = &skeleton,
										  .mesh_count = 2,
										  .meshes = meshes,
										  .slot_count = 4,
										  .slot_joints = slot_joints};
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	snw_pool pool = snw_pool_open(snw_services_host(services));
	for (uint32_t m = 0; m < 3; m++) {
		const unsigned char *bends;
		assert_int_equal(snk_bending_joints(&character, m < 2 ? m : SNW_NONE, &pool, &bends), SNW_OK);
		for (uint32_t j = 0; j < 4; j++) {
			assert_int_equal(bends[j], m == 0 ? 0 : bend_arm[j]);
		}
	}
	snw_pool_release(&pool);
	snw_services_destroy(services);
}

/* ---- models -------------------------------------------------------------------------------------------------------------- */

static uint32_t block_count;

static void *SNW_CALL acquire(const snw_host *host, size_t bytes) {
	(void)host;
	const size_t aligned = (bytes + 63) / 64 * 64;
	block_count++;
	return memset(aligned_alloc(64, aligned), 0, aligned);
}

static void SNW_CALL release(const snw_host *host, void *block) {
	(void)host;
	block_count--;
	free(block);
}

static const void *SNW_CALL memory_alone(const snw_host *host, const char *id) {
	static const snw_memory_service memory = {.size = sizeof memory, .acquire = acquire, .release = release};
	(void)host;
	return strcmp(id, SNW_SERVICE_MEMORY) == 0 ? &memory : NULL;
}

/* With a caveat there is a model; with an error, and when it was cancelled, nothing remains of it. */
static void model_is_given_or_released_by_the_status_of_its_fit(void **state) {
	(void)state;
	const snw_host host = {.size = sizeof host, .service = memory_alone};
	static const snw_status statuses[] = {SNW_OK, SNW_ILL_CONDITIONED, SNW_CANCELLED, SNW_ERROR_DATA};
	for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
		snw_model *made = snk_model_open(&host, sizeof(snw_pool) + 24), *model = NULL;
		assert_non_null(made);
		assert_non_null(snw_pool_acquire((snw_pool *)made, 10, sizeof(double)));
		assert_int_equal(block_count, 2);
		assert_int_equal(snk_model_finish(statuses[i], made, &model), statuses[i]);
		assert_ptr_equal(model, i < 2 ? made : NULL);
		snk_model_release(model);
		assert_int_equal(block_count, 0);
	}
	snw_model *model = NULL;
	assert_int_equal(snk_model_finish(SNW_ERROR_MEMORY, NULL, &model), SNW_ERROR_MEMORY);
	assert_null(model);
}

/* The numbers of each shape depend on the joints, which may have changed since the model was saved. */
static void shapes_with_other_numbers_than_expected_are_refused(void **state) {
	(void)state;
	const snw_host host = {.size = sizeof host, .service = memory_alone};
	const snw_mesh_view mesh = {.size = sizeof mesh, .point_count = 1};
	const snw_mesh_view *const meshes[] = {&mesh};
	const snw_character_view character = {.size = sizeof character, .mesh_count = 1, .meshes = meshes};
	const uint32_t mesh_of_shape = 0;
	page saved = {.limit = sizeof saved.text};
	const snw_sink sink = {.size = sizeof sink, .context = &saved, .write = write_page};
	snk_shape_model *made = snk_shape_model_open(&host, &character, 1, &mesh_of_shape, 6);
	assert_non_null(made);
	assert_int_equal(snk_shape_model_save(snk_shape_model_as_model(made), "SHAPES..", &sink), SNW_OK);
	snk_model_release(snk_shape_model_as_model(made));
	const snw_load_call call = {
		.size = sizeof call, .host = &host, .character = &character, .bytes = saved.text, .count = saved.count};
	snw_model *model = NULL;
	assert_int_equal(snk_shape_model_load(&call, "SHAPES..", 3, &model), SNW_ERROR_DATA);
	assert_null(model);
	assert_int_equal(block_count, 0);
	assert_int_equal(snk_shape_model_load(&call, "SHAPES..", 6, &model), SNW_OK);
	snk_model_release(model);
}

/* ---- samples ------------------------------------------------------------------------------------------------------------- */

/* The samples of the arm's first target, as a motion or as a set. Returns its frames in the order of the samples; the
 * arena's. */
static const uint32_t *order_samples(const snw_scene *arm, bool is_set, snw_pool *pool, snw_arena *arena,
									 const snk_sample **samples, uint32_t *count) {
	snw_error error = {0};
	snw_target target = arm->targets[0];
	target.is_set = is_set;
	snw_scene scene = *arm;
	scene.targets = &target;
	scene.target_count = 1;
	snw_fit_input *input;
	snk_sample *gathered;
	check_ok(snw_fit_input_make(&scene, SNW_NEEDS_TARGETS, NULL, SNW_NONE, 0, NULL, NULL, arena, &input, &error), error);
	input->example_count = 0;
	assert_int_equal(snk_samples_gather(input, target.mesh, pool, &gathered, count), SNW_OK);
	assert_int_equal(*count, target.frame_count);
	uint32_t *frames = SNW_NEW_ARRAY(arena, uint32_t, *count);
	for (uint32_t s = 0; s < *count; s++) {
		frames[s] = (uint32_t)((gathered[s].floats_posed - input->targets[0]->points_posed) / 3 /
							   scene.meshes[target.mesh].point_count);
	}
	*samples = gathered;
	return frames;
}

static void frames_of_a_set_are_dealt_out_and_continue_none(void **state) {
	(void)state;
	snw_error error = {0};
	snw_scene *arm;
	check_ok(make_tiny_arm(&arm, &error), error);
	snw_arena *arena = snw_arena_create();
	snw_services *services = snw_services_create(NULL, NULL, NULL, NULL);
	snw_pool pool = snw_pool_open(snw_services_host(services));
	const snk_sample *samples;
	uint32_t count;
	const uint32_t *frames = order_samples(arm, false, &pool, arena, &samples, &count);
	assert_true(count > 16);
	for (uint32_t s = 0; s < count; s++) {
		assert_int_equal(frames[s], s);
		assert_int_equal(samples[s].continues, s > 0);
	}
	frames = order_samples(arm, true, &pool, arena, &samples, &count);
	unsigned char *seen = SNW_NEW_ARRAY(arena, unsigned char, count);
	for (uint32_t s = 0; s < count; s++) {
		assert_false(samples[s].continues);
		assert_false(seen[frames[s]]);
		seen[frames[s]] = 1;
	}
	for (uint32_t s = 0; s + 3 < count; s++) {
		uint32_t least = count, most = 0;
		for (uint32_t k = s; k < s + 4; k++) {
			least = frames[k] < least ? frames[k] : least;
			most = frames[k] > most ? frames[k] : most;
		}
		assert_true(2 * (most - least) >= count); /* any four are spread over half of the frames */
	}
	snw_pool_release(&pool);
	snw_services_destroy(services);
	snw_arena_destroy(arena);
	snw_scene_destroy(arm);
}

/* Each candidate explains a part; 1 and 3 explain the same part. */
static double SNW_CALL residual_with(void *context, uint32_t count, const uint32_t *chosen) {
	static const double shares[] = {0.1, 0.5, 0.001, 0.5, 0.3};
	double residual = 1;
	int has_shared = 0;
	for (uint32_t i = 0; i < count; i++) {
		const int is_shared = chosen[i] == 1 || chosen[i] == 3;
		residual -= is_shared && has_shared ? 0 : shares[chosen[i]];
		has_shared |= is_shared;
	}
	*(uint32_t *)context += 1;
	return residual;
}

static void forward_choices_take_what_leaves_least_until_it_gains_too_little(void **state) {
	(void)state;
	uint32_t chosen[5], calls = 0;
	snk_forward_choice choice = {
		.candidate_count = 5, .most = 5, .before = 1, .least_gain = 0.05, .residual = residual_with, .context = &calls};
	assert_int_equal(snk_choose_forward(&choice, chosen), 3);
	assert_true(chosen[0] == 1 && chosen[1] == 4 && chosen[2] == 0); /* of 1 and 3 the first; 2 gains too little */
	assert_int_equal(calls, 5 + 4 + 3 + 2);
	choice.most = 2;
	assert_int_equal(snk_choose_forward(&choice, chosen), 2);
	choice.candidate_count = 0;
	assert_int_equal(snk_choose_forward(&choice, chosen), 0);
}

/* ---- residuals ----------------------------------------------------------------------------------------------------------- */

/* Samples made of a moved rest, over layers that say that they are affine and over the same that do not. */
static void residuals_are_what_the_layers_below_leave(void **state) {
	(void)state;
	snw_scene *scene;
	snw_stack *stack;
	snw_error error = {0};
	check_ok(make_tiny_arm(&scene, &error), error);
	snw_registry *registry = snw_registry_open();
	check_ok(snw_stack_build(scene, registry, NULL, NULL, &stack, &error), error);
	const snw_character_view *character = snw_character_view_make(scene, scene->arena);
	const uint32_t points = scene->meshes[0].point_count;
	double *shifted = SNW_NEW_ARRAY(scene->arena, double, 3 * (size_t)points),
		   *posed = SNW_NEW_ARRAY(scene->arena, double, 3 * (size_t)points);
	double *found = SNW_NEW_ARRAY(scene->arena, double, 3 * (size_t)points);
	for (size_t i = 0; i < 3 * (size_t)points; i++) {
		shifted[i] = scene->meshes[0].points_rest[i] + 0.001 * (double)(i % 7);
	}
	for (int is_opaque = 0; is_opaque < 2; is_opaque++) {
		const snw_below below = snw_stack_below_service(stack);
		snw_services *services = snw_services_create(NULL, scene, &below, NULL);
		const snw_host *host = snw_services_host(services);
		const snw_below_service *service = host->service(host, SNW_SERVICE_BELOW);
		const snw_pose_view *pose = snw_pose_view_make(scene, &scene->poses[1], scene->arena);
		const snw_below_call call = {.size = sizeof call,
									 .pose_count = 1,
									 .poses = &pose,
									 .count = points,
									 .points_rest = shifted,
									 .points_posed = posed};
		assert_int_equal(service->deform(host, &call), SNW_OK);
		if (is_opaque) {
			snw_services_hide_affine(services);
		}
		snw_pool pool = snw_pool_open(host);
		snk_residuals residuals;
		const snk_sample sample = {.pose = pose, .points_posed = posed};
		assert_int_equal(snk_residuals_open(host, character, 0, &pool, &residuals), SNW_OK);
		assert_int_equal(snk_residuals_rest(&residuals, &sample, found), SNW_OK);
		assert_int_equal(residuals.is_affine, !is_opaque);
		for (size_t i = 0; i < 3 * (size_t)points; i++) {
			check_near(found[i], 0.001 * (double)(i % 7), 1e-9);
		}
		assert_int_equal(snk_residuals_posed(&residuals, &sample, found), SNW_OK);
		for (size_t i = 0; i < 3 * (size_t)points; i++) {
			check_near(found[i], posed[i] - residuals.posed[i], 0);
			assert_true(i % 7 == 0 ||
						fabs(found[3 * (i / 3)]) + fabs(found[3 * (i / 3) + 1]) + fabs(found[3 * (i / 3) + 2]) > 1e-4);
		}
		snw_pool_release(&pool);
		snw_services_destroy(services);
	}
	snw_services *bare = snw_services_create(NULL, NULL, NULL, NULL);
	snw_pool pool = snw_pool_open(snw_services_host(bare));
	snk_residuals residuals;
	assert_int_equal(snk_residuals_open(snw_services_host(bare), character, 0, &pool, &residuals), SNW_ERROR_MISSING);
	snw_pool_release(&pool);
	snw_services_destroy(bare);
	snw_stack_destroy(stack);
	snw_registry_close(registry);
	snw_scene_destroy(scene);
}

static void samples_are_dealt_to_folds_by_blocks(void **state) {
	(void)state;
	unsigned char folds[12];
	assert_int_equal(snk_samples_deal(12, 4, 2, folds), 2);
	for (uint32_t s = 0; s < 12; s++) {
		assert_int_equal(folds[s], s / 3 % 2);
	}
	assert_int_equal(snk_samples_deal(1, 4, 2, folds), 1);
	assert_int_equal(folds[0], 0);
}

/* ---- meshes that change -------------------------------------------------------------------------------------------------- */

/* An edge of two points that becomes three: the second point, the middle, which the new rest has moved up by 1, and the
 * first. */
static const double edge_rest[6] = {0, 0, 0, 2, 0, 0}, split_rest[9] = {2, 0, 0, 1, 1, 0, 0, 0, 0};
static const uint32_t split_offsets[4] = {0, 1, 3, 4}, split_sources[4] = {1, 0, 1, 0};
static const double split_shares[4] = {1, 0.5, 0.5, 1};
static const uint32_t edge_offsets[3] = {0, 1, 3}, edge_slots[3] = {2, 2, 0};
static const double edge_weights[3] = {1, 0.25, 0.75};

typedef struct split_edge {
	snw_mesh_view meshes[2];
	const snw_mesh_view *lists[2];
	snw_character_view characters[2];
	snw_stencils_view stencils;
	const snw_stencils_view *stencil_list[1];
	snw_services *services;
	snw_pool pool;
	snw_transfer_call call;
} split_edge;

static void open_split_edge(split_edge *e) {
	*e = (split_edge){.meshes = {{.size = sizeof(snw_mesh_view), .point_count = 2, .points_rest = edge_rest},
								 {.size = sizeof(snw_mesh_view), .point_count = 3, .points_rest = split_rest}},
					  .stencils = {sizeof e->stencils, 2, split_offsets, split_sources, split_shares},
					  .services = snw_services_create(NULL, NULL, NULL, NULL)};
	for (int i = 0; i < 2; i++) {
		e->lists[i] = &e->meshes[i];
		e->characters[i] = (snw_character_view){.size = sizeof *e->characters, .mesh_count = 1, .meshes = &e->lists[i]};
	}
	e->stencil_list[0] = &e->stencils;
	e->pool = snw_pool_open(snw_services_host(e->services));
	e->call = (snw_transfer_call){.size = sizeof e->call,
								  .host = e->pool.host,
								  .before = &e->characters[0],
								  .character = &e->characters[1],
								  .stencils = e->stencil_list};
}

static void close_split_edge(split_edge *e) {
	snw_pool_release(&e->pool);
	snw_services_destroy(e->services);
}

static void weights_and_rows_follow_points_by_stencils(void **state) {
	(void)state;
	split_edge e;
	open_split_edge(&e);
	snk_base_skin_mesh mesh = {2, edge_offsets, edge_slots, edge_weights};
	snk_base_skin skin = {3, 1, &mesh};
	assert_int_equal(snk_transfer_base_skin(&e.call, &e.pool, &skin), SNW_OK);
	const uint32_t offsets[4] = {0, 2, 4, 5}, slots[5] = {0, 2, 0, 2, 2};
	const double weights[5] = {0.75, 0.25, 0.375, 0.625, 1};
	assert_int_equal(mesh.point_count, 3);
	assert_memory_equal(mesh.offsets, offsets, sizeof offsets);
	assert_memory_equal(mesh.slots, slots, sizeof slots);
	assert_memory_equal(mesh.weights, weights, sizeof weights);
	/* v = Σ T_s p_s with w (r, 1): the middle's rows are half of its ends', and lie on its new place. */
	const double rows[12] = {0, 0, 0, 1, 0.5, 0, 0, 0.25, 1.5, 0, 0, 0.75};
	const double expected[8] = {0.75, 0.375, 0, 0.375, 0.25, 0.625, 0, 0.625};
	snk_row_skin_mesh row_mesh = {2, edge_offsets, edge_slots, rows};
	snk_row_skin row_skin = {3, 1, &row_mesh};
	assert_int_equal(snk_transfer_row_skin(&e.call, &e.pool, &row_skin), SNW_OK);
	assert_memory_equal(row_mesh.slots, slots, sizeof slots);
	assert_memory_equal(row_mesh.rows + 8, expected, sizeof expected);
	close_split_edge(&e);
}

static void displacements_follow_points_by_stencils(void **state) {
	(void)state;
	split_edge e;
	open_split_edge(&e);
	const uint32_t coefficients[2] = {4, 1}, points[3] = {1, 0, 1}, expected[5] = {0, 1, 0, 1, 2};
	const uint64_t offsets[3] = {0, 1, 3}, all_offsets[3] = {0, 2, 4};
	const double vectors[9] = {0, 0, 2, 1, 0, 0, 0, 1, 0};
	const double vectors_after[15] = {0, 0, 2, 0, 0, 1, 0, 1, 0, 0.5, 0.5, 0, 1, 0, 0};
	snw_displacements list = {.size = sizeof list,
							  .count = 2,
							  .coefficients = coefficients,
							  .offsets = offsets,
							  .points = points,
							  .vectors = vectors};
	uint32_t point_count = 0;
	assert_int_equal(snk_transfer_displacements(&e.call, &e.pool, 1, &point_count, &list), SNW_OK);
	assert_int_equal(point_count, e.call.character->meshes[0]->point_count);
	assert_true(list.offsets[1] == 2 && list.offsets[2] == 5);
	assert_memory_equal(list.points, expected, sizeof expected);
	assert_memory_equal(list.vectors, vectors_after, sizeof vectors_after);
	assert_ptr_equal(list.coefficients, coefficients);
	/* Those of all points in order stay such. */
	const double dense[12] = {0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 1, 0};
	snw_displacements all = {
		.size = sizeof all, .count = 2, .coefficients = coefficients, .offsets = all_offsets, .vectors = dense};
	assert_int_equal(snk_transfer_displacements(&e.call, &e.pool, 1, NULL, &all), SNW_OK);
	assert_true(!all.points && all.offsets[1] == 3 && all.offsets[2] == 6);
	assert_memory_equal(all.vectors, vectors_after, 6 * sizeof *vectors_after);
	assert_memory_equal(all.vectors + 9, vectors_after + 6, 9 * sizeof *vectors_after);
	/* A mesh that is as it was keeps what it has. */
	e.stencils.offsets = NULL;
	snw_displacements kept = all;
	assert_int_equal(snk_transfer_displacements(&e.call, &e.pool, 1, NULL, &kept), SNW_OK);
	assert_memory_equal(&kept, &all, sizeof all);
	close_split_edge(&e);
}

TEST_GROUP(fits) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_are_the_same_with_a_parallel_service_and_without),
		cmocka_unit_test(value_of_a_joint_precedes_its_groups_and_that_the_one_for_all),
		cmocka_unit_test(json_has_commas_between_escapes_within_and_no_locale),
		cmocka_unit_test(json_keeps_the_sinks_failure_and_detects_open_objects),
		cmocka_unit_test(saved_arrays_are_refused_before_they_become_sizes_or_indices),
		cmocka_unit_test(saved_texts_are_read_whole_or_refused),
		cmocka_unit_test(numbers_read_into_memory_are_finite_or_refused),
		cmocka_unit_test(what_does_not_rise_is_refused_and_a_failed_save_ends),
		cmocka_unit_test(largest_influences_are_kept_and_sorted_by_slot),
		cmocka_unit_test(blend_leaves_points_without_influences_at_rest),
		cmocka_unit_test(mask_is_clamped_and_filled_where_there_is_none),
		cmocka_unit_test(fit_without_samples_is_refused),
		cmocka_unit_test(joints_bend_a_skin_that_is_not_all_below_them),
		cmocka_unit_test(model_is_given_or_released_by_the_status_of_its_fit),
		cmocka_unit_test(shapes_with_other_numbers_than_expected_are_refused),
		cmocka_unit_test(frames_of_a_set_are_dealt_out_and_continue_none),
		cmocka_unit_test(residuals_are_what_the_layers_below_leave),
		cmocka_unit_test(samples_are_dealt_to_folds_by_blocks),
		cmocka_unit_test(weights_and_rows_follow_points_by_stencils),
		cmocka_unit_test(displacements_follow_points_by_stencils),
		cmocka_unit_test(forward_choices_take_what_leaves_least_until_it_gains_too_little),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
