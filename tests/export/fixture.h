/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the tests of glTF export: a scene with its stack, exported, and the file's playback compared with the stack.
 */
#ifndef SINEW_TESTS_EXPORT_FIXTURE_H
#define SINEW_TESTS_EXPORT_FIXTURE_H

#include "check.h"

#include "export/export.h"
#include "export/players/player.h"
#include "fit/fit.h"
#include "kept_registry.h"
#include "mesh/mesh.h"
#include "pose/pose.h"
#include "sample/sample.h"
#include "sinew/algebra.h"
#include "tiny_arm.h"

/* ---- fixtures --------------------------------------------------------------------------------------------------------- */

typedef struct fixture {
	snw_scene *scene;
	snw_registry *registry;
	snw_stack *stack;
	snw_export_report report;
	const char *path;
} fixture;

static inline void add_layer(snw_scene *scene, const char *name, const char *deformer, const char *key, double value) {
	snw_layer *layers = SNW_NEW_ARRAY(scene->arena, snw_layer, (size_t)scene->layer_count + 1);
	if (scene->layer_count > 0) {
		memcpy(layers, scene->layers, scene->layer_count * sizeof *layers);
	}
	snw_layer *layer = &layers[scene->layer_count++];
	*layer = (snw_layer){.name = name, .deformer = deformer, .deformer_version = "1.0", .model = SNW_NONE};
	if (key) {
		snw_setting *setting = SNW_NEW(scene->arena, snw_setting);
		*setting = (snw_setting){key, SNW_VALUE(value)};
		layer->settings = setting;
		layer->setting_count = 1;
	}
	scene->layers = layers;
}

static inline fixture sample_arm(void) {
	fixture f = {.registry = kept_registry_with("test-corrective", TEST_CORRECTIVE)};
	snw_error error = {0};
	check_ok(make_tiny_arm(&f.scene, &error), error);
	return f;
}

static inline void build_stack(fixture *f) {
	snw_error error = {0};
	check_ok(snw_stack_build(f->scene, f->registry, NULL, NULL, &f->stack, &error), error);
}

static inline void end(fixture *f) {
	snw_stack_destroy(f->stack);
	snw_scene_destroy(f->scene);
}

/* The sample arm with inverse PSD fitted to its two sculpts. */
static inline fixture fitted_arm(void) {
	fixture f = sample_arm();
	snw_error error = {0};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	const snw_fit_request request = {.method = "inverse-psd", .left_out_example = SNW_NONE};
	snw_scene *fitted = NULL;
	assert_true(!snw_failed(snw_fit_run(f.scene, f.registry, &request, NULL, &outcome, &error)));
	check_ok(snw_fit_apply(f.scene, &outcome, &fitted, &error), error);
	snw_arena_destroy(outcome.arena);
	snw_scene_destroy(f.scene);
	f.scene = fitted;
	build_stack(&f);
	return f;
}

/* A path for a file: in the folder that the validator reads (SINEW_EXPORTS), if it is set. */
static inline const char *place(const char *name) {
	static char paths[8][2048];
	static unsigned next;
	const char *folder = getenv("SINEW_EXPORTS");
	char *path = paths[next++ % 8];
	if (!folder) {
		return check_scratch(name);
	}
	snprintf(path, sizeof paths[0], "%s/%s", folder, name);
	return path;
}

static inline snw_status export_to(fixture *f, const char *path, uint32_t influences, const snw_task *task, snw_error *error) {
	const snw_export_request request = {.path = path, .mesh = SNW_NONE, .clip = SNW_NONE, .influences = influences};
	f->path = path;
	return snw_export(f->scene, f->stack, &request, task, &f->report, error);
}

/* ---- the file against the stack ----------------------------------------------------------------------------------------- */

static inline double compare_pose(const fixture *f, const player *p, const snw_pose *pose, snw_arena *arena) {
	snw_error error = {0};
	double worst = 0;
	snw_evaluation *evaluation = snw_evaluation_create(f->stack);
	check_ok(snw_stack_drive(f->stack, snw_pose_view_make(f->scene, pose, arena), evaluation, &error), error);
	int written = 0;
	for (uint32_t m = 0; m < f->scene->mesh_count; m++) {
		const snw_mesh *mesh = &f->scene->meshes[m];
		if (mesh->point_count == 0) {
			continue;
		}
		double *truth = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count);
		check_ok(snw_stack_reference(f->stack, evaluation, m, NULL, truth, &error), error);
		snw_vertices vertices;
		snw_vertices_split(mesh, arena, &vertices);
		const double diagonal = snw_scene_diagonal(f->scene, m);
		int count = 0;
		double *played = player_points(p, player_node_of_mesh(p, written++), &count);
		assert_int_equal(count, vertices.count);
		for (uint32_t v = 0; v < vertices.count; v++) {
			double gap[3];
			for (size_t c = 0; c < 3; c++) {
				gap[c] = played[3 * (size_t)v + c] - truth[3 * (size_t)vertices.points[v] + c];
			}
			worst = fmax(worst, snw_length3(gap) / diagonal);
		}
		free(played);
	}
	snw_evaluation_destroy(evaluation);
	return worst;
}

/* The largest distance, as a part of the diagonal, at `moments` times of each clip and at the pose of the file. */
static inline double compare(const fixture *f, int moments) {
	player *p = player_open(f->path);
	assert_non_null(p);
	snw_arena *arena = snw_arena_create();
	const uint32_t found = snw_scene_find_pose(f->scene, "default");
	player_pose(p, -1, 0);
	double worst = compare_pose(f, p, found == SNW_NONE ? snw_pose_rest(f->scene, arena) : &f->scene->poses[found], arena);
	for (uint32_t c = 0; c < f->scene->clip_count; c++) {
		const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(player_list(p, "animations", (int)c), "name"));
		assert_string_equal(name, f->scene->clips[c].name);
		for (int i = 0; i < moments; i++) {
			const double seconds = f->scene->clips[c].duration_seconds * (i + 0.37) / moments;
			player_pose(p, (int)c, seconds);
			worst = fmax(worst, compare_pose(f, p, snw_pose_sample(f->scene, c, seconds, arena), arena));
		}
	}
	snw_arena_destroy(arena);
	player_close(p);
	return worst;
}

/* The same at one moment of a clip. */
static inline double compare_at(const fixture *f, uint32_t clip, double seconds) {
	player *p = player_open(f->path);
	assert_non_null(p);
	snw_arena *arena = snw_arena_create();
	player_pose(p, (int)clip, seconds);
	const double worst = compare_pose(f, p, snw_pose_sample(f->scene, clip, seconds, arena), arena);
	snw_arena_destroy(arena);
	player_close(p);
	return worst;
}

#endif
