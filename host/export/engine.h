/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What engines play of a glTF file, as data. docs/engines.md gives the source of each figure.
 */
#ifndef SINEW_HOST_EXPORT_ENGINE_H
#define SINEW_HOST_EXPORT_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

/* Their names: for help, and as choices. */
#define SNW_ENGINE_NAMES "three|babylon|bevy|filament|godot|unity|unreal|vrm|maya|roblox"

/* An engine. Limits are those of its usual glTF importer at its default settings. */
typedef struct snw_engine {
	const char *name;       /* "three": what `sinew export --for` takes */
	const char *label;      /* "three.js" */
	uint32_t influences;    /* of a point: 4 or 8 */
	uint32_t joints;        /* of a skin */
	uint32_t morphs;        /* morph targets of a mesh; UINT32_MAX: as many as the file has */
	bool clamps_weights;    /* of morph targets, to 0 to 1 */
	bool plays_in_betweens; /* several shapes on a channel of FBX */
} snw_engine;

/* The rows of the table, NULL after the last one. */
const snw_engine *snw_engines(uint32_t index);
/* NULL if no engine has that name. */
const snw_engine *snw_engine_find(const char *name);
/* What each of them plays: the limits of a file that names no engine. */
const snw_engine *snw_engine_any(void);

#endif
