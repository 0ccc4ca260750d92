/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering: linear blend, of points that may be moved at rest.
 */
#include "linear-blend-fit/linear-blend-fit.h"

snw_status SNW_CALL lower(const snw_lower_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->skin.mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	snk_base_skin_lower(&model->skin, call->mesh, SNW_BLEND_LINEAR, call->part);
	snk_rest_shape_lower(&model->rest, call->mesh, call->part);
	return SNW_OK;
}
