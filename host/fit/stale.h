/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a model is still what a fit would make: every model keeps a hash of each kind of thing that its fit read, and they are
 * compared with what there is now. There is no flag that could go wrong, and what is put back is current again.
 */
#ifndef SINEW_HOST_FIT_STALE_H
#define SINEW_HOST_FIT_STALE_H

#include "plugin/registry.h"
#include "scene/scene.h"

/* The kinds that have changed since the layer was fitted: bits 1u << snw_read_kind. 0 where it is current, where it binds, and
 * where its plug-in is missing. SNW_STALE_UNKNOWN alone where the model is from before such hashes were kept. */
#define SNW_STALE_UNKNOWN ((uint32_t)1 << 31)
uint32_t snw_layer_stale(const snw_scene *scene, const snw_registry *registry, uint32_t layer);

/* "the examples and the layers below it changed", in `arena`; for SNW_STALE_UNKNOWN that it is not known. */
const char *snw_stale_words(uint32_t stale, snw_arena *arena);

/* Hashes of what a fit of `layer` (its settings are read) over the layers under `below_layer` would read now. 0 for a kind that
 * the method does not read; the layers below are one of these where `reads_below` is false. */
void snw_fit_reads(const snw_scene *scene, const snw_registry *registry, const snw_deformer *deformer, const snw_layer *layer,
				   uint32_t below_layer, bool reads_below, uint64_t reads[SNW_READ_KINDS]);

#endif
