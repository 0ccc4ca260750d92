/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sculpt between strokes, and strokes.
 */
#include "sculpt/sculpt_internal.h"

#include <math.h>
#include <string.h>

#include "contact/contact.h"
#include "sinew/algebra.h"

/* ---- a sculpt ------------------------------------------------------------------------------------------------------------ */

/* Creates and destroys a sculpt, and answers queries between strokes. */

enum { MOST_CORNERS = 1 << 28 };

static snw_listed_set make_list(snw_arena *arena, uint32_t count) {
	return (snw_listed_set){.set = snw_set_make(count, arena), .items = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count + 1)};
}

/* ---- checking ------------------------------------------------------------------------------------------------------------ */

static snw_status check_numbers(const snw_mesh *mesh, const char *kind, const double *values, uint32_t width,
								snw_error *error) {
	for (size_t i = 0; values != NULL && i < (size_t)width * mesh->point_count; i++) {
		if (!isfinite(values[i])) {
			return snw_fail(
				error, SNW_ERROR_ARGUMENT,
				"mesh '%s': the %s of point %zu is not finite, so the mesh cannot be sculpted; choose another pose, or "
				"mute the layer that causes it",
				mesh->name, kind, i / width);
		}
	}
	return SNW_OK;
}

static snw_status check_partners(const snw_mesh *mesh, const uint32_t *partners, snw_error *error) {
	for (uint32_t i = 0; partners != NULL && i < mesh->point_count; i++) {
		const uint32_t j = partners[i];
		if (j != SNW_NONE && (j >= mesh->point_count || partners[j] != i)) {
			return snw_fail(error, SNW_ERROR_ARGUMENT,
							"mesh '%s': the mirror map pairs point %u with %u but not back; rebuild it", mesh->name, i, j);
		}
	}
	return SNW_OK;
}

static snw_status check_setup(const snw_sculpt_setup *setup, snw_error *error) {
	const snw_mesh *mesh = setup->mesh;
	if (mesh->point_count == 0 || (mesh->face_count > 0 && mesh->face_offsets[mesh->face_count] > MOST_CORNERS)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "mesh '%s' has %s, so it cannot be sculpted; choose another mesh",
						mesh->name, mesh->point_count == 0 ? "no points" : "too many corners");
	}
	if (setup->mirror_axis > 2) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "mirror axis %u is not 0, 1 or 2", setup->mirror_axis);
	}
	snw_status status = check_numbers(mesh, "position", setup->points_posed, 3, error);
	status = snw_failed(status) ? status : check_numbers(mesh, "original position", setup->points_original, 3, error);
	status = snw_failed(status) ? status : check_numbers(mesh, "mask", setup->mask, 1, error);
	status = snw_failed(status) ? status : check_numbers(mesh, "field", setup->field, 1, error);
	return snw_failed(status) ? status : check_partners(mesh, setup->partners, error);
}

/* ---- making -------------------------------------------------------------------------------------------------------------- */

static double *copy_or_zero(snw_arena *arena, const double *values, size_t count) {
	return values ? snw_arena_copy(arena, values, count * sizeof *values) : SNW_NEW_ARRAY(arena, double, count);
}

static double diagonal(const double *points, uint32_t count) {
	double sum = 0;
	for (int c = 0; c < 3; c++) {
		double least = points[c], most = points[c];
		for (uint32_t i = 1; i < count; i++) {
			least = fmin(least, points[3 * (size_t)i + (size_t)c]);
			most = fmax(most, points[3 * (size_t)i + (size_t)c]);
		}
		sum += (most - least) * (most - least);
	}
	return sqrt(sum);
}

static void make_scratch(snw_sculpt *sculpt) {
	snw_arena *arena = sculpt->arena;
	const uint32_t count = sculpt->mesh->point_count;
	sculpt->normals = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	sculpt->areas = SNW_NEW_ARRAY(arena, double, 3 * (size_t)sculpt->mesh->face_count);
	sculpt->points_single = SNW_NEW_ARRAY(arena, float, 3 * (size_t)count);
	sculpt->normals_single = SNW_NEW_ARRAY(arena, float, 3 * (size_t)count);
	sculpt->result = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	sculpt->partial = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	sculpt->smoothed = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	sculpt->before = snw_arena_copy(arena, sculpt->points, 3 * (size_t)count * sizeof *sculpt->points);
	sculpt->value_before = SNW_NEW_ARRAY(arena, double, count);
	sculpt->anchors = SNW_NEW_ARRAY(arena, uint32_t, count);
	for (uint32_t i = 0; i < count; i++) {
		sculpt->anchors[i] = SNW_NONE;
	}
	sculpt->region = (snw_region){
		.points = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count + 1),
		.weights = SNW_NEW_ARRAY(arena, double, count),
		.set = snw_set_make(count, arena),
		.distances = SNW_NEW_ARRAY(arena, double, count),
		.places = SNW_NEW_ARRAY(arena, uint32_t, count),
	};
	sculpt->changes = make_list(arena, count);
	sculpt->stroked = snw_set_make(count, arena);
	sculpt->ring = make_list(arena, count);
	sculpt->faces = make_list(arena, sculpt->mesh->face_count);
}

snw_status snw_sculpt_create(const snw_sculpt_setup *setup, snw_sculpt **sculpt, snw_error *error) {
	const snw_status status = check_setup(setup, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_arena *arena = snw_arena_create();
	snw_sculpt *made = SNW_NEW(arena, snw_sculpt);
	const uint32_t count = setup->mesh->point_count;
	made->arena = arena;
	made->mesh = setup->mesh;
	made->points = copy_or_zero(arena, setup->points_posed, 3 * (size_t)count);
	made->original =
		copy_or_zero(arena, setup->points_original ? setup->points_original : setup->points_posed, 3 * (size_t)count);
	made->goal = made->original;
	made->mask = copy_or_zero(arena, setup->mask, count);
	made->field = copy_or_zero(arena, setup->field, count);
	make_scratch(made);
	made->around = snw_adjacency_make(setup->mesh, setup->partners, arena);
	made->split_starts = made->around.face_starts;
	made->split_faces = made->around.faces;
	made->weld = snw_weld_make(setup->mesh, made->original, setup->partners, &made->around, arena);
	made->index = snw_spatial_index_make(setup->mesh, made->points, arena);
	made->walk = snw_surface_walk_make(&made->weld.mesh, &made->around, arena);
	made->view = (snw_sculpt_view){
		.point_count = count,
		.points = made->points,
		.points_single = made->points_single,
		.normals = made->normals_single,
		.mask = made->mask,
		.field = made->field,
		.face_count = setup->mesh->face_count,
		.longest = diagonal(made->points, count),
	};
	snw_refresh_all(made);
	if (setup->partners) {
		snw_mirror_make(made, setup->partners, setup->mirror_axis);
	}
	*sculpt = made;
	return SNW_OK;
}

void snw_sculpt_destroy(snw_sculpt *sculpt) {
	if (sculpt) {
		snw_arena_destroy(sculpt->walls.arena);
		snw_arena_destroy(sculpt->arena);
	}
}

/* ---- queries ------------------------------------------------------------------------------------------------------------- */

const snw_sculpt_view *snw_sculpt_get_view(const snw_sculpt *sculpt) {
	return &sculpt->view;
}

const uint32_t *snw_sculpt_take_changes(snw_sculpt *sculpt, uint32_t *count) {
	*count = snw_set_list(&sculpt->changes.set, sculpt->changes.items);
	snw_set_clear(&sculpt->changes.set);
	return sculpt->changes.items;
}

snw_status snw_sculpt_reset(snw_sculpt *sculpt, const double *points_posed, const double *mask, const double *field,
							snw_error *error) {
	if (sculpt->stroke.is_open) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "a stroke is in progress; end or abort it first");
	}
	snw_status status = check_numbers(sculpt->mesh, "position", points_posed, 3, error);
	status = snw_failed(status) ? status : check_numbers(sculpt->mesh, "mask", mask, 1, error);
	status = snw_failed(status) ? status : check_numbers(sculpt->mesh, "field", field, 1, error);
	if (snw_failed(status)) {
		return status;
	}
	const uint32_t count = sculpt->mesh->point_count;
	if (mask) {
		memcpy(sculpt->mask, mask, count * sizeof *mask);
	}
	if (field) {
		memcpy(sculpt->field, field, count * sizeof *field);
	}
	if (points_posed) {
		memcpy(sculpt->points, points_posed, 3 * (size_t)count * sizeof *points_posed);
		memcpy(sculpt->before, points_posed, 3 * (size_t)count * sizeof *points_posed);
		snw_refresh_all(sculpt);
	}
	for (uint32_t i = 0; i < count; i++) {
		snw_set_add(&sculpt->changes.set, i);
	}
	return SNW_OK;
}

snw_status snw_sculpt_set_original(snw_sculpt *sculpt, const double *points_original, snw_error *error) {
	if (sculpt->stroke.is_open) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "a stroke is in progress; end or abort it first");
	}
	const snw_status status = check_numbers(sculpt->mesh, "original position", points_original, 3, error);
	if (!snw_failed(status)) {
		memcpy(sculpt->original, points_original, 3 * (size_t)sculpt->mesh->point_count * sizeof *points_original);
	}
	return status;
}

snw_status snw_sculpt_set_morph(snw_sculpt *sculpt, const double *points, snw_error *error) {
	const size_t size = 3 * (size_t)sculpt->mesh->point_count;
	if (sculpt->stroke.is_open) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "a stroke is in progress; end or abort it first");
	}
	const snw_status status = check_numbers(sculpt->mesh, "morph's position", points, 3, error);
	if (snw_failed(status)) {
		return status;
	}
	sculpt->goal = sculpt->original;
	if (points) {
		sculpt->morph = sculpt->morph ? sculpt->morph : SNW_NEW_ARRAY(sculpt->arena, double, size);
		memcpy(sculpt->morph, points, size * sizeof *points);
		sculpt->goal = sculpt->morph;
	}
	return SNW_OK;
}

snw_status snw_sculpt_hide_faces(snw_sculpt *sculpt, const bool *faces, snw_error *error) {
	const snw_mesh *mesh = sculpt->mesh;
	if (sculpt->stroke.is_open) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "a stroke is in progress; end or abort it first");
	}
	if (!sculpt->hidden_faces) {
		sculpt->hidden_faces = SNW_NEW_ARRAY(sculpt->arena, bool, mesh->face_count);
		sculpt->hidden_points = snw_set_make(mesh->point_count, sculpt->arena);
	}
	snw_set_clear(&sculpt->hidden_points);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		sculpt->hidden_faces[f] = faces && faces[f];
	}
	for (uint32_t i = 0; i < mesh->point_count && faces; i++) {
		const uint32_t begin = sculpt->around.face_starts[i], end = sculpt->around.face_starts[i + 1];
		bool is_hidden = end > begin;
		for (uint32_t k = begin; k < end; k++) {
			is_hidden = is_hidden && faces[sculpt->around.faces[k]];
		}
		if (is_hidden) {
			snw_set_add(&sculpt->hidden_points, i);
		}
	}
	snw_spatial_index_hide(sculpt->index, sculpt->hidden_faces);
	return SNW_OK;
}

snw_pick snw_sculpt_pick(const snw_sculpt *sculpt, const snw_ray *ray) {
	snw_pick pick = snw_spatial_index_pick(sculpt->index, ray);
	if (pick.face == SNW_NONE) {
		return pick;
	}
	double least = INFINITY;
	for (uint32_t c = sculpt->mesh->face_offsets[pick.face]; c < sculpt->mesh->face_offsets[pick.face + 1]; c++) {
		const double *point = sculpt->points + 3 * (size_t)sculpt->mesh->face_points[c];
		const double apart =
			hypot(hypot(point[0] - pick.position[0], point[1] - pick.position[1]), point[2] - pick.position[2]);
		if (apart < least) {
			least = apart;
			pick.point = sculpt->mesh->face_points[c];
		}
	}
	return pick;
}

uint32_t snw_sculpt_reach(snw_sculpt *sculpt, const snw_brush *brush, const snw_pick *pick, const uint32_t **points,
						  const double **weights) {
	if (!sculpt->stroke.is_open) {
		snw_region_find(sculpt, brush, pick);
	}
	*points = sculpt->region.points;
	*weights = sculpt->region.weights;
	return sculpt->region.count;
}

/* ---- strokes ------------------------------------------------------------------------------------------------------------- */

/* Strokes: mouse moves become evenly spaced dabs, independent of the rate of mouse events. */

/* ---- stroke -------------------------------------------------------------------------------------------------------------- */

enum { EDGE_HALVINGS = 12 }; /* to find the edge of the mesh on a path */
enum { MOST_DABS = 64 };     /* for one move of the mouse; over a longer path they are further apart */

static const double DEFAULT_SPACING = 0.1;

static snw_status check_brush(const snw_brush *brush, snw_error *error) {
	if ((uint32_t)brush->kind >= SNW_BRUSH_COUNT || (uint32_t)brush->falloff >= SNW_FALLOFF_COUNT) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "unknown brush %d or falloff %d", (int)brush->kind, (int)brush->falloff);
	}
	if (!(brush->radius > 0) || !isfinite(brush->radius)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "the brush's radius is %g m; it must be above 0", brush->radius);
	}
	if (!(brush->strength >= 0 && brush->strength <= 1 && brush->hardness >= 0 && brush->hardness <= 1) ||
		!isfinite(brush->value) || !(brush->spacing >= 0 && brush->spacing <= 10)) {
		return snw_fail(error, SNW_ERROR_ARGUMENT,
						"the brush's strength and hardness must be from 0 to 1, its value finite, its spacing from 0 to 10");
	}
	return SNW_OK;
}

snw_status snw_sculpt_begin(snw_sculpt *sculpt, const snw_brush *brush, const snw_pick *pick, snw_error *error) {
	if (sculpt->stroke.is_open) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "a stroke is in progress; end or abort it first");
	}
	if (pick->face != SNW_NONE && pick->face >= sculpt->mesh->face_count) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "mesh '%s' has no face %u", sculpt->mesh->name, pick->face);
	}
	const snw_status status = check_brush(brush, error);
	if (snw_failed(status)) {
		return status;
	}
	sculpt->stroke = (snw_stroke){.is_open = true, .brush = *brush, .first = *pick, .last = *pick, .pressure = -1};
	if (snw_brush_drags(brush->kind) && snw_region_find(sculpt, brush, pick)) {
		snw_region_surround(sculpt); /* it moves the same points during the whole stroke */
	}
	return SNW_OK;
}

/* Mask and paint read no neighbours and move no points. */
static bool needs_surroundings(snw_brush_kind kind) {
	return kind != SNW_BRUSH_MASK && kind != SNW_BRUSH_PAINT;
}

void snw_sculpt_dab(snw_sculpt *sculpt, const snw_dab *dab) {
	if (!sculpt->stroke.is_open) {
		return;
	}
	const snw_brush brush = sculpt->stroke.brush;
	sculpt->stroke.pressure = dab->pressure;
	if (!snw_brush_drags(brush.kind) && snw_region_find(sculpt, &brush, &dab->pick) && needs_surroundings(brush.kind)) {
		snw_region_surround(sculpt);
	}
	if (sculpt->region.count == 0) {
		return;
	}
	snw_brush_run(sculpt, dab);
	if (sculpt->region.is_mirrored && snw_brush_is_mirrored(brush.kind)) {
		snw_mirror_region(sculpt);
		snw_region_keep_together(sculpt);
	}
	snw_apply(sculpt);
}

/* Intersects the ray with the plane of a grab; false if they are parallel. */
static bool meet_plane(const snw_stroke *stroke, const snw_ray *ray, double dest[3]) {
	const double towards[3] = {stroke->first.position[0] - ray->origin[0], stroke->first.position[1] - ray->origin[1],
							   stroke->first.position[2] - ray->origin[2]};
	const double along = snw_dot3(ray->direction, stroke->forward);
	const double times = snw_dot3(towards, stroke->forward) / along;
	for (int c = 0; c < 3; c++) {
		dest[c] = ray->origin[c] + times * ray->direction[c];
	}
	return isfinite(dest[0]) && isfinite(dest[1]) && isfinite(dest[2]);
}

static uint32_t move_grab(snw_sculpt *sculpt, const snw_ray *ray, const double *forward, double pressure) {
	snw_stroke *stroke = &sculpt->stroke;
	if (snw_dot3(stroke->forward, stroke->forward) == 0) {
		memcpy(stroke->forward, forward ? forward : ray->direction, sizeof stroke->forward);
	}
	snw_dab dab = {.pick = stroke->first, .pressure = pressure};
	if (!meet_plane(stroke, ray, dab.drag)) {
		return 0;
	}
	for (int c = 0; c < 3; c++) {
		dab.drag[c] -= stroke->first.position[c];
	}
	snw_sculpt_dab(sculpt, &dab);
	return 1;
}

static void between_rays(const snw_ray *from, const snw_ray *to, double fraction, snw_ray *dest) {
	for (int c = 0; c < 3; c++) {
		dest->origin[c] = from->origin[c] + fraction * (to->origin[c] - from->origin[c]);
		dest->direction[c] = from->direction[c] + fraction * (to->direction[c] - from->direction[c]);
	}
}

/* Sets a dab where the ray hits the mesh; returns the number of dabs, 0 or 1. */
static uint32_t dab_at(snw_sculpt *sculpt, const snw_ray *ray, double pressure) {
	snw_dab dab = {.pick = snw_sculpt_pick(sculpt, ray), .pressure = pressure};
	if (dab.pick.face == SNW_NONE) {
		return 0;
	}
	for (int c = 0; c < 3; c++) {
		dab.drag[c] = dab.pick.position[c] - sculpt->stroke.last.position[c];
	}
	sculpt->stroke.last = dab.pick;
	snw_sculpt_dab(sculpt, &dab);
	return 1;
}

/* The ray from the same origin to a place, with the same advance along `ray`, so that both can be interpolated. */
static snw_ray ray_to(const snw_ray *ray, const double place[3]) {
	snw_ray to = {.origin = {ray->origin[0], ray->origin[1], ray->origin[2]}};
	for (int c = 0; c < 3; c++) {
		to.direction[c] = place[c] - ray->origin[c];
	}
	const double times = snw_dot3(ray->direction, ray->direction) / snw_dot3(to.direction, ray->direction);
	for (int c = 0; c < 3; c++) {
		to.direction[c] *= times;
	}
	return to;
}

/* Where the path between two rays, of which the second misses the mesh, leaves it; false if it leaves at once. */
static bool find_edge(const snw_sculpt *sculpt, const snw_ray *from, const snw_ray *to, snw_ray *edge) {
	double on = 0, off = 1;
	for (int i = 0; i < EDGE_HALVINGS; i++) {
		const double middle = (on + off) / 2;
		snw_ray at;
		between_rays(from, to, middle, &at);
		*(snw_sculpt_pick(sculpt, &at).face == SNW_NONE ? &off : &on) = middle;
	}
	between_rays(from, to, on, edge);
	return on > 0;
}

void snw_sculpt_set_radius(snw_sculpt *sculpt, double radius) {
	if (sculpt->stroke.is_open && !snw_brush_drags(sculpt->stroke.brush.kind) && radius > 0 && isfinite(radius)) {
		sculpt->stroke.brush.radius = radius;
	}
}

uint32_t snw_sculpt_move(snw_sculpt *sculpt, const snw_ray *ray, const double *forward, double pressure) {
	snw_stroke *stroke = &sculpt->stroke;
	if (!stroke->is_open) {
		return 0;
	}
	if (snw_brush_drags(stroke->brush.kind)) {
		return move_grab(sculpt, ray, forward, pressure);
	}
	const bool is_first = !stroke->has_ray;
	const snw_ray from = is_first ? ray_to(ray, stroke->last.position) : stroke->last_ray;
	snw_ray to = *ray;
	/* Beyond the mesh the stroke goes on to its edge, and continues when the mouse is over the mesh again. */
	if (snw_sculpt_pick(sculpt, ray).face == SNW_NONE && !find_edge(sculpt, &from, ray, &to)) {
		return 0;
	}
	const snw_pick pick = snw_sculpt_pick(sculpt, &to);
	if (pick.face == SNW_NONE) {
		return 0;
	}
	double path[3];
	for (int c = 0; c < 3; c++) {
		path[c] = pick.position[c] - stroke->last.position[c];
	}
	const double length = snw_length3(path);
	const double spacing = (stroke->brush.spacing > 0 ? stroke->brush.spacing : DEFAULT_SPACING) * stroke->brush.radius;
	stroke->has_ray = true;
	stroke->last_ray = from;
	const double wanted = floor(length / spacing);
	const int count = (int)fmin(wanted, MOST_DABS);
	const double first_pressure = stroke->pressure >= 0 ? stroke->pressure : pressure;
	uint32_t done = 0;
	for (int k = 1; k <= count; k++) {
		const double fraction = wanted > MOST_DABS ? (double)k / count : k * spacing / length;
		between_rays(&from, &to, fraction, &stroke->last_ray);
		const snw_ray at = stroke->last_ray;
		done += dab_at(sculpt, &at, first_pressure + fraction * (pressure - first_pressure));
	}
	if (is_first) { /* however short, so that a brief stroke acts */
		stroke->last_ray = to;
		done += dab_at(sculpt, &to, pressure);
	}
	return done;
}

static bool has_changed(const snw_sculpt *sculpt, uint32_t point) {
	switch (snw_brush_changes(sculpt->stroke.brush.kind)) {
	case SNW_BRUSH_MASKING:
		return sculpt->mask[point] != sculpt->value_before[point];
	case SNW_BRUSH_FIELD:
		return sculpt->field[point] != sculpt->value_before[point];
	default:
		return memcmp(sculpt->points + 3 * (size_t)point, sculpt->before + 3 * (size_t)point, 3 * sizeof *sculpt->points) != 0;
	}
}

/* Resets the state of the stroke; the region contains its points. */
static void close_stroke(snw_sculpt *sculpt) {
	for (uint32_t i = 0; i < sculpt->region.count; i++) {
		const uint32_t point = sculpt->region.points[i];
		memcpy(sculpt->before + 3 * (size_t)point, sculpt->points + 3 * (size_t)point, 3 * sizeof *sculpt->points);
		sculpt->anchors[point] = SNW_NONE;
	}
	snw_set_clear(&sculpt->stroked);
	sculpt->stroke.is_open = false;
}

void snw_sculpt_end(snw_sculpt *sculpt, bool *changed) {
	bool any = false;
	if (sculpt->stroke.is_open) {
		snw_region_take(sculpt, &sculpt->stroked);
		for (uint32_t i = 0; i < sculpt->region.count && !any; i++) {
			any = has_changed(sculpt, sculpt->region.points[i]);
		}
		close_stroke(sculpt);
	}
	if (changed) {
		*changed = any;
	}
}

void snw_sculpt_abort(snw_sculpt *sculpt) {
	if (!sculpt->stroke.is_open) {
		return;
	}
	const snw_brush_target target = snw_brush_changes(sculpt->stroke.brush.kind);
	double *values = target == SNW_BRUSH_MASKING ? sculpt->mask : sculpt->field;
	snw_region_take(sculpt, &sculpt->stroked);
	for (uint32_t i = 0; i < sculpt->region.count; i++) {
		const uint32_t point = sculpt->region.points[i];
		if (target == SNW_BRUSH_POINTS) {
			memcpy(sculpt->points + 3 * (size_t)point, sculpt->before + 3 * (size_t)point, 3 * sizeof *sculpt->points);
		} else {
			values[point] = sculpt->value_before[point];
		}
	}
	snw_set_join(&sculpt->changes.set, &sculpt->region.set);
	if (target == SNW_BRUSH_POINTS) {
		snw_region_surround(sculpt);
		snw_refresh_region(sculpt);
	}
	close_stroke(sculpt);
}

bool snw_sculpt_is_stroking(const snw_sculpt *sculpt) {
	return sculpt->stroke.is_open;
}

/* ---- walls --------------------------------------------------------------------------------------------------------------- */

/* The side of a point is where it is at rest, as for contact (contact/contact.h). All is posed by points, so that rays
 * write nothing and run on any thread. */

enum { MOST_CROSSINGS = 16 };
static const double GAP = 1e-5; /* of the mesh's diagonal */

static snw_contact_mesh_pose *pose_mesh(const snw_contact_tree *tree, uint32_t count, const double *points, snw_arena *arena) {
	snw_contact_mesh_pose *pose = snw_contact_mesh_pose_make(tree, arena);
	float *single = SNW_NEW_ARRAY(arena, float, 3 * (size_t)count);
	for (size_t i = 0; i < 3 * (size_t)count; i++) {
		single[i] = (float)points[i];
	}
	snw_contact_pose_points(pose, single);
	return pose;
}

static int8_t *find_sides(const snw_mesh *mesh, const snw_contact_tree *tree, const snw_mesh *wall, double patch,
						  snw_arena *arena) {
	snw_arena *scratch = snw_arena_create();
	int8_t *sides = SNW_NEW_ARRAY(arena, int8_t, mesh->point_count);
	snw_contact_mesh_pose *rest = pose_mesh(tree, wall->point_count, wall->points_rest, scratch);
	snw_contact_make_dipoles(rest);
	const snw_contact_tree *sculpted = snw_contact_tree_make(mesh, NULL, scratch);
	const snw_contact_mesh_pose *sculpted_rest = pose_mesh(sculpted, mesh->point_count, mesh->points_rest, scratch);
	const snw_rest_place *places = snw_rest_places_find(sculpted_rest, rest, patch, scratch);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		sides[p] = (int8_t)((places[p].height > 0) - (places[p].height < 0));
	}
	snw_arena_destroy(scratch);
	return sides;
}

void snw_sculpt_set_walls(snw_sculpt *sculpt, uint32_t count, const snw_sculpt_wall *walls, double patch) {
	snw_arena_destroy(sculpt->walls.arena);
	sculpt->walls = (snw_walls){.gap = GAP * sculpt->view.longest};
	if (count == 0) {
		return;
	}
	snw_arena *arena = snw_arena_create();
	sculpt->walls.arena = arena;
	sculpt->walls.poses = SNW_NEW_ARRAY(arena, snw_contact_mesh_pose *, count);
	sculpt->walls.sides = SNW_NEW_ARRAY(arena, int8_t *, count);
	for (uint32_t w = 0; w < count; w++) {
		const snw_contact_tree *tree = snw_contact_tree_make(walls[w].mesh, NULL, arena);
		sculpt->walls.poses[w] = pose_mesh(tree, walls[w].mesh->point_count, walls[w].points_posed, arena);
		sculpt->walls.sides[w] = find_sides(sculpt->mesh, tree, walls[w].mesh, patch, arena);
	}
	sculpt->walls.count = count;
}

/* How far along the way a wall stops the point: 1 if it does not. */
static double find_stop(snw_contact_mesh_pose *wall, int8_t side, const double from[3], const double way[3]) {
	double origin[3] = {from[0], from[1], from[2]}, done = 0;
	for (int i = 0; i < MOST_CROSSINGS; i++) {
		const snw_contact_hit hit = snw_contact_ray(wall, origin, way, 1 - done, NULL, NULL);
		if (hit.triangle == SNW_NONE) {
			return 1;
		}
		done += hit.along;
		if (side == 0 || snw_dot3(hit.normal, way) * side < 0) {
			return done;
		}
		done += 1e-9;
		for (int c = 0; c < 3; c++) {
			origin[c] = from[c] + done * way[c];
		}
	}
	return done;
}

void snw_walls_stop(const snw_walls *walls, uint32_t point, const double from[3], double to[3]) {
	const double way[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]}, length = snw_length3(way);
	double least = 1;
	for (uint32_t w = 0; w < walls->count && length > 0; w++) {
		/* Beyond its end, so that a point never ends nearer to the wall than the gap. */
		double longer[3];
		for (int c = 0; c < 3; c++) {
			longer[c] = way[c] * (1 + walls->gap / length);
		}
		const double stop = find_stop(walls->poses[w], walls->sides[w][point], from, longer);
		least = stop < 1 ? fmin(least, fmax(stop * (1 + walls->gap / length) - walls->gap / length, 0)) : least;
	}
	for (int c = 0; c < 3 && least < 1; c++) {
		to[c] = from[c] + least * way[c];
	}
}
