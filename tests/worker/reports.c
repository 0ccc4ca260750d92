/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Long work reports often: each stage reports at least once for each frame that it reads. With the argument `timed`, the
 * longest silence counts too: between two reports or questions whether to stop, no loop over points and frames may do more than
 * a small part of the work that the limit of a worker allows (worker/worker.h), also for 1,000,000 points and 200 frames. It is
 * measured in processor time of one thread and scaled up: by points and frames, by points alone where the code between two
 * reports sees a fixed number of frames, not at all where it sees a fixed number of points. The full suite counts, whatever the
 * machine, on meshes of few points, for which stages have to report as often; the long one measures.
 */
#include "deformers/must_fit.h"
#include "deformers/thinned.h"

#include "export/export.h"
#include "measure/measure.h"
#include "sample/sample.h"
#include "sinew/kit/clock.h"
#include "worker/job/job.h"

#ifdef __SANITIZE_ADDRESS__
enum { TIMED_COLUMNS = 40, SLOWER = 8 };
#else
enum { TIMED_COLUMNS = 100, SLOWER = 1 };
#endif
enum { COUNTED_COLUMNS = 16, COUNTED_FRAMES = 10, TIMED_FRAMES = 50 };
static const double LARGE_POINTS = 1e6, LARGE_FRAMES = 200;
static const double LONGEST_SILENCE = 60; /* seconds that a worker may be silent, by default */
static bool is_timed;
static uint32_t columns = COUNTED_COLUMNS, frame_count = COUNTED_FRAMES; /* of the sheet, which has as many rows */

/* The size of a stage: factors of one that has 1,000,000 points and 200 frames; and the frames that it reads. */
typedef struct stage_size {
	double points, frames;
	uint32_t frame_count;
} stage_size;

/* ---- listening ----------------------------------------------------------------------------------------------------------- */

typedef struct silence {
	double last, longest, begun;
	char activity[80], before[80]; /* the last report, and the one that the longest silence followed */
	uint32_t reports;
} silence;

static void end_silence(silence *s) {
	const double seconds = snk_clock_thread_seconds();
	if (seconds - s->last > s->longest) {
		s->longest = seconds - s->last;
		snprintf(s->before, sizeof s->before, "%s", s->activity);
	}
	s->last = seconds;
}

static bool listen(void *context, double fraction, const char *activity) {
	silence *s = context;
	(void)fraction;
	end_silence(s);
	s->reports++;
	snprintf(s->activity, sizeof s->activity, "%s", activity);
	s->last = snk_clock_thread_seconds();
	return true;
}

static silence begin(void) {
	const double seconds = snk_clock_thread_seconds();
	return (silence){.last = seconds, .begun = seconds, .activity = "the beginning"};
}

static void end(silence *s, const char *stage, stage_size size) {
	end_silence(s);
	const double scaled = s->longest * size.points * size.frames;
	print_message("%-28s %7.2f s, %6u reports, longest silence %7.4f s after '%s': %6.1f s at 1,000,000 x 200\n", stage,
				  s->last - s->begun, s->reports, s->longest, s->before, scaled);
	if (s->reports < size.frame_count) {
		fail_msg("%s reports %u times in %u frames", stage, s->reports, size.frame_count);
	}
	if (is_timed && scaled > SLOWER * LONGEST_SILENCE) {
		fail_msg("%s is silent for too long after '%s'", stage, s->before);
	}
}

/* ---- a sheet that waves -------------------------------------------------------------------------------------------------- */

static void put_point(uint32_t i, uint32_t frame, float *point) {
	const uint32_t column = i % columns, row = i / columns;
	const double u = (double)column / (columns - 1), v = (double)row / (columns - 1);
	point[0] = (float)(u + 0.05 * sin(0.5 * frame + 4 * v));
	point[1] = (float)v;
	point[2] = (float)(0.2 * sin(6 * u + 0.4 * frame) + 0.1 * cos(5 * v - 0.3 * frame));
}

static void write_rest(const char *path) {
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	for (uint32_t i = 0; i < columns * columns; i++) {
		float point[3];
		put_point(i, 0, point);
		fprintf(file, "v %.9g %.9g %.9g\n", (double)point[0], (double)point[1], (double)point[2]);
	}
	for (uint32_t row = 0; row + 1 < columns; row++) {
		for (uint32_t column = 0; column + 1 < columns; column++) {
			const uint32_t corner = row * columns + column + 1;
			fprintf(file, "f %u %u %u %u\n", corner, corner + 1, corner + columns + 1, corner + columns);
		}
	}
	fclose(file);
}

static void write_frames(const char *path) {
	static float points[3 * TIMED_COLUMNS * TIMED_COLUMNS];
	double seconds[TIMED_FRAMES];
	snw_cache_write *cache;
	snw_error error;
	for (uint32_t f = 0; f < frame_count; f++) {
		seconds[f] = f / 24.0;
	}
	check_ok(snw_cache_begin(path, SNW_CACHE_PC2, columns * columns, frame_count, seconds, &cache, &error), error);
	for (uint32_t f = 0; f < frame_count; f++) {
		for (uint32_t i = 0; i < columns * columns; i++) {
			put_point(i, f, points + 3 * (size_t)i);
		}
		snw_cache_frame(cache, points);
	}
	check_ok(snw_cache_commit(cache, &error), error);
}

/* ---- stages -------------------------------------------------------------------------------------------------------------- */

static snw_scene *fit_stage(const snw_scene *scene, const char *method, const char *settings, stage_size size) {
	silence watch = begin();
	snw_fit_outcome outcome;
	snw_scene *fitted = NULL;
	snw_error error = {0};
	(void)fit_watched(scene, method, settings, listen, &watch, &outcome);
	end(&watch, method, size);
	check_ok(snw_fit_apply(scene, &outcome, &fitted, &error), error);
	snw_arena_destroy(outcome.arena);
	return fitted;
}

static void measure_stage(const snw_scene *scene, const char *stage, stage_size size) {
	silence watch = begin();
	const snw_task task = {.context = &watch, .progress = listen};
	const snw_measure_request request = {.target = 0, .mesh = scene->targets[0].mesh};
	snw_measure measure;
	snw_error error;
	check_ok(snw_measure_run(scene, registry, &request, &task, &measure, &error), error);
	end(&watch, stage, size);
}

static void export_stage(const snw_scene *scene, const char *name, stage_size size) {
	fitting_stack stack = fitting_stack_of(scene, registry, NULL);
	silence watch = begin();
	const snw_task task = {.context = &watch, .progress = listen};
	const snw_export_request request = {.path = check_scratch(name), .mesh = SNW_NONE, .clip = 0, .influences = 4};
	snw_export_report report;
	snw_error error;
	check_ok(snw_export(scene, stack.stack, &request, &task, &report, &error), error);
	end(&watch, name, size);
	unlink(request.path);
	fitting_stack_drop(&stack);
}

static stage_size size_of_sheet(void) {
	return (stage_size){LARGE_POINTS / (columns * columns), LARGE_FRAMES / frame_count, frame_count};
}

/* Imports the sheet and reads the project. */
static snw_scene *read_sheet(void) {
	char rest[1000], frames[1000], project[1000];
	snprintf(rest, sizeof rest, "%s", check_scratch("sheet.obj"));
	snprintf(frames, sizeof frames, "%s", check_scratch("sheet.pc2"));
	snprintf(project, sizeof project, "%s", check_scratch("sheet.sinew"));
	write_rest(rest);
	write_frames(frames);
	const snw_import_request request = {.sequence = frames, .rest = rest};
	silence watch = begin();
	const snw_task task = {.context = &watch, .progress = listen};
	snw_error error;
	check_ok(snw_job_import(&request, project, &task, &error), error);
	end(&watch, "import", size_of_sheet());
	snw_scene *scene = NULL;
	watch = begin();
	check_ok(snw_job_open(project, &task, &scene, &error), error);
	end(&watch, "read", size_of_sheet());
	unlink(rest);
	unlink(frames);
	unlink(project);
	return scene;
}

static void mesh_animations_report_often(void **state) {
	(void)state;
	const stage_size size = size_of_sheet(), of_points = {size.points, 1, frame_count};
	snw_scene *scene = read_sheet(), *skeleton = fit_stage(scene, "motion-skeleton", "bones=8", size);
	snw_scene_destroy(skeleton);
	snw_scene *fitted = fit_stage(scene, "sad", is_timed ? "joints=20" : "joints=6", of_points); /* a block of frames */
	snw_scene *refined = fit_stage(
		scene, "sad", is_timed ? "joints=20 blend=linear refine=6 eigen=4" : "joints=6 blend=linear refine=2 eigen=2", size);
	measure_stage(fitted, "measure sad", size);
	export_stage(fitted, "sheet.glb", size);
	export_stage(fitted, "sheet-out.pc2", size);
	snw_scene_destroy(refined);
	snw_scene_destroy(fitted);
	snw_scene_destroy(scene);
}

/* An arm of enough points for methods that report for so many of them; fewer frames, where it is not timed. */
static snw_scene *make_character(void) {
	snw_scene *scene = snw_scene_create();
	snw_error error;
	check_ok(is_timed ? snw_sample_make_arm(scene, &error) : snw_sample_make_tiny_arm(scene, &error), error);
	if (!is_timed) {
		thin_targets(scene, 15);
	}
	return scene;
}

static void characters_report_often(void **state) {
	(void)state;
	static const struct {
		const char *name, *settings;
		bool factors;           /* its fit factors a matrix of all points in one piece */
		bool exports_by_points; /* its export fits a fixed number of points at a time */
	} methods[] = {{"linear-blend-fit", "", false, false}, {"animation-space", "", true, false},
				   {"multi-weight", "", false, true},      {"helper-joints", "helpers=4", false, false},
				   {"pose-regression", "", false, false},  {"rotational-regression", "proxies=20", false, false}};
	snw_scene *scene = make_character();
	const double points = LARGE_POINTS / scene->meshes[0].point_count;
	uint32_t frames = 0;
	for (uint32_t t = 0; t < scene->target_count; t++) {
		frames += scene->targets[t].frame_count;
	}
	for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
		const stage_size all = {points, methods[i].factors ? 1 : LARGE_FRAMES / frames, frames};
		const uint32_t of_first = scene->targets[0].frame_count;
		const stage_size of_clip = {points, LARGE_FRAMES / of_first, of_first};
		snw_scene *fitted = fit_stage(scene, methods[i].name, methods[i].settings, all);
		char name[100];
		snprintf(name, sizeof name, "measure %s", methods[i].name);
		measure_stage(fitted, name, of_clip);
		snprintf(name, sizeof name, "%s.glb", methods[i].name);
		export_stage(fitted, name, methods[i].exports_by_points ? (stage_size){1, 1, of_first} : of_clip);
		snw_scene_destroy(fitted);
	}
	snw_scene_destroy(scene);
}

/* A corrective reads sculpts, and weights may be made of the shape alone: these report for each sculpt, and for each joint. */
static void shapes_report_often(void **state) {
	(void)state;
	snw_scene *scene = make_character();
	const double points = LARGE_POINTS / scene->meshes[0].point_count;
	snw_scene_destroy(fit_stage(scene, "inverse-psd", "", (stage_size){points, 1, scene->example_count}));
	snw_scene_destroy(fit_stage(scene, "skin-weights", "source=heat", (stage_size){points, 1, scene->skeleton.joint_count}));
	snw_scene_destroy(fit_stage(scene, "skin-weights", "", (stage_size){points, 1, scene->targets[0].frame_count}));
	snw_scene_destroy(scene);
}

static int open_single(void **state) {
	snw_parallel_threads(1);
	snw_services_report_every(0);
	return open_registry(state);
}

TEST_GROUP(reports) {
	is_timed = argc > 1 && strcmp(argv[1], "timed") == 0;
	if (is_timed) {
		columns = TIMED_COLUMNS;
		frame_count = TIMED_FRAMES;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mesh_animations_report_often),
		cmocka_unit_test(characters_report_often),
		cmocka_unit_test(shapes_report_often),
	};
	return cmocka_run_group_tests(tests, open_single, close_registry);
}
