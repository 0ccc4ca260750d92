/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The registry of deformers. It finds, loads and checks plug-ins, and records a reason for each that it rejects.
 *
 * Search order: beside the program (the build tree's `deformers`, or lib/sinew/plugins of the installed prefix), then
 * $SINEW_PLUGIN_PATH (colon-separated), then ~/.local/share/sinew/plugins. Of two with the same id, the second is rejected.
 */
#ifndef SINEW_HOST_PLUGIN_REGISTRY_H
#define SINEW_HOST_PLUGIN_REGISTRY_H

#include "base/error.h"
#include "plugin/deformer_calls.h"
#include "scene/scene.h"
#include "sinew/sinew.h"

typedef struct snw_registry snw_registry;

typedef struct snw_plugin_info {
	const char *path;
	const snw_deformer *deformer; /* NULL if rejected */
	const char *reason;           /* why it was rejected; NULL if loaded */
} snw_plugin_info;

/* Which plug-ins run in processes of their own (isolation/isolated_deformer.h) from here on, so that none of their code is
 * loaded into this one: none (at first), those that do not ship with Sinew, or all, for benchmarks and tests. False, and errno,
 * if there is no memory to share with such processes: none then. */
typedef enum snw_isolation { SNW_ISOLATE_NONE, SNW_ISOLATE_FOREIGN, SNW_ISOLATE_ALL } snw_isolation;
bool snw_registry_isolate(snw_isolation isolation);

snw_registry *snw_registry_open(void);       /* loads everything on the search path; never fails */
snw_registry *snw_registry_open_empty(void); /* loads nothing; to test a single plug-in */
void snw_registry_load_search_path(snw_registry *registry);
/* As snw_registry_open, but what does not ship is loaded from copies, so that snw_registry_renew can load new versions. */
snw_registry *snw_registry_open_renewable(void);
void snw_registry_close(snw_registry *registry);

/* What a renewal has found; the texts live as long as the new registry. */
typedef struct snw_registry_renewal {
	uint32_t loaded_count; /* files that were loaded: new ones, and new versions */
	const char *loaded;    /* the name of the last one's first deformer; NULL for none */
	const char *rejected;  /* the last file that could not be loaded; NULL for none */
	const char *reason;    /* why */
	const char *kept;      /* the last file of which the earlier version is kept for that; NULL for none */
} snw_registry_renewal;

/* A registry of the search path as it is now. Files that have changed are loaded beside their earlier versions; if that fails,
 * the earlier version is kept. All others are those of `previous`, which must outlive the new registry and does not change:
 * what was made with its deformers goes on. */
snw_registry *snw_registry_renew(const snw_registry *previous, snw_registry_renewal *renewal);
uint32_t snw_registry_count(const snw_registry *registry);
const snw_plugin_info *snw_registry_get(const snw_registry *registry, uint32_t index);

/* Loads one more file; used by `sinew validate` and tests. */
snw_status snw_registry_load(snw_registry *registry, const char *path, snw_error *error);

/* By id or short name. NULL if there is none. */
const snw_deformer *snw_registry_find(const snw_registry *registry, const char *name);

/* The deformer that has all of `traits`; of several, the first by short name. NULL if there is none. */
const snw_deformer *snw_registry_find_trait(const snw_registry *registry, uint32_t traits);
/* Its short name, or NULL. */
const char *snw_registry_trait_name(const snw_registry *registry, uint32_t traits);

/* Why a deformer's tables are rejected, or NULL: missing functions, bad ids, a default outside its range, duplicate keys. The
 * text is in `buffer` or static. */
const char *snw_deformer_fault(const snw_deformer *deformer, char *buffer, size_t buffer_bytes);

/* ---- requirements -------------------------------------------------------------------------------------------------------- */

/* Checks that a scene has what a deformer needs. */

/* SNW_ERROR_MISSING if something is missing; the message names it and the command that adds it. */
snw_status snw_needs_check(const snw_scene *scene, const snw_descriptor *descriptor, snw_error *error);

/* Whether the host keeps the proposals of a fit and nothing else: there is no layer. */
bool snw_proposes_only(const snw_descriptor *descriptor);

/* False for a layer that is refitted to its examples (SNW_REFITS) while all of them are muted or removed. Such a layer has no
 * effect, whatever its last fit made. True for every other layer. */
bool snw_layer_is_active(const snw_scene *scene, const snw_descriptor *descriptor);

#endif
