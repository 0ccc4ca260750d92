/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls of operators as words, and back.
 */
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "file/file.h"
#include "fit/samples.h"
#include "operators/arguments.h"
#include "operators/operator.h"
#include "parameter/parameters.h"
#include "pose/pose.h"

/* ---- the table ----------------------------------------------------------------------------------------------------------- */

const snw_operator *snw_operator_find(const snw_operator_noun *noun, const char *name) {
	for (const snw_operator *row = noun->operators; row->name; row++) {
		if (strcmp(row->name, name) == 0) {
			return row;
		}
	}
	return NULL;
}

const snw_operator_noun *snw_operator_noun_find(const char *name) {
	const snw_operator_noun *noun;
	for (uint32_t i = 0; (noun = snw_operator_noun_at(i)) && strcmp(noun->name, name) != 0; i++) {
	}
	return noun;
}

const snw_operator *snw_operator_of_words(uint32_t count, const char *const *words, const snw_operator_noun **noun,
										  uint32_t *used) {
	*noun = count > 0 ? snw_operator_noun_find(words[0]) : NULL;
	const bool is_verb = *noun && !(*noun)->operators[0].name[0];
	*used = is_verb ? 1 : 2;
	return is_verb ? (*noun)->operators : *noun && count > 1 ? snw_operator_find(*noun, words[1]) : NULL;
}

const char *snw_operator_name(const snw_operator_noun *noun, const snw_operator *row, snw_arena *arena) {
	return row->name[0] ? snw_arena_format(arena, "%s %s", noun->name, row->name) : noun->name;
}

/* "--influences K", "MESH", "--lock JOINT". */
static const char *form_of(const snw_argument *argument, snw_arena *arena) {
	if (argument->flags & SNW_ARGUMENT_BARE) {
		return argument->value;
	}
	return snw_arena_format(arena, "--%s%s%s", argument->name, argument->value ? " " : "",
							argument->value ? argument->value : "");
}

const char *snw_operator_usage(const snw_operator *row, snw_arena *arena) {
	const char *usage = "";
	for (const snw_argument *argument = row->arguments; argument->name; argument++) {
		const bool is_needed = argument->flags & SNW_ARGUMENT_NEEDED;
		usage =
			snw_arena_format(arena, "%s%s%s%s%s%s", usage, usage[0] ? " " : "", is_needed ? "" : "[", form_of(argument, arena),
							 is_needed ? "" : "]", argument->flags & SNW_ARGUMENT_MANY ? "…" : "");
	}
	return usage;
}

/* ---- words --------------------------------------------------------------------------------------------------------------- */

void snw_operator_give(snw_operator_call *call, uint32_t argument, const char *text, snw_arena *arena) {
	call->given = snw_arena_grow(arena, call->given, call->count, &call->room, sizeof *call->given);
	call->given[call->count++] = (snw_given){argument, text};
}

/* The first text of an argument; NULL if it was not given. */
static const char *given_text(const snw_operator_call *call, uint32_t argument) {
	for (uint32_t i = 0; i < call->count; i++) {
		if (call->given[i].argument == argument) {
			return call->given[i].text;
		}
	}
	return NULL;
}

bool snw_operator_is_given(const snw_operator_call *call, uint32_t argument) {
	return given_text(call, argument) != NULL;
}

uint32_t snw_operator_argument_index(const snw_operator *row, const char *name) {
	uint32_t a = 0;
	while (row->arguments[a].name && strcmp(row->arguments[a].name, name) != 0) {
		a++;
	}
	assert(row->arguments[a].name);
	return a;
}

void snw_operator_give_named(snw_operator_call *call, const char *name, const char *text, snw_arena *arena) {
	snw_operator_give(call, snw_operator_argument_index(call->row, name), text, arena);
}

const char *snw_operator_given_text(const snw_operator_call *call, const char *name) {
	return given_text(call, snw_operator_argument_index(call->row, name));
}

static snw_status unknown_option(const snw_operator_call *call, const char *word, size_t length, snw_arena *arena,
								 snw_error *error) {
	return snw_fail(
		error, SNW_ERROR_ARGUMENT, "'%s' has no option --%s; it takes: %s", snw_operator_name(call->noun, call->row, arena),
		snw_text_short(snw_arena_format(arena, "%.*s", (int)length, word), arena), snw_operator_usage(call->row, arena));
}

const snw_argument *snw_operator_argument(const snw_operator *row, const char *word) {
	const bool is_option = strncmp(word, "--", 2) == 0;
	const char *name = is_option ? word + 2 : word;
	const size_t length = strcspn(name, "=");
	const snw_argument *argument = row->arguments;
	while (argument->name && !(strlen(argument->name) == length && strncmp(argument->name, name, length) == 0)) {
		argument++;
	}
	return is_option && argument->name ? argument : NULL;
}

/* The option at words[*i], with its value after '=' or in the next word. */
static snw_status take_option(snw_operator_call *call, uint32_t count, const char *const *words, uint32_t *i, snw_arena *arena,
							  snw_error *error) {
	const char *word = words[*i] + 2, *equals = strchr(word, '='), *value = equals ? equals + 1 : NULL;
	const snw_argument *argument = snw_operator_argument(call->row, words[*i]);
	if (!argument) {
		return unknown_option(call, word, strcspn(word, "="), arena, error);
	}
	const uint32_t a = (uint32_t)(argument - call->row->arguments);
	if (argument->kind == SNW_ARGUMENT_SWITCH && value) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--%s takes no value", argument->name);
	}
	if (argument->kind != SNW_ARGUMENT_SWITCH && !value && *i + 1 >= count) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--%s needs a value: %s", argument->name, argument->value);
	}
	if (snw_operator_is_given(call, a) && !(argument->flags & SNW_ARGUMENT_MANY)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--%s is given twice; give it once", argument->name);
	}
	value = argument->kind == SNW_ARGUMENT_SWITCH ? "" : value ? value : words[++*i];
	snw_operator_give(call, a, value, arena);
	return SNW_OK;
}

/* Whether a word has the file extension of a value: the shell has expanded a pattern, and the option got only the first
 * name. */
static bool is_expanded_pattern(const snw_operator_call *call, const char *word) {
	const char *extension = strrchr(word, '.');
	for (uint32_t i = 0; i < call->count && extension; i++) {
		const char *other = strrchr(call->given[i].text, '.');
		if (other && strcmp(other, extension) == 0) {
			return true;
		}
	}
	return false;
}

/* A word without dashes: the value of the next bare argument. */
static snw_status take_bare(snw_operator_call *call, const char *word, snw_arena *arena, snw_error *error) {
	for (uint32_t a = 0; call->row->arguments[a].name; a++) {
		const uint32_t flags = call->row->arguments[a].flags;
		if (flags & SNW_ARGUMENT_BARE && (flags & SNW_ARGUMENT_MANY || !snw_operator_is_given(call, a))) {
			snw_operator_give(call, a, word, arena);
			return SNW_OK;
		}
	}
	return snw_fail(error, SNW_ERROR_ARGUMENT, "unexpected argument '%s'%s; '%s' takes: %s", snw_text_short(word, arena),
					is_expanded_pattern(call, word) ? " (put a pattern with a * in quotes)" : "",
					snw_operator_name(call->noun, call->row, arena), snw_operator_usage(call->row, arena));
}

/* The first argument that is needed and not given; SNW_NONE for none. */
static uint32_t find_missing(const snw_operator_call *call) {
	for (uint32_t a = 0; call->row->arguments[a].name; a++) {
		if (call->row->arguments[a].flags & SNW_ARGUMENT_NEEDED && !snw_operator_is_given(call, a)) {
			return a;
		}
	}
	return SNW_NONE;
}

snw_status snw_operator_expect_complete(const snw_operator_call *call, snw_arena *arena, snw_error *error) {
	const uint32_t missing = find_missing(call);
	if (missing == SNW_NONE) {
		return SNW_OK;
	}
	const snw_argument *argument = &call->row->arguments[missing];
	return snw_fail(error, SNW_ERROR_ARGUMENT, "%s is missing: %s; '%s' takes: %s", form_of(argument, arena), argument->help,
					snw_operator_name(call->noun, call->row, arena), snw_operator_usage(call->row, arena));
}

/* The first argument of "fps|times" that is given; NULL for none. */
static const char *find_given(const snw_operator_call *call, const char *names, snw_arena *arena) {
	char *rest = names ? snw_arena_text(arena, names) : NULL, *name;
	while ((name = strsep(&rest, "|")) && !snw_operator_given_text(call, name)) {
	}
	return name;
}

/* Arguments that exclude each other, or that mean nothing alone. */
static snw_status expect_sense(const snw_operator_call *call, snw_arena *arena, snw_error *error) {
	for (uint32_t a = 0; call->row->arguments[a].name; a++) {
		const snw_argument *argument = &call->row->arguments[a];
		const bool is_given = snw_operator_is_given(call, a);
		const char *other = is_given ? find_given(call, argument->not_with, arena) : NULL;
		if (other) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "%s and %s exclude each other; give one of them",
							form_of(argument, arena),
							form_of(&call->row->arguments[snw_operator_argument_index(call->row, other)], arena));
		}
		if (is_given && argument->only_with && !snw_operator_given_text(call, argument->only_with)) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "--%s means nothing without --%s; give that too", argument->name,
							argument->only_with);
		}
	}
	return SNW_OK;
}

snw_status snw_operator_parse(const snw_operator_noun *noun, const snw_operator *row, uint32_t count, const char *const *words,
							  snw_arena *arena, snw_operator_call *call, snw_error *error) {
	bool options_end = false;
	snw_status status = SNW_OK;
	*call = (snw_operator_call){.noun = noun, .row = row};
	for (uint32_t i = 0; i < count && !snw_failed(status); i++) {
		if (!options_end && strcmp(words[i], "--") == 0) {
			options_end = true;
		} else if (!options_end && strncmp(words[i], "--", 2) == 0) {
			status = take_option(call, count, words, &i, arena, error);
		} else {
			status = take_bare(call, words[i], arena, error);
		}
	}
	return snw_failed(status) ? status : expect_sense(call, arena, error);
}

/* The default of a choice; NULL for other arguments. */
static const char *default_choice(const snw_argument *argument, snw_arena *arena) {
	const char *choices = argument->choices;
	return choices ? snw_arena_format(arena, "%.*s", (int)strcspn(choices, "|"), choices) : NULL;
}

const char *snw_operator_label(const snw_operator *row, const char *first, const char *second, snw_arena *arena) {
	first = first && row->arguments[0].kind == SNW_ARGUMENT_FILE ? snw_path_name(first) : first;
	first = first ? first : default_choice(&row->arguments[0], arena);
	const char *step = row->step, *hole = strstr(step, "$1");
	if (hole) {
		step = snw_arena_format(arena, "%.*s%s%s", (int)(hole - step), step, second ? second : "", hole + 2);
	}
	return first ? snw_arena_format(arena, "%s %s", step, first) : step;
}

const char *snw_operator_step(const snw_operator_call *call, snw_arena *arena) {
	return snw_operator_label(call->row, given_text(call, 0), given_text(call, 1), arena);
}

/* ---- lines --------------------------------------------------------------------------------------------------------------- */

/* Reads the word at *at, quoted as in sh, into `word`, which has room for it. False if a quote is not closed. */
static bool read_word(const char **at, char *word) {
	char quote = '\0';
	for (; **at && (quote || !strchr(" \t\r\n", **at)); (*at)++) {
		const bool is_escape = **at == '\\' && quote != '\'' && (*at)[1];
		if (is_escape && (!quote || strchr("\"\\", (*at)[1]))) {
			*word++ = *++*at;
		} else if (**at == quote) {
			quote = '\0';
		} else if (!quote && strchr("'\"", **at)) {
			quote = **at;
		} else {
			*word++ = **at;
		}
	}
	*word = '\0';
	return !quote;
}

snw_status snw_words_split(const char *line, snw_arena *arena, uint32_t *count, const char ***words, snw_error *error) {
	char *text = SNW_NEW_ARRAY(arena, char, 2 * strlen(line) + 2);
	*words = SNW_NEW_ARRAY(arena, const char *, strlen(line) + 1);
	*count = 0;
	for (const char *at = line + strspn(line, " \t\r\n"); *at; at += strspn(at, " \t\r\n")) {
		if (!read_word(&at, text)) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "a quote is not closed: %s", snw_text_short(line, arena));
		}
		(*words)[(*count)++] = text;
		text += strlen(text) + 1;
	}
	return SNW_OK;
}

static snw_status fail_unknown(const snw_operator_noun *noun, uint32_t count, const char *const *words, snw_arena *arena,
							   snw_error *error) {
	const char *names = "", *first = count > 0 ? snw_text_short(words[0], arena) : "";
	for (const snw_operator *row = noun ? noun->operators : NULL; row && row->name; row++) {
		names = snw_arena_format(arena, "%s%s%s", names, names[0] ? ", " : "", row->name);
	}
	if (noun && count == 1) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "'%s': say what to do: %s", first, names);
	}
	if (noun) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "there is no operator '%s %s'; '%s' has: %s", first,
						snw_text_short(words[1], arena), first, names);
	}
	return snw_fail(error, SNW_ERROR_ARGUMENT, "there is no operator '%s%s%s'; 'sinew help' lists the operators", first,
					count > 1 ? " " : "", count > 1 ? snw_text_short(words[1], arena) : "");
}

snw_status snw_operator_parse_line(const char *line, snw_arena *arena, snw_operator_call *call, snw_error *error) {
	uint32_t count, used;
	const char **words;
	const snw_operator_noun *noun;
	const snw_status status = snw_words_split(line, arena, &count, &words, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_operator *row = snw_operator_of_words(count, words, &noun, &used);
	if (!row) {
		return fail_unknown(noun, count, words, arena, error);
	}
	return snw_operator_parse(noun, row, count - used, words + used, arena, call, error);
}

const char *snw_word_quoted(const char *word, snw_arena *arena) {
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-=.,:/@%";
	if (word[0] && word[strspn(word, plain)] == '\0') {
		return word;
	}
	char *text = SNW_NEW_ARRAY(arena, char, 4 * strlen(word) + 3), *end = text;
	*end++ = '\'';
	for (; *word; word++) {
		if (*word == '\'') {
			for (const char *escaped = "'\\''"; *escaped; escaped++) {
				*end++ = *escaped;
			}
		} else {
			*end++ = *word;
		}
	}
	*end = '\'';
	return text;
}

const char *snw_operator_line(const snw_operator_call *call, snw_arena *arena) {
	const char *line = snw_operator_name(call->noun, call->row, arena);
	for (uint32_t a = 0; call->row->arguments[a].name; a++) {
		const snw_argument *argument = &call->row->arguments[a];
		for (uint32_t i = 0; i < call->count; i++) {
			const bool has_value = argument->kind != SNW_ARGUMENT_SWITCH;
			if (call->given[i].argument == a) {
				line = snw_arena_format(arena, "%s --%s%s%s", line, argument->name, has_value ? "=" : "",
										has_value ? snw_word_quoted(call->given[i].text, arena) : "");
			}
		}
	}
	return line;
}

/* ---- arguments ----------------------------------------------------------------------------------------------------------- */

snw_mirror_plane snw_operation_plane(const snw_operation *operation, snw_mirror_plane found) {
	const uint32_t axis = snw_operation_count(operation, "axis");
	snw_mirror_plane plane = axis == 0 ? found : (snw_mirror_plane){.axis = axis};
	if (snw_operation_has(operation, "plane")) {
		plane.offset = snw_operation_number(operation, "plane");
	}
	return plane;
}

snw_status snw_operation_place(const snw_operation *operation, uint32_t present, uint32_t count, uint32_t *place,
							   snw_error *error) {
	const bool is_given = snw_operation_has(operation, "to");
	const double wished = is_given ? snw_operation_number(operation, "to") : present + snw_operation_number(operation, "by");
	if (!is_given && !snw_operation_has(operation, "by")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "where to? give either a place from 0 to %u, or --by N", count - 1);
	}
	if (is_given && wished >= count) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "there is no place %g; choose one from 0 to %u", wished, count - 1);
	}
	*place = (uint32_t)fmin(fmax(wished, 0), count - 1);
	return SNW_OK;
}

snw_worker_limits snw_operation_limits(const snw_operation *operation) {
	snw_worker_limits limits = operation->in->limits ? *operation->in->limits : (snw_worker_limits){0};
	if (snw_operation_has(operation, "memory")) {
		limits.memory_bytes = (uint64_t)(snw_operation_number(operation, "memory") * (1u << 30));
	}
	if (snw_operation_has(operation, "seconds")) {
		limits.total_seconds = snw_operation_number(operation, "seconds");
	}
	return limits;
}

/* The clips of --clip, in the form that a fit takes. */
static const char *selected_clips(const snw_operation *o, const char *before) {
	const snw_argument_values *given = snw_operation_values(o, "clip");
	const char *names = given->at[0].text;
	for (uint32_t i = 1; i < given->count; i++) {
		names = snw_arena_format(o->arena, "%s,%s", names, given->at[i].text);
	}
	const bool is_all = strcmp(names, "all") == 0;
	return snw_samples_with_names(before, is_all ? "" : snw_samples_parse(o->scene, names, o->arena), o->arena);
}

snw_status snw_operation_samples(const snw_operation *o, const char *layer, const char **samples, snw_error *error) {
	const uint32_t existing = snw_scene_find_layer(o->scene, layer);
	const char *before = existing == SNW_NONE ? NULL : o->scene->layers[existing].samples;
	*samples = snw_operation_has(o, "clip") ? selected_clips(o, before) : NULL;
	if (!snw_operation_has(o, "frames")) {
		return SNW_OK;
	}
	snw_frame_choice choice;
	snw_error cause = {0};
	const snw_status status = snw_frame_choice_parse(snw_operation_text(o, "frames"), &choice, &cause);
	if (snw_failed(status)) {
		return snw_fail(error, status, "--frames %s", cause.text);
	}
	const char *combined = snw_samples_with_frames(*samples ? *samples : before, choice, o->arena);
	*samples = combined ? combined : "";
	return SNW_OK;
}

snw_status snw_operation_method(const snw_operation *operation, const char *name, const snw_deformer **deformer,
								snw_error *error) {
	const char *method = snw_operation_text(operation, name);
	*deformer = snw_registry_find(operation->in->registry, method);
	return *deformer ? SNW_OK
					 : snw_fail(error, SNW_ERROR_MISSING, "no method is named '%s'; 'sinew plugins' lists them", method);
}

snw_status snw_operation_fit_settings(const snw_operation *operation, const snw_descriptor *descriptor,
									  snw_fit_request *request, snw_error *error) {
	const snw_argument_values *given = snw_operation_values(operation, "set");
	const char **changes = SNW_NEW_ARRAY(operation->arena, const char *, (size_t)given->count + 1);
	snw_settings settings = {request->setting_count, request->settings};
	for (uint32_t i = 0; i < given->count; i++) {
		changes[i] = given->at[i].text;
	}
	const snw_status status = snw_settings_change(operation->scene, descriptor, operation->in->folder, true, given->count,
												  changes, operation->arena, &settings, error);
	request->setting_count = settings.count;
	request->settings = settings.list;
	return status;
}

snw_status snw_operation_fit(const snw_operation *operation, const char *path, const snw_fit_request *request,
							 snw_error *error) {
	const snw_worker_limits limits = snw_operation_limits(operation);
	snw_fit_outcome *outcome = SNW_NEW(operation->arena, snw_fit_outcome);
	*outcome = (snw_fit_outcome){.arena = operation->arena};
	operation->work->outcome = outcome;
	return snw_worker_fit(path, request, &limits, operation->in->task, outcome, error);
}

const uint32_t *snw_operation_clips(const snw_operation *o, uint32_t *count) {
	const uint32_t *given = snw_operation_things(o, "clip", count);
	if (*count > 0) {
		return given;
	}
	uint32_t *clips = SNW_NEW_ARRAY(o->arena, uint32_t, o->scene->clip_count);
	for (uint32_t c = 0; c < o->scene->clip_count; c++) {
		if (snw_clip_moves_joints(&o->scene->clips[c])) {
			clips[(*count)++] = c;
		}
	}
	return clips;
}

/* ---- nouns --------------------------------------------------------------------------------------------------------------- */

/* The nouns whose operators there are, a file each, in the order of a typical workflow. */

static const snw_operator_noun *const nouns[] = {
	&snw_operators_pose,    &snw_operators_clip,   &snw_operators_joint,   &snw_operators_skeleton, &snw_operators_bind,
	&snw_operators_weights, &snw_operators_mesh,   &snw_operators_example, &snw_operators_group,    &snw_operators_stack,
	&snw_operators_fit,     &snw_operators_bake,   &snw_operators_lod,     &snw_operators_unwrap,   &snw_operators_normal_map,
	&snw_operators_track,   &snw_operators_target, &snw_operators_shape};

const snw_operator_noun *snw_operator_noun_at(uint32_t index) {
	return index < sizeof nouns / sizeof *nouns ? nouns[index] : NULL;
}
