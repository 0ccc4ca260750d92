/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The service `below`: the layers below a layer, for its fit.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/adopt.h"
#include "services/services_internal.h"
#include "stack/stack.h"

/* ---- evaluations, one for each thread inside a call ---------------------------------------------------------------------- */

static snw_spare_evaluation *take_evaluation(snw_services *services) {
	pthread_mutex_lock(&services->mutex);
	snw_spare_evaluation *spare = services->spare;
	if (spare) {
		services->spare = spare->next;
	}
	pthread_mutex_unlock(&services->mutex);
	if (spare) {
		return spare;
	}
	spare = calloc(1, sizeof *spare);
	if (spare) {
		spare->evaluation = snw_evaluation_create_reference(services->below.stack);
	}
	return spare;
}

static void return_evaluation(snw_services *services, snw_spare_evaluation *spare) {
	pthread_mutex_lock(&services->mutex);
	spare->next = services->spare;
	services->spare = spare;
	pthread_mutex_unlock(&services->mutex);
}

static void destroy_evaluations(snw_services *services) {
	for (snw_spare_evaluation *spare = services->spare, *next; spare; spare = next) {
		next = spare->next;
		snw_evaluation_destroy(spare->evaluation);
		free(spare);
	}
	services->spare = NULL;
}

/* ---- the services -------------------------------------------------------------------------------------------------------- */

static snw_status check_call(const snw_host *host, uint32_t mesh, uint32_t count, const uint32_t *indices) {
	const snw_scene *scene = snw_services_of(host)->scene;
	char text[200];
	atomic_store(&snw_services_of(host)->below_read, true);
	if (mesh >= scene->mesh_count) {
		snprintf(text, sizeof text, "below: no mesh %u", mesh);
		return snw_services_fail(host, SNW_ERROR_ARGUMENT, text);
	}
	const uint32_t point_count = scene->meshes[mesh].point_count;
	if (!indices && count != point_count) {
		snprintf(text, sizeof text, "below: %u points without indices, but the mesh has %u", count, point_count);
		return snw_services_fail(host, SNW_ERROR_ARGUMENT, text);
	}
	for (uint32_t i = 0; indices && i < count; i++) {
		if (indices[i] >= point_count) {
			snprintf(text, sizeof text, "below: index %u is out of range; the mesh has %u points", indices[i], point_count);
			return snw_services_fail(host, SNW_ERROR_ARGUMENT, text);
		}
	}
	return SNW_OK;
}

static uint32_t below_rings(const snw_host *host, uint32_t mesh) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "below.rings")) {
		return 0;
	}
	snw_services *services = snw_services_of(host);
	atomic_store(&services->below_read, true);
	return mesh < services->scene->mesh_count ? snw_stack_rings(services->below.stack, mesh) : 0;
}

static snw_status below_deform(const snw_host *host, const snw_below_call *foreign) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "below.deform")) {
		return SNW_ERROR_UNSUPPORTED;
	}
	snw_services *services = snw_services_of(host);
	snw_below_call known;
	snw_adopt(&known, sizeof known, foreign);
	const snw_below_call *call = &known;
	snw_status status = check_call(host, call->mesh, call->count, call->indices);
	if (snw_failed(status) || call->pose_count == 0 || call->count == 0) {
		return status;
	}
	snw_spare_evaluation *spare = take_evaluation(services);
	if (!spare) {
		return snw_services_fail(host, SNW_ERROR_MEMORY, "below: out of memory");
	}
	snw_error error;
	atomic_fetch_add(&services->below_calls, call->pose_count);
	for (uint32_t p = 0; !snw_failed(status) && p < call->pose_count; p++) {
		snw_pose_view pose;
		snw_adopt(&pose, sizeof pose, call->poses[p]);
		const size_t offset = (size_t)3 * call->count * p;
		status = snw_stack_drive(services->below.stack, &pose, spare->evaluation, &error);
		status = snw_failed(status)
					 ? status
					 : snw_stack_reference_at(services->below.stack, spare->evaluation, call->mesh, call->count, call->indices,
											  call->points_rest + offset, call->points_posed + offset, &error);
	}
	return_evaluation(services, spare);
	return !snw_failed(status) ? status : snw_services_fail(host, status, error.text);
}

static snw_status below_matrices(const snw_host *host, const snw_below_matrices_call *foreign) {
	if (!snw_thread_allows(SNW_TAG_ANY_THREAD, "below.matrices")) {
		return SNW_ERROR_UNSUPPORTED;
	}
	snw_services *services = snw_services_of(host);
	snw_below_matrices_call call;
	snw_adopt(&call, sizeof call, foreign);
	snw_status status = check_call(host, call.mesh, call.count, call.indices);
	const bool is_affine = !snw_failed(status) && !atomic_load(&services->below_is_opaque) &&
						   snw_stack_is_affine(services->below.stack, call.mesh);
	if (!snw_failed(status) && !is_affine) {
		return SNW_ERROR_UNSUPPORTED; /* a legal answer: the plug-in then asks for points */
	}
	if (snw_failed(status) || call.count == 0) {
		return status;
	}
	snw_spare_evaluation *spare = take_evaluation(services);
	if (!spare) {
		return snw_services_fail(host, SNW_ERROR_MEMORY, "below: out of memory");
	}
	snw_error error;
	snw_pose_view pose;
	snw_adopt(&pose, sizeof pose, call.pose);
	status = snw_stack_drive(services->below.stack, &pose, spare->evaluation, &error);
	status = snw_failed(status) ? status
								: snw_stack_matrices(services->below.stack, spare->evaluation, call.mesh, call.count,
													 call.indices, call.matrices, &error);
	return_evaluation(services, spare);
	return !snw_failed(status) ? status : snw_services_fail(host, status, error.text);
}

static const snw_below_service below_table = {sizeof below_table, below_rings, below_deform, below_matrices};

snw_below snw_stack_below_service(const snw_stack *stack) {
	return stack ? (snw_below){stack, &below_table, destroy_evaluations} : (snw_below){0};
}
