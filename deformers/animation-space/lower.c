/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering: the affine blend over the pose's own palette. A pose drives nothing else.
 */
#include "animation-space/animation-space.h"

snw_status SNW_CALL lower(const snw_lower_call *call) {
	if (call->mesh >= call->model->skin.mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	snk_row_skin_lower(&call->model->skin, call->mesh, SNW_PALETTE_JOINTS, call->part);
	return SNW_OK;
}
