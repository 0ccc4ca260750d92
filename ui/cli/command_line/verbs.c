/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The verbs, in the order of a typical workflow.
 */
#include "cli/command_line/verb.h"
#include "operators/nouns.h"

#define VERBS(ROW)                                                                                                             \
	ROW(sample)                                                                                                                \
	ROW(import)                                                                                                                \
	ROW(reimport)                                                                                                              \
	ROW(info)                                                                                                                  \
	ROW(pose)                                                                                                                  \
	ROW(example)                                                                                                               \
	ROW(group)                                                                                                                 \
	ROW(clip)                                                                                                                  \
	ROW(target)                                                                                                                \
	ROW(shape)                                                                                                                 \
	ROW(joint)                                                                                                                 \
	ROW(skeleton)                                                                                                              \
	ROW(bind)                                                                                                                  \
	ROW(weights)                                                                                                               \
	ROW(mesh)                                                                                                                  \
	ROW(track)                                                                                                                 \
	ROW(undo)                                                                                                                  \
	ROW(redo)                                                                                                                  \
	ROW(history)                                                                                                               \
	ROW(do)                                                                                                                    \
	ROW(stack)                                                                                                                 \
	ROW(fit)                                                                                                                   \
	ROW(measure)                                                                                                               \
	ROW(contact)                                                                                                               \
	ROW(compare)                                                                                                               \
	ROW(report)                                                                                                                \
	ROW(view)                                                                                                                  \
	ROW(render)                                                                                                                \
	ROW(bake)                                                                                                                  \
	ROW(lod)                                                                                                                   \
	ROW(unwrap)                                                                                                                \
	ROW(normal_map)                                                                                                            \
	ROW(export)                                                                                                                \
	ROW(plugin)                                                                                                                \
	ROW(plugins)                                                                                                               \
	ROW(validate)                                                                                                              \
	ROW(bench)                                                                                                                 \
	ROW(completion)

#define DECLARE(name) extern const snw_verb snw_verb_##name;
VERBS(DECLARE)
#undef DECLARE

static const snw_option no_options[] = {{NULL, NULL, NULL}};

/* A verb whose actions are all operators. */
#define NOUN(noun_name)                                                                                                        \
	const snw_verb snw_verb_##noun_name = {.name = #noun_name,                                                                 \
										   .noun = &snw_operators_##noun_name,                                                 \
										   .options = no_options,                                                              \
										   .least_arguments = 2,                                                               \
										   .most_arguments = 2};
NOUN(lod)
NOUN(mesh)
NOUN(target)
NOUN(weights)
#undef NOUN

const snw_verb snw_verb_normal_map = {.name = "normal-map", .noun = &snw_operators_normal_map, .options = no_options};
const snw_verb snw_verb_unwrap = {.name = "unwrap", .noun = &snw_operators_unwrap, .options = no_options};

#define POINT(name) &snw_verb_##name,
const snw_verb *const snw_verbs[] = {VERBS(POINT) NULL};
#undef POINT
