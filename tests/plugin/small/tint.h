/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What small.c and values.c share: an instance that knows its host, and the field "tint", which a fit proposes.
 */
#ifndef SINEW_TESTS_PLUGIN_TINT_H
#define SINEW_TESTS_PLUGIN_TINT_H

#include <stdlib.h>

#include "sinew/sinew.h"

struct snw_instance {
	const snw_host *host;
};

static snw_status SNW_CALL create(const snw_deformer *self, const snw_host *host, snw_instance **instance) {
	(void)self;
	*instance = malloc(sizeof **instance);
	(*instance)->host = host;
	return SNW_OK;
}

static void SNW_CALL destroy(snw_instance *instance) {
	free(instance);
}

/* The same colour at every point of the first mesh; nothing where the host takes no proposals. */
static inline snw_status propose_tint(const snw_host *host, const snw_character_view *character, const double color[3]) {
	const snw_proposal_service *proposal = host->service(host, SNW_SERVICE_PROPOSAL);
	const uint32_t count = character->meshes[0]->point_count;
	double *values = malloc((size_t)count * 3 * sizeof *values);
	for (size_t i = 0; i < (size_t)3 * count; i++) {
		values[i] = color[i % 3];
	}
	const snw_field_view field = {sizeof field, "tint", SNW_DOMAIN_POINTS, 3, count, values};
	const snw_field_proposal tint = {sizeof tint, 0, &field};
	const snw_status status = proposal ? proposal->field(host, &tint) : SNW_OK;
	free(values);
	return status;
}

#endif
