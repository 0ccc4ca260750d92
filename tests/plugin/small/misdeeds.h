/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What small.c may do wrong. Its file says which: stamp.py writes words into a copy of it. Then what it does as it is loaded
 * and unloaded, and how it crashes and hangs.
 */
#ifndef SINEW_TESTS_PLUGIN_SMALL_MISDEEDS_H
#define SINEW_TESTS_PLUGIN_SMALL_MISDEEDS_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "crashes_in_fit" is the word "crashes-in-fit" of a stamp. */
#define MISDEEDS(ROW)                                                                                                          \
	ROW(binds)                                                                                                                 \
	ROW(sinks)                                                                                                                 \
	ROW(has_no_fit)                                                                                                            \
	ROW(has_no_prepare)                                                                                                        \
	ROW(is_older)                                                                                                              \
	ROW(aborts_on_load)                                                                                                        \
	ROW(hangs_on_load)                                                                                                         \
	ROW(waits_on_load)                                                                                                         \
	ROW(exits_on_load)                                                                                                         \
	ROW(is_killed_on_load)                                                                                                     \
	ROW(loads_once)                                                                                                            \
	ROW(crashes_on_unload)                                                                                                     \
	ROW(sets_the_locale)                                                                                                       \
	ROW(crashes_in_fit)                                                                                                        \
	ROW(hangs_in_fit)                                                                                                          \
	ROW(throws_in_fit)                                                                                                         \
	ROW(prints)                                                                                                                \
	ROW(waits_for_stop)                                                                                                        \
	ROW(ignores_stop)                                                                                                          \
	ROW(proposes_in_a_chunk)                                                                                                   \
	ROW(leaks)                                                                                                                 \
	ROW(differs_each_fit)                                                                                                      \
	ROW(refits)                                                                                                                \
	ROW(forgets_choices)                                                                                                       \
	ROW(transfers_another)                                                                                                     \
	ROW(ignores_rows)                                                                                                          \
	ROW(names_nobody)                                                                                                          \
	ROW(scribbles_in_load)                                                                                                     \
	ROW(scribbles_in_layout)                                                                                                   \
	ROW(scribbles_in_passes)                                                                                                   \
	ROW(scribbles_in_drive)                                                                                                    \
	ROW(scribbles_in_prepare)                                                                                                  \
	ROW(scribbles_in_deform)                                                                                                   \
	ROW(scribbles_in_lower)                                                                                                    \
	ROW(scribbles_in_release)                                                                                                  \
	ROW(hangs_in_load)                                                                                                         \
	ROW(trusts_bytes)                                                                                                          \
	ROW(ignores_counts)                                                                                                        \
	ROW(loads_another)                                                                                                         \
	ROW(allocates_in_passes)                                                                                                   \
	ROW(never_ends_its_passes)                                                                                                 \
	ROW(leaves_d_unwritten)                                                                                                    \
	ROW(waits_in_drive)                                                                                                        \
	ROW(hangs_in_drive)                                                                                                        \
	ROW(fails_in_drive)                                                                                                        \
	ROW(fails_in_far_poses)                                                                                                    \
	ROW(fails_between_frames)                                                                                                  \
	ROW(drives_too_many)                                                                                                       \
	ROW(drives_too_far)                                                                                                        \
	ROW(drives_to_infinity)                                                                                                    \
	ROW(drives_far_poses_to_nan)                                                                                               \
	ROW(drives_high_values_to_nan)                                                                                             \
	ROW(writes_past_its_scratch)                                                                                               \
	ROW(wants_too_much_scratch)                                                                                                \
	ROW(reads_scratch)                                                                                                         \
	ROW(sets_the_locale_in_drive)                                                                                              \
	ROW(writes_to_its_model)                                                                                                   \
	ROW(writes_to_static_data)                                                                                                 \
	ROW(fails_in_prepare)                                                                                                      \
	ROW(crashes_in_deform)                                                                                                     \
	ROW(exits_in_deform)                                                                                                       \
	ROW(exits_at_once_in_deform)                                                                                               \
	ROW(overflows_in_deform)                                                                                                   \
	ROW(throws_in_deform)                                                                                                      \
	ROW(hangs_in_deform)                                                                                                       \
	ROW(fails_in_deform)                                                                                                       \
	ROW(allocates_in_deform)                                                                                                   \
	ROW(sets_the_locale_in_deform)                                                                                             \
	ROW(writes_past_its_range)                                                                                                 \
	ROW(writes_to_its_input)                                                                                                   \
	ROW(depends_on_ranges)                                                                                                     \
	ROW(counts_its_calls)                                                                                                      \
	ROW(divides_by_a_distance)                                                                                                 \
	ROW(divides_by_height)                                                                                                     \
	ROW(keeps_the_character)                                                                                                   \
	ROW(keeps_points)                                                                                                          \
	ROW(deforms_to_nan)                                                                                                        \
	ROW(lowers_to_a_blend)                                                                                                     \
	ROW(lowers_to_nothing)
enum misdeed {
#define MISDEED_ENUM(name) name,
	MISDEEDS(MISDEED_ENUM)
#undef MISDEED_ENUM
		MISDEED_COUNT
};

/* What this file does wrong, since it was loaded. */
static bool does[MISDEED_COUNT];

#ifndef SMALL_STAMP
#define SMALL_STAMP ""
#endif
/* stamp.py finds this by its first word. Volatile: a compiler sees that nothing here writes to it. */
static volatile char stamp[200] = "@small " SMALL_STAMP;

/* Words of the stamp: misdeeds, and "key=value". */
static char words[sizeof stamp + 2];

/* The value of a key, or the one that is given. It stays. */
static const char *stamped(const char *key, const char *otherwise) {
	static char values[8][60];
	static int count;
	char start[40];
	snprintf(start, sizeof start, " %s=", key);
	const char *at = strstr(words, start);
	if (!at) {
		return otherwise;
	}
	sscanf(at + strlen(start), "%59s", values[count]);
	return values[count++];
}

static void read_stamp(void) {
	static const char *const names[MISDEED_COUNT] = {
#define MISDEED_NAME(name) " " #name " ",
		MISDEEDS(MISDEED_NAME)
#undef MISDEED_NAME
	};
	for (size_t i = 0; stamp[i]; i++) {
		words[i] = stamp[i];
	}
	strcat(words, " ");
	char underlined[sizeof words];
	for (size_t i = 0; i < sizeof words; i++) {
		underlined[i] = words[i];
		if (words[i] == '-') {
			underlined[i] = '_';
		}
	}
	for (int i = 0; i < MISDEED_COUNT; i++) {
		does[i] = strstr(underlined, names[i]) != NULL;
	}
}

static void hang(void) {
	for (volatile unsigned i = 0;; i++) {
	}
}

static void misbehave_on_load(void) {
	if (does[aborts_on_load]) {
		abort();
	}
	if (does[is_killed_on_load]) {
		kill(getpid(), SIGKILL);
	}
	if (does[waits_on_load]) {
		sleep(1000);
	}
	if (does[exits_on_load]) {
		exit(0);
	}
	if (does[hangs_on_load]) {
		hang();
	}
	if (does[loads_once]) {
		if (getenv("SMALL_WAS_LOADED")) {
			abort();
		}
		setenv("SMALL_WAS_LOADED", "1", 1);
	}
}

__attribute__((destructor)) static void misbehave_on_unload(void) {
	if (does[crashes_on_unload]) {
		abort();
	}
}

__attribute__((no_sanitize("address", "undefined"))) static uint32_t overflow(uint32_t depth) {
	volatile char room[1000];
	room[depth % sizeof room] = (char)depth;
	return depth == UINT32_MAX ? 0 : overflow(depth + 1) + (uint32_t)room[(depth + 1) % sizeof room];
}

/* Writes on and on behind a block of memory, first over what else the process holds. */
__attribute__((no_sanitize("address", "undefined"))) static void scribble_if(enum misdeed misdeed) {
	if (does[misdeed]) {
		for (volatile char *c = malloc(100);; c++) {
			*c = 0x5a;
		}
	}
}

__attribute__((weak)) void small_throw(void); /* throws.cpp, where that is linked */

#endif
