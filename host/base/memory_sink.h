/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sink that collects a model's bytes in memory, up to a limit.
 */
#ifndef SINEW_HOST_BASE_MEMORY_SINK_H
#define SINEW_HOST_BASE_MEMORY_SINK_H

#include "sinew/sinew.h"

typedef struct snw_memory_sink {
	snw_sink sink; /* for the plug-in; it points to this struct, which must not be copied while open */
	unsigned char *bytes;
	size_t count, capacity;
} snw_memory_sink;

void snw_memory_sink_open(snw_memory_sink *sink);
snw_status snw_memory_sink_write(snw_memory_sink *sink, const void *bytes, size_t count);
void snw_memory_sink_close(snw_memory_sink *sink);

#endif
