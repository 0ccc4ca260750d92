/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/checks/watch_calls.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined __aarch64__
enum { TO_FUNCTION = R_AARCH64_JUMP_SLOT, TO_DATA = R_AARCH64_GLOB_DAT };
#else
enum { TO_FUNCTION = R_X86_64_JUMP_SLOT, TO_DATA = R_X86_64_GLOB_DAT };
#endif

enum { MOST_ENTRIES = 256 };

#define FORBIDDEN(ROW)                                                                                                         \
	ROW(malloc)                                                                                                                \
	ROW(calloc)                                                                                                                \
	ROW(realloc)                                                                                                               \
	ROW(free)                                                                                                                  \
	ROW(reallocarray)                                                                                                          \
	ROW(aligned_alloc)                                                                                                         \
	ROW(memalign)                                                                                                              \
	ROW(posix_memalign)                                                                                                        \
	ROW(mmap)                                                                                                                  \
	ROW(munmap)                                                                                                                \
	ROW(strdup)                                                                                                                \
	ROW(strndup)                                                                                                               \
	ROW(asprintf)                                                                                                              \
	ROW(__asprintf_chk)                                                                                                        \
	ROW(_Znwm)                                                                                                                 \
	ROW(_Znam)                                                                                                                 \
	ROW(_ZnwmSt11align_val_t)                                                                                                  \
	ROW(_ZdlPv)                                                                                                                \
	ROW(_ZdlPvm)                                                                                                               \
	ROW(_ZdaPv)                                                                                                                \
	ROW(mtx_lock)                                                                                                              \
	ROW(mtx_trylock)                                                                                                           \
	ROW(pthread_spin_lock)                                                                                                     \
	ROW(pthread_mutex_lock)                                                                                                    \
	ROW(pthread_mutex_trylock)                                                                                                 \
	ROW(pthread_rwlock_rdlock)                                                                                                 \
	ROW(pthread_rwlock_wrlock)                                                                                                 \
	ROW(pthread_cond_wait)                                                                                                     \
	ROW(pthread_cond_timedwait)                                                                                                \
	ROW(pthread_create)                                                                                                        \
	ROW(sem_wait)                                                                                                              \
	ROW(open)                                                                                                                  \
	ROW(openat)                                                                                                                \
	ROW(__open_2)                                                                                                              \
	ROW(__open64_2)                                                                                                            \
	ROW(close)                                                                                                                 \
	ROW(open64)                                                                                                                \
	ROW(fopen)                                                                                                                 \
	ROW(fopen64)                                                                                                               \
	ROW(read)                                                                                                                  \
	ROW(write)                                                                                                                 \
	ROW(fread)                                                                                                                 \
	ROW(fwrite)                                                                                                                \
	ROW(fclose)                                                                                                                \
	ROW(fgets)                                                                                                                 \
	ROW(getline)                                                                                                               \
	ROW(fscanf)                                                                                                                \
	ROW(__isoc99_fscanf)                                                                                                       \
	ROW(printf)                                                                                                                \
	ROW(__printf_chk)                                                                                                          \
	ROW(__fprintf_chk)                                                                                                         \
	ROW(fputc)                                                                                                                 \
	ROW(fprintf)                                                                                                               \
	ROW(puts)                                                                                                                  \
	ROW(putchar)                                                                                                               \
	ROW(fputs)                                                                                                                 \
	ROW(usleep)                                                                                                                \
	ROW(nanosleep)

/* A replaced entry, to be restored. */
typedef struct entry {
	void **place;
	void *function;
} entry;

static watch_calls *active;
static entry entries[MOST_ENTRIES];
static size_t entry_count;

/* In place of the function. Its arguments do not matter: it does not return to the plug-in. */
static _Noreturn void catch_call(const char *name) {
	active->called = name;
	longjmp(active->back, 1);
}

#define DEFINE(name)                                                                                                           \
	static void catch_##name(void) {                                                                                           \
		catch_call(#name);                                                                                                     \
	}
FORBIDDEN(DEFINE)

static void *replacement_of(const char *name) {
#define ROW_OF(function) {#function, catch_##function},
	static const struct {
		const char *name;
		void (*function)(void);
	} rows[] = {FORBIDDEN(ROW_OF)};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (strcmp(rows[i].name, name) == 0) {
			void *function;
			memcpy(&function, &rows[i].function, sizeof function);
			return function;
		}
	}
	return NULL;
}

/* Entries are read-only once a file is loaded with -z now. */
static bool write_entry(void **place, void *function) {
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *begin = (void *)((uintptr_t)place / page * page);
	if (mprotect(begin, page, PROT_READ | PROT_WRITE) != 0) {
		return false;
	}
	*place = function;
	return true;
}

static void replace(const struct link_map *map, const ElfW(Rela) * rows, size_t count, const ElfW(Sym) * symbols,
					const char *names) {
	for (size_t i = 0; i < count && entry_count < MOST_ENTRIES; i++) {
		const uint64_t type = ELF64_R_TYPE(rows[i].r_info);
		void *function = type == TO_FUNCTION || type == TO_DATA
							 ? replacement_of(names + symbols[ELF64_R_SYM(rows[i].r_info)].st_name)
							 : NULL;
		if (function) {
			void **place = (void **)(map->l_addr + rows[i].r_offset);
			const entry before = {place, *place};
			if (write_entry(place, function)) {
				entries[entry_count++] = before;
			}
		}
	}
}

bool watch_calls_begin(watch_calls *watch, const char *path) {
	void *handle = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
	struct link_map *map = NULL;
	watch->called = NULL;
	if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) {
		return false;
	}
	const ElfW(Rela) *functions = NULL, *data = NULL;
	const ElfW(Sym) *symbols = NULL;
	const char *names = NULL;
	size_t function_bytes = 0, data_bytes = 0;
	for (const ElfW(Dyn) *row = map->l_ld; row->d_tag != DT_NULL; row++) {
		functions = row->d_tag == DT_JMPREL ? (const ElfW(Rela) *)row->d_un.d_ptr : functions;
		function_bytes = row->d_tag == DT_PLTRELSZ ? row->d_un.d_val : function_bytes;
		data = row->d_tag == DT_RELA ? (const ElfW(Rela) *)row->d_un.d_ptr : data;
		data_bytes = row->d_tag == DT_RELASZ ? row->d_un.d_val : data_bytes;
		symbols = row->d_tag == DT_SYMTAB ? (const ElfW(Sym) *)row->d_un.d_ptr : symbols;
		names = row->d_tag == DT_STRTAB ? (const char *)row->d_un.d_ptr : names;
	}
	active = watch;
	entry_count = 0;
	if (symbols && names) {
		replace(map, functions, functions ? function_bytes / sizeof *functions : 0, symbols, names);
		replace(map, data, data ? data_bytes / sizeof *data : 0, symbols, names);
	}
	dlclose(handle);
	return symbols && names;
}

void watch_calls_end(watch_calls *watch) {
	(void)watch;
	while (entry_count > 0) {
		entry_count--;
		write_entry(entries[entry_count].place, entries[entry_count].function);
	}
	active = NULL;
}
