/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joints are neighbours if they move points of the same face. Neighbours are found from the faces that each joint moves, so the
 * memory grows with the influences, not with the pairs of joints.
 */
#include "stack/stack.h"

#include <math.h>
#include <stdio.h>

#include "base/color.h"
#include "base/error.h"

enum {
	COLORS = 36,
	FACES_READ = 100000, /* of a mesh, evenly spread: enough to find neighbours */
	SWEEPS = 3,          /* the first assigns colours, the others improve them */
};
#define FAR_ENOUGH 0.24 /* in OKLab: a clearly different colour */
#define MOST_CHROMA 0.26
#define LEAST_WEIGHT 0.05 /* the smallest weight that makes a neighbour */
#define GOLDEN 0.6180339887498949

/* The influences of one mesh. */
typedef struct skin {
	const snw_mesh *mesh;
	const uint32_t *offsets, *slots;
	const double *weights;
	const uint32_t *slot_joints; /* of the skeleton; NULL: a slot is a proxy joint */
	uint32_t joint_count;
} skin;

static uint32_t colored_joint(const skin *s, uint32_t influence) {
	return s->slot_joints ? s->slot_joints[s->slots[influence]] : s->slots[influence];
}

/* Finds the skin of the last segment that blends; false if none does. */
static bool find_skin(const snw_scene *scene, const snw_stack *stack, uint32_t mesh, skin *result) {
	bool any = false;
	for (uint32_t i = 0; i < snw_stack_segment_count(stack, mesh); i++) {
		const snw_segment_info info = snw_stack_segment(stack, mesh, i);
		if (info.is_program && info.program->influence_offsets) {
			*result = (skin){.mesh = &scene->meshes[mesh],
							 .offsets = info.program->influence_offsets,
							 .slots = info.program->influence_slots,
							 .weights = info.program->influence_weights,
							 .slot_joints = info.has_palette ? NULL : scene->slot_joints,
							 .joint_count = info.has_palette ? info.program->slot_count : scene->skeleton.joint_count};
			any = true;
		}
	}
	return any;
}

/* ---- neighbours ---------------------------------------------------------------------------------------------------------- */

/* A skin with the faces that each joint moves; the points, if the mesh has no faces. */
typedef struct color_reach {
	skin skin;
	uint32_t cell_count, step; /* every step-th cell is read */
	uint32_t *starts;          /* [joint_count + 1] */
	uint32_t *cells;
} color_reach;

typedef struct choice {
	snw_arena *scratch;
	uint32_t joint_count, reach_count;
	bool of_skeleton;
	color_reach *reaches;
	uint32_t *seen; /* [joint_count]: the last mark of a joint */
	uint32_t mark;
	uint32_t *near; /* [joint_count]: neighbours, `near_count` of them */
	uint32_t near_count;
	uint32_t *chosen; /* [joint_count]: its colour; SNW_NONE before it has one */
	uint32_t uses[COLORS];
	double linear[COLORS][3], lab[COLORS][3];
} choice;

/* Lists the joints of a cell that do not have the current mark. */
static void list_cell(choice *state, const color_reach *r, uint32_t cell) {
	const snw_mesh *mesh = r->skin.mesh;
	const bool has_faces = mesh->face_count > 0;
	const uint32_t begin = has_faces ? mesh->face_offsets[cell] : cell;
	const uint32_t end = has_faces ? mesh->face_offsets[cell + 1] : cell + 1;
	for (uint32_t c = begin; c < end; c++) {
		const uint32_t point = has_faces ? mesh->face_points[c] : c;
		for (uint32_t k = r->skin.offsets[point]; k < r->skin.offsets[point + 1]; k++) {
			const uint32_t joint = colored_joint(&r->skin, k);
			if (r->skin.weights[k] >= LEAST_WEIGHT && state->seen[joint] != state->mark) {
				state->seen[joint] = state->mark;
				state->near[state->near_count++] = joint;
			}
		}
	}
}

static void list_single_cell(choice *state, const color_reach *r, uint32_t cell) {
	state->mark++;
	state->near_count = 0;
	list_cell(state, r, cell);
}

static void find_cells(choice *state, color_reach *r) {
	r->cell_count = r->skin.mesh->face_count > 0 ? r->skin.mesh->face_count : r->skin.mesh->point_count;
	r->step = r->cell_count / FACES_READ + 1;
	r->starts = SNW_NEW_ARRAY(state->scratch, uint32_t, (size_t)state->joint_count + 1);
	for (uint32_t cell = 0; cell < r->cell_count; cell += r->step) {
		list_single_cell(state, r, cell);
		for (uint32_t i = 0; i < state->near_count; i++) {
			r->starts[state->near[i] + 1]++;
		}
	}
	for (uint32_t j = 0; j < state->joint_count; j++) {
		r->starts[j + 1] += r->starts[j];
	}
	uint32_t *filled = SNW_NEW_ARRAY(state->scratch, uint32_t, state->joint_count);
	r->cells = SNW_NEW_ARRAY(state->scratch, uint32_t, r->starts[state->joint_count]);
	for (uint32_t cell = 0; cell < r->cell_count; cell += r->step) {
		list_single_cell(state, r, cell);
		for (uint32_t i = 0; i < state->near_count; i++) {
			const uint32_t joint = state->near[i];
			r->cells[r->starts[joint] + filled[joint]++] = cell;
		}
	}
}

/* False if the joint moves nothing. */
static bool find_neighbours(choice *state, uint32_t joint) {
	bool moves = false;
	state->mark++;
	state->near_count = 0;
	state->seen[joint] = state->mark;
	for (uint32_t i = 0; i < state->reach_count; i++) {
		const color_reach *r = &state->reaches[i];
		for (uint32_t c = r->starts[joint]; c < r->starts[joint + 1]; c++) {
			list_cell(state, r, r->cells[c]);
			moves = true;
		}
	}
	return moves;
}

/* ---- choosing ------------------------------------------------------------------------------------------------------------ */

/* Hues by the golden section, so that the first few are well spread; three levels of lightness in turn. */
static void make_colors(choice *state) {
	static const double lightness[] = {0.70, 0.54, 0.85};
	for (uint32_t i = 0; i < COLORS; i++) {
		snw_color_of_hue(lightness[i % 3], 0.08 + i * GOLDEN, MOST_CHROMA, state->linear[i]);
		snw_oklab_from_linear(state->linear[i], state->lab[i]);
	}
}

/* The distance from a colour to the nearest colour of a neighbour, at most FAR_ENOUGH. */
static double distance_of(const choice *state, uint32_t color) {
	double nearest = FAR_ENOUGH;
	for (uint32_t i = 0; i < state->near_count; i++) {
		const uint32_t other = state->chosen[state->near[i]];
		if (other != SNW_NONE) {
			const double *a = state->lab[color], *b = state->lab[other];
			nearest = fmin(nearest,
						   sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2])));
		}
	}
	return nearest;
}

/* Keeps the joint's colour unless another one is farther from its neighbours'. */
static void choose_color(choice *state, uint32_t joint) {
	uint32_t best = state->chosen[joint];
	double farthest = best == SNW_NONE ? -1 : distance_of(state, best);
	const bool is_new = best == SNW_NONE;
	for (uint32_t i = 0; i < COLORS; i++) {
		const double away = distance_of(state, i);
		if (away > farthest || (is_new && away == farthest && state->uses[i] < state->uses[best])) {
			best = i;
			farthest = away;
		}
	}
	if (!is_new) {
		state->uses[state->chosen[joint]]--;
	}
	state->uses[best]++;
	state->chosen[joint] = best;
}

static void find_color_reaches(choice *state, const snw_scene *scene, const snw_stack *stack) {
	state->reaches = SNW_NEW_ARRAY(state->scratch, color_reach, scene->mesh_count);
	state->of_skeleton = true;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		color_reach *r = &state->reaches[state->reach_count];
		if (find_skin(scene, stack, m, &r->skin)) {
			state->joint_count = state->joint_count > r->skin.joint_count ? state->joint_count : r->skin.joint_count;
			state->of_skeleton = state->of_skeleton && r->skin.slot_joints;
			state->reach_count++;
		}
	}
	state->seen = SNW_NEW_ARRAY(state->scratch, uint32_t, state->joint_count);
	state->near = SNW_NEW_ARRAY(state->scratch, uint32_t, state->joint_count);
	state->chosen = SNW_NEW_ARRAY(state->scratch, uint32_t, state->joint_count);
	for (uint32_t i = 0; i < state->reach_count; i++) {
		find_cells(state, &state->reaches[i]);
	}
}

bool snw_influence_colors_choose(const snw_scene *scene, const snw_stack *stack, snw_arena *arena,
								 snw_influence_colors *colors) {
	choice state = {.scratch = snw_arena_create()};
	find_color_reaches(&state, scene, stack);
	make_colors(&state);
	for (uint32_t j = 0; j < state.joint_count; j++) {
		state.chosen[j] = SNW_NONE;
	}
	*colors = (snw_influence_colors){.joint_count = state.joint_count};
	for (int sweep = 0; sweep < SWEEPS; sweep++) {
		for (uint32_t j = 0; j < state.joint_count; j++) {
			if (find_neighbours(&state, j)) {
				colors->moving_count += sweep == 0;
				choose_color(&state, j);
			}
		}
	}
	const bool any = state.reach_count > 0;
	double *joints = any ? SNW_NEW_ARRAY(arena, double, 3 * (size_t)state.joint_count) : NULL;
	for (uint32_t j = 0; j < state.joint_count && any; j++) {
		for (size_t c = 0; c < 3; c++) {
			joints[3 * (size_t)j + c] = state.linear[state.chosen[j] == SNW_NONE ? j % COLORS : state.chosen[j]][c];
		}
	}
	colors->joints = joints;
	colors->of_skeleton = state.of_skeleton;
	snw_arena_destroy(state.scratch);
	return any;
}

bool snw_influence_colors_fit(const snw_influence_colors *colors, const snw_scene *scene, const snw_stack *stack) {
	uint32_t joint_count = 0;
	bool of_skeleton = true;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		skin s;
		if (find_skin(scene, stack, m, &s)) {
			joint_count = joint_count > s.joint_count ? joint_count : s.joint_count;
			of_skeleton = of_skeleton && s.slot_joints;
		}
	}
	return joint_count > 0 && joint_count == colors->joint_count && of_skeleton == colors->of_skeleton;
}

/* ---- mixing -------------------------------------------------------------------------------------------------------------- */

static void mix(const snw_influence_colors *colors, const skin *s, double *mixes) {
	for (uint32_t i = 0; i < s->mesh->point_count; i++) {
		double *to = mixes + 3 * (size_t)i, sum = 0;
		to[0] = to[1] = to[2] = 0;
		for (uint32_t k = s->offsets[i]; k < s->offsets[i + 1]; k++) {
			const double weight = fmax(s->weights[k], 0), *color = colors->joints + 3 * (size_t)colored_joint(s, k);
			sum += weight;
			for (int c = 0; c < 3; c++) {
				to[c] += weight * color[c];
			}
		}
		for (int c = 0; c < 3; c++) {
			to[c] = sum > 0 ? fmin(to[c] / sum, 1) : 0;
		}
	}
}

bool snw_influence_colors_mix(const snw_influence_colors *colors, const snw_scene *scene, const snw_stack *stack, uint32_t mesh,
							  double *mixes) {
	skin s;
	if (!find_skin(scene, stack, mesh, &s)) {
		return false;
	}
	mix(colors, &s, mixes);
	return true;
}

void snw_influence_colors_mix_skin(const snw_influence_colors *colors, const snw_scene *scene, const snw_mesh *mesh,
								   double *mixes) {
	const skin s = {.mesh = mesh,
					.offsets = mesh->influence_offsets,
					.slots = mesh->influence_slots,
					.weights = mesh->influence_weights,
					.slot_joints = scene->slot_joints};
	mix(colors, &s, mixes);
}

void snw_influence_colors_text(const snw_influence_colors *colors, char *text, size_t bytes) {
	snprintf(text, bytes, "influences of %u %sjoint%s", colors->moving_count, colors->of_skeleton ? "" : "proxy ",
			 snw_plural(colors->moving_count));
}
