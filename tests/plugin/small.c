/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The smallest valid plug-in, and, by -DSMALL_…, the smallest ones that break one rule each, which the registry must refuse
 * or the validator must detect. It moves every point up by a parameter.
 */
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sinew/bytes.h"
#include "sinew/put.h"
#include "sinew/sinew.h"
#include "tint.h"

#ifndef SMALL_ID
#define SMALL_ID "org.sinew.test.small"
#endif
#ifndef SMALL_NAME
#define SMALL_NAME "test-small"
#endif
#ifndef SMALL_KEY
#define SMALL_KEY "kind"
#endif
#ifndef SMALL_DEFAULT
#define SMALL_DEFAULT 0.25
#endif
#ifndef SMALL_SOFT
#define SMALL_SOFT 1
#endif
#ifndef SMALL_MAJOR
#define SMALL_MAJOR SNW_ABI_MAJOR
#endif
#ifndef SMALL_ENTRY_SIZE
#define SMALL_ENTRY_SIZE sizeof(snw_entry)
#endif
#ifndef SMALL_DEFORMER_SIZE
#define SMALL_DEFORMER_SIZE sizeof(snw_deformer)
#endif
#ifndef SMALL_HAS_FIT
#define SMALL_HAS_FIT 1
#endif

#ifndef SMALL_TRAITS
#define SMALL_TRAITS 0
#endif
#ifndef SMALL_COLOR_COMPONENTS
#define SMALL_COLOR_COMPONENTS 3
#endif
#define TWO_LINES "one\ntwo"
#ifndef SMALL_EXTRA_MAXIMUM
#define SMALL_EXTRA_MAXIMUM 0
#endif
#ifndef SMALL_TINT
#define SMALL_TINT 0.5
#endif

#ifndef SMALL_MOST_COUNT
#define SMALL_MOST_COUNT 10
#endif
#ifndef SMALL_COUNT_WORDS
#define SMALL_COUNT_WORDS NULL
#endif

struct snw_model {
	const snw_host *host;
	uint32_t point_counts[8];
};

#ifdef SMALL_NO_CHOICES
static const char *const choices[] = {NULL};
#else
static const char *const choices[] = {"one", "two", NULL};
#endif
__attribute__((unused)) static const char *const four_words[] = {"one", "two", "three", "four", NULL};
static const snw_parameter *const parameters[] = {
	&(const snw_parameter){sizeof(snw_parameter), "height", "Height", "How far up.", "m", SNW_PARAMETER_NUMBER, SNW_STAGE_DRIVE,
						   SNW_NUMBER(SMALL_DEFAULT), -1, 1, 0, SMALL_SOFT, NULL, 0, 0, NULL},
	&(const snw_parameter){sizeof(snw_parameter), SMALL_KEY, "Kind", "Kind.", "", SNW_PARAMETER_CHOICE, SNW_STAGE_DRIVE,
						   SNW_NUMBER(1), 0, 1, 0, 1, choices, 0, 0, NULL},
	&(const snw_parameter){sizeof(snw_parameter), "count", "Count", "Count.", "", SNW_PARAMETER_INTEGER, SNW_STAGE_DRIVE,
						   SNW_NUMBER(3), 1, SMALL_MOST_COUNT, 1, SMALL_MOST_COUNT, SMALL_COUNT_WORDS, 0, 0, NULL},
	&(const snw_parameter){sizeof(snw_parameter), "flip", "Flip", "Flip.", "", SNW_PARAMETER_SWITCH, SNW_STAGE_DRIVE,
						   SNW_NUMBER(0), 0, 1, 0, 1, NULL, 0, 0, NULL},
#ifdef SMALL_EXTRA_KIND
	&(const snw_parameter){sizeof(snw_parameter), "extra", "Extra", "One more.", "", SMALL_EXTRA_KIND, SNW_STAGE_DRIVE,
						   SMALL_EXTRA_INITIAL, 0, SMALL_EXTRA_MAXIMUM, 0, SMALL_EXTRA_MAXIMUM, NULL, 0, 0, NULL},
#endif
};

__attribute__((unused)) static void hang(void) {
	for (volatile unsigned i = 0;; i++) {
	}
}

static const snw_field_info *const fields[] = {
	&(const snw_field_info){sizeof(snw_field_info), "tint", "Tint", "The same colour everywhere.", SNW_UNIT_COLOR,
							SNW_DOMAIN_POINTS, SMALL_COLOR_COMPONENTS, 1},
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = SMALL_ID,
	.short_name = SMALL_NAME,
	.name = "Small",
	.version = "1.0",
	.paper = "",
	.needs = SNW_NEEDS_MESH,
	.traits = SMALL_TRAITS,
	.parameter_count = sizeof parameters / sizeof parameters[0],
	.parameters = parameters,
	.field_count = 1,
	.fields = fields,
};

#if defined(SMALL_ABORTS_ON_LOAD) || defined(SMALL_HANGS_ON_LOAD) || defined(SMALL_EXITS_ON_LOAD) ||                           \
	defined(SMALL_WAITS_ON_LOAD) || defined(SMALL_IS_KILLED_ON_LOAD)
__attribute__((constructor)) static void give_up(void) {
#if defined(SMALL_ABORTS_ON_LOAD)
	abort();
#elif defined(SMALL_IS_KILLED_ON_LOAD)
	kill(getpid(), SIGKILL);
#elif defined(SMALL_WAITS_ON_LOAD)
	sleep(1000);
#elif defined(SMALL_EXITS_ON_LOAD)
	exit(0);
#else
	hang();
#endif
}
#endif

#ifdef SMALL_CRASHES_ON_UNLOAD
__attribute__((destructor)) static void crash(void) {
	abort();
}
#endif

#ifdef SMALL_LEAVES_A_THREAD
static void *stay(void *argument) {
	(void)argument;
	hang();
	return NULL;
}
#endif

#ifdef SMALL_OVERFLOWS_IN_DEFORM
static uint32_t overflow(uint32_t depth) {
	volatile char room[1000];
	room[depth % sizeof room] = (char)depth;
	return depth == UINT32_MAX ? 0 : overflow(depth + 1) + (uint32_t)room[(depth + 1) % sizeof room];
}
#endif

#if defined(SMALL_THROWS_IN_DEFORM) || defined(SMALL_THROWS_IN_FIT)
void small_throw(void); /* throws.cpp */
#endif

static snw_model *make_model(const snw_host *host, const snw_character_view *character) {
	snw_model *model = calloc(1, sizeof *model);
	model->host = host;
	for (uint32_t m = 0; m < character->mesh_count && m < 8; m++) {
		model->point_counts[m] = character->meshes[m]->point_count;
	}
	return model;
}

static snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	const snw_task_service *task = instance->host->service(instance->host, SNW_SERVICE_TASK);
#ifdef SMALL_NEEDS_A_TASK
	int32_t go_on = task->progress(instance->host, 0.5, "lifting");
#else
	int32_t go_on = task ? task->progress(instance->host, 0.5, "lifting") : 1;
#endif
#if defined(SMALL_CRASHES_IN_FIT)
	abort();
#elif defined(SMALL_HANGS_IN_FIT)
	hang();
#elif defined(SMALL_THROWS_IN_FIT)
	small_throw();
#elif defined(SMALL_WAITS_FOR_STOP)
	while (go_on) {
		usleep(1000);
		go_on = task->progress(instance->host, 0.5, "waiting");
	}
#elif defined(SMALL_IGNORES_STOP)
	go_on = 1;
#elif defined(SMALL_PRINTS)
	puts("a line of a plug-in");
	fflush(stdout);
#elif defined(SMALL_TRUSTS_MEMORY)
	const snw_memory_service *memory = instance->host->service(instance->host, SNW_SERVICE_MEMORY);
	void *block = memory ? memory->acquire(instance->host, 1000) : NULL;
	*(volatile char *)block = 1;
	memory->release(instance->host, block);
#elif defined(SMALL_LEAKS)
	const snw_memory_service *memory = instance->host->service(instance->host, SNW_SERVICE_MEMORY);
	memory->acquire(instance->host, 1000);
#endif
	if (!go_on) {
		return SNW_CANCELLED;
	}
	*model = make_model(instance->host, input->character);
#ifdef SMALL_DIFFERS_EACH_FIT
	static uint32_t fit_count;
	(*model)->point_counts[7] = ++fit_count;
#endif
	return propose_tint(instance->host, input->character, (const double[3]){SMALL_TINT, SMALL_TINT, SMALL_TINT});
}

static void release(snw_model *model) {
	free(model);
}

static void layout(const snw_model *model, snw_model_layout *dest) {
	(void)model;
#ifdef SMALL_NAMES_NOBODY
	static const char *const examples[1] = {"nobody"};
#else
	static const char *const *const examples = NULL;
#endif
	snw_put(dest, &(snw_model_layout){
					  .size = sizeof(snw_model_layout), .d_count = 1, .scratch_bytes = 64, .coefficient_examples = examples});
}

#ifdef SMALL_TAKES_MEMORY_IN_DRIVE
static void *volatile took;
#endif

static snw_status drive(const snw_drive_call *call) {
	const snw_drive_output *output = call->output;
	output->d[0] = call->values[0].numbers[0];
#if defined(SMALL_HANGS_IN_DRIVE)
	hang();
#elif defined(SMALL_DRIVES_TOO_FAR)
	output->d[1] = 1;
#elif defined(SMALL_READS_SCRATCH)
	output->d[0] += ((unsigned char *)call->scratch)[3];
#elif defined(SMALL_DRIVES_TO_INFINITY)
	output->d[0] = INFINITY;
#elif defined(SMALL_FAILS_IN_FAR_POSES)
	/* The sample arm turns its other joints. */
	if (fabs(call->pose->rotation_vectors[0]) > 0.1) {
		return SNW_ERROR_DATA;
	}
#elif defined(SMALL_FAILS_BETWEEN_FRAMES)
	if (fabs(24 * call->pose->seconds - round(24 * call->pose->seconds)) > 0.1) {
		return SNW_ERROR_DATA;
	}
#elif defined(SMALL_FAILS_IN_DRIVE)
	return SNW_ERROR_DATA;
#elif defined(SMALL_TAKES_MEMORY_IN_DRIVE)
	free(took = malloc(100));
#elif defined(SMALL_SETS_THE_LOCALE_IN_DRIVE)
	setlocale(LC_NUMERIC, "comma");
#endif
	return SNW_OK;
}

static snw_status deform(const snw_deform_call *call) {
	const uint32_t begin = call->begin;
	uint32_t end = call->end;
	double *points_out = call->points_out;
#if defined(SMALL_ALLOCATES_IN_DEFORM)
	const snw_memory_service *memory = call->model->host->service(call->model->host, SNW_SERVICE_MEMORY);
	memory->release(call->model->host, memory->acquire(call->model->host, 100));
#elif defined(SMALL_LOCKS_IN_DEFORM)
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
#elif defined(SMALL_CRASHES_IN_DEFORM)
	raise(SIGSEGV);
#elif defined(SMALL_EXITS_IN_DEFORM)
	exit(0);
#elif defined(SMALL_EXITS_AT_ONCE_IN_DEFORM)
	_exit(0);
#elif defined(SMALL_OVERFLOWS_IN_DEFORM)
	points_out[0] = overflow(begin);
#elif defined(SMALL_THROWS_IN_DEFORM)
	small_throw();
#elif defined(SMALL_HANGS_IN_DEFORM)
	hang();
#elif defined(SMALL_FAILS_IN_DEFORM)
	return SNW_ERROR_DATA;
#elif defined(SMALL_SETS_THE_LOCALE_IN_DEFORM)
	setlocale(LC_NUMERIC, "comma");
#elif defined(SMALL_WRITES_PAST_ITS_RANGE)
	end = end < call->model->point_counts[call->mesh] ? end + 1 : end;
#endif
	for (uint32_t i = begin; i < end; i++) {
		memcpy(points_out + 3 * (size_t)i, call->points_in + 3 * (size_t)i, 3 * sizeof *points_out);
		points_out[3 * (size_t)i + 1] += call->driven->d[0];
#if defined(SMALL_DEPENDS_ON_RANGES)
		points_out[3 * (size_t)i] += 1e-9 * begin;
#elif defined(SMALL_READS_ANOTHER_POINT)
		points_out[3 * (size_t)i] += 1e-9 * call->points_in[0];
#elif defined(SMALL_DEFORMS_TO_NAN)
		points_out[3 * (size_t)i + 2] = i == 3 ? NAN : 0;
#endif
	}
	return SNW_OK;
}

static snw_status prepare(const snw_deform_call *call) {
	(void)call;
#if defined(SMALL_FAILS_IN_PREPARE)
	return SNW_ERROR_DATA;
#else
	return SNW_OK;
#endif
}

#ifdef SMALL_LOWERS_TO_A_BLEND
/* Every point follows the first slot. */
static snw_status lower(const snw_lower_call *call) {
	static uint32_t offsets[1 << 16], slots[1 << 16];
	static double weights[1 << 16];
	for (uint32_t i = 0; i < 1 << 16; i++) {
		offsets[i] = i;
		weights[i] = 1;
	}
	snw_put(call->part, &(snw_program_part){.size = sizeof(snw_program_part),
											.blend = SNW_BLEND_LINEAR,
											.palette = SNW_PALETTE_JOINTS,
											.influence_offsets = offsets,
											.influence_slots = slots,
											.influence_weights = weights});
	return SNW_OK;
}
#endif

#ifdef SMALL_EXPORTS_MORE
SNW_EXPORT extern const int small_export;
const int small_export = 1;
#endif

static const char mark[8] = "SMALL";

static snw_status save(const snw_model *model, const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snw_write(&writer, mark, sizeof mark);
	snw_write(&writer, model->point_counts, sizeof model->point_counts);
	snw_write_seal(&writer);
	return writer.status;
}

static snw_status load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
#ifdef SMALL_HANGS_IN_LOAD
	hang();
#endif
#ifdef SMALL_TRUSTS_BYTES
	*model = make_model(call->host, call->character);
	return SNW_OK;
#else
	snw_reader reader = snw_read_sealed(call->bytes, call->count);
	uint32_t point_counts[8];
	char found[sizeof mark];
	snw_read(&reader, found, sizeof found);
	snw_read(&reader, point_counts, sizeof point_counts);
	snw_model *made = make_model(call->host, call->character);
	if (reader.failed || reader.count != 0 || memcmp(found, mark, sizeof mark) != 0 ||
		memcmp(point_counts, made->point_counts, sizeof point_counts) != 0) {
		free(made);
		return SNW_ERROR_DATA;
	}
	*model = made;
	return SNW_OK;
#endif
}

#ifdef SMALL_ALLOCATES_IN_PASSES
static uint32_t passes(const snw_model *model, const snw_value *values) {
	const snw_memory_service *memory = model->host->service(model->host, SNW_SERVICE_MEMORY);
	(void)values;
	memory->release(model->host, memory->acquire(model->host, 100));
	return 1;
}
#elif defined(SMALL_NEVER_ENDS_ITS_PASSES)
static uint32_t passes(const snw_model *model, const snw_value *values) {
	(void)model, (void)values;
	return UINT32_MAX;
}
#endif

#ifdef SMALL_KNOWS_EVERYTHING
static const void *extension(const snw_deformer *self, const char *id) {
	(void)id;
	return self;
}
#endif

static const snw_deformer deformer = {
	.size = SMALL_DEFORMER_SIZE,
	.descriptor = &descriptor,
	.create = create,
	.destroy = destroy,
	.fit = SMALL_HAS_FIT ? fit : NULL,
	.layout = layout,
	.drive = drive,
#if defined(SMALL_ALLOCATES_IN_PASSES) || defined(SMALL_NEVER_ENDS_ITS_PASSES)
	.passes = passes,
#endif
	.prepare = prepare,
	.deform = deform,
#ifdef SMALL_LOWERS_TO_A_BLEND
	.lower = lower,
#endif
	.save = save,
	.load = load,
	.release = release,
#ifdef SMALL_KNOWS_EVERYTHING
	.extension = extension,
#endif
};

static const snw_deformer *deformer_at(uint32_t index) {
#ifdef SMALL_SETS_THE_LOCALE
	setlocale(LC_NUMERIC, "comma");
#endif
#ifdef SMALL_LEAVES_A_THREAD
	pthread_t thread;
	pthread_create(&thread, NULL, stay, NULL);
#endif
	return index == 0 ? &deformer : NULL;
}

#ifdef SMALL_NO_ENTRY
SNW_EXPORT extern const snw_entry another_symbol;
const snw_entry another_symbol = {
#else
SNW_EXPORT extern const snw_entry SNW_ENTRY_SYMBOL;
const snw_entry SNW_ENTRY_SYMBOL = {
#endif
	SMALL_ENTRY_SIZE, SMALL_MAJOR, SNW_ABI_MINOR, 1, deformer_at, NULL, NULL,
};
