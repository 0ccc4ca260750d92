/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/check_elf.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool lies_inside(uint64_t offset, uint64_t bytes, uint64_t file_bytes) {
	return offset <= file_bytes && bytes <= file_bytes - offset;
}

/* Names the part that is not inside the file; NULL if the file is complete. */
static const char *missing_part(FILE *stream, uint64_t file_bytes) {
	Elf64_Ehdr header = {0};
	rewind(stream);
	if (fread(&header, 1, sizeof header, stream) < sizeof header) {
		return "its header";
	}
	if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr)) {
		return NULL;
	}
	if (!lies_inside(header.e_phoff, (uint64_t)header.e_phnum * sizeof(Elf64_Phdr), file_bytes)) {
		return "its program headers";
	}
	for (uint16_t i = 0; i < header.e_phnum; i++) {
		Elf64_Phdr segment;
		if (fseeko(stream, (off_t)(header.e_phoff + (uint64_t)i * sizeof segment), SEEK_SET) != 0 ||
			fread(&segment, sizeof segment, 1, stream) != 1) {
			return "its program headers";
		}
		if (segment.p_type == PT_LOAD && !lies_inside(segment.p_offset, segment.p_filesz, file_bytes)) {
			return "a segment that is loaded";
		}
	}
	/* The section headers come last: if they are complete, so is the rest of the file. */
	if (header.e_shoff != 0 && !lies_inside(header.e_shoff, (uint64_t)header.e_shnum * header.e_shentsize, file_bytes)) {
		return "its section headers";
	}
	return NULL;
}

static bool begins_as_elf(FILE *stream) {
	char magic[SELFMAG];
	return fread(magic, 1, sizeof magic, stream) == sizeof magic && memcmp(magic, ELFMAG, sizeof magic) == 0;
}

const char *snw_elf_fault(const char *path, snw_arena *arena) {
	FILE *stream = fopen(path, "rbe");
	if (!stream) {
		return snw_arena_format(arena, "it cannot be read: %s", strerror(errno));
	}
	struct stat about = {0};
	const char *fault = NULL;
	if (fstat(fileno(stream), &about) == 0 && S_ISDIR(about.st_mode)) {
		fault = "this is a folder; name the .so in it";
	} else if (!begins_as_elf(stream)) {
		fault = "it is not a shared object; name a .so built with -shared -fPIC";
	} else {
		const uint64_t file_bytes = (uint64_t)about.st_size;
		const char *missing = missing_part(stream, file_bytes);
		if (missing) {
			fault = snw_arena_format(arena, "it is truncated: %s ends beyond its %llu bytes; copy or build it again", missing,
									 (unsigned long long)file_bytes);
		}
	}
	fclose(stream);
	return fault;
}
