/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the host refuses in a deformer's tables, with its reason, and what it fills in. The tables are in memory, with one rule
 * broken.
 */
#include "check.h"

#include <math.h>

#include "plugin/registry.h"

enum { HEIGHT, KIND, COUNT, FLIP, EXTRA, PARAMETERS };

/* A deformer that may be changed. */
typedef struct tables {
	snw_parameter parameters[PARAMETERS];
	const snw_parameter *rows[PARAMETERS];
	snw_field_info field;
	const snw_field_info *fields[1];
	snw_descriptor descriptor;
	snw_deformer deformer;
} tables;

static snw_status SNW_CALL create(const snw_deformer *self, const snw_host *host, snw_instance **instance) {
	(void)self;
	(void)host;
	(void)instance;
	return SNW_OK;
}

static void SNW_CALL destroy(snw_instance *instance) {
	(void)instance;
}

static snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	(void)instance;
	(void)input;
	(void)model;
	return SNW_OK;
}

static snw_status SNW_CALL deform(const snw_deform_call *call) {
	(void)call;
	return SNW_OK;
}

static snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	(void)model;
	(void)sink;
	return SNW_OK;
}

static snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	(void)call;
	(void)model;
	return SNW_OK;
}

static void SNW_CALL release(snw_model *model) {
	(void)model;
}

static const char *const choices[] = {"one", "two", NULL};

static void open_tables(tables *t) {
	*t = (tables){.parameters = {[HEIGHT] = *SNW_NUMBER("height", "Height", "How far up.", "m", 0.25, -1, 1, SNW_STAGE_DRIVE),
								 [KIND] = *SNW_CHOICE("kind", "Kind", "Kind.", choices, 1, SNW_STAGE_DRIVE),
								 [COUNT] = *SNW_COUNT("count", "Count", "Count.", 3, 1, 10, SNW_STAGE_DRIVE, SNW_SOFT(1, 5)),
								 [FLIP] = *SNW_SWITCH("flip", "Flip", "Flip.", 0, SNW_STAGE_DRIVE),
								 [EXTRA] = *SNW_NAMED(SNW_PARAMETER_FIELD, "extra", "Extra", "One more.", SNW_STAGE_FIT)},
				  .field = {sizeof(snw_field_info), "tint", "Tint", "A colour.", SNW_UNIT_COLOR, SNW_DOMAIN_POINTS, 3, 1},
				  .descriptor = {.size = sizeof(snw_descriptor),
								 .id = "org.sinew.test.tables",
								 .short_name = "test-tables",
								 .name = "Tables",
								 .version = "1.0",
								 .paper = "",
								 .parameter_count = PARAMETERS,
								 .field_count = 1},
				  .deformer = {.size = sizeof(snw_deformer),
							   .create = create,
							   .destroy = destroy,
							   .fit = fit,
							   .deform = deform,
							   .save = save,
							   .load = load,
							   .release = release}};
	for (int i = 0; i < PARAMETERS; i++) {
		t->rows[i] = &t->parameters[i];
	}
	t->fields[0] = &t->field;
	t->descriptor.parameters = t->rows;
	t->descriptor.fields = t->fields;
	t->deformer.descriptor = &t->descriptor;
}

/* The row that has room for any kind. */
static void set_extra(tables *t, int32_t kind, snw_value initial, double maximum) {
	t->parameters[EXTRA].kind = kind;
	t->parameters[EXTRA].initial = initial;
	t->parameters[EXTRA].maximum = maximum;
}

static const char *const no_choices[] = {NULL}, *const four_words[] = {"one", "two", "three", "four", NULL};

#define VALUE(...) ((snw_value)__VA_ARGS__)
#define FAULTS(ROW)                                                                                                            \
	ROW(t->deformer.size = offsetof(snw_deformer, load), "'release' is missing")                                               \
	ROW(t->deformer.size = 4, "impossible size")                                                                               \
	ROW(t->deformer.descriptor = NULL, "it has no descriptor")                                                                 \
	ROW(t->deformer.fit = NULL, "'fit' is missing")                                                                            \
	ROW(t->deformer.save = NULL, "'save' is missing")                                                                          \
	ROW(t->deformer.deform = NULL, "neither 'lower' nor 'deform'")                                                             \
	ROW(t->descriptor.id = "small", "id 'small' is not reverse DNS")                                                           \
	ROW(t->descriptor.short_name = "Small_One", "short name 'Small_One'")                                                      \
	ROW(t->descriptor.short_name = "source", "'source' is reserved")                                                           \
	ROW(t->descriptor.paper = NULL, "its name, version or paper is missing")                                                   \
	ROW(t->rows[FLIP] = NULL, "a row of its parameter or field table is missing")                                              \
	ROW(t->parameters[HEIGHT].initial.numbers[0] = 2, "'height': the default 2 is outside its range from -1 to 1")             \
	ROW(t->parameters[HEIGHT].initial.numbers[0] = NAN, "'height': its range or default is not a number")                      \
	ROW(t->parameters[HEIGHT].soft_maximum = 7, "'height': the slider's range from 0 to 7")                                    \
	ROW(t->parameters[HEIGHT].minimum = 2, "'height': its range from 2 to 1 is empty")                                         \
	ROW(t->parameters[HEIGHT].help = NULL, "'height': its label, help or unit is missing")                                     \
	ROW(t->parameters[HEIGHT].stage = 3, "'height': stage 3 is not in the table of stages")                                    \
	ROW(t->parameters[HEIGHT].kind = 99, "'height': kind 99 is not in the table of kinds")                                     \
	ROW(t->parameters[HEIGHT].scopes = SNW_SCOPE_GROUP, "'height': scopes may be groups and joints only, and at stage fit")    \
	ROW(t->parameters[HEIGHT].choices = choices, "'height': it has choices but is not of kind choice")                         \
	ROW(t->parameters[KIND].key = "height", "'height': its key is in the table twice")                                         \
	ROW(t->parameters[KIND].key = "Kind of", "its key 'Kind of'")                                                              \
	ROW(t->parameters[KIND].choices = no_choices, "'kind': its choices are missing")                                           \
	ROW(t->parameters[KIND].maximum = 3, "'kind': a choice among 2 must range from 0 to 1")                                    \
	ROW(t->parameters[COUNT].initial.numbers[0] = 2.5, "'count': the default 2.5 of an integer")                               \
	ROW((t->parameters[COUNT].choices = four_words, t->parameters[COUNT].maximum = 3, t->parameters[COUNT].soft_maximum = 3),  \
		"'count': it has more words than values")                                                                              \
	ROW(t->parameters[FLIP].maximum = 2, "'flip': a switch must range over 0 and 1")                                           \
	ROW(set_extra(t, SNW_PARAMETER_JOINT, VALUE(SNW_TEXT("root")), 0), "'extra': the default of a joint, field or file")       \
	ROW(set_extra(t, SNW_PARAMETER_FIELD, VALUE(SNW_TEXT("mask")), 0), "'extra': the default of a joint, field or file")       \
	ROW((set_extra(t, SNW_PARAMETER_FILE, VALUE(SNW_TEXT("")), 0), t->parameters[EXTRA].stage = SNW_STAGE_DRIVE),              \
		"'extra': a file cannot be of stage drive")                                                                            \
	ROW(set_extra(t, SNW_PARAMETER_TEXT, VALUE(SNW_VALUE(0)), 0), "'extra': the default of a text is missing")                 \
	ROW(set_extra(t, SNW_PARAMETER_TEXT, VALUE(SNW_TEXT("one\ntwo")), 0), "'extra': its text has a control character (byte")   \
	ROW(set_extra(t, SNW_PARAMETER_TEXT, VALUE(SNW_TEXT("")), 1), "'extra': a joint, field, text or file has no range")        \
	ROW(set_extra(t, SNW_PARAMETER_VECTOR, VALUE(SNW_VECTOR(0, 0.5, 2)), 1), "'extra': the default 2 is outside its range")    \
	ROW(set_extra(t, SNW_PARAMETER_COLOR, VALUE(SNW_VECTOR(0, 0, 0)), 2), "'extra': a colour must range from 0 to 1")          \
	ROW(t->parameters[HEIGHT].role = SNW_ROLE_BONES, "'height': role 6 is for an integer")                                     \
	ROW(t->parameters[HEIGHT].role = SNW_ROLE_WIDTH, "'height': role 8 is for a number with the scope of groups")              \
	ROW(t->parameters[COUNT].role = SNW_ROLE_DRAWING, "'count': role 7 is for a file")                                         \
	ROW((t->parameters[EXTRA] = t->parameters[COUNT], t->parameters[EXTRA].key = "extra",                                      \
		 t->parameters[COUNT].role = t->parameters[EXTRA].role = SNW_ROLE_JOINTS),                                             \
		"'extra': 'count' has its role 2 already")                                                                             \
	ROW(t->field.components = 2, "'tint': a colour has 3 components, it has 2")                                                \
	ROW(t->field.components = 0, "'tint': it has no components")                                                               \
	ROW(t->field.domain = 9, "'tint': domain 9 is not in the table of domains")                                                \
	ROW(t->field.name = "The tint", "its name 'The tint'")                                                                     \
	ROW(t->field.unit = NULL, "'tint': its label, help or unit is missing")

/* The reason in `buffer`, or NULL. */
static const char *fault_of(const tables *t, snw_arena *arena, char *buffer, size_t bytes) {
	const char *reason;
	const snw_deformer *deformer = snw_deformer_adopt(&t->deformer, arena, &reason);
	return deformer ? snw_deformer_fault(deformer, buffer, bytes) : reason;
}

static void broken_table_is_refused_with_its_reason(void **state) {
	(void)state;
	tables changed, *t = &changed;
	char buffer[500];
	snw_arena *arena = snw_arena_create();
#define CHECK_FAULT(change, words)                                                                                             \
	open_tables(t);                                                                                                            \
	(void)(change);                                                                                                            \
	if (!fault_of(t, arena, buffer, sizeof buffer) || !strstr(fault_of(t, arena, buffer, sizeof buffer), (words))) {           \
		fail_msg("%s: '%s'", #change, fault_of(t, arena, buffer, sizeof buffer));                                              \
	}
	FAULTS(CHECK_FAULT)
	open_tables(t);
	assert_null(fault_of(t, arena, buffer, sizeof buffer));
	snw_arena_destroy(arena);
}

static void range_that_is_left_out_is_filled_in(void **state) {
	(void)state;
	tables t;
	const char *reason;
	snw_arena *arena = snw_arena_create();
	open_tables(&t);
	set_extra(&t, SNW_PARAMETER_COLOR, VALUE(SNW_VECTOR(0, 0.5, 1)), 0);
	const snw_deformer *deformer = snw_deformer_adopt(&t.deformer, arena, &reason);
	static const double ranges[PARAMETERS][4] = {[HEIGHT] = {-1, 1, -1, 1},
												 [KIND] = {0, 1, 0, 1},
												 [COUNT] = {1, 10, 1, 5},
												 [FLIP] = {0, 1, 0, 1},
												 [EXTRA] = {0, 1, 0, 1}};
	for (int i = 0; i < PARAMETERS; i++) {
		const snw_parameter *p = deformer->descriptor->parameters[i];
		const double found[] = {p->minimum, p->maximum, p->soft_minimum, p->soft_maximum};
		assert_memory_equal(found, ranges[i], sizeof found);
	}
	snw_arena_destroy(arena);
}

static void deformer_that_binds_needs_no_fit(void **state) {
	(void)state;
	tables t;
	const char *reason;
	char buffer[500];
	snw_arena *arena = snw_arena_create();
	open_tables(&t);
	t.descriptor.traits = SNW_BINDS;
	t.deformer = (snw_deformer){.size = sizeof t.deformer, .descriptor = &t.descriptor, .deform = deform};
	const snw_deformer *deformer = snw_deformer_adopt(&t.deformer, arena, &reason);
	assert_null(snw_deformer_fault(deformer, buffer, sizeof buffer));
	snw_instance *instance = NULL;
	snw_model *model = NULL;
	assert_int_equal(deformer->create(&t.deformer, NULL, &instance), SNW_OK);
	assert_int_equal(deformer->fit(instance, NULL, &model), SNW_OK);
	assert_non_null(model);
	deformer->destroy(instance);
	deformer->release(model);
	/* A model that its own fit makes has an end of its own. */
	t.deformer.fit = fit;
	assert_string_equal(fault_of(&t, arena, buffer, sizeof buffer),
						"its function 'create' is missing, and every deformer needs it");
	snw_arena_destroy(arena);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(broken_table_is_refused_with_its_reason),
		cmocka_unit_test(range_that_is_left_out_is_filled_in),
		cmocka_unit_test(deformer_that_binds_needs_no_fit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
