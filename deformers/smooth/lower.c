/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering: refused, with the reason.
 */
#include "smooth/smooth.h"

snw_status SNW_CALL lower(const snw_lower_call *call) {
	*call->reason = "each point moves towards its neighbours, and a skin program moves every point independently";
	return SNW_ERROR_UNSUPPORTED;
}
