/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Characters as Blender plays them, where Blender is: over the clips of a file every point of every mesh and the matrix of
 * every joint of its skins. By argument: "few" is two clips each of three files, "all" every clip of every file.
 *
 * Each clip is played twice. At ten of its keys Blender plays it as it comes. At ten moments spread evenly from its start to
 * its end it does so but for turns, which get their keys there from Blender's own slerp: left alone, Blender interpolates the
 * four numbers of a quaternion each on its own, where glTF goes along the arc. Nothing else differs, and nothing else is
 * adapted.
 */
#include "check.h"

#include "gltf_play.h"

static const char *const few_files[] = {"characters/CesiumMan.glb", "characters/Fox.glb", "characters/MorphStressTest.glb"};
static const char *const all_files[] = {
	"characters/AnimatedMorphCube.glb",
	"characters/CesiumMan.glb",
	"characters/Fox.glb",
	"characters/Knight.glb",
	"characters/MorphStressTest.glb",
	"characters/RiggedFigure.glb",
	"characters/RiggedSimple.glb",
	"characters/RecursiveSkeletons.glb",
	"characters/SimpleMorph.gltf",
	"characters/SimpleSkin.gltf",
	"characters/robot.glb",
	"human-rig/human.glb",
};
enum { TIME_COUNT = 10, FEW_CLIPS = 2, NAME_SIZE = 64 };
static const double TOLERANCE = 1e-5; /* of the diagonal at rest: 1e-4 is promised; Blender works in floats */

static bool all = false;

/* ---- what is asked ------------------------------------------------------------------------------------------------ */

typedef struct moment {
	uint32_t clip;
	bool is_key;
	double seconds;
} moment;

/* Rising times without repeats, at most ten: keys from the first to the last, or moments at even distances. */
static uint32_t choose_times(const snw_clip *clip, bool keys, snw_arena *arena, double seconds[TIME_COUNT]) {
	double *key_seconds;
	uint32_t key_count, count = 0;
	snw_clip_key_seconds(clip, arena, &key_seconds, &key_count);
	for (uint32_t k = 0; k < TIME_COUNT; k++) {
		const double time =
			keys ? key_seconds[(size_t)(key_count - 1) * k / (TIME_COUNT - 1)] : clip->duration_seconds * k / (TIME_COUNT - 1);
		if (count == 0 || time > seconds[count - 1]) {
			seconds[count++] = time;
		}
	}
	return count;
}

static moment *write_request(const snw_scene *scene, const char *path, snw_arena *arena, uint32_t *count) {
	const uint32_t clip_count = !all && scene->clip_count > FEW_CLIPS ? FEW_CLIPS : scene->clip_count;
	moment *moments = SNW_NEW_ARRAY(arena, moment, 2 * TIME_COUNT * (size_t)clip_count);
	FILE *stream = fopen(path, "w");
	assert_non_null(stream);
	*count = 0;
	for (uint32_t line = 0; line < 2 * clip_count; line++) {
		const bool is_key = line % 2 == 0;
		double seconds[TIME_COUNT];
		const uint32_t time_count = choose_times(&scene->clips[line / 2], is_key, arena, seconds);
		fprintf(stream, "%u %s", line / 2, is_key ? "keys" : "spread");
		for (uint32_t t = 0; t < time_count; t++) {
			fprintf(stream, " %.17g", seconds[t]);
			moments[(*count)++] = (moment){line / 2, is_key, seconds[t]};
		}
		fputc('\n', stream);
	}
	fclose(stream);
	return moments;
}

/* Runs Blender once; the file that it wrote, NULL where it could not. */
static FILE *ask_blender(const char *file, const char *request) {
	const char *out = check_scratch("blender.bin");
	char command[4000];
	snprintf(command, sizeof command,
			 "blender -b --factory-startup --python-exit-code 1 -P '%s/play_clips.py' -- '%s' '%s' '%s' >'%s.log' 2>&1",
			 getenv("SINEW_TEST_BLENDER"), check_data(file), request, out, out);
	unlink(out);
	FILE *stream = system(command) == 0 ? fopen(out, "rb") : NULL;
	unlink(out); /* it may be large, and stays as long as it is open */
	return stream;
}

/* ---- what Blender says -------------------------------------------------------------------------------------------- */

typedef struct blender_parts {
	uint32_t point_count, bone_count;
	uint32_t *joints;         /* [bone_count] */
	float *points, *matrices; /* of the moment read last */
} blender_parts;

static void read_items(FILE *stream, void *dest, size_t size, size_t count) {
	assert_int_equal(fread(dest, size, count, stream), count);
}

/* Meshes as ours, vertex for vertex, and bones by their nodes' names. */
static void read_parts(FILE *stream, const snw_scene *scene, snw_arena *arena, blender_parts *parts) {
	uint32_t mesh_count, mesh[2];
	*parts = (blender_parts){0};
	read_items(stream, &mesh_count, sizeof mesh_count, 1);
	assert_int_equal(mesh_count, scene->mesh_count);
	for (uint32_t m = 0; m < mesh_count; m++) {
		read_items(stream, mesh, sizeof mesh[0], 2);
		assert_int_equal(mesh[1], scene->meshes[m].point_count);
		parts->point_count += mesh[1];
	}
	read_items(stream, &parts->bone_count, sizeof parts->bone_count, 1);
	assert_true(parts->bone_count <= scene->skeleton.joint_count);
	parts->joints = SNW_NEW_ARRAY(arena, uint32_t, (size_t)parts->bone_count + 1);
	for (uint32_t b = 0; b < parts->bone_count; b++) {
		char name[NAME_SIZE + 1] = "";
		read_items(stream, name, NAME_SIZE, 1);
		parts->joints[b] = snw_scene_find_joint(scene, name);
		if (parts->joints[b] == SNW_NONE) {
			fail_msg("no joint is called %s", name);
		}
	}
	parts->points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)parts->point_count + 1);
	parts->matrices = SNW_NEW_ARRAY(arena, float, 12 * (size_t)parts->bone_count + 1);
}

/* ---- comparing ---------------------------------------------------------------------------------------------------- */

/* The farthest that Blender's points lie from ours. */
static double compare_points(const snw_scene *scene, const snw_pose_view *pose, const blender_parts *parts, snw_arena *arena) {
	const float *theirs = parts->points;
	double farthest = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		double *ours;
		play_points(&scene->meshes[m], pose, arena, &ours);
		for (uint32_t p = 0; p < scene->meshes[m].point_count; p++, theirs += 3, ours += 3) {
			const double gap[3] = {ours[0] - (double)theirs[0], ours[1] - (double)theirs[1], ours[2] - (double)theirs[2]};
			farthest = fmax(farthest, snw_length3(gap));
		}
	}
	return farthest;
}

/* The corners of the bounding box of all meshes at rest. */
static void box_corners(const snw_scene *scene, double corners[8][3]) {
	double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		for (size_t i = 0; i < 3 * (size_t)scene->meshes[m].point_count; i++) {
			low[i % 3] = fmin(low[i % 3], scene->meshes[m].points_rest[i]);
			high[i % 3] = fmax(high[i % 3], scene->meshes[m].points_rest[i]);
		}
	}
	for (int i = 0; i < 24; i++) {
		corners[i / 3][i % 3] = i / 3 >> i % 3 & 1 ? high[i % 3] : low[i % 3];
	}
}

static double corner_gap(const double a[12], const double b[12], double corners[8][3]) {
	double farthest = 0;
	for (int c = 0; c < 8; c++) {
		double pa[3], pb[3];
		snw_mat34_point(a, corners[c], pa);
		snw_mat34_point(b, corners[c], pb);
		const double gap[3] = {pa[0] - pb[0], pa[1] - pb[1], pa[2] - pb[2]};
		farthest = fmax(farthest, snw_length3(gap));
	}
	return farthest;
}

/* The farthest that Blender's matrices take a corner of the rest bounding box from where ours take it: the palette's, and those
 * of the bones that are in no skin, each after the inverse of its rest. */
static double compare_joints(const snw_scene *scene, const snw_pose_view *pose, const blender_parts *parts, snw_arena *arena) {
	const size_t joint_count = scene->skeleton.joint_count;
	double corners[8][3], farthest = 0;
	double *theirs = SNW_NEW_ARRAY(arena, double, 12 * joint_count + 1);
	bool *is_bone = SNW_NEW_ARRAY(arena, bool, joint_count + 1);
	box_corners(scene, corners);
	for (uint32_t b = 0; b < parts->bone_count; b++) {
		const size_t joint = parts->joints[b];
		double to_joint[12], our_change[12], their_change[12];
		for (size_t i = 0; i < 12; i++) {
			theirs[12 * joint + i] = (double)parts->matrices[12 * (size_t)b + i];
		}
		is_bone[joint] = true;
		assert_int_equal(snw_mat34_invert(scene->skeleton.rest_global + 12 * joint, to_joint), 1);
		snw_mat34_multiply(pose->global + 12 * joint, to_joint, our_change);
		snw_mat34_multiply(theirs + 12 * joint, to_joint, their_change);
		farthest = fmax(farthest, corner_gap(our_change, their_change, corners));
	}
	for (size_t s = 0; s < scene->slot_count; s++) {
		double their_entry[12];
		const size_t joint = scene->slot_joints[s];
		if (is_bone[joint]) { /* others are of nodes that move a whole mesh: its points are compared */
			snw_mat34_multiply(theirs + 12 * joint, scene->slot_inverse_binds + 12 * s, their_entry);
			farthest = fmax(farthest, corner_gap(pose->palette + 12 * s, their_entry, corners));
		}
	}
	return farthest;
}

static void check_character(const char *file) {
	snw_scene *scene = play_import(check_data(file), true);
	snw_arena *arena = snw_arena_create();
	const char *request = check_scratch("request.txt");
	const double size = snw_scene_diagonal(scene, SNW_NONE);
	uint32_t moment_count, worst_moment = 0;
	const moment *moments = write_request(scene, request, arena, &moment_count);
	FILE *stream = ask_blender(file, request);
	unlink(request);
	assert_non_null(stream);
	blender_parts parts;
	read_parts(stream, scene, arena, &parts);
	double farthest[2][2] = {{0}}, worst = 0; /* spread and at keys: of points, of joints */
	for (uint32_t k = 0; k < moment_count; k++) {
		snw_arena *scratch = snw_arena_create();
		const snw_pose *pose = snw_pose_sample(scene, moments[k].clip, moments[k].seconds, scratch);
		const snw_pose_view *view = snw_pose_view_make(scene, pose, scratch);
		read_items(stream, parts.points, 3 * sizeof parts.points[0], parts.point_count);
		read_items(stream, parts.matrices, 12 * sizeof parts.matrices[0], parts.bone_count);
		const double gaps[2] = {compare_points(scene, view, &parts, scratch) / size,
								compare_joints(scene, view, &parts, scratch) / size};
		for (int i = 0; i < 2; i++) {
			double *values = &farthest[moments[k].is_key][i];
			*values = fmax(*values, gaps[i]);
			worst_moment = gaps[i] > worst ? k : worst_moment;
			worst = fmax(worst, gaps[i]);
		}
		snw_arena_destroy(scratch);
	}
	assert_int_equal(fgetc(stream), EOF);
	fclose(stream);
	print_message(
		"%s, %u moments, %u joints: at keys points lie at most %.2g of the size away, joints take %.2g; spread over the "
		"clips %.2g, %.2g\n",
		file, moment_count, parts.bone_count, farthest[1][0], farthest[1][1], farthest[0][0], farthest[0][1]);
	const moment at = moments[worst_moment];
	if (!(worst <= TOLERANCE)) {
		fail_msg("%s: clip %s at %g s (%s): %g of the size, more than %g", file, scene->clips[at.clip].name, at.seconds,
				 at.is_key ? "a key" : "spread", worst, TOLERANCE);
	}
	snw_arena_destroy(arena);
	snw_scene_destroy(scene);
}

static void characters_play_as_in_blender(void **state) {
	(void)state;
	check_blender();
	const size_t count = all ? sizeof all_files / sizeof all_files[0] : sizeof few_files / sizeof few_files[0];
	for (size_t i = 0; i < count; i++) {
		check_character(all ? all_files[i] : few_files[i]);
	}
}

TEST_GROUP(gltf_blender) {
	all = argc > 1 && strcmp(argv[1], "all") == 0;
	const struct CMUnitTest tests[] = {cmocka_unit_test(characters_play_as_in_blender)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
