/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The validator: the shipped deformers pass, and each broken plug-in fails the check for its fault.
 */
#include "validate/validate.h"

#include "check.h"

#include "plugin/registry.h"

typedef struct log {
	uint32_t passed, failed;
	char failures[8000];
} log_of_checks;

static void listen(void *context, const char *name, bool passed, const char *words) {
	log_of_checks *log = context;
	const size_t used = strlen(log->failures);
	assert_true(words[0] != 0);
	if (passed) {
		log->passed++;
	} else {
		log->failed++;
		snprintf(log->failures + used, sizeof log->failures - used, "%s: %s\n", name, words);
	}
}

static snw_status validate_at(const char *path, snw_validate_options options, log_of_checks *log) {
	const snw_validate_listener listener = {log, listen};
	snw_error error = {0};
	*log = (log_of_checks){0};
	options.seed = 20261122;
	options.limit_seconds = options.limit_seconds > 0 ? options.limit_seconds : CHECK_PATIENCE_SECONDS;
	const snw_status status = snw_validate(path, &options, &listener, &error);
	assert_int_equal(status == SNW_OK, log->failed == 0);
	return status;
}

static snw_status validate(const char *path, double limit_seconds, log_of_checks *log) {
	return validate_at(path, (snw_validate_options){.limit_seconds = limit_seconds, .level = SNW_VALIDATE_QUICK}, log);
}

static const char *plugin(const char *name) {
	static char path[1024];
	snprintf(path, sizeof path, TEST_PLUGINS "/small-%s.so", name);
	return path;
}

static void good_plugin_passes_every_check(void **state) {
	(void)state;
	log_of_checks log;
	const snw_status status = validate(plugin("good"), 0, &log);
	if (snw_failed(status)) {
		fail_msg("%s", log.failures);
	}
	assert_int_equal(log.passed, 14);
}

/* Fits that would take seconds each have fewer joints. */
static snw_validate_options quick_options_for(const char *method) {
	static const snw_setting helpers = {"helpers", SNW_VALUE(2)}, proxies = {"proxies", SNW_VALUE(12)},
							 joints = {"joints", SNW_VALUE(2)};
	const snw_setting *setting = strcmp(method, "helper-joints") == 0           ? &helpers
								 : strcmp(method, "rotational-regression") == 0 ? &proxies
								 : strcmp(method, "sad") == 0                   ? &joints
																				: NULL;
	return (snw_validate_options){.level = SNW_VALIDATE_QUICK, .settings = setting, .setting_count = setting ? 1 : 0};
}

/* Each check fits once or twice. A method takes one, which is another for the next; all of them with $SINEW_EVERY_CHECK.
 * tests/deformers damages the models of all methods, and saves them again. */
static const char *const checks[] = {"repeat", "damage", "cancel",  "save", "bounds",  "flat",
									 "drive",  "deform", "threads", "tags", "lowered", "finite"};
enum { CHECKS = sizeof checks / sizeof checks[0] };

static void check_passes(const snw_plugin_info *info, snw_validate_options options, const char *only) {
	log_of_checks log;
	options.only = only;
	if (snw_failed(validate_at(info->path, options, &log))) {
		fail_msg("%s: %s", info->path, log.failures);
	}
}

static void shipped_deformers_pass_every_check(void **state) {
	(void)state;
	snw_registry *registry = snw_registry_open();
	const uint32_t count = snw_registry_count(registry);
	assert_true(count > 10);
	for (uint32_t i = 0; i < count; i++) {
		const snw_plugin_info *info = snw_registry_get(registry, i);
		const snw_validate_options options = quick_options_for(info->deformer->descriptor->short_name);
		check_passes(info, options, getenv("SINEW_EVERY_CHECK") ? NULL : checks[i % CHECKS]);
	}
	snw_registry_close(registry);
}

/* Plug-ins, each with a fault that one check is for, and the words of its report. `check` is NULL for one of the file by
 * itself. */
static const struct {
	const char *name, *check, *words;
} faults[] = {
	{"wrong-abi", NULL, "load: "},
	{"default-outside", NULL, "load: "},
	{"crashes-on-unload", NULL, "load: it crashed with signal 6"},
	{"loads-once", NULL, "load: it crashed with signal 6"},
	{"crashes", "fit", "it crashed with signal 6"},
	{"lowers-to-a-blend", "fit", "it lowers to a blend, but its traits lack SNW_REPLACES_BLEND"},
	{"too-bright", "fit",
	 "test-small proposes a field that is not what it declares: field 'tint': element 0 has the colour component 1.5"},
	{"leaks", "fit", "1000 bytes of host memory"},
	{"ignores-rows", "fit", "reskin returned a model that does not lower to the rows it was given"},
	{"ignores-stop", "cancel", "fit ran to its end although progress returned 0"},
	{"differs-each-fit", "repeat", "a second fit, on 4 threads, saves other bytes"},
	{"forgets-choices", "repeat", "a refit of what the fit read saves other bytes"},
	{"loads-another", "save", "the loaded model drives pose 'rest' to different bits"},
	{"transfers-another", "save", "a model that transfer took to the same points drives pose 'rest' to different bits"},
	{"keeps-the-character", "repeat", "after its fit had returned and what fit was given was overwritten"},
	{"keeps-points", "repeat", "a model that kept a pointer into what its fit was given deforms mesh"},
	{"ignores-counts", "bounds", "a saved model of a character with other counts: this one has more points"},
	{"divides-by-height", "flat", "with meshes that are flat at rest: deform gives point"},
	{"trusts-bytes", "damage", "load accepts a damaged model"},
	{"drives-too-far", "drive", "drive writes past the end of d"},
	{"drives-to-infinity", "drive", "drive writes numbers that are not finite to d"},
	{"drives-too-many", "drive", "its model has more than 67108864 coefficients"},
	{"wants-too-much-scratch", "drive",
	 "bytes of scratch for each thread and 0 for each pass, more than the limit of 4294967296"},
	{"leaves-d-unwritten", "drive", "drive leaves unwritten some of d"},
	{"writes-past-its-scratch", "drive", "drive writes past the end of its scratch"},
	{"reads-scratch", "drive", "drive gives different bits"},
	{"names-nobody", "drive", "its layout says that coefficient 0 belongs to example 'nobody'"},
	{"deforms-to-nan", "deform", "deform gives point 3 of mesh"},
	{"allocates", "deform", "one of passes, prepare and deform calls host services"},
	{"allocates-in-passes", "deform", "one of passes, prepare and deform calls host services"},
	{"never-ends-its-passes", "deform", "passes asks for more than 10000"},
	{"writes-past", "deform", "deform of points"},
	{"writes-to-its-input", "deform", "deform writes to its input points"},
	{"depends-on-ranges", "deform", "deform gives point"},
	{"counts-its-calls", "threads", "gets different bits on"},
	{"proposes-in-a-chunk", "tags", "it calls proposal.pose inside a parallel chunk"},
	{"allocates", "tags", "it calls memory.release inside passes, drive, prepare or deform"},
	{"writes-to-its-model", "tags", "it crashed with signal 11 (Segmentation fault) while its model"},
	{"writes-to-static-data", "tags", "it crashed with signal 11 (Segmentation fault) while its model"},
	{"lowers-to-nothing", "lowered", "deform moves point 0 of mesh 'tube' at pose 'rest' to a different place"},
	{"drives-far-poses-to-nan", "finite", "drive writes numbers that are not finite to d at pose 'random "},
	{"drives-high-values-to-nan", "finite", "drive writes numbers that are not finite to d at pose"},
	{"divides-by-a-distance", "finite", "at pose 'random 2', with all points in a plane"},
};

static void broken_plugin_is_caught_by_the_check_for_it(void **state) {
	(void)state;
	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
		const snw_validate_options options = {.level = SNW_VALIDATE_QUICK, .only = faults[i].check ? faults[i].check : "fit"};
		char words[300];
		log_of_checks log;
		assert_int_equal(validate_at(plugin(faults[i].name), options, &log), SNW_ERROR_DATA);
		snprintf(words, sizeof words, "test-small: %s: ", faults[i].check ? faults[i].check : "");
		if (!strstr(log.failures, faults[i].words) || (faults[i].check && !strstr(log.failures, words))) {
			fail_msg("%s: %s", faults[i].name, log.failures);
		}
	}
}

static void nothing_else_is_checked_of_a_fit_that_fails(void **state) {
	(void)state;
	log_of_checks log;
	assert_int_equal(validate(plugin("leaks"), 0, &log), SNW_ERROR_DATA);
	assert_int_equal(log.failed, 1);
	assert_int_equal(log.passed, 1); /* load */
	if (!strstr(log.failures, "test-small: fit: 1000 bytes of host memory are not released")) {
		fail_msg("%s", log.failures);
	}
}

static void values_that_the_table_allows_are_tried(void **state) {
	(void)state;
	log_of_checks log;
	if (snw_failed(validate(TEST_PLUGINS "/values-fitted.so", 0, &log)) ||
		snw_failed(validate(TEST_PLUGINS "/values-bound.so", 0, &log))) {
		fail_msg("%s", log.failures);
	}
	assert_int_equal(validate(TEST_PLUGINS "/values-trusting.so", 0, &log), SNW_ERROR_DATA);
	assert_int_equal(log.failed, 1);
	assert_non_null(strstr(log.failures, "test-values: finite: it crashed with signal 6"));
}

/* All parameters are drawn, and one round can be repeated alone. */
static void random_round_is_repeated_by_its_seed(void **state) {
	(void)state;
	log_of_checks log;
	const snw_validate_options options = {.only = "random", .random_seconds = 0.2};
	if (snw_failed(validate_at(plugin("good"), options, &log))) {
		fail_msg("%s", log.failures);
	}
	assert_int_equal(log.passed, 2); /* with load */
	assert_int_equal(validate_at(plugin("deforms-to-nan"), options, &log), SNW_ERROR_DATA);
	assert_non_null(strstr(log.failures, "random: deform gives point 3"));
	assert_non_null(strstr(log.failures, "; repeat with --reproduce 20261122"));
}

static void check_in_process_needs_no_other(void **state) {
	(void)state;
	log_of_checks log;
	const snw_validate_options options = {.only = "drive", .in_process = true};
	assert_int_equal(validate_at(plugin("names-nobody"), options, &log), SNW_ERROR_DATA);
	assert_int_equal(log.failed, 1);
	assert_non_null(strstr(log.failures, "drive: its layout says that coefficient 0 belongs to example 'nobody'"));
}

static void plugin_that_hangs_is_stopped(void **state) {
	(void)state;
	log_of_checks log;
	assert_int_equal(validate(plugin("hangs"), 0.3, &log), SNW_ERROR_DATA);
	assert_non_null(strstr(log.failures, "test-small: fit: it did not finish within 0.3 seconds"));
}

static void absent_file_is_an_error_and_no_check(void **state) {
	(void)state;
	log_of_checks log = {0};
	snw_error error = {0};
	assert_int_equal(snw_validate(check_scratch("absent.so"), &(snw_validate_options){.seed = 1}, NULL, &error), SNW_ERROR_IO);
	assert_int_equal(log.passed + log.failed, 0);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_plugin_passes_every_check),
		cmocka_unit_test(broken_plugin_is_caught_by_the_check_for_it),
		cmocka_unit_test(nothing_else_is_checked_of_a_fit_that_fails),
		cmocka_unit_test(values_that_the_table_allows_are_tried),
		cmocka_unit_test(random_round_is_repeated_by_its_seed),
		cmocka_unit_test(check_in_process_needs_no_other),
		cmocka_unit_test(plugin_that_hangs_is_stopped),
		cmocka_unit_test(absent_file_is_an_error_and_no_check),
		cmocka_unit_test(shipped_deformers_pass_every_check), /* at the end: what it takes makes each fork dearer */
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
