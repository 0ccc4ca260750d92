/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering: the affine blend over the model's own palette.
 */
#include "multi-weight/multi-weight.h"

snw_status SNW_CALL lower(const snw_lower_call *call) {
	if (call->mesh >= call->model->skin.mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	snk_row_skin_lower(&call->model->skin, call->mesh, SNW_PALETTE_MATRICES, call->part);
	return SNW_OK;
}
