/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Examples from a folder of sculpts, and from another project.
 */
#include <math.h>

#include "base/plural.h"
#include "example/sculpt_files.h"
#include "example/transfer.h"
#include "operators/arguments.h"
#include "operators/example.h"

/* ---- a folder of sculpts ------------------------------------------------------------------------------------------------- */

static void report_file(const snw_operation *o, const snw_sculpt_file *file, uint32_t row) {
	snw_operator_report *report = o->report;
	const char *beside = file->mirrored ? file->mirrored : file->unmirrored;
	snw_report_row(report, "files", row);
	snw_report_text(report, "name", file->name);
	snw_report_text(report, "skipped", file->skipped);
	snw_report_text(report, "group", file->group);
	snw_report_text(report, "mirrored", file->mirrored);
	snw_report_text(report, "unmirrored", file->unmirrored);
	snw_report_number(report, "edited", file->edited_count);
	snw_report_row(report, NULL, 0);
	if (file->skipped) {
		snw_report_detail(report, "%s is skipped: %s", file->name, file->skipped);
		return;
	}
	snw_report_made(report, SNW_NOUN_EXAMPLE, file->name);
	snw_report_detail(report, "%s is %s: %u point%s edited%s%s%s%s", file->name, file->group ? "added" : "updated",
					  file->edited_count, snw_plural(file->edited_count), file->group ? ", group " : "",
					  file->group ? file->group : "",
					  file->mirrored ? ", mirrored: "
					  : beside       ? ", not mirrored: "
									 : "",
					  beside ? beside : "");
}

/* ", 2 skipped (chest: no example and no pose has this name)": how many files have a reason, and the first one. */
static const char *write_reasons(const snw_operation *o, const snw_sculpt_folder *folder, bool of_mirroring) {
	const char *words = "";
	uint32_t count = 0;
	for (uint32_t i = folder->count; i-- > 0;) {
		const snw_sculpt_file *file = &folder->files[i];
		const char *why = of_mirroring ? file->unmirrored : file->skipped;
		if (why) {
			words = snw_arena_format(o->arena, ", %u %s (%s: %s)", ++count, of_mirroring ? "not mirrored" : "skipped",
									 file->name, why);
		}
	}
	return words;
}

static void report_folder(const snw_operation *o, const snw_sculpt_folder *folder) {
	uint32_t mirrored = 0;
	for (uint32_t i = 0; i < folder->count; i++) {
		report_file(o, &folder->files[i], i);
		mirrored += folder->files[i].mirrored != NULL;
	}
	const char *skipped = write_reasons(o, folder, false), *unmirrored = write_reasons(o, folder, true);
	const char *also = mirrored > 0 ? snw_arena_format(o->arena, ", %u mirrored", mirrored) : "";
	const char *words = snw_arena_format(o->arena, "%u sculpt%s imported%s%s%s", folder->taken_count,
										 snw_plural(folder->taken_count), also, skipped, unmirrored);
	if (skipped[0] || unmirrored[0]) {
		snw_report_warn(o->report, "%s", words);
	} else {
		snw_report_say(o->report, "%s", words);
	}
}

static snw_status take_folder(snw_operation *o, snw_error *error) {
	const snw_worker_limits limits = snw_operation_limits(o);
	snw_sculpt_folder folder = {.folder = snw_operation_text(o, "folder"),
								.mesh = snw_operation_thing(o, "mesh"),
								.group = snw_operation_text(o, "group"),
								.is_mirrored = snw_operation_has(o, "mirror"),
								.limits = &limits};
	const snw_status status = snw_project_put_sculpt_folder(o->project, o->in->registry, o->in->task, o->arena, &folder, error);
	if (!snw_failed(status)) {
		report_folder(o, &folder);
	}
	return status;
}

/* Files are read and written by turns. */
snw_status snw_example_folder(snw_operation *o, snw_error *error) {
	(void)error;
	o->work->write = take_folder;
	return SNW_OK;
}

/* ---- another project ----------------------------------------------------------------------------------------------------- */

/* What was taken of all meshes. */
typedef struct taken_sum {
	uint32_t count, mesh_count;
	double length_sum;
	snw_taken_example worst; /* the one with the largest residual of a point */
	const char *left;        /* the meshes whose sculpts were not taken */
} taken_sum;

static bool has_sculpts(const snw_scene *scene, uint32_t mesh) {
	bool has = false;
	for (uint32_t i = 0; i < scene->example_count; i++) {
		has = has || (scene->examples[i].mesh == mesh && !scene->examples[i].muted);
	}
	return has;
}

/* The examples on the mesh that --example names; none: all that are not muted. */
static snw_status find_examples(const snw_operation *o, snw_example_transfer *transfer, snw_error *error) {
	const snw_argument_values *given = snw_operation_values(o, "example");
	uint32_t *list = SNW_NEW_ARRAY(o->arena, uint32_t, (size_t)given->count + 1);
	for (uint32_t i = 0; i < given->count; i++) {
		uint32_t found;
		const snw_status status = snw_noun_find(transfer->from, SNW_NOUN_EXAMPLE, given->at[i].text, &found, error);
		if (snw_failed(status)) {
			return status;
		}
		if (transfer->from->examples[found].mesh == transfer->from_mesh) {
			list[transfer->example_count++] = found;
		}
	}
	transfer->examples = list;
	return SNW_OK;
}

static void report_taken(const snw_operation *o, const snw_taken_example *taken, uint32_t row) {
	snw_operator_report *report = o->report;
	snw_report_row(report, "examples", row);
	snw_report_text(report, "name", taken->name);
	snw_report_text(report, "pose", taken->pose);
	snw_report_number(report, "updated", taken->is_updated);
	snw_report_number(report, "edited", taken->edited_count);
	snw_report_number(report, "residual", taken->residual);
	snw_report_row(report, NULL, 0);
	snw_report_made(report, SNW_NOUN_EXAMPLE, taken->name);
	snw_report_detail(report, "%s is %s: %u point%s edited, residual %.2f %% of the sculpt", taken->name,
					  taken->is_updated ? "updated" : "added", taken->edited_count, snw_plural(taken->edited_count),
					  100 * taken->residual);
}

static void report_mesh(const snw_operation *o, const snw_example_transfer *transfer, const taken_sum *sum) {
	snw_operator_report *report = o->report;
	const double diagonal = snw_scene_diagonal(o->scene, transfer->mesh);
	snw_report_row(report, "meshes", sum->mesh_count);
	snw_report_text(report, "mesh", o->scene->meshes[transfer->mesh].name);
	snw_report_number(report, "joints", transfer->joint_count);
	snw_report_number(report, "paired", transfer->paired_count);
	snw_report_number(report, "mean_distance", transfer->mean_distance);
	snw_report_number(report, "most_distance", transfer->most_distance);
	snw_report_row(report, NULL, 0);
	snw_report_detail(report, "%s: the surfaces at rest are %.3g m apart in the mean, %.3g m at most (%.2f %% of the diagonal)",
					  o->scene->meshes[transfer->mesh].name, transfer->mean_distance, transfer->most_distance,
					  100 * transfer->most_distance / diagonal);
	snw_report_say(report, "%u of %u joints are paired%s%s", transfer->paired_count, transfer->joint_count,
				   transfer->unpaired[0] ? ", not " : "", transfer->unpaired);
}

/* Of one mesh, into the project as the meshes before it have left it. */
static snw_status take_mesh(const snw_operation *o, const snw_scene *from, uint32_t from_mesh, uint32_t mesh, taken_sum *sum,
							snw_error *error) {
	snw_scene *scene = NULL;
	snw_example_transfer transfer = {.from = from, .from_mesh = from_mesh, .mesh = mesh};
	snw_status status = find_examples(o, &transfer, error);
	if (snw_failed(status) || (transfer.example_count == 0 && snw_operation_has(o, "example"))) {
		return status;
	}
	status = snw_project_scene(o->project, &scene, error);
	status = snw_failed(status)
				 ? status
				 : snw_project_put_transferred(o->project, scene, o->in->registry, o->in->task, o->arena, &transfer, error);
	if (!snw_failed(status)) {
		report_mesh(o, &transfer, sum);
		sum->mesh_count++;
	}
	for (uint32_t i = 0; i < transfer.taken_count && !snw_failed(status); i++) {
		const snw_taken_example *taken = &transfer.taken[i];
		report_taken(o, taken, sum->count++);
		sum->length_sum += taken->residual_length;
		sum->worst = !sum->worst.name || taken->residual_most > sum->worst.residual_most ? *taken : sum->worst;
	}
	snw_scene_destroy(scene);
	return status;
}

/* Where the sculpts of a mesh of the other project go: those of the only mesh to --mesh or the only mesh, those of several to
 * the meshes of the same names. SNW_NONE: nowhere. */
static snw_status find_place(const snw_operation *o, const snw_scene *from, uint32_t from_mesh, bool is_only, uint32_t *mesh,
							 snw_error *error) {
	const char *name = from->meshes[from_mesh].name;
	*mesh = is_only ? snw_operation_thing(o, "mesh") : snw_scene_find_mesh(o->scene, name);
	if (!is_only || *mesh != SNW_NONE) {
		return SNW_OK;
	}
	*mesh = o->scene->mesh_count == 1 ? 0 : snw_scene_find_mesh(o->scene, name);
	return *mesh != SNW_NONE
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_ARGUMENT, "which mesh gets the sculpts of '%s'? choose one with --mesh", name);
}

/* The mesh of the other project that --from-mesh names, or all that have sculpts. */
static snw_status take_meshes(const snw_operation *o, const snw_scene *from, taken_sum *sum, snw_error *error) {
	const char *named = snw_operation_text(o, "from-mesh");
	uint32_t only = SNW_NONE, sculpted = 0;
	snw_status status = named ? snw_noun_find(from, SNW_NOUN_MESH, named, &only, error) : SNW_OK;
	for (uint32_t m = 0; m < from->mesh_count; m++) {
		sculpted += has_sculpts(from, m);
	}
	for (uint32_t m = 0; m < from->mesh_count && !snw_failed(status); m++) {
		uint32_t mesh = SNW_NONE;
		if (only == SNW_NONE ? !has_sculpts(from, m) : m != only) {
			continue;
		}
		status = find_place(o, from, m, only != SNW_NONE || sculpted == 1, &mesh, error);
		if (!snw_failed(status) && mesh != SNW_NONE) {
			status = take_mesh(o, from, m, mesh, sum, error);
		} else if (!snw_failed(status)) {
			sum->left = snw_arena_format(o->arena, "%s%s%s", sum->left, sum->left[0] ? ", " : "", from->meshes[m].name);
		}
	}
	if (!snw_failed(status) && sum->count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING,
						sculpted == 0 ? "%s has no examples"
									  : "%s: several meshes have sculpts, and none of those that are wanted has its name here",
						snw_operation_text(o, "other"));
	}
	return status;
}

static void report_sum(const snw_operation *o, const taken_sum *sum) {
	snw_report_say(o->report,
				   "%u sculpt%s %s transferred; a transfer back would lose %.2f mm in the mean, %.2f mm at most, in %s near %s",
				   sum->count, snw_plural(sum->count), sum->count == 1 ? "is" : "are", 1000 * sum->length_sum / sum->count,
				   1000 * sum->worst.residual_most, sum->worst.name, sum->worst.worst_joint);
	if (sum->left[0]) {
		snw_report_warn(o->report, "not transferred: the sculpts of %s; no mesh here has that name", sum->left);
	}
}

static snw_status take_other(snw_operation *o, snw_error *error) {
	taken_sum sum = {.left = ""};
	snw_project *other = NULL;
	snw_scene *from = NULL;
	snw_status status = snw_project_open(snw_operation_text(o, "other"), true, &other, error);
	status = snw_failed(status) ? status : snw_project_scene(other, &from, error);
	status = snw_failed(status) ? status : take_meshes(o, from, &sum, error);
	if (!snw_failed(status)) {
		report_sum(o, &sum);
	}
	snw_scene_destroy(from);
	snw_project_close(other);
	return status;
}

/* Each mesh is taken into what those before it have left. */
snw_status snw_example_transfer_from(snw_operation *o, snw_error *error) {
	(void)error;
	o->work->write = take_other;
	return SNW_OK;
}
