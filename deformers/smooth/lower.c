/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering: refused, with the reason.
 */
#include "smooth/smooth.h"

snw_status lower(const snw_model *model, const double *values, uint32_t mesh, snw_program_part *part, const char **reason) {
	(void)model;
	(void)values;
	(void)mesh;
	(void)part;
	*reason = "each point moves towards its neighbours, and a skin program moves every point independently";
	return SNW_ERROR_UNSUPPORTED;
}
