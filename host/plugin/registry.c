/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/registry.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "fault/fault.h"
#include "isolation/isolated_deformer.h"
#include "isolation/plugin_process.h"
#include "services/services.h"

enum { MOST_DEFORMERS_A_FILE = 1000 };
#define TABLE_BYTES ((size_t)1 << 28) /* of what a file offers */

static snw_isolation isolation;

typedef struct shared_object {
	struct shared_object *next;
	char *real_path;
	const char *copy; /* what was loaded in its place; NULL: the file itself */
	uint64_t stamp;   /* of the file when it was looked at */
	bool is_borrowed; /* it belongs to an earlier registry */
	void *handle;     /* NULL if the file was rejected */
	const snw_entry *entry;
} shared_object;

struct snw_registry {
	snw_arena *arena;
	bool is_renewable; /* files that do not ship are loaded from copies */
	shared_object *objects;
	snw_plugin_info *infos;
	uint32_t count, capacity;
};

static void add_info(snw_registry *registry, const char *path, const snw_deformer *deformer, const char *reason) {
	if (registry->count == registry->capacity) {
		registry->capacity = registry->capacity == 0 ? 16 : 2 * registry->capacity;
		snw_plugin_info *grown = SNW_NEW_ARRAY(registry->arena, snw_plugin_info, registry->capacity);
		if (registry->count > 0) {
			memcpy(grown, registry->infos, registry->count * sizeof *grown);
		}
		registry->infos = grown;
	}
	registry->infos[registry->count++] = (snw_plugin_info){
		.path = snw_arena_text(registry->arena, path),
		.deformer = deformer,
		.reason = snw_arena_text(registry->arena, reason),
	};
}

/* The plug-in that already has that id or short name, or NULL. */
static const snw_plugin_info *find_conflict(const snw_registry *registry, const snw_descriptor *descriptor) {
	for (uint32_t i = 0; i < registry->count; i++) {
		const snw_deformer *other = registry->infos[i].deformer;
		if (other && (strcmp(other->descriptor->id, descriptor->id) == 0 ||
					  strcmp(other->descriptor->short_name, descriptor->short_name) == 0)) {
			return &registry->infos[i];
		}
	}
	return NULL;
}

/* Registers one deformer of a file, or records why it is rejected. */
static bool add_deformer(snw_registry *registry, const char *path, const snw_deformer *foreign) {
	if (!foreign) {
		add_info(registry, path, NULL, "it declares more deformers than it returns");
		return false;
	}
	const char *reason;
	char buffer[500];
	const snw_deformer *deformer = snw_deformer_adopt(foreign, registry->arena, &reason);
	if (deformer) {
		reason = snw_deformer_fault(deformer, buffer, sizeof buffer);
	}
	if (!reason) {
		const snw_plugin_info *other = find_conflict(registry, deformer->descriptor);
		if (other) {
			const bool same_id = strcmp(other->deformer->descriptor->id, deformer->descriptor->id) == 0;
			reason = snw_arena_format(registry->arena, "the %s '%s' is taken by %s, which was found first",
									  same_id ? "id" : "short name",
									  same_id ? deformer->descriptor->id : deformer->descriptor->short_name, other->path);
		}
	}
	add_info(registry, path, reason ? NULL : deformer, reason);
	return !reason;
}

/* Why the entry is rejected, or NULL. */
static const char *entry_fault(const snw_entry *entry, snw_arena *arena) {
	if (entry->abi_major != SNW_ABI_MAJOR) {
		return snw_arena_format(arena,
								"it was built for ABI %u, this program has ABI %d; build it again with this program's headers",
								entry->abi_major, SNW_ABI_MAJOR);
	}
	if (entry->deformer_count == 0 || entry->deformer_count > MOST_DEFORMERS_A_FILE || !entry->deformer) {
		return "its entry has no deformers";
	}
	return NULL;
}

static void load_file(snw_registry *registry, const char *path, bool is_trusted);

static const shared_object *find_object(const snw_registry *registry, const char *real_path) {
	const shared_object *found = registry->objects;
	while (found && strcmp(found->real_path, real_path) != 0) {
		found = found->next;
	}
	return found;
}

/* Finds and opens the entry of a loaded file; returns why it is rejected, or NULL. */
static const char *open_entry(snw_registry *registry, shared_object *object) {
	const snw_entry *foreign = dlsym(object->handle, SNW_ENTRY_NAME);
	if (!foreign) {
		return "it has no symbol '" SNW_ENTRY_NAME "'; it is not a plug-in, or does not export its entry";
	}
	const snw_entry *entry = snw_entry_adopt(foreign, registry->arena);
	if (!entry) {
		return snw_arena_format(registry->arena, "its entry has the impossible size %u", foreign->size);
	}
	const char *fault = entry_fault(entry, registry->arena);
	if (!fault && entry->open) {
		const snw_open_call call = {.size = sizeof call, .path = snw_loaded_copy_original(object->real_path)};
		snw_thread_function("open");
		const snw_status status = snw_deny_caveat(entry->open(&call));
		fault = !snw_failed(status)
					? NULL
					: snw_arena_format(registry->arena, "its function 'open' failed: it %s", snw_status_words(status));
	}
	object->entry = fault ? NULL : entry;
	return fault;
}

/* Loads a complete file. */
static void open_object(snw_registry *registry, const char *path, shared_object *object) {
	snw_thread_function("dlopen");
	object->handle = dlopen(object->copy ? object->copy : object->real_path, RTLD_NOW | RTLD_LOCAL);
	if (!object->handle) {
		add_info(registry, path, NULL, snw_arena_format(registry->arena, "it cannot be loaded: %s", dlerror()));
		return;
	}
	const char *reason = open_entry(registry, object);
	if (reason) {
		add_info(registry, path, NULL, reason);
		snw_thread_function("dlclose");
		dlclose(object->handle);
		object->handle = NULL;
		return;
	}
	snw_thread_function("deformer");
	for (uint32_t i = 0; i < object->entry->deformer_count; i++) {
		add_deformer(registry, path, object->entry->deformer(i));
	}
}

static void put_infos(const snw_registry *registry, snw_stream *stream) {
	snw_put_number(stream, registry->count);
	snw_thread_function("extension");
	for (uint32_t i = 0; i < registry->count; i++) {
		const snw_plugin_info *info = &registry->infos[i];
		snw_put_text(stream, info->reason);
		if (info->deformer) {
			snw_put_deformer(stream, info->deformer, snw_deformer_original(info->deformer));
		}
	}
}

/* What the trial of a file does: what the program does with it. What it found goes into `context`, a stream, if there is
 * one. */
static void load_and_close(const char *path, void *context) {
	snw_registry *registry = snw_registry_open_empty();
	load_file(registry, path, true);
	if (context) {
		put_infos(registry, context);
	}
	snw_registry_close(registry);
}

/* In a plug-in process: the file stays loaded until it ends. */
static const snw_deformer *find_in_file(const char *path, const char *id, const snw_deformer **self) {
	snw_registry *registry = snw_registry_open_empty();
	load_file(registry, path, true);
	const snw_deformer *deformer = snw_registry_find(registry, id);
	*self = deformer ? snw_deformer_original(deformer) : NULL;
	return deformer;
}

/* Adds what a child found in a file. */
static void read_infos(snw_registry *registry, const char *path, const shared_object *object, snw_stream *stream) {
	const uint64_t count = snw_get_number(stream);
	const bool is_whole = count > 0 && count <= MOST_DEFORMERS_A_FILE; /* a plug-in may overwrite it */
	for (uint64_t i = 0; is_whole && i < count && !stream->is_broken; i++) {
		const char *reason = snw_get_text(stream, registry->arena);
		const snw_deformer *deformer =
			reason ? NULL
				   : snw_get_deformer(stream, object->copy ? object->copy : object->real_path, find_in_file, registry->arena);
		if (reason) {
			add_info(registry, path, NULL, reason);
		} else if (deformer) {
			add_deformer(registry, path, deformer);
		}
	}
	if (stream->is_broken || !is_whole) {
		add_info(registry, path, NULL, "what it offers could not be read from the process that loaded it; try again");
	}
}

/* Why the file was not loaded, or NULL. */
static const char *load_isolated(snw_registry *registry, const char *path, const shared_object *object) {
	unsigned char *tables = snw_shared_memory_acquire(TABLE_BYTES);
	if (!tables) {
		return "there is no memory to share with the process that it runs in";
	}
	snw_stream written = {.at = tables, .end = tables + TABLE_BYTES}, read = written;
	const char *fault = snw_plugin_trial(object->real_path, load_and_close, &written, registry->arena);
	if (!fault) {
		read_infos(registry, path, object, &read);
	}
	snw_shared_memory_release(tables);
	return fault;
}

/* Loads one file; what it holds, and what was refused, become rows of infos. One that is not trusted is tried in a child
 * first. */
static void load_file(snw_registry *registry, const char *path, bool is_trusted) {
	char real_path[PATH_MAX];
	if (!realpath(path, real_path)) {
		add_info(registry, path, NULL, "it cannot be read: check its path");
		return;
	}
	if (find_object(registry, real_path)) {
		return;
	}
	shared_object *object = SNW_NEW(registry->arena, shared_object);
	*object = (shared_object){.next = registry->objects,
							  .real_path = snw_arena_text(registry->arena, real_path),
							  .stamp = snw_plugin_file_stamp(real_path)};
	registry->objects = object;
	const char *fault = snw_plugin_file_fault(real_path, registry->arena);
	const bool is_isolated = isolation != SNW_ISOLATE_NONE && !is_trusted;
	if (!fault && !is_trusted) {
		object->copy = registry->is_renewable ? snw_loaded_copy_make(real_path, registry->arena) : NULL;
		fault = is_isolated ? load_isolated(registry, path, object)
							: snw_plugin_trial(real_path, load_and_close, NULL, registry->arena);
	}
	if (fault) {
		add_info(registry, path, NULL, fault);
	}
	if (fault || is_isolated) {
		return;
	}
	const snw_thread_call previous =
		snw_thread_enter((snw_thread_call){.role = SNW_ROLE_OWNER, .who = object->real_path, .function = "dlopen"});
	open_object(registry, path, object);
	snw_thread_leave(previous);
}

bool snw_registry_isolate(snw_isolation wanted) {
	isolation = wanted != SNW_ISOLATE_NONE && snw_shared_memory_open() ? wanted : SNW_ISOLATE_NONE;
	return isolation == wanted;
}

snw_registry *snw_registry_open_empty(void) {
	snw_arena *arena = snw_arena_create();
	snw_registry *registry = SNW_NEW(arena, snw_registry);
	registry->arena = arena;
	return registry;
}

void snw_registry_load_search_path(snw_registry *registry) {
	size_t count;
	const snw_plugin_path *paths = snw_plugin_search(registry->arena, &count);
	for (size_t i = 0; i < count; i++) {
		if (paths[i].reason) {
			add_info(registry, paths[i].path, NULL, paths[i].reason);
		} else {
			load_file(registry, paths[i].path, paths[i].is_shipped && isolation != SNW_ISOLATE_ALL);
		}
	}
}

snw_registry *snw_registry_open(void) {
	snw_registry *registry = snw_registry_open_empty();
	snw_registry_load_search_path(registry);
	return registry;
}

snw_registry *snw_registry_open_renewable(void) {
	snw_registry *registry = snw_registry_open_empty();
	registry->is_renewable = true;
	snw_registry_load_search_path(registry);
	return registry;
}

static void unload(const shared_object *object) {
	const snw_thread_call previous =
		snw_thread_enter((snw_thread_call){.role = SNW_ROLE_OWNER, .who = object->real_path, .function = "close"});
	if (object->entry && object->entry->close) {
		snw_thread_function("close");
		object->entry->close();
	}
	snw_thread_function("dlclose");
	dlclose(object->handle);
	snw_thread_leave(previous);
}

static void end_object(const shared_object *object) {
	if (object->handle && !object->is_borrowed) {
		unload(object);
	}
	if (object->copy && !object->is_borrowed) {
		snw_loaded_copy_remove(object->copy);
	}
}

void snw_registry_close(snw_registry *registry) {
	if (!registry) {
		return;
	}
	for (const shared_object *o = registry->objects; o; o = o->next) {
		end_object(o);
	}
	snw_arena_destroy(registry->arena);
}

/* ---- renewal ------------------------------------------------------------------------------------------------------------- */

/* Takes over what an earlier registry has of a file. */
static void borrow(snw_registry *registry, const snw_registry *previous, const char *path, const shared_object *old,
				   uint64_t stamp) {
	shared_object *object = SNW_NEW(registry->arena, shared_object);
	*object = *old;
	object->next = registry->objects;
	object->is_borrowed = true;
	object->stamp = stamp;
	registry->objects = object;
	for (uint32_t i = 0; i < previous->count; i++) {
		const snw_plugin_info *info = &previous->infos[i];
		if (strcmp(info->path, path) == 0) {
			add_info(registry, path, info->deformer, info->reason);
		}
	}
}

/* Whether a registry has a deformer of a file. */
static bool is_used(const snw_registry *registry, const char *path) {
	bool found = false;
	for (uint32_t i = 0; i < registry->count && !found; i++) {
		found = registry->infos[i].deformer && strcmp(registry->infos[i].path, path) == 0;
	}
	return found;
}

/* The first reason among the rows from `first` on; NULL for none. */
static const char *first_reason(const snw_registry *registry, uint32_t first) {
	const char *reason = NULL;
	for (uint32_t i = first; i < registry->count && !reason; i++) {
		reason = registry->infos[i].reason;
	}
	return reason;
}

/* Loads the new version of a file. If it is rejected, what the earlier registry has of it stays. */
static void load_again(snw_registry *registry, const snw_registry *previous, const char *path, const shared_object *old,
					   snw_registry_renewal *renewal) {
	const uint32_t first = registry->count;
	load_file(registry, path, false);
	const char *reason = first_reason(registry, first);
	const shared_object *failed = registry->objects;
	if (reason && old && is_used(previous, path) && failed && strcmp(failed->real_path, old->real_path) == 0) {
		registry->objects = failed->next;
		registry->count = first;
		end_object(failed);
		borrow(registry, previous, path, old, failed->stamp);
		renewal->kept = path;
	}
	if (reason) {
		renewal->rejected = path;
		renewal->reason = reason;
	} else {
		renewal->loaded = registry->infos[first].deformer->descriptor->name;
		renewal->loaded_count++;
	}
}

static void renew_file(snw_registry *registry, const snw_registry *previous, const snw_plugin_path *file,
					   snw_registry_renewal *renewal) {
	char real_path[PATH_MAX];
	if (file->reason || !realpath(file->path, real_path)) {
		add_info(registry, file->path, NULL, file->reason ? file->reason : "it cannot be read: check its path");
		return;
	}
	const shared_object *old = find_object(previous, real_path);
	if (find_object(registry, real_path)) {
		return;
	}
	if (old && (file->is_shipped || old->stamp == snw_plugin_file_stamp(real_path))) {
		borrow(registry, previous, file->path, old, old->stamp);
	} else {
		load_again(registry, previous, file->path, old, renewal);
	}
}

/* The row of a file, by its real path; NULL for none. */
static const char *path_of(const snw_registry *registry, const shared_object *object) {
	char real_path[PATH_MAX];
	for (uint32_t i = 0; i < registry->count; i++) {
		const char *path = registry->infos[i].path;
		if (strcmp(path, object->real_path) == 0 || (realpath(path, real_path) && strcmp(real_path, object->real_path) == 0)) {
			return path;
		}
	}
	return NULL;
}

snw_registry *snw_registry_renew(const snw_registry *previous, snw_registry_renewal *renewal) {
	snw_registry *registry = snw_registry_open_empty();
	registry->is_renewable = true;
	*renewal = (snw_registry_renewal){0};
	size_t count;
	const snw_plugin_path *paths = snw_plugin_search(registry->arena, &count);
	for (size_t i = 0; i < count; i++) {
		renew_file(registry, previous, &paths[i], renewal);
	}
	/* A file that is gone may be about to be written again. */
	for (const shared_object *o = previous->objects; o; o = o->next) {
		const char *path = find_object(registry, o->real_path) ? NULL : path_of(previous, o);
		if (path && is_used(previous, path)) {
			borrow(registry, previous, path, o, 0);
		}
	}
	return registry;
}

uint32_t snw_registry_count(const snw_registry *registry) {
	return registry->count;
}

const snw_plugin_info *snw_registry_get(const snw_registry *registry, uint32_t index) {
	return index < registry->count ? &registry->infos[index] : NULL;
}

snw_status snw_registry_load(snw_registry *registry, const char *path, snw_error *error) {
	const uint32_t before = registry->count;
	load_file(registry, path, true);
	for (uint32_t i = before; i < registry->count; i++) {
		if (registry->infos[i].reason) {
			return snw_fail(error, SNW_ERROR_DATA, "%s is rejected: %s", path, registry->infos[i].reason);
		}
	}
	return SNW_OK;
}

const snw_deformer *snw_registry_find(const snw_registry *registry, const char *name) {
	for (uint32_t i = 0; i < registry->count; i++) {
		const snw_deformer *deformer = registry->infos[i].deformer;
		if (deformer && (strcmp(deformer->descriptor->id, name) == 0 || strcmp(deformer->descriptor->short_name, name) == 0)) {
			return deformer;
		}
	}
	return NULL;
}

const snw_deformer *snw_registry_find_trait(const snw_registry *registry, uint32_t traits) {
	const snw_deformer *found = NULL;
	for (uint32_t i = 0; i < registry->count; i++) {
		const snw_deformer *deformer = registry->infos[i].deformer;
		if (deformer && (deformer->descriptor->traits & traits) == traits &&
			(!found || strcmp(deformer->descriptor->short_name, found->descriptor->short_name) < 0)) {
			found = deformer;
		}
	}
	return found;
}

const char *snw_registry_trait_name(const snw_registry *registry, uint32_t traits) {
	const snw_deformer *found = snw_registry_find_trait(registry, traits);
	return found ? found->descriptor->short_name : NULL;
}
