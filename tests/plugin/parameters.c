/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Settings against the parameter table of small/small.c: height [-1, 1], kind one|two, count 1..10, flip.
 */
#include "check.h"

#include "parameter/parameters.h"
#include "plugin/registry.h"
#include "scene/scene.h"

static snw_registry *registry;
static const snw_descriptor *descriptor;

static int open_registry(void **state) {
	(void)state;
	snw_error error = {0};
	registry = snw_registry_open_empty();
	check_ok(snw_registry_load(registry, TEST_PLUGINS "/small-good.so", &error), error);
	descriptor = snw_registry_find(registry, "test-small")->descriptor;
	return 0;
}

static int close_registry(void **state) {
	(void)state;
	snw_registry_close(registry);
	return 0;
}

static void text_becomes_a_value(void **state) {
	(void)state;
	static const struct {
		const char *text;
		uint32_t index;
		double value;
	} rows[] = {
		{"height=-0.5", 0, -0.5}, {"height=1", 0, 1}, {"kind=two", 1, 1}, {"kind=0", 1, 0},
		{"count=10", 2, 10},      {"flip=on", 3, 1},  {"flip=0", 3, 0},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		snw_error error = {0};
		uint32_t index = 99;
		snw_value value = SNW_VALUE(99);
		check_ok(snw_parameter_parse(descriptor, rows[i].text, &index, &value, &error), error);
		assert_int_equal(index, rows[i].index);
		assert_true(value.numbers[0] == rows[i].value && !value.text);
	}
}

static void wrong_text_is_refused_with_the_allowed_values(void **state) {
	(void)state;
	static const struct {
		const char *text, *words;
	} rows[] = {
		{"height=1.5", "height cannot be '1.5'; expected numbers from -1 to 1 m"},
		{"height=nan", "numbers from -1 to 1"},
		{"height=", "numbers from -1 to 1"},
		{"height=0.5x", "numbers from -1 to 1"},
		{"kind=three", "expected one, two"},
		{"kind=0.5", "expected one, two"},
		{"count=2.5", "whole numbers from 1 to 10"},
		{"flip=2", "0 or 1"},
		{"hight=1", "no parameter 'hight'; it has: height, kind, count, flip"},
		{"height", "KEY=VALUE"},
		{"=1", "KEY=VALUE"},
		{"height@wrist=1", "height cannot be set for 'wrist' alone"},
		{"hight@wrist=1", "no parameter 'hight@wrist'"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		snw_error error = {0};
		uint32_t index = 99;
		snw_value value = SNW_VALUE(99);
		assert_int_equal(snw_parameter_parse(descriptor, rows[i].text, &index, &value, &error), SNW_ERROR_ARGUMENT);
		assert_true(index == 99 && value.numbers[0] == 99);
		if (!strstr(error.text, rows[i].words)) {
			fail_msg("%s: '%s'", rows[i].text, error.text);
		}
	}
}

static void words_of_an_integer_are_its_lowest_values(void **state) {
	(void)state;
	static const char *const words[] = {"none", "auto", NULL};
	snw_parameter count = *descriptor->parameters[2];
	count.choices = words;
	const snw_parameter *const parameters[] = {descriptor->parameters[0], descriptor->parameters[1], &count,
											   descriptor->parameters[3]};
	snw_descriptor named = *descriptor;
	named.parameters = parameters;
	snw_error error = {0};
	uint32_t index;
	snw_value value;
	for (uint32_t i = 0; i < 2; i++) {
		char text[40];
		snprintf(text, sizeof text, "count=%s", words[i]);
		check_ok(snw_parameter_parse(&named, text, &index, &value, &error), error);
		assert_true(index == 2 && value.numbers[0] == count.minimum + i);
		assert_string_equal(snw_parameter_word(&count, &value), words[i]);
	}
	value.numbers[0]++;
	assert_null(snw_parameter_word(&count, &value));
	static const char *const others[] = {"count=some", "count=1", "count=2", "count=11"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		assert_int_equal(snw_parameter_parse(&named, others[i], &index, &value, &error), SNW_ERROR_ARGUMENT);
		assert_non_null(strstr(error.text, "none, auto, or whole numbers from 3 to 10"));
	}
	check_ok(snw_parameter_parse(&named, "count=3", &index, &value, &error), error);
}

/* Against a scene with nothing in it. */
static snw_status resolve(const snw_descriptor *table, const snw_layer *layer, snw_value *values, snw_error *error) {
	snw_scene *scene = snw_scene_create();
	const snw_status status = snw_parameters_resolve(table, layer, scene, SNW_STAGE_FIT, scene->arena, values, error);
	snw_scene_destroy(scene);
	return status;
}

static void settings_stand_over_initial_values(void **state) {
	(void)state;
	const snw_setting settings[] = {{"count", SNW_VALUE(7)}, {"height", SNW_VALUE(0.5)}};
	const snw_layer layer = {.setting_count = 2, .settings = settings};
	snw_value values[4];
	snw_error error = {0};
	check_ok(resolve(descriptor, NULL, values, &error), error);
	assert_true(values[0].numbers[0] == 0.25 && values[1].numbers[0] == 1 && values[2].numbers[0] == 3 &&
				values[3].numbers[0] == 0);
	check_ok(resolve(descriptor, &layer, values, &error), error);
	assert_true(values[0].numbers[0] == 0.5 && values[1].numbers[0] == 1 && values[2].numbers[0] == 7 &&
				values[3].numbers[0] == 0);
}

static void wrong_setting_leaves_the_values_untouched(void **state) {
	(void)state;
	const snw_setting settings[] = {{"count", SNW_VALUE(7)}, {"height", SNW_VALUE(5)}};
	const snw_layer layer = {.setting_count = 2, .settings = settings};
	snw_value values[4] = {SNW_VALUE(9), SNW_VALUE(9), SNW_VALUE(9), SNW_VALUE(9)};
	snw_error error = {0};
	assert_int_equal(resolve(descriptor, &layer, values, &error), SNW_ERROR_ARGUMENT);
	assert_true(values[0].numbers[0] == 9 && values[2].numbers[0] == 9);
}

static void key_with_a_name_sets_that_one_alone(void **state) {
	(void)state;
	snw_parameter height = *descriptor->parameters[0];
	height.scopes = SNW_SCOPE_GROUP;
	height.stage = SNW_STAGE_FIT;
	const snw_parameter *const parameters[] = {&height, descriptor->parameters[1], descriptor->parameters[2],
											   descriptor->parameters[3]};
	snw_descriptor scoped = *descriptor;
	scoped.parameters = parameters;
	uint32_t index;
	snw_value value;
	snw_value values[4];
	snw_error error = {0};
	/* A name may hold what parts a key from its value. */
	check_ok(snw_parameter_parse(&scoped, "height@a=b=-0.5", &index, &value, &error), error);
	assert_true(index == 0 && value.numbers[0] == -0.5);
	assert_int_equal(snw_parameter_key_length("height@a=b=-0.5"), strlen("height@a=b"));
	const char *name;
	assert_int_equal(snw_parameter_of_key(&scoped, "height@a=b", &name), 0);
	assert_string_equal(name, "a=b");
	assert_int_equal(snw_parameter_of_key(&scoped, "count@a", &name), SNW_NONE);
	const snw_setting settings[] = {{"height@a=b", SNW_VALUE(-0.5)}, {"count", SNW_VALUE(7)}};
	const snw_layer layer = {.setting_count = 2, .settings = settings};
	check_ok(resolve(&scoped, &layer, values, &error), error);
	assert_true(values[0].numbers[0] == 0.25 && values[2].numbers[0] == 7);
	const snw_setting outside[] = {{"height@a", SNW_VALUE(5)}};
	const snw_layer wrong = {.setting_count = 1, .settings = outside};
	assert_int_equal(resolve(&scoped, &wrong, values, &error), SNW_ERROR_ARGUMENT);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_becomes_a_value),
		cmocka_unit_test(wrong_text_is_refused_with_the_allowed_values),
		cmocka_unit_test(words_of_an_integer_are_its_lowest_values),
		cmocka_unit_test(settings_stand_over_initial_values),
		cmocka_unit_test(wrong_setting_leaves_the_values_untouched),
		cmocka_unit_test(key_with_a_name_sets_that_one_alone),
	};
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
