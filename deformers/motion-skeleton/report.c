/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report of a finished fit.
 */
#include <math.h>

#include "motion-skeleton/fit.h"

void report(const skeleton_fit *f) {
	double squares = 0, worst = 0;
	for (uint32_t frame = 0; frame < f->frame_count; frame++) {
		squares += f->squares[frame];
	}
	for (uint32_t b = 0; b < f->bone_count; b++) {
		worst = fmax(worst, f->tree.spreads[b]);
	}
	const double rms = sqrt(squares / ((double)f->frame_count * f->motion.point_count)), percent = 100 / f->diagonal;
	snw_report_line(
		f->host, SNW_LOG_INFO,
		"%u bones and a root: root mean square distance %.4g %% of the diagonal, with unconnected rigid parts %.4g %%; "
		"fixing the bones' lengths moved joints by up to %.4g %%",
		f->bone_count, rms * percent, f->parts_rms * percent, worst * percent);
	const snw_measured_number numbers[] = {{"parts", f->seconds.parts, "s"},
										   {"tree", f->seconds.tree, "s"},
										   {"weights", f->seconds.weights, "s"},
										   {"rotations", f->seconds.rotations, "s"},
										   {"pivots", f->seconds.pivots, "s"}};
	snw_report_measurements(f->host, "time", numbers, sizeof numbers / sizeof *numbers);
}
