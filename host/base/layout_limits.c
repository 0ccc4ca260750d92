/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/layout_limits.h"

snw_status snw_layout_check(const snw_deformer *deformer, const snw_model_layout *layout, snw_error *error) {
	if (layout->z_count > SNW_MOST_DRIVEN || layout->d_count > SNW_MOST_DRIVEN || layout->e_count > SNW_MOST_DRIVEN) {
		return snw_fail(error, SNW_ERROR_LIMIT, "has more than %d coefficients", SNW_MOST_DRIVEN);
	}
	if (layout->z_count + layout->d_count + layout->e_count > 0 && !deformer->drive) {
		return snw_fail(error, SNW_ERROR_INTERNAL, "has coefficients but no drive");
	}
	if (layout->scratch_bytes > SNW_MOST_SCRATCH || layout->prepared_bytes > SNW_MOST_SCRATCH) {
		return snw_fail(error, SNW_ERROR_LIMIT,
						"needs %zu bytes of scratch for each thread and %zu for each pass, more than the limit of %zu",
						layout->scratch_bytes, layout->prepared_bytes, SNW_MOST_SCRATCH);
	}
	return SNW_OK;
}
