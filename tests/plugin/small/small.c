/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The smallest valid plug-in, which moves every point up by a parameter. Copies of it break one rule each (misdeeds.h), which
 * the registry must refuse or the validator must detect.
 */
#include <dlfcn.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

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
	uint32_t choice; /* of a fit, which its refits keep: the parameter `count` */
	bool is_loaded, is_transferred;
	const snw_character_view *kept; /* what a plug-in may not do */
	const double *kept_points;
	double flatness;
	uint32_t *of_points; /* a number for each point of the first mesh that it was fitted to */
};

/* ---- libraries beside the file ------------------------------------------------------------------------------------------- */

#ifdef SMALL_NEEDS_NEIGHBOURS
/* Beside this file, and in the folder `far` beside its own. */
int small_near(void);
int small_far(void);

static char opened[1000];

static snw_status open_file(const snw_open_call *call) {
	snprintf(opened, sizeof opened, "%s", call->path);
	return SNW_OK;
}

/* Whether near.txt is beside a file. */
static int has_neighbour(const char *path) {
	char beside[1100];
	snprintf(beside, sizeof beside, "%.*snear.txt", (int)(strrchr(path, '/') + 1 - path), path);
	return access(beside, R_OK) == 0;
}

static int has_neighbours(void) {
	Dl_info found;
	return small_near() == 1 && small_far() == 2 && strstr(opened, "/plugins/mine.so") && has_neighbour(opened) &&
		   dladdr(&descriptor, &found) && has_neighbour(found.dli_fname);
}
#else
#define open_file NULL
#define has_neighbours() 1
#endif

/* ---- models -------------------------------------------------------------------------------------------------------------- */

static double flatness_of(const snw_mesh_view *mesh) {
	double least = mesh->points_rest[1], most = least;
	for (size_t i = 1; i < mesh->point_count; i++) {
		least = fmin(least, mesh->points_rest[3 * i + 1]);
		most = fmax(most, mesh->points_rest[3 * i + 1]);
	}
	return 1 / (most - least);
}

static void release_memory(const snw_host *host, void *memory) {
	((const snw_memory_service *)host->service(host, SNW_SERVICE_MEMORY))->release(host, memory);
}

static snw_model *acquire_model(const snw_host *host) {
	return does[writes_to_its_model]
			   ? ((const snw_memory_service *)host->service(host, SNW_SERVICE_MEMORY))->acquire(host, sizeof(snw_model))
			   : calloc(1, sizeof(snw_model));
}

static void release_model(snw_model *model) {
	if (model->of_points) {
		release_memory(model->host, model->of_points);
	}
	if (does[writes_to_its_model]) {
		release_memory(model->host, model);
	} else {
		free(model);
	}
}

static snw_model *make_model(const snw_host *host, const snw_character_view *character) {
	snw_model *model = acquire_model(host);
	model->host = host;
	model->kept = character;
	model->kept_points = character->mesh_count > 0 ? character->meshes[0]->points_rest : NULL;
	for (uint32_t m = 0; m < character->mesh_count && m < 8; m++) {
		model->point_counts[m] = character->meshes[m]->point_count;
	}
	if (does[divides_by_height]) {
		model->flatness = character->mesh_count > 0 ? flatness_of(character->meshes[0]) : 0;
	}
	return model;
}

/* As many as there were, not as many as there are. */
static void number_points(snw_model *model) {
	const snw_memory_service *memory = model->host->service(model->host, SNW_SERVICE_MEMORY);
	model->of_points = memory->acquire(model->host, model->point_counts[0] * sizeof *model->of_points);
}

/* ---- fit ----------------------------------------------------------------------------------------------------------------- */

static void propose_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)begin, (void)end, (void)thread;
	const snw_host *host = argument;
	const snw_proposal_service *proposal = host->service(host, SNW_SERVICE_PROPOSAL);
	proposal->pose(host, &(snw_pose_proposal){.size = sizeof(snw_pose_proposal)});
}

static void misbehave_with_services(const snw_host *host) {
	const snw_memory_service *memory = host->service(host, SNW_SERVICE_MEMORY);
	if (does[leaks]) {
		memory->acquire(host, 1000);
	}
	if (does[proposes_in_a_chunk]) {
		const snw_parallel_service *parallel = host->service(host, SNW_SERVICE_PARALLEL);
		parallel->run(host, 1, 1, propose_chunk, (void *)(uintptr_t)host);
	}
}

static void misbehave_in_fit(void) {
	if (does[crashes_in_fit]) {
		abort();
	}
	if (does[hangs_in_fit]) {
		hang();
	}
	if (does[throws_in_fit]) {
		small_throw();
	}
	if (does[prints]) {
		puts("a line of a plug-in");
		fflush(stdout);
	}
}

/* Whether the fit is to go on. */
static int32_t report(const snw_host *host) {
	const snw_task_service *task = host->service(host, SNW_SERVICE_TASK);
	int32_t goes_on = task ? task->progress(host, 0.5, "lifting") : 1;
	while (does[waits_for_stop] && goes_on) {
		usleep(1000);
		goes_on = task->progress(host, 0.5, "waiting");
	}
	return goes_on || does[ignores_stop];
}

static double tint; /* each component */

static snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	const int32_t goes_on = report(instance->host);
	misbehave_in_fit();
	misbehave_with_services(instance->host);
	if (!goes_on) {
		return SNW_CANCELLED;
	}
	*model = make_model(instance->host, input->character);
	if (does[ignores_counts]) {
		number_points(*model);
	}
	if (does[differs_each_fit]) {
		static uint32_t fit_count;
		(*model)->point_counts[7] = ++fit_count;
	}
	const bool keeps = SNW_HAS(input, refits) && input->refits;
	(*model)->choice = keeps && does[forgets_choices] ? 0
					   : keeps                        ? input->previous->choice
													  : (uint32_t)input->values[COUNT].numbers[0];
	return propose_tint(instance->host, input->character, (const double[3]){tint, tint, tint});
}

static snw_status reskin(const snw_deformer *self, const snw_reskin_call *call, snw_model **model) {
	(void)self;
	*model = make_model(call->host, call->character);
	return SNW_OK;
}

static snw_status transfer(const snw_deformer *self, const snw_transfer_call *call, snw_model **model) {
	(void)self;
	*model = make_model(call->host, call->character);
	(*model)->is_transferred = true;
	return SNW_OK;
}

static void release(snw_model *model) {
	scribble_if(scribbles_in_release);
	release_model(model);
}

/* ---- layout and drive ---------------------------------------------------------------------------------------------------- */

static void layout(const snw_model *model, snw_model_layout *dest) {
	(void)model;
	static const char *const nobody[1] = {"nobody"};
	scribble_if(scribbles_in_layout);
	snw_put(dest, &(snw_model_layout){.size = sizeof(snw_model_layout),
									  .d_count = does[drives_too_many] ? UINT32_MAX : 1,
									  .scratch_bytes = does[wants_too_much_scratch] ? SIZE_MAX : 64,
									  .coefficient_examples = does[names_nobody] ? nobody : NULL});
}

static void misuse_process(const snw_drive_call *call) {
	if (does[waits_in_drive]) {
		usleep(300000);
		call->output->d[0] += 0.1 * call->pose->rotation_vectors[5];
	}
	if (does[hangs_in_drive]) {
		hang();
	}
	if (does[sets_the_locale_in_drive]) {
		setlocale(LC_NUMERIC, "comma");
	}
	if (does[writes_to_its_model]) {
		((snw_model *)(uintptr_t)call->model)->drive_count++;
	}
	if (does[writes_to_static_data]) {
		static volatile unsigned drive_count;
		drive_count++;
	}
}

/* What is added to the coefficient that it drives. */
static double drive_wrong(const snw_drive_call *call) {
	double wrong = 0;
	if (does[loads_another]) {
		wrong = call->model->is_loaded ? 1e-9 : 0;
	}
	if (does[transfers_another]) {
		wrong += call->model->is_transferred ? 1e-9 : 0;
	}
	for (uint32_t i = 0; i < 9 && does[drives_far_poses_to_nan]; i++) {
		/* The poses of the trial character rotate its joints by less. */
		wrong += 0 * sqrt(3 - fabs(call->pose->rotation_vectors[i]));
	}
	if (does[drives_high_values_to_nan]) {
		wrong = 0 * sqrt(0.3 - call->values[HEIGHT].numbers[0]);
	}
	if (does[reads_scratch]) {
		wrong = ((unsigned char *)call->scratch)[3];
	}
	return does[drives_to_infinity] ? (double)INFINITY : wrong;
}

static bool is_between_frames(double seconds) {
	return fabs(24 * seconds - round(24 * seconds)) > 0.1;
}

static snw_status fail_in_drive(const snw_drive_call *call) {
	/* The sample arm rotates its other joints. */
	const bool is_far = does[fails_in_far_poses] && fabs(call->pose->rotation_vectors[0]) > 0.1;
	const bool is_between = does[fails_between_frames] && is_between_frames(call->pose->seconds);
	return is_far || is_between || does[fails_in_drive] ? SNW_ERROR_DATA : SNW_OK;
}

static snw_status drive(const snw_drive_call *call) {
	double *d = call->output->d;
	scribble_if(scribbles_in_drive);
	if (!does[leaves_d_unwritten]) {
		d[0] = does[sinks] ? -call->values[HEIGHT].numbers[0] : call->values[HEIGHT].numbers[0];
		d[0] += drive_wrong(call);
	}
	if (does[drives_too_far]) {
		d[1] = 1;
	}
	if (does[writes_past_its_scratch]) {
		((volatile unsigned char *)call->scratch)[64] = 1;
	}
	misuse_process(call);
	return fail_in_drive(call);
}

/* ---- deform -------------------------------------------------------------------------------------------------------------- */

static void misuse_process_in_deform(const snw_deform_call *call) {
	if (does[allocates_in_deform]) {
		const snw_memory_service *memory = call->model->host->service(call->model->host, SNW_SERVICE_MEMORY);
		memory->release(call->model->host, memory->acquire(call->model->host, 100));
	}
	if (does[exits_in_deform]) {
		exit(0);
	}
	if (does[exits_at_once_in_deform]) {
		_exit(0);
	}
	if (does[sets_the_locale_in_deform]) {
		setlocale(LC_NUMERIC, "comma");
	}
}

static void break_down_in_deform(const snw_deform_call *call) {
	if (does[crashes_in_deform]) {
		raise(SIGSEGV);
	}
	if (does[overflows_in_deform]) {
		call->points_out[0] = overflow(call->begin);
	}
	if (does[throws_in_deform]) {
		small_throw();
	}
	if (does[hangs_in_deform]) {
		hang();
	}
}

static double inverse_distance(const snw_deform_call *call, uint32_t i) {
	double square = i == 0;
	for (size_t c = 0; c < 3; c++) {
		square += pow(call->points_in[3 * (size_t)i + c] - call->points_in[c], 2);
	}
	return 1 / square;
}

static unsigned count_call(void) {
	static _Thread_local unsigned call_count;
	return call_count++;
}

/* What reaches the x of a point and may not, in nanometres. */
static double leak_into(const snw_deform_call *call, uint32_t i) {
	const snw_model *model = call->model;
	return does[depends_on_ranges]       ? call->begin
		   : does[counts_its_calls]      ? count_call()
		   : does[divides_by_a_distance] ? inverse_distance(call, i)
		   : does[keeps_the_character]   ? model->kept->meshes[call->mesh]->points_rest[0]
		   : does[keeps_points]          ? model->kept_points[0]
		   : does[divides_by_height]     ? model->flatness
		   : does[ignores_counts]        ? 1e9 * (call->mesh == 0 ? model->of_points[i] : 0)
										 : 0;
}

static void deform_point(const snw_deform_call *call, uint32_t i) {
	double *point = call->points_out + 3 * (size_t)i;
	memcpy(point, call->points_in + 3 * (size_t)i, 3 * sizeof *point);
	point[0] += 1e-9 * leak_into(call, i);
	point[1] += call->driven->d[0];
	if (does[writes_to_its_input]) {
		((double *)(uintptr_t)call->points_in)[3 * (size_t)i] = 0;
	}
	if (does[deforms_to_nan]) {
		point[2] = i == 3 ? NAN : 0;
	}
}

static snw_status deform(const snw_deform_call *call) {
	scribble_if(scribbles_in_deform);
	misuse_process_in_deform(call);
	break_down_in_deform(call);
	const bool goes_on = does[writes_past_its_range] && call->end < call->model->point_counts[call->mesh];
	for (uint32_t i = call->begin; i < call->end + goes_on && !does[fails_in_deform]; i++) {
		deform_point(call, i);
	}
	return does[fails_in_deform] ? SNW_ERROR_DATA : SNW_OK;
}

static snw_status prepare(const snw_deform_call *call) {
	(void)call;
	scribble_if(scribbles_in_prepare);
	return does[fails_in_prepare] ? SNW_ERROR_DATA : SNW_OK;
}

static uint32_t passes(const snw_model *model, const snw_value *values) {
	(void)values;
	scribble_if(scribbles_in_passes);
	if (does[allocates_in_passes]) {
		const snw_memory_service *memory = model->host->service(model->host, SNW_SERVICE_MEMORY);
		memory->release(model->host, memory->acquire(model->host, 100));
	}
	return does[never_ends_its_passes] ? UINT32_MAX : 1;
}

/* ---- lower --------------------------------------------------------------------------------------------------------------- */

/* Every point follows the first slot. */
static void put_blend(snw_program_part *part) {
	static uint32_t offsets[1 << 16], slots[1 << 16];
	static double weights[1 << 16];
	for (uint32_t i = 0; i < 1 << 16; i++) {
		offsets[i] = i;
		weights[i] = 1;
	}
	snw_put(part, &(snw_program_part){.size = sizeof(snw_program_part),
									  .blend = SNW_BLEND_LINEAR,
									  .palette = SNW_PALETTE_JOINTS,
									  .influence_offsets = offsets,
									  .influence_slots = slots,
									  .influence_weights = weights});
}

static snw_status lower(const snw_lower_call *call) {
	scribble_if(scribbles_in_lower);
	if (does[lowers_to_a_blend]) {
		put_blend(call->part);
		return SNW_OK;
	}
	if (does[lowers_to_nothing]) { /* a program that moves no point */
		snw_put(call->part, &(snw_program_part){.size = sizeof(snw_program_part), .blend = SNW_BLEND_NONE});
		return SNW_OK;
	}
	*call->reason = "it moves points on its own";
	return SNW_ERROR_UNSUPPORTED;
}

/* ---- save and load ------------------------------------------------------------------------------------------------------- */

static char mark[8];

static snw_status save(const snw_model *model, const snw_sink *sink) {
	snw_writer writer = {.sink = sink};
	snw_write(&writer, mark, sizeof mark);
	snw_write(&writer, model->point_counts, sizeof model->point_counts);
	if (does[refits]) {
		snw_write(&writer, &model->choice, sizeof model->choice);
	}
	snw_write_seal(&writer);
	return writer.status;
}

static snw_status load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	scribble_if(scribbles_in_load);
	if (does[hangs_in_load]) {
		hang();
	}
	if (!has_neighbours()) {
		return SNW_ERROR_MISSING;
	}
	snw_reader reader = snw_read_sealed(call->bytes, call->count);
	uint32_t point_counts[8];
	char found[sizeof mark];
	snw_read(&reader, found, sizeof found);
	snw_read(&reader, point_counts, sizeof point_counts);
	snw_model *made = make_model(call->host, call->character);
	if (does[refits]) {
		snw_read(&reader, &made->choice, sizeof made->choice);
	}
	if (does[ignores_counts]) { /* believes what was saved */
		memcpy(made->point_counts, point_counts, sizeof made->point_counts);
	}
	const bool is_wrong = reader.failed || reader.count != 0 || memcmp(found, mark, sizeof mark) != 0 ||
						  memcmp(point_counts, made->point_counts, sizeof point_counts) != 0;
	if (is_wrong && !does[trusts_bytes]) {
		release_model(made);
		return SNW_ERROR_DATA;
	}
	if (does[ignores_counts]) {
		number_points(made);
	}
	made->is_loaded = !does[trusts_bytes];
	*model = made;
	return SNW_OK;
}

/* ---- the entry ----------------------------------------------------------------------------------------------------------- */

static snw_deformer deformer = {
	.size = sizeof deformer,
	.descriptor = &descriptor,
	.create = create,
	.destroy = destroy,
	.fit = fit,
	.layout = layout,
	.drive = drive,
	.passes = passes,
	.prepare = prepare,
	.deform = deform,
	.lower = lower,
	.save = save,
	.load = load,
	.release = release,
};

static const snw_deformer *deformer_at(uint32_t index) {
	if (does[sets_the_locale]) {
		setlocale(LC_NUMERIC, "comma");
	}
	return index == 0 ? &deformer : NULL;
}

#ifdef SMALL_NO_ENTRY
#define SMALL_ENTRY another_symbol
#else
#define SMALL_ENTRY SNW_ENTRY_SYMBOL
#endif
SNW_EXPORT extern snw_entry SMALL_ENTRY;
snw_entry SMALL_ENTRY = {sizeof(snw_entry), SNW_ABI_MAJOR, SNW_ABI_MINOR, 1, deformer_at, open_file, NULL};

static uint32_t stamped_number(const char *key, uint32_t otherwise) {
	const char *number = stamped(key, NULL);
	return number ? (uint32_t)strtoul(number, NULL, 10) : otherwise;
}

__attribute__((constructor)) static void begin(void) {
	read_stamp();
	misbehave_on_load();
	fill_tables();
	tint = strtod(stamped("tint", "0.5"), NULL);
	snprintf(mark, sizeof mark, "%s", stamped("mark", "SMALL"));
	SMALL_ENTRY.size = stamped_number("entry-size", sizeof(snw_entry));
	SMALL_ENTRY.abi_major = stamped_number("major", SNW_ABI_MAJOR);
	SMALL_ENTRY.abi_minor = stamped_number("minor", SNW_ABI_MINOR);
	deformer.size = does[is_older] ? offsetof(snw_deformer, describe) : sizeof deformer;
	deformer.fit = does[has_no_fit] ? NULL : fit;
	deformer.prepare = does[has_no_prepare] ? NULL : prepare;
	deformer.reskin = does[ignores_rows] ? reskin : NULL;
	deformer.transfer = does[transfers_another] ? transfer : NULL;
}
