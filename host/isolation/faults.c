/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isolation/faults.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "services/services.h"

enum { MOST_FAULTS = 64 }; /* later ones take the places of the first */

/* The name of a deformer or a layer, or a problem; as long as the program runs. */
typedef struct known_name {
	struct known_name *next;
	char text[];
} known_name;

/* What a fault costs, or a failure: this is never forgotten. */
typedef struct cost {
	struct cost *next;
	const char *name, *problem; /* of known names */
	bool is_failure;            /* costs the layer of that name; otherwise all layers of the deformer */
} cost;

static snw_plugin_fault faults[MOST_FAULTS];
static uint32_t fault_count;
static known_name *names;
static cost *costs;
static snw_left_out *left_out;
static uint32_t left_out_count;
static bool leaves_out, are_required;
static pthread_mutex_t faults_mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local char last[300];

static const char *keep_name(const char *text) {
	known_name *name = names;
	while (name && strcmp(name->text, text) != 0) {
		name = name->next;
	}
	if (!name) {
		const size_t size = strlen(text) + 1;
		name = malloc(sizeof *name + size);
		if (!name) {
			return "";
		}
		memcpy(name->text, text, size);
		name->next = names;
		names = name;
	}
	return name->text;
}

static const cost *find_cost(const char *name, bool is_failure) {
	const cost *found = costs;
	while (found && (found->is_failure != is_failure || strcmp(found->name, name) != 0)) {
		found = found->next;
	}
	return found;
}

/* Returns whether it is new. */
static bool add_cost(const char *name, const char *problem, bool is_failure) {
	cost *added = find_cost(name, is_failure) ? NULL : malloc(sizeof *added);
	if (added) {
		*added = (cost){costs, name, keep_name(problem), is_failure};
		costs = added;
	}
	return added != NULL;
}

static void add(const char *who, const char *layer, const char *problem, bool costs_layer, bool is_failure) {
	pthread_mutex_lock(&faults_mutex);
	snw_plugin_fault *fault = &faults[fault_count++ % MOST_FAULTS];
	fault->who = keep_name(who);
	fault->layer = keep_name(layer ? layer : "");
	snprintf(fault->problem, sizeof fault->problem, "%s", problem);
	fault->costs_layer = costs_layer;
	fault->is_failure = is_failure;
	fault->is_first = costs_layer && add_cost(is_failure ? fault->layer : fault->who, fault->problem, is_failure);
	pthread_mutex_unlock(&faults_mutex);
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
	pthread_mutex_lock(&faults_mutex);
	const uint32_t count = fault_count;
	pthread_mutex_unlock(&faults_mutex);
	return count;
}

snw_plugin_fault snw_plugin_fault_at(uint32_t index) {
	pthread_mutex_lock(&faults_mutex);
	const bool is_kept = index < fault_count && fault_count - index <= MOST_FAULTS;
	const snw_plugin_fault fault =
		is_kept ? faults[index % MOST_FAULTS] : (snw_plugin_fault){.who = "", .layer = "", .problem = ""};
	pthread_mutex_unlock(&faults_mutex);
	return fault;
}

void snw_plugin_faults_leave_out(void) {
	pthread_mutex_lock(&faults_mutex);
	leaves_out = true;
	pthread_mutex_unlock(&faults_mutex);
}

const char *snw_plugin_fault_leaves_out(const char *who, const char *layer) {
	pthread_mutex_lock(&faults_mutex);
	const cost *found = leaves_out ? find_cost(layer, true) : NULL;
	found = leaves_out && !found ? find_cost(who, false) : found;
	pthread_mutex_unlock(&faults_mutex);
	return found ? found->problem : NULL;
}

/* ---- layers that are left out -------------------------------------------------------------------------------------------- */

void snw_left_out_add(const char *layer, const char *plugin, const char *why) {
	pthread_mutex_lock(&faults_mutex);
	bool is_known = false;
	for (uint32_t i = 0; i < left_out_count && !is_known; i++) {
		is_known = strcmp(left_out[i].layer, layer) == 0 && strcmp(left_out[i].plugin, plugin) == 0;
	}
	snw_left_out *grown = is_known ? NULL : realloc(left_out, (left_out_count + 1) * sizeof *left_out);
	if (grown) {
		left_out = grown;
		left_out[left_out_count++] = (snw_left_out){keep_name(layer), keep_name(plugin), keep_name(why)};
	}
	pthread_mutex_unlock(&faults_mutex);
}

uint32_t snw_left_out_count(void) {
	pthread_mutex_lock(&faults_mutex);
	const uint32_t count = left_out_count;
	pthread_mutex_unlock(&faults_mutex);
	return count;
}

snw_left_out snw_left_out_at(uint32_t index) {
	pthread_mutex_lock(&faults_mutex);
	const snw_left_out found = left_out[index];
	pthread_mutex_unlock(&faults_mutex);
	return found;
}

void snw_layers_require(void) {
	are_required = true;
}

bool snw_layers_are_required(void) {
	return are_required;
}
