/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plug-ins: the registry of deformers, calls of their functions, and the files that they are read from.
 */
#ifndef SINEW_HOST_PLUGIN_REGISTRY_H
#define SINEW_HOST_PLUGIN_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "scene/scene.h"
#include "sinew/sinew.h"

/* ---- calls --------------------------------------------------------------------------------------------------------------- */

/* Calls into a deformer. They pass `self`, and have defaults for the functions that a deformer may omit. */

enum { SNW_MOST_PASSES = 10000 }; /* of a black box: no limit of a single call ends more of them */

/* For calls that may not end with a caveat (all but fit): a caveat becomes SNW_ERROR_INTERNAL. */
static inline snw_status snw_deny_caveat(snw_status status) {
	return status == SNW_OK || snw_failed(status) ? status : SNW_ERROR_INTERNAL;
}

/* The numbers that a model drives and its scratch memory; all 0 if the deformer has no `layout`. */
snw_model_layout snw_deformer_layout(const snw_deformer *deformer, const snw_model *model);

snw_status snw_deformer_create(const snw_deformer *deformer, const snw_host *host, snw_instance **instance);
/* SNW_ERROR_UNSUPPORTED if the deformer has no `save`, which is optional for one that binds. */
snw_status snw_deformer_save(const snw_deformer *deformer, const snw_model *model, const snw_sink *sink);
snw_status snw_deformer_load(const snw_deformer *deformer, const snw_host *host, const snw_character_view *character,
							 const void *bytes, size_t count, snw_model **model);

/* For a deformer that has `reskin`. */
snw_status snw_deformer_reskin(const snw_deformer *deformer, const snw_host *host, const snw_character_view *character,
							   const snw_rows_view *const *rows, snw_model **model);

/* SNW_ERROR_UNSUPPORTED if the deformer has no `transfer`. */
snw_status snw_deformer_transfer(const snw_deformer *deformer, const snw_transfer_call *call, snw_model **model);

/* SNW_ERROR_UNSUPPORTED, with a reason, if the deformer has no `lower`, or lowers to what this host does not know. *reason is
 * NULL if the plug-in gives none. Members that the plug-in does not know are zero. */
snw_status snw_deformer_lower(const snw_deformer *deformer, const snw_host *host, const snw_model *model,
							  const snw_value *values, uint32_t mesh, snw_program_part *part, const char **reason);

/* The deformer's table of an extension; NULL if it has none with this id. */
const void *snw_deformer_extension(const snw_deformer *deformer, const char *id);

/* Copies a part's displacements into this host's layout; none for NULL. Those that move all points in order get the list of
 * these, in `arena`. The problem, or NULL for none. */
const char *snw_displacements_adopt(const snw_displacements *foreign, uint32_t point_count, snw_arena *arena,
									snw_displacements *known);

/* Copies a plug-in's tables into the host's layout, whatever sizes the plug-in was compiled with. Members beyond a struct's
 * `size` are zero in the copy, so other code need not check the size. */

/* The copy has the plug-in's sizes, which snw_deformer_fault checks. NULL if the descriptor is missing or a size is impossible;
 * *reason then says which. Strings and functions belong to the plug-in. */
const snw_deformer *snw_deformer_adopt(const snw_deformer *foreign, snw_arena *arena, const char **reason);

/* The plug-in's table of which `adopted` is the copy. Its functions get it as `self`. */
const snw_deformer *snw_deformer_original(const snw_deformer *adopted);

/* A copy of an entry; NULL if its size is impossible. */
const snw_entry *snw_entry_adopt(const snw_entry *foreign, snw_arena *arena);

/* ---- the registry -------------------------------------------------------------------------------------------------------- */

/* The registry of deformers. It finds, loads and checks plug-ins, and records a reason for each that it rejects.
 *
 * Search order: beside the program (the build tree's `deformers`, or lib/sinew/plugins of the installed prefix), then
 * $SINEW_PLUGIN_PATH (colon-separated), then ~/.local/share/sinew/plugins. Of two with the same id, the second is rejected. */

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

/* ---- files --------------------------------------------------------------------------------------------------------------- */

/* A plug-in file before its code runs here. */

/* Why the file cannot be loaded, in `arena`; NULL if it begins as an ELF file, which the loader then looks at. */
const char *snw_plugin_file_fault(const char *path, snw_arena *arena);

/* Copies of plug-ins' files, for a program that loads new versions of them while it runs. The loader gives a file that it knows
 * by name as it was, and a file that is written in place changes under the code that runs. So each version is loaded from a
 * copy of its own, beside the file: libraries that it looks for there, and files that it finds by dladdr, are found. */

/* A new copy of a file, beside it; NULL where none can be written. Sweeps its folder first. */
char *snw_loaded_copy_make(const char *path, snw_arena *arena);

/* The file that this process, or the one that it was forked from, has made a copy of; `path` itself if it is no copy. */
const char *snw_loaded_copy_original(const char *path);
/* Does nothing for a file that is no copy. */
void snw_loaded_copy_remove(const char *copy);

/* Loading a plug-in runs its code. A child process tries that first, under a time limit, so that a file that crashes, exits or
 * hangs while it is loaded is refused with a reason and ends nothing. */

/* Loads a file, asks it for its deformers and unloads it. */
typedef void snw_plugin_loader(const char *path, void *context);

/* Loads it in a child, for which `load` may write what it finds into `context`. Why the file is not to be loaded here, in
 * `arena`; NULL where that did no harm, or where no child could be started. */
const char *snw_plugin_trial(const char *path, snw_plugin_loader *load, void *context, snw_arena *arena);

/* ---- search path --------------------------------------------------------------------------------------------------------- */

/* The search path of plug-ins: the files that the registry tries, in order. */

typedef struct snw_plugin_path {
	char *path;
	const char *reason; /* why it must not be loaded; NULL if it may be */
	bool is_shipped;
} snw_plugin_path;

/* Every `*.so` in the folders of the search path and one level below, in the order of the path, names in natural order. The
 * shipped plug-ins come first, so no other file can take their ids. An entry of $SINEW_PLUGIN_PATH may be a file. Relative and
 * missing entries get a reason, and so do files and folders that everybody may write to and files in such a folder, also
 * through a link. */
snw_plugin_path *snw_plugin_search(snw_arena *arena, size_t *count);

/* Changes with a file: when it is written or replaced. 0 if there is none. */
uint64_t snw_plugin_file_stamp(const char *path);
enum { SNW_PLUGIN_SEARCH_EMPTY = 0 };
/* Changes whenever one of the files on the search path does that do not ship, or another one is there. SNW_PLUGIN_SEARCH_EMPTY:
 * there is none. */
uint64_t snw_plugin_search_stamp(void);

/* The folder of this user's plug-ins, in $XDG_DATA_HOME or $HOME; NULL where neither is an absolute path. */
char *snw_plugin_user_folder(snw_arena *arena);

#endif
