/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Driving: the pose's own palette is all it takes, so there is nothing to write.
 */
#include "linear-blend-fit/linear-blend-fit.h"

void layout(const snw_model *model, snw_drive_layout *layout) {
	(void)model;
	*layout = (snw_drive_layout){.size = sizeof *layout};
}

size_t scratch_bytes(const snw_model *model) {
	(void)model;
	return 0;
}
