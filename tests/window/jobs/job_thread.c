/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the window gets from a job: the project as it is in its file, even if the job failed after a change.
 */
#include "window/jobs/job_thread.h"

#include <SDL.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "plugin/registry.h"
#include "sample/sample.h"

typedef struct fixture {
	char path[64];
	snw_registry *registry;
	snw_job_thread *thread;
	snw_document *document;
} fixture;

static snw_error fault;

static snw_job *wait_for(fixture *f, snw_job *job) {
	snw_job_thread_send(f->thread, job, f->document, 0);
	snw_job *done = NULL;
	while (!(done = snw_job_thread_collect(f->thread))) {
		SDL_Delay(1);
	}
	return done;
}

static snw_status open_project(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	(void)job;
	snprintf(context->path, sizeof context->path, "%s", *(const char **)request);
	return snw_project_open(context->path, false, &context->project, error);
}

static fixture fixture_open(void) {
	fixture f = {.registry = snw_registry_open()};
	snw_scene *scene = NULL;
	snprintf(f.path, sizeof f.path, "job-thread-%d.sinew", (int)getpid());
	check_ok(snw_sample_make("arm", &scene, &fault), fault);
	check_ok(snw_project_write(f.path, scene, "sample arm", &fault), fault);
	snw_scene_destroy(scene);
	check_ok(snw_job_thread_create(f.registry, SDL_USEREVENT, &f.thread, &fault), fault);
	check_ok(snw_document_load(NULL, NULL, 0, f.registry, NULL, &f.document, NULL, &fault), fault);
	snw_job *job = snw_job_create("opening", sizeof(const char *));
	*(const char **)job->request = f.path;
	job->opens = true;
	job->run = open_project;
	job = wait_for(&f, job);
	check_ok(job->status, job->error);
	snw_document_destroy(f.document);
	f.document = job->document;
	job->document = NULL;
	snw_job_destroy(job);
	return f;
}

static void fixture_close(fixture *f) {
	snw_job_thread_destroy(f->thread);
	snw_document_destroy(f->document);
	snw_registry_close(f->registry);
	unlink(f->path);
}

/* Changes the project where the request says so, and fails. */
static snw_status go_wrong(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	(void)job;
	const bool changes = *(const bool *)request;
	snw_status status = changes ? snw_project_begin(context->project, "remove an example", error) : SNW_OK;
	const snw_scene *scene = context->document->scene;
	if (changes && !snw_failed(status)) {
		status = snw_project_remove(context->project, SNW_PROJECT_EXAMPLE, scene->examples[0].id, error);
		status = snw_failed(status) ? status : snw_project_commit(context->project, error);
	}
	return snw_failed(status) ? status : snw_fail(error, SNW_ERROR_INTERNAL, "what follows from it went wrong");
}

static snw_job *failing(bool changes) {
	snw_job *job = snw_job_create("failing", sizeof(bool));
	*(bool *)job->request = changes;
	job->run = go_wrong;
	return job;
}

static void job_that_fails_after_a_change_brings_the_changed_project(void **state) {
	(void)state;
	fixture f = fixture_open();
	const uint32_t examples = f.document->scene->example_count;
	assert_true(examples > 0);
	snw_job *job = wait_for(&f, failing(true));
	assert_int_equal(job->status, SNW_ERROR_INTERNAL);
	assert_string_equal(job->error.text, "what follows from it went wrong");
	assert_non_null(job->document);
	assert_int_equal(job->document->scene->example_count, examples - 1);
	assert_true(job->document->follows); /* its meshes can be kept */
	snw_job_destroy(job);
	fixture_close(&f);
}

static void job_that_fails_without_a_change_brings_nothing(void **state) {
	(void)state;
	fixture f = fixture_open();
	snw_job *job = wait_for(&f, failing(false));
	assert_int_equal(job->status, SNW_ERROR_INTERNAL);
	assert_null(job->document);
	snw_job_destroy(job);
	fixture_close(&f);
}

/* Replaces a model, and leaves the change to be stored. The request says whether the file may grow no more. */
static snw_status finish_fit(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	enum { BYTES = 1 << 20 };
	const snw_saved_model model = {.name = "large",
								   .deformer = "org.example",
								   .deformer_version = "1",
								   .bytes = snw_arena_acquire(job->arena, BYTES),
								   .byte_count = BYTES};
	snw_status status = snw_project_begin(context->project, "fit", error);
	status = snw_failed(status) ? status : snw_project_put_model(context->project, &model, NULL, error);
	status = snw_failed(status) ? status : snw_project_finish(context->project, error);
	struct stat file;
	if (!snw_failed(status) && *(const bool *)request && stat(context->path, &file) == 0) {
		setrlimit(RLIMIT_FSIZE, &(struct rlimit){(rlim_t)file.st_size, RLIM_INFINITY});
	}
	return status;
}

static snw_job *finishing(bool fills_the_disk) {
	snw_job *job = snw_job_create("fitting", sizeof(bool));
	*(bool *)job->request = fills_the_disk;
	job->run = finish_fit;
	return job;
}

static uint32_t stored_models(const fixture *f) {
	snw_project *project = NULL;
	snw_scene *scene = NULL;
	check_ok(snw_project_open(f->path, true, &project, &fault), fault);
	check_ok(snw_project_scene(project, &scene, &fault), fault);
	const uint32_t count = scene->model_count;
	snw_scene_destroy(scene);
	snw_project_close(project);
	return count;
}

/* Its document comes first; the thread is busy until the change is in the file. */
static void job_that_leaves_its_change_is_shown_and_then_stored(void **state) {
	(void)state;
	fixture f = fixture_open();
	const uint32_t models = f.document->scene->model_count;
	snw_job *job = wait_for(&f, finishing(false));
	check_ok(job->status, job->error);
	assert_int_equal(job->document->scene->model_count, models + 1);
	assert_string_equal(job->document->undo, "fit");
	while (snw_job_thread_is_busy(f.thread)) {
		SDL_Delay(1);
	}
	assert_null(snw_job_thread_collect(f.thread));
	assert_int_equal(stored_models(&f), models + 1);
	snw_job_destroy(job);
	fixture_close(&f);
}

static void change_that_cannot_be_stored_is_no_longer_shown(void **state) {
	(void)state;
	fixture f = fixture_open();
	const uint32_t models = f.document->scene->model_count;
	struct rlimit before;
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	snw_job *job = wait_for(&f, finishing(true)), *failed = NULL;
	check_ok(job->status, job->error);
	assert_int_equal(job->document->scene->model_count, models + 1);
	while (!failed && snw_job_thread_is_busy(f.thread)) {
		SDL_Delay(1);
		failed = snw_job_thread_collect(f.thread);
	}
	setrlimit(RLIMIT_FSIZE, &before);
	signal(SIGXFSZ, SIG_DFL);
	assert_non_null(failed);
	assert_int_equal(failed->status, SNW_ERROR_IO);
	assert_non_null(strstr(failed->error.text, f.path));
	assert_int_equal(failed->document->scene->model_count, models);
	assert_null(failed->document->undo);
	assert_true(failed->document->follows);
	assert_false(snw_job_thread_is_busy(f.thread));
	assert_int_equal(stored_models(&f), models);
	snw_document_destroy(f.document);
	f.document = failed->document;
	failed->document = NULL;
	snw_job_destroy(failed);
	snw_job_destroy(job);
	/* It goes on working. */
	job = wait_for(&f, finishing(false));
	check_ok(job->status, job->error);
	snw_job_destroy(job);
	snw_job_thread_destroy(f.thread); /* waits for what is not stored */
	assert_int_equal(stored_models(&f), models + 1);
	f.thread = NULL;
	fixture_close(&f);
}

static void project_that_is_opened_is_prepared_for_the_graphics_card(void **state) {
	(void)state;
	fixture f = fixture_open();
	assert_false(f.document->follows);
	assert_non_null(f.document->gpu_data);
	fixture_close(&f);
}

static void layer_that_failed_stays_left_out_where_an_example_cannot_be_shown_alone(void **state) {
	(void)state;
	fixture f = fixture_open();
	snw_project *project = NULL;
	snw_document *document = NULL;
	snw_error caveat = {0};
	const snw_scene *scene = f.document->scene;
	snw_preview preview = {.solo = scene->examples[0].id};
	assert_true(scene->layer_count > 0 && snw_preview_leave_out(&preview, scene->layers[0].id));
	check_ok(snw_project_open(f.path, true, &project, &fault), fault);
	check_ok(snw_document_load(project, f.path, &preview, f.registry, NULL, &document, &caveat, &fault), fault);
	assert_non_null(strstr(caveat.text, "nothing has been fitted"));
	assert_true(document->left_out[0]);
	assert_non_null(document->shown); /* the stack is not the project's */
	assert_true(document->shown->layers[0].muted);
	assert_int_equal(document->solo, SNW_NONE);
	snw_document_destroy(document);
	snw_project_close(project);
	fixture_close(&f);
}

static void only_so_many_layers_are_left_out(void **state) {
	(void)state;
	snw_preview preview = {0};
	for (int64_t id = 1; id <= SNW_LEFT_OUT_MOST; id++) {
		assert_true(snw_preview_leave_out(&preview, id));
	}
	assert_true(snw_preview_leave_out(&preview, 7));
	assert_false(snw_preview_leave_out(&preview, 1000));
	snw_preview_include(&preview, 7);
	assert_true(snw_preview_leave_out(&preview, 1000));
}

TEST_GROUP(job_thread) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(job_that_fails_after_a_change_brings_the_changed_project),
		cmocka_unit_test(job_that_fails_without_a_change_brings_nothing),
		cmocka_unit_test(job_that_leaves_its_change_is_shown_and_then_stored),
		cmocka_unit_test(change_that_cannot_be_stored_is_no_longer_shown),
		cmocka_unit_test(project_that_is_opened_is_prepared_for_the_graphics_card),
		cmocka_unit_test(layer_that_failed_stays_left_out_where_an_example_cannot_be_shown_alone),
		cmocka_unit_test(only_so_many_layers_are_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
