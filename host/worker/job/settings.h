/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Settings as bytes: a part of requests and of outcomes.
 */
#ifndef SINEW_HOST_WORKER_JOB_SETTINGS_H
#define SINEW_HOST_WORKER_JOB_SETTINGS_H

#include "message/stream.h"
#include "scene/scene.h"

void snw_put_settings(snw_stream *out, const snw_setting *settings, uint32_t count);

/* Everything in `arena`. False where one is incomplete. */
bool snw_get_settings(snw_stream *in, snw_arena *arena, const snw_setting **settings, uint32_t *count);

#endif
