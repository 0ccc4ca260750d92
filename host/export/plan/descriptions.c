/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which morph targets the layers describe the drive of (snw_deformer.describe), so that a player can compute their weights.
 */
#include "export/plan/descriptions.h"

#include <string.h>

#include "export/plan/passes.h"

bool snw_plan_description_names(const cJSON *description, const char *text) {
	const char *value = cJSON_GetStringValue(description);
	bool names = value && strcmp(value, text) == 0;
	for (const cJSON *item = value ? NULL : description->child; item && !names; item = item->next) {
		names = snw_plan_description_names(item, text);
	}
	return names;
}

void snw_plan_find_described(snw_plan *plan) {
	for (uint32_t d = 0; d < plan->description_count; d++) {
		cJSON *description = cJSON_Parse(plan->descriptions[d].json);
		for (uint32_t m = 0; m < plan->mesh_count && description; m++) {
			for (uint32_t t = 0; t < plan->meshes[m].morph_count; t++) {
				snw_plan_morph *morph = &plan->meshes[m].morphs[t];
				const bool is_named = morph->channel == SNW_NONE && morph->model_name;
				morph->is_described |= is_named && snw_plan_description_names(description, morph->model_name);
			}
		}
		cJSON_Delete(description);
	}
}
