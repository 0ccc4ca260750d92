/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of a fit where something fails: an allocation, a service that the host does not have, a stop. A fit may then end
 * without a result, but with a legal status, and must release what it took.
 */
#include "base/random.h"
#include "plugin/deformer_calls.h"
#include "plugin/memory_sink.h"
#include "sinew/kit/clock.h"
#include "validate/checks/checks.h"

/* ---- where it fails ------------------------------------------------------------------------------------------------------ */

/* Places in turn, such as the first allocation, the last, and others by chance: all of them if the level is thorough. */
typedef struct places {
	uint32_t total, tried, most;
	bool all;
	uint64_t random;
	double fit_seconds, end;
} places;

static places places_of(const harness *b, const check_settings *settings, uint32_t total) {
	static const uint32_t counts[] = {[SNW_VALIDATE_QUICK] = 3, [SNW_VALIDATE_NORMAL] = 8};
	const bool all = settings->level == SNW_VALIDATE_THOROUGH;
	return (places){.total = total,
					.most = all || total < counts[settings->level] ? total : counts[settings->level],
					.all = all,
					.random = settings->seed,
					.fit_seconds = b->fit_seconds,
					.end = snk_clock_seconds() + settings->budget_seconds};
}

/* The next place, from 1; 0 at the end. A fit fails late where its place is late: none is chosen that the rest of the budget
 * does not cover. */
static uint32_t next_place(places *p) {
	const double rest = p->end - snk_clock_seconds();
	if (p->tried == p->most || (p->tried > 0 && rest <= 0)) {
		return 0;
	}
	const double share = p->fit_seconds > rest ? (rest > 0 ? rest / p->fit_seconds : 0) : 1;
	const uint32_t last = 1 + (uint32_t)(share * (p->total - 1));
	const uint32_t i = p->tried++;
	return p->all ? i + 1 : i == 0 ? 1 : i == 1 ? last : 1 + (uint32_t)(snw_random_next(&p->random) % last);
}

/* ---- allocations --------------------------------------------------------------------------------------------------------- */

/* An unhappy fit is one thing, a broken rule another. */
static snw_status judge(harness *b, snw_status fitted, const snw_error *fault, const char *when, uint32_t place,
						snw_error *finding) {
	snw_error leak;
	if (fitted == SNW_ERROR_INTERNAL) {
		return snw_fail(finding, fitted, "%s %u: %.800s", when, place, fault->text);
	}
	const snw_status released = harness_release(b, &leak);
	return snw_failed(released) ? snw_fail(finding, released, "%s %u: %.800s", when, place, leak.text) : SNW_OK;
}

static snw_status refuse_in_fit(harness *b, const check_settings *settings, uint32_t *tried, snw_error *finding) {
	places p = places_of(b, settings, b->fit_allocations);
	snw_status status = SNW_OK;
	for (uint32_t place = next_place(&p); place > 0 && !snw_failed(status); place = next_place(&p)) {
		snw_error fault = {0};
		trial_host_reset(&b->trial);
		b->trial.refused = place;
		snw_validate_note("while allocation %u of its fit failed", place);
		snw_status fitted = harness_fit(b, &fault);
		if (fitted == SNW_CANCELLED) {
			fitted = snw_fail(&fault, SNW_ERROR_INTERNAL, "fit returned SNW_CANCELLED, but was not asked to stop");
		}
		status = judge(b, fitted, &fault, "without allocation", place, finding);
	}
	*tried = p.tried;
	return status;
}

/* Loads once, without the allocation `place`; 0 for with all. */
static snw_status load_without(harness *b, const snw_memory_sink *sink, uint32_t place, snw_error *finding) {
	snw_model *model = NULL;
	trial_host_reset(&b->trial);
	b->trial.refused = place;
	snw_validate_note("while allocation %u of load failed", place);
	const snw_status loaded = harness_load(b, b->input->character, sink->bytes, sink->count, &model);
	const bool is_legal = (model != NULL) != snw_failed(loaded);
	if (model) {
		b->deformer->release(model);
	}
	return is_legal ? judge(b, SNW_OK, NULL, "load without allocation", place, finding)
					: snw_fail(finding, SNW_ERROR_INTERNAL, "without allocation %u, load returned status %d and %s model",
							   place, loaded, model ? "a" : "no");
}

static snw_status refuse_in_load(harness *b, const check_settings *settings, const snw_memory_sink *sink, uint32_t *tried,
								 snw_error *finding) {
	snw_status status = load_without(b, sink, 0, finding);
	places p = places_of(b, settings, b->trial.allocations);
	p.fit_seconds = 0; /* a load is quick */
	for (uint32_t place = next_place(&p); place > 0 && !snw_failed(status); place = next_place(&p)) {
		status = load_without(b, sink, place, finding);
	}
	*tried = p.tried;
	return status;
}

snw_status snw_validate_memory(harness *b, const check_settings *settings, snw_error *finding) {
	const bool saves = b->deformer->save && b->deformer->load;
	const uint32_t allocations = b->fit_allocations;
	uint32_t fits = 0, loads = 0;
	snw_memory_sink sink = {0};
	snw_status status = saves ? harness_save(b, b->model, &sink, finding) : SNW_OK;
	status = snw_failed(status) ? status : harness_release(b, finding);
	status = snw_failed(status) ? status : refuse_in_fit(b, settings, &fits, finding);
	if (saves && !snw_failed(status)) {
		status = refuse_in_load(b, settings, &sink, &loads, finding);
	}
	if (saves) {
		snw_memory_sink_close(&sink);
	}
	return snw_failed(status) ? status
							  : snw_fail(finding, SNW_OK, "%u of %u allocations of its fit failed in turn, %u of load", fits,
										 allocations, loads);
}

/* ---- services ------------------------------------------------------------------------------------------------------------ */

/* All that a fit asks for, or as many as the budget allows, from one that the seed chooses. */
snw_status snw_validate_services(harness *b, const check_settings *settings, snw_error *finding) {
	const double end = snk_clock_seconds() + settings->budget_seconds;
	const uint32_t asked = b->fit_seconds > 0 ? b->fit_services : UINT32_MAX; /* without a fit before, any may be */
	uint32_t count = 0, wanted = 0, tried = 0, refused = 0;
	for (; trial_host_service(count); count++) {
		wanted += asked >> count & 1;
	}
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < count && !snw_failed(status); i++) {
		const uint32_t service = (uint32_t)((settings->seed + i) % count);
		if (!(asked >> service & 1)) {
			continue;
		}
		if (tried > 0 && settings->level != SNW_VALIDATE_THOROUGH && snk_clock_seconds() + b->fit_seconds > end) {
			break;
		}
		snw_error fault = {0};
		trial_host_reset(&b->trial);
		b->trial.withheld = trial_host_service(service);
		tried++;
		snw_validate_note("with a host without the service %s", b->trial.withheld);
		const snw_status fitted = harness_fit(b, &fault);
		refused += fitted < 0;
		if (fitted == SNW_ERROR_INTERNAL) {
			status = snw_fail(finding, fitted, "without the service %s: %.800s", b->trial.withheld, fault.text);
		}
		snw_error leak;
		const snw_status released = harness_release(b, &leak);
		if (!snw_failed(status) && snw_failed(released)) {
			status = snw_fail(finding, released, "without the service %s: %.800s", b->trial.withheld, leak.text);
		}
	}
	return snw_failed(status)
			   ? status
			   : snw_fail(finding, SNW_OK, "%u of the %u services that it asks for withheld in turn, %u fits refused", tried,
						  wanted, refused);
}

/* ---- stops --------------------------------------------------------------------------------------------------------------- */

static snw_status stop_at(harness *b, uint32_t place, snw_status *fitted, snw_error *finding) {
	snw_error fault = {0};
	trial_host_reset(&b->trial);
	b->trial.stopped = place;
	snw_validate_note("when it was asked to stop at report %u", place);
	*fitted = harness_fit(b, &fault);
	/* A report of the end may be ignored: a stop then loses nothing. */
	const bool was_asked = b->trial.reports >= place && !b->trial.stopped_at_end;
	if (snw_failed(*fitted) && *fitted != SNW_CANCELLED) {
		return snw_fail(finding, *fitted, "%s", fault.text);
	}
	const snw_status released = harness_release(b, finding);
	if (snw_failed(released)) {
		return released;
	}
	return was_asked && *fitted != SNW_CANCELLED && *fitted != SNW_NOT_CONVERGED
			   ? snw_fail(finding, SNW_ERROR_INTERNAL, "fit ran to its end although progress returned 0 at report %u", place)
			   : SNW_OK;
}

snw_status snw_validate_cancel(harness *b, const check_settings *settings, snw_error *finding) {
	const uint32_t total = b->fit_reports > 0 ? b->fit_reports : 1;
	places p = places_of(b, settings, total);
	snw_status status = SNW_OK, fitted = SNW_OK;
	uint32_t cancelled = 0, best = 0, reports = 0;
	for (uint32_t place = next_place(&p); place > 0 && !snw_failed(status); place = next_place(&p)) {
		status = stop_at(b, place, &fitted, finding);
		cancelled += fitted == SNW_CANCELLED;
		best += fitted == SNW_NOT_CONVERGED;
		reports += b->trial.reports;
	}
	if (snw_failed(status)) {
		return status;
	}
	return reports == 0 ? snw_fail(finding, SNW_OK, "ends without asking for progress")
						: snw_fail(finding, SNW_OK, "stopped at %u of %u reports: %u cancelled, %u with the best so far",
								   p.tried, total, cancelled, best);
}
