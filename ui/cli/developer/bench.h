/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The benchmarks of `sinew bench` that have files of their own.
 */
#ifndef SINEW_UI_CLI_DEVELOPER_BENCH_H
#define SINEW_UI_CLI_DEVELOPER_BENCH_H

#include "cli/command_line/verb.h"

snw_status snw_cli_bench_sculpt(snw_call *call, snw_error *error);
snw_status snw_cli_bench_invert(snw_call *call, snw_error *error);
snw_status snw_cli_bench_layer(snw_call *call, snw_error *error);
snw_status snw_cli_bench_view(snw_call *call, snw_error *error);
snw_status snw_cli_bench_train(snw_call *call, snw_error *error);
/* These run on the project that the call names after the benchmark, if any. */
snw_status snw_cli_bench_gpu(snw_call *call, snw_error *error);
snw_status snw_cli_bench_fit(snw_call *call, snw_error *error);

#endif
