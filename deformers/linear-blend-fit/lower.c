/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering: the learned influences over the pose's palette.
 */
#include "linear-blend-fit/linear-blend-fit.h"

snw_status lower(const snw_model *model, const double *values, uint32_t mesh, snw_program_part *part, const char **reason) {
	(void)values;
	(void)reason;
	if (mesh >= model->skin.mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	snw_base_skin_lower(&model->skin, mesh, SNW_BLEND_LINEAR, part);
	return SNW_OK;
}
