/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/registry.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "fault/crash_report.h"
#include "plugin/check_elf.h"
#include "plugin/copy_tables.h"
#include "plugin/deformer_calls.h"
#include "plugin/search_path.h"
#include "plugin/trial_load.h"
#include "services/services.h"

enum { MOST_DEFORMERS_A_FILE = 1000 };

typedef struct shared_object {
	struct shared_object *next;
	char *real_path;
	void *handle; /* NULL if the file was rejected */
	const snw_entry *entry;
} shared_object;

struct snw_registry {
	snw_arena *arena;
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
	/* While the ABI is a draft, every minor revision may be incompatible. */
	const bool same = entry->abi_major == SNW_ABI_MAJOR && (SNW_ABI_MAJOR > 0 || entry->abi_minor == SNW_ABI_MINOR);
	if (!same) {
		return snw_arena_format(
			arena, "it was built for ABI %u.%u, but this program has %d.%d; rebuild it with this program's headers",
			entry->abi_major, entry->abi_minor, SNW_ABI_MAJOR, SNW_ABI_MINOR);
	}
	if (entry->deformer_count == 0 || entry->deformer_count > MOST_DEFORMERS_A_FILE || !entry->deformer) {
		return "its entry has no deformers";
	}
	return NULL;
}

static void load_file(snw_registry *registry, const char *path, bool is_trusted);

static bool is_loaded(const snw_registry *registry, const char *real_path) {
	for (const shared_object *o = registry->objects; o; o = o->next) {
		if (strcmp(o->real_path, real_path) == 0) {
			return true;
		}
	}
	return false;
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
		const snw_open_call call = {.size = sizeof call, .path = object->real_path};
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
	object->handle = dlopen(object->real_path, RTLD_NOW | RTLD_LOCAL);
	if (!object->handle) {
		add_info(registry, path, NULL, snw_arena_format(registry->arena, "it cannot be loaded: %s", dlerror()));
		return;
	}
	snw_crash_add_object(object->real_path, object->handle);
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

/* What the trial of a file does: what the program does with it. */
static void load_and_close(const char *path) {
	snw_registry *registry = snw_registry_open_empty();
	load_file(registry, path, true);
	snw_registry_close(registry);
}

/* Loads one file; what it holds, and what was refused, become rows of infos. One that is not trusted is tried in a child first. */
static void load_file(snw_registry *registry, const char *path, bool is_trusted) {
	char real_path[PATH_MAX];
	if (!realpath(path, real_path)) {
		add_info(registry, path, NULL, "it cannot be read: check its path");
		return;
	}
	if (is_loaded(registry, real_path)) {
		return;
	}
	shared_object *object = SNW_NEW(registry->arena, shared_object);
	*object = (shared_object){.next = registry->objects, .real_path = snw_arena_text(registry->arena, real_path)};
	registry->objects = object;
	const char *fault = snw_elf_fault(real_path, registry->arena);
	fault = fault || is_trusted ? fault : snw_plugin_trial(real_path, load_and_close, registry->arena);
	if (fault) {
		add_info(registry, path, NULL, fault);
		return;
	}
	const snw_thread_call previous =
		snw_thread_enter((snw_thread_call){.role = SNW_ROLE_OWNER, .who = object->real_path, .function = "dlopen"});
	open_object(registry, path, object);
	snw_thread_leave(previous);
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
			load_file(registry, paths[i].path, paths[i].is_shipped);
		}
	}
}

snw_registry *snw_registry_open(void) {
	snw_registry *registry = snw_registry_open_empty();
	snw_registry_load_search_path(registry);
	return registry;
}

static void unload(const shared_object *object) {
	const snw_thread_call previous =
		snw_thread_enter((snw_thread_call){.role = SNW_ROLE_OWNER, .who = object->real_path, .function = "close"});
	if (object->entry && object->entry->close) {
		object->entry->close();
	}
	snw_thread_function("dlclose");
	dlclose(object->handle);
	snw_thread_leave(previous);
}

void snw_registry_close(snw_registry *registry) {
	if (!registry) {
		return;
	}
	for (shared_object *o = registry->objects; o; o = o->next) {
		if (o->handle) {
			unload(o);
		}
	}
	snw_arena_destroy(registry->arena);
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
