/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/error.h"
#include "example/examples.h"
#include "example/sculpts.h"
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
