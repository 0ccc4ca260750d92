/* SPDX-License-Identifier: MIT
 *
 * The ground of the plug-in ABI: its revision, the rule by which it grows, status codes and thread rules.
 *
 * The rule of growth holds for every struct of these headers:
 *   - A growable struct begins with `uint32_t size`. It is only ever passed by pointer: it is never a member of another struct,
 *     and arrays hold pointers to it (`const snw_mesh_view *const *meshes`). New members are appended at its end. A new member
 *     begins behind any padding that the struct ends in: the padding becomes a member of its own first.
 *   - Whoever fills a growable struct sets `size` to the sizeof that it was compiled with, and members that it does not use
 *     to 0. Whoever reads it reads the members of minor 0 freely, and a later member only if SNW_HAS says that it is there.
 *   - A frozen struct is marked SNW_FROZEN and has no `size`. It never changes, so it may be a member and an element of arrays.
 *   - The host sizes what a plug-in fills (a layout, a program part): it zeroes the struct and sets `size`. The plug-in writes
 *     through snw_put (runtime/sinew/put.h), which copies what both know and leaves `size` as it was.
 *   - The host copies what a plug-in offers (its entry, deformers, descriptors and tables) into structs of its own, as far as
 *     both know them. A member that the plug-in does not know is then 0 or NULL, which always means: as before the member
 *     existed.
 *   - A function keeps its signature for good; a function of many arguments takes one growable struct. A service that changes
 *     gets a new id.
 *
 * Conventions of every header in this folder:
 *   - Matrices are 3×4, row-major, acting on column vectors: double[12], m[4*row + column]. Quaternions are x, y, z, w.
 *   - Right-handed, Y up, metres, seconds, radians. `_rest` and `_posed` name the space of coordinates.
 *   - Strings are UTF-8 and end with a zero byte.
 *   - Input is borrowed: a pointer passed to a call, and all that it points to, is valid until the call returns. The callee
 *     neither writes to it nor frees it, and copies what it wants to keep.
 *   - A pointer may be NULL only where its comment says so, or where its count is 0. Counts are next to their pointers.
 *   - Outputs: the host zeroes every struct and every pointer that a plug-in fills before it calls. It does not zero arrays of
 *     numbers (z, d, e, points_out, scratch): they hold anything on entry. After a call that fails, arrays of numbers hold
 *     anything and other outputs are as they were.
 *   - Numbers that cross are finite, unless a comment says otherwise.
 *   - Function pointers have SNW_CALL. Where that is not the compiler's default, the functions behind them need it too.
 *   - A plug-in leaves the process as it found it: it does not set the locale, install signal handlers, print, end the process,
 *     or leave threads running after a call.
 */
#ifndef SINEW_BASE_H
#define SINEW_BASE_H

#include <stddef.h>
#include <stdint.h>

/* The rule of growth: values, ids and what comments say of a call stay, and the minor rises when something is added. A
 * plug-in that was built for a later minor runs in an earlier host too, if it asks SNW_HAS and for services before it uses what
 * is new. A host refuses other majors. */
#define SNW_ABI_MAJOR 2
#define SNW_ABI_MINOR 0

#if defined(_WIN32)
#define SNW_EXPORT __declspec(dllexport)
#define SNW_CALL __cdecl
#else
#define SNW_EXPORT __attribute__((visibility("default")))
#define SNW_CALL /* the calling convention of every function that crosses: C's default */
#endif

/* Marks a struct that never changes: it has no size, and may be a member and an element of arrays. */
#define SNW_FROZEN

/* Whether the growable struct behind `pointer` is long enough to hold `member`. Not for frozen structs, which have no size. */
#define SNW_HAS(pointer, member)                                                                                               \
	((size_t)((const char *)&(pointer)->member - (const char *)(pointer)) + sizeof((pointer)->member) <= (pointer)->size)

/* Status codes, one table for the host and every plug-in: name, value, words.
 * 0 means done; positive means a result with a caveat (but for SNW_CANCELLED, which comes without one); negative means failed,
 * without a result. Each function's comment says which it may return. */
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
enum snw_status_code {
#define SNW_STATUS_ENUM(name, value, words) SNW_##name = (value),
	SNW_STATUS_TABLE(SNW_STATUS_ENUM)
#undef SNW_STATUS_ENUM
};

/* Thread rules. Each function of the ABI has one of these tags. `sinew validate` reports a call that breaks its tag.
 *   SNW_OWNER_THREAD  one call at a time for each object, on any thread. May allocate and wait.
 *   SNW_ANY_THREAD    from any number of threads at once. May allocate.
 *   SNW_EVALUATION    from any number of threads at once. Must not allocate, lock, or do input or output. */
#define SNW_OWNER_THREAD
#define SNW_ANY_THREAD
#define SNW_EVALUATION

#endif
