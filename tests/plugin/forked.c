/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A process of a plug-in that is forked while another thread of the program holds a lock, when the plug-in is first tried and
 * when a model is made. In the new process the lock is held for ever, since that thread is not there.
 */
#include "check.h"

#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>

#include "open_layer.h"
#include "stack/stack.h"

/* ---- another thread ------------------------------------------------------------------------------------------------------ */

/* What a new process waits for. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
	pthread_t thread;
	sem_t holds, lets_go;
	int forks, of_forks; /* the lock is held at the first of_forks of the forks */
} other;

static void *hold(void *argument) {
	pthread_mutex_lock(&lock);
	sem_post(&other.holds);
	sem_wait(&other.lets_go);
	pthread_mutex_unlock(&lock);
	return argument;
}

static void before_fork(void) {
	if (other.forks++ < other.of_forks) {
		pthread_create(&other.thread, NULL, hold, NULL);
		sem_wait(&other.holds);
	}
}

static void after_fork(void) {
	if (other.forks <= other.of_forks) {
		sem_post(&other.lets_go);
		pthread_join(other.thread, NULL);
	}
}

static void in_new_process(void) {
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

/* From now on, the lock is held at the next fork. */
static void hold_at_next_fork(void) {
	other.forks = 0;
	other.of_forks = 1;
}

/* ---- the tests ----------------------------------------------------------------------------------------------------------- */

static void process_that_waits_for_a_lock_is_forked_again(void **state) {
	(void)state;
	snw_scene *scene;
	snw_stack *stack;
	snw_error error = {0};
	setenv("SINEW_PLUGIN_SECONDS", "15", 1); /* for a process that waits on */
	snw_registry *registry = open_layer("good", SNW_ISOLATE_FOREIGN, &scene);
	hold_at_next_fork();
	check_ok(snw_stack_build(scene, registry, NULL, NULL, &stack, &error), error);
	assert_true(other.forks > 1); /* more on a machine that is slow to start one */
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	const snw_pose_view *rest = snw_pose_view_make(scene, snw_pose_rest(scene, scene->arena), scene->arena);
	check_ok(snw_stack_drive(stack, rest, evaluation, &error), error);
	const uint32_t first = 0;
	double posed[3];
	check_ok(snw_stack_reference_at(stack, evaluation, 0, 1, &first, scene->meshes[0].points_rest, posed, &error), error);
	assert_true(posed[1] > scene->meshes[0].points_rest[1]);
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* neither process is left */
	snw_scene_destroy(scene);
	snw_registry_close(registry);
}

static void trial_that_waits_for_a_lock_is_made_again(void **state) {
	(void)state;
	snw_scene *scene;
	setenv("SINEW_PLUGIN_SECONDS", "15", 1);
	hold_at_next_fork();
	snw_registry *registry = open_layer("good", SNW_ISOLATE_FOREIGN, &scene); /* which fits it too */
	assert_true(other.forks > 1);
	assert_non_null(snw_registry_find(registry, "test-small"));
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	snw_scene_destroy(scene);
	snw_registry_close(registry);
}

int main(void) {
	sem_init(&other.holds, 0, 0);
	sem_init(&other.lets_go, 0, 0);
	if (pthread_atfork(before_fork, after_fork, in_new_process) != 0) {
		return 1;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(process_that_waits_for_a_lock_is_forked_again),
		cmocka_unit_test(trial_that_waits_for_a_lock_is_made_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
