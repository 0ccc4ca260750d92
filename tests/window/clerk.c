/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the window gets back of an errand: the project as it is in its file, also where the errand failed half way.
 */
#include "window/jobs/worker.h"

#include <SDL.h>
#include <stdio.h>
#include <unistd.h>

#include "check.h"
#include "plugin/registry.h"
#include "sample/sample.h"

typedef struct office {
	char path[64];
	snw_registry *registry;
	snw_clerk *clerk;
	snw_document *document;
} office;

static snw_error fault;

static snw_errand *wait_for(office *o, snw_errand *errand) {
	snw_clerk_send(o->clerk, errand, o->document, 0);
	snw_errand *done = NULL;
	while (!(done = snw_clerk_collect(o->clerk))) {
		SDL_Delay(1);
	}
	return done;
}

static snw_status open_project(snw_desk_space *desk, snw_errand *errand, void *order, snw_error *error) {
	(void)errand;
	snprintf(desk->path, sizeof desk->path, "%s", *(const char **)order);
	return snw_project_open(desk->path, false, &desk->project, error);
}

static office office_open(void) {
	office o = {.registry = snw_registry_open()};
	snw_scene *scene = NULL;
	snprintf(o.path, sizeof o.path, "clerk-%d.sinew", (int)getpid());
	check_ok(snw_sample_make("arm", &scene, &fault), fault);
	check_ok(snw_project_write(o.path, scene, "sample arm", &fault), fault);
	snw_scene_destroy(scene);
	check_ok(snw_clerk_create(o.registry, SDL_USEREVENT, &o.clerk, &fault), fault);
	check_ok(snw_document_load(NULL, NULL, 0, o.registry, NULL, &o.document, NULL, &fault), fault);
	snw_errand *errand = snw_errand_make("opening", sizeof(const char *));
	*(const char **)errand->order = o.path;
	errand->run = open_project;
	errand = wait_for(&o, errand);
	check_ok(errand->status, errand->error);
	snw_document_destroy(o.document);
	o.document = errand->document;
	errand->document = NULL;
	snw_errand_destroy(errand);
	return o;
}

static void office_close(office *o) {
	snw_clerk_destroy(o->clerk);
	snw_document_destroy(o->document);
	snw_registry_close(o->registry);
	unlink(o->path);
}

/* Changes the project where the order says so, and fails. */
static snw_status go_wrong(snw_desk_space *desk, snw_errand *errand, void *order, snw_error *error) {
	(void)errand;
	const bool changes = *(const bool *)order;
	snw_status status = changes ? snw_project_begin(desk->project, "remove an example", error) : SNW_OK;
	const snw_scene *scene = desk->document->scene;
	if (changes && status >= 0) {
		status = snw_project_remove(desk->project, SNW_PROJECT_EXAMPLE, scene->examples[0].id, error);
		status = status < 0 ? status : snw_project_commit(desk->project, error);
	}
	return status < 0 ? status : snw_fail(error, SNW_ERROR_INTERNAL, "what follows from it went wrong");
}

static snw_errand *failing(bool changes) {
	snw_errand *errand = snw_errand_make("failing", sizeof(bool));
	*(bool *)errand->order = changes;
	errand->run = go_wrong;
	return errand;
}

static void errand_that_fails_after_a_change_brings_the_changed_project(void **state) {
	(void)state;
	office o = office_open();
	const uint32_t examples = o.document->scene->example_count;
	assert_true(examples > 0);
	snw_errand *errand = wait_for(&o, failing(true));
	assert_int_equal(errand->status, SNW_ERROR_INTERNAL);
	assert_string_equal(errand->error.text, "what follows from it went wrong");
	assert_non_null(errand->document);
	assert_int_equal(errand->document->scene->example_count, examples - 1);
	assert_true(errand->document->follows); /* its meshes may stay where they are */
	snw_errand_destroy(errand);
	office_close(&o);
}

static void errand_that_fails_without_a_change_brings_nothing(void **state) {
	(void)state;
	office o = office_open();
	snw_errand *errand = wait_for(&o, failing(false));
	assert_int_equal(errand->status, SNW_ERROR_INTERNAL);
	assert_null(errand->document);
	snw_errand_destroy(errand);
	office_close(&o);
}

static void project_that_is_opened_is_drafted_for_the_graphics_card(void **state) {
	(void)state;
	office o = office_open();
	assert_false(o.document->follows);
	assert_non_null(o.document->draft);
	office_close(&o);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errand_that_fails_after_a_change_brings_the_changed_project),
		cmocka_unit_test(errand_that_fails_without_a_change_brings_nothing),
		cmocka_unit_test(project_that_is_opened_is_drafted_for_the_graphics_card),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
