/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output/engine_option.h"

/* "three, babylon, … or vrm". */
static const char *engine_names(const snw_call *call) {
	const char *names = snw_engines(0)->name;
	for (uint32_t i = 1; snw_engines(i); i++) {
		names = snw_arena_format(call->arena, "%s%s%s", names, snw_engines(i + 1) ? ", " : " or ", snw_engines(i)->name);
	}
	return names;
}

snw_status snw_call_engine(const snw_call *call, const snw_engine **engine, snw_error *error) {
	const char *name = snw_call_option(call, "--for");
	*engine = name ? snw_engine_find(name) : NULL;
	return !name || *engine ? SNW_OK : snw_fail(error, SNW_ERROR_ARGUMENT, "--for %s: expected %s", name, engine_names(call));
}
