/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The check of a file by itself: what it exports beside its entry, and which libraries it needs.
 */
#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "file/file.h"
#include "plugin/registry.h"
#include "validate/checks/checks.h"

/* The tables of a shared object that has been loaded once, so its parts lie inside the file. */
typedef struct tables {
	const unsigned char *bytes;
	const Elf64_Shdr *symbols, *dynamic;
	const Elf64_Shdr *sections;
} tables;

static bool find_tables(const snw_bytes *file, tables *found) {
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)file->data;
	*found = (tables){.bytes = file->data};
	if (file->count < sizeof *header || header->e_shoff == 0 || header->e_shentsize != sizeof(Elf64_Shdr)) {
		return false;
	}
	found->sections = (const Elf64_Shdr *)(file->data + header->e_shoff);
	for (uint16_t i = 0; i < header->e_shnum; i++) {
		found->symbols = found->sections[i].sh_type == SHT_DYNSYM ? &found->sections[i] : found->symbols;
		found->dynamic = found->sections[i].sh_type == SHT_DYNAMIC ? &found->sections[i] : found->dynamic;
	}
	return found->symbols && found->dynamic;
}

static const char *text_at(const tables *t, const Elf64_Shdr *section, uint64_t offset) {
	return (const char *)t->bytes + t->sections[section->sh_link].sh_offset + offset;
}

/* A symbol that other files see and that is the plug-in's own: the compiler's begin with two underscores, and C++ adds weak
 * ones. */
static const char *stray_symbol(const tables *t) {
	const Elf64_Sym *symbols = (const Elf64_Sym *)(t->bytes + t->symbols->sh_offset);
	for (size_t i = 0; i < t->symbols->sh_size / sizeof *symbols; i++) {
		const char *name = text_at(t, t->symbols, symbols[i].st_name);
		const bool is_seen = symbols[i].st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbols[i].st_info) == STB_GLOBAL &&
							 ELF64_ST_VISIBILITY(symbols[i].st_other) == STV_DEFAULT;
		if (is_seen && strcmp(name, SNW_ENTRY_NAME) != 0 && strncmp(name, "__", 2) != 0) {
			return name;
		}
	}
	return NULL;
}

static const char *needed_libraries(const tables *t, snw_arena *arena) {
	const Elf64_Dyn *rows = (const Elf64_Dyn *)(t->bytes + t->dynamic->sh_offset);
	const char *names = "";
	for (size_t i = 0; i < t->dynamic->sh_size / sizeof *rows; i++) {
		if (rows[i].d_tag == DT_NEEDED) {
			names = snw_arena_format(arena, "%s%s%s", names, names[0] ? ", " : "", text_at(t, t->dynamic, rows[i].d_un.d_val));
		}
	}
	return names[0] ? names : "no library";
}

/* Opens and closes it twice more: static data of the first time must not hinder the second. */
static snw_status reload(const char *path, snw_error *finding) {
	snw_status status = SNW_OK;
	for (int i = 0; i < 2 && !snw_failed(status); i++) {
		snw_registry *registry = snw_registry_open_empty();
		snw_error error = {0};
		status = snw_registry_load(registry, path, &error);
		snw_registry_close(registry);
		if (snw_failed(status)) {
			snw_fail(finding, status, "it loads once, but not again: %.800s", error.text);
		}
	}
	return status;
}

snw_status snw_validate_symbols(const char *path, snw_error *finding) {
	snw_arena *arena = snw_arena_create();
	snw_bytes file;
	tables found;
	snw_status status = snw_file_read(path, arena, &file, finding);
	if (!snw_failed(status) && !find_tables(&file, &found)) {
		status = snw_fail(finding, SNW_OK, "its tables were stripped");
	} else if (!snw_failed(status)) {
		const char *stray = stray_symbol(&found);
		status = stray ? snw_fail(finding, SNW_ERROR_INTERNAL,
								  "it exports '%s' beside its entry, where another plug-in's symbol may hide it or be hidden; "
								  "compile with -fvisibility=hidden",
								  stray)
					   : reload(path, finding);
		if (!snw_failed(status)) {
			snw_fail(finding, SNW_OK, "it exports its entry alone and needs %s; it loads again",
					 needed_libraries(&found, arena));
		}
	}
	snw_arena_destroy(arena);
	return status;
}
