/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skeletons from motion: what was made from a skeleton gives that skeleton back.
 */
#include "known_skeleton.h"
#include "sad_scenes.h"

/* ---- a random skeleton --------------------------------------------------------------------------------------------------- */

/* A trunk of three bones that forks into two limbs of two. */
enum { BONES = 7, SAMPLES = 24, SEGMENTS = 8, RINGS = 10, BODY_POINTS = BONES * RINGS * SEGMENTS };
static const uint32_t parents[BONES] = {SNW_NONE, 0, 1, 2, 3, 2, 5};

static double random_number(uint64_t *state) {
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 11) / 9007199254740992.0;
}

static void random_direction(uint64_t *state, double dest[3]) {
	do {
		for (int c = 0; c < 3; c++) {
			dest[c] = 2 * random_number(state) - 1;
		}
	} while (snw_length3(dest) < 0.2 || snw_length3(dest) > 1);
	snw_normalize3(dest);
}

/* Joint b is where bone b begins, joint b + 1 of the list the end where nothing else begins there. */
static void make_bones(known_skeleton *known, uint64_t *state) {
	uint32_t joint_count = 1;
	for (uint32_t b = 0; b < BONES; b++) {
		const uint32_t begin = parents[b] == SNW_NONE ? 0 : known->ends[parents[b]][1];
		const double side = b == 3 || b == 4 ? 0.8 : b == 5 || b == 6 ? -0.8 : 0;
		double direction[3], length = 0.7 + 0.5 * random_number(state);
		random_direction(state, direction);
		for (int c = 0; c < 3; c++) {
			direction[c] = 0.4 * direction[c] + (c == 0) + side * (c == 1);
		}
		snw_normalize3(direction);
		for (int c = 0; c < 3; c++) {
			known->joints[joint_count][c] = known->joints[begin][c] + length * direction[c];
		}
		known->ends[b][0] = begin;
		known->ends[b][1] = joint_count++;
	}
	known->bone_count = BONES;
}

static void make_motions(known_skeleton *known, uint64_t *state) {
	double axes[BONES][3], speeds[BONES], phases[BONES], reaches[BONES];
	known->frame_count = SAMPLES;
	known->motions = malloc(sizeof *known->motions * BONES * SAMPLES);
	for (uint32_t b = 0; b < BONES; b++) {
		random_direction(state, axes[b]);
		speeds[b] = 0.2 + 0.6 * random_number(state);
		phases[b] = 6 * random_number(state);
		reaches[b] = 0.5 + 0.4 * random_number(state);
	}
	for (uint32_t f = 0; f < SAMPLES; f++) {
		for (uint32_t b = 0; b < BONES; b++) {
			double vector[3], quaternion[4], local[12], place[3], *bone_motion = known->motions[f * BONES + b];
			for (int c = 0; c < 3; c++) {
				/* a second axis, so that no joint is a hinge */
				vector[c] =
					reaches[b] * (axes[b][c] * sin(speeds[b] * f + phases[b]) + 0.6 * axes[b][(c + 1) % 3] * cos(0.37 * f + b));
			}
			const double *pivot = known->joints[known->ends[b][0]];
			snw_quat_from_rotation_vector(vector, quaternion);
			snw_quat_to_mat34(quaternion, local);
			snw_mat34_vector(local, pivot, place);
			for (int c = 0; c < 3; c++) {
				local[4 * c + 3] = pivot[c] - place[c];
			}
			if (parents[b] == SNW_NONE) {
				memcpy(bone_motion, local, sizeof local);
				bone_motion[3] += 0.1 * f;
			} else {
				snw_mat34_multiply(known->motions[f * BONES + parents[b]], local, bone_motion);
			}
		}
	}
}

/* Tubes around the bones; a bone's first ring is joined to its parent's last, unless they are shells apart. Weights go over
 * from bone to bone along a fifth of them. */
static void make_body(known_skeleton *known, double noise, uint64_t seed, bool is_apart) {
	static double rest[3 * BODY_POINTS];
	static uint32_t offsets[BODY_POINTS + 1], faces[4 * BODY_POINTS];
	uint32_t face_count = 0;
	known->weights = calloc((size_t)BONES * BODY_POINTS, sizeof *known->weights);
	for (uint32_t b = 0; b < BONES; b++) {
		const double *begin = known->joints[known->ends[b][0]], *end = known->joints[known->ends[b][1]];
		const double along[3] = {end[0] - begin[0], end[1] - begin[1], end[2] - begin[2]};
		double u[3], v[3];
		snw_cross3(along, (double[]){0, 0, 1}, u);
		snw_normalize3(u);
		snw_cross3(along, u, v);
		snw_normalize3(v);
		for (uint32_t r = 0; r < RINGS; r++) {
			const double s = (r + 0.5) / RINGS, go = s < 0.2 && b > 0 ? 0.5 * (1 - s / 0.2) : 0;
			for (uint32_t k = 0; k < SEGMENTS; k++) {
				const uint32_t i = (b * RINGS + r) * SEGMENTS + k, next = (b * RINGS + r) * SEGMENTS + (k + 1) % SEGMENTS;
				const double angle = 2 * M_PI * k / SEGMENTS, x = 0.12 * cos(angle), y = 0.1 * sin(angle);
				for (uint32_t c = 0; c < 3; c++) {
					rest[3 * i + c] = begin[c] + s * along[c] + x * u[c] + y * v[c];
				}
				known->weights[(size_t)b * BODY_POINTS + i] = 1 - go;
				if (b > 0) {
					known->weights[(size_t)parents[b] * BODY_POINTS + i] = go;
				}
				const uint32_t above = r > 0                ? SEGMENTS
									   : b == 0 || is_apart ? 0
															: i - (parents[b] * RINGS + RINGS - 1) * SEGMENTS - k;
				if (above > 0) {
					memcpy(faces + (size_t)4 * face_count++, (uint32_t[]){i - above, next - above, next, i}, 4 * sizeof *faces);
					offsets[face_count] = 4 * face_count;
				}
			}
		}
	}
	float *posed = pose_known(known, BODY_POINTS, rest, noise, seed);
	known->scene = sequence_scene(BODY_POINTS, rest, face_count, offsets, faces, SAMPLES, posed);
	free(posed);
}

static known_skeleton make_shells(uint64_t seed, double noise_percent, bool is_apart) {
	known_skeleton known = {.bone_count = 0};
	uint64_t state = seed;
	make_bones(&known, &state);
	make_motions(&known, &state);
	make_body(&known, 0, seed, is_apart);
	const double diagonal = snw_scene_diagonal(known.scene, 0);
	snw_scene_destroy(known.scene);
	free(known.weights);
	make_body(&known, noise_percent / 100 * diagonal, seed, is_apart);
	return known;
}

static known_skeleton make_random(uint64_t seed, double noise_percent) {
	return make_shells(seed, noise_percent, false);
}

static void random_skeleton_is_recovered(void **state) {
	(void)state;
	static const struct { double noise, degrees, percent; } rows[] = {{0, 0.1, 0.05}, {0.1, 0.5, 0.2}, {1, 4, 2}};
	for (uint64_t seed = 1; seed <= 4; seed++) {
		for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
			known_skeleton known = make_random(seed, rows[r].noise);
			snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=7");
			const skeleton_gap gap = skeleton_gap_of(&known, fitted, 5);
			print_message("seed %u, noise %g %%: rotations within %.3g degrees, joints within %.3g %%\n", (unsigned)seed,
						  rows[r].noise, gap.degrees, gap.percent);
			if (!(gap.degrees < rows[r].degrees && gap.percent < rows[r].percent) || gap.joints != BONES - 1 ||
				gap.misplaced > 0) {
				fail_msg("seed %u, noise %g %%: %g degrees, %g %%, %u joints, %u misplaced", (unsigned)seed, rows[r].noise,
						 gap.degrees, gap.percent, gap.joints, gap.misplaced);
			}
			snw_scene_destroy(fitted);
			known_drop(&known);
		}
	}
}

static void shells_of_one_body_get_one_skeleton(void **state) {
	(void)state;
	known_skeleton known = make_shells(1, 0.1, true);
	snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=7");
	const skeleton_gap gap = skeleton_gap_of(&known, fitted, 5);
	if (!(gap.degrees < 1 && gap.percent < 1) || gap.joints != BONES - 1 || gap.misplaced > 0) {
		fail_msg("%g degrees, %g %%, %u joints, %u misplaced", gap.degrees, gap.percent, gap.joints, gap.misplaced);
	}
	snw_scene_destroy(fitted);
	known_drop(&known);
}

/* No surface connects anything: labels stay where they are. */
static void points_without_faces_get_a_skeleton_too(void **state) {
	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		known_skeleton known = make_random(seed, 0.1);
		((snw_mesh *)(uintptr_t)known.scene->meshes)->face_count = 0;
		snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=7");
		const skeleton_gap gap = skeleton_gap_of(&known, fitted, 5);
		print_message("seed %u: rotations within %.3g degrees, %u bones\n", (unsigned)seed, gap.degrees, gap.bones);
		assert_int_equal(gap.bones, BONES);
		assert_true(gap.degrees < 2);
		snw_scene_destroy(fitted);
		known_drop(&known);
	}
}

/* Any two clusters may merge, the merged ones too: else their number halves again and again, across bones. */
static void number_of_bones_is_found_without_faces(void **state) {
	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		known_skeleton known = make_random(seed, 0.1);
		((snw_mesh *)(uintptr_t)known.scene->meshes)->face_count = 0;
		snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=auto");
		const skeleton_gap gap = skeleton_gap_of(&known, fitted, 5);
		print_message("seed %u: %u bones within %.3g degrees\n", (unsigned)seed, fitted->slot_count, gap.degrees);
		assert_in_range(fitted->slot_count, BONES, BONES + 3);
		snw_scene_destroy(fitted);
		known_drop(&known);
	}
}

static void one_point_has_no_skeleton(void **state) {
	(void)state;
	const float posed[6] = {0, 0, 0, 1, 0, 0};
	snw_scene *scene = sequence_scene(1, (double[3]){0}, 0, (uint32_t[1]){0}, (uint32_t[1]){0}, 2, posed);
	snw_setting settings[8];
	snw_error error;
	const uint32_t count = settings_of("motion-skeleton", "bones=7", settings);
	assert_null(fitting_try(scene, registry, "motion-skeleton", count, settings, &error));
	assert_non_null(strstr(error.text, "'body' has too few points (1)"));
	snw_scene_destroy(scene);
}

static void number_of_bones_is_found(void **state) {
	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		known_skeleton known = make_random(seed, 0.1);
		snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=auto");
		print_message("seed %u: %u bones\n", (unsigned)seed, fitted->slot_count);
		assert_in_range(fitted->slot_count, BONES, BONES + 3);
		snw_scene_destroy(fitted);
		known_drop(&known);
	}
}

/* A sheet that waves everywhere, and one that nothing bends. */
static void sheets_have_no_skeleton_to_find(void **state) {
	(void)state;
	static const char *const words[] = {"no skeleton to find", "one rigid body"};
	motion *const moves[] = {wave, tumble};
	for (int i = 0; i < 2; i++) {
		snw_setting settings[8];
		snw_error error;
		snw_scene *sheet = animate(POINTS, FRAMES, put_grid, moves[i]);
		add_faces(sheet);
		const uint32_t count = settings_of("motion-skeleton", "bones=auto", settings);
		assert_null(fitting_try(sheet, registry, "motion-skeleton", count, settings, &error));
		if (!strstr(error.text, words[i])) {
			fail_msg("%s", error.text);
		}
		snw_scene_destroy(sheet);
	}
}

/* A lid on a hinge: one half stands still, the other rotates. */
static void open_lid(uint32_t i, const double *rest, uint32_t f, double *posed) {
	memcpy(posed, rest, 3 * sizeof *posed);
	if (i % SIDE >= SIDE / 2) {
		const double from_hinge[3] = {rest[0] - 0.5, rest[1], rest[2]};
		rotate_about((const double[]){0, 1, 0}, 0.06 * f, from_hinge, posed);
		posed[0] += 0.5;
	}
}

static void two_rigid_parts_are_two_bones(void **state) {
	(void)state;
	static const char *const settings[] = {"bones=auto", "bones=2"};
	snw_scene *lid = animate(POINTS, FRAMES, put_grid, open_lid);
	add_faces(lid);
	for (int k = 0; k < 2; k++) {
		snw_scene *fitted = must_fit(lid, "motion-skeleton", settings[k]);
		assert_int_equal(fitted->slot_count, 2);
		assert_false(fitting_logged("as cloth does"));
		assert_true(distances_to(&fitted->targets[0], fitted, NULL).rms < 1e-3);
		snw_scene_destroy(fitted);
	}
	snw_scene_destroy(lid);
}

static void two_points_are_no_cloth(void **state) {
	(void)state;
	const float posed[12] = {0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 0};
	const double rest[6] = {0, 0, 0, 1, 0, 0};
	snw_scene *scene = sequence_scene(2, rest, 0, (uint32_t[1]){0}, (uint32_t[1]){0}, 2, posed);
	snw_scene_destroy(must_fit(scene, "motion-skeleton", "bones=1"));
	assert_false(fitting_logged("as cloth does"));
	snw_scene_destroy(scene);
}

/* ---- what a skeleton is ---------------------------------------------------------------------------------------------------- */

static void only_rotations_and_the_root_move(void **state) {
	(void)state;
	known_skeleton known = make_random(1, 0.1);
	snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=7");
	assert_int_equal(fitted->skeleton.joint_count, 8);
	assert_int_equal(fitted->slot_count, 7);
	assert_string_equal(fitted->skeleton.names[0], "root");
	assert_int_equal(fitted->layer_count, 1);
	assert_int_equal(fitted->model_count, 0);
	for (uint32_t t = 0; t < fitted->clips[0].track_count; t++) {
		const snw_track *track = &fitted->clips[0].tracks[t];
		assert_true(track->path == SNW_PATH_ROTATION || (track->path == SNW_PATH_TRANSLATION && track->target == 0));
	}
	snw_scene_destroy(fitted);
	known_drop(&known);
}

static void any_number_of_threads_gives_the_same_skeleton(void **state) {
	(void)state;
	known_skeleton known = make_random(2, 0.1);
	snw_scene *fitted[2];
	for (int i = 0; i < 2; i++) {
		snw_parallel_threads(i == 0 ? 1 : 3);
		fitted[i] = must_fit(known.scene, "motion-skeleton", "bones=7");
	}
	snw_parallel_threads(0);
	const snw_mesh *a = fitted[0]->meshes, *b = fitted[1]->meshes;
	assert_memory_equal(fitted[0]->skeleton.rest_global, fitted[1]->skeleton.rest_global, 8 * 12 * sizeof(double));
	assert_memory_equal(a->influence_weights, b->influence_weights, a->influence_offsets[a->point_count] * sizeof(double));
	snw_scene_destroy(fitted[0]);
	snw_scene_destroy(fitted[1]);
	known_drop(&known);
}

static void skeleton_in_the_way_is_replaced_on_request_alone(void **state) {
	(void)state;
	known_skeleton known = make_random(3, 0);
	snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=7"), *again = NULL;
	snw_fit_request request = {.method = "motion-skeleton", .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	snw_error error = {0};
	assert_int_equal(snw_fit_run(fitted, registry, &request, NULL, &outcome, &error), SNW_ERROR_CONFLICT);
	assert_non_null(strstr(error.text, "--replace"));
	snw_setting settings[8];
	request.setting_count = settings_of("motion-skeleton", "bones=5", settings);
	request.settings = settings;
	request.replaces_skeleton = true;
	check_ok(snw_fit_run(fitted, registry, &request, NULL, &outcome, &error), error);
	check_ok(snw_fit_apply(fitted, &outcome, &again, &error), error);
	assert_int_equal(again->skeleton.joint_count, 6);
	assert_int_equal(again->clip_count, 1);
	snw_arena_destroy(outcome.arena);
	snw_scene_destroy(again);
	snw_scene_destroy(fitted);
	known_drop(&known);
}

static void expect_refused(const snw_scene *scene, const char *words) {
	const snw_fit_request request = {.method = "motion-skeleton", .left_out_example = SNW_NONE, .replaces_skeleton = true};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	snw_error error = {0};
	assert_int_equal(snw_fit_run(scene, registry, &request, NULL, &outcome, &error), SNW_ERROR_CONFLICT);
	if (!strstr(error.text, words)) {
		fail_msg("%s", error.text);
	}
	snw_arena_destroy(outcome.arena);
}

static void skeleton_that_something_needs_is_not_replaced(void **state) {
	(void)state;
	known_skeleton known = make_random(3, 0);
	snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=7");
	snw_target targets[2] = {fitted->targets[0], fitted->targets[0]};
	targets[1].name = "muscles";
	targets[1].clip = 0;
	snw_scene *scene = snw_scene_copy(fitted);
	scene->targets = targets;
	scene->target_count = 2;
	expect_refused(scene, "target 'muscles'");
	snw_mesh meshes[2] = {fitted->meshes[0], fitted->meshes[0]};
	meshes[1].name = "cloth";
	targets[0].mesh = 1;
	scene->target_count = 1;
	scene->meshes = meshes;
	scene->mesh_count = 2;
	expect_refused(scene, "mesh 'body'");
	snw_scene *learned = must_fit(fitted, "linear-blend-fit", "");
	expect_refused(learned, "layer 'linear-blend-fit'");
	snw_scene_destroy(learned);
	snw_scene_destroy(scene);
	snw_scene_destroy(fitted);
	known_drop(&known);
}

/* ---- stopping -------------------------------------------------------------------------------------------------------------- */

typedef struct patience {
	uint32_t most, steps;  /* of fitting joints */
	double first, present; /* their progress */
} patience;

static bool count_steps(void *context, double fraction, const char *activity) {
	patience *p = context;
	if (strcmp(activity, "fitting joints") != 0) {
		return true;
	}
	p->first = p->steps == 0 ? fraction : p->first;
	p->present = fraction;
	return ++p->steps < p->most;
}

/* A turn may be stopped behind weights, sums, rotations, and the frames of pivots. */
static void fit_stops_within_a_turn(void **state) {
	(void)state;
	known_skeleton known = make_random(1, 0.1);
	const snw_fit_request request = {.method = "motion-skeleton", .left_out_example = SNW_NONE};
	for (uint32_t most = 2; most <= 5; most++) {
		patience limit = {.most = most};
		const snw_task task = {.context = &limit, .progress = count_steps};
		snw_fit_outcome outcome = {.arena = snw_arena_create()};
		snw_error error = {0};
		assert_int_equal(snw_fit_run(known.scene, registry, &request, &task, &outcome, &error), SNW_CANCELLED);
		assert_int_equal(limit.steps, most);
		assert_true(limit.present == limit.first);
		assert_true(outcome.seconds == 0);
		snw_arena_destroy(outcome.arena);
	}
	known_drop(&known);
}

/* The sequence has poses now, so methods that learn from poses can read it. */
static void weights_can_be_learned_from_the_frames_afterwards(void **state) {
	(void)state;
	known_skeleton known = make_random(4, 0.1);
	snw_scene *fitted = must_fit(known.scene, "motion-skeleton", "bones=7");
	snw_scene *learned = must_fit(fitted, "linear-blend-fit", "");
	const double before = distances_to(&fitted->targets[0], fitted, NULL).rms;
	assert_true(distances_to(&learned->targets[0], learned, NULL).rms <= before);
	snw_scene_destroy(learned);
	snw_scene_destroy(fitted);
	known_drop(&known);
}

/* ---- real data with a known skeleton ------------------------------------------------------------------------------------- */

static FILE *open_data(const char *name) {
	FILE *file = fopen(check_data(name), "r");
	assert_non_null(file);
	return file;
}

static void read_numbers(FILE *file, size_t count, double *dest) {
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(fscanf(file, "%lf", &dest[i]), 1);
	}
}

/* Nodes are joints, edge b is bone b. */
static void read_tgf(FILE *file, known_skeleton *known) {
	char line[200];
	bool edges = false;
	while (fgets(line, sizeof line, file)) {
		unsigned a, b;
		double p[3];
		edges = edges || line[0] == '#';
		if (!edges && sscanf(line, "%u %lf %lf %lf", &a, &p[0], &p[1], &p[2]) == 4) {
			memcpy(known->joints[a], p, sizeof p);
		} else if (edges && known->bone_count < MOST_KNOWN_BONES && sscanf(line, "%u %u", &a, &b) == 2) {
			known->ends[known->bone_count][0] = a;
			known->ends[known->bone_count++][1] = b;
		}
	}
	fclose(file);
}

/* Points and triangles alone: the cylinder's faces name UVs that its file does not have. */
typedef struct plain_mesh {
	uint32_t point_count, face_count;
	double *points;
	uint32_t *offsets, *corners;
} plain_mesh;

static plain_mesh read_plain(FILE *file) {
	enum { MOST = 20000 };
	plain_mesh mesh = {.points = calloc((size_t)3 * MOST, sizeof(double)),
					   .offsets = calloc(MOST, sizeof(uint32_t)),
					   .corners = calloc((size_t)3 * MOST, sizeof(uint32_t))};
	char line[300];
	while (fgets(line, sizeof line, file)) {
		double *p = mesh.points + (size_t)3 * mesh.point_count;
		uint32_t *corner = mesh.corners + (size_t)3 * mesh.face_count;
		if (sscanf(line, "v %lf %lf %lf", &p[0], &p[1], &p[2]) == 3) {
			mesh.point_count++;
		} else if (sscanf(line, "f %u%*[^ ] %u%*[^ ] %u", &corner[0], &corner[1], &corner[2]) == 3 ||
				   sscanf(line, "f %u %u %u", &corner[0], &corner[1], &corner[2]) == 3) {
			for (int k = 0; k < 3; k++) {
				corner[k]--;
			}
			mesh.face_count++;
			mesh.offsets[mesh.face_count] = 3 * mesh.face_count;
		}
		assert_true(mesh.point_count + 1 < MOST && mesh.face_count + 1 < MOST);
	}
	fclose(file);
	return mesh;
}

static void read_motions(const char *name, known_skeleton *known) {
	char path[100];
	known->motions = malloc(sizeof *known->motions * known->bone_count * known->frame_count);
	for (uint32_t f = 0; f < known->frame_count; f++) {
		snprintf(path, sizeof path, "%s/pose-%u.tmat", name, f + 1);
		FILE *file = open_data(path);
		for (uint32_t b = 0; b < known->bone_count; b++) {
			double columns[12];
			read_numbers(file, 12, columns);
			for (int k = 0; k < 12; k++) {
				known->motions[(size_t)f * known->bone_count + b][4 * (k % 3) + k / 3] = columns[k];
			}
		}
		fclose(file);
	}
}

/* The frames are posed by the files' transforms and weights, which is what their meshes are. */
static known_skeleton read_known(const char *name, uint32_t frames) {
	known_skeleton known = {.frame_count = frames};
	char path[100];
	snprintf(path, sizeof path, "%s/skeleton.tgf", name);
	read_tgf(open_data(path), &known);
	snprintf(path, sizeof path, "%s/rest.obj", name);
	const plain_mesh mesh = read_plain(open_data(path));
	snprintf(path, sizeof path, "%s/weights.dmat", name);
	FILE *file = open_data(path);
	double counts[2];
	read_numbers(file, 2, counts);
	assert_int_equal((uint32_t)counts[0], known.bone_count);
	assert_int_equal((uint32_t)counts[1], mesh.point_count);
	known.weights = malloc((size_t)known.bone_count * mesh.point_count * sizeof *known.weights);
	read_numbers(file, (size_t)known.bone_count * mesh.point_count, known.weights);
	fclose(file);
	read_motions(name, &known);
	float *posed = pose_known(&known, mesh.point_count, mesh.points, 0, 1);
	known.scene = sequence_scene(mesh.point_count, mesh.points, mesh.face_count, mesh.offsets, mesh.corners, frames, posed);
	free(posed);
	free(mesh.points);
	free(mesh.offsets);
	free(mesh.corners);
	return known;
}

static skeleton_gap recover(const char *name, uint32_t frames, uint32_t bones) {
	char setting[20];
	known_skeleton known = read_known(name, frames);
	snprintf(setting, sizeof setting, "bones=%u", bones);
	snw_scene *fitted = must_fit(known.scene, "motion-skeleton", setting);
	const skeleton_gap gap = skeleton_gap_of(&known, fitted, 5);
	print_message(
		"%s: rotations %.3g degrees on average, at most %.3g; %u joints %.3g %% on average, at most %.3g; %u misplaced\n", name,
		gap.mean_degrees, gap.degrees, gap.joints, gap.mean_percent, gap.percent, gap.misplaced);
	snw_scene_destroy(fitted);
	known_drop(&known);
	return gap;
}

static void wolf_gives_its_skeleton_back(void **state) {
	(void)state;
	const skeleton_gap gap = recover("wolf", 21, 21);
	assert_int_equal(gap.misplaced, 0);
	assert_in_range(gap.joints, 18, 20);
	assert_true(gap.mean_degrees < 1 && gap.degrees < 4);
	assert_true(gap.mean_percent < 2 && gap.percent < 8);
}

static void cylinder_gives_its_skeleton_back(void **state) {
	(void)state;
	const skeleton_gap gap = recover("cylinder", 4, 4);
	assert_int_equal(gap.misplaced, 0);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_skeleton_is_recovered),
		cmocka_unit_test(shells_of_one_body_get_one_skeleton),
		cmocka_unit_test(points_without_faces_get_a_skeleton_too),
		cmocka_unit_test(number_of_bones_is_found_without_faces),
		cmocka_unit_test(one_point_has_no_skeleton),
		cmocka_unit_test(number_of_bones_is_found),
		cmocka_unit_test(sheets_have_no_skeleton_to_find),
		cmocka_unit_test(two_rigid_parts_are_two_bones),
		cmocka_unit_test(two_points_are_no_cloth),
		cmocka_unit_test(only_rotations_and_the_root_move),
		cmocka_unit_test(any_number_of_threads_gives_the_same_skeleton),
		cmocka_unit_test(skeleton_in_the_way_is_replaced_on_request_alone),
		cmocka_unit_test(skeleton_that_something_needs_is_not_replaced),
		cmocka_unit_test(fit_stops_within_a_turn),
		cmocka_unit_test(weights_can_be_learned_from_the_frames_afterwards),
		cmocka_unit_test(wolf_gives_its_skeleton_back),
		cmocka_unit_test(cylinder_gives_its_skeleton_back),
	};
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
