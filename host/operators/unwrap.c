/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "operators/arguments.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sinew/field.h"
#include "unwrap/unwrap.h"
#include "worker/worker.h"

/* ---- kept textures ------------------------------------------------------------------------------------------------------- */

bool snw_material_keeps_image(const snw_material *material, uint32_t image) {
	bool keeps = false;
	for (uint32_t i = 0; i < material->kept_image_count; i++) {
		keeps = keeps || material->kept_images[i] == image;
	}
	return keeps;
}

/* A texture of a picture that is kept has an index; one on the first set has no number of a set. */
static bool is_on_first_set(const cJSON *texture) {
	return cJSON_GetObjectItemCaseSensitive(texture, "index") && !cJSON_GetObjectItemCaseSensitive(texture, "texCoord");
}

static bool has_one_on_first_set(const cJSON *extension) {
	bool has = false;
	for (const cJSON *member = extension->child; member; member = member->next) {
		has = has || is_on_first_set(member);
	}
	return has;
}

/* Removes the textures and extensions of `object` that are on the first set. Returns whether there were any. */
static bool remove_pictures(cJSON *object) {
	cJSON *extensions = cJSON_GetObjectItemCaseSensitive(object, "extensions");
	bool any = false;
	for (cJSON *extension = extensions ? extensions->child : NULL, *next = NULL; extension; extension = next) {
		next = extension->next;
		if (has_one_on_first_set(extension)) {
			cJSON_Delete(cJSON_DetachItemViaPointer(extensions, extension));
			any = true;
		}
	}
	if (extensions && !extensions->child) {
		cJSON_DeleteItemFromObjectCaseSensitive(object, "extensions");
	}
	if (is_on_first_set(cJSON_GetObjectItemCaseSensitive(object, "occlusionTexture"))) {
		cJSON_DeleteItemFromObjectCaseSensitive(object, "occlusionTexture");
		any = true;
	}
	return any;
}

static void keep(snw_material *material, const cJSON *object, snw_arena *arena) {
	char *printed = object && object->child ? cJSON_PrintUnformatted(object) : NULL;
	material->kept = snw_arena_text(arena, printed);
	free(printed);
	if (!material->kept) {
		material->kept_images = NULL;
		material->kept_image_count = 0;
	}
}

/* Leaves out those that lie on the first UV set, with the extensions that they belong to: without their pictures these would
 * say something else. Returns whether there were any. */
static bool material_drop_pictures(snw_material *material, snw_arena *arena) {
	cJSON *object = material->kept ? cJSON_Parse(material->kept) : NULL;
	const bool any = object && remove_pictures(object);
	keep(material, object, arena);
	cJSON_Delete(object);
	return any;
}

static bool has_further_uvs(const cJSON *object) {
	static const char *const shown[] = {"baseColorTexture", "metallicRoughnessTexture", "normalTexture", "emissiveTexture"};
	bool has = false;
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
		has = has || cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(object, shown[i]), "texCoord");
	}
	return has;
}

void snw_material_drop_normal_map(snw_material *material, snw_arena *arena) {
	cJSON *object = material->kept ? cJSON_Parse(material->kept) : NULL;
	cJSON_DeleteItemFromObjectCaseSensitive(object, "normalTexture");
	material->has_further_uvs = has_further_uvs(object);
	keep(material, object, arena);
	cJSON_Delete(object);
}

/* ---- unwrapping ---------------------------------------------------------------------------------------------------------- */

/* UVs that hold in every pose. */

static const uint64_t decoded_texture_bytes = (uint64_t)1 << 30; /* of decoded pictures */

static const snw_argument unwrap_arguments[] = {
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
	{"rebake", SNW_ARGUMENT_CHOICE, "ON",
	 "on: textures are resampled into the new UVs, as PNGs of --size (8192 at most); off: they stay as they are",
	 .choices = "on|off"},
	{"poses", SNW_ARGUMENT_CHOICE, "POSES", "mean: flattened by the mean over the poses; rest: by the rest alone",
	 .choices = "mean|rest"},
	{"mesh", SNW_ARGUMENT_THING, "MESH", "the only mesh that is unwrapped (default: all)", .flags = 0, .noun = SNW_NOUN_MESH},
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

/* ---- textures ------------------------------------------------------------------------------------------------------------ */

/* What is made before the step. */
typedef struct unwrapping {
	snw_unwrapped made; /* first: o->work->unwrapped points to it */
	snw_resampled_textures textures;
	uint32_t texture_size;
	uint32_t most_charts; /* of a mesh, that were asked for; SNW_NONE */
} unwrapping;

/* All pictures of materials, once for each use: [SNW_TEXTURE_USES · image_count]. */
static const snw_mipmap *read_textures(const snw_operation *o) {
	const size_t count = SNW_TEXTURE_USES * (size_t)o->scene->image_count;
	snw_mipmap *pictures = SNW_NEW_ARRAY(o->arena, snw_mipmap, count), *decoded = SNW_NEW_ARRAY(o->arena, snw_mipmap, count);
	snw_picture_use *uses = SNW_NEW_ARRAY(o->arena, snw_picture_use, count);
	size_t *places = SNW_NEW_ARRAY(o->arena, size_t, count);
	bool *is_listed = SNW_NEW_ARRAY(o->arena, bool, count);
	uint32_t used = 0;
	for (uint32_t i = 0; i < o->scene->material_count; i++) {
		snw_material material = o->scene->materials[i];
		for (int use = 0; use < SNW_TEXTURE_USES; use++) {
			const uint32_t image = *snw_texture_of(&material, use);
			const size_t place = (size_t)use * o->scene->image_count + image;
			if (image != SNW_NONE && !is_listed[place]) {
				const snw_image *from = &o->scene->images[image];
				is_listed[place] = true;
				uses[used] = (snw_picture_use){from->name, from->bytes, from->byte_count, snw_texture_is_color(use)};
				places[used++] = place;
			}
		}
	}
	if (used > 0) {
		snw_worker_decode_pictures(uses, used, decoded_texture_bytes, o->in->task, o->arena, decoded);
	}
	for (uint32_t i = 0; i < used; i++) {
		pictures[places[i]] = decoded[i];
	}
	return pictures;
}

static snw_status resample(const snw_operation *o, unwrapping *work, snw_error *error) {
	const uint32_t size = snw_operation_count(o, "size");
	work->texture_size = size < SNW_RESAMPLE_MOST_SIZE ? size : SNW_RESAMPLE_MOST_SIZE;
	const snw_resample_request request = {.mesh_count = work->made.mesh_count,
										  .meshes = work->made.meshes,
										  .size = work->texture_size,
										  .pictures = read_textures(o)};
	return snw_textures_resample(o->scene, &request, o->in->task, o->arena, &work->textures, error);
}

/* ---- the answer ---------------------------------------------------------------------------------------------------------- */

static void warn_of_parts(const snw_operation *o, const snw_unwrapped_mesh *made, uint32_t most_charts) {
	const char *mesh = o->scene->meshes[made->mesh].name;
	if (made->chart_count > most_charts) {
		snw_report_warn(o->report,
						"mesh %s: %u charts, more than %u: fewer would stretch beyond %g, not lie flat, or join parts that are "
						"apart; a larger --stretch makes fewer",
						mesh, made->chart_count, most_charts, snw_operation_number(o, "stretch"));
	}
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
	if (made->short_charts > 0) {
		snw_report_warn(
			o->report,
			"mesh %s: %u chart%s least stretch, which would take too long; with --charts auto, or seams, charts are "
			"smaller",
			mesh, made->short_charts, made->short_charts == 1 ? " has not reached its" : "s have not reached their");
	}
	if (made->odd_edges > 0) {
		snw_report_warn(o->report,
						"mesh %s: %u edge%s of more than two faces, or between faces wound against each other: seams", mesh,
						made->odd_edges, snw_plural(made->odd_edges));
	}
}

static bool has_mesh(const snw_unwrapped *made, const snw_scene *scene, uint32_t material) {
	for (uint32_t i = 0; i < made->mesh_count; i++) {
		const snw_mesh *mesh = &scene->meshes[made->meshes[i].mesh];
		for (uint32_t f = 0; f < mesh->face_count && mesh->face_materials; f++) {
			if (mesh->face_materials[f] == material) {
				return true;
			}
		}
	}
	return false;
}

/* Textures that are for the UVs before. */
static void warn_of_textures(const snw_operation *o, const unwrapping *work) {
	for (uint32_t i = 0; i < o->scene->material_count; i++) {
		snw_material m = o->scene->materials[i];
		uint32_t images = 0, resampled = 0;
		for (int use = 0; use < SNW_TEXTURE_USES; use++) {
			images += *snw_texture_of(&m, use) != SNW_NONE;
		}
		for (uint32_t k = 0; k < work->textures.count; k++) {
			resampled += work->textures.textures[k].material == i;
		}
		const char *why = work->textures.left ? work->textures.left[i] : NULL;
		if (images > resampled && has_mesh(&work->made, o->scene, i)) {
			snw_report_warn(o->report, "material %s: %u texture%s for the UVs before stay%s as %s: %s; bake %s anew", m.name,
							images - resampled, snw_plural(images - resampled), images - resampled == 1 ? "s" : "",
							images - resampled == 1 ? "it is" : "they are",
							why                   ? why
							: work->textures.left ? "no picture that can be read"
												  : "--rebake off",
							images - resampled == 1 ? "it" : "them");
		}
		if (resampled == 0 && has_mesh(&work->made, o->scene, i) && material_drop_pictures(&m, o->arena)) { /* of a copy */
			snw_report_warn(o->report,
							"material %s: pictures that are kept for glTF alone are for the UVs before, and stay as they are",
							m.name);
		}
	}
}

static void report_textures(const snw_operation *o, const snw_resampled_textures *textures, uint32_t size) {
	double rms = 0, largest = 0;
	for (uint32_t i = 0; i < textures->count; i++) {
		const snw_resampled *t = &textures->textures[i];
		rms = fmax(rms, t->rms);
		largest = fmax(largest, t->largest);
		snw_report_say(o->report,
					   "material %s: %s resampled as %u × %u pixels; it differs by %.2f of 255 (RMS), at most by %.0f",
					   o->scene->materials[t->material].name, snw_texture_use_name(t->use), size, size, t->rms, t->largest);
	}
	if (textures->count > 0) {
		snw_report_number(o->report, "textures", textures->count);
		snw_report_number(o->report, "texture_rms", rms);
		snw_report_number(o->report, "texture_largest", largest);
	}
}

static void report_uvs(const snw_operation *o, const unwrapping *work) {
	const snw_unwrapped *made = &work->made;
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
		warn_of_parts(o, &made->meshes[i], work->most_charts);
	}
	report_textures(o, &work->textures, work->texture_size);
	warn_of_textures(o, work);
}

/* ---- writing ------------------------------------------------------------------------------------------------------------- */

static snw_status put_field(const snw_operation *o, const snw_mesh *mesh, const char *name, const double *values,
							snw_error *error) {
	const snw_field field = {
		.name = name, .domain = SNW_DOMAIN_FACES, .components = 1, .count = mesh->face_count, .values = values, .unit = ""};
	return snw_project_put_field(o->project, &field, mesh->id, NULL, error);
}

static snw_status put_uvs(const snw_operation *o, const snw_unwrapped_mesh *made, snw_error *error) {
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

/* Whether all uses of a picture were resampled, so that the first new picture takes its row. */
static bool is_replaced(const snw_operation *o, const snw_resampled_textures *textures, uint32_t image) {
	uint32_t uses = 0;
	for (uint32_t i = 0; i < o->scene->material_count; i++) {
		snw_material material = o->scene->materials[i];
		for (int use = 0; use < SNW_TEXTURE_USES; use++) {
			uses += *snw_texture_of(&material, use) == image;
		}
		uses += snw_material_keeps_image(&material, image);
	}
	for (uint32_t i = 0; i < textures->count; i++) {
		uses -= textures->textures[i].image == image;
	}
	return uses == 0;
}

/* "skin.jpg" becomes "skin.png". */
static const char *png_name(const char *name, snw_arena *arena) {
	const char *dot = strrchr(name, '.');
	const bool has_ending = dot && (strcmp(dot, ".png") == 0 || strcmp(dot, ".jpg") == 0 || strcmp(dot, ".jpeg") == 0);
	return snw_arena_format(arena, "%.*s%s", has_ending ? (int)(dot - name) : (int)strlen(name), name,
							has_ending ? ".png" : "");
}

static snw_status put_textures(const snw_operation *o, const snw_resampled_textures *textures, snw_error *error) {
	const uint32_t image_count = o->scene->image_count, count = image_count + textures->count;
	int64_t *ids = SNW_NEW_ARRAY(o->arena, int64_t, count);
	bool *is_taken = SNW_NEW_ARRAY(o->arena, bool, count);
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < image_count; i++) {
		ids[i] = o->scene->images[i].id;
	}
	for (uint32_t i = 0; i < textures->count && !snw_failed(status); i++) {
		const snw_resampled *t = &textures->textures[i];
		const snw_image *before = &o->scene->images[t->image];
		const bool takes_row = !is_taken[t->image] && is_replaced(o, textures, t->image);
		const snw_image image = {.id = takes_row ? before->id : 0,
								 .name = png_name(before->name, o->arena),
								 .media = "image/png",
								 .bytes = t->bytes,
								 .byte_count = t->byte_count};
		is_taken[t->image] = true;
		status = snw_project_put_image(o->project, &image, &ids[image_count + i], error);
	}
	for (uint32_t i = 0; i < textures->count && !snw_failed(status);) {
		const uint32_t index = textures->textures[i].material;
		snw_material material = o->scene->materials[index];
		for (; i < textures->count && textures->textures[i].material == index; i++) {
			*snw_texture_of(&material, textures->textures[i].use) = image_count + i;
		}
		if (material_drop_pictures(&material, o->arena)) {
			snw_report_warn(o->report,
							"material %s: pictures that are kept for glTF alone lay on the UVs before, and are left out with "
							"the extensions that they belong to",
							material.name);
		}
		status = snw_project_put_material(o->project, &material, count, ids, NULL, error);
	}
	return status;
}

static snw_status write_uvs(snw_operation *o, snw_error *error) {
	const unwrapping *work = (const unwrapping *)o->work->unwrapped;
	const snw_unwrapped *made = &work->made;
	snw_status status = put_textures(o, &work->textures, error);
	for (uint32_t i = 0; i < made->mesh_count && !snw_failed(status); i++) {
		status = put_uvs(o, &made->meshes[i], error);
	}
	if (!snw_failed(status)) {
		report_uvs(o, work);
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
	unwrapping *work = SNW_NEW(o->arena, unwrapping);
	snw_status status = read_charts(o, &request, error);
	if (snw_failed(status)) {
		return status;
	}
	request.clips = snw_operation_clips(o, &request.clip_count);
	work->most_charts = request.charts != SNW_CHARTS_AUTO ? SNW_NONE
						: request.most_charts > 0         ? request.most_charts
														  : SNW_UNWRAP_CHARTS;
	status = snw_unwrap(o->scene, o->in->registry, &request, o->in->task, o->arena, &work->made, error);
	if (!snw_failed(status) && snw_operation_count(o, "rebake") == 0) {
		status = resample(o, work, error);
	}
	if (!snw_failed(status)) {
		*o->work = (snw_operator_work){.write = write_uvs, .unwrapped = &work->made};
	}
	return status;
}

static const snw_operator unwrap_operators[] = {
	{"", "Unwrap", "Makes UVs that hold in every pose: charts are flattened by the mean of their lengths over poses.", "unwrap",
	 SNW_OPERATOR_LONG | SNW_OPERATOR_REFITS | SNW_OPERATOR_PLUGINS | SNW_OPERATOR_CURRENT, unwrap_arguments, unwrap},
	{0},
};

const snw_operator_noun snw_operators_unwrap = {"unwrap", "Makes UVs that hold in every pose, with their stretch.",
												unwrap_operators};
