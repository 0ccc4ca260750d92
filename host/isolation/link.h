/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the program and a plug-in process say to each other: small messages through a socket, everything large through shared
 * memory. Private to host/isolation.
 */
#ifndef SINEW_HOST_ISOLATION_LINK_H
#define SINEW_HOST_ISOLATION_LINK_H

#include <stdint.h>

#include "isolation/plugin_process.h"
#include "message/message.h"
#include "message/stream.h"

/* The parts of a region. The rest of it is the answer. */
#define SNW_REGION_BYTES ((size_t)1 << 33)
#define SNW_REQUEST_BYTES ((size_t)1 << 32)

typedef struct snw_region {
	_Atomic uint32_t overflowed; /* 1: its stack did */
	_Atomic uint32_t function;   /* an index into snw_plugin_functions: what the process runs, or ran when it ended */
	_Alignas(64) unsigned char request[];
} snw_region;

/* The functions of a plug-in by name. */
#define SNW_PLUGIN_FUNCTIONS(ROW)                                                                                              \
	ROW(dlopen)                                                                                                                \
	ROW(open)                                                                                                                  \
	ROW(deformer)                                                                                                              \
	ROW(extension)                                                                                                             \
	ROW(create)                                                                                                                \
	ROW(fit)                                                                                                                   \
	ROW(destroy)                                                                                                               \
	ROW(load)                                                                                                                  \
	ROW(reskin)                                                                                                                \
	ROW(transfer)                                                                                                              \
	ROW(layout)                                                                                                                \
	ROW(list)                                                                                                                  \
	ROW(passes)                                                                                                                \
	ROW(drive)                                                                                                                 \
	ROW(prepare)                                                                                                               \
	ROW(deform)                                                                                                                \
	ROW(lower)                                                                                                                 \
	ROW(save)                                                                                                                  \
	ROW(describe)                                                                                                              \
	ROW(release)
typedef enum snw_plugin_function {
#define SNW_PLUGIN_FUNCTION_ENUM(name) SNW_FUNCTION_##name,
	SNW_PLUGIN_FUNCTIONS(SNW_PLUGIN_FUNCTION_ENUM)
#undef SNW_PLUGIN_FUNCTION_ENUM
		SNW_FUNCTION_COUNT
} snw_plugin_function;
extern const char *const snw_plugin_functions[SNW_FUNCTION_COUNT];

static inline snw_stream snw_region_request(snw_region *region) {
	return (snw_stream){.at = region->request, .end = region->request + SNW_REQUEST_BYTES};
}

static inline snw_stream snw_region_answer(snw_region *region) {
	return (snw_stream){.at = region->request + SNW_REQUEST_BYTES, .end = (unsigned char *)region + SNW_REGION_BYTES};
}

/* child.c: what the plug-in process does. */
_Noreturn void snw_plugin_child_run(const snw_plugin_start *start, snw_region *region, int socket, uint32_t threads);

#endif
