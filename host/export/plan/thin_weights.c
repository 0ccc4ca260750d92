/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chooses the samples of morph weights that are written as keys. From each key, the line to the next one is extended as long as
 * all samples in between are within their tolerance (Reumann and Witkam's corridor, narrowed by each sample). One pass over the
 * samples.
 */
#include <math.h>

#include "export/plan/passes.h"

typedef struct thinning {
	const snw_plan *plan;
	const snw_plan_mesh *mesh;
	snw_plan_samples *samples;
	const double *tolerances; /* [weight_count] */
	double *low, *high;       /* [morph_count]: the range of slopes of a line from the last key */
	bool *written;            /* [count], of this mesh */
} thinning;

static double *weights_of(const thinning *t, uint32_t sample) {
	return t->samples->weights + (size_t)sample * t->plan->weight_count + t->mesh->first_weight;
}

/* Whether a line from one sample can end at another. Narrows the range of slopes for longer lines. */
static bool reaches(const thinning *t, uint32_t from, uint32_t to) {
	const double *begin = weights_of(t, from), *end = weights_of(t, to);
	const double *tolerances = t->tolerances + t->mesh->first_weight;
	const double seconds = t->samples->seconds[to] - t->samples->seconds[from];
	for (uint32_t i = 0; i < t->mesh->morph_count; i++) {
		const double slope = (end[i] - begin[i]) / seconds;
		if (!(slope >= t->low[i] && slope <= t->high[i])) {
			return false;
		}
		t->low[i] = fmax(t->low[i], slope - tolerances[i] / seconds);
		t->high[i] = fmin(t->high[i], slope + tolerances[i] / seconds);
	}
	return true;
}

static uint32_t find_next_key(const thinning *t, uint32_t from) {
	for (uint32_t i = 0; i < t->mesh->morph_count; i++) {
		t->low[i] = -HUGE_VAL;
		t->high[i] = HUGE_VAL;
	}
	uint32_t next = from + 1;
	while (next < t->samples->count && reaches(t, from, next)) {
		next++;
	}
	return next - 1;
}

/* Sets the samples that are not written to what the file plays there. */
static void put_on_line(const thinning *t, uint32_t from, uint32_t to) {
	const double *begin = weights_of(t, from), *end = weights_of(t, to), *seconds = t->samples->seconds;
	for (uint32_t s = from + 1; s < to; s++) {
		const double part = (seconds[s] - seconds[from]) / (seconds[to] - seconds[from]);
		double *weights = weights_of(t, s);
		for (uint32_t i = 0; i < t->mesh->morph_count; i++) {
			weights[i] = begin[i] + part * (end[i] - begin[i]);
		}
	}
}

/* Constant weights are written where they change. The last sample is kept, because it ends the clip. */
static void thin_held(const thinning *t) {
	const uint32_t count = t->samples->count;
	for (uint32_t s = 0; s < count; s++) {
		t->written[s] = s == 0 || s + 1 == count;
		for (uint32_t i = 0; i < t->mesh->morph_count && !t->written[s]; i++) {
			t->written[s] = weights_of(t, s)[i] != weights_of(t, s - 1)[i];
		}
	}
}

static void thin_linear(const thinning *t) {
	const uint32_t count = t->samples->count;
	uint32_t key = 0;
	t->written[0] = true;
	while (key + 1 < count) {
		const uint32_t next = find_next_key(t, key);
		put_on_line(t, key, next);
		t->written[next] = true;
		key = next;
	}
}

void snw_plan_thin_weights(snw_plan *plan, const double *tolerances) {
	for (uint32_t c = 0; c < plan->clip_count; c++) {
		snw_plan_samples *samples = &plan->samples[c];
		samples->written = SNW_NEW_ARRAY(plan->arena, bool, (size_t)plan->mesh_count * samples->count);
		for (uint32_t m = 0; m < plan->mesh_count && samples->count > 0; m++) {
			const snw_plan_mesh *mesh = &plan->meshes[m];
			const thinning t = {
				.plan = plan,
				.mesh = mesh,
				.samples = samples,
				.tolerances = tolerances,
				.low = SNW_NEW_ARRAY(plan->arena, double, mesh->morph_count),
				.high = SNW_NEW_ARRAY(plan->arena, double, mesh->morph_count),
				.written = samples->written + (size_t)m * samples->count,
			};
			const snw_track **tracks = SNW_NEW_ARRAY(plan->arena, const snw_track *, mesh->morph_count);
			if (snw_plan_weights_are_tracks(mesh, &plan->scene->clips[plan->clips[c]], tracks)) {
				continue; /* written as imported tracks */
			}
			samples->step ? thin_held(&t) : thin_linear(&t);
		}
	}
}
