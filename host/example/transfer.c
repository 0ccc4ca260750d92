/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "example/sculpts.h"

#include <math.h>
#include <string.h>

#include "example/examples.h"
#include "example/groups.h"
#include "fit/samples.h"
#include "mesh/surface.h"
#include "sculpt/sculpt.h"
#include "sinew/algebra.h"
#include "sinew/kit/mesh/mesh.h"
#include "transfer/transfer.h"

/* ---- to other meshes ----------------------------------------------------------------------------------------------------- */

static const double usual_share = 0.03; /* of the diagonal */
static const double least_share = 1e-6; /* of the diagonal: a smaller move is none */

/* A sculpted mesh in the pose of its example. */
typedef struct carried_sculpt {
	const snw_scene *scene; /* the project's as it is by now */
	uint32_t example, mesh, corrective;
	const snw_pose *pose;
	double *points, *original;                 /* with and without the sculpt, [point_count][3] */
	double *normals, *original_normals;        /* the same */
	const snw_surface_place *const *places_on; /* of the points of each mesh, [mesh_count] */
	snw_arena *scratch;                        /* until it is carried */
} carried_sculpt;

double snw_carry_usual_reach(const snw_scene *scene) {
	double diagonal = 0;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		diagonal = fmax(diagonal, snw_scene_diagonal(scene, m));
	}
	return usual_share * diagonal;
}

/* ---- the motion ---------------------------------------------------------------------------------------------------------- */

/* Turns a vector as the smallest rotation turns one unit vector to another. */
static void rotate_as(const double from[3], const double to[3], double v[3]) {
	double axis[3], once[3], twice[3];
	const double cosine = snw_dot3(from, to);
	snw_cross3(from, to, axis);
	snw_cross3(axis, v, once);
	snw_cross3(axis, once, twice);
	for (int c = 0; c < 3 && cosine > -0.999; c++) {
		v[c] += once[c] + twice[c] / (1 + cosine);
	}
}

static double share_at(double distance, double reach) {
	const double t = fmin(fmax(2 * distance / reach - 1, 0), 1);
	return 1 - t * t * (3 - 2 * t);
}

/* Where a point over the place goes, which is at `point` without the sculpt. */
static void move_point(const carried_sculpt *s, const snw_surface_place *place, double share, double point[3]) {
	double at[3], to[3], normal[3], rotated[3], off[3];
	snw_surface_place_value(place, s->original, 3, at);
	snw_surface_place_value(place, s->points, 3, to);
	snw_surface_place_value(place, s->original_normals, 3, normal);
	snw_surface_place_value(place, s->normals, 3, rotated);
	snw_normalize3(normal);
	snw_normalize3(rotated);
	for (int c = 0; c < 3; c++) {
		off[c] = point[c] - at[c];
	}
	rotate_as(normal, rotated, off);
	for (int c = 0; c < 3; c++) {
		point[c] += share * (to[c] + off[c] - point[c]);
	}
}

static bool is_moved(const carried_sculpt *s, const snw_surface_place *place) {
	bool is = false;
	for (int n = 0; n < 3 && !is; n++) {
		const size_t p = 3 * (size_t)place->points[n];
		is = place->shares[n] > 0 && memcmp(s->points + p, s->original + p, 3 * sizeof *s->points) != 0;
	}
	return is;
}

/* The points of a mesh that the sculpt moves go from `original` to `points`; the others keep what they have. */
static void move_points(const carried_sculpt *s, uint32_t mesh, double reach, const double *original, double *points,
						snw_carried_example *carried) {
	const double least = least_share * snw_scene_diagonal(s->scene, mesh);
	for (uint32_t i = 0; i < s->scene->meshes[mesh].point_count; i++) {
		const snw_surface_place *place = &s->places_on[mesh][i];
		const double share = share_at(place->distance, reach), *before = original + 3 * (size_t)i;
		double goal[3] = {before[0], before[1], before[2]};
		if (share <= 0 || !is_moved(s, place)) {
			continue;
		}
		move_point(s, place, share, goal);
		const double far = sqrt(snw_squared_distance3(goal, before));
		if (far > least) {
			memcpy(points + 3 * (size_t)i, goal, sizeof goal);
			carried->moved_count++;
			carried->most = fmax(carried->most, far);
		}
	}
}

/* ---- examples ------------------------------------------------------------------------------------------------------------ */

static snw_status open_source(carried_sculpt *s, const snw_registry *registry, const char *name, snw_error *error) {
	s->example = snw_scene_find_example(s->scene, name);
	const snw_example *example = &s->scene->examples[s->example];
	const snw_mesh *mesh = &s->scene->meshes[example->mesh];
	const snk_faces faces = {mesh->point_count, mesh->face_count, mesh->face_offsets, mesh->face_points};
	s->mesh = example->mesh;
	s->pose = &s->scene->poses[example->pose];
	s->corrective = snw_reference_layer(s->scene, registry);
	const snw_status status = snw_sculpt_points(s->scene, registry, s->mesh, s->pose, s->example, s->corrective, s->scratch,
												&s->points, &s->original, error);
	if (!snw_failed(status)) {
		s->normals = snw_arena_array(s->scratch, mesh->point_count, 3 * sizeof *s->normals);
		s->original_normals = snw_arena_array(s->scratch, mesh->point_count, 3 * sizeof *s->normals);
		snk_point_normals(&faces, s->points, s->normals);
		snk_point_normals(&faces, s->original, s->original_normals);
	}
	return status;
}

/* The example of a mesh, if the sculpt reaches it. */
static snw_status find_beside(const carried_sculpt *s, const snw_registry *registry, uint32_t mesh, double reach,
							  snw_arena *arena, snw_sculpt_beside *beside, snw_carried_example *carried, snw_error *error) {
	const snw_scene *scene = s->scene;
	const uint32_t found = snw_sculpt_example(scene, mesh, s->pose);
	const char *from = scene->examples[s->example].name;
	double *points, *original;
	snw_status status =
		snw_sculpt_points(scene, registry, mesh, s->pose, found, s->corrective, s->scratch, &points, &original, error);
	if (snw_failed(status)) {
		return status;
	}
	if (found == SNW_NONE) { /* the skin without sculpts, not that of the whole stack */
		memcpy(points, original, 3 * (size_t)scene->meshes[mesh].point_count * sizeof *points);
	}
	const char *usual = snw_arena_format(arena, "%s-%s", from, scene->meshes[mesh].name);
	*carried = (snw_carried_example){.from = snw_arena_text(arena, from), .mesh = mesh, .is_updated = found != SNW_NONE};
	carried->name = found != SNW_NONE ? snw_arena_text(arena, scene->examples[found].name)
									  : snw_scene_free_name(scene, snw_scene_find_example, usual, arena);
	move_points(s, mesh, reach, original, points, carried);
	*beside = (snw_sculpt_beside){.example = carried->name, .mesh = mesh, .points_posed = points, .points_original = original};
	return SNW_OK;
}

static bool may_get(const snw_carry *order, uint32_t mesh) {
	bool may = order->mesh_count == 0;
	for (uint32_t i = 0; i < order->mesh_count; i++) {
		may = may || order->meshes[i] == mesh;
	}
	return may;
}

/* One example, into the project as those before it have left it. */
static snw_status carry_example(const carried_sculpt *s, snw_project *project, const snw_registry *registry, snw_arena *arena,
								snw_carry *order, snw_error *error) {
	const snw_scene *scene = s->scene;
	snw_sculpt_beside *beside = SNW_NEW_ARRAY(s->scratch, snw_sculpt_beside, scene->mesh_count);
	snw_sculpt_commit commit = {.example = scene->examples[s->example].name,
								.keeps_example = true,
								.mesh = s->mesh,
								.points_posed = s->points,
								.points_original = s->original,
								.pose = s->pose,
								.corrective = SNW_NONE,
								.plane = snw_symmetry_plane(scene, s->mesh),
								.beside = beside};
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < scene->mesh_count && !snw_failed(status); m++) {
		snw_carried_example carried = {0};
		if (m == s->mesh || !may_get(order, m)) {
			continue;
		}
		status = find_beside(s, registry, m, order->reach, arena, &beside[commit.beside_count], &carried, error);
		if (!snw_failed(status) && carried.moved_count > 0) {
			order->carried[order->carried_count++] = carried;
			commit.beside_count++;
		}
	}
	return snw_failed(status) || commit.beside_count == 0 ? status : snw_sculpt_put_example(project, scene, &commit, error);
}

/* The places on the mesh `from` of the points of the meshes that may get its sculpts. They are at rest, and stay. */
static snw_status find_sculpted_places(const snw_scene *scene, const snw_carry *order, uint32_t from, const snw_task *task,
									   snw_arena *arena, const snw_surface_place **places, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < scene->mesh_count && !snw_failed(status); m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		if (m == from || !may_get(order, m) || places[m] || scene->meshes[from].point_count == 0) {
			continue;
		}
		snw_surface_place *found = SNW_NEW_ARRAY(arena, snw_surface_place, mesh->point_count);
		status = snw_surface_places_find(mesh->point_count, mesh->points_rest, &scene->meshes[from],
										 scene->meshes[from].points_rest, "finding the skin below", task, found, error);
		places[m] = found;
	}
	return status;
}

snw_status snw_project_put_carried(snw_project *project, const snw_registry *registry, const snw_task *task, snw_arena *arena,
								   snw_carry *order, snw_error *error) {
	snw_scene *scene = NULL;
	snw_status status = snw_project_scene(project, &scene, error);
	if (snw_failed(status)) {
		return status;
	}
	const uint32_t meshes = scene->mesh_count;
	const snw_surface_place **places = SNW_NEW_ARRAY(arena, const snw_surface_place *, (size_t)meshes *meshes);
	order->carried = SNW_NEW_ARRAY(arena, snw_carried_example, (size_t)order->example_count * meshes);
	for (uint32_t i = 0; i < order->example_count && !snw_failed(status); i++) {
		carried_sculpt s = {.scene = scene, .scratch = snw_arena_create()};
		status = open_source(&s, registry, order->examples[i], error);
		const snw_surface_place **on = places + (size_t)s.mesh * meshes;
		status = snw_failed(status) ? status : find_sculpted_places(scene, order, s.mesh, task, arena, on, error);
		s.places_on = on;
		status = snw_failed(status) ? status : carry_example(&s, project, registry, arena, order, error);
		snw_arena_destroy(s.scratch);
		snw_scene_destroy(scene);
		scene = NULL;
		status = snw_failed(status) || i + 1 == order->example_count ? status : snw_project_scene(project, &scene, error);
	}
	snw_scene_destroy(scene);
	return status;
}

/* ---- from other characters ----------------------------------------------------------------------------------------------- */

/* A point that is nearer to the skin without sculpts, as a share of the mesh's diagonal, is not edited. */
static const double TRANSFER_TOLERANCE = 1e-6;
/* Poses of the same name that differ by less are the same: radians, factors, weights, and lengths as a share of the mesh's
 * diagonal. */
static const double SAME_POSE = 1e-4;

typedef struct job {
	snw_project *project;
	snw_scene *scene; /* with the poses that the transfer has stored */
	const snw_registry *registry;
	snw_arena *arena;
	snw_example_transfer *transfer;
	snw_rest_match match;
	const snw_mesh *there, *here;
	snw_surface_place *places; /* [here's point_count]: on `there` */
	snw_surface_place *backs;  /* [there's point_count]: on `here` */
	int64_t *ids;              /* [taken_count]: of the examples */
	uint32_t *sources;         /* [taken_count]: examples of `from` */
	snw_pose *poses;           /* of `scene`, with room for one more for each example */
	snw_error *error;
} job;

/* ---- what is transferred ------------------------------------------------------------------------------------------------- */

static void list_examples(job *j) {
	snw_example_transfer *t = j->transfer;
	t->taken_count = 0;
	j->sources = SNW_NEW_ARRAY(j->arena, uint32_t, t->from->example_count + t->example_count);
	for (uint32_t i = 0; i < (t->example_count > 0 ? t->example_count : t->from->example_count); i++) {
		const uint32_t index = t->example_count > 0 ? t->examples[i] : i;
		const snw_example *example = &t->from->examples[index];
		if (example->mesh == t->from_mesh && (t->example_count > 0 || !example->muted)) {
			j->sources[t->taken_count++] = index;
		}
	}
	t->taken = SNW_NEW_ARRAY(j->arena, snw_taken_example, t->taken_count);
	j->ids = SNW_NEW_ARRAY(j->arena, int64_t, t->taken_count);
}

/* Whether a joint moves the mesh or is rotated by an example. */
static bool is_used(const job *j, uint32_t joint) {
	const snw_scene *from = j->transfer->from;
	for (uint32_t k = 0; j->there->influence_offsets && k < j->there->influence_offsets[j->there->point_count]; k++) {
		if (from->slot_joints[j->there->influence_slots[k]] == joint && j->there->influence_weights[k] > 0) {
			return true;
		}
	}
	for (uint32_t i = 0; i < j->transfer->taken_count; i++) {
		const snw_pose *pose = &from->poses[from->examples[j->sources[i]].pose];
		if (snw_length3(pose->rotation_vectors + 3 * (size_t)joint) > SAME_POSE) {
			return true;
		}
	}
	return false;
}

static void report_joints(job *j) {
	snw_example_transfer *t = j->transfer;
	t->joint_count = t->paired_count = 0;
	t->unpaired = "";
	for (uint32_t i = 0; i < t->from->skeleton.joint_count; i++) {
		if (!is_used(j, i)) {
			continue;
		}
		t->joint_count++;
		if (j->match.partners[i] != SNW_NONE) {
			t->paired_count++;
		} else if (t->joint_count - t->paired_count <= 5) {
			t->unpaired =
				snw_arena_format(j->arena, "%s%s%s", t->unpaired, t->unpaired[0] ? ", " : "", t->from->skeleton.names[i]);
		}
	}
}

static snw_status find_places(job *j, const snw_task *task) {
	const uint32_t here = j->here->point_count, there = j->there->point_count;
	j->places = SNW_NEW_ARRAY(j->arena, snw_surface_place, here);
	j->backs = SNW_NEW_ARRAY(j->arena, snw_surface_place, there);
	snw_status status = snw_surface_places_find(here, j->here->points_rest, j->there, j->match.points, "comparing the meshes",
												task, j->places, j->error);
	status = snw_failed(status) ? status
								: snw_surface_places_find(there, j->match.points, j->here, j->here->points_rest,
														  "comparing the meshes", task, j->backs, j->error);
	double sum = 0, most = 0;
	for (uint32_t i = 0; i < here && !snw_failed(status); i++) {
		sum += j->places[i].distance;
		most = fmax(most, j->places[i].distance);
	}
	j->transfer->mean_distance = here > 0 ? sum / here : 0;
	j->transfer->most_distance = most;
	return status;
}

/* ---- one example --------------------------------------------------------------------------------------------------------- */

static void rotate(const double q[4], bool is_inverse, const double v[3], double dest[3]) {
	double values[12], back[4];
	snw_quat_conjugate(q, back);
	snw_quat_to_mat34(is_inverse ? back : q, values);
	snw_mat34_vector(values, v, dest);
}

/* The edits of a sculpt at the points there, [point_count][3], as vectors in the rest space here. */
static snw_status find_edits_here(const job *j, const snw_example *example, double **edits) {
	const snw_scene *from = j->transfer->from;
	const uint32_t count = j->there->point_count;
	const snw_pose *poses[] = {&from->poses[example->pose]};
	double *below = snw_arena_array(j->arena, count, 3 * sizeof *below);
	double *posed = snw_arena_array(j->arena, count, 3 * sizeof *posed);
	const snw_status status = snw_reference_points(from, j->registry, example->mesh, 1, poses, &below, j->error);
	if (snw_failed(status)) {
		return status;
	}
	const double *rotations = snw_skin_rotations(from, example->mesh, poses[0], j->arena);
	memset(posed, 0, 3 * (size_t)count * sizeof *posed);
	for (uint32_t k = 0; k < (example->edited ? example->edited_count : count); k++) {
		const size_t i = example->edited ? example->edited[k] : k;
		double edit[3], at_rest[3];
		for (size_t c = 0; c < 3; c++) {
			edit[c] = j->match.scales[i] * (example->points_posed[3 * i + c] - below[3 * i + c]);
		}
		rotate(rotations + 4 * i, true, edit, at_rest);
		rotate(j->match.rotations + 4 * i, false, at_rest, posed + 3 * i);
	}
	*edits = posed;
	return SNW_OK;
}

/* The name of the joint that moves a point there most; "" for none. */
static const char *name_joint(const job *j, size_t point) {
	const snw_scene *from = j->transfer->from;
	const uint32_t *offsets = j->there->influence_offsets;
	const char *name = "";
	double most = 0;
	for (uint32_t k = offsets ? offsets[point] : 0; offsets && k < offsets[point + 1]; k++) {
		if (j->there->influence_weights[k] > most) {
			most = j->there->influence_weights[k];
			name = from->skeleton.names[from->slot_joints[j->there->influence_slots[k]]];
		}
	}
	return snw_arena_text(j->arena, name);
}

/* What is lost on the way back. */
static void find_residual(const job *j, const double *edits, const double *taken, snw_taken_example *dest) {
	double lost = 0, whole = 0, most = 0;
	uint32_t edited = 0;
	for (size_t i = 0; i < j->there->point_count; i++) {
		double back[3];
		snw_surface_place_value(&j->backs[i], taken, 3, back);
		const double squared = snw_squared_distance3(back, edits + 3 * i);
		if (squared > most || i == 0) {
			most = squared;
			dest->worst_joint = name_joint(j, i);
		}
		lost += squared;
		whole += snw_dot3(edits + 3 * i, edits + 3 * i);
		edited += snw_dot3(edits + 3 * i, edits + 3 * i) > 0;
	}
	dest->residual = whole > 0 ? sqrt(lost / whole) : 0;
	dest->residual_length = edited > 0 ? sqrt(lost / edited) : 0;
	dest->residual_most = sqrt(most);
}

static bool are_same_poses(const job *j, const snw_pose *a, const snw_pose *b) {
	const double length = SAME_POSE * snw_scene_diagonal(j->scene, j->transfer->mesh);
	bool are_same = true;
	for (size_t i = 0; i < 3 * (size_t)j->scene->skeleton.joint_count && are_same; i++) {
		const snw_transform *one = &a->local[i / 3], *other = &b->local[i / 3];
		are_same = fabs(a->rotation_vectors[i] - b->rotation_vectors[i]) <= SAME_POSE &&
				   fabs(one->translation[i % 3] - other->translation[i % 3]) <= length &&
				   fabs(one->scale[i % 3] - other->scale[i % 3]) <= SAME_POSE;
	}
	for (uint32_t c = 0; c < j->scene->channel_count && are_same; c++) {
		are_same = fabs(a->channels[c] - b->channels[c]) <= SAME_POSE;
	}
	return are_same;
}

/* Of a name without a number at its end, as snw_scene_free_name adds one. */
static size_t stem_length(const char *name) {
	const char *dash = strrchr(name, '-');
	const size_t digits = dash ? strspn(dash + 1, "0123456789") : 0;
	return digits > 0 && dash[1 + digits] == '\0' ? (size_t)(dash - name) : strlen(name);
}

/* The same pose here, under its name or, where that is another pose's, under one that an earlier transfer gave it. */
static uint32_t find_pose(const job *j, const snw_pose *pose) {
	const size_t length = stem_length(pose->name);
	uint32_t found = snw_scene_find_pose(j->scene, pose->name);
	found = found != SNW_NONE && are_same_poses(j, &j->scene->poses[found], pose) ? found : SNW_NONE;
	for (uint32_t p = 0; p < j->scene->pose_count && found == SNW_NONE; p++) {
		const char *name = j->scene->poses[p].name;
		const bool is_like = stem_length(name) == length && strncmp(name, pose->name, length) == 0;
		found = is_like && are_same_poses(j, &j->scene->poses[p], pose) ? p : SNW_NONE;
	}
	return found;
}

/* The row of the pose here, which is stored if it is not there yet. */
static snw_status put_pose(job *j, snw_pose *pose, int64_t *id) {
	const uint32_t found = find_pose(j, pose);
	if (found != SNW_NONE) {
		*pose = j->scene->poses[found];
		*id = pose->id;
		return SNW_OK;
	}
	pose->name = snw_scene_free_name(j->scene, snw_scene_find_pose, pose->name, j->arena);
	const snw_status status = snw_project_put_pose(j->project, pose, id, j->error);
	if (!snw_failed(status)) {
		pose->id = *id;
		j->poses[j->scene->pose_count++] = *pose;
	}
	return status;
}

static snw_status take_example(job *j, uint32_t index) {
	const snw_scene *from = j->transfer->from;
	const snw_example *source = &from->examples[j->sources[index]];
	const uint32_t count = j->here->point_count, old = snw_scene_find_example(j->scene, source->name);
	snw_taken_example *taken = &j->transfer->taken[index];
	snw_pose *pose = snw_rest_match_pose(&j->match, &from->poses[source->pose], j->arena);
	double *edits, *vectors = snw_arena_array(j->arena, count, 3 * sizeof *vectors);
	double *below = snw_arena_array(j->arena, count, 3 * sizeof *below);
	double *points = snw_arena_array(j->arena, count, 3 * sizeof *points);
	int64_t pose_id = 0;
	if (old != SNW_NONE && j->scene->examples[old].mesh != j->transfer->mesh) {
		return snw_fail(j->error, SNW_ERROR_CONFLICT, "%s: an example of this name is on another mesh; rename it",
						source->name);
	}
	snw_status status = find_edits_here(j, source, &edits);
	status = snw_failed(status) ? status : put_pose(j, pose, &pose_id);
	const snw_pose *poses[] = {pose};
	status = snw_failed(status) ? status
								: snw_reference_points(j->scene, j->registry, j->transfer->mesh, 1, poses, &below, j->error);
	if (snw_failed(status)) {
		return status;
	}
	const double *rotations = snw_skin_rotations(j->scene, j->transfer->mesh, pose, j->arena);
	for (size_t i = 0; i < count; i++) {
		double edit[3];
		snw_surface_place_value(&j->places[i], edits, 3, vectors + 3 * i);
		rotate(rotations + 4 * i, false, vectors + 3 * i, edit);
		for (size_t c = 0; c < 3; c++) {
			points[3 * i + c] = below[3 * i + c] + edit[c];
		}
	}
	snw_example example = {
		.id = old == SNW_NONE ? 0 : j->scene->examples[old].id, .name = source->name, .points_posed = points};
	const snw_example *like = old == SNW_NONE ? source : &j->scene->examples[old];
	example.muted = like->muted;
	example.has_chosen_driver = like->has_chosen_driver;
	snw_example_find_edited(&example, count, below, TRANSFER_TOLERANCE * snw_scene_diagonal(j->scene, j->transfer->mesh),
							j->arena);
	*taken = (snw_taken_example){.name = snw_arena_text(j->arena, source->name),
								 .pose = pose->name,
								 .is_updated = old != SNW_NONE,
								 .edited_count = example.edited ? example.edited_count : count};
	find_residual(j, edits, vectors, taken);
	return snw_project_put_example(j->project, &example, pose_id, j->here->id, count, &j->ids[index], j->error);
}

/* ---- groups -------------------------------------------------------------------------------------------------------------- */

/* The field of the mask here; it is transferred if the mesh has none of its name. */
static snw_status take_mask(const job *j, uint32_t mask, int64_t *id) {
	const snw_field *field = &j->transfer->from->fields[mask];
	const uint32_t found = snw_scene_find_field(j->scene, j->transfer->mesh, field->name);
	if (found != SNW_NONE) {
		*id = j->scene->fields[found].id;
		return SNW_OK;
	}
	double *values = SNW_NEW_ARRAY(j->arena, double, j->here->point_count);
	for (uint32_t i = 0; i < j->here->point_count; i++) {
		snw_surface_place_value(&j->places[i], field->values, 1, &values[i]);
	}
	snw_field copy = *field;
	copy.id = 0;
	copy.mesh = j->transfer->mesh;
	copy.count = j->here->point_count;
	copy.values = values;
	return snw_project_put_field(j->project, &copy, j->here->id, id, j->error);
}

static uint32_t find_taken(const job *j, uint32_t source) {
	for (uint32_t i = 0; i < j->transfer->taken_count; i++) {
		if (j->sources[i] == source && !j->transfer->taken[i].is_updated) {
			return i;
		}
	}
	return SNW_NONE;
}

/* Adds the new examples of a group to the group of that name here, or to a new one that the partners of its joints drive. */
static snw_status take_group(const job *j, const snw_group *group) {
	const uint32_t found = snw_scene_find_group(j->scene, group->name);
	snw_group copy = found == SNW_NONE ? (snw_group){.name = group->name} : j->scene->groups[found];
	uint32_t *joints = SNW_NEW_ARRAY(j->arena, uint32_t, group->joint_count);
	int64_t *examples = SNW_NEW_ARRAY(j->arena, int64_t, copy.member_count + group->member_count);
	int64_t *masks = SNW_NEW_ARRAY(j->arena, int64_t, copy.member_count + group->member_count), id;
	const uint32_t before = copy.member_count;
	for (uint32_t m = 0; m < before; m++) {
		examples[m] = j->scene->examples[copy.members[m].example].id;
		masks[m] = copy.members[m].mask == SNW_NONE ? 0 : j->scene->fields[copy.members[m].mask].id;
	}
	for (uint32_t k = 0; k < group->joint_count && found == SNW_NONE; k++) {
		joints[copy.joint_count] = j->match.partners[group->joints[k]];
		copy.joint_count += joints[copy.joint_count] != SNW_NONE;
	}
	copy.joints = found == SNW_NONE ? joints : copy.joints;
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < group->member_count && !snw_failed(status); m++) {
		const uint32_t taken = find_taken(j, group->members[m].example);
		if (taken != SNW_NONE) {
			masks[copy.member_count] = 0;
			if (group->members[m].mask != SNW_NONE) {
				status = take_mask(j, group->members[m].mask, &masks[copy.member_count]);
			}
			examples[copy.member_count++] = j->ids[taken];
		}
	}
	return snw_failed(status) || copy.member_count == before
			   ? status
			   : snw_project_put_group(j->project, &copy, examples, masks, &id, j->error);
}

/* ---- all of it ----------------------------------------------------------------------------------------------------------- */

static snw_status check(const job *j) {
	const snw_example_transfer *t = j->transfer;
	if (t->taken_count == 0) {
		return snw_fail(j->error, SNW_ERROR_MISSING, "mesh %s of the other project has no examples", j->there->name);
	}
	if (j->there->point_count == 0 || j->here->point_count == 0) {
		return snw_fail(j->error, SNW_ERROR_MISSING, "a mesh without points has no surface to transfer sculpts on");
	}
	if (t->joint_count > 0 && t->paired_count == 0) {
		return snw_fail(j->error, SNW_ERROR_MISSING,
						"the characters have no joint of the same name (%s); rename joints with 'sinew joint'", t->unpaired);
	}
	return SNW_OK;
}

snw_status snw_project_put_transferred(snw_project *project, const snw_scene *scene, const snw_registry *registry,
									   const snw_task *task, snw_arena *arena, snw_example_transfer *transfer,
									   snw_error *error) {
	snw_scene here = *scene;
	job j = {.project = project,
			 .scene = &here,
			 .registry = registry,
			 .arena = arena,
			 .transfer = transfer,
			 .there = &transfer->from->meshes[transfer->from_mesh],
			 .here = &scene->meshes[transfer->mesh],
			 .error = error};
	list_examples(&j);
	j.poses = SNW_NEW_ARRAY(arena, snw_pose, (size_t)scene->pose_count + transfer->taken_count);
	memcpy(j.poses, scene->poses, scene->pose_count * sizeof *j.poses);
	here.poses = j.poses;
	snw_rest_match_make(transfer->from, transfer->from_mesh, scene, arena, &j.match);
	report_joints(&j);
	snw_status status = check(&j);
	status = snw_failed(status) ? status : find_places(&j, task);
	for (uint32_t i = 0; i < transfer->taken_count && !snw_failed(status); i++) {
		status = snw_task_progress(task, (double)i / transfer->taken_count, "transferring sculpts")
					 ? take_example(&j, i)
					 : snw_fail(error, SNW_CANCELLED, "the transfer was cancelled; nothing was changed");
	}
	for (uint32_t g = 0; g < transfer->from->group_count && !snw_failed(status); g++) {
		status = take_group(&j, &transfer->from->groups[g]);
	}
	return status;
}
