/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of the functions that run: drive, lower and deform.
 */
#include <dlfcn.h>
#include <link.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/numbers.h"
#include "fit/fit.h"
#include "plugin/registry.h"
#include "task/task.h"
#include "validate/checks.h"

enum { SPLITS = 6, EVALUATING_THREADS = 4, DRAWS = 3 };

/* ---- drive --------------------------------------------------------------------------------------------------------------- */

/* State that evaluation must not change: the host's memory, and the number of thread rule violations. */
typedef struct quiet {
	size_t bytes;
	uint64_t violations;
} quiet;

static quiet read_quiet(const harness *b) {
	return (quiet){snw_services_bytes(b->services), snw_thread_violations()};
}

static snw_status check_quiet(const harness *b, quiet before, const char *function, snw_error *finding) {
	const quiet current = read_quiet(b);
	if (current.violations != before.violations || current.bytes != before.bytes) {
		return snw_fail(finding, SNW_ERROR_INTERNAL, "%s calls host services that its thread rule forbids", function);
	}
	return SNW_OK;
}

/* Every example that a coefficient belongs to must be one of the fit's. */
static snw_status check_examples(const harness *b, const snw_model_layout *layout, snw_error *finding) {
	for (uint64_t k = 0; layout->coefficient_examples && k < (uint64_t)layout->d_count + layout->e_count; k++) {
		const char *name = layout->coefficient_examples[k];
		bool is_known = name == NULL;
		for (uint32_t e = 0; e < b->input->example_count && !is_known; e++) {
			is_known = strcmp(b->input->examples[e]->name, name) == 0;
		}
		if (!is_known) {
			return snw_fail(finding, SNW_ERROR_INTERNAL,
							"its layout says that coefficient %llu belongs to example '%s', which the fit did not have",
							(unsigned long long)k, name);
		}
	}
	return SNW_OK;
}

snw_status snw_validate_drive(harness *b, const check_settings *settings, snw_error *finding) {
	(void)settings;
	harness_driven first, second = {0};
	const quiet before = read_quiet(b);
	snw_status status = harness_driven_make(b, b->model, &first, finding);
	status = snw_failed(status) ? status : harness_driven_make(b, b->model, &second, finding);
	status = snw_failed(status) ? status : check_examples(b, &first.layout, finding);
	for (uint32_t p = 0; !snw_failed(status) && p < b->scene->pose_count; p++) {
		status = harness_drive(b, b->model, p, 0, &first, finding);
		status = snw_failed(status) ? status : harness_drive(b, b->model, p, 0xFF, &second, finding);
		if (!snw_failed(status) && memcmp(first.block, second.block, first.block_count * sizeof *first.block) != 0) {
			status = snw_fail(finding, SNW_ERROR_INTERNAL,
							  "drive gives different bits at pose '%s' when its scratch has other contents",
							  b->scene->poses[p].name);
		}
	}
	status = snw_failed(status) ? status : check_quiet(b, before, "drive", finding);
	harness_driven_free(&first);
	harness_driven_free(&second);
	if (snw_failed(status)) {
		return status;
	}
	return first.layout.z_count + first.layout.d_count + first.layout.e_count > 0
			   ? snw_fail(finding, SNW_OK, "z %u, d %u, e %u, nothing written beyond", first.layout.z_count,
						  first.layout.d_count, first.layout.e_count)
			   : snw_fail(finding, SNW_OK, "nothing to drive");
}

/* ---- deform -------------------------------------------------------------------------------------------------------------- */

/* Runs a pass in several ranges, and compares it with the same pass in one range. */
typedef struct split_run {
	const harness *b;
	uint32_t pose, mesh, pass, point_count;
	const harness_driven *driven;
	const double *below, *in, *whole;
	double *out;
	void *prepared;
} split_run;

static snw_status run_range(const split_run *run, uint32_t begin, uint32_t end, unsigned char fill, double *out) {
	const harness *b = run->b;
	const size_t bytes = run->driven->layout.scratch_bytes;
	snw_deform_call call = harness_deform_call(b, b->model, run->pose, run->driven, run->mesh);
	call.pass = run->pass;
	call.begin = begin;
	call.end = end;
	call.points_below = run->below;
	call.points_in = run->in;
	call.points_out = out;
	call.scratch = harness_scratch(bytes, fill);
	call.prepared = run->prepared;
	const snw_thread_call previous = harness_enter(b, SNW_ROLE_EVALUATION, "deform");
	const snw_status status = snw_deny_caveat(b->deformer->deform(&call));
	snw_thread_leave(previous);
	return harness_scratch_end(bytes, call.scratch) ? status : SNW_ERROR_LIMIT;
}

static snw_status prepare_pass(const split_run *run, snw_error *finding) {
	const harness *b = run->b;
	if (!b->deformer->prepare) {
		return SNW_OK;
	}
	snw_deform_call call = harness_deform_call(b, b->model, run->pose, run->driven, run->mesh);
	call.pass = run->pass;
	call.points_below = run->below;
	call.points_in = run->in;
	call.scratch = harness_scratch(run->driven->layout.scratch_bytes, 0x5A);
	call.prepared = run->prepared;
	const snw_thread_call previous = harness_enter(b, SNW_ROLE_EVALUATION, "prepare");
	const snw_status status = snw_deny_caveat(b->deformer->prepare(&call));
	snw_thread_leave(previous);
	if (!harness_scratch_end(run->driven->layout.scratch_bytes, call.scratch)) {
		return snw_fail(finding, SNW_ERROR_INTERNAL, "prepare writes past the end of its scratch");
	}
	return !snw_failed(status) ? SNW_OK
							   : snw_fail(finding, status, "prepare fails at pose '%s': it %s", b->scene->poses[run->pose].name,
										  snw_status_words(status));
}

/* Runs the ranges out of order, each into an array of marks in which only its own points may change. */
static snw_status check_ranges(const split_run *run, uint64_t *random, snw_error *finding) {
	static const double mark = -7.7777e77;
	const char *mesh = run->b->scene->meshes[run->mesh].name;
	for (int i = 0; i < SPLITS; i++) {
		const uint32_t a = (uint32_t)(snw_random_next(random) % (run->point_count + 1));
		const uint32_t b = (uint32_t)(snw_random_next(random) % (run->point_count + 1));
		const uint32_t begin = a < b ? a : b, end = a < b ? b : a;
		for (size_t k = 0; k < (size_t)3 * run->point_count; k++) {
			run->out[k] = mark;
		}
		const snw_status status = run_range(run, begin, end, (unsigned char)snw_random_next(random), run->out);
		if (snw_failed(status)) {
			return snw_fail(finding, status, "deform fails on points %u to %u of mesh '%s': it %s", begin, end, mesh,
							snw_status_words(status));
		}
		for (uint32_t k = 0; k < run->point_count; k++) {
			const double *got = run->out + (size_t)3 * k, *wanted = run->whole + (size_t)3 * k;
			const bool inside = k >= begin && k < end;
			if (!inside && (got[0] != mark || got[1] != mark || got[2] != mark)) {
				return snw_fail(finding, SNW_ERROR_INTERNAL, "deform of points %u to %u of mesh '%s' writes point %u", begin,
								end, mesh, k);
			}
			if (inside && memcmp(got, wanted, 3 * sizeof *got) != 0) {
				return snw_fail(
					finding, SNW_ERROR_INTERNAL,
					"deform gives point %u of mesh '%s' different bits in the range %u to %u than in the whole mesh", k, mesh,
					begin, end);
			}
		}
	}
	return SNW_OK;
}

static snw_status check_finite(const split_run *run, snw_error *finding) {
	for (size_t k = 0; k < (size_t)3 * run->point_count; k++) {
		if (!isfinite(run->whole[k])) {
			return snw_fail(finding, SNW_ERROR_INTERNAL,
							"deform gives point %zu of mesh '%s' coordinates that are not finite at pose '%s'", k / 3,
							run->b->scene->meshes[run->mesh].name, run->b->scene->poses[run->pose].name);
		}
	}
	return SNW_OK;
}

static snw_status check_pass(split_run *run, double *whole, uint64_t *random, snw_error *finding) {
	const size_t bytes = (size_t)3 * run->point_count * sizeof(double);
	const snw_status ready = prepare_pass(run, finding);
	if (snw_failed(ready)) {
		return ready;
	}
	double *in = malloc(bytes);
	memcpy(in, run->in, bytes);
	snw_status status = run_range(run, 0, run->point_count, 0, whole);
	run->whole = whole;
	if (status == SNW_ERROR_LIMIT) {
		snw_fail(finding, status, "deform writes past the end of its scratch");
	} else if (snw_failed(status)) {
		snw_fail(finding, status, "deform fails at pose '%s': it %s", run->b->scene->poses[run->pose].name,
				 snw_status_words(status));
	} else if (memcmp(in, run->in, bytes) != 0) {
		status = snw_fail(finding, SNW_ERROR_INTERNAL, "deform writes to its input points");
	} else {
		status = check_finite(run, finding);
		status = snw_failed(status) ? status : check_ranges(run, random, finding);
	}
	free(in);
	return status;
}

static snw_status check_evaluation(const harness *b, uint32_t pose, uint32_t mesh, const harness_driven *driven_output,
								   uint64_t *random, snw_error *finding) {
	const snw_mesh *geometry = &b->scene->meshes[mesh];
	const size_t bytes = (size_t)3 * geometry->point_count * sizeof(double);
	const size_t prepared_bytes = driven_output->layout.prepared_bytes;
	double *in = malloc(bytes), *whole = malloc(bytes), *out = malloc(bytes);
	void *prepared = harness_scratch(prepared_bytes, 0x5A);
	memcpy(in, geometry->points_rest, bytes);
	const uint32_t passes = harness_passes(b, b->model);
	snw_status status = passes <= SNW_MOST_PASSES
							? SNW_OK
							: snw_fail(finding, SNW_ERROR_LIMIT, "passes asks for more than %d", SNW_MOST_PASSES);
	for (uint32_t pass = 0; !snw_failed(status) && pass < passes; pass++) {
		split_run run = {.b = b,
						 .pose = pose,
						 .mesh = mesh,
						 .pass = pass,
						 .point_count = geometry->point_count,
						 .driven = driven_output,
						 .below = geometry->points_rest,
						 .in = in,
						 .out = out,
						 .prepared = prepared};
		status = check_pass(&run, whole, random, finding);
		memcpy(in, whole, bytes);
	}
	free(in);
	free(whole);
	free(out);
	if (!harness_scratch_end(prepared_bytes, prepared) && !snw_failed(status)) {
		status = snw_fail(finding, SNW_ERROR_INTERNAL, "prepare writes past the end of the memory that its layout asks for");
	}
	return status;
}

snw_status snw_validate_deform(harness *b, const check_settings *settings, snw_error *finding) {
	if (!b->deformer->deform) {
		return snw_fail(finding, SNW_OK, "no deform; it always lowers");
	}
	uint64_t random = settings->seed;
	harness_driven output;
	const quiet before = read_quiet(b);
	snw_status status = harness_driven_make(b, b->model, &output, finding);
	for (uint32_t p = 0; !snw_failed(status) && p < b->scene->pose_count; p++) {
		status = harness_drive(b, b->model, p, 0, &output, finding);
		for (uint32_t m = 0; !snw_failed(status) && m < b->scene->mesh_count; m++) {
			status = check_evaluation(b, p, m, &output, &random, finding);
		}
	}
	harness_driven_free(&output);
	status = snw_failed(status) ? status : check_quiet(b, before, "one of passes, prepare and deform", finding);
	return snw_failed(status) ? status : snw_fail(finding, SNW_OK, "any split into ranges gives the same bits");
}

/* ---- threads ------------------------------------------------------------------------------------------------------------- */

/* Poses evaluated one by one, or all at once, each with its own evaluation. */
typedef struct thread_run {
	const harness *b;
	const snw_stack *stack;
	double **points; /* [pose_count], the points of all meshes in order */
	snw_status statuses[64];
} thread_run;

static void run_poses(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	thread_run *run = argument;
	for (uint32_t p = begin; p < end; p++) {
		snw_evaluation *evaluation = snw_evaluation_create_reference(run->stack);
		double *points = run->points[p];
		run->statuses[p] = snw_stack_drive(run->stack, run->b->poses[p], evaluation, NULL);
		for (uint32_t m = 0; run->statuses[p] >= 0 && m < run->b->scene->mesh_count; m++) {
			run->statuses[p] = snw_stack_reference(run->stack, evaluation, m, NULL, points, NULL);
			points += (size_t)3 * run->b->scene->meshes[m].point_count;
		}
		snw_evaluation_destroy(evaluation);
	}
}

static snw_status compare_threads(const harness *b, const snw_stack *stack, snw_error *finding) {
	size_t numbers = 0;
	for (uint32_t m = 0; m < b->scene->mesh_count; m++) {
		numbers += (size_t)3 * b->scene->meshes[m].point_count;
	}
	const uint32_t poses = b->scene->pose_count;
	thread_run runs[3];
	snw_arena *arena = b->scene->arena;
	for (int r = 0; r < 3; r++) {
		runs[r] = (thread_run){.b = b, .stack = stack, .points = SNW_NEW_ARRAY(arena, double *, poses)};
		for (uint32_t p = 0; p < poses; p++) {
			runs[r].points[p] = SNW_NEW_ARRAY(arena, double, numbers);
		}
		snw_parallel_threads(r == 0 ? 1 : EVALUATING_THREADS);
		if (r < 2) {
			run_poses(&runs[r], 0, poses, 0); /* threads within a pose */
		} else {
			snw_parallel_for(poses, 1, run_poses, &runs[r]); /* poses on threads */
		}
	}
	for (uint32_t p = 0; p < poses; p++) {
		for (int r = 0; r < 3; r++) {
			if (runs[r].statuses[p] < 0 || memcmp(runs[r].points[p], runs[0].points[p], numbers * sizeof(double)) != 0) {
				return snw_fail(finding, SNW_ERROR_INTERNAL, "pose '%s' %s %d threads %s", b->scene->poses[p].name,
								runs[r].statuses[p] < 0 ? "fails on" : "gets different bits on",
								r == 0 ? 1 : EVALUATING_THREADS, r == 2 ? "that each take a pose" : "");
			}
		}
	}
	return snw_fail(finding, SNW_OK, "1 and %d threads give the same bits", EVALUATING_THREADS);
}

static bool same_skins(const snw_scene *one, const snw_scene *many) {
	bool is_same = true;
	for (uint32_t m = 0; m < one->mesh_count && is_same; m++) {
		const snw_mesh *a = &one->meshes[m], *b = &many->meshes[m];
		const uint32_t count = a->influence_offsets ? a->influence_offsets[a->point_count] : 0;
		is_same = !a->influence_offsets == !b->influence_offsets &&
				  (count == 0 || (memcmp(a->influence_offsets, b->influence_offsets,
										 ((size_t)a->point_count + 1) * sizeof *a->influence_offsets) == 0 &&
								  memcmp(a->influence_slots, b->influence_slots, count * sizeof *a->influence_slots) == 0 &&
								  memcmp(a->influence_weights, b->influence_weights, count * sizeof(double)) == 0));
	}
	return is_same;
}

/* What only proposes runs nothing: its proposals are the same on any number of threads. */
static snw_status compare_proposals(harness *b, snw_error *finding) {
	const snw_fit_request request = {.method = b->deformer->descriptor->id, .left_out_example = SNW_NONE};
	snw_scene *made[2] = {NULL, NULL};
	snw_status status = SNW_OK;
	for (int i = 0; !snw_failed(status) && i < 2; i++) {
		snw_fit_outcome outcome = {.arena = b->scene->arena};
		snw_parallel_threads(i == 0 ? 1 : EVALUATING_THREADS);
		status = snw_fit_run(b->scene, b->registry, &request, NULL, &outcome, finding);
		status = snw_failed(status) ? status : snw_fit_apply(b->scene, &outcome, &made[i], finding);
	}
	if (!snw_failed(status)) {
		const snw_skeleton *one = &made[0]->skeleton, *many = &made[1]->skeleton;
		const bool is_same = one->joint_count == many->joint_count &&
							 memcmp(one->rest_global, many->rest_global, (size_t)12 * one->joint_count * sizeof(double)) == 0 &&
							 same_skins(made[0], made[1]);
		status = is_same ? snw_fail(finding, SNW_OK, "1 and %d threads give the same proposals", EVALUATING_THREADS)
						 : snw_fail(finding, SNW_ERROR_INTERNAL, "%d threads give other proposals than 1", EVALUATING_THREADS);
	}
	snw_scene_destroy(made[0]);
	snw_scene_destroy(made[1]);
	return status;
}

/* Whether the fit proposed what its model runs on. */
static bool proposes_a_rig(const snw_proposals *p) {
	return p->has_skeleton || p->skin_count > 0 || p->pose_count > 0 || p->track_count > 0;
}

/* The path of a fit in the host: into bytes, into a scene, onto a stack. */
static snw_status compare_fitted(harness *b, snw_error *finding) {
	const char *method = b->deformer->descriptor->id;
	const snw_fit_request request = {.method = method, .left_out_example = SNW_NONE};
	snw_fit_outcome outcome = {.arena = b->scene->arena};
	snw_scene *after = NULL;
	snw_stack *stack = NULL;
	snw_status status = snw_fit_run(b->scene, b->registry, &request, NULL, &outcome, finding);
	status = snw_failed(status) ? status : snw_fit_apply(b->scene, &outcome, &after, finding);
	const snw_stack_options options = {.method = method};
	status = snw_failed(status) ? status : snw_stack_build(after, b->registry, &options, NULL, &stack, finding);
	status = snw_failed(status) ? status : compare_threads(b, stack, finding);
	snw_stack_destroy(stack);
	snw_scene_destroy(after);
	return status;
}

/* With the model that is there already. */
static snw_status compare_model(const harness *b, snw_error *finding) {
	trial_stack stack;
	snw_status status = trial_stack_open(&stack, b, false, finding);
	status = snw_failed(status) ? status : compare_threads(b, stack.whole, finding);
	trial_stack_close(&stack);
	return status;
}

snw_status snw_validate_threads(harness *b, const check_settings *settings, snw_error *finding) {
	(void)settings;
	return snw_proposes_only(b->deformer->descriptor) ? compare_proposals(b, finding)
		   : proposes_a_rig(&b->proposals)            ? compare_fitted(b, finding)
													  : compare_model(b, finding);
}

/* ---- tags ---------------------------------------------------------------------------------------------------------------- */

typedef struct static_data {
	ElfW(Addr) base; /* of the file */
	bool is_locked;
} static_data;

/* The pages of a part of the file that can be written to. Those that the loader has locked stay so. */
static void protect(const struct dl_phdr_info *info, const ElfW(Phdr) * part, bool is_locked) {
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t begin = (info->dlpi_addr + part->p_vaddr) / page * page;
	const uintptr_t end = (info->dlpi_addr + part->p_vaddr + part->p_memsz + page - 1) / page * page;
	for (uint16_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *other = &info->dlpi_phdr[i];
		const uintptr_t last = (info->dlpi_addr + other->p_vaddr + other->p_memsz) / page * page;
		if (other->p_type == PT_GNU_RELRO && last > begin && last <= end) {
			begin = last;
		}
	}
	if (end > begin) {
		mprotect((void *)begin, end - begin, is_locked ? PROT_READ : PROT_READ | PROT_WRITE);
	}
}

static int visit_object(struct dl_phdr_info *info, size_t size, void *context) {
	(void)size;
	const static_data *data = context;
	for (uint16_t i = 0; info->dlpi_addr == data->base && i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		if (part->p_type == PT_LOAD && part->p_flags & PF_W) {
			protect(info, part, data->is_locked);
		}
	}
	return info->dlpi_addr == data->base;
}

/* Of the loaded file at `path`. */
static void lock_static_data(const char *path, bool is_locked) {
	void *handle = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
	struct link_map *map = NULL;
	if (handle && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0) {
		static_data data = {map->l_addr, is_locked};
		dl_iterate_phdr(visit_object, &data);
	}
	if (handle) {
		dlclose(handle);
	}
}

/* Once as ever, for what is made at the first call; then with nothing to write to. A write ends the process, at its place. */
static snw_status evaluate_read_only(const harness *b, const snw_model *model, const char *path, snw_error *finding) {
	snw_status status = harness_evaluate(b, model, finding);
	if (!snw_failed(status)) {
		snw_validate_note("while its model and its static data were read-only, because any number of threads evaluate at once");
		lock_static_data(path, true);
		trial_host_lock_region(&b->trial, true);
		status = harness_evaluate(b, model, finding);
		trial_host_lock_region(&b->trial, false);
		lock_static_data(path, false);
		snw_validate_note("%s", "");
	}
	return status;
}

/* A model in memory that can be locked: loaded, since that takes less time than a fit, or bound. */
static snw_status make_model(harness *b, snw_model **model, snw_error *finding) {
	if (b->deformer->descriptor->traits & SNW_BINDS) {
		snw_status status = harness_release(b, finding);
		status = snw_failed(status) ? status : harness_fit_whole(b, finding);
		*model = b->model;
		return status;
	}
	snw_memory_sink sink;
	snw_status status = harness_save(b, b->model, &sink, finding);
	if (snw_failed(status)) {
		return status;
	}
	status = harness_load(b, b->input->character, sink.bytes, sink.count, model);
	snw_memory_sink_close(&sink);
	return snw_failed(status) ? snw_fail(finding, status, "load of the saved bytes returned status %d", status) : SNW_OK;
}

static snw_status try_read_only(harness *b, const char *path, snw_error *finding) {
	snw_model *model = NULL;
	if (!trial_host_open_region(&b->trial)) {
		return snw_fail(finding, SNW_ERROR_MEMORY, "there is no memory to try it with");
	}
	snw_status status = make_model(b, &model, finding);
	status = snw_failed(status) ? status : evaluate_read_only(b, model, path, finding);
	if (!(b->deformer->descriptor->traits & SNW_BINDS)) {
		harness_release_model(b, model);
	} else { /* what the harness has is in the region too */
		snw_error leak;
		const snw_status released = harness_release(b, &leak);
		status = snw_failed(status) || !snw_failed(released) ? status : snw_fail(finding, released, "%.900s", leak.text);
	}
	trial_host_close_region(&b->trial);
	return status;
}

snw_status snw_validate_tags(harness *b, const check_settings *settings, snw_error *finding) {
	snw_status status = snw_proposes_only(b->deformer->descriptor) ? SNW_OK : try_read_only(b, settings->path, finding);
	if (!snw_failed(status) && snw_thread_violations() != b->violations) {
		status = snw_fail(finding, SNW_ERROR_INTERNAL,
						  "it calls %s, which the thread rule of that service forbids; see sinew/base.h",
						  snw_thread_last_violation());
	}
	return snw_failed(status)
			   ? status
			   : snw_fail(finding, SNW_OK,
						  "services are called where they may be; evaluation writes to nothing that threads share");
}

/* ---- lowered ------------------------------------------------------------------------------------------------------------- */

/* Of the mesh's diagonal: rounding, in whatever order a plug-in sums. */
#define TOLERANCE 1e-6

static snw_status compare(const snw_scene *scene, uint32_t m, const char *pose, const double *deformed, const double *lowered,
						  snw_error *finding) {
	const snw_mesh *mesh = &scene->meshes[m];
	const double tolerance = TOLERANCE * snw_scene_diagonal(scene, m);
	for (size_t i = 0; i < (size_t)3 * mesh->point_count; i++) {
		const double apart = fabs(deformed[i] - lowered[i]);
		if (!(apart <= tolerance)) {
			return snw_fail(
				finding, SNW_ERROR_INTERNAL,
				"deform moves point %zu of mesh '%s' at pose '%s' to a different place than the program that it lowers "
				"to: they are %g m apart along %c",
				i / 3, mesh->name, pose, apart, (int)('x' + i % 3));
		}
	}
	return SNW_OK;
}

/* One mesh at one pose: the points from below through deform, and the whole stack. */
static snw_status compare_mesh(const harness *b, const trial_stack *stack, uint32_t pose, const harness_driven *driven,
							   uint32_t m, snw_error *finding) {
	const snw_mesh *mesh = &b->scene->meshes[m];
	const size_t bytes = (size_t)3 * mesh->point_count * sizeof(double);
	double *below = malloc(bytes), *deformed = malloc(bytes), *lowered = malloc(bytes);
	snw_status status = snw_stack_reference(stack->below, stack->below_evaluation, m, NULL, below, finding);
	status =
		snw_failed(status) ? status : snw_stack_reference(stack->whole, stack->whole_evaluation, m, NULL, lowered, finding);
	if (!snw_failed(status)) {
		status = harness_deform(b, b->model, pose, driven, m, below, deformed);
		status = snw_failed(status) ? snw_fail(finding, status, "deform fails at pose '%s', although it lowers for mesh '%s'",
											   b->scene->poses[pose].name, mesh->name)
									: compare(b->scene, m, b->scene->poses[pose].name, deformed, lowered, finding);
	}
	free(lowered);
	free(deformed);
	free(below);
	return status;
}

/* With the harness's values. Counts the meshes and poses that were compared. */
static snw_status compare_poses(const harness *b, bool is_alone, uint32_t *compared, snw_error *finding) {
	trial_stack stack = {0};
	harness_driven driven;
	snw_status status = harness_driven_make(b, b->model, &driven, finding);
	status = snw_failed(status) ? status : trial_stack_open(&stack, b, is_alone, finding);
	for (uint32_t p = 0; p < b->scene->pose_count && !snw_failed(status); p++) {
		status = harness_drive(b, b->model, p, 0, &driven, finding);
		status = snw_failed(status) ? status : snw_stack_drive(stack.whole, b->poses[p], stack.whole_evaluation, finding);
		status = snw_failed(status) ? status : snw_stack_drive(stack.below, b->poses[p], stack.below_evaluation, finding);
		for (uint32_t m = 0; m < b->scene->mesh_count && !snw_failed(status); m++) {
			if (!harness_is_black_box(b, b->model, m)) {
				status = compare_mesh(b, &stack, p, &driven, m, finding);
				++*compared;
			}
		}
	}
	trial_stack_close(&stack);
	harness_driven_free(&driven);
	return status;
}

/* Displacements of a program act before what is below, and deform after it. So a deform that is right over the rest alone is
 * right too. */
static snw_status compare_programs(const harness *b, uint32_t *compared, snw_error *finding) {
	snw_error unused;
	const snw_status status = compare_poses(b, false, compared, finding);
	return snw_failed(status) && !snw_failed(compare_poses(b, true, compared, &unused)) ? SNW_OK : status;
}

snw_status snw_validate_lowered(harness *b, const check_settings *settings, snw_error *finding) {
	if (!b->deformer->deform || !b->deformer->lower || snw_proposes_only(b->deformer->descriptor)) {
		return snw_fail(finding, SNW_OK, "%s",
						b->deformer->deform ? "no lower; it always deforms" : "no deform; it always lowers");
	}
	uint64_t random = settings->seed;
	uint32_t compared = 0;
	snw_status status = compare_programs(b, &compared, finding);
	for (int draw = 0; draw < DRAWS && !snw_failed(status); draw++) {
		drawn_files files = draw_values(&random, b, SNW_STAGE_LOWER);
		status = compare_programs(b, &compared, finding);
		drawn_files_close(&files);
	}
	if (snw_failed(status)) {
		return status;
	}
	return compared == 0
			   ? snw_fail(finding, SNW_OK, "it does not lower")
			   : snw_fail(finding, SNW_OK, "deform and the lowered program agree on %u meshes, posed and with random values",
						  compared);
}
