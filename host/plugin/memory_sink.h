/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sink that gathers what a model writes, in memory, under a limit.
 */
#ifndef SINEW_HOST_PLUGIN_MEMORY_SINK_H
#define SINEW_HOST_PLUGIN_MEMORY_SINK_H

#include "sinew/sinew.h"

typedef struct stack_sink {
	snw_sink sink; /* for the plug-in; valid where this struct was opened, so it is not to be copied once in use */
	unsigned char *bytes;
	size_t count, capacity;
} stack_sink;

void stack_sink_open(stack_sink *sink);
snw_status stack_sink_write(stack_sink *sink, const void *bytes, size_t count);
void stack_sink_close(stack_sink *sink);

#endif
