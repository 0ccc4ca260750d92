/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The body that moves: the mesh with sequences, or all such meshes as one, point behind point.
 */
#include <math.h>
#include <string.h>

#include "motion-skeleton/fit.h"
#include "sinew/kit/status.h"

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

snw_status gather_body(skeleton_fit *f) {
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
