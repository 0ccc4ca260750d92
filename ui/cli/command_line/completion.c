/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew completion: a script for the shell, generated from the table of verbs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command_line/verb.h"
#include "operators/operator.h"

static void print_option_names(FILE *out, const snw_option *options) {
	for (; options->name; options++) {
		fprintf(out, " %s", options->name);
	}
}

/* The names of a noun's options: " --mesh --influences". */
static const char *operator_options(const snw_operator_noun *noun, snw_arena *arena) {
	const char *options = "";
	for (const snw_operator *row = noun->operators; row->name; row++) {
		for (const snw_argument *argument = row->arguments; argument->name; argument++) {
			const char *name = snw_arena_format(arena, " --%s", argument->name);
			const char *at = strstr(options, name);
			const bool is_there = at && (at[strlen(name)] == ' ' || at[strlen(name)] == '\0');
			if (!is_there && !(argument->flags & SNW_ARGUMENT_BARE)) {
				options = snw_arena_format(arena, "%s%s", options, name);
			}
		}
	}
	return options;
}

static void print_actions(FILE *out, const snw_verb *verb, snw_arena *arena) {
	for (const char *c = snw_verb_actions(verb, arena); *c; c++) {
		putc(*c == '|' ? ' ' : *c, out);
	}
}

static void print_bash(FILE *out, snw_arena *arena) {
	fprintf(out, "# Completion of sinew for bash: eval \"$(sinew completion bash)\"\n"
				 "_sinew() {\n"
				 "  local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} options='' actions='' place=3\n"
				 "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
				 "    COMPREPLY=($(compgen -W '");
	for (const snw_verb *const *verb = snw_verbs; *verb; verb++) {
		fprintf(out, "%s ", (*verb)->name);
	}
	fprintf(out, "' -- \"$word\"))\n    return\n  fi\n  case $verb in\n");
	for (const snw_verb *const *verb = snw_verbs; *verb; verb++) {
		fprintf(out, "    %s) options='", (*verb)->name);
		print_option_names(out, (*verb)->options);
		print_option_names(out, snw_common_options);
		fprintf(out, "%s", (*verb)->noun ? operator_options((*verb)->noun, arena) : "");
		fprintf(out, "' actions='");
		print_actions(out, *verb, arena);
		fprintf(out, "'%s ;;\n", (*verb)->is_action_first ? " place=2" : "");
	}
	fprintf(out, "  esac\n"
				 "  case $word in\n"
				 "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
				 "    *) COMPREPLY=($(compgen -f -- \"$word\"))\n"
				 "       [ \"$COMP_CWORD\" -eq \"$place\" ] && COMPREPLY+=($(compgen -W \"$actions\" -- \"$word\")) ;;\n"
				 "  esac\n"
				 "}\n"
				 "complete -o filenames -F _sinew sinew\n");
}

/* Quoted for fish: in single quotes, where only these two characters are special. */
static void print_quoted(FILE *out, const char *text) {
	putc('\'', out);
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\') {
			putc('\\', out);
		}
		putc(*text, out);
	}
	putc('\'', out);
}

static void print_fish_options(FILE *out, const char *verb, const snw_option *options) {
	for (; options->name; options++) {
		const char *name = options->name + strspn(options->name, "-");
		fprintf(out, "complete -c sinew -n '__fish_seen_subcommand_from %s' -%c %s%s -d ", verb,
				name - options->name == 1 ? 's' : 'l', name, options->value ? " -r" : "");
		print_quoted(out, options->help);
		putc('\n', out);
	}
}

static void print_fish_arguments(FILE *out, const snw_operator_noun *noun) {
	for (const snw_operator *row = noun->operators; row->name; row++) {
		for (const snw_argument *argument = row->arguments; argument->name; argument++) {
			if (!(argument->flags & SNW_ARGUMENT_BARE)) {
				fprintf(out, "complete -c sinew -n '__fish_seen_subcommand_from %s%s%s' -l %s%s -d ", noun->name,
						row->name[0] ? "; and __fish_seen_subcommand_from " : "", row->name, argument->name,
						argument->value ? " -r" : "");
				print_quoted(out, argument->help);
				putc('\n', out);
			}
		}
	}
}

static void print_fish(FILE *out, snw_arena *arena) {
	fprintf(out, "# Completion of sinew for fish: sinew completion fish | source\n");
	for (const snw_verb *const *verb = snw_verbs; *verb; verb++) {
		fprintf(out, "complete -c sinew -n __fish_use_subcommand -a %s -d ", (*verb)->name);
		print_quoted(out, snw_verb_help(*verb));
		putc('\n', out);
		print_fish_options(out, (*verb)->name, (*verb)->options);
		print_fish_options(out, (*verb)->name, snw_common_options);
		if ((*verb)->noun) {
			print_fish_arguments(out, (*verb)->noun);
		}
		if (snw_verb_actions(*verb, arena)[0]) {
			fprintf(out, "complete -c sinew -n '__fish_seen_subcommand_from %s' -a '", (*verb)->name);
			print_actions(out, *verb, arena);
			fprintf(out, "'\n");
		}
	}
}

static snw_status print_script(FILE *out, const char *shell, snw_arena *arena, snw_error *error) {
	if (strcmp(shell, "bash") == 0) {
		print_bash(out, arena);
	} else if (strcmp(shell, "zsh") == 0) {
		fprintf(out, "autoload -U +X bashcompinit && bashcompinit\n");
		print_bash(out, arena);
	} else if (strcmp(shell, "fish") == 0) {
		print_fish(out, arena);
	} else {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: unknown shell; expected bash, zsh or fish", shell);
	}
	return SNW_OK;
}

static snw_status run_completion(snw_call *call, snw_error *error) {
	if (!call->json) {
		return print_script(stdout, call->arguments[0], call->arena, error);
	}
	char *script = NULL;
	size_t count = 0;
	FILE *out = open_memstream(&script, &count);
	if (!out) {
		return snw_fail(error, SNW_ERROR_MEMORY, "out of memory");
	}
	const snw_status status = print_script(out, call->arguments[0], call->arena, error);
	fclose(out);
	if (!snw_failed(status)) {
		snw_answer_text(call->answer, "script", script);
	}
	free(script);
	return status;
}

static const snw_option completion_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_completion = {
	.name = "completion",
	.usage = "bash|zsh|fish",
	.help = "Prints a completion script for the shell.",
	.actions = "",
	.least_arguments = 1,
	.most_arguments = 1,
	.options = completion_options,
	.run = run_completion,
};
