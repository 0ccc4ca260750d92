/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For deformers of the tests whose models live no longer than the process that fits them.
 */
#ifndef SINEW_TESTS_UNSAVED_H
#define SINEW_TESTS_UNSAVED_H

#include "sinew/sinew.h"

static snw_status save(const snw_model *model, const snw_sink *sink) {
	(void)model, (void)sink;
	return SNW_ERROR_UNSUPPORTED;
}

static snw_status load(const snw_host *host, const snw_character_view *character, const void *bytes, size_t count,
					   snw_model **model) {
	(void)host, (void)character, (void)bytes, (void)count, (void)model;
	return SNW_ERROR_UNSUPPORTED;
}

#endif
