/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Meshes, their shapes and their levels of detail.
 */
#include <string.h>

#include "base/error.h"
#include "example/examples.h"
#include "example/sculpts.h"
#include "lod/lod.h"
#include "operators/arguments.h"
#include "subdivision/subdivide.h"

/* ---- meshes -------------------------------------------------------------------------------------------------------------- */

/* Meshes, with all that belongs to their points. */

enum { MOST_SUBDIVISIONS = 5 };

static const snw_argument subdivide_arguments[] = {
	{"scheme", SNW_ARGUMENT_CHOICE, "catmull-clark|loop",
	 "catmull-clark makes quads of any faces, loop makes four triangles of each", .choices = "catmull-clark|loop"},
	{"levels", SNW_ARGUMENT_COUNT, "N", "how many times; each level has four times the faces", .least = 1,
	 .most = MOST_SUBDIVISIONS, .initial = 1},
	{0},
};

static snw_subdivision_scheme scheme_of(const snw_operation *o) {
	return snw_operation_count(o, "scheme") == 0 ? SNW_CATMULL_CLARK : SNW_LOOP;
}

/* ---- writing ------------------------------------------------------------------------------------------------------------- */

static snw_status put_refined_layers(const snw_operation *o, const snw_subdivided *made, snw_error *error) {
	const snw_scene *before = made->original;
	snw_status status = SNW_OK;
	int64_t model = 0;
	for (uint32_t i = 0; !snw_failed(status) && i < before->layer_count; i++) {
		if (made->removed[i]) {
			status = snw_project_remove(o->project, SNW_PROJECT_LAYER, before->layers[i].id, error);
		} else if (made->transferred[i]) {
			status = snw_project_put_model(o->project, &made->models[i], &model, error);
			status =
				snw_failed(status) ? status : snw_project_put_layer(o->project, &before->layers[i], model, -1, NULL, error);
		} else if (i == made->base && !made->keeps_base) {
			snw_layer muted = before->layers[i];
			muted.muted = true;
			status = snw_project_put_layer(o->project, &muted, 0, -1, NULL, error);
		}
	}
	if (snw_failed(status) || made->keeps_base) {
		return status;
	}
	status = snw_project_put_model(o->project, &made->model, &model, error);
	return snw_failed(status) ? status : snw_project_put_layer(o->project, &made->layer, model, made->position, NULL, error);
}

static snw_status put_subdivided(const snw_operation *o, const snw_subdivided *made, snw_error *error) {
	const uint32_t examples = made->scene.example_count;
	snw_transfer transfer = {.scene = made->scene, .example_moved = SNW_NEW_ARRAY(o->arena, bool, examples)};
	for (uint32_t i = 0; i < examples; i++) {
		transfer.example_moved[i] = true;
	}
	snw_status status = snw_project_put_character(o->project, &transfer, error);
	status = snw_failed(status) ? status : snw_project_put_points(o->project, &made->scene, o->in->task, error);
	return snw_failed(status) ? status : put_refined_layers(o, made, error);
}

/* ---- reporting ----------------------------------------------------------------------------------------------------------- */

static void report_error(const snw_operation *o, const char *of, const snw_subdivision_error *measured) {
	snw_report_number(o->report, snw_arena_format(o->arena, "%s_erms", of), measured->erms);
	snw_report_number(o->report, snw_arena_format(o->arena, "%s_max_percent", of), measured->max_percent);
	snw_report_number(o->report, snw_arena_format(o->arena, "%s_poses", of), measured->pose_count);
}

static uint32_t count_points(const snw_scene *scene) {
	uint32_t count = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		count += scene->meshes[m].point_count;
	}
	return count;
}

static uint32_t count_faces(const snw_scene *scene) {
	uint32_t count = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		count += scene->meshes[m].face_count;
	}
	return count;
}

/* The models that follow, and those that do not. */
static void report_models(const snw_operation *o, const snw_subdivided *made) {
	const char *names = "", *transferred = "";
	for (uint32_t i = 0; i < made->original->layer_count; i++) {
		const char *name = made->original->layers[i].name;
		if (made->removed[i] && i != made->base) {
			snw_report_removed(o->report, SNW_NOUN_LAYER, name);
			names = snw_arena_format(o->arena, "%s%s%s", names, names[0] ? ", " : "", name);
		} else if (made->transferred[i]) {
			snw_report_changed(o->report, SNW_NOUN_LAYER, name);
			transferred = snw_arena_format(o->arena, "%s%s%s", transferred, transferred[0] ? ", " : "", name);
		}
	}
	if (transferred[0]) {
		snw_report_say(o->report, "models that follow with subdivided weights and displacements: %s", transferred);
	}
	if (names[0]) {
		snw_report_warn(o->report, "models of the old mesh are removed; fit them again: %s", names);
	}
	if (made->has_custom_normals) {
		snw_report_warn(o->report, "custom normals and tangents are dropped: normals now follow from the faces");
	}
}

static void report_layer(const snw_operation *o, const snw_subdivided *made, const char *base) {
	if (made->keeps_base) {
		snw_report_say(o->report, "layer %s blends the subdivided weights; no skin of it equals its subdivided poses", base);
		return;
	}
	snw_report_made(o->report, SNW_NOUN_LAYER, made->layer.name);
	snw_report_say(o->report, "layer %s has the subdivided skin of %s", made->layer.name, base);
	if (!made->removed[made->base]) {
		snw_report_changed(o->report, SNW_NOUN_LAYER, base);
		snw_report_say(o->report, "%s is muted", base);
	}
	snw_report_say(o->report, "linear blend with subdivided weights would have erms %.4f, at most %.4f %% of the diagonal",
				   made->naive.erms, made->naive.max_percent);
	report_error(o, "naive", &made->naive);
}

static void report_subdivided(const snw_operation *o, const snw_subdivided *made) {
	const char *base = made->original->layers[made->base].name;
	const uint32_t points = count_points(&made->scene), faces = count_faces(&made->scene);
	snw_report_text(o->report, "base", base);
	snw_report_number(o->report, "points", points);
	snw_report_number(o->report, "faces", faces);
	snw_report_say(o->report, "%u points (were %u), %u faces (were %u)", points, count_points(made->original), faces,
				   count_faces(made->original));
	report_layer(o, made, base);
	report_models(o, made);
}

/* ---- subdividing --------------------------------------------------------------------------------------------------------- */

/* The project as it is now against what it was. */
static snw_status measure(snw_operation *o, snw_error *error) {
	const uint32_t meshes = o->scene->mesh_count;
	snw_refinement *refinements = SNW_NEW_ARRAY(o->arena, snw_refinement, meshes);
	snw_scene *after = NULL;
	snw_subdivision_error whole;
	snw_status status = snw_project_scene(o->project, &after, error);
	status = snw_failed(status) ? status
								: snw_refinements_make(o->scene, scheme_of(o), snw_operation_count(o, "levels"), o->in->task,
													   refinements, error);
	status = snw_failed(status)
				 ? status
				 : snw_subdivision_measure(o->scene, after, o->in->registry, refinements, o->in->task, &whole, error);
	if (!snw_failed(status)) {
		report_error(o, "stack", &whole);
		snw_report_say(
			o->report,
			"against the subdivided results of the old stack, at %u pose%s, it has erms %.4f, at most %.4f %% of the "
			"diagonal",
			whole.pose_count, snw_plural(whole.pose_count), whole.erms, whole.max_percent);
	}
	snw_refinements_free(refinements, meshes);
	snw_scene_destroy(after);
	return status;
}

static snw_status write_subdivided(snw_operation *o, snw_error *error) {
	const snw_status status = put_subdivided(o, o->work->subdivided, error);
	if (!snw_failed(status)) {
		report_subdivided(o, o->work->subdivided);
		o->after = measure;
	}
	return status;
}

static void end(snw_operator_work *work) {
	snw_subdivided_free(work->subdivided);
}

static snw_status subdivide(snw_operation *o, snw_error *error) {
	snw_subdivided *made = SNW_NEW(o->arena, snw_subdivided);
	const snw_status status = snw_subdivide(o->scene, o->in->registry, scheme_of(o), snw_operation_count(o, "levels"),
											o->in->task, o->arena, made, error);
	if (!snw_failed(status)) {
		*o->work = (snw_operator_work){.write = write_subdivided, .subdivided = made, .end = end};
	}
	return status;
}

static const snw_operator mesh_operators[] = {
	{"subdivide", "Subdivide", "Refines all meshes, with their skin, sculpts, morphs, targets and fields.", "subdivide by",
	 SNW_OPERATOR_LONG | SNW_OPERATOR_REFITS | SNW_OPERATOR_PLUGINS, subdivide_arguments, subdivide},
	{0},
};

const snw_operator_noun snw_operators_mesh = {"mesh", "Subdivides the meshes, with all that belongs to their points.",
											  mesh_operators};

/* ---- shapes -------------------------------------------------------------------------------------------------------------- */

/* The morph targets that came with the file. */

static const snw_argument edit_arguments[] = {
	{"shape", SNW_ARGUMENT_THING, "SHAPE", "the morph target", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED,
	 .noun = SNW_NOUN_SHAPE},
	{"file", SNW_ARGUMENT_FILE, "SHAPE.obj", "the mesh at rest with the morph target fully on, its points in order",
	 .flags = SNW_ARGUMENT_NEEDED},
	{"mesh", SNW_ARGUMENT_THING, "MESH", "which mesh, if there are several", .flags = SNW_ARGUMENT_ONLY, .noun = SNW_NOUN_MESH},
	SNW_LIMIT_ARGUMENTS,
	{0},
};

/* What the morph target makes of the rest now: the skin is the identity there. */
static const double *shown_points(const snw_operation *o, const snw_mesh *mesh, uint32_t channel) {
	double *shown = snw_arena_copy(o->arena, mesh->points_rest, 3 * (size_t)mesh->point_count * sizeof *shown);
	const uint32_t at = snw_mesh_shape(mesh, channel);
	for (uint32_t k = 0; at != SNW_NONE && k < mesh->morphs[at].count; k++) {
		for (size_t c = 0; c < 3; c++) {
			shown[3 * (size_t)mesh->morphs[at].points[k] + c] += mesh->morphs[at].vectors[3 * (size_t)k + c];
		}
	}
	return shown;
}

static snw_status edit(snw_operation *o, snw_error *error) {
	const uint32_t mesh = snw_operation_thing(o, "mesh"), channel = snw_operation_thing(o, "shape");
	const snw_mesh *edited = &o->scene->meshes[mesh];
	const snw_worker_limits limits = snw_operation_limits(o);
	const double *wanted;
	uint32_t count = 0;
	snw_status status = snw_sculpt_read(snw_operation_text(o, "file"), edited, &limits, o->in->task, o->arena, &wanted, error);
	status = snw_failed(status) ? status
								: snw_project_put_shape_sculpt(o->project, o->scene, mesh, channel, 1, wanted,
															   shown_points(o, edited, channel), &count, error);
	snw_report_changed(o->report, SNW_NOUN_SHAPE, o->scene->channels[channel].name);
	snw_report_say(o->report, "%s moves %u point%s", o->scene->channels[channel].name, count, snw_plural(count));
	snw_report_number(o->report, "points", count);
	return status;
}

static const snw_operator shape_operators[] = {
	{"edit", "Change morph target", "Changes a morph target to what was sculpted.", "sculpt morph target", SNW_OPERATOR_REFITS,
	 edit_arguments, edit},
	{0},
};

const snw_operator_noun snw_operators_shape = {
	"shape", "Lists and edits the morph targets that came with the file. 'pose add --shape' sets their weights.",
	shape_operators};

/* ---- levels of detail ---------------------------------------------------------------------------------------------------- */

/* Levels of detail: coarser meshes that hold in every pose. */

enum { MOST_MADE = 16 };

static const snw_argument make_levels_arguments[] = {
	{"level", SNW_ARGUMENT_TEXT, "KEY=N,KEY=N",
	 "a level, the finest first, or several with spaces between: triangles=N of all meshes together, or N%; influences=N of a "
	 "point (default: 4); joints=N that move points (default: any)",
	 .flags = SNW_ARGUMENT_NEEDED | SNW_ARGUMENT_MANY, .proposed = "triangles=50% triangles=25% triangles=12%"},
	{"mesh", SNW_ARGUMENT_THING, "MESH", "the only mesh that is made coarser (default: all)", .flags = 0,
	 .noun = SNW_NOUN_MESH},
	{"clip", SNW_ARGUMENT_THING, "CLIP,…", "a clip whose motion counts (default: all that move joints)",
	 .flags = SNW_ARGUMENT_MANY, .noun = SNW_NOUN_CLIP},
	{"protect", SNW_ARGUMENT_TEXT, "MASK", "a field over points that keeps what it covers", .flags = 0},
	{0},
};
static const snw_argument list_arguments[] = {{0}};
static const snw_argument show_arguments[] = {
	{"number", SNW_ARGUMENT_COUNT, "N", "the level", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED, .least = 1,
	 .most = MOST_MADE, .initial = SNW_NO_DEFAULT},
	{"mesh", SNW_ARGUMENT_THING, "MESH", "of this mesh alone", .flags = 0, .noun = SNW_NOUN_MESH},
	{"clip", SNW_ARGUMENT_THING, "CLIP,…", "a clip to measure it over (default: all that move joints)",
	 .flags = SNW_ARGUMENT_MANY, .noun = SNW_NOUN_CLIP},
	{0},
};
static const snw_argument remove_levels_arguments[] = {
	{"number", SNW_ARGUMENT_COUNT, "N", "the level (default: all)", .flags = SNW_ARGUMENT_BARE, .least = 1, .most = MOST_MADE,
	 .initial = SNW_NO_DEFAULT},
	{"mesh", SNW_ARGUMENT_THING, "MESH", "of this mesh alone", .flags = 0, .noun = SNW_NOUN_MESH},
	{0},
};

/* ---- reports ------------------------------------------------------------------------------------------------------------- */

/* The errors over some poses, as facts of a row. */
static void tell_errors(const snw_operation *o, const snw_level *level) {
	const double *place = level->worst_place;
	snw_report_number(o->report, "rms_percent", level->rms_percent);
	snw_report_number(o->report, "largest_percent", level->largest_percent);
	snw_report_text(o->report, "worst_pose", level->worst_pose);
	snw_report_text(o->report, "worst_place", snw_arena_format(o->arena, "%.6g,%.6g,%.6g", place[0], place[1], place[2]));
	snw_report_number(o->report, "uv_rms_percent", level->uv_rms_percent);
	snw_report_number(o->report, "uv_largest_percent", level->uv_largest_percent);
}

/* The same in words. */
static const char *errors_of(const snw_operation *o, const snw_level *level) {
	const char *uvs = level->shape.corner_uvs ? snw_arena_format(o->arena, "; equal UVs %.4f %% apart, at most %.3f %%",
																 level->uv_rms_percent, level->uv_largest_percent)
											  : "";
	return snw_arena_format(o->arena, "error %.4f %% of the diagonal, at most %.3f %%%s%s%s%s", level->rms_percent,
							level->largest_percent, level->worst_pose[0] ? " (" : "", level->worst_pose,
							level->worst_pose[0] ? ")" : "", uvs);
}

static bool is_stale(const snw_operation *o, const snw_level *level) {
	return level->id != 0 && snw_level_is_stale(o->scene, o->in->registry, level);
}

/* The facts of a level of a mesh. */
static void tell(const snw_operation *o, const snw_level *level, uint32_t row) {
	snw_report_row(o->report, "levels", row);
	snw_report_number(o->report, "number", level->number);
	snw_report_text(o->report, "mesh", o->scene->meshes[level->mesh].name);
	snw_report_text(o->report, "request", level->request);
	snw_report_number(o->report, "triangles", snw_triangle_count(&level->shape));
	snw_report_number(o->report, "points", level->shape.point_count);
	snw_report_number(o->report, "influences", snw_level_influences(level));
	snw_report_number(o->report, "joints", level->joint_count);
	snw_report_number(o->report, "bytes", (double)snw_level_bytes(level));
	if (level->samples) {
		tell_errors(o, level);
	}
	snw_report_number(o->report, "screen_share", level->screen_share);
	snw_report_number(o->report, "stale", is_stale(o, level));
	snw_report_row(o->report, NULL, 0);
}

/* A line of the table below. */
static void print_level(const snw_operation *o, const snw_level *level, int width) {
	const char *error = "", *largest = "", *slide = "", *share = "";
	if (level->samples) {
		error = snw_arena_format(o->arena, "%.4f", level->rms_percent);
		largest = snw_arena_format(o->arena, "%.3f", level->largest_percent);
		slide = level->shape.corner_uvs ? snw_arena_format(o->arena, "%.4f", level->uv_rms_percent) : "";
	}
	if (level->screen_share > 0) {
		share = snw_arena_format(o->arena, "%.3g", 100 * level->screen_share);
	}
	snw_report_detail(o->report, "%5u  %-*s %10u %8u %10u %6u %9s %9s %9s %9s  %s%s", level->number, width,
					  o->scene->meshes[level->mesh].name, snw_triangle_count(&level->shape), level->shape.point_count,
					  snw_level_influences(level), level->joint_count, error, largest, slide, share, level->worst_pose,
					  is_stale(o, level) ? "  stale: make it again" : "");
}

/* Facts and a table of levels. */
static void tell_all(const snw_operation *o, uint32_t count, const snw_level *levels) {
	bool is_measured = false, is_unmeasured = false;
	size_t width = strlen("mesh");
	for (uint32_t i = 0; i < count; i++) {
		const size_t length = strlen(o->scene->meshes[levels[i].mesh].name);
		width = length > width ? length : width;
		is_measured = is_measured || levels[i].samples;
		is_unmeasured = is_unmeasured || !levels[i].samples;
	}
	snw_report_detail(o->report, "%5s  %-*s %10s %8s %10s %6s %9s %9s %9s %9s  %s", "level", (int)width, "mesh", "triangles",
					  "points", "influences", "joints", "error %", "largest %", "UVs %", "screen %", "pose of the largest");
	for (uint32_t i = 0; i < count; i++) {
		tell(o, &levels[i], i);
		print_level(o, &levels[i], (int)width);
	}
	if (is_measured) {
		snw_report_detail(o->report,
						  "error: from surface to surface, root mean square and largest, in percent of the diagonal; UVs: how "
						  "far places of equal UV are apart; screen: up to this share of the screen's height the largest error "
						  "is at most a pixel of 1080");
	}
	if (is_unmeasured) {
		snw_report_detail(o->report, "levels without errors came with a file; 'sinew lod P.sinew show N' measures them");
	}
}

/* ---- making -------------------------------------------------------------------------------------------------------------- */

static snw_status read_level(const char *text, snw_lod_limits *limits, snw_error *error) {
	snw_error cause = {0};
	const snw_status status = snw_lod_limits_parse(text, limits, &cause);
	return snw_failed(status) ? snw_fail(error, status, "--level %s", cause.text) : SNW_OK;
}

static snw_status read_levels(const snw_operation *o, snw_lod_request *request, snw_error *error) {
	const snw_argument_values *given = snw_operation_values(o, "level");
	snw_lod_limits *limits = SNW_NEW_ARRAY(o->arena, snw_lod_limits, MOST_MADE);
	const char **texts = SNW_NEW_ARRAY(o->arena, const char *, MOST_MADE);
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < given->count; i++) {
		char *rest = snw_arena_text(o->arena, given->at[i].text);
		while (rest && !snw_failed(status)) {
			if (request->level_count == MOST_MADE) {
				return snw_fail(error, SNW_ERROR_ARGUMENT, "--level: more than %d levels", MOST_MADE);
			}
			texts[request->level_count] = strsep(&rest, " ");
			status = read_level(texts[request->level_count], &limits[request->level_count], error);
			request->level_count++;
		}
	}
	request->levels = limits;
	request->texts = texts;
	return status;
}

static snw_status check_protect(const snw_operation *o, const char *name, snw_error *error) {
	const char *names = "";
	for (uint32_t i = 0; name && i < o->scene->field_count; i++) {
		const snw_field *field = &o->scene->fields[i];
		if (field->domain == SNW_DOMAIN_POINTS && field->components == 1) {
			if (strcmp(field->name, name) == 0) {
				return SNW_OK;
			}
			names = snw_arena_format(o->arena, "%s%s%s", names, names[0] ? ", " : "", field->name);
		}
	}
	return name ? snw_fail(error, SNW_ERROR_MISSING, "--protect %s: no mask has this name; the project has %s", name,
						   names[0] ? names : "none")
				: SNW_OK;
}

/* In place of all levels, or of those of the only mesh. */
static snw_status write_levels(snw_operation *o, snw_error *error) {
	const snw_lod_made *made = o->work->levels;
	const uint32_t only = snw_operation_thing(o, "mesh");
	snw_status status = snw_project_remove_levels(o->project, only == SNW_NONE ? 0 : o->scene->meshes[only].id, 0, error);
	for (uint32_t i = 0; i < made->count && !snw_failed(status); i++) {
		status =
			snw_project_put_level(o->project, o->scene, &made->levels[i], o->scene->meshes[made->levels[i].mesh].id, error);
	}
	if (!snw_failed(status)) {
		tell_all(o, made->count, made->levels);
	}
	const uint32_t asked = made->asked_count, finished = made->levels[made->count - 1].number;
	snw_report_number(o->report, "poses", made->pose_count);
	snw_report_number(o->report, "held_out_poses", made->held_count);
	snw_report_say(o->report, "made %u level%s, from %u pose%s; errors are over %u pose%s held out", finished,
				   snw_plural(finished), made->pose_count, snw_plural(made->pose_count), made->held_count,
				   snw_plural(made->held_count));
	if (finished < asked) {
		snw_report_warn(o->report, "stopped early: %u of %u levels are finished and kept", finished, asked);
	}
	return status;
}

/* A target below what the topology allows is told, and one below what the points need. */
static void warn_of_missed(const snw_operation *o, const snw_lod_request *request, const snw_lod_made *made) {
	for (uint32_t n = 0; n < request->level_count; n++) {
		uint32_t triangles = 0, joints = 0;
		bool is_made = false;
		for (uint32_t i = 0; i < made->count; i++) {
			triangles += made->levels[i].number == n + 1 ? snw_triangle_count(&made->levels[i].shape) : 0;
			is_made = is_made || made->levels[i].number == n + 1;
			joints = made->levels[i].number == n + 1 ? made->levels[i].joint_count : joints;
		}
		const uint32_t goal = made->goals[n];
		if (is_made && triangles > goal + 1) {
			snw_report_warn(o->report,
							"level %u has %u triangles instead of %u: borders, seams, holes and separate parts keep the others",
							n + 1, triangles, goal);
		}
		if (is_made && request->levels[n].joints > 0 && joints > request->levels[n].joints) {
			snw_report_warn(o->report, "level %u has %u joints instead of %u: some points can follow no joint but these", n + 1,
							joints, request->levels[n].joints);
		}
	}
}

static snw_status make_levels(snw_operation *o, snw_error *error) {
	snw_lod_request request = {.protect = snw_operation_text(o, "protect"), .mesh = snw_operation_thing(o, "mesh")};
	snw_lod_made *made = SNW_NEW(o->arena, snw_lod_made);
	snw_status status = read_levels(o, &request, error);
	status = snw_failed(status) ? status : check_protect(o, request.protect, error);
	if (snw_failed(status)) {
		return status;
	}
	request.clips = snw_operation_clips(o, &request.clip_count);
	status = snw_lod_make(o->scene, o->in->registry, &request, o->in->task, o->arena, made, error);
	if (!snw_failed(status)) {
		warn_of_missed(o, &request, made);
		*o->work = (snw_operator_work){.write = write_levels, .label = "make levels of detail", .levels = made};
	}
	return status;
}

/* ---- listing and removing ------------------------------------------------------------------------------------------------ */

static snw_status list(snw_operation *o, snw_error *error) {
	(void)error;
	if (o->scene->level_count > 0) {
		tell_all(o, o->scene->level_count, o->scene->levels);
	} else {
		snw_report_say(o->report, "the project has no levels of detail; 'sinew lod P.sinew make' makes some");
	}
	return SNW_OK;
}

/* Those of a number, copied: what is told of them is filled anew. */
static snw_level *find_levels(const snw_operation *o, uint32_t *count, snw_error *error) {
	const uint32_t number = snw_operation_count(o, "number"), mesh = snw_operation_thing(o, "mesh");
	snw_level *levels = SNW_NEW_ARRAY(o->arena, snw_level, o->scene->level_count);
	*count = 0;
	for (uint32_t i = 0; i < o->scene->level_count; i++) {
		const snw_level *level = &o->scene->levels[i];
		if (level->number == number && (mesh == SNW_NONE || level->mesh == mesh)) {
			levels[(*count)++] = *level;
		}
	}
	if (*count == 0) {
		snw_fail(error, SNW_ERROR_MISSING, "there is no level %u to show; 'sinew lod P.sinew list' lists them", number);
	}
	return levels;
}

static snw_status measure_over(const snw_operation *o, uint32_t clip, uint32_t count, snw_level *levels, const snw_task *task,
							   uint32_t *row, snw_error *error) {
	const snw_status status = snw_lod_measure(o->scene, o->in->registry, clip, count, levels, task, o->arena, error);
	const char *over = clip == SNW_NONE ? "poses that were held out" : o->scene->clips[clip].name;
	for (uint32_t i = 0; i < count && !snw_failed(status); i++) {
		const char *mesh = o->scene->meshes[levels[i].mesh].name;
		snw_report_row(o->report, "errors", (*row)++);
		snw_report_text(o->report, "mesh", mesh);
		snw_report_text(o->report, "clip", clip == SNW_NONE ? "" : over);
		tell_errors(o, &levels[i]);
		snw_report_number(o->report, "screen_share", levels[i].screen_share);
		snw_report_row(o->report, NULL, 0);
		snw_report_detail(o->report, "%s over %s: %s", mesh, over, errors_of(o, &levels[i]));
	}
	return status;
}

static snw_status show(snw_operation *o, snw_error *error) {
	uint32_t count, clip_count, row = 0;
	snw_level *levels = find_levels(o, &count, error);
	if (count == 0) {
		return SNW_ERROR_MISSING;
	}
	tell_all(o, count, levels);
	const uint32_t *clips = snw_operation_clips(o, &clip_count);
	snw_status status = SNW_OK;
	for (uint32_t c = 0; c <= clip_count && !snw_failed(status); c++) {
		snw_subtask part = {o->in->task, (double)c / (clip_count + 1), (double)(c + 1) / (clip_count + 1)};
		const snw_task measuring = snw_task_of_subtask(&part);
		status = measure_over(o, c == 0 ? SNW_NONE : clips[c - 1], count, levels, &measuring, &row, error);
	}
	return status;
}

static snw_status remove_levels(snw_operation *o, snw_error *error) {
	const uint32_t number = snw_operation_has(o, "number") ? snw_operation_count(o, "number") : 0;
	const uint32_t mesh = snw_operation_thing(o, "mesh");
	uint32_t count = 0, last = 0;
	for (uint32_t i = 0; i < o->scene->level_count; i++) {
		const snw_level *level = &o->scene->levels[i];
		const bool is_meant = (number == 0 || level->number == number) && (mesh == SNW_NONE || level->mesh == mesh);
		count += is_meant && level->number != last; /* that of several meshes is one */
		last = is_meant ? level->number : last;
	}
	if (count == 0) {
		return number > 0 ? snw_fail(error, SNW_ERROR_MISSING,
									 "there is no level %u to remove; 'sinew lod P.sinew list' lists them", number)
						  : snw_fail(error, SNW_ERROR_MISSING, "there are no levels of detail to remove");
	}
	o->is_unread = true;
	snw_report_number(o->report, "removed_levels", count);
	snw_report_say(o->report, "removed %u level%s", count, snw_plural(count));
	return snw_project_remove_levels(o->project, mesh == SNW_NONE ? 0 : o->scene->meshes[mesh].id, number, error);
}

static const snw_operator lod_operators[] = {
	{"make", "Make levels of detail", "Makes coarser meshes that hold in every pose, in place of the levels before.",
	 "make levels of detail", SNW_OPERATOR_LONG | SNW_OPERATOR_PLUGINS | SNW_OPERATOR_CURRENT, make_levels_arguments,
	 make_levels},
	{"list", "List levels of detail", "Lists the levels with their sizes and errors.", "list levels of detail",
	 SNW_OPERATOR_READS | SNW_OPERATOR_PLUGINS, list_arguments, list},
	{"show", "Show a level of detail",
	 "Tells what a level is, and measures its error over clips and over poses that were held out.", "show a level of detail",
	 SNW_OPERATOR_LONG | SNW_OPERATOR_READS | SNW_OPERATOR_PLUGINS, show_arguments, show},
	{"remove", "Remove levels of detail", "Removes a level, or all.", "remove levels of detail", 0, remove_levels_arguments,
	 remove_levels},
	{0},
};

const snw_operator_noun snw_operators_lod = {
	"lod", "Makes levels of detail: coarser meshes that hold in every pose, with their error.", lod_operators};
