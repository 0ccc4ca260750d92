/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command_line/options/named_joints.h"
#include "scene/nouns.h"

snw_status snw_call_joints(const snw_call *call, const char *option, const snw_scene *scene, uint32_t *count, uint32_t **joints,
						   snw_error *error) {
	*count = 0;
	*joints = SNW_NEW_ARRAY(call->arena, uint32_t, (size_t)call->option_count + 1);
	for (const char *name; (name = snw_call_option_at(call, option, (int)*count)); (*count)++) {
		const snw_status status = snw_noun_find(scene, SNW_NOUN_JOINT, name, &(*joints)[*count], error);
		if (snw_failed(status)) {
			return status;
		}
	}
	return SNW_OK;
}
