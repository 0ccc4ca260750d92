/* SPDX-License-Identifier: MIT */
#include "sinew/kit/fit/fields.h"

void snk_field_propose(const snw_host *host, uint32_t owner, const char *name, snw_domain domain, uint32_t count,
					   const double *values) {
	const snw_proposal_service *proposal = (const snw_proposal_service *)host->service(host, SNW_SERVICE_PROPOSAL);
	if (proposal) {
		const snw_field_view field = {
			.size = sizeof field, .name = name, .domain = domain, .components = 1, .count = count, .values = values};
		(void)proposal->field(host, &(snw_field_proposal){.size = sizeof(snw_field_proposal), .owner = owner, .field = &field});
	}
}
