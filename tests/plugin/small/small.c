/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The smallest valid plug-in, and, by -DSMALL_…, the smallest ones that break one rule each, which the registry must refuse
 * or the validator must detect. It moves every point up by a parameter.
 */
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "misdeeds.h"
#include "sinew/bytes.h"
#include "sinew/put.h"
#include "sinew/sinew.h"
#include "tables.h"
#include "tint.h"

struct snw_model {
	const snw_host *host;
	uint32_t point_counts[8];
	uint32_t drive_count;
	bool is_loaded;
	const snw_character_view *kept; /* what a plug-in may not do */
	const double *kept_points;
	double flatness;
	uint32_t *of_points; /* a number for each point of the first mesh that it was fitted to */
};

#ifdef SMALL_WRITES_TO_ITS_MODEL
static snw_model *acquire_model(const snw_host *host) {
	return ((const snw_memory_service *)host->service(host, SNW_SERVICE_MEMORY))->acquire(host, sizeof(snw_model));
}

static void release_model(snw_model *model) {
	const snw_host *host = model->host;
	((const snw_memory_service *)host->service(host, SNW_SERVICE_MEMORY))->release(host, model);
}
#else
static snw_model *acquire_model(const snw_host *host) {
	(void)host;
	return calloc(1, sizeof(snw_model));
}

static void release_model(snw_model *model) {
	const snw_host *host = model->host;
	if (model->of_points) {
		((const snw_memory_service *)host->service(host, SNW_SERVICE_MEMORY))->release(host, model->of_points);
	}
	free(model);
}
#endif

static snw_model *make_model(const snw_host *host, const snw_character_view *character) {
	snw_model *model = acquire_model(host);
	model->host = host;
	model->kept = character;
	model->kept_points = character->mesh_count > 0 ? character->meshes[0]->points_rest : NULL;
	for (uint32_t m = 0; m < character->mesh_count && m < 8; m++) {
		model->point_counts[m] = character->meshes[m]->point_count;
	}
#ifdef SMALL_DIVIDES_BY_HEIGHT
	model->flatness = character->mesh_count > 0 ? flatness_of(character->meshes[0]) : 0;
#endif
	return model;
}

#ifdef SMALL_IGNORES_COUNTS
/* As many as there were, not as many as there are. */
static void number_points(snw_model *model) {
	const snw_memory_service *memory = model->host->service(model->host, SNW_SERVICE_MEMORY);
	model->of_points = memory->acquire(model->host, model->point_counts[0] * sizeof *model->of_points);
}
#endif

#ifdef SMALL_PROPOSES_IN_A_CHUNK
static void propose_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)begin, (void)end, (void)thread;
	const snw_host *host = argument;
	const snw_proposal_service *proposal = host->service(host, SNW_SERVICE_PROPOSAL);
	proposal->pose(host, &(snw_pose_proposal){.size = sizeof(snw_pose_proposal)});
}
#endif

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
	go_on |= 1;
#elif defined(SMALL_PRINTS)
	puts("a line of a plug-in");
	fflush(stdout);
#elif defined(SMALL_TRUSTS_MEMORY)
	const snw_memory_service *memory = instance->host->service(instance->host, SNW_SERVICE_MEMORY);
	void *block = memory ? memory->acquire(instance->host, 1000) : NULL;
	*(volatile char *)block = 1;
	memory->release(instance->host, block);
#elif defined(SMALL_PROPOSES_IN_A_CHUNK)
	const snw_parallel_service *parallel = instance->host->service(instance->host, SNW_SERVICE_PARALLEL);
	parallel->run(instance->host, 1, 1, propose_chunk, (void *)(uintptr_t)instance->host);
#elif defined(SMALL_LEAKS)
	const snw_memory_service *memory = instance->host->service(instance->host, SNW_SERVICE_MEMORY);
	memory->acquire(instance->host, 1000);
#endif
	if (!go_on) {
		return SNW_CANCELLED;
	}
	*model = make_model(instance->host, input->character);
#ifdef SMALL_IGNORES_COUNTS
	number_points(*model);
#endif
#ifdef SMALL_DIFFERS_EACH_FIT
	static uint32_t fit_count;
	(*model)->point_counts[7] = ++fit_count;
#endif
	return propose_tint(instance->host, input->character, (const double[3]){SMALL_TINT, SMALL_TINT, SMALL_TINT});
}

#ifdef SMALL_IGNORES_ROWS
static snw_status reskin(const snw_deformer *self, const snw_reskin_call *call, snw_model **model) {
	(void)self;
	*model = make_model(call->host, call->character);
	return SNW_OK;
}
#endif

static void release(snw_model *model) {
	crash_in(in_release);
	release_model(model);
}

static uint32_t count_driven(const snw_model *model) {
#if defined(SMALL_DRIVES_TOO_MANY)
	(void)model;
	return UINT32_MAX;
#elif defined(SMALL_TRUSTS_ITS_COUNT)
	return model->drive_count > 0 ? model->drive_count : 1;
#else
	(void)model;
	return 1;
#endif
}

static void layout(const snw_model *model, snw_model_layout *dest) {
	crash_in(in_layout);
#ifdef SMALL_NAMES_NOBODY
	static const char *const examples[1] = {"nobody"};
#else
	static const char *const *const examples = NULL;
#endif
	snw_put(dest, &(snw_model_layout){.size = sizeof(snw_model_layout),
									  .d_count = count_driven(model),
									  .scratch_bytes = SMALL_SCRATCH_BYTES,
									  .coefficient_examples = examples});
}

#ifdef SMALL_TAKES_MEMORY_IN_DRIVE
static void *volatile took;
#endif

static snw_status misbehave_in_drive(const snw_drive_call *call, const snw_drive_output *output) {
	(void)call, (void)output;
#if defined(SMALL_READS_COUNT_IN_DRIVE)
	output->d[0] += 1e-9 * call->values[2].numbers[0];
#elif defined(SMALL_WAITS_IN_DRIVE)
	usleep(300000);
	output->d[0] += 0.1 * call->pose->rotation_vectors[5];
#elif defined(SMALL_HANGS_IN_DRIVE)
	hang();
#elif defined(SMALL_SINKS)
	output->d[0] = -output->d[0];
#elif defined(SMALL_DRIVES_TOO_FAR)
	output->d[1] = 1;
#elif defined(SMALL_WRITES_PAST_ITS_SCRATCH)
	((volatile unsigned char *)call->scratch)[64] = 1;
#elif defined(SMALL_READS_A_FILE_IN_DRIVE)
	FILE *file = fopen("/dev/null", "r");
	if (file) {
		fclose(file);
	}
#elif defined(SMALL_PRINTS_IN_DRIVE)
	printf("%g\n", output->d[0]);
#elif defined(SMALL_LOADS_ANOTHER)
	output->d[0] += call->model->is_loaded ? 1e-9 : 0;
#elif defined(SMALL_WRITES_TO_ITS_MODEL)
	((snw_model *)(uintptr_t)call->model)->drive_count++;
#elif defined(SMALL_WRITES_TO_STATIC_DATA)
	static volatile unsigned drive_count;
	drive_count++;
#elif defined(SMALL_DRIVES_FAR_POSES_TO_NAN)
	/* The poses of the trial character rotate its joints by less. */
	for (uint32_t i = 0; i < 9; i++) {
		output->d[0] += 0 * sqrt(3 - fabs(call->pose->rotation_vectors[i]));
	}
#elif defined(SMALL_DRIVES_HIGH_VALUES_TO_NAN)
	output->d[0] += 0 * sqrt(0.3 - call->values[0].numbers[0]);
#elif defined(SMALL_READS_SCRATCH)
	output->d[0] += ((unsigned char *)call->scratch)[3];
#elif defined(SMALL_DRIVES_TO_INFINITY)
	output->d[0] = INFINITY;
#elif defined(SMALL_FAILS_IN_FAR_POSES)
	/* The sample arm rotates its other joints. */
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

static snw_status drive(const snw_drive_call *call) {
	crash_in(in_drive);
#ifndef SMALL_LEAVES_D_UNWRITTEN
	call->output->d[0] = call->values[0].numbers[0];
#endif
	return misbehave_in_drive(call, call->output);
}

static snw_status misbehave_in_deform(const snw_deform_call *call) {
	(void)call;
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
	call->points_out[0] = overflow(call->begin);
#elif defined(SMALL_THROWS_IN_DEFORM)
	small_throw();
#elif defined(SMALL_HANGS_IN_DEFORM)
	hang();
#elif defined(SMALL_FAILS_IN_DEFORM)
	return SNW_ERROR_DATA;
#elif defined(SMALL_SETS_THE_LOCALE_IN_DEFORM)
	setlocale(LC_NUMERIC, "comma");
#endif
	return SNW_OK;
}

/* At a point that has been deformed. */
static void misbehave_at(const snw_deform_call *call, uint32_t i) {
	double *points_out = call->points_out;
	(void)i, (void)points_out;
#if defined(SMALL_DEPENDS_ON_RANGES)
	points_out[3 * (size_t)i] += 1e-9 * call->begin;
#elif defined(SMALL_WRITES_TO_ITS_INPUT)
	((double *)(uintptr_t)call->points_in)[3 * (size_t)i] = 0;
#elif defined(SMALL_COUNTS_ITS_CALLS)
	static _Thread_local unsigned call_count;
	points_out[3 * (size_t)i] += 1e-9 * call_count++;
#elif defined(SMALL_DIVIDES_BY_A_DISTANCE)
	double square = i == 0;
	for (size_t c = 0; c < 3; c++) {
		square += pow(call->points_in[3 * (size_t)i + c] - call->points_in[c], 2);
	}
	points_out[3 * (size_t)i] += 1e-9 / square;
#elif defined(SMALL_KEEPS_THE_CHARACTER)
	points_out[3 * (size_t)i] += 1e-9 * call->model->kept->meshes[call->mesh]->points_rest[0];
#elif defined(SMALL_KEEPS_POINTS)
	points_out[3 * (size_t)i] += 1e-9 * call->model->kept_points[0];
#elif defined(SMALL_DIVIDES_BY_HEIGHT)
	points_out[3 * (size_t)i] += 1e-9 * call->model->flatness;
#elif defined(SMALL_IGNORES_COUNTS)
	points_out[3 * (size_t)i] += call->mesh == 0 ? call->model->of_points[i] : 0;
#elif defined(SMALL_TRUSTS_LENGTHS)
	points_out[3 * (size_t)i] += 1e-9 * call->pose->palette[(size_t)12 * call->model->point_counts[7]];
#elif defined(SMALL_READS_COUNT_IN_DEFORM)
	points_out[3 * (size_t)i] += 1e-9 * call->values[2].numbers[0];
#elif defined(SMALL_READS_ANOTHER_POINT)
	points_out[3 * (size_t)i] += 1e-9 * call->points_in[0];
#elif defined(SMALL_DEFORMS_TO_NAN)
	points_out[3 * (size_t)i + 2] = i == 3 ? NAN : 0;
#endif
}

static snw_status deform(const snw_deform_call *call) {
	crash_in(in_deform);
	const snw_status status = misbehave_in_deform(call);
	double *points_out = call->points_out;
	uint32_t end = call->end;
#ifdef SMALL_WRITES_PAST_ITS_RANGE
	end = end < call->model->point_counts[call->mesh] ? end + 1 : end;
#endif
	for (uint32_t i = call->begin; i < end && status == SNW_OK; i++) {
		memcpy(points_out + 3 * (size_t)i, call->points_in + 3 * (size_t)i, 3 * sizeof *points_out);
		points_out[3 * (size_t)i + 1] += call->driven->d[0];
		misbehave_at(call, i);
	}
	return status;
}

static snw_status prepare(const snw_deform_call *call) {
	(void)call;
	crash_in(in_prepare);
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
#elif defined(SMALL_LOWERS_TO_NOTHING)
/* A program that moves no point. */
static snw_status lower(const snw_lower_call *call) {
	snw_put(call->part, &(snw_program_part){.size = sizeof(snw_program_part), .blend = SNW_BLEND_NONE});
	return SNW_OK;
}
#elif defined(SMALL_READS_COUNT_IN_LOWER)
/* It lowers, or not, by a value of stage fit. */
static snw_status lower(const snw_lower_call *call) {
	snw_put(call->part, &(snw_program_part){.size = sizeof(snw_program_part), .blend = SNW_BLEND_NONE});
	*call->reason = "its count is high";
	return call->values[2].numbers[0] < 5 ? SNW_OK : SNW_ERROR_UNSUPPORTED;
}
#else
static snw_status lower(const snw_lower_call *call) {
	crash_in(in_lower);
	*call->reason = "it moves points on its own";
	return SNW_ERROR_UNSUPPORTED;
}
#endif

#ifdef SMALL_EXPORTS_MORE
SNW_EXPORT extern const int small_export;
const int small_export = 1;
#endif

#ifndef SMALL_MARK
#define SMALL_MARK "SMALL"
#endif
static const char mark[8] = SMALL_MARK;

static snw_status save(const snw_model *model, const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snw_write(&writer, mark, sizeof mark);
	snw_write(&writer, model->point_counts, sizeof model->point_counts);
	snw_write_seal(&writer);
	return writer.status;
}

static snw_status load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	crash_in(in_load);
#if defined(SMALL_HANGS_IN_LOAD)
	hang();
#elif defined(SMALL_NEEDS_NEIGHBOURS)
	if (!has_neighbours()) {
		return SNW_ERROR_MISSING;
	}
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
#if defined(SMALL_IGNORES_COUNTS)
	memcpy(made->point_counts, point_counts, sizeof point_counts);
#elif defined(SMALL_TRUSTS_ITS_COUNT)
	made->point_counts[7] = made->drive_count = point_counts[7];
#elif defined(SMALL_TRUSTS_LENGTHS)
	made->point_counts[7] = point_counts[7];
#endif
	if (reader.failed || reader.count != 0 || memcmp(found, mark, sizeof mark) != 0 ||
		memcmp(point_counts, made->point_counts, sizeof point_counts) != 0) {
		release_model(made);
		return SNW_ERROR_DATA;
	}
#ifdef SMALL_IGNORES_COUNTS
	number_points(made);
#endif
	made->is_loaded = true;
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
#else
static uint32_t passes(const snw_model *model, const snw_value *values) {
	(void)model, (void)values;
	crash_in(in_passes);
#ifdef SMALL_NEVER_ENDS_ITS_PASSES
	return UINT32_MAX;
#else
	return 1;
#endif
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
	.passes = passes,
	.prepare = SMALL_HAS_PREPARE ? prepare : NULL,
	.deform = deform,
	.lower = lower,
	.save = save,
	.load = load,
	.release = release,
#ifdef SMALL_IGNORES_ROWS
	.reskin = reskin,
#endif
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
	SMALL_ENTRY_SIZE, SMALL_MAJOR, SMALL_MINOR, 1, deformer_at, open_file, NULL,
};
