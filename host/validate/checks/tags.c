/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the thread tags of the ABI are obeyed: a fit calls services for the owner thread from that thread alone; and what any
 * number of threads may run at once writes neither to the model nor to static data, which are read-only while it runs here.
 */
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plugin/memory_sink.h"
#include "plugin/requirements.h"
#include "validate/checks/checks.h"

/* ---- static data --------------------------------------------------------------------------------------------------------- */

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

/* ---- the check ----------------------------------------------------------------------------------------------------------- */

static void evaluate(const harness *b, const snw_model *model, harness_driven *driven, double *const *points) {
	for (uint32_t p = 0; p < b->scene->pose_count; p++) {
		snw_error fault = {0};
		const bool runs = !snw_failed(harness_drive(b, model, p, 0, driven, &fault));
		for (uint32_t m = 0; m < b->scene->mesh_count && runs; m++) {
			if (harness_is_black_box(b, model, m)) {
				harness_deform(b, model, p, driven, m, NULL, points[m]);
			}
		}
	}
}

/* Once as ever, for what is made at the first call; then with nothing to write to. A write ends the process, at its place. */
static snw_status evaluate_read_only(const harness *b, const snw_model *model, const char *path, snw_error *finding) {
	harness_driven driven;
	const snw_status status = harness_driven_make(b, model, &driven, finding);
	if (snw_failed(status)) {
		return status;
	}
	double **points = SNW_NEW_ARRAY(b->scene->arena, double *, b->scene->mesh_count);
	for (uint32_t m = 0; m < b->scene->mesh_count; m++) {
		points[m] = SNW_NEW_ARRAY(b->scene->arena, double, (size_t)3 * b->scene->meshes[m].point_count);
	}
	evaluate(b, model, &driven, points);
	snw_validate_note("while its model and its static data were read-only, because any number of threads evaluate at once");
	lock_static_data(path, true);
	trial_host_lock_region(&b->trial, true);
	evaluate(b, model, &driven, points);
	trial_host_lock_region(&b->trial, false);
	lock_static_data(path, false);
	snw_validate_note("%s", "");
	harness_driven_free(&driven);
	return SNW_OK;
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
		if (model) {
			b->deformer->release(model);
		}
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
