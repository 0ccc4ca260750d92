/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What there is to say about a fit: lines for the log, and fields for the window.
 */
#include <math.h>

#include "sad/fit.h"
#include "sinew/report.h"

static void propose_points(const mesh_fit *f, const char *name, uint32_t components, const double *values) {
	const snw_proposal_service *proposal = f->host->service(f->host, SNW_SERVICE_PROPOSAL);
	if (proposal) {
		const snw_field_view field = {.size = sizeof field,
									  .name = name,
									  .domain = SNW_DOMAIN_POINTS,
									  .components = components,
									  .count = f->motion.point_count,
									  .values = values};
		proposal->field(f->host, f->mesh, &field);
	}
}

/* Each joint has a colour of its own, far from those before it on the circle; a point has the mix of its joints'. */
static void propose_colours(const mesh_fit *f) {
	const snw_influences *all = &f->influences;
	snw_pool pool = snw_pool_open(f->host);
	double *colours = SNW_POOL_ARRAY(&pool, double, (size_t)3 * all->point_count);
	for (uint32_t i = 0; colours && i < all->point_count; i++) {
		for (uint32_t k = all->offsets[i]; k < all->offsets[i + 1]; k++) {
			const double hue = 6.283185307179586 * fmod(0.618033988749895 * all->joints[k], 1);
			for (int c = 0; c < 3; c++) {
				colours[3 * (size_t)i + (size_t)c] += all->weights[k] * (0.5 + 0.5 * cos(hue - 2.0943951023931953 * c));
			}
		}
	}
	if (colours) {
		propose_points(f, "influence-colours", 3, colours);
	}
	snw_pool_release(&pool);
}

void report_mesh(const mesh_fit *f) {
	const char *name = f->input->character->meshes[f->mesh].name;
	snw_report_line(f->host, SNW_LOG_INFO, "mesh '%s': %u joints, %u frames: E_RMS %.4g, distortion %.4g %%", name,
					f->influences.joint_count, f->motion.frame_count, f->erms, f->distortion);
	const part_seconds *t = &f->seconds;
	snw_report_line(
		f->host, SNW_LOG_INFO,
		"mesh '%s': seconds: reading %.3f, joints %.3f, transforms %.3f, steps %.3f, refining %.3f (%u times), details %.3f, "
		"normals %.3f, measuring %.3f",
		name, t->reading, t->joints, t->transforms, t->steps, t->refining, f->refinements, t->details, t->normals,
		t->measuring);
	if (f->normal_angle >= 0) {
		snw_report_line(f->host, SNW_LOG_INFO,
						"mesh '%s': normals by transforms of their own%s: %.3g degrees off on average (RMS)", name,
						f->normal_details.count > 0 ? ", with eigen-displacements" : "", f->normal_angle * 57.29577951308232);
	}
	if (f->flat_joints > 0) {
		snw_report_line(
			f->host, SNW_LOG_INFO,
			"mesh '%s': %u joints have points that are few, on a line or in a plane: what these leave open follows their "
			"neighbours",
			name, f->flat_joints);
	}
	propose_points(f, "residual", 1, f->residuals);
	propose_colours(f);
}
