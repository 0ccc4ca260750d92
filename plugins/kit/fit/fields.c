/* SPDX-License-Identifier: MIT */
#include "sinew/kit/fit/fields.h"

#include <math.h>
#include <string.h>

void snk_field_propose(const snw_host *host, uint32_t owner, const char *name, snw_domain domain, uint32_t count,
					   const double *values) {
	const snw_proposal_service *proposal = (const snw_proposal_service *)host->service(host, SNW_SERVICE_PROPOSAL);
	if (proposal) {
		const snw_field_view field = {
			.size = sizeof field, .name = name, .domain = domain, .components = 1, .count = count, .values = values};
		(void)proposal->field(host, &(snw_field_proposal){.size = sizeof(snw_field_proposal), .owner = owner, .field = &field});
	}
}

const snw_field_view *snk_field_find(const snw_mesh_view *mesh, const char *name) {
	for (uint32_t f = 0; f < mesh->field_count; f++) {
		const snw_field_view *field = mesh->fields[f];
		if (field->domain == SNW_DOMAIN_POINTS && strcmp(field->name, name) == 0) {
			return field;
		}
	}
	return NULL;
}

void snk_mask_fill(const snw_mesh_view *mesh, const char *name, double without, double *mask) {
	const snw_field_view *field = snk_field_find(mesh, name);
	for (size_t i = 0; i < mesh->point_count; i++) {
		mask[i] = field ? fmin(fmax(field->values[i * field->components], 0), 1) : without;
	}
}
