/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What people read for methods and layers: a method's title in place of its short name, and what it is for.
 */
#ifndef SINEW_UI_WINDOW_DOCUMENT_TITLES_H
#define SINEW_UI_WINDOW_DOCUMENT_TITLES_H

#include "plugin/registry.h"
#include "scene/scene.h"

/* The title of the deformer with this id or short name; the given name if none is loaded. */
const char *snw_method_title(const snw_registry *registry, const char *method);
/* The title of a layer. A layer that still has the short name of its method, with or without a number, gets the method's title
 * ("Smooth 2"); one that was renamed keeps its name. Written to `words` where needed. */
const char *snw_layer_title(const snw_registry *registry, const snw_layer *layer, char *words, size_t size);
/* One sentence by what the deformer declares: when to use it. */
const char *snw_method_purpose(const snw_descriptor *descriptor);

#endif
