/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "cli/command_line/embedded_texts.h"
#include "cli/report/report.h"
#include "export/export.h"
#include "pose/clip_times.h"
#include "pose/pose.h"
#include "render/overlay/legend.h"

/* ---- the camera ---------------------------------------------------------------------------------------------------------- */

enum { MOMENTS = 4, SIDE = 600 }; /* a square fits into a picture of any shape */

/* One that shows the rest, the examples and moments of all clips. */
static snw_camera frame_all(const snw_review *review) {
	const snw_scene *scene = review->opened->scene;
	snw_arena *arena = review->call->arena;
	const size_t most = 1 + (size_t)scene->example_count + MOMENTS * (size_t)scene->clip_count;
	snw_view *views = SNW_NEW_ARRAY(arena, snw_view, most);
	const snw_pose **poses = SNW_NEW_ARRAY(arena, const snw_pose *, most);
	size_t count = 0;
	poses[count++] = snw_pose_rest(scene, arena);
	for (uint32_t i = 0; i < scene->example_count; i++) {
		poses[count++] = &scene->poses[scene->examples[i].pose];
	}
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		for (int m = 0; m < MOMENTS; m++) {
			poses[count++] = snw_pose_sample(scene, c, scene->clips[c].duration_seconds * m / (MOMENTS - 1), arena);
		}
	}
	for (size_t i = 0; i < count; i++) {
		views[i] = (snw_view){.scene = scene,
							  .stack = review->after,
							  .pose = snw_pose_view_make(scene, poses[i], arena),
							  .camera = {.yaw = 0.6, .pitch = 0.15}};
	}
	return snw_camera_frame_all(views, count, NULL, SIDE, SIDE);
}

static void add_camera(const snw_review *review) {
	const snw_camera camera = frame_all(review);
	cJSON *object = cJSON_AddObjectToObject(review->facts, "camera");
	cJSON_AddItemToObject(object, "target", cJSON_CreateDoubleArray(camera.target, 3));
	cJSON_AddNumberToObject(object, "yaw", camera.yaw);
	cJSON_AddNumberToObject(object, "pitch", camera.pitch);
	cJSON_AddNumberToObject(object, "distance", camera.distance);
}

/* ---- the files ----------------------------------------------------------------------------------------------------------- */

/* The scene with nothing that divides points into vertices, and no pictures: the page draws points, in the colours of
 * materials. */
static snw_scene *make_bare(const snw_review *review) {
	const snw_scene *scene = review->opened->scene;
	snw_scene *bare = snw_arena_copy(review->call->arena, scene, sizeof *scene);
	snw_mesh *meshes = snw_arena_copy(review->call->arena, scene->meshes, scene->mesh_count * sizeof *meshes);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		meshes[m].corner_uvs = meshes[m].corner_normals = meshes[m].corner_tangents = meshes[m].corner_colors = NULL;
	}
	snw_material *materials = snw_arena_copy(review->call->arena, scene->materials, scene->material_count * sizeof *materials);
	for (uint32_t m = 0; m < scene->material_count; m++) {
		snw_material *material = &materials[m];
		material->base_color_image = material->metallic_roughness_image = SNW_NONE;
		material->normal_image = material->emissive_image = SNW_NONE;
		material->kept = NULL;
		material->kept_image_count = 0;
	}
	bare->meshes = meshes;
	bare->materials = materials;
	bare->image_count = 0;
	return bare;
}

/* A binary glTF in the page, named `id`. */
static snw_status write_file(const snw_review *review, const char *method, const char *id, snw_export_report *report,
							 snw_error *error) {
	const snw_scene *bare = make_bare(review);
	const snw_stack_options options = {.method = method};
	snw_export_request request = {.mesh = SNW_NONE, .clip = SNW_NONE, .influences = 8, .unmeasured = report == NULL};
	snw_export_report unmeasured;
	snw_stack *stack = NULL;
	char *bytes = NULL;
	size_t count = 0;
	snw_status status = snw_stack_build(bare, review->opened->registry, &options, &review->call->task, &stack, error);
	request.stream = snw_failed(status) ? NULL : open_memstream(&bytes, &count);
	if (request.stream) {
		status = snw_export_binary(bare, stack, &request, &review->call->task, report ? report : &unmeasured, error);
		const bool is_whole = !ferror(request.stream);
		if (fclose(request.stream) != 0 || !is_whole) {
			status =
				snw_failed(status) ? status : snw_fail(error, SNW_ERROR_MEMORY, "out of memory for the exported character");
		}
	} else if (!snw_failed(status)) {
		status = snw_fail(error, SNW_ERROR_MEMORY, "out of memory for the exported character");
	}
	status = snw_failed(status) ? status : snw_page_data(review->out, id, (const unsigned char *)bytes, count, error);
	free(bytes);
	snw_stack_destroy(stack);
	return status;
}

/* ---- the page ------------------------------------------------------------------------------------------------------------ */

static void write_loss(const snw_review *review, const snw_export_report *report) {
	const bool is_far = snw_export_is_far_off(report);
	fprintf(review->out,
			"<p class=\"%s\">This is what an engine plays of the skin, linear blend over morph targets: at most %.3f %% of the "
			"diagonal from the stack.%s</p>\n",
			is_far ? "warning" : "quiet", report->playback_max_percent,
			is_far ? " That is another skin; the errors and pictures below are the stack's." : "");
}

/* JSON in a script element, which ends at the first "</". */
static void write_facts(const snw_review *review) {
	char *text = cJSON_PrintUnformatted(review->facts);
	fputs("<script type=\"application/json\" id=\"facts\">", review->out);
	for (const char *c = text ? text : "{}"; *c; c++) {
		fputs(*c == '<' ? "\\u003c" : (char[]){*c, 0}, review->out);
	}
	fputs("</script>\n", review->out);
	cJSON_free(text);
}

static snw_status write_scripts(const snw_review *review, snw_error *error) {
	unsigned char ramp[SNW_HEAT_STEPS][3];
	snw_heat_ramp(ramp);
	const snw_status status = snw_page_data(review->out, "ramp", ramp[0], sizeof ramp, error);
	fprintf(review->out, "<script type=\"module\">\n%s%s</script>\n", snw_cli_embedded("sinew.js"),
			snw_cli_embedded("review.js"));
	return status;
}

snw_status snw_review_character(const snw_review *review, snw_error *error) {
	snw_export_report report = {0};
	snw_error reason = {0};
	snw_status status = write_file(review, NULL, "after", &report, &reason);
	if (!snw_failed(status) && review->before) {
		status = write_file(review, review->baseline, "before", NULL, &reason);
	}
	if (status == SNW_CANCELLED) {
		return snw_fail(error, status, "%s", reason.text);
	}
	if (snw_failed(status)) {
		fputs("<p class=\"warning\">The character cannot be shown, because no engine plays this skin: ", review->out);
		snw_page_text(review->out, reason.text);
		fputs("</p>\n", review->out);
		return SNW_OK;
	}
	add_camera(review);
	write_facts(review);
	write_loss(review, &report);
	fputs(snw_cli_embedded("review.html"), review->out);
	return write_scripts(review, error);
}
