/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isolation/isolated_deformer.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/numbers.h"
#include "isolation/plugin_process.h"
#include "services/services.h"
#include "sinew/put.h"
#include "task/task.h"

/* ---- faults -------------------------------------------------------------------------------------------------------------- */

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
	snprintf(last, sizeof last, "%.*s", (int)sizeof last - 1, problem);
}

/* The problem of this thread's last call into a plug-in process, which is then forgotten; NULL for none. */
static const char *plugin_problem_take(void) {
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

/* ---- isolated deformer --------------------------------------------------------------------------------------------------- */

/* The functions that a deformer may omit. */
enum {
	HAS_LAYOUT = 1 << 0,
	HAS_DRIVE = 1 << 1,
	HAS_DEFORM = 1 << 2,
	HAS_LOWER = 1 << 3,
	HAS_SAVE = 1 << 4,
	HAS_LOAD = 1 << 5,
	HAS_DESCRIBE = 1 << 6,
	HAS_HELPERS = 1 << 8,
	HAS_PASSES = 1 << 9,
	HAS_PREPARE = 1 << 10,
	HAS_FALLOFFS = 1 << 11,
	HAS_RESKIN = 1 << 12,
	HAS_TRANSFER = 1 << 13,
};

typedef struct isolated_deformer {
	snw_deformer table; /* first: its functions get it as `self` */
	const char *path;
	snw_plugin_finder *find;
	bool has_helpers;
	const snw_group_falloffs *falloffs; /* NULL: it has none */
} isolated_deformer;

/* create only notes the host: the plug-in's own create runs in the process of the fit. */
typedef struct isolated_instance {
	const isolated_deformer *deformer;
	const snw_host *host;
} isolated_instance;

typedef struct isolated_model {
	const isolated_deformer *deformer;
	snw_arena *arena;
	snw_plugin_process *process;
	const snw_host *host;
	const snw_character_view *character;
	snw_model_layout layout;
	uint32_t helper_count;
	const snw_helper_joint *const *helpers;
} isolated_model;

static const isolated_model *model_of(const snw_model *model) {
	return (const isolated_model *)model;
}

/* ---- making models ------------------------------------------------------------------------------------------------------- */

static snw_status start_model(const isolated_deformer *deformer, const snw_plugin_start *start, snw_model **model) {
	snw_stream answer;
	snw_plugin_process *process = NULL;
	const snw_status status = snw_plugin_process_start(start, &answer, &process);
	if (!process) {
		return status;
	}
	snw_arena *arena = snw_arena_create();
	isolated_model *made = SNW_NEW(arena, isolated_model);
	made->deformer = deformer;
	made->arena = arena;
	made->process = process;
	made->host = start->host;
	made->character = start->character;
	made->layout = snw_get_layout(&answer, arena);
	made->helpers = snw_get_helpers(&answer, &made->helper_count, arena);
	if (answer.is_broken) {
		snw_plugin_process_end(process);
		snw_arena_destroy(arena);
		return SNW_ERROR_INTERNAL;
	}
	*model = (snw_model *)made;
	return status;
}

static snw_plugin_start start_of(const isolated_deformer *deformer, const snw_host *host, const snw_character_view *character) {
	const snw_descriptor *descriptor = deformer->table.descriptor;
	return (snw_plugin_start){.path = deformer->path,
							  .id = descriptor->id,
							  .who = descriptor->short_name,
							  .find = deformer->find,
							  .host = host,
							  .character = character};
}

static snw_status SNW_CALL isolated_create(const snw_deformer *self, const snw_host *host, snw_instance **instance) {
	isolated_instance *made = calloc(1, sizeof *made);
	if (!made) {
		return SNW_ERROR_MEMORY;
	}
	*made = (isolated_instance){(const isolated_deformer *)self, host};
	*instance = (snw_instance *)made;
	return SNW_OK;
}

static void SNW_CALL isolated_destroy(snw_instance *instance) {
	free(instance);
}

static snw_status SNW_CALL isolated_load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	const isolated_deformer *deformer = (const isolated_deformer *)self;
	snw_plugin_start start = start_of(deformer, call->host, call->character);
	start.bytes = call->bytes;
	start.count = call->count;
	return start_model(deformer, &start, model);
}

static snw_status SNW_CALL isolated_reskin(const snw_deformer *self, const snw_reskin_call *call, snw_model **model) {
	const isolated_deformer *deformer = (const isolated_deformer *)self;
	snw_plugin_start start = start_of(deformer, call->host, call->character);
	start.rows = call->rows;
	return start_model(deformer, &start, model);
}

static snw_status SNW_CALL isolated_transfer(const snw_deformer *self, const snw_transfer_call *call, snw_model **model) {
	const isolated_deformer *deformer = (const isolated_deformer *)self;
	snw_plugin_start start = start_of(deformer, call->host, call->character);
	start.transfer = call;
	return start_model(deformer, &start, model);
}

static void SNW_CALL isolated_release(snw_model *model) {
	isolated_model *released = (isolated_model *)model;
	snw_plugin_process_end(released->process);
	snw_arena_destroy(released->arena);
}

/* ---- what a model says --------------------------------------------------------------------------------------------------- */

static void SNW_CALL isolated_layout(const snw_model *model, snw_model_layout *layout) {
	snw_model_layout known = model_of(model)->layout;
	/* The memory that evaluation works in is the process's own. More than the limit is shown as it is, and refused. */
	known.scratch_bytes = known.scratch_bytes > SNW_MOST_SCRATCH ? known.scratch_bytes : 0;
	known.prepared_bytes = known.prepared_bytes > SNW_MOST_SCRATCH ? known.prepared_bytes : 0;
	snw_put(layout, &known);
}

static void SNW_CALL isolated_list(const snw_model *model, uint32_t *count, const snw_helper_joint *const **helpers) {
	*count = model_of(model)->helper_count;
	*helpers = model_of(model)->helpers;
}

static const void *SNW_CALL isolated_extension(const snw_deformer *self, const char *id) {
	static const snw_helper_joints helpers = {sizeof helpers, isolated_list};
	const isolated_deformer *deformer = (const isolated_deformer *)self;
	if (strcmp(id, SNW_GROUP_FALLOFFS) == 0) {
		return deformer->falloffs;
	}
	return strcmp(id, SNW_HELPER_JOINTS) == 0 && deformer->has_helpers ? &helpers : NULL;
}

/* With their length first, so that the process sees at once whether they have changed. */
static void put_values(const isolated_model *m, const snw_value *values, snw_stream *request) {
	unsigned char *length = snw_get_place(request, sizeof(uint64_t));
	const unsigned char *begin = request->at;
	snw_put_values(request, values, m->deformer->table.descriptor->parameter_count);
	const uint64_t bytes = (uint64_t)(request->at - begin);
	if (length) {
		memcpy(length, &bytes, sizeof bytes);
	}
}

static uint32_t SNW_CALL isolated_passes(const snw_model *model, const snw_value *values) {
	const isolated_model *m = model_of(model);
	snw_stream answer, request = snw_plugin_process_open(m->process);
	put_values(m, values, &request);
	const snw_status status = snw_plugin_process_run(m->process, SNW_ORDER_PASSES, m->host, &answer);
	const uint64_t count = status == SNW_OK ? snw_get_number(&answer) : 0;
	snw_plugin_process_close(m->process);
	return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

static snw_status SNW_CALL isolated_lower(const snw_lower_call *call) {
	const isolated_model *m = model_of(call->model);
	snw_stream answer, request = snw_plugin_process_open(m->process);
	put_values(m, call->values, &request);
	snw_put_number(&request, call->mesh);
	const snw_status status =
		request.is_broken ? SNW_ERROR_LIMIT : snw_plugin_process_run(m->process, SNW_ORDER_LOWER, m->host, &answer);
	bool is_broken = false;
	if (status == SNW_OK) {
		snw_program_part part = {.size = sizeof part};
		snw_get_part(&answer, &part, m->character->meshes[call->mesh]->point_count, m->arena);
		is_broken = answer.is_broken;
		if (!is_broken) {
			snw_put(call->part, &part);
		}
	} else if (status == SNW_ERROR_UNSUPPORTED) {
		*call->reason = snw_get_text(&answer, m->arena);
	}
	snw_plugin_process_close(m->process);
	return is_broken ? SNW_ERROR_INTERNAL : status;
}

static snw_status write_out(const snw_model *model, const snw_value *values, snw_plugin_order order, const snw_sink *sink) {
	const isolated_model *m = model_of(model);
	snw_stream answer, request = snw_plugin_process_open(m->process);
	if (values) {
		put_values(m, values, &request);
	}
	snw_status status = request.is_broken ? SNW_ERROR_LIMIT : snw_plugin_process_run(m->process, order, m->host, &answer);
	if (status == SNW_OK) {
		snw_arena *arena = snw_arena_create();
		uint64_t count;
		const void *bytes = snw_get_counted(&answer, 1, arena, &count);
		status = answer.is_broken ? SNW_ERROR_INTERNAL : sink->write(sink->context, bytes, count);
		snw_arena_destroy(arena);
	}
	snw_plugin_process_close(m->process);
	return status;
}

static snw_status SNW_CALL isolated_save(const snw_model *model, const snw_sink *sink) {
	return write_out(model, NULL, SNW_ORDER_SAVE, sink);
}

static snw_status SNW_CALL isolated_describe(const snw_model *model, const snw_value *values, const snw_sink *sink) {
	return write_out(model, values, SNW_ORDER_DESCRIBE, sink);
}

/* The process of a refit gets the model before it as bytes. */
static snw_status SNW_CALL isolated_fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	const isolated_instance *made = (const isolated_instance *)instance;
	snw_plugin_start start = start_of(made->deformer, made->host, input->character);
	start.input = input;
	start.reports = !(made->deformer->table.descriptor->traits & SNW_BINDS); /* a fit that binds is instant */
	snw_memory_sink sink;
	snw_memory_sink_open(&sink);
	snw_status status = input->refits ? write_out(input->previous, NULL, SNW_ORDER_SAVE, &sink.sink) : SNW_OK;
	start.bytes = sink.bytes;
	start.count = sink.count;
	status = snw_failed(status) ? status : start_model(made->deformer, &start, model);
	snw_memory_sink_close(&sink);
	return status;
}

/* ---- evaluation: nothing is allocated ------------------------------------------------------------------------------------ */

static void get_driven(const isolated_model *m, snw_stream *answer, const snw_drive_output *output) {
	snw_get_bytes(answer, output->z, m->layout.z_count * sizeof(double));
	snw_get_bytes(answer, output->d, m->layout.d_count * sizeof(double));
	snw_get_bytes(answer, output->e, m->layout.e_count * sizeof(double));
}

static snw_status SNW_CALL isolated_drive(const snw_drive_call *call) {
	const isolated_model *m = model_of(call->model);
	snw_stream answer, request = snw_plugin_process_open(m->process);
	put_values(m, call->values, &request);
	snw_put_pose(&request, call->pose);
	const snw_status status =
		request.is_broken ? SNW_ERROR_LIMIT : snw_plugin_process_run(m->process, SNW_ORDER_DRIVE, NULL, &answer);
	if (status == SNW_OK) {
		get_driven(m, &answer, call->output);
	}
	snw_plugin_process_close(m->process);
	return status;
}

/* Points that the process has at the same address are not sent. */
static void put_points(const isolated_model *m, uint32_t mesh, const double *points, size_t numbers, snw_stream *request) {
	const bool is_shared =
		points == m->character->meshes[mesh]->points_rest || snw_shared_memory_has(points, numbers * sizeof *points);
	snw_put_number(request, is_shared ? (uintptr_t)points : 0);
	if (!is_shared) {
		snw_put_bytes(request, points, numbers * sizeof *points);
	}
}

static snw_status SNW_CALL isolated_deform(const snw_deform_call *call) {
	const isolated_model *m = model_of(call->model);
	const uint32_t point_count = m->character->meshes[call->mesh]->point_count;
	const size_t numbers = (size_t)3 * point_count;
	const bool is_shared = snw_shared_memory_has(call->points_out, numbers * sizeof(double));
	snw_stream answer, request = snw_plugin_process_open(m->process);
	snw_put_number(&request, snw_parallel_thread_count());
	put_values(m, call->values, &request);
	snw_put_pose(&request, call->pose);
	snw_put_bytes(&request, call->driven->z, m->layout.z_count * sizeof(double));
	snw_put_bytes(&request, call->driven->d, m->layout.d_count * sizeof(double));
	snw_put_bytes(&request, call->driven->e, m->layout.e_count * sizeof(double));
	snw_put_number(&request, call->mesh);
	snw_put_number(&request, point_count);
	put_points(m, call->mesh, call->points_rest, numbers, &request);
	put_points(m, call->mesh, call->points_in, numbers, &request);
	snw_put_number(&request, is_shared ? (uintptr_t)call->points_out : 0);
	const snw_status status =
		request.is_broken ? SNW_ERROR_LIMIT : snw_plugin_process_run(m->process, SNW_ORDER_DEFORM, NULL, &answer);
	if (status == SNW_OK && !is_shared) {
		snw_get_bytes(&answer, call->points_out, numbers * sizeof(double));
	}
	snw_plugin_process_close(m->process);
	return status;
}

/* Its process prepares each pass of a deform. The table has this so that the host knows: such a deformer may read the whole
 * mesh. */
static snw_status SNW_CALL isolated_prepare(const snw_deform_call *call) {
	(void)call;
	return SNW_OK;
}

/* ---- tables -------------------------------------------------------------------------------------------------------------- */

void snw_put_deformer(snw_stream *stream, const snw_deformer *d, const snw_deformer *self) {
	const snw_helper_joints *helpers = d->extension ? d->extension(self, SNW_HELPER_JOINTS) : NULL;
	const snw_group_falloffs *falloffs = d->extension ? d->extension(self, SNW_GROUP_FALLOFFS) : NULL;
	snw_put_descriptor(stream, d->descriptor);
	snw_put_number(stream, (d->layout ? HAS_LAYOUT : 0) | (d->drive ? HAS_DRIVE : 0) | (d->deform ? HAS_DEFORM : 0) |
							   (d->lower ? HAS_LOWER : 0) | (d->save ? HAS_SAVE : 0) | (d->load ? HAS_LOAD : 0) |
							   (d->describe ? HAS_DESCRIBE : 0) | (helpers ? HAS_HELPERS : 0) | (d->reskin ? HAS_RESKIN : 0) |
							   (d->passes ? HAS_PASSES : 0) | (d->prepare ? HAS_PREPARE : 0) | (falloffs ? HAS_FALLOFFS : 0) |
							   (d->transfer ? HAS_TRANSFER : 0));
	if (falloffs) {
		snw_put_falloffs(stream, falloffs);
	}
}

const snw_deformer *snw_get_deformer(snw_stream *stream, const char *path, snw_plugin_finder *find, snw_arena *arena) {
	isolated_deformer *d = SNW_NEW(arena, isolated_deformer);
	const snw_descriptor *descriptor = snw_get_descriptor(stream, arena);
	const uint64_t has = snw_get_number(stream);
	d->falloffs = has & HAS_FALLOFFS ? snw_get_falloffs(stream, arena) : NULL;
	if (!descriptor || stream->is_broken) {
		return NULL;
	}
	d->path = snw_arena_text(arena, path);
	d->find = find;
	d->has_helpers = has & HAS_HELPERS;
	d->table = (snw_deformer){
		.size = sizeof d->table,
		.descriptor = descriptor,
		.create = isolated_create,
		.destroy = isolated_destroy,
		.fit = isolated_fit,
		.layout = has & HAS_LAYOUT ? isolated_layout : NULL,
		.drive = has & HAS_DRIVE ? isolated_drive : NULL,
		.deform = has & HAS_DEFORM ? isolated_deform : NULL,
		.passes = has & HAS_PASSES ? isolated_passes : NULL,
		.prepare = has & HAS_PREPARE ? isolated_prepare : NULL,
		.lower = has & HAS_LOWER ? isolated_lower : NULL,
		.save = has & HAS_SAVE ? isolated_save : NULL,
		.load = has & HAS_LOAD ? isolated_load : NULL,
		.release = isolated_release,
		.describe = has & HAS_DESCRIBE ? isolated_describe : NULL,
		.reskin = has & HAS_RESKIN ? isolated_reskin : NULL,
		.extension = isolated_extension,
		.transfer = has & HAS_TRANSFER ? isolated_transfer : NULL,
	};
	return &d->table;
}

bool snw_deformer_is_isolated(const snw_deformer *deformer) {
	return deformer->create == isolated_create;
}

const char *snw_deformer_problem(const snw_deformer *deformer) {
	return snw_deformer_is_isolated(deformer) ? plugin_problem_take() : NULL;
}
