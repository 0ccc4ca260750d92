/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isolation/faults.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "services/services.h"

enum { MOST_FAULTS = 64 }; /* later ones take the places of the first */

static snw_plugin_fault faults[MOST_FAULTS];
static uint32_t fault_count;
static bool leaves_out;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local char last[300];

static void add(const char *who, const char *layer, const char *problem, bool costs_layer, bool is_failure) {
	pthread_mutex_lock(&mutex);
	snw_plugin_fault *fault = &faults[fault_count++ % MOST_FAULTS];
	snprintf(fault->who, sizeof fault->who, "%s", who);
	snprintf(fault->layer, sizeof fault->layer, "%s", layer ? layer : "");
	snprintf(fault->problem, sizeof fault->problem, "%s", problem);
	fault->costs_layer = costs_layer;
	fault->is_failure = is_failure;
	pthread_mutex_unlock(&mutex);
}

void snw_plugin_fault_add(const char *who, const char *problem, bool costs_layer) {
	add(who, snw_thread_current_call().layer, problem, costs_layer, false);
	snw_plugin_problem_set(problem);
}

void snw_plugin_failure_add(const char *who, const char *layer, const char *problem) {
	add(who, layer, problem, true, true);
}

void snw_plugin_problem_set(const char *problem) {
	snprintf(last, sizeof last, "%s", problem);
}

const char *snw_plugin_problem_take(void) {
	static _Thread_local char taken[sizeof last];
	memcpy(taken, last, sizeof taken);
	last[0] = 0;
	return taken[0] ? taken : NULL;
}

uint32_t snw_plugin_fault_count(void) {
	pthread_mutex_lock(&mutex);
	const uint32_t count = fault_count;
	pthread_mutex_unlock(&mutex);
	return count;
}

snw_plugin_fault snw_plugin_fault_at(uint32_t index) {
	pthread_mutex_lock(&mutex);
	const bool is_kept = index < fault_count && fault_count - index <= MOST_FAULTS;
	const snw_plugin_fault fault = is_kept ? faults[index % MOST_FAULTS] : (snw_plugin_fault){0};
	pthread_mutex_unlock(&mutex);
	return fault;
}

void snw_plugin_faults_leave_out(void) {
	pthread_mutex_lock(&mutex);
	leaves_out = true;
	pthread_mutex_unlock(&mutex);
}

bool snw_plugin_fault_leaves_out(const char *who, const char *layer) {
	bool found = false;
	pthread_mutex_lock(&mutex);
	for (uint32_t i = 0; leaves_out && i < fault_count && i < MOST_FAULTS; i++) {
		found = found || (faults[i].costs_layer &&
						  (faults[i].is_failure ? strcmp(faults[i].layer, layer) == 0 : strcmp(faults[i].who, who) == 0));
	}
	pthread_mutex_unlock(&mutex);
	return found;
}
