/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * UVs that hold in every pose.
 */
#include "unwrap/unwrap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "operators/arguments.h"
#include "operators/nouns.h"
#include "pose/pose_sets.h"
#include "sinew/field.h"

static const snw_argument arguments[] = {
	{"charts", SNW_ARGUMENT_TEXT, "CHARTS",
	 "keep: the seams of the UVs that are there, or each part of a mesh without UVs (the default); auto: by merging faces that "
	 "face one way over the poses, 60 charts of a mesh at most, or a number: at most so many; or the name of a field over "
	 "faces: those with the same number",
	 .flags = 0},
	{"stretch", SNW_ARGUMENT_NUMBER, "S", "the most that a chart may stretch that is made by merging", .least = 1.001,
	 .most = 100, .initial = SNW_UNWRAP_STRETCH},
	{"size", SNW_ARGUMENT_COUNT, "PIXELS", "pixels along a side of the texture that the charts are packed for", .least = 16,
	 .most = 16384, .initial = SNW_UNWRAP_SIZE},
	{"padding", SNW_ARGUMENT_COUNT, "PIXELS", "pixels between two charts", .least = 0, .most = 256,
	 .initial = SNW_UNWRAP_PADDING},
	{"mips", SNW_ARGUMENT_COUNT, "N", "the smallest mip that keeps the padding, in its own pixels: 0 is the texture itself",
	 .least = 0, .most = SNW_UNWRAP_MIPS, .initial = 0},
	{"poses", SNW_ARGUMENT_CHOICE, "POSES", "mean: flattened by the mean over the poses; rest: by the rest alone",
	 .choices = "mean|rest"},
	{"mesh", SNW_ARGUMENT_THING, "MESH", "the only mesh that is unwrapped (default: all)", .flags = 0, .noun = SNW_NOUN_MESH,
	 .was = "on"},
	{"clip", SNW_ARGUMENT_THING, "CLIP,…", "a clip whose motion counts (default: all that move joints)",
	 .flags = SNW_ARGUMENT_MANY, .noun = SNW_NOUN_CLIP},
	{0},
};

/* ---- the request --------------------------------------------------------------------------------------------------------- */

static snw_status read_charts(const snw_operation *o, snw_unwrap_request *request, snw_error *error) {
	const char *text = snw_operation_text(o, "charts");
	if (!text || strcmp(text, "keep") == 0) {
		request->charts = SNW_CHARTS_KEEP;
		return SNW_OK;
	}
	char *end;
	const double number = strtod(text, &end);
	const bool is_number = end != text && *end == 0;
	if (is_number && !(number >= 1 && number <= 10000 && number == floor(number))) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "--charts %s: a number of charts is 1 to 10000", text);
	}
	request->charts = is_number || strcmp(text, "auto") == 0 ? SNW_CHARTS_AUTO : SNW_CHARTS_FIELD;
	request->most_charts = is_number ? (uint32_t)number : 0;
	request->field = text;
	return SNW_OK;
}

/* Those that are given; without any, all that move joints. */
static void choose_clips(const snw_operation *o, snw_unwrap_request *request) {
	request->clips = snw_operation_things(o, "clip", &request->clip_count);
	if (request->clip_count > 0) {
		return;
	}
	uint32_t *clips = SNW_NEW_ARRAY(o->arena, uint32_t, o->scene->clip_count);
	for (uint32_t c = 0; c < o->scene->clip_count; c++) {
		if (snw_clip_moves_joints(&o->scene->clips[c])) {
			clips[request->clip_count++] = c;
		}
	}
	request->clips = clips;
}

/* ---- the answer ---------------------------------------------------------------------------------------------------------- */

static void warn_of_parts(const snw_operation *o, const snw_unwrapped_mesh *made) {
	const char *mesh = o->scene->meshes[made->mesh].name;
	if (made->cut_parts > 0) {
		snw_report_warn(o->report,
						"mesh %s: %u part%s without seams where the surface closes; cut into charts automatically, or give the "
						"mesh seams and --charts keep",
						mesh, made->cut_parts, snw_plural(made->cut_parts));
	}
	if (made->split_charts > 0) {
		snw_report_warn(o->report, "mesh %s: %u chart%s crossed %s when flat, and became two", mesh, made->split_charts,
						snw_plural(made->split_charts), made->split_charts == 1 ? "itself" : "themselves");
	}
	if (made->odd_edges > 0) {
		snw_report_warn(o->report,
						"mesh %s: %u edge%s of more than two faces, or between faces wound against each other: seams", mesh,
						made->odd_edges, snw_plural(made->odd_edges));
	}
}

static void warn_of_textures(const snw_operation *o) {
	for (uint32_t i = 0; i < o->scene->material_count; i++) {
		const snw_material *m = &o->scene->materials[i];
		if (m->base_color_image != SNW_NONE || m->metallic_roughness_image != SNW_NONE || m->normal_image != SNW_NONE ||
			m->emissive_image != SNW_NONE) {
			snw_report_warn(o->report, "material %s has textures for the UVs before: they stay as they are; bake them anew",
							m->name);
		}
	}
}

static void report(const snw_operation *o, const snw_unwrapped *made) {
	snw_report_number(o->report, "charts", made->chart_count);
	snw_report_number(o->report, "atlases", made->atlas_count);
	snw_report_number(o->report, "poses", made->pose_count);
	snw_report_number(o->report, "stretch_poses", made->stretch.poses);
	snw_report_number(o->report, "stretch_rest", made->stretch.rest);
	snw_report_number(o->report, "worst_chart", made->worst_chart);
	snw_report_number(o->report, "used", made->used);
	snw_report_say(o->report, "%u chart%s; mean L2 stretch %.4f over %u pose%s, %.4f at rest; the worst chart %.4f in mesh %s",
				   made->chart_count, snw_plural(made->chart_count), made->stretch.poses, made->pose_count,
				   snw_plural(made->pose_count), made->stretch.rest, made->worst_chart,
				   o->scene->meshes[made->worst_mesh].name);
	snw_report_say(o->report, "charts cover %.1f %% of the square", 100 * made->used);
	if (isfinite(made->before.poses)) {
		snw_report_number(o->report, "before_poses", made->before.poses);
		snw_report_number(o->report, "before_rest", made->before.rest);
		snw_report_say(o->report, "the UVs before had %.4f over the poses, %.4f at rest", made->before.poses,
					   made->before.rest);
	}
	if (!made->moves) {
		snw_report_warn(o->report, "no pose differs from the rest: the UVs are those of the rest alone");
	}
	for (uint32_t i = 0; i < made->mesh_count; i++) {
		warn_of_parts(o, &made->meshes[i]);
	}
	warn_of_textures(o);
}

/* ---- writing ------------------------------------------------------------------------------------------------------------- */

static snw_status put_field(const snw_operation *o, const snw_mesh *mesh, const char *name, const double *values,
							snw_error *error) {
	const snw_field field = {
		.name = name, .domain = SNW_DOMAIN_FACES, .components = 1, .count = mesh->face_count, .values = values, .unit = ""};
	return snw_project_put_field(o->project, &field, mesh->id, NULL, error);
}

static snw_status put_mesh(const snw_operation *o, const snw_unwrapped_mesh *made, snw_error *error) {
	const snw_mesh *mesh = &o->scene->meshes[made->mesh];
	snw_status status = snw_project_put_uvs(o->project, mesh->id, mesh->point_count, mesh->face_offsets[mesh->face_count],
											made->corner_uvs, error);
	status = snw_failed(status) ? status : put_field(o, mesh, "uv-charts", made->charts, error);
	status = snw_failed(status) ? status : put_field(o, mesh, "uv-stretch-rest", made->stretch_rest, error);
	status = snw_failed(status) ? status : put_field(o, mesh, "uv-stretch-poses", made->stretch_poses, error);
	uint32_t levels = 0;
	for (uint32_t i = 0; i < o->scene->level_count; i++) {
		levels += o->scene->levels[i].mesh == made->mesh;
	}
	if (levels > 0 && !snw_failed(status)) {
		status = snw_project_remove_levels(o->project, mesh->id, 0, error);
		snw_report_warn(o->report, "mesh %s: its levels of detail had the UVs before and are removed; make them again",
						mesh->name);
	}
	return status;
}

static snw_status write(snw_operation *o, snw_error *error) {
	const snw_unwrapped *made = o->work->unwrapped;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < made->mesh_count && !snw_failed(status); i++) {
		status = put_mesh(o, &made->meshes[i], error);
	}
	if (!snw_failed(status)) {
		report(o, made);
	}
	return status;
}

static snw_status unwrap(snw_operation *o, snw_error *error) {
	snw_unwrap_request request = {.mesh = snw_operation_thing(o, "mesh"),
								  .most_stretch = snw_operation_number(o, "stretch"),
								  .size = snw_operation_count(o, "size"),
								  .padding = snw_operation_count(o, "padding"),
								  .mips = snw_operation_count(o, "mips"),
								  .at_rest = snw_operation_count(o, "poses") == 1};
	snw_unwrapped *made = SNW_NEW(o->arena, snw_unwrapped);
	snw_status status = read_charts(o, &request, error);
	if (snw_failed(status)) {
		return status;
	}
	choose_clips(o, &request);
	status = snw_unwrap(o->scene, o->in->registry, &request, o->in->task, o->arena, made, error);
	if (!snw_failed(status)) {
		*o->work = (snw_operator_work){.write = write, .unwrapped = made};
	}
	return status;
}

static const snw_operator operators[] = {
	{"", "Unwrap", "Makes UVs that hold in every pose: charts are flattened by the mean of their lengths over poses.", "unwrap",
	 SNW_OPERATOR_LONG | SNW_OPERATOR_REFITS | SNW_OPERATOR_PLUGINS | SNW_OPERATOR_CURRENT, arguments, unwrap},
	{0},
};

const snw_operator_noun snw_operators_unwrap = {"unwrap", "Makes UVs that hold in every pose, with their stretch.", operators};
