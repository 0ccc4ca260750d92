/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets of points, compared with a list of what was added.
 */
#include "meshes.h"

#include "mesh/mesh.h"

enum { COUNT = 10000 };

static void check_holds(const snw_set *set, const bool *expected, uint32_t *items) {
	const uint32_t count = snw_set_list(set, items);
	uint32_t place = 0;
	for (uint32_t i = 0; i < COUNT; i++) {
		assert_int_equal(snw_set_has(set, i), expected[i]);
		if (expected[i]) {
			assert_true(place < count && items[place] == i);
			place++;
		}
	}
	assert_int_equal(place, count);
}

static void set_lists_added_and_joined_elements_in_order(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	snw_set one = snw_set_make(COUNT, arena), other = snw_set_make(COUNT, arena);
	bool *expected = SNW_NEW_ARRAY(arena, bool, COUNT);
	uint32_t *items = SNW_NEW_ARRAY(arena, uint32_t, COUNT + 1);
	uint64_t seed = 7;
	for (int round = 0; round < 20; round++) {
		const uint32_t times = (uint32_t)(random_between(&seed, 0, 1) * (round % 2 ? 20 : COUNT));
		for (uint32_t k = 0; k < times; k++) {
			const uint32_t item = (uint32_t)(random_between(&seed, 0, 1) * COUNT);
			snw_set_add(k % 3 ? &one : &other, item);
			expected[item] = true;
		}
		snw_set_join(&one, &other);
		check_holds(&one, expected, items);
		if (round % 4 == 3) {
			snw_set_clear(&one);
			snw_set_clear(&other);
			memset(expected, 0, COUNT * sizeof *expected);
			check_holds(&one, expected, items);
		}
	}
	snw_set_add(&one, 0);
	snw_set_add(&one, COUNT - 1);
	assert_true(snw_set_has(&one, 0) && snw_set_has(&one, COUNT - 1));
	snw_arena_destroy(arena);
}

TEST_GROUP(element_set) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(set_lists_added_and_joined_elements_in_order)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
