/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Settings as bytes: a part of requests and of outcomes.
 */
#ifndef SINEW_HOST_WORKER_JOB_SETTINGS_H
#define SINEW_HOST_WORKER_JOB_SETTINGS_H

#include "scene/scene.h"
#include "worker/job/encoding.h"

void snw_record_put_settings(FILE *out, const snw_setting *settings, uint32_t count);

/* Everything in `arena`. False where one is incomplete. */
bool snw_record_get_settings(snw_reader *reader, snw_arena *arena, const snw_setting **settings, uint32_t *count);

#endif
