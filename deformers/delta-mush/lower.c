/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering: refused, with the reason.
 */
#include "delta-mush/delta-mush.h"

snw_status SNW_CALL lower(const snw_lower_call *call) {
	*call->reason = "each point depends on its neighbours, and a skin program moves every point independently";
	return SNW_ERROR_UNSUPPORTED;
}
