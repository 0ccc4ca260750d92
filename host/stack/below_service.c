/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The services over what lies below a layer during its fit.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/adopt.h"
#include "services/services_internal.h"
#include "stack/stack.h"

/* ---- frames: one for each thread that is in the service at a time ---------------------------------------------------------- */

static snw_kept_frame *take_frame(snw_services *services) {
	pthread_mutex_lock(&services->mutex);
	snw_kept_frame *kept = services->frames;
	if (kept) {
		services->frames = kept->next;
	}
	pthread_mutex_unlock(&services->mutex);
	if (kept) {
		return kept;
	}
	kept = calloc(1, sizeof *kept);
	if (kept) {
		kept->frame = snw_stack_frame_create_truth(services->below.stack);
	}
	return kept;
}

static void give_frame(snw_services *services, snw_kept_frame *kept) {
	pthread_mutex_lock(&services->mutex);
	kept->next = services->frames;
	services->frames = kept;
	pthread_mutex_unlock(&services->mutex);
}

static void forget_frames(snw_services *services) {
	for (snw_kept_frame *kept = services->frames, *next; kept; kept = next) {
		next = kept->next;
		snw_stack_frame_destroy(kept->frame);
		free(kept);
	}
	services->frames = NULL;
}

/* ---- the services ---------------------------------------------------------------------------------------------------------- */

static snw_status check_call(const snw_host *host, uint32_t mesh, uint32_t count, const uint32_t *indices) {
	const snw_scene *scene = snw_services_of(host)->scene;
	char words[200];
	atomic_store(&snw_services_of(host)->below_read, true);
	if (mesh >= scene->mesh_count) {
		snprintf(words, sizeof words, "below: no mesh %u", mesh);
		return snw_services_fail(host, SNW_ERROR_ARGUMENT, words);
	}
	const uint32_t point_count = scene->meshes[mesh].point_count;
	if (!indices && count != point_count) {
		snprintf(words, sizeof words, "below: %u points without indices, where the mesh has %u", count, point_count);
		return snw_services_fail(host, SNW_ERROR_ARGUMENT, words);
	}
	for (uint32_t i = 0; indices && i < count; i++) {
		if (indices[i] >= point_count) {
			snprintf(words, sizeof words, "below: index %u is past the mesh's %u points", indices[i], point_count);
			return snw_services_fail(host, SNW_ERROR_ARGUMENT, words);
		}
	}
	return SNW_OK;
}

static uint32_t below_rings(const snw_host *host, uint32_t mesh) {
	snw_thread_expect(SNW_TAG_ANY_THREAD, "below.rings");
	snw_services *services = snw_services_of(host);
	atomic_store(&services->below_read, true);
	return mesh < services->scene->mesh_count ? snw_stack_rings(services->below.stack, mesh) : 0;
}

static snw_status below_deform(const snw_host *host, const snw_below_call *foreign) {
	snw_thread_expect(SNW_TAG_ANY_THREAD, "below.deform");
	snw_services *services = snw_services_of(host);
	snw_below_call known;
	snw_adopt(&known, sizeof known, foreign);
	const snw_below_call *call = &known;
	snw_status status = check_call(host, call->mesh, call->count, call->indices);
	if (snw_failed(status) || call->pose_count == 0 || call->count == 0) {
		return status;
	}
	snw_kept_frame *kept = take_frame(services);
	if (!kept) {
		return snw_services_fail(host, SNW_ERROR_MEMORY, "below: out of memory");
	}
	snw_error error;
	atomic_fetch_add(&services->below_calls, call->pose_count);
	for (uint32_t p = 0; !snw_failed(status) && p < call->pose_count; p++) {
		snw_pose_view pose;
		snw_adopt(&pose, sizeof pose, call->poses[p]);
		const size_t offset = (size_t)3 * call->count * p;
		status = snw_stack_drive(services->below.stack, &pose, kept->frame, &error);
		status = snw_failed(status)
					 ? status
					 : snw_stack_truth_at(services->below.stack, kept->frame, call->mesh, call->count, call->indices,
										  call->points_rest + offset, call->points_posed + offset, &error);
	}
	give_frame(services, kept);
	return !snw_failed(status) ? status : snw_services_fail(host, status, error.text);
}

static snw_status below_matrices(const snw_host *host, uint32_t mesh, const snw_pose_view *pose, uint32_t count,
								 const uint32_t *indices, double *matrices) {
	snw_thread_expect(SNW_TAG_ANY_THREAD, "below.affine.matrices");
	snw_services *services = snw_services_of(host);
	snw_status status = check_call(host, mesh, count, indices);
	if (!snw_failed(status) && !snw_stack_is_affine(services->below.stack, mesh)) {
		return SNW_ERROR_UNSUPPORTED; /* an answer, not a failure: the plug-in then asks for points */
	}
	if (snw_failed(status) || count == 0) {
		return status;
	}
	snw_kept_frame *kept = take_frame(services);
	if (!kept) {
		return snw_services_fail(host, SNW_ERROR_MEMORY, "below: out of memory");
	}
	snw_error error;
	snw_pose_view known;
	snw_adopt(&known, sizeof known, pose);
	status = snw_stack_drive(services->below.stack, &known, kept->frame, &error);
	status = snw_failed(status)
				 ? status
				 : snw_stack_matrices(services->below.stack, kept->frame, mesh, count, indices, matrices, &error);
	give_frame(services, kept);
	return !snw_failed(status) ? status : snw_services_fail(host, status, error.text);
}

static const snw_below_service below_table = {sizeof below_table, below_rings, below_deform};
static const snw_below_affine_service affine_table = {sizeof affine_table, below_matrices};

snw_below snw_stack_below_services(const snw_stack *stack) {
	return stack ? (snw_below){stack, &below_table, &affine_table, forget_frames} : (snw_below){0};
}
