/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Deformers of plug-ins that do not ship with Sinew, as the rest of the host sees them: tables like any other, whose functions
 * pass each call on to a plug-in process. None of the plug-in's code is loaded into this process.
 */
#ifndef SINEW_HOST_ISOLATION_ISOLATED_DEFORMER_H
#define SINEW_HOST_ISOLATION_ISOLATED_DEFORMER_H

#include "base/arena.h"
#include "isolation/plugin_process.h"
#include "message/stream.h"

/* What a loaded deformer offers, as written by a trial of its file. `self` is what its functions get. */
void snw_put_deformer(snw_stream *stream, const snw_deformer *deformer, const snw_deformer *self);

/* A deformer of `path`, in `arena`, that runs in plug-in processes; they find it with `find`. NULL if the stream is broken. */
const snw_deformer *snw_get_deformer(snw_stream *stream, const char *path, snw_plugin_finder *find, snw_arena *arena);

/* Its deform takes all points of a mesh in one call, runs every pass, and shares the ranges out among its own threads. */
bool snw_deformer_is_isolated(const snw_deformer *deformer);

/* Why the last call of this thread into such a deformer failed: "crashed in drive (abort())". NULL if it is not known, and for
 * others. */
const char *snw_deformer_problem(const snw_deformer *deformer);

#endif
