/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A tree at a pose: boxes from the palette, clusters skinned on demand, and boxes refitted to points.
 */
#include <math.h>
#include <string.h>

#include "contact/contact_internal.h"
#include "program/program.h"
#include "sinew/algebra.h"

/* ---- pose ---------------------------------------------------------------------------------------------------------------- */

/* Of coordinates: what the sums of a blend in floats may lose, several times over. */
#define FLOAT_ROUNDING 4e-6

snw_contact_mesh_pose *snw_contact_mesh_pose_make(const snw_contact_tree *tree, snw_arena *arena) {
	snw_contact_mesh_pose *pose = SNW_NEW(arena, snw_contact_mesh_pose);
	uint32_t most = 0;
	for (uint32_t g = 0; g < tree->cluster_count; g++) {
		const uint32_t places = tree->clusters[g].place_end - tree->clusters[g].place;
		most = places > most ? places : most;
	}
	*pose = (snw_contact_mesh_pose){
		.tree = tree,
		.boxes = SNW_NEW_ARRAY(arena, row_box, tree->node_count),
		.made = SNW_NEW_ARRAY(arena, uint32_t, tree->node_count),
		.skinned = SNW_NEW_ARRAY(arena, uint32_t, tree->cluster_count),
		.places = SNW_NEW_ARRAY(arena, row4, tree->place_count),
		.dipoles = SNW_NEW_ARRAY(arena, dipole, tree->node_count),
	};
	if (tree->program) {
		pose->scratch = snw_program_bounds_scratch_make(tree->bounds, arena);
		pose->magnitudes = snw_arena_array(arena, tree->program->slot_count, sizeof *pose->magnitudes);
		pose->matrices = snw_arena_array(arena, tree->program->slot_count, sizeof *pose->matrices);
		pose->doubles = snw_arena_array(arena, most, sizeof *pose->doubles);
	}
	return pose;
}

/* ---- boxes --------------------------------------------------------------------------------------------------------------- */

static const row_box no_box = {{INFINITY, INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY, -INFINITY}};

static inline row_box join(const row_box *a, const row_box *b) {
	return (row_box){least_row(b->lower, a->lower), most_row(b->upper, a->upper)};
}

/* What is not finite is no number: an infinite box would be beside everything. */
static row4 checked(row4 place) {
	static const row4 none = {NAN, NAN, NAN, NAN};
	return isfinite(place[0] + place[1] + place[2]) ? place : none;
}

/* All boxes of a cluster, from its places. */
static void refit_cluster(snw_contact_mesh_pose *pose, const tree_cluster *cluster) {
	const snw_contact_tree *tree = pose->tree;
	for (uint32_t n = cluster->node_end; n-- > cluster->node;) {
		const tree_node *node = &tree->nodes[n];
		row_box box = no_box;
		if (node->right != SNW_NONE) {
			box = join(&pose->boxes[n + 1], &pose->boxes[node->right]);
		}
		for (uint32_t i = node->begin; i < node->end && node->right == SNW_NONE; i++) {
			for (int k = 0; k < 3; k++) {
				const row4 place = pose->places[tree->places[i][k]];
				box.lower = least_row(place, box.lower);
				box.upper = most_row(place, box.upper);
			}
		}
		pose->boxes[n] = box;
		pose->made[n] = pose->number;
	}
}

/* The boxes of the pose before, whose places they contain. */
static void keep_cluster(snw_contact_mesh_pose *pose, const tree_cluster *cluster) {
	for (uint32_t n = cluster->node; n < cluster->node_end; n++) {
		pose->made[n] = pose->number;
	}
}

/* Rounded outwards. */
static void take_box(const snw_contact_mesh_pose *pose, const snw_box *box, row_box *dest) {
	for (int c = 0; c < 3; c++) {
		dest->lower[c] = nextafterf((float)box->lower[c] - pose->rounding, -INFINITY);
		dest->upper[c] = nextafterf((float)box->upper[c] + pose->rounding, INFINITY);
	}
	dest->lower[3] = dest->upper[3] = 0;
}

static bool is_finite_box(const snw_box *box) {
	double sum = 0;
	for (int c = 0; c < 3; c++) {
		sum += box->lower[c] + box->upper[c];
	}
	return isfinite(sum);
}

/* Where a slot takes its box. */
static inline row_box take_slot_box(const snw_contact_mesh_pose *pose, const node_slot *slot) {
	const row4 *matrix = pose->matrices[slot->slot], *magnitude = pose->magnitudes[slot->slot];
	row4 middle = matrix[3], half = {0};
	for (int c = 0; c < 3; c++) {
		middle += matrix[c] * slot->middle[c];
		half += magnitude[c] * slot->half[c];
	}
	return (row_box){middle - half, middle + half};
}

/* A point is Σ w_s x_s, with x_s in the box of slot s. As the weights add up to 1, that is x_p + Σ_{s≠p} w_s (x_s − x_p), with
 * p the first slot and each w_s between its least and its largest weight in the node: a joint that hardly moves a point does
 * not swing the box. It is also within the boxes of all slots together. */
static void join_slots(const snw_contact_mesh_pose *pose, const tree_node *node, row_box *dest) {
	const node_slot *slots = pose->tree->slots;
	const row_box first = take_slot_box(pose, &slots[node->slot_begin]);
	row_box all = first, sum = first;
	for (uint32_t s = node->slot_begin + 1; s < node->slot_end; s++) {
		const row_box box = take_slot_box(pose, &slots[s]);
		const row4 lower = box.lower - first.lower, upper = box.upper - first.upper;
		sum.lower += least_row(slots[s].least * lower, slots[s].most * lower);
		sum.upper += most_row(slots[s].least * upper, slots[s].most * upper);
		all = join(&all, &box);
	}
	dest->lower = most_row(sum.lower, all.lower) - pose->rounding;
	dest->upper = least_row(sum.upper, all.upper) + pose->rounding;
}

static bool is_finite_rows(const row_box *box) {
	float sum = 0;
	for (int c = 0; c < 3; c++) {
		sum += box->lower[c] + box->upper[c];
	}
	return isfinite(sum);
}

void snw_contact_make_box(snw_contact_mesh_pose *pose, uint32_t node) {
	const tree_node *at = &pose->tree->nodes[node];
	snw_box box;
	pose->made[node] = pose->number;
	if (at->set != SNW_NONE) {
		pose->cost.bounded++;
		if (at->slot_begin < at->slot_end) {
			join_slots(pose, at, &pose->boxes[node]);
			if (is_finite_rows(&pose->boxes[node])) {
				return;
			}
		}
		if (snw_program_bounds_pose_set(pose->tree->bounds, pose->input, pose->scratch, at->set, &box) && is_finite_box(&box)) {
			take_box(pose, &box, &pose->boxes[node]);
			return;
		}
		pose->cost.unbounded++;
	}
	if (at->cluster != SNW_NONE) {
		snw_contact_skin_cluster(pose, at->cluster);
		return;
	}
	const row_box left = *contact_box(pose, node + 1);
	pose->boxes[node] = join(&left, contact_box(pose, at->right));
}

/* ---- skinning ------------------------------------------------------------------------------------------------------------ */

/* Adds Σ_k c_k F_k D_k to a cluster's places. */
static void displace(snw_contact_mesh_pose *pose, const place_displacements *by, const double *coefficients, uint32_t cluster) {
	for (uint32_t i = by->begins[cluster]; i < by->begins[cluster + 1]; i++) {
		const place_displacement *one = &by->list[i];
		const float by_much = (float)coefficients[by->source->coefficients[one->displacement]];
		const bool is_rotated = by->source->joints && by->source->joints[one->displacement] != SNW_NONE;
		row4 vector = one->vector;
		for (size_t r = 0; r < 3 && is_rotated; r++) {
			const double *rotation = pose->input->rotations + 9 * (size_t)one->displacement + 3 * r;
			vector[r] =
				(float)rotation[0] * one->vector[0] + (float)rotation[1] * one->vector[1] + (float)rotation[2] * one->vector[2];
		}
		if (by_much != 0) {
			pose->places[one->place] += by_much * vector;
		}
	}
}

static void blend_linear(snw_contact_mesh_pose *pose, const tree_cluster *cluster) {
	const snw_contact_tree *tree = pose->tree;
	for (uint32_t p = cluster->place; p < cluster->place_end; p++) {
		const row4 at = pose->places[p];
		row4 columns[4] = {{0}, {0}, {0}, {0}};
		for (uint32_t k = tree->influence_begins[p]; k < tree->influence_begins[p + 1]; k++) {
			const row4 *matrix = pose->matrices[tree->influence_slots[k]];
			const float weight = tree->influence_weights[k];
			for (int c = 0; c < 4; c++) {
				columns[c] += weight * matrix[c];
			}
		}
		pose->places[p] = checked(columns[0] * at[0] + columns[1] * at[1] + columns[2] * at[2] + columns[3]);
	}
}

/* Σ_s M_s (p_s + w_s (displacement, 0)). */
static void blend_affine(snw_contact_mesh_pose *pose, const tree_cluster *cluster) {
	const snw_contact_tree *tree = pose->tree;
	for (uint32_t p = cluster->place; p < cluster->place_end; p++) {
		const row4 shift = pose->places[p] - tree->rest[p];
		row4 sum = {0};
		for (uint32_t k = tree->influence_begins[p]; k < tree->influence_begins[p + 1]; k++) {
			const row4 *matrix = pose->matrices[tree->influence_slots[k]];
			const row4 row = tree->influence_rows[k], at = row + row[3] * shift;
			sum += matrix[0] * at[0] + matrix[1] * at[1] + matrix[2] * at[2] + matrix[3] * row[3];
		}
		pose->places[p] = checked(sum);
	}
}

/* Dual quaternions, by the reference evaluator. */
static void blend_by_reference(snw_contact_mesh_pose *pose, const tree_cluster *cluster) {
	const snw_contact_tree *tree = pose->tree;
	const uint32_t count = cluster->place_end - cluster->place;
	for (uint32_t i = 0; i < count; i++) {
		const double *rest = tree->program->points_rest + 3 * (size_t)tree->points[cluster->place + i];
		const row4 shift = pose->places[cluster->place + i] - tree->rest[cluster->place + i];
		for (int c = 0; c < 3; c++) {
			pose->doubles[i][c] = rest[c] + (double)shift[c];
		}
	}
	snw_program_reference_at(&tree->without_displacements, pose->input, count, tree->points + cluster->place, pose->doubles[0],
							 pose->doubles[0]);
	for (uint32_t i = 0; i < count; i++) {
		const double *at = pose->doubles[i];
		pose->places[cluster->place + i] = checked((row4){(float)at[0], (float)at[1], (float)at[2], 0});
	}
}

void snw_contact_skin_cluster(snw_contact_mesh_pose *pose, uint32_t cluster) {
	const snw_contact_tree *tree = pose->tree;
	const tree_cluster *of = &tree->clusters[cluster];
	pose->skinned[cluster] = pose->number;
	pose->cost.skinned += of->place_end - of->place;
	memcpy(pose->places + of->place, tree->rest + of->place, (of->place_end - of->place) * sizeof *pose->places);
	displace(pose, &tree->displaced_rest, pose->input->d, cluster);
	if (tree->program->blend == SNW_BLEND_LINEAR) {
		blend_linear(pose, of);
	} else if (tree->program->blend == SNW_BLEND_AFFINE) {
		blend_affine(pose, of);
	} else if (tree->program->blend != SNW_BLEND_NONE) {
		blend_by_reference(pose, of);
	}
	displace(pose, &tree->displaced_posed, pose->input->e, cluster);
	refit_cluster(pose, of);
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

static void begin(snw_contact_mesh_pose *pose) {
	pose->number++;
	pose->cost = (snw_contact_cost){0};
}

/* Above the clusters, from the bottom up. */
static void refit_top(snw_contact_mesh_pose *pose) {
	for (uint32_t n = pose->tree->node_count; n-- > 0;) {
		const tree_node *node = &pose->tree->nodes[n];
		if (node->cluster == SNW_NONE) {
			pose->boxes[n] = join(&pose->boxes[n + 1], &pose->boxes[node->right]);
			pose->made[n] = pose->number;
		}
	}
}

void snw_contact_pose_points(snw_contact_mesh_pose *pose, const float *points) {
	const snw_contact_tree *tree = pose->tree;
	begin(pose);
	for (uint32_t g = 0; g < tree->cluster_count; g++) {
		const tree_cluster *cluster = &tree->clusters[g];
		bool has_moved = pose->number == 1 || pose->skinned[g] != pose->number - 1; /* or its boxes are of another pose */
		for (uint32_t p = cluster->place; p < cluster->place_end; p++) {
			const float *at = points + 3 * (size_t)tree->points[p];
			const row4 place = checked((row4){at[0], at[1], at[2], 0});
			has_moved = has_moved || memcmp(&place, &pose->places[p], sizeof place) != 0;
			pose->places[p] = place;
		}
		pose->skinned[g] = pose->number;
		if (has_moved) {
			refit_cluster(pose, cluster);
		} else {
			keep_cluster(pose, cluster);
		}
	}
	refit_top(pose);
}

/* The palette in floats, and how large its sums can be. */
static double take_palette(snw_contact_mesh_pose *pose) {
	const snw_contact_tree *tree = pose->tree;
	const bool has_matrices = tree->program->blend == SNW_BLEND_LINEAR || tree->program->blend == SNW_BLEND_AFFINE;
	double stretch = 1, shift = 0;
	for (uint32_t s = 0; s < tree->program->slot_count && has_matrices; s++) {
		const double *matrix = pose->input->matrices + 12 * (size_t)s;
		for (size_t r = 0; r < 3; r++) {
			const double *row = matrix + 4 * r;
			stretch = fmax(stretch, fabs(row[0]) + fabs(row[1]) + fabs(row[2]));
			shift = fmax(shift, fabs(row[3]));
			for (size_t c = 0; c < 4; c++) {
				pose->matrices[s][c][r] = (float)row[c];
				if (c < 3) {
					pose->magnitudes[s][c][r] = (float)fabs(row[c]);
				}
			}
		}
	}
	return stretch * tree->largest_rest + shift * tree->largest_weights;
}

void snw_contact_pose_program(snw_contact_mesh_pose *pose, const snw_program_input *input) {
	begin(pose);
	pose->input = input;
	snw_program_bounds_take(pose->tree->bounds, input, pose->scratch);
	pose->rounding = (float)(FLOAT_ROUNDING * take_palette(pose));
}

void snw_contact_pose_all(snw_contact_mesh_pose *pose) {
	for (uint32_t g = 0; g < pose->tree->cluster_count; g++) {
		if (pose->skinned[g] != pose->number) {
			snw_contact_skin_cluster(pose, g);
		}
	}
	refit_top(pose);
}

snw_contact_cost snw_contact_mesh_cost(const snw_contact_mesh_pose *pose) {
	return pose->cost;
}

snw_triangle snw_contact_mesh_triangle(const snw_contact_mesh_pose *pose, uint32_t triangle) {
	return contact_triangle(pose, pose->tree->ordered_at[triangle]);
}

uint64_t snw_contact_places_outside(snw_contact_mesh_pose *pose, const snw_contact_mesh_pose *all_posed, uint32_t *boxes) {
	const snw_contact_tree *tree = pose->tree;
	uint64_t outside = 0;
	*boxes = 0;
	for (uint32_t n = 0; n < tree->node_count; n++) {
		const tree_node *node = &tree->nodes[n];
		if (node->cluster != SNW_NONE && tree->clusters[node->cluster].node != n) {
			continue;
		}
		const row_box box = *contact_box(pose, n);
		for (size_t i = 3 * (size_t)node->begin; i < 3 * (size_t)node->end; i++) {
			const row4 place = all_posed->places[tree->places[i / 3][i % 3]];
			bool is_inside = true;
			for (int c = 0; c < 3; c++) {
				is_inside = is_inside && place[c] >= box.lower[c] && place[c] <= box.upper[c];
			}
			outside += !is_inside;
		}
		++*boxes;
	}
	return outside;
}

/* ---- moves --------------------------------------------------------------------------------------------------------------- */

snw_contact_moves *snw_contact_moves_make(const snw_contact_tree *tree, snw_arena *arena) {
	snw_contact_moves *moves = SNW_NEW(arena, snw_contact_moves);
	*moves = (snw_contact_moves){.tree = tree,
								 .points = SNW_NEW_ARRAY(arena, uint8_t, tree->mesh->point_count),
								 .triangles = SNW_NEW_ARRAY(arena, uint8_t, tree->triangle_count),
								 .nodes = SNW_NEW_ARRAY(arena, uint8_t, tree->node_count)};
	return moves;
}

static bool is_moved_by(const double motion[12], const float before[3], const float after[3], double slack) {
	double squares = 0;
	for (int r = 0; r < 3; r++) {
		const double *row = motion + 4 * (ptrdiff_t)r;
		const double away =
			row[0] * (double)before[0] + row[1] * (double)before[1] + row[2] * (double)before[2] + row[3] - (double)after[r];
		squares += away * away;
	}
	return squares <= slack * slack;
}

static void find_points(snw_contact_moves *moves, const float *before, const float *after, uint32_t motion_count,
						const double (*motions)[12], double slack) {
	for (size_t p = 0; p < moves->tree->mesh->point_count; p++) {
		const float *from = before + 3 * p, *to = after + 3 * p;
		uint8_t found = MOVED_APART;
		for (uint8_t i = 0; i < motion_count && found == MOVED_APART; i++) {
			found = is_moved_by(motions[i], from, to, slack) ? i : found;
		}
		moves->points[p] = found;
	}
}

static uint8_t joined(uint8_t a, uint8_t b) {
	return a == b ? a : MOVED_APART;
}

void snw_contact_moves_find(snw_contact_moves *moves, const float *before, const float *after, uint32_t motion_count,
							const double (*motions)[12], double slack) {
	const snw_contact_tree *tree = moves->tree;
	find_points(moves, before, after, motion_count, motions, slack);
	for (uint32_t i = 0; i < tree->triangle_count; i++) {
		const uint32_t *corners = tree->corners[tree->order[i]];
		moves->triangles[i] = joined(joined(moves->points[corners[0]], moves->points[corners[1]]), moves->points[corners[2]]);
	}
	for (uint32_t n = tree->node_count; n-- > 0;) {
		const tree_node *node = &tree->nodes[n];
		uint8_t all =
			node->right == SNW_NONE ? moves->triangles[node->begin] : joined(moves->nodes[n + 1], moves->nodes[node->right]);
		for (uint32_t i = node->begin + 1; i < node->end && node->right == SNW_NONE; i++) {
			all = joined(all, moves->triangles[i]);
		}
		moves->nodes[n] = all;
	}
}

bool snw_contact_moved_together(const snw_contact_moves *first, uint32_t first_triangle, const snw_contact_moves *second,
								uint32_t second_triangle) {
	return moved_together(first->triangles[first->tree->ordered_at[first_triangle]],
						  second->triangles[second->tree->ordered_at[second_triangle]]);
}
