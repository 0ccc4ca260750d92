/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of operators, and calls as words and lines. What each operator does is tested from outside, by tests/cli and
 * tests/window.
 */
#include "check.h"

#include "operators/operator.h"

static snw_arena *arena;
static snw_error error;

static int setup(void **state) {
	(void)state;
	arena = snw_arena_create();
	error = (snw_error){0};
	return 0;
}

static int teardown(void **state) {
	(void)state;
	snw_arena_destroy(arena);
	return 0;
}

/* ---- rows ---------------------------------------------------------------------------------------------------------------- */

static bool is_number(const snw_argument *argument) {
	return argument->kind == SNW_ARGUMENT_NUMBER || argument->kind == SNW_ARGUMENT_COUNT;
}

static void check_argument(const snw_operator *row, const snw_argument *argument) {
	const uint32_t flags = argument->flags;
	assert_true(argument->help && argument->help[0]);
	assert_true((argument->kind == SNW_ARGUMENT_SWITCH) == !argument->value);
	assert_true((argument->kind == SNW_ARGUMENT_CHOICE) == !!argument->choices);
	if (is_number(argument)) {
		assert_true(argument->least <= argument->most);
		assert_true(isnan(argument->initial) || flags & SNW_ARGUMENT_NEEDED ||
					(argument->initial >= argument->least && argument->initial <= argument->most));
	}
	assert_false(argument->kind != SNW_ARGUMENT_THING && flags & (SNW_ARGUMENT_CHOSEN | SNW_ARGUMENT_LOCKED));
	assert_false(!(flags & SNW_ARGUMENT_MANY) && flags & SNW_ARGUMENT_LOCKED);
	assert_false(argument->kind != SNW_ARGUMENT_TEXT && flags & SNW_ARGUMENT_SCULPT_LAYER);
	assert_false(argument->kind != SNW_ARGUMENT_THING && flags & SNW_ARGUMENT_ONLY);
	assert_false(argument->kind != SNW_ARGUMENT_TEXT && flags & SNW_ARGUMENT_NEW);
	(void)snw_operator_argument_index(row, argument->only_with ? argument->only_with : argument->name); /* it is there */
	char *rest = argument->not_with ? snw_arena_text(arena, argument->not_with) : NULL;
	for (char *other; (other = strsep(&rest, "|"));) {
		assert_string_not_equal(other, argument->name);
		(void)snw_operator_argument_index(row, other);
	}
	for (const snw_argument *other = row->arguments; other != argument; other++) {
		assert_string_not_equal(other->name, argument->name);
		/* A bare value could not be told from one that is left out before it. */
		assert_false(flags & SNW_ARGUMENT_BARE && flags & SNW_ARGUMENT_NEEDED && other->flags & SNW_ARGUMENT_BARE &&
					 !(other->flags & SNW_ARGUMENT_NEEDED));
	}
}

static void rows_say_what_they_take(void **state) {
	(void)state;
	const snw_operator_noun *noun;
	for (uint32_t i = 0; (noun = snw_operator_noun_at(i)); i++) {
		assert_ptr_equal(snw_operator_noun_find(noun->name), noun);
		for (const snw_operator *row = noun->operators; row->name; row++) {
			assert_ptr_equal(snw_operator_find(noun, row->name), row);
			assert_true(row->title[0] && row->step[0] && row->run);
			assert_int_equal(row->help[strlen(row->help) - 1], '.');
			for (const snw_argument *argument = row->arguments; argument->name; argument++) {
				check_argument(row, argument);
			}
		}
	}
}

/* ---- lines --------------------------------------------------------------------------------------------------------------- */

static snw_status parse(const char *line, snw_operator_call *call) {
	error = (snw_error){0};
	const snw_status status = snw_operator_parse_line(line, arena, call, &error);
	return snw_failed(status) ? status : snw_operator_expect_complete(call, arena, &error);
}

static void line_of_a_call_gives_the_call(void **state) {
	(void)state;
	static const char *const lines[] = {"weights prune --mesh='Left arm' --influences=4 --lock=a --lock='b'\\''s'",
										"weights take",
										"joint name 'a b' ''",
										"joint add tip --at=0,1,-2.5",
										"joint parent elbow --root",
										"fit sad --clip=walk --set=a=1 --set=b=2"};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		snw_operator_call call, again;
		check_ok(parse(lines[i], &call), error);
		const char *line = snw_operator_line(&call, arena);
		check_ok(parse(line, &again), error);
		assert_ptr_equal(again.row, call.row);
		assert_int_equal(again.count, call.count);
		for (uint32_t k = 0; k < call.count; k++) {
			assert_int_equal(again.given[k].argument, call.given[k].argument);
			assert_string_equal(again.given[k].text, call.given[k].text);
		}
	}
}

static void words_are_quoted_as_in_sh(void **state) {
	(void)state;
	static const char *const words[] = {"joint", "name", "a b", "it's \"c\"", "d\\e", "f g", ""};
	uint32_t count;
	const char **read;
	check_ok(snw_words_split("joint name 'a b' \"it's \\\"c\\\"\" d\\\\e f\\ g ''", arena, &count, &read, &error), error);
	assert_int_equal(count, sizeof words / sizeof *words);
	for (uint32_t i = 0; i < count; i++) {
		assert_string_equal(read[i], words[i]);
	}
	assert_int_equal(snw_words_split("joint name 'a", arena, &count, &read, &error), SNW_ERROR_ARGUMENT);
}

static void line_that_says_too_little_or_too_much_is_refused(void **state) {
	(void)state;
	static const struct {
		const char *line, *said;
	} cases[] = {{"", "no operator"},
				 {"joint", "'joint': say what to do: add, move, "},
				 {"joint fly", "no operator 'joint fly'; 'joint' has: add, move, "},
				 {"target --clip run", "no operator 'target --clip'; 'target' has: add, "},
				 {"target add --file f --fps 3 --times", "--fps N and --times exclude each other"},
				 {"example layer a b --merge --remove", "--merge and --remove exclude each other"},
				 {"stack move a 0 --by 1", "PLACE and --by N exclude each other"},
				 {"pose suggest --clip a --from-target", "--from-target means nothing without --add"},
				 {"joint ääääääääääääääääääääääääääääääääääääääää", "no operator 'joint ääääääääääääääääääääääääääääää…'"},
				 {"leg prune", "no operator 'leg prune'"},
				 {"joint move elbow", "--at X,Y,Z is missing"},
				 {"joint name elbow", "NEW is missing"},
				 {"joint name a b c", "unexpected argument 'c'"},
				 {"weights prune --influences", "--influences needs a value"},
				 {"weights prune --influences 1 --influences 2", "given twice"},
				 {"joint parent elbow --root=yes", "takes no value"},
				 {"weights prune --influence 4", "'weights prune' has no option --influence; it takes: "},
				 {"fit", "METHOD is missing: which method"},
				 {"fit sad --in-process", "'fit' has no option --in-process"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snw_operator_call call;
		assert_int_equal(parse(cases[i].line, &call), SNW_ERROR_ARGUMENT);
		assert_non_null(strstr(error.text, cases[i].said));
	}
}

static void script_counts_its_lines(void **state) {
	(void)state;
	snw_operator_script script;
	check_ok(snw_operator_script_read("# first\n\n  weights take\r\n\tundo \nsave", 0, arena, &script, &error), error);
	assert_int_equal(script.count, 3);
	assert_int_equal(script.lines[0].number, 3);
	assert_int_equal(script.lines[1].step, SNW_SCRIPT_UNDO);
	assert_int_equal(script.lines[2].number, 5);
	assert_int_equal(snw_operator_script_read("weights take\nundo \n", SNW_SCRIPT_AS_ONE, arena, &script, &error),
					 SNW_ERROR_ARGUMENT);
	assert_non_null(strstr(error.text, "line 2: undo cannot"));
	assert_int_equal(snw_operator_script_read("target make a.glb", SNW_SCRIPT_AS_ONE, arena, &script, &error),
					 SNW_ERROR_ARGUMENT);
	assert_non_null(strstr(error.text, "'target make' writes 'a.glb'"));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(rows_say_what_they_take, setup, teardown),
		cmocka_unit_test_setup_teardown(line_of_a_call_gives_the_call, setup, teardown),
		cmocka_unit_test_setup_teardown(words_are_quoted_as_in_sh, setup, teardown),
		cmocka_unit_test_setup_teardown(line_that_says_too_little_or_too_much_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(script_counts_its_lines, setup, teardown),
	};
	return cmocka_run_group_tests_name("operators", tests, NULL, NULL);
}
