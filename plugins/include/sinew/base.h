/* SPDX-License-Identifier: MIT
 *
 * The ground of the plug-in ABI: its revision, the rule by which it grows, status codes and thread rules.
 *
 * The rule of growth. It holds for every struct of these headers:
 *   - A growable struct begins with `uint32_t size`. It is only ever passed by pointer: it is never a member of another struct,
 *     and arrays hold pointers to it (`const snw_mesh_view *const *meshes`). New members are appended at its end. A new member
 *     begins behind any padding that the struct ends in: the padding becomes a member of its own first.
 *   - Who fills a growable struct sets `size` to sizeof the struct as it was compiled there, and zeroes what it does not know.
 *     Who reads it reads the members of revision 1.0 freely, and any later member only where SNW_HAS says that it is there.
 *   - A frozen struct is marked SNW_FROZEN and has no `size`. It never changes, so it may be a member and stand in arrays.
 *   - The host sizes what a plug-in fills (a layout, a program part): it zeroes the struct and sets `size`. The plug-in writes
 *     through snw_put (runtime/sinew/put.h), which copies what both know and leaves `size` as it was.
 *   - The host copies what a plug-in offers (its entry, deformers, descriptors and tables) into structs of its own, as far as
 *     both know them. A member that the plug-in does not know is then 0 or NULL, which always means: not there, as before.
 *   - A function keeps its signature forever; one of many arguments takes one growable struct. A changed service gets a new id.
 *
 * Conventions of every header in this folder:
 *   - Matrices are 3×4, row-major, acting on column vectors: double[12], m[4*row + column]. Quaternions are x, y, z, w.
 *   - Right-handed, Y up, metres, seconds, radians. `_rest` and `_posed` name the space of coordinates.
 *   - Strings are UTF-8 and end with a zero byte.
 *   - Pointers handed over as input are borrowed for the length of the call and never freed by the callee.
 *   - A pointer may be NULL only where its comment says so, or where its count is 0. Counts stand beside their pointers.
 *   - A plug-in leaves the process as it found it: it does not set the locale, install signal handlers, print, end the process,
 *     or leave threads running behind a call.
 */
#ifndef SINEW_BASE_H
#define SINEW_BASE_H

#include <stddef.h>
#include <stdint.h>

/* Revision 0 is a draft: it may still change between minors. From 1 on it only grows. */
#define SNW_ABI_MAJOR 0
#define SNW_ABI_MINOR 3

#if defined(_WIN32)
#define SNW_EXPORT __declspec(dllexport)
#define SNW_CALL __cdecl
#else
#define SNW_EXPORT __attribute__((visibility("default")))
#define SNW_CALL /* the calling convention of every function that crosses the line: C's own */
#endif

/* Marks a struct that never changes. */
#define SNW_FROZEN

/* Whether the growable struct behind `pointer` is long enough to hold `member`. */
#define SNW_HAS(pointer, member)                                                                                               \
	((size_t)((const char *)&(pointer)->member - (const char *)(pointer)) + sizeof((pointer)->member) <= (pointer)->size)

/* Status codes, one table for the host and every plug-in: name, value, words.
 * 0 is done; positive is a result with a caveat, to be kept; negative is no result. */
#define SNW_STATUS_TABLE(ROW)                                                                                                  \
	ROW(OK, 0, "done")                                                                                                         \
	ROW(CANCELLED, 1, "cancelled")                                                                                             \
	ROW(NOT_CONVERGED, 2, "did not converge")                                                                                  \
	ROW(ILL_CONDITIONED, 3, "is ill conditioned")                                                                              \
	ROW(ERROR_ARGUMENT, -1, "was called with arguments it cannot take")                                                        \
	ROW(ERROR_MEMORY, -2, "is out of memory")                                                                                  \
	ROW(ERROR_DATA, -3, "was given malformed data")                                                                            \
	ROW(ERROR_UNSUPPORTED, -4, "does not support this")                                                                        \
	ROW(ERROR_IO, -5, "could not read or write")                                                                               \
	ROW(ERROR_LIMIT, -6, "went over a limit")                                                                                  \
	ROW(ERROR_CRASH, -7, "crashed")                                                                                            \
	ROW(ERROR_MISSING, -8, "needs something that is not there")                                                                \
	ROW(ERROR_SINGULAR, -9, "met a singular system")                                                                           \
	ROW(ERROR_CONFLICT, -10, "conflicts with what is there")                                                                   \
	ROW(ERROR_INTERNAL, -11, "broke one of its own rules")

typedef int32_t snw_status;
enum {
#define SNW_STATUS_ENUM(name, value, words) SNW_##name = (value),
	SNW_STATUS_TABLE(SNW_STATUS_ENUM)
#undef SNW_STATUS_ENUM
};

/* Thread rules. Each function of the ABI carries one of these tags; a host built for debugging keeps the role of the
 * calling thread (service SNW_SERVICE_THREAD_ROLE) and reports a call that breaks its tag.
 *   SNW_OWNER_THREAD  one call at a time for one object, from whichever thread owns it now. May allocate and wait.
 *   SNW_ANY_THREAD    from any threads at once. May allocate.
 *   SNW_EVALUATION    from any threads at once, and must not allocate, lock or do input or output. */
#define SNW_OWNER_THREAD
#define SNW_ANY_THREAD
#define SNW_EVALUATION

typedef enum snw_thread_role {
	SNW_ROLE_FREE = 0,       /* outside any call into a plug-in */
	SNW_ROLE_OWNER = 1,      /* inside create, fit, lower, save, load, release, destroy */
	SNW_ROLE_EVALUATION = 2, /* inside drive, prepare or deform */
} snw_thread_role;

#endif
