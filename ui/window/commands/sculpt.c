/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"
#include "pose/pose.h"
#include "render/view/view.h"
#include "sinew/algebra.h"
#include "weights/weights.h"
#include "window/commands/commands.h"
#include "window/document/document.h"
#include "window/jobs/job_thread.h"
#include "window/session/sculpting.h"
#include "window/session/session.h"
#include "worker/worker.h"

/* ---- sculpt -------------------------------------------------------------------------------------------------------------- */

/* Commands on the brush, and strokes. At its end a stroke is stored in the example of the pose; the first stroke creates the
 * example. */

#define LARGER 1.2

/* ---- the brush ----------------------------------------------------------------------------------------------------------- */

static void choose_brush(snw_session *session, uint32_t kind) {
	snw_sculpting *s = &session->sculpting;
	s->strengths[s->brush.kind] = s->brush.strength;
	s->brush.kind = (snw_brush_kind)kind;
	s->brush.strength = s->strengths[kind];
	snw_painted_values_show(session);
}

void snw_do_brush(snw_session *session, const snw_command *command) {
	for (uint32_t i = 0; i < SNW_BRUSH_COUNT; i++) {
		if (strcmp(snw_brush_infos[i].name, command->text) == 0) {
			choose_brush(session, i);
			return;
		}
	}
	snw_view_state_warn(&session->state, "No brush has this name.");
}

void snw_do_brush_row(snw_session *session, const snw_command *command) {
	choose_brush(session, command->id - SNW_DO_BRUSH_GRAB);
}

void snw_do_brush_number(snw_session *session, const snw_command *command) {
	if (command->n[0] >= 0 && command->n[0] < SNW_BRUSH_COUNT) {
		choose_brush(session, (uint32_t)command->n[0]);
	}
}

/* A brush that is larger than the character reaches no more. */
static void set_radius(snw_session *session, double metres) {
	const double size = session->document->size;
	session->sculpting.brush.radius = fmin(fmax(metres, 1e-5), size > 1e-5 ? size : 1e4);
	session->sculpting.has_radius = true;
}

void snw_do_radius(snw_session *session, const snw_command *command) {
	set_radius(session, command->n[0] / 100);
}

void snw_do_larger(snw_session *session, const snw_command *command) {
	(void)command;
	set_radius(session, session->sculpting.brush.radius * LARGER);
}

void snw_do_smaller(snw_session *session, const snw_command *command) {
	(void)command;
	set_radius(session, session->sculpting.brush.radius / LARGER);
}

void snw_do_strength(snw_session *session, const snw_command *command) {
	session->sculpting.brush.strength = fmin(fmax(command->n[0], 0), 1);
}

void snw_do_paint_value(snw_session *session, const snw_command *command) {
	session->sculpting.brush.value = fmin(fmax(command->n[0], -1e6), 1e6);
}

/* Without a joint it is a switch. */
void snw_do_paint_weights(snw_session *session, const snw_command *command) {
	snw_sculpting *s = &session->sculpting;
	uint32_t layer = SNW_NONE;
	s->paints_weights = command->text[0] || !s->paints_weights;
	if (command->text[0]) {
		snw_do_joint(session, command);
		session->state.tab = SNW_TAB_SHAPE;
	}
	if (command->text[0] && !session->state.sculpting) {
		snw_sculpting_enter(session);
	}
	if (s->paints_weights && snw_brush_changes(s->brush.kind) != SNW_BRUSH_FIELD) {
		choose_brush(session, SNW_BRUSH_PAINT);
	}
	if (s->paints_weights && session->state.joint == SNW_NONE) {
		snw_view_state_say(&session->state, "In the list of joints, select the joint whose weights to paint.");
	} else if (s->paints_weights && !snw_painted_values_show_through(session, &layer)) {
		char title[200];
		snw_view_state_say(&session->state,
						   "%.150s has learned weights, so painted ones do not show. Use Take learned weights to paint those.",
						   snw_layer_title(session->registry, &session->document->scene->layers[layer], title, sizeof title));
	}
	snw_painted_values_read(session);
	snw_painted_values_show(session);
}

void snw_do_paint_field(snw_session *session, const snw_command *command) {
	snw_sculpting *s = &session->sculpting;
	snprintf(s->requested_field, sizeof s->requested_field, "%.150s", command->text);
	s->paints_weights = false;
	snw_do_field(session, command);
	session->state.tab = SNW_TAB_SHAPE;
	if (!session->state.sculpting) {
		snw_sculpting_enter(session);
	}
	choose_brush(session, SNW_BRUSH_PAINT);
	snw_painted_values_read(session);
	snw_painted_values_show(session);
}

void snw_do_falloff(snw_session *session, const snw_command *command) {
	session->sculpting.brush.falloff = (snw_falloff)fmin(fmax(command->n[0], 0), SNW_FALLOFF_COUNT - 1);
}

void snw_do_morph_to(snw_session *session, const snw_command *command) {
	static const char prefix[] = "example ";
	const char *words = command->text;
	const bool is_example = strncmp(words, prefix, strlen(prefix)) == 0;
	if (is_example ? snw_scene_find_example(session->document->scene, words + strlen(prefix)) == SNW_NONE
				   : strcmp(words, "below") != 0 && strcmp(words, "rest") != 0) {
		snw_view_state_warn(&session->state, "Morph moves towards below, rest, or 'example' and the name of one.");
		return;
	}
	snprintf(session->sculpting.morph_to, sizeof session->sculpting.morph_to, "%.199s", words);
	snw_sculpting_follow(session, false); /* which finds that shape in this pose */
}

void snw_do_volume(snw_session *session, const snw_command *command) {
	(void)command;
	session->sculpting.brush.volume = !session->sculpting.brush.volume;
}

void snw_do_symmetry(snw_session *session, const snw_command *command) {
	(void)command;
	snw_sculpting *s = &session->sculpting;
	s->brush.symmetric = !s->brush.symmetric;
	if (!snw_sculpting_is_stroking(s)) {
		snw_sculpting_hide_faces(session, SNW_BRUSH_POINTS);
		snw_painted_values_show(session);
	}
	if (s->brush.symmetric && s->sculpt && !s->partners) {
		snw_view_state_warn(&session->state, "This mesh is not symmetric, and no other mesh is its mirror image.");
	}
}

void snw_do_carry_along(snw_session *session, const snw_command *command) {
	(void)command;
	session->sculpting.carries = !session->sculpting.carries;
}

/* The other meshes are prepared with the sculpted one. */
void snw_do_stay_outside(snw_session *session, const snw_command *command) {
	(void)command;
	snw_brush *brush = &session->sculpting.brush;
	brush->stays_outside = !brush->stays_outside;
	snw_sculpting_follow(session, false);
}

/* ---- strokes ------------------------------------------------------------------------------------------------------------- */

/* The radius by the pressure and tilt of a pen. */
static double sized_radius(const snw_brush *brush, double factor) {
	return brush->radius * (factor > 0 ? fmin(factor, 10) : 1);
}

/* Whether the joint whose weights are painted is locked; if so, a message says so. */
static bool is_joint_locked(snw_session *session) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	const uint32_t joint = session->state.joint;
	const bool is_locked =
		session->sculpting.paints_weights && joint < skeleton->joint_count && session->display.locked_joints[joint];
	if (is_locked) {
		snw_view_state_say(&session->state, "%s is locked; unlock it to paint its weights.", skeleton->names[joint]);
	}
	return is_locked;
}

void snw_do_stroke(snw_session *session, const snw_command *command) {
	snw_sculpting *s = &session->sculpting;
	snw_error error = {0};
	if (!session->state.sculpting || !s->sculpt || snw_sculpt_is_stroking(s->sculpt)) {
		return;
	}
	if (session->display.hidden[s->mesh_index] || session->display.locked[s->mesh_index]) {
		snw_view_state_say(&session->state, "%s is %s.", s->mesh->name,
						   session->display.locked[s->mesh_index] ? "locked" : "hidden");
		return;
	}
	const int keys = (int)command->n[3];
	snw_view_state_use_side(&session->state, keys & 4 ? 1 : 0);
	snw_brush brush = snw_brush_with_keys(&s->brush, keys & 1, keys & 2);
	brush.radius = sized_radius(&brush, command->n[4]);
	const snw_ray ray = snw_session_ray(session, command->n[0], command->n[1]);
	const snw_pick pick = snw_sculpt_pick(s->sculpt, &ray);
	if (pick.face == SNW_NONE) {
		return;
	}
	if (snw_brush_changes(brush.kind) == SNW_BRUSH_POINTS &&
		!(snw_may_store_sculpt(session, s->mesh_index) && snw_would_stroke_show(session, s->mesh_index))) {
		return;
	}
	if (snw_brush_changes(brush.kind) == SNW_BRUSH_FIELD && is_joint_locked(session)) {
		return;
	}
	if (snw_brush_changes(brush.kind) == SNW_BRUSH_FIELD && !snw_painted_values_follow(session)) {
		snw_view_state_say(&session->state, "The previous stroke is still being stored; try again.");
		return;
	}
	if (s->part_count > 0) { /* over a seam, masks and fields belong to one mesh */
		snw_sculpting_hide_faces(session, snw_brush_changes(brush.kind));
	}
	if (snw_failed(snw_sculpt_begin(s->sculpt, &brush, &pick, &error))) {
		snw_view_state_warn(&session->state, error.text);
		return;
	}
	s->stroke = brush;
	session->display.sculpt = s->shown;
	if (!snw_brush_drags(brush.kind) && brush.kind != SNW_BRUSH_SLIDE) {
		const snw_dab dab = {.pick = pick, .pressure = command->n[2]};
		snw_sculpt_dab(s->sculpt, &dab);
	}
	session->display.is_stale = true;
}

void snw_do_dab(snw_session *session, const snw_command *command) {
	if (snw_sculpting_is_stroking(&session->sculpting)) {
		const snw_ray ray = snw_session_ray(session, command->n[0], command->n[1]);
		double axes[3][3];
		snw_camera_axes(&session->state.camera, axes);
		snw_sculpt_set_radius(session->sculpting.sculpt, sized_radius(&session->sculpting.brush, command->n[3]));
		snw_sculpt_move(session->sculpting.sculpt, &ray, axes[2], command->n[2]);
		snw_sculpting_point(&session->sculpting, &ray);
		session->display.is_stale = true;
	}
}

void snw_do_stroke_end(snw_session *session, const snw_command *command) {
	(void)command;
	snw_sculpting *s = &session->sculpting;
	bool changed = false;
	if (!snw_sculpting_is_stroking(s)) {
		return;
	}
	snw_sculpt_end(s->sculpt, &changed);
	if (s->part_count > 0) {
		snw_sculpting_hide_faces(session, SNW_BRUSH_POINTS);
	}
	session->display.is_stale = true;
	const snw_brush_target target = snw_brush_changes(s->stroke.kind);
	const char *name = snw_brush_infos[s->stroke.kind].name;
	if (!changed) {
		snw_sculpting_rest(session);
	} else if (target == SNW_BRUSH_POINTS) {
		s->made[target]++;
		snw_store_sculpt(session, name, s->mesh_index, snw_sculpt_get_view(s->sculpt)->points, s->made[target]);
	} else {
		snw_painted_values_commit(session, name, target == SNW_BRUSH_MASKING);
	}
}

/* ---- mask ---------------------------------------------------------------------------------------------------------------- */

/* Commands on the whole mask: cleared, inverted, by the weights of a joint, by an outline on the screen. */

enum { OUTLINE_MOST = 200 };

/* The mask to change, in `arena`; NULL while none can be changed. */
static double *mask_of(const snw_session *session, snw_arena *arena) {
	const snw_sculpt *sculpt = session->sculpting.sculpt;
	if (!sculpt || snw_sculpt_is_stroking(sculpt)) {
		return NULL;
	}
	const snw_sculpt_view *view = snw_sculpt_get_view(sculpt);
	return snw_arena_copy(arena, view->mask, view->point_count * sizeof(double));
}

/* A mask that is the same already makes no step of the history. */
static void put_mask(snw_session *session, const double *mask, const char *verb) {
	const snw_sculpt_view *view = snw_sculpt_get_view(session->sculpting.sculpt);
	if (memcmp(mask, view->mask, view->point_count * sizeof *mask) == 0) {
		return;
	}
	(void)snw_sculpt_reset(session->sculpting.sculpt, NULL, mask, NULL, NULL);
	snw_painted_values_show(session);
	snw_painted_values_commit(session, verb, true);
}

static void change_points(double *mask, uint32_t count, bool inverts) {
	for (uint32_t i = 0; i < count; i++) {
		mask[i] = inverts ? 1 - mask[i] : 0;
	}
}

/* Under symmetry that of the counterpart too. */
static void change_mask(snw_session *session, bool inverts) {
	const snw_sculpted_part *counterpart = snw_painted_values_counterpart(session, SNW_BRUSH_MASKING);
	snw_arena *scratch = snw_arena_create();
	double *mask = mask_of(session, scratch);
	if (mask) {
		change_points(mask, session->sculpting.point_count, inverts);
	}
	if (mask && counterpart) {
		const uint32_t count = session->document->scene->meshes[counterpart->mesh].point_count;
		change_points(mask + counterpart->first_point, count, inverts);
	}
	if (mask) {
		put_mask(session, mask, inverts ? "invert the mask" : "clear the mask");
	}
	snw_arena_destroy(scratch);
}

void snw_do_mask_clear(snw_session *session, const snw_command *command) {
	(void)command;
	change_mask(session, false);
}

void snw_do_mask_invert(snw_session *session, const snw_command *command) {
	(void)command;
	change_mask(session, true);
}

/* Adds what a joint moves of a mesh. */
static void add_joint(const snw_scene *scene, uint32_t mesh, uint32_t joint, double *mask, snw_arena *scratch) {
	const uint32_t count = scene->meshes[mesh].point_count;
	double *weights = SNW_NEW_ARRAY(scratch, double, count);
	snw_sculpt_weights(scene, mesh, joint, weights);
	for (uint32_t i = 0; i < count; i++) {
		mask[i] = fmax(mask[i], fmin(weights[i], 1));
	}
}

/* Under symmetry also what its partner moves of the counterpart. */
void snw_do_mask_joint(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t joint = snw_session_find(session, SNW_NOUN_JOINT, command->text);
	if (joint == SNW_NONE) {
		return;
	}
	snw_arena *scratch = snw_arena_create();
	double *mask = mask_of(session, scratch);
	if (mask) {
		const snw_sculpted_part *counterpart = snw_painted_values_counterpart(session, SNW_BRUSH_MASKING);
		const uint32_t partner = counterpart ? snw_painted_values_partner(session, joint) : SNW_NONE;
		add_joint(scene, session->sculpting.mesh_index, joint, mask, scratch);
		if (partner != SNW_NONE) {
			add_joint(scene, counterpart->mesh, partner, mask + counterpart->first_point, scratch);
		}
		put_mask(session, mask, "mask by joint");
	}
	snw_arena_destroy(scratch);
}

/* ---- outlines ------------------------------------------------------------------------------------------------------------ */

static void choose_outline(snw_session *session, snw_outline_kind kind) {
	snw_sculpting *s = &session->sculpting;
	s->outline = s->outline == kind ? SNW_OUTLINE_NONE : kind;
}

void snw_do_mask_box(snw_session *session, const snw_command *command) {
	(void)command;
	choose_outline(session, SNW_OUTLINE_BOX);
}

void snw_do_mask_lasso(snw_session *session, const snw_command *command) {
	(void)command;
	choose_outline(session, SNW_OUTLINE_LASSO);
}

/* Reads "x y x y …" into points [OUTLINE_MOST][2]; returns how many there are. */
static uint32_t read_outline(const char *text, double (*points)[2]) {
	uint32_t count = 0;
	char *end = NULL;
	while (count < OUTLINE_MOST) {
		const double x = strtod(text, &end);
		if (end == text) {
			break;
		}
		text = end;
		const double y = strtod(text, &end);
		if (end == text || !isfinite(x) || !isfinite(y)) {
			break;
		}
		text = end;
		points[count][0] = x;
		points[count++][1] = y;
	}
	return count;
}

/* By the parity of the edges to the right. */
static bool is_inside(double (*outline)[2], uint32_t count, double x, double y) {
	bool inside = false;
	for (uint32_t i = 0, j = count - 1; i < count; j = i++) {
		const double *a = outline[i], *b = outline[j];
		inside ^= (a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
	}
	return inside;
}

/* A closed line over the picture that it was drawn over. */
typedef struct mask_outline {
	uint32_t count;
	double (*points)[2];
	snw_camera camera;
	double aspect;
} mask_outline;

/* Points of the sculpt, from `first` to before `end`. */
typedef struct point_range {
	uint32_t first, end;
} point_range;

/* Sets the mask inside an outline for points of one mesh and, under symmetry, for their partners within the same two ranges.
 * Returns whether the outline holds any. */
static bool set_inside(const snw_session *session, const mask_outline *outline, const point_range ranges[2], double value,
					   double *mask) {
	const snw_sculpting *s = &session->sculpting;
	const double *points = snw_sculpt_get_view(s->sculpt)->points;
	const snw_picture_size size = {outline->aspect > 0 ? outline->aspect : 1, 1};
	bool holds_any = false;
	for (uint32_t r = 0; r < 2; r++) {
		for (uint32_t i = ranges[r].first; i < ranges[r].end; i++) {
			double x, y;
			if (!snw_camera_project(&outline->camera, size, points + 3 * (size_t)i, &x, &y) ||
				!is_inside(outline->points, outline->count, x / size.width, y)) {
				continue;
			}
			const uint32_t partner = s->brush.symmetric && s->partners ? s->partners[i] : SNW_NONE;
			mask[i] = value;
			holds_any = true;
			for (uint32_t k = 0; k < 2; k++) {
				if (partner >= ranges[k].first && partner < ranges[k].end) {
					mask[partner] = value;
				}
			}
		}
	}
	return holds_any;
}

/* On the sculpted mesh, and under symmetry on its counterpart too. */
void snw_do_mask_outline(snw_session *session, const snw_command *command) {
	snw_sculpting *s = &session->sculpting;
	double points[OUTLINE_MOST][2];
	const mask_outline outline = {.count = read_outline(command->text, points),
								  .points = points,
								  .camera = command->has_view ? command->camera : session->state.camera,
								  .aspect = command->has_view ? command->aspect : session->aspect};
	snw_arena *scratch = snw_arena_create();
	double *mask = mask_of(session, scratch);
	s->outline = SNW_OUTLINE_NONE;
	if (mask && outline.count > 2) {
		const snw_sculpted_part *counterpart = snw_painted_values_counterpart(session, SNW_BRUSH_MASKING);
		point_range ranges[2] = {{0, s->point_count}};
		if (counterpart) {
			const uint32_t first = counterpart->first_point;
			ranges[1] = (point_range){first, first + session->document->scene->meshes[counterpart->mesh].point_count};
		}
		if (set_inside(session, &outline, ranges, command->n[0] > 0 ? 1 : 0, mask)) {
			put_mask(session, mask, command->n[0] > 0 ? "mask inside an outline" : "unmask inside an outline");
		} else {
			snw_view_state_say(&session->state,
							   "The outline holds no point of %s. To mask another mesh, select it in the list.",
							   session->document->scene->meshes[s->mesh_index].name);
		}
	}
	snw_arena_destroy(scratch);
}

/* ---- brush alpha --------------------------------------------------------------------------------------------------------- */

/* The picture that the brush stamps. */

enum { MOST_BYTES = 16 << 20, MOST_PIXEL_BYTES = 16 << 20 };

/* How bright each pixel is, times its opacity. */
static const float *read_values(const snw_mipmap *picture, snw_arena *arena) {
	const size_t count = (size_t)picture->width * picture->height;
	float *values = SNW_NEW_ARRAY(arena, float, count);
	for (size_t i = 0; i < count; i++) {
		const unsigned char *pixel = picture->pixels + 4 * i;
		values[i] = (0.2126f * (float)pixel[0] + 0.7152f * (float)pixel[1] + 0.0722f * (float)pixel[2]) * (float)pixel[3] /
					(255.0f * 255.0f);
	}
	return values;
}

/* Reads a picture, in the worker process: it is an untrusted file. */
static snw_status read_alpha(const char *path, snw_arena *arena, snw_brush_alpha *alpha, snw_error *error) {
	snw_bytes bytes;
	snw_mipmap picture = {0};
	snw_arena *scratch = snw_arena_create();
	snw_status status = snw_file_read_limited(path, MOST_BYTES, scratch, &bytes, error);
	if (!snw_failed(status)) {
		const snw_picture_use use = {snw_path_name(path), bytes.data, bytes.count, false};
		snw_worker_decode_pictures(&use, 1, MOST_PIXEL_BYTES, NULL, scratch, &picture);
		if (!picture.pixels) {
			status = snw_fail(error, SNW_ERROR_DATA, "%s cannot be read as a PNG or JPEG picture", snw_path_name(path));
		}
	}
	if (!snw_failed(status)) {
		*alpha = (snw_brush_alpha){picture.width, picture.height, read_values(&picture, arena)};
	}
	snw_arena_destroy(scratch);
	return status;
}

void snw_do_brush_alpha(snw_session *session, const snw_command *command) {
	snw_sculpting *s = &session->sculpting;
	const bool removes = strcmp(command->text, "none") == 0;
	snw_brush_alpha alpha = {0};
	snw_error error = {0};
	if (!command->text[0]) {
		snw_session_open_dialog(session, SNW_DIALOG_ALPHA);
		return;
	}
	if (snw_sculpting_is_stroking(s)) {
		snw_view_state_say(&session->state, "Release the mouse button first.");
		return;
	}
	snw_arena *arena = snw_arena_create();
	if (!removes && snw_failed(read_alpha(command->text, arena, &alpha, &error))) {
		snw_view_state_warn(&session->state, error.text);
		snw_arena_destroy(arena);
		return;
	}
	snw_arena_destroy(s->alpha_arena);
	s->alpha_arena = arena;
	s->alpha = alpha;
	s->brush.alpha = removes ? NULL : &s->alpha;
	snprintf(s->alpha_path, sizeof s->alpha_path, "%s", removes ? "" : command->text);
}
