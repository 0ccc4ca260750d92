/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Examples from a folder of sculpts, from another project, and from examples: in between, mirrored, split, merged, and as the
 * motion of clothes.
 */
#include <math.h>

#include "base/error.h"
#include "example/examples.h"
#include "example/groups.h"
#include "example/sculpts.h"
#include "operators/arguments.h"
#include "sculpt/sculpt.h"

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
		snw_report_refused(report, SNW_NOUN_EXAMPLE, file->name, file->skipped);
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
static snw_status take_mesh_from(const snw_operation *o, const snw_scene *from, uint32_t from_mesh, uint32_t mesh,
								 taken_sum *sum, snw_error *error) {
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
static snw_status take_meshes_from(const snw_operation *o, const snw_scene *from, taken_sum *sum, snw_error *error) {
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
			status = take_mesh_from(o, from, m, mesh, sum, error);
		} else if (!snw_failed(status)) {
			sum->left = snw_arena_format(o->arena, "%s%s%s", sum->left, sum->left[0] ? ", " : "", from->meshes[m].name);
			snw_report_refused(o->report, SNW_NOUN_MESH, from->meshes[m].name, "no mesh here has that name");
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
	status = snw_failed(status) ? status : take_meshes_from(o, from, &sum, error);
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

/* ---- examples from others ------------------------------------------------------------------------------------------------ */

snw_status snw_example_between(snw_operation *o, snw_error *error) {
	const double percent = snw_operation_number(o, "at");
	const char *of = snw_example_given(o)->name;
	const double *sculpt = NULL;
	snw_new_example made;
	snw_status status =
		snw_operation_has(o, "file") ? snw_example_read_sculpt(o, snw_example_given(o)->mesh, &sculpt, error) : SNW_OK;
	status = snw_failed(status)
				 ? status
				 : snw_project_put_between(o->project, o->scene, o->in->registry, snw_operation_thing(o, "example"),
										   percent / 100, snw_operation_text(o, "name"), sculpt, o->arena, &made, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_report_made(o->report, SNW_NOUN_POSE, made.pose);
	snw_report_made(o->report, SNW_NOUN_EXAMPLE, made.name);
	if (made.group) {
		snw_report_changed(o->report, SNW_NOUN_GROUP, made.group);
	}
	snw_report_number(o->report, "edited", made.edited_count);
	snw_report_say(o->report, "example %s is in the pose of that name, at %g %% of the way to %s%s", made.name, percent, of,
				   sculpt ? "" : "; it starts as the skin is there; sculpt it");
	return SNW_OK;
}

static void report_mirrored(const snw_operation *o, const snw_mirrored *mirrored) {
	const snw_mirror_map *map = &mirrored->map;
	const char *by = map->method == SNW_MIRROR_TOPOLOGY ? "topology" : "position";
	snw_operator_report *report = o->report;
	snw_report_made(report, SNW_NOUN_EXAMPLE, mirrored->name);
	snw_report_text(report, "pose", mirrored->pose);
	snw_report_text(report, "mesh", o->scene->meshes[mirrored->mesh].name);
	snw_report_text(report, "by", by);
	snw_report_number(report, "edited", mirrored->edited_count);
	snw_report_number(report, "without_partner", mirrored->left_count);
	snw_report_number(report, "nearest", mirrored->guessed_count);
	snw_report_number(report, "plane", map->plane.offset);
	snw_report_number(report, "pairs", map->pair_count);
	snw_report_number(report, "middle", map->middle_count);
	snw_report_number(report, "unpaired", map->unpaired_count);
	snw_report_number(report, "mismatch", map->largest_mismatch);
	snw_report_number(report, "joint_pairs", mirrored->joints.pair_count);
	snw_report_number(report, "unpaired_joints", mirrored->joints.unpaired_count);
	snw_report_say(report, "example %s in pose %s is its mirror image", mirrored->name, mirrored->pose);
	if (mirrored->guessed_count > 0) {
		snw_report_say(report, "%u point%s of the other side without a partner took the sculpt of the nearest place",
					   mirrored->guessed_count, snw_plural(mirrored->guessed_count));
	}
	if (mirrored->left_count > 0) {
		snw_report_say(report, "%u edited point%s without a partner %s no image; look at the other side in that pose",
					   mirrored->left_count, snw_plural(mirrored->left_count), mirrored->left_count == 1 ? "has" : "have");
	}
	snw_report_say(report, "points are paired by %s: %u pair%s, %u in the middle, %u without a partner", by, map->pair_count,
				   snw_plural(map->pair_count), map->middle_count, map->unpaired_count);
	if (mirrored->joints.unpaired_count > 0) {
		snw_report_say(report, "%u joint%s without a partner stay at rest", mirrored->joints.unpaired_count,
					   snw_plural(mirrored->joints.unpaired_count));
	}
}

static snw_status mirror_one(const snw_operation *o, const snw_scene *scene, uint32_t example, const char *given,
							 snw_mirrored *mirrored, snw_error *error) {
	static const snw_mirror_method methods[] = {SNW_MIRROR_AUTO, SNW_MIRROR_TOPOLOGY, SNW_MIRROR_POSITION};
	const snw_mirror_options options = {
		.plane = snw_operation_plane(o, snw_symmetry_plane(scene, scene->examples[example].mesh)),
		.method = methods[snw_operation_count(o, "by")],
		.tolerance = snw_operation_has(o, "tolerance") ? snw_operation_number(o, "tolerance") : 0,
	};
	const char *name = given ? given : snw_mirrored_example_name(scene, &options.plane, example, o->arena);
	return snw_project_put_mirrored_example(o->project, scene, o->in->registry, &options, example, name, o->arena, mirrored,
											error);
}

/* Whether the other is of another mesh, in the pose and a group of the example: the other side of a seam, or clothes. */
static bool goes_along(const snw_scene *scene, uint32_t example, uint32_t other) {
	const snw_example *a = &scene->examples[example], *b = &scene->examples[other];
	bool is = false;
	for (uint32_t g = 0; a->pose == b->pose && a->mesh != b->mesh && g < scene->group_count; g++) {
		is = is || (snw_group_member(&scene->groups[g], example) != SNW_NONE &&
					snw_group_member(&scene->groups[g], other) != SNW_NONE);
	}
	return is;
}

/* One that goes along, into the project as those before it have left it. */
static snw_status mirror_along(const snw_operation *o, uint32_t example, snw_error *error) {
	const snw_example *row = &o->scene->examples[example];
	snw_scene *scene = NULL;
	snw_mirrored mirrored = {0};
	snw_status status = snw_project_scene(o->project, &scene, error);
	status =
		snw_failed(status) ? status : mirror_one(o, scene, snw_scene_find_example(scene, row->name), NULL, &mirrored, error);
	if (snw_failed(status) && mirrored.is_unpaired) {
		snw_report_say(o->report, "nothing on the other side is like %.120s where %.120s is sculpted: it has no mirror image",
					   o->scene->meshes[row->mesh].name, row->name);
		status = SNW_OK;
	} else if (!snw_failed(status)) {
		snw_report_made(o->report, SNW_NOUN_EXAMPLE, mirrored.name);
		snw_report_say(o->report, "example %s of %s too", mirrored.name, o->scene->meshes[mirrored.mesh].name);
	}
	snw_scene_destroy(scene);
	return status;
}

snw_status snw_example_mirror(snw_operation *o, snw_error *error) {
	const uint32_t example = snw_operation_thing(o, "example");
	snw_mirrored mirrored = {0};
	snw_status status = mirror_one(o, o->scene, example, snw_operation_text(o, "name"), &mirrored, error);
	if (snw_failed(status) && mirrored.is_unpaired) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"nothing on the other side is like %.120s where %.120s is sculpted, so it has no mirror image; sculpt "
						"that side by hand in the mirrored pose, or pair the points with --by or a larger --tolerance",
						o->scene->meshes[snw_example_given(o)->mesh].name, snw_example_given(o)->name);
	}
	if (!snw_failed(status)) {
		report_mirrored(o, &mirrored);
	}
	for (uint32_t e = 0; e < o->scene->example_count && !snw_failed(status) && !snw_operation_has(o, "alone"); e++) {
		status = goes_along(o->scene, example, e) ? mirror_along(o, e, error) : SNW_OK;
	}
	return status;
}

snw_status snw_example_split(snw_operation *o, snw_error *error) {
	const snw_argument_values *given = snw_operation_values(o, "name");
	const char *mask_text = snw_operation_text(o, "mask"), **names = SNW_NEW_ARRAY(o->arena, const char *, given->count + 1u);
	const double *mask = NULL;
	snw_split parts;
	for (uint32_t i = 0; i < given->count; i++) {
		names[i] = given->at[i].text;
	}
	snw_status status =
		mask_text ? snw_mask_values(o->scene, snw_example_given(o)->mesh, mask_text, o->arena, &mask, error) : SNW_OK;
	status = snw_failed(status)
				 ? status
				 : snw_project_put_split(o->project, o->scene, o->in->registry, snw_operation_thing(o, "example"), mask,
										 given->count, given->count > 0 ? names : NULL, o->arena, &parts, error);
	for (uint32_t i = 0; !snw_failed(status) && i < parts.count; i++) {
		if (i == 0) {
			snw_report_changed(o->report, SNW_NOUN_EXAMPLE, parts.names[i]);
		} else {
			snw_report_made(o->report, SNW_NOUN_EXAMPLE, parts.names[i]);
		}
		snw_report_say(o->report, "example %s: %u point%s edited", parts.names[i], parts.edited_counts[i],
					   snw_plural(parts.edited_counts[i]));
	}
	return status;
}

snw_status snw_example_merge(snw_operation *o, snw_error *error) {
	const uint32_t first = snw_operation_thing(o, "example"), second = snw_operation_thing(o, "other");
	const char *name = snw_operation_text(o, "name");
	uint32_t edited = 0;
	const snw_status status =
		snw_project_put_merged(o->project, o->scene, o->in->registry, first, second, name, o->arena, &edited, error);
	snw_report_removed(o->report, SNW_NOUN_EXAMPLE, o->scene->examples[second].name);
	snw_report_changed(o->report, SNW_NOUN_EXAMPLE, name ? name : snw_example_given(o)->name);
	snw_report_number(o->report, "edited", edited);
	snw_report_say(o->report, "example %s: %u point%s edited", name ? name : snw_example_given(o)->name, edited,
				   snw_plural(edited));
	return status;
}

/* Those that are named, those of the groups, or all that are not muted: on meshes that do not get them. */
static const char **find_carried(const snw_operation *o, uint32_t *count) {
	const snw_scene *scene = o->scene;
	const snw_argument_values *named = snw_operation_values(o, "example"), *groups = snw_operation_values(o, "group"),
							  *to = snw_operation_values(o, "to");
	const char **found = SNW_NEW_ARRAY(o->arena, const char *, (size_t)scene->example_count + 1);
	*count = 0;
	for (uint32_t e = 0; e < scene->example_count; e++) {
		bool is = named->count + groups->count == 0 && !scene->examples[e].muted;
		for (uint32_t i = 0; i < named->count; i++) {
			is = is || named->at[i].index == e;
		}
		for (uint32_t i = 0; i < groups->count; i++) {
			is = is || snw_group_member(&scene->groups[groups->at[i].index], e) != SNW_NONE;
		}
		for (uint32_t i = 0; i < to->count; i++) {
			is = is && to->at[i].index != scene->examples[e].mesh;
		}
		found[*count] = scene->examples[e].name;
		*count += is;
	}
	return found;
}

static void report_carried(const snw_operation *o, const snw_carry *order) {
	for (uint32_t i = 0; i < order->carried_count; i++) {
		const snw_carried_example *carried = &order->carried[i];
		const char *mesh = o->scene->meshes[carried->mesh].name;
		if (carried->is_updated) {
			snw_report_changed(o->report, SNW_NOUN_EXAMPLE, carried->name);
		} else {
			snw_report_made(o->report, SNW_NOUN_EXAMPLE, carried->name);
		}
		snw_report_row(o->report, "carried", i);
		snw_report_text(o->report, "name", carried->name);
		snw_report_text(o->report, "from", carried->from);
		snw_report_text(o->report, "mesh", mesh);
		snw_report_number(o->report, "updated", carried->is_updated);
		snw_report_number(o->report, "moved", carried->moved_count);
		snw_report_number(o->report, "most", carried->most);
		snw_report_row(o->report, NULL, 0);
		snw_report_say(o->report, "%s moves %u point%s of %s, at most %.3g m%s", carried->from, carried->moved_count,
					   snw_plural(carried->moved_count), mesh, carried->most,
					   carried->is_updated ? "; there they take the place of what was sculpted" : "");
	}
}

snw_status snw_example_carry(snw_operation *o, snw_error *error) {
	const snw_argument_values *to = snw_operation_values(o, "to");
	uint32_t *meshes = SNW_NEW_ARRAY(o->arena, uint32_t, (size_t)to->count + 1);
	for (uint32_t i = 0; i < to->count; i++) {
		meshes[i] = to->at[i].index;
	}
	snw_carry order = {.mesh_count = to->count, .meshes = meshes, .reach = snw_carry_usual_reach(o->scene)};
	order.examples = find_carried(o, &order.example_count);
	order.reach = snw_operation_has(o, "reach") ? snw_operation_number(o, "reach") : order.reach;
	if (order.example_count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "there is no example to carry; sculpt the body in a pose first");
	}
	const snw_status status = snw_project_put_carried(o->project, o->in->registry, o->in->task, o->arena, &order, error);
	if (!snw_failed(status) && order.carried_count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"no other mesh is within %.3g m of what is sculpted; give a larger --reach, or sculpt it by itself",
						order.reach);
	}
	if (!snw_failed(status)) {
		report_carried(o, &order);
	}
	return status;
}
