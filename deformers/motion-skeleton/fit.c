/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fitting: parts, tree, then rotations, pivots and weights in turn.
 */
#include <math.h>
#include <string.h>

#include "motion-skeleton/motion-skeleton.h"
#include "sinew/algebra.h"
#include "sinew/kit/clock.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/status.h"

/* ---- the body ------------------------------------------------------------------------------------------------------------ */

/* The body that moves: the mesh with sequences, or all such meshes as one, point behind point. */

/* Moments that differ by less are one. */
static const double same_moment = 1e-4; /* seconds */

/* ---- which meshes -------------------------------------------------------------------------------------------------------- */

static const snw_mesh_view *mesh_view(const skeleton_fit *f, uint32_t part) {
	return f->input->character->meshes[f->part_meshes[part]];
}

static void add_mesh(skeleton_fit *f, uint32_t mesh) {
	uint32_t at = f->part_count;
	for (uint32_t k = 0; k < f->part_count; k++) {
		if (f->part_meshes[k] == mesh) {
			return;
		}
	}
	for (; at > 0 && f->part_meshes[at - 1] > mesh; at--) {
		f->part_meshes[at] = f->part_meshes[at - 1];
	}
	f->part_meshes[at] = mesh;
	f->part_count++;
}

static snw_status find_meshes(skeleton_fit *f) {
	const uint32_t meshes = f->input->character->mesh_count;
	f->part_meshes = SNW_POOL_ARRAY(&f->pool, uint32_t, meshes);
	f->part_firsts = SNW_POOL_ARRAY(&f->pool, uint32_t, (size_t)meshes + 1);
	if (f->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t s = 0; s < f->input->sequence_count; s++) {
		add_mesh(f, f->input->sequences[s]->mesh);
	}
	if (f->part_count == 0) {
		return snw_report_fail(f->host, SNW_ERROR_MISSING, "no mesh has a sequence; import one with 'sinew import --sequence'");
	}
	uint64_t points = 0;
	for (uint32_t p = 0; p < f->part_count; p++) {
		points += mesh_view(f, p)->point_count;
		f->part_firsts[p + 1] = (uint32_t)points;
	}
	return points > UINT32_MAX / 8
			   ? snw_report_fail(f->host, SNW_ERROR_LIMIT, "the meshes have too many points for one skeleton")
		   : points > 1
			   ? SNW_OK
			   : snw_report_fail(f->host, SNW_ERROR_DATA, "mesh '%s' has too few points (%u) for a skeleton; two are the least",
								 mesh_view(f, 0)->name, mesh_view(f, 0)->point_count);
}

/* ---- several meshes as one ----------------------------------------------------------------------------------------------- */

static snw_mesh_view *open_body(skeleton_fit *f) {
	uint64_t faces = 0, corners = 0;
	for (uint32_t p = 0; p < f->part_count; p++) {
		const snw_mesh_view *mesh = mesh_view(f, p);
		faces += mesh->face_count;
		corners += mesh->face_count > 0 ? mesh->face_offsets[mesh->face_count] : 0;
	}
	snw_mesh_view *body = SNW_POOL_ARRAY(&f->pool, snw_mesh_view, 1);
	double *rest = SNW_POOL_ARRAY(&f->pool, double, 3 * (size_t)f->part_firsts[f->part_count]);
	uint32_t *offsets = SNW_POOL_ARRAY(&f->pool, uint32_t, (size_t)faces + 1);
	uint32_t *points = SNW_POOL_ARRAY(&f->pool, uint32_t, (size_t)corners);
	if (f->pool.failed) {
		return NULL;
	}
	uint32_t face = 0, corner = 0;
	for (uint32_t p = 0; p < f->part_count; p++) {
		const snw_mesh_view *mesh = mesh_view(f, p);
		const size_t first = f->part_firsts[p];
		memcpy(rest + 3 * first, mesh->points_rest, 3 * (size_t)mesh->point_count * sizeof *rest);
		for (uint32_t n = 0; n < mesh->face_count; n++) {
			for (uint32_t c = mesh->face_offsets[n]; c < mesh->face_offsets[n + 1]; c++) {
				points[corner++] = (uint32_t)first + mesh->face_points[c];
			}
			offsets[++face] = corner;
		}
	}
	*body = (snw_mesh_view){.size = sizeof *body,
							.name = mesh_view(f, 0)->name,
							.point_count = f->part_firsts[f->part_count],
							.points_rest = rest,
							.face_count = face,
							.face_offsets = offsets,
							.face_points = points};
	return body;
}

static int have_same_moments(const snw_sequence_view *a, const snw_sequence_view *b) {
	int are_same = a->frame_count == b->frame_count;
	for (uint32_t f = 0; are_same && f < a->frame_count; f++) {
		are_same = fabs(a->seconds[f] - b->seconds[f]) < same_moment;
	}
	return are_same;
}

/* The sequence of a mesh in the clip of another one, by the moments too; NULL for none. */
static const snw_sequence_view *find_sequence(const skeleton_fit *f, uint32_t mesh, const snw_sequence_view *like) {
	for (uint32_t s = 0; s < f->input->sequence_count; s++) {
		const snw_sequence_view *other = f->input->sequences[s];
		if (other->mesh == mesh && other->clip == like->clip && have_same_moments(like, other)) {
			return other;
		}
	}
	return NULL;
}

static snw_status fail_apart(const skeleton_fit *f, const snw_sequence_view *shown, uint32_t missing) {
	const snw_character_view *character = f->input->character;
	return snw_report_fail(f->host, SNW_ERROR_UNSUPPORTED,
						   "sequence '%s' shows mesh '%s' and not '%s' at the same moments; one skeleton needs a frame of each "
						   "mesh for each moment: import them together, with a --sequence for each",
						   shown->name, character->meshes[shown->mesh]->name, character->meshes[missing]->name);
}

/* A sequence of all meshes together. */
static snw_status join_sequence(skeleton_fit *f, const snw_sequence_view *first, snw_sequence_view *joined) {
	const size_t points = f->part_firsts[f->part_count];
	float *posed = SNW_POOL_ARRAY(&f->pool, float, 3 * points * first->frame_count);
	if (!posed) {
		return SNW_ERROR_MEMORY;
	}
	*joined = *first;
	joined->size = first->size < sizeof *joined ? first->size : sizeof *joined;
	joined->mesh = 0;
	joined->points_posed = posed;
	for (uint32_t p = 0; p < f->part_count; p++) {
		const snw_sequence_view *from = find_sequence(f, f->part_meshes[p], first);
		if (!from) {
			return fail_apart(f, first, f->part_meshes[p]);
		}
		const size_t begin = 3 * (size_t)f->part_firsts[p], count = 3 * (size_t)mesh_view(f, p)->point_count;
		for (uint32_t frame = 0; frame < first->frame_count; frame++) {
			memcpy(posed + 3 * points * frame + begin, from->points_posed + count * frame, count * sizeof *posed);
		}
	}
	return SNW_OK;
}

/* The sequences of the first mesh, each with those of the others. No sequence of another mesh may be left over. */
static snw_status join_sequences(skeleton_fit *f, snw_fit_input *input) {
	const snw_sequence_view **sequences = snw_pool_acquire(&f->pool, input->sequence_count, sizeof *sequences);
	snw_sequence_view *joined = SNW_POOL_ARRAY(&f->pool, snw_sequence_view, input->sequence_count);
	snw_status status = f->pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	uint32_t count = 0;
	for (uint32_t s = 0; !snk_failed(status) && s < input->sequence_count; s++) {
		const snw_sequence_view *sequence = f->input->sequences[s];
		if (sequence->mesh == f->part_meshes[0]) {
			status = join_sequence(f, sequence, &joined[count]);
			sequences[count] = &joined[count];
			count++;
		} else if (!find_sequence(f, f->part_meshes[0], sequence)) {
			status = fail_apart(f, sequence, f->part_meshes[0]);
		}
	}
	input->sequences = sequences;
	input->sequence_count = count;
	input->target_count = 0;
	return status;
}

static snw_status join(skeleton_fit *f) {
	snw_fit_input input = *f->input;
	const snw_mesh_view *body = open_body(f);
	if (!body) {
		return SNW_ERROR_MEMORY;
	}
	const snw_character_view character = {.size = sizeof character, .mesh_count = 1, .meshes = &body};
	input.character = &character;
	f->body = body;
	const snw_status status = join_sequences(f, &input);
	return snk_failed(status) ? status : snk_motion_gather(&input, 0, &f->pool, &f->animations, &f->frames, &f->motion);
}

/* What there is to read: body, parts, animations, frames, motion. Errors, with words, where no mesh moves, or where several do
 * not move together. */
static snw_status gather_body(skeleton_fit *f) {
	snw_status status = find_meshes(f);
	if (snk_failed(status)) {
		return status;
	}
	if (f->part_count > 1) {
		status = join(f);
	} else {
		f->body = mesh_view(f, 0);
		status = snk_motion_gather(f->input, f->part_meshes[0], &f->pool, &f->animations, &f->frames, &f->motion);
	}
	f->frame_count = f->motion.frame_count;
	return status;
}

snw_status body_mask(skeleton_fit *f, const char *name, const double **mask) {
	double *values = NULL;
	*mask = NULL;
	for (uint32_t p = 0; p < f->part_count; p++) {
		const snw_mesh_view *mesh = mesh_view(f, p);
		for (uint32_t k = 0; k < mesh->field_count; k++) {
			const snw_field_view *field = mesh->fields[k];
			if (field->domain != SNW_DOMAIN_POINTS || field->components != 1 || strcmp(field->name, name) != 0) {
				continue;
			}
			values = values ? values : SNW_POOL_ARRAY(&f->pool, double, f->motion.point_count);
			if (!values) {
				return SNW_ERROR_MEMORY;
			}
			memcpy(values + f->part_firsts[p], field->values, mesh->point_count * sizeof *values);
		}
	}
	*mask = values;
	return SNW_OK;
}

/* ---- weights ------------------------------------------------------------------------------------------------------------- */

/* The weights of each point, by non-negative least squares over bones that are near it: its label's, those of its ring, and
 * those that a joint nearby connects to its label's. A distant bone may happen to move the same way in these frames, but not in
 * others. */

enum { MOST_CANDIDATES = 24, GRAIN = 64 };

/* How strongly neighbours share their weights: squared error per frame, in squared diagonals. */
static const double smoothness = 2e-6;

typedef struct point_fit {
	uint32_t count;
	uint32_t candidates[MOST_CANDIDATES];
	double gram[MOST_CANDIDATES * MOST_CANDIDATES];
	double right[MOST_CANDIDATES];
} point_fit;

typedef struct weights_job {
	skeleton_fit *f;
	const rigid *motions;
} weights_job;

static void add_candidate(uint32_t bone, point_fit *p) {
	for (uint32_t k = 0; k < p->count; k++) {
		if (p->candidates[k] == bone) {
			return;
		}
	}
	if (p->count < MOST_CANDIDATES) {
		p->candidates[p->count++] = bone;
	}
}

/* Whether the joint of a bone with its parent is near. */
static int is_near(const skeleton_fit *f, uint32_t bone, const double point[3]) {
	const double reach = f->tree.reaches[bone];
	return snw_squared_distance3(point, f->tree.borders[bone]) <= reach * reach;
}

static void find_candidates(const skeleton_fit *f, uint32_t point, point_fit *p) {
	const double *place = f->motion.points_rest + 3 * (size_t)point;
	const uint32_t label = f->labels[point], *parents = f->tree.parents;
	p->count = 0;
	add_candidate(label, p);
	for (uint32_t k = f->rings.offsets[point]; k < f->rings.offsets[point + 1]; k++) {
		add_candidate(f->labels[f->rings.neighbours[k]], p);
	}
	if (parents[label] != SNW_NONE && is_near(f, label, place)) {
		add_candidate(parents[label], p);
	}
	for (uint32_t b = 0; b < f->bone_count; b++) {
		if (parents[b] == label && is_near(f, b, place)) {
			add_candidate(b, p);
		}
	}
}

static void make_gram(const weights_job *job, uint32_t point, point_fit *p) {
	const skeleton_fit *f = job->f;
	const uint32_t count = p->count;
	double rows[MOST_CANDIDATES][3], target[3];
	memset(p->gram, 0, (size_t)count * count * sizeof *p->gram);
	memset(p->right, 0, count * sizeof *p->right);
	for (uint32_t frame = 0; frame < f->frame_count; frame++) {
		const rigid *motions = job->motions + (size_t)frame * f->bone_count;
		frame_point(f, frame, point, target);
		for (uint32_t a = 0; a < count; a++) {
			snw_mat34_point(motions[p->candidates[a]].m, f->motion.points_rest + 3 * (size_t)point, rows[a]);
			for (int c = 0; c < 3; c++) {
				rows[a][c] -= target[c];
			}
			for (uint32_t b = 0; b <= a; b++) {
				p->gram[a * count + b] += snw_dot3(rows[a], rows[b]) / f->frame_count;
			}
		}
	}
	for (uint32_t a = 0; a < count; a++) {
		for (uint32_t b = 0; b < a; b++) {
			p->gram[b * count + a] = p->gram[a * count + b];
		}
	}
}

/* A pull toward the mean of the ring's weights. */
static void add_smoothness(const skeleton_fit *f, uint32_t point, point_fit *p) {
	const uint32_t first = f->rings.offsets[point], end = f->rings.offsets[point + 1];
	const double strength = smoothness * f->diagonal * f->diagonal;
	for (uint32_t a = 0; a < p->count && end > first; a++) {
		double mean = 0;
		for (uint32_t k = first; k < end; k++) {
			const influence_set *set = &f->weights[f->rings.neighbours[k]];
			for (uint32_t i = 0; i < set->count; i++) {
				mean += set->bones[i] == p->candidates[a] ? set->weights[i] / (end - first) : 0;
			}
		}
		p->gram[a * p->count + a] += strength;
		p->right[a] += strength * mean;
	}
}

static void copy_solution(const point_fit *p, const snk_nnls_solution *solution, influence_set *dest) {
	dest->count = 0;
	for (uint32_t i = 0; i < solution->count; i++) {
		const uint32_t bone = p->candidates[solution->support[i]];
		uint32_t at = dest->count++;
		for (; at > 0 && dest->bones[at - 1] > bone; at--) {
			dest->bones[at] = dest->bones[at - 1];
			dest->weights[at] = dest->weights[at - 1];
		}
		dest->bones[at] = bone;
		dest->weights[at] = solution->weights[i];
	}
}

static void SNW_CALL fit_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	(void)thread;
	const weights_job *job = argument;
	const uint32_t most = (uint32_t)job->f->input->values[INFLUENCES].numbers[0];
	for (uint32_t i = begin; i < end; i++) {
		point_fit p;
		snk_nnls_solution solution;
		const snk_nnls_support start = {.count = 1, .candidates = {0}};
		find_candidates(job->f, i, &p);
		make_gram(job, i, &p);
		add_smoothness(job->f, i, &p);
		const snk_nnls_problem problem = {.count = p.count, .gram = p.gram, .right = p.right};
		snk_nnls_search(&problem, most, 1, &start, &solution);
		copy_solution(&p, &solution, &job->f->next[i]);
	}
}

static void take_next(skeleton_fit *f) {
	influence_set *found = f->next;
	f->next = f->weights;
	f->weights = found;
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		double largest = 0;
		for (uint32_t k = 0; k < found[i].count; k++) {
			if (found[i].weights[k] > largest) {
				largest = found[i].weights[k];
				f->labels[i] = found[i].bones[k];
			}
		}
	}
}

/* weights and labels for some motions (parts or motions), over bones near each point. */
static snw_status fit_weights(skeleton_fit *f, const rigid *motions) {
	weights_job job = {f, motions};
	const snw_status status = run_in_slabs(f, f->motion.point_count, GRAIN, fit_chunk, &job);
	if (!snk_failed(status)) {
		take_next(f);
	}
	return status;
}

/* ---- steps --------------------------------------------------------------------------------------------------------------- */

enum { ROUNDS = 6, SLAB_PARTS = 32 };

int go_on(skeleton_fit *f, double done, const char *step) {
	f->done = done;
	f->step = step;
	f->stopped = f->stopped || !snw_report_progress(f->host, done, step);
	return !f->stopped;
}

int may_go_on(skeleton_fit *f) {
	return go_on(f, f->done, f->step);
}

snw_status run_in_slabs(skeleton_fit *f, uint32_t count, uint32_t grain, snk_range *range, void *argument) {
	const uint32_t most = SLAB_PARTS * grain;
	for (uint32_t first = 0; first < count;) {
		const uint32_t size = count - first < most ? count - first : most;
		snk_ranges_run_from(f->host, first, size, grain, range, argument);
		first += size;
		if (!may_go_on(f)) {
			return SNW_CANCELLED;
		}
	}
	return SNW_OK;
}

/* ---- what there is to read ----------------------------------------------------------------------------------------------- */

static snw_status gather_surface(skeleton_fit *f) {
	const snw_mesh_view *mesh = f->body;
	const snk_faces faces = snk_faces_of(mesh);
	f->diagonal = snk_bounds_diagonal(mesh->points_rest, mesh->point_count);
	f->areas = SNW_POOL_ARRAY(&f->pool, double, mesh->point_count);
	if (!f->areas) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t face = 0; face < faces.face_count; face++) {
		const uint32_t *corners = faces.points + faces.offsets[face], count = faces.offsets[face + 1] - faces.offsets[face];
		double area[3];
		snk_face_area(mesh->points_rest, corners, count, area);
		for (uint32_t c = 0; c < count; c++) {
			f->areas[corners[c]] += snw_length3(area) / (2.0 * count);
		}
	}
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		f->areas[i] = f->areas[i] > 0 ? f->areas[i] : 1e-9 * f->diagonal * f->diagonal;
	}
	return snk_adjacency_find(&faces, &f->pool, &f->rings);
}

static snw_status gather(skeleton_fit *f) {
	const snw_status status = gather_body(f);
	return snk_failed(status) ? status : gather_surface(f);
}

/* ---- the fit ------------------------------------------------------------------------------------------------------------- */

static void label_weights(skeleton_fit *f) {
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		f->weights[i] = (influence_set){.count = 1, .bones = {f->labels[i]}, .weights = {1}};
	}
}

snw_status open_moments(skeleton_fit *f) {
	const size_t count = f->bone_count, frames = f->frame_count;
	f->moments = (blend_moments){.rest = snw_pool_acquire(&f->pool, count * count, sizeof *f->moments.rest),
								 .posed = snw_pool_acquire(&f->pool, count * frames, sizeof *f->moments.posed),
								 .squares = SNW_POOL_ARRAY(&f->pool, double, frames)};
	return f->pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

/* Adds the seconds since `begun`; returns the present. */
static double add_seconds(double begun, double *sum) {
	const double present = snk_clock_seconds();
	*sum += present - begun;
	return present;
}

/* Rotations, pivots, weights, round after round; rotations last. */
static snw_status fit_jointed(skeleton_fit *f) {
	snw_status status = f->moments.rest ? SNW_OK : open_moments(f);
	for (uint32_t round = 0; !snk_failed(status) && round < ROUNDS; round++) {
		if (!go_on(f, 0.55 + 0.45 * round / ROUNDS, "fitting joints")) {
			return SNW_CANCELLED;
		}
		double begun = snk_clock_seconds();
		status = fit_weights(f, round == 0 ? f->parts : f->motions);
		begun = add_seconds(begun, &f->seconds.weights);
		status = snk_failed(status) ? status : gather_moments(f);
		if (!snk_failed(status) && round == 0) {
			start_motions(f);
		}
		status = snk_failed(status) ? status : fit_rotations(f);
		begun = add_seconds(begun, &f->seconds.rotations);
		status = snk_failed(status) || round + 1 == ROUNDS ? status : fit_pivots(f);
		add_seconds(begun, &f->seconds.pivots);
	}
	return status;
}

static void report(const skeleton_fit *f) {
	double squares = 0, worst = 0;
	for (uint32_t frame = 0; frame < f->frame_count; frame++) {
		squares += f->squares[frame];
	}
	for (uint32_t b = 0; b < f->bone_count; b++) {
		worst = fmax(worst, f->tree.spreads[b]);
	}
	const double rms = sqrt(squares / ((double)f->frame_count * f->motion.point_count)), percent = 100 / f->diagonal;
	snw_report_line(
		f->host, SNW_LOG_INFO,
		"%u bones and a root: root mean square distance %.4g %% of the diagonal, with unconnected rigid parts %.4g %%; "
		"fixing the bones' lengths moved joints by up to %.4g %%",
		f->bone_count, rms * percent, f->parts_rms * percent, worst * percent);
	if (f->still.count > 0) {
		snw_report_line(
			f->host, SNW_LOG_INFO,
			"%u points stand still in all frames, as a floor does: they get no bone and follow '%s', which never moves",
			f->still.count, still_name);
	}
	const snw_measured_number numbers[] = {{"parts", f->seconds.parts, "s"},
										   {"tree", f->seconds.tree, "s"},
										   {"weights", f->seconds.weights, "s"},
										   {"rotations", f->seconds.rotations, "s"},
										   {"pivots", f->seconds.pivots, "s"}};
	snw_report_measurements(f->host, "time", numbers, sizeof numbers / sizeof *numbers);
}

static snw_status run(skeleton_fit *f) {
	double begun = snk_clock_seconds();
	snw_status status = gather(f);
	status = snk_failed(status) ? status : read_drawing(f);
	f->is_auto = f->drawing.bone_count == 0 && f->input->values[BONES].numbers[0] == BONES_AUTO;
	if (!snk_failed(status) && f->is_auto) {
		status = leave_out_still(f);
		status = snk_failed(status) || f->still.count == 0 ? status : gather_surface(f);
	}
	if (!snk_failed(status) && f->drawing.bone_count > 0) {
		status = follow_drawing(f);
	} else if (!snk_failed(status)) {
		status = find_parts(f);
		status = snk_failed(status) ? status : connect_labels(f);
	}
	if (snk_failed(status)) {
		return status;
	}
	begun = add_seconds(begun, &f->seconds.parts);
	label_weights(f);
	status = find_tree(f);
	add_seconds(begun, &f->seconds.tree);
	status = snk_failed(status) ? status : fit_jointed(f);
	status = snk_failed(status) ? status : propose(f);
	if (!snk_failed(status)) {
		report(f);
		(void)snw_report_progress(f->host, 1, "fitted"); /* a stop from here on loses nothing */
	}
	return status;
}

static snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	skeleton_fit f = {.host = instance->host, .input = input, .pool = snw_pool_open(instance->host)};
	const snw_status status = run(&f);
	snw_pool_release(&f.pool);
	return snk_failed(status) ? status : snk_skin_model_copy(instance, input, model);
}

/* ---- what the host sees -------------------------------------------------------------------------------------------------- */

/* The model is empty, because all that the fit finds is
 * proposed. */

static const char *const auto_word[] = {"auto", NULL};

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[BONES] = SNW_COUNT_OR(
		"bones", "Bones",
		"How many bones the skeleton gets, besides its root; auto finds the number, and refuses a mesh that bends everywhere.",
		auto_word, BONES_AUTO, BONES_AUTO, MOST_BONES, SNW_STAGE_FIT, SNW_SOFT(1, 60), .role = SNW_ROLE_BONES),
	[INFLUENCES] = SNW_COUNT("influences", "Influences", "The most bones that may move one point.", 4, 1, 12, SNW_STAGE_FIT,
							 SNW_SOFT(1, 8)),
	[DRAWING] = SNW_NAMED(SNW_PARAMETER_FILE, "drawing", "Drawing",
						  "A .tgf file of joints and bones that the skeleton is to have; then bones has no effect.",
						  SNW_STAGE_FIT, .role = SNW_ROLE_DRAWING),
};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.motion-skeleton",
	.short_name = "motion-skeleton",
	.name = "Skeleton from motion",
	.version = "1.0",
	.paper = "B. Le, Z. Deng: Robust and accurate skeletal rigging from mesh sequences, 2014",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SEQUENCE,
	.traits = SNW_MAKES_SKELETON,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
};

SNK_SKIN_MODEL_FUNCTIONS("SNWMSKE", SNW_BLEND_LINEAR)

SNW_DEFORMER(.fit = fit, .lower = lower, .save = save, .load = load, .release = snk_model_release)
