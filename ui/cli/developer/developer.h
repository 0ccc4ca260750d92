/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The verbs for developers: benchmarks, and plug-ins.
 */
#ifndef SINEW_UI_CLI_DEVELOPER_BENCH_H
#define SINEW_UI_CLI_DEVELOPER_BENCH_H

#include <stddef.h>

#include "cli/command_line/verb.h"

/* ---- bench --------------------------------------------------------------------------------------------------------------- */

/* The benchmarks of `sinew bench`, and the tables that they print. */

typedef enum snw_bench_kind {
	SNW_BENCH_WORDS,
	SNW_BENCH_FLAG,
	SNW_BENCH_COUNT,
	SNW_BENCH_LARGE_COUNT,
	SNW_BENCH_NUMBER,
} snw_bench_kind;

/* A column of a table: its name, on the screen and in the answer, and the member of a row that it shows. */
typedef struct snw_bench_column {
	const char *name;
	snw_bench_kind kind;
	size_t offset;
} snw_bench_column;

/* clang-format off */
#define SNW_BENCH_KIND(MEMBER) _Generic(MEMBER, const char *: SNW_BENCH_WORDS, bool: SNW_BENCH_FLAG, uint32_t: SNW_BENCH_COUNT, \
                                        uint64_t: SNW_BENCH_LARGE_COUNT, double: SNW_BENCH_NUMBER)
/* clang-format on */
/* NOLINTBEGIN(bugprone-macro-parentheses): a type and a member cannot be in parentheses */
#define SNW_BENCH_COLUMN(ROW, NAME, MEMBER)                                                                                    \
	{ NAME, SNW_BENCH_KIND(((ROW *)0)->MEMBER), offsetof(ROW, MEMBER) }
/* NOLINTEND(bugprone-macro-parentheses) */

typedef struct snw_bench_table {
	const char *name; /* in the answer */
	uint32_t count;
	const snw_bench_column *columns;
} snw_bench_table;
#define SNW_BENCH_TABLE(NAME, COLUMNS)                                                                                         \
	{ (NAME), sizeof(COLUMNS) / sizeof *(COLUMNS), (COLUMNS) }

/* Prints row `index`, and before the first one the names of the columns; adds it to the answer. Returns it there. */
cJSON *snw_bench_show(const snw_call *call, const snw_bench_table *table, uint32_t index, const void *row);
/* The same for `count` rows of so many bytes. */
void snw_bench_show_all(const snw_call *call, const snw_bench_table *table, const void *rows, uint32_t count, size_t row_bytes);

/* How long sculpting and fits take (bench_making.c). A fit may read a project too. */
snw_status snw_cli_bench_sculpt(snw_call *call, snw_error *error);
snw_status snw_cli_bench_invert(snw_call *call, snw_error *error);
snw_status snw_cli_bench_train(snw_call *call, snw_error *error);
snw_status snw_cli_bench_fit(snw_call *call, snw_error *error);
/* Levels of detail of a synthetic arm, or of a project. */
snw_status snw_cli_bench_lod(snw_call *call, snw_error *error);
/* UVs of a synthetic arm, or of a project. */
snw_status snw_cli_bench_unwrap(snw_call *call, snw_error *error);
/* How long a character takes to import. */
snw_status snw_cli_bench_import(snw_call *call, snw_error *error);

/* ---- plug-ins ------------------------------------------------------------------------------------------------------------ */

/* The actions of `sinew plugin`. */

snw_status snw_cli_plugin_build(const snw_call *call, snw_error *error);

/* Whoever may read the file may run it; nobody but its owner may write to it. What the umask denies stays denied. */
snw_status snw_cli_make_executable(const char *path, snw_error *error);

/* Those of one file alone. SNW_ERROR_DATA if it is rejected, or if it is installed and not found. */
snw_status snw_cli_list_plugin(const snw_call *call, const char *path, bool is_installed, snw_error *error);

/* The results of the checks, as lines and in the answer. SNW_ERROR_DATA says how many failed. */
typedef struct snw_validate_options snw_validate_options;
snw_status snw_cli_validate(const snw_call *call, const char *path, const snw_validate_options *options, snw_error *error);

#endif
