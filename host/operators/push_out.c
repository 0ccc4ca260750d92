/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pushes a mesh out of others by examples.
 */
#include "example/push_out.h"

#include <math.h>

#include "base/error.h"
#include "operators/arguments.h"
#include "pose/pose.h"

/* Of a human, whose diagonal with its arms out is 2 m; in proportion. */
#define HUMAN_DIAGONAL 2.0

/* ---- what is asked ------------------------------------------------------------------------------------------------------- */

/* An argument in millimetres; without it, so much of a human. */
static double metres_of(const snw_operation *o, const char *name, double millimetres) {
	return snw_operation_has(o, name) ? snw_operation_number(o, name) / 1000
									  : millimetres / 1000 * snw_scene_diagonal(o->scene, SNW_NONE) / HUMAN_DIAGONAL;
}

static snw_status choose_meshes(const snw_operation *o, snw_push_request *request, snw_error *error) {
	uint32_t count, *others = SNW_NEW_ARRAY(o->arena, uint32_t, o->scene->mesh_count);
	const uint32_t *given = snw_operation_things(o, "out-of", &count);
	request->mesh = snw_operation_thing(o, "mesh");
	for (uint32_t i = 0; i < count; i++) {
		if (given[i] == request->mesh) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "--out-of %s: that is the mesh itself",
							o->scene->meshes[request->mesh].name);
		}
	}
	for (uint32_t m = 0; m < o->scene->mesh_count && count == 0; m++) {
		others[request->other_count] = m;
		request->other_count += m != request->mesh;
	}
	request->other_count = count > 0 ? count : request->other_count;
	request->others = count > 0 ? given : others;
	return request->other_count > 0
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_MISSING, "the character has one mesh; there is nothing to push it out of");
}

static snw_status choose_clips(const snw_operation *o, snw_push_request *request, snw_error *error) {
	uint32_t *all = SNW_NEW_ARRAY(o->arena, uint32_t, o->scene->clip_count), all_count = 0;
	const uint32_t *given = snw_operation_things(o, "clip", &request->clip_count);
	for (uint32_t i = 0; i < request->clip_count; i++) {
		const snw_clip *clip = &o->scene->clips[given[i]];
		if (!snw_clip_moves_joints(clip)) {
			return snw_fail(error, SNW_ERROR_MISSING, "--clip %s: it moves no joint, so no pose of it can drive a push",
							clip->name);
		}
	}
	for (uint32_t c = 0; c < o->scene->clip_count; c++) {
		all[all_count] = c;
		all_count += snw_clip_moves_joints(&o->scene->clips[c]);
	}
	request->clips = request->clip_count > 0 ? given : all;
	request->clip_count = request->clip_count > 0 ? request->clip_count : all_count;
	return request->clip_count > 0
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_MISSING,
						  "no clip moves a joint; import one, or make one with 'sinew target make --training'");
}

/* ---- what is reported ---------------------------------------------------------------------------------------------------- */

static void report_figures(const snw_operation *o, const char *suffix, const snw_push_figures *figures) {
	snw_report_number(o->report, snw_arena_format(o->arena, "deepest_mm%s", suffix), 1000 * figures->deepest);
	snw_report_number(o->report, snw_arena_format(o->arena, "median_mm%s", suffix), 1000 * figures->median);
	snw_report_number(o->report, snw_arena_format(o->arena, "outside_folds_mm%s", suffix), 1000 * figures->outside_folds);
	snw_report_number(o->report, snw_arena_format(o->arena, "share_percent%s", suffix), 100 * figures->share);
	snw_report_number(o->report, snw_arena_format(o->arena, "inside_mm%s", suffix), 1000 * figures->inside);
}

static void report_clips(const snw_operation *o, const snw_pushed_out *pushed) {
	for (uint32_t i = 0; i < pushed->clip_count; i++) {
		const snw_push_clip *clip = &pushed->clips[i];
		const char *name = o->scene->clips[clip->clip].name;
		snw_report_row(o->report, "clips", i);
		snw_report_text(o->report, "clip", name);
		snw_report_number(o->report, "asked", clip->is_asked);
		report_figures(o, "_before", &clip->before);
		report_figures(o, "", &clip->after);
		snw_report_row(o->report, NULL, 0);
		snw_report_detail(o->report, "%s%s: deepest through %.2f mm, %.2f before; median %.2f, %.2f before", name,
						  clip->is_asked ? "" : ", not asked for", 1000 * clip->after.deepest, 1000 * clip->before.deepest,
						  1000 * clip->after.median, 1000 * clip->before.median);
		if (clip->after.deepest > clip->before.deepest) {
			snw_report_warn(o->report, "clip %s is deeper than before: %.2f mm, where it was %.2f", name,
							1000 * clip->after.deepest, 1000 * clip->before.deepest);
		}
	}
}

static void report_pushed(const snw_operation *o, const snw_pushed_out *pushed, double most) {
	const snw_push_figures *before = &pushed->before, *after = &pushed->after;
	report_figures(o, "_before", before);
	report_figures(o, "", after);
	snw_report_number(o->report, "poses", pushed->count);
	snw_report_number(o->report, "most_mm", 1000 * pushed->most);
	snw_report_say(o->report,
				   "deepest through %.2f mm, %.2f before; median of the moments %.2f, %.2f before; %.3f %% of the points in "
				   "contact, %.3f before",
				   1000 * after->deepest, 1000 * before->deepest, 1000 * after->median, 1000 * before->median,
				   100 * after->share, 100 * before->share);
	snw_report_say(o->report, "outside the folds of the other meshes: deepest %.2f mm, %.2f before",
				   1000 * after->outside_folds, 1000 * before->outside_folds);
	snw_report_say(o->report, "the largest move is %.2f mm", 1000 * pushed->most);
	if (!isnan(pushed->still_deepest)) {
		snw_report_number(o->report, "still_deepest_mm", 1000 * pushed->still_deepest);
		snw_report_say(o->report,
					   "one displacement for all moments, of at most %.2f mm, would leave %.2f mm, and change the rest",
					   1000 * most, 1000 * pushed->still_deepest);
	}
	if (after->inside > 0) {
		snw_report_say(o->report,
					   "inside another part: deepest %.2f mm, %.2f before; no push repairs that, it needs another pose",
					   1000 * after->inside, 1000 * before->inside);
	}
	report_clips(o, pushed);
}

/* ---- the operator -------------------------------------------------------------------------------------------------------- */

static snw_status write_pushed(snw_operation *o, snw_error *error) {
	const snw_pushed_out *pushed = o->work->pushed;
	for (uint32_t k = 0; k < pushed->count; k++) {
		const snw_pushed_example *example = &pushed->examples[k];
		snw_report_made(o->report, SNW_NOUN_EXAMPLE, example->commit.example);
		snw_report_detail(o->report, "example %s moves %u point%s, at most %.2f mm", example->commit.example,
						  example->moved_count, snw_plural(example->moved_count), 1000 * example->most);
	}
	return snw_project_put_pushed(o->project, o->in->registry, pushed, o->in->task, error);
}

snw_status snw_example_push_out(snw_operation *o, snw_error *error) {
	snw_push_request request = {.most_poses = snw_operation_count(o, "poses"),
								.deepest = metres_of(o, "deepest", 0.5),
								.most = metres_of(o, "most", 25),
								.clearance = metres_of(o, "clearance", 1)};
	snw_pushed_out *pushed = SNW_NEW(o->arena, snw_pushed_out);
	snw_status status = choose_meshes(o, &request, error);
	status = snw_failed(status) ? status : choose_clips(o, &request, error);
	status = snw_failed(status) ? status
								: snw_push_out_find(o->scene, o->in->registry, &request, o->in->task, o->arena, pushed, error);
	if (snw_failed(status)) {
		return status;
	}
	report_pushed(o, pushed, request.most);
	if (pushed->count == 0) {
		snw_report_say(o->report, pushed->before.deepest <= request.deepest
									  ? "nothing is deeper than asked; nothing was added"
									  : "no push within the largest move makes it less deep; nothing was added");
		return SNW_OK;
	}
	*o->work = (snw_operator_work){.write = write_pushed, .pushed = pushed};
	return SNW_OK;
}
