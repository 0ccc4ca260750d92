/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sample bar: a mesh that bends and twists, as a sequence without a skeleton.
 */
#include <math.h>

#include "pose/clip_times.h"
#include "sample/makers.h"
#include "sample/tube.h"

enum { BAR_FRAMES = 48 };
static const double length = 1.2;

static double bar_radius_at(double x) {
	(void)x;
	return 0.08;
}

/* The bar's axis becomes a circular arc of angle `bend` around its middle; its cross-sections rotate by `twist` in total. */
static void bend_and_twist(double bend, double twist, const double rest[3], float posed[3]) {
	const double share = rest[0] / length;
	const double twist_angle = twist * share, angle = bend * share;
	const double y = rest[1] * cos(twist_angle) - rest[2] * sin(twist_angle),
				 z = rest[1] * sin(twist_angle) + rest[2] * cos(twist_angle);
	const double curve = fabs(bend) < 1e-9 ? 0 : length / bend;
	const double axis_x = curve == 0 ? rest[0] : curve * sin(angle), axis_y = curve == 0 ? 0 : curve * (1 - cos(angle));
	posed[0] = (float)(axis_x - y * sin(angle));
	posed[1] = (float)(axis_y + y * cos(angle));
	posed[2] = (float)z;
}

snw_status snw_sample_make_bar(snw_scene *scene, snw_error *error) {
	(void)error;
	static const snw_tube tube = {.begin = -0.6, .end = 0.6, .dome = 0.5, .rings = 61, .sides = 32, .radius = bar_radius_at};
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	mesh->name = "bar";
	snw_tube_build(&tube, scene->arena, mesh);
	const size_t numbers = 3 * (size_t)mesh->point_count;
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, BAR_FRAMES);
	float *points = SNW_NEW_ARRAY(scene->arena, float, BAR_FRAMES *numbers);
	for (uint32_t f = 0; f < BAR_FRAMES; f++) {
		const double phase = 2 * M_PI * f / BAR_FRAMES;
		seconds[f] = f / SNW_SAMPLE_FRAMES_PER_SECOND;
		for (size_t i = 0; i < numbers; i += 3) {
			bend_and_twist(M_PI * sin(phase), M_PI / 2 * (1 - cos(phase)), mesh->points_rest + i, points + f * numbers + i);
		}
	}
	snw_target *sequence = SNW_NEW(scene->arena, snw_target);
	*sequence = (snw_target){
		.name = "bend-and-twist", .clip = SNW_NONE, .frame_count = BAR_FRAMES, .seconds = seconds, .points_posed = points};
	scene->mesh_count = 1;
	scene->meshes = mesh;
	scene->target_count = 1;
	scene->targets = sequence;
	snw_scene_clip_sequences(scene);
	return SNW_OK;
}
