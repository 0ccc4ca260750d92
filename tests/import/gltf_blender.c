/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Characters as Blender plays them, where Blender is: at keys of a clip, every point that it draws is one of ours and every one
 * of ours is drawn. By argument, which characters: "few" or "all".
 */
#include "check.h"

#include "gltf_play.h"

typedef struct character {
	const char *file;
	uint32_t clip;
	bool is_quick;
} character;

static const character characters[] = {
	{"characters/CesiumMan.glb", 0, true},
	{"characters/Knight.glb", 0, true},
	{"characters/MorphStressTest.glb", 1, false},
	{"characters/Fox.glb", 0, false},
	{"characters/Fox.glb", 2, false},
	{"characters/RiggedSimple.glb", 0, false},
	{"characters/RiggedFigure.glb", 0, false},
	{"characters/robot.glb", 3, false},
	{"characters/SimpleSkin.gltf", 0, false},
	{"characters/SimpleMorph.gltf", 0, false},
	{"characters/AnimatedMorphCube.glb", 0, false},
	{"characters/RecursiveSkeletons.glb", 0, false},
	{"human-rig/human.glb", 0, false},
};
enum { TIME_COUNT = 3 };
static const double TOLERANCE = 1e-5; /* of the size: Blender works in floats, with a skeleton of its own */

static bool all = false;

/* Runs Blender; the file that it wrote, NULL where it could not. */
static FILE *ask_blender(const character *c, const double seconds[TIME_COUNT]) {
	const char *out = check_scratch("blender.txt");
	char command[4000];
	snprintf(command, sizeof command,
			 "blender -b --factory-startup -P '%s/play.py' -- '%s' '%s' %u %.9g %.9g %.9g >'%s.log' 2>&1",
			 getenv("SINEW_TEST_BLENDER"), check_data(c->file), out, c->clip, seconds[0], seconds[1], seconds[2], out);
	unlink(out);
	return system(command) == 0 ? fopen(out, "r") : NULL;
}

static double *read_points(FILE *stream, uint32_t *count) {
	if (fscanf(stream, " points %u", count) != 1) {
		return NULL;
	}
	double *points = calloc(3 * (size_t)*count + 1, sizeof points[0]);
	for (size_t i = 0; i < 3 * (size_t)*count; i++) {
		assert_int_equal(fscanf(stream, "%lf", &points[i]), 1);
	}
	return points;
}

/* The farthest that a point of `a` lies from the nearest of `b`. */
static double farthest_from(const double *a, uint32_t a_count, const double *b, uint32_t b_count) {
	double farthest = 0;
	uint32_t last = 0; /* neighbours in one list are often neighbours in the other */
	for (uint32_t i = 0; i < a_count; i++) {
		double nearest = HUGE_VAL;
		const uint32_t start = last;
		for (uint32_t k = 0; k < b_count && nearest > farthest; k++) {
			const uint32_t j = (start + k) % b_count;
			const double x = a[3 * i] - b[3 * j], y = a[3 * i + 1] - b[3 * j + 1], z = a[3 * i + 2] - b[3 * j + 2];
			const double square = x * x + y * y + z * z;
			if (square < nearest) {
				nearest = square;
				last = j;
			}
		}
		farthest = fmax(farthest, nearest);
	}
	return farthest;
}

static double *our_points(const snw_scene *scene, uint32_t clip, double seconds, snw_arena *arena, uint32_t *count) {
	const snw_pose_view *pose = snw_pose_view_make(scene, snw_pose_sample(scene, clip, seconds, arena), arena);
	*count = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		*count += scene->meshes[m].point_count;
	}
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)*count), *next = points;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		double *own;
		play_points(&scene->meshes[m], pose, arena, &own);
		memcpy(next, own, 3 * sizeof own[0] * scene->meshes[m].point_count);
		next += 3 * (size_t)scene->meshes[m].point_count;
	}
	return points;
}

static void check_character(const character *c) {
	snw_scene *scene = play_import(check_data(c->file), false);
	snw_arena *arena = snw_arena_create();
	double *keys, seconds[TIME_COUNT], farthest = 0;
	uint32_t key_count;
	snw_clip_key_seconds(&scene->clips[c->clip], arena, &keys, &key_count);
	for (uint32_t k = 0; k < TIME_COUNT; k++) {
		seconds[k] = keys[(size_t)key_count * (k + 1) / (TIME_COUNT + 1)];
	}
	FILE *stream = ask_blender(c, seconds);
	assert_non_null(stream);
	for (int k = 0; k < TIME_COUNT; k++) {
		uint32_t our_count, their_count;
		const double *ours = our_points(scene, c->clip, seconds[k], arena, &our_count);
		double *theirs = read_points(stream, &their_count);
		assert_non_null(theirs);
		assert_true(their_count > 0);
		farthest = fmax(farthest, farthest_from(ours, our_count, theirs, their_count));
		farthest = fmax(farthest, farthest_from(theirs, their_count, ours, our_count));
		free(theirs);
	}
	fclose(stream);
	farthest = sqrt(farthest) / snw_scene_diagonal(scene, SNW_NONE);
	print_message("%s, clip %s: Blender's points lie at most %.2g of the size away\n", c->file, scene->clips[c->clip].name,
				  farthest);
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
	if (!(farthest <= TOLERANCE)) {
		fail_msg("%s: more than %g", c->file, TOLERANCE);
	}
}

static void characters_play_as_in_blender(void **state) {
	(void)state;
	if (system("blender -b --version >/dev/null 2>&1") != 0) {
		print_message("skipped: there is no blender on this machine\n");
		skip();
	}
	for (size_t i = 0; i < sizeof characters / sizeof characters[0]; i++) {
		if (all || characters[i].is_quick) {
			check_character(&characters[i]);
		}
	}
}

int main(int count, char **arguments) {
	all = count > 1 && strcmp(arguments[1], "all") == 0;
	const struct CMUnitTest tests[] = {cmocka_unit_test(characters_play_as_in_blender)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
