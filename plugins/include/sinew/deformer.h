/* SPDX-License-Identifier: MIT
 *
 * A deformer: its static descriptor, its functions, and the one symbol through which the host finds it.
 */
#ifndef SINEW_DEFORMER_H
#define SINEW_DEFORMER_H

#include "sinew/base.h"
#include "sinew/field.h"
#include "sinew/host.h"
#include "sinew/parameter.h"
#include "sinew/program.h"
#include "sinew/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a fit needs to be there; the host refuses a fit without it, naming what is missing. */
enum {
	SNW_NEEDS_MESH = 1u << 0,
	SNW_NEEDS_FACES = 1u << 1,
	SNW_NEEDS_SKELETON = 1u << 2,
	SNW_NEEDS_SKIN = 1u << 3,
	SNW_NEEDS_EXAMPLES = 1u << 4,
	SNW_NEEDS_SEQUENCE = 1u << 5,
	SNW_NEEDS_TARGETS = 1u << 6,
	SNW_NEEDS_SAMPLES = 1u << 7, /* any of examples, sequences and targets; all that there are come with the fit */
	SNW_NEEDS_FRAMES = 1u << 8,  /* any of sequences and targets; all that there are come with the fit */
};

/* How a deformer behaves in the stack. */
enum {
	/* Its fit reads the rest and the base skin alone and takes no time to speak of: the host fits it anew whenever it builds
	 * the stack and never stores its model. */
	SNW_BINDS = 1u << 0,
	/* Its fit is a matter of a moment and asks nothing of the user: the host fits it again by itself whenever something that its
	 * last fit read has changed, as part of the same undoable step. */
	SNW_REFITS = 1u << 1,
	/* Its fit moves every example onto its sculpt, whatever lies below: the host uses it for what a stroke makes. */
	SNW_CORRECTS = 1u << 2,
	/* It lowers to a blend that stands for the character's own: the host tries it in place of the lowest layer that blends, not
	 * above it. */
	SNW_REPLACES_BLEND = 1u << 3,
	/* With SNW_BINDS: it shows the character as its file has it, so that other methods are compared with it. At most one deformer
	 * that is loaded should have it; the first one counts. */
	SNW_BASELINE = 1u << 4,
};

/* The deformer with SNW_BASELINE that ships, by its id and short name. What reads a character from a file gives it a layer of
 * this, before any plug-in is loaded. */
#define SNW_BASELINE_ID "org.sinew.linear-blend"
#define SNW_BASELINE_NAME "linear-blend"

typedef struct snw_descriptor {
	uint32_t size;
	const char *id;         /* reverse DNS, unique: "org.sinew.linear-blend" */
	const char *short_name; /* what the command line calls it: "linear-blend" */
	const char *name;       /* for people: "Linear blend" */
	const char *version;    /* "1.0": changes when saved models do */
	const char *paper;      /* authors, title, year; "" where there is none */
	uint32_t needs;         /* SNW_NEEDS_… */
	uint32_t traits;        /* SNW_BINDS, … */
	/* One pass of `deform` at a point reads this many rings of neighbours: 0, itself alone; SNW_NONE, the whole mesh. */
	uint32_t rings;
	uint32_t parameter_count;
	const snw_parameter *parameters;
	uint32_t field_count;
	const snw_field_info *fields;
} snw_descriptor;

typedef struct snw_instance snw_instance; /* authoring state: mutable, owned by one thread at a time */
typedef struct snw_model snw_model;       /* what a fit returns: immutable, used from any thread at once */

/* Everything a fit may read. Which parts are filled follows from the descriptor's needs and from what the scene holds. */
typedef struct snw_fit_input {
	uint32_t size;
	const snw_character_view *character;
	uint32_t example_count;
	const snw_example_view *examples;
	uint32_t group_count;
	const snw_group_view *groups;
	uint32_t sequence_count; /* mesh animations without a rig behind them */
	const snw_sequence_view *sequences;
	uint32_t target_count; /* what a black-box rig makes of clips */
	const snw_sequence_view *targets;
	uint32_t value_count;
	const double *values; /* [value_count], one for each row of the parameter table, within its hard range */
	/* The model that the layer's last fit left, of this deformer and loaded for this character; NULL where there is none. A fit
	 * may take from it what it can prove to be unchanged, and must give the bits that it would give without it. */
	const snw_model *previous;
	uint32_t override_count;
	const snw_override *overrides; /* at most one for each parameter, scope and index */
} snw_fit_input;

/* Bytes out, for save. `write` returns SNW_OK or why it could not. */
typedef struct snw_sink {
	uint32_t size;
	void *context;
	snw_status (*write)(void *context, const void *bytes, size_t count);
} snw_sink;

/* The functions of one deformer. All are required unless marked optional (NULL). A function that fails leaves its outputs
 * untouched. `values` below is [parameter_count], as in snw_fit_input; drive and deform may read only those of stage DRIVE,
 * lower those of stages LOWER and DRIVE. */
typedef struct snw_deformer {
	uint32_t size;
	const snw_descriptor *descriptor;

	/* Pre: host outlives the instance and every model made or loaded with it. Post: *instance is released by destroy. */
	snw_status (*create)(const snw_host *host, snw_instance **instance) SNW_OWNER_THREAD;
	void (*destroy)(snw_instance *instance) SNW_OWNER_THREAD;

	/* Learns a model. Legal statuses: OK; CANCELLED, with no model; NOT_CONVERGED and ILL_CONDITIONED, with a model worth
	 * keeping; any error, with no model and its words given to the task service. */
	snw_status (*fit)(snw_instance *instance, const snw_fit_input *input, snw_model **model) SNW_OWNER_THREAD;

	/* Optional, NULL for nothing: how much drive writes. */
	void (*layout)(const snw_model *model, snw_drive_layout *layout) SNW_ANY_THREAD;
	/* Optional, NULL for none: bytes of scratch, aligned to 64, that drive and each pass of deform want. */
	size_t (*scratch_bytes)(const snw_model *model) SNW_ANY_THREAD;

	/* Optional where layout is all zeros: the pose → z, d, e. */
	snw_status (*drive)(const snw_model *model, const double *values, const snw_pose_view *pose, void *scratch,
						snw_drive_output *output) SNW_EVALUATION;

	/* Optional where lower never refuses: points in → points out, both [point_count][3], never the same array; writes the
	 * range [begin, end) alone. Called `passes` times (optional, NULL for 1) with the output of one pass as the input of the
	 * next, each pass split into ranges over threads. `driven` is what drive wrote for this pose. */
	uint32_t (*passes)(const snw_model *model, const double *values) SNW_EVALUATION;
	snw_status (*deform)(const snw_model *model, const double *values, const snw_pose_view *pose,
						 const snw_drive_output *driven, uint32_t mesh, uint32_t pass, const double *points_in,
						 double *points_out, uint32_t begin, uint32_t end, void *scratch) SNW_EVALUATION;

	/* Optional: the layer's own part of the skin program for one mesh. SNW_ERROR_UNSUPPORTED with *reason (a static string:
	 * why it does not lower) leaves it a black box. */
	snw_status (*lower)(const snw_model *model, const double *values, uint32_t mesh, snw_program_part *part,
						const char **reason) SNW_OWNER_THREAD;

	/* A model as bytes, the same on every machine; load gives back a model that evaluates to the same bits, and refuses
	 * damaged bytes with SNW_ERROR_DATA. `character` is the one the model is to run on. */
	snw_status (*save)(const snw_model *model, const snw_sink *sink) SNW_OWNER_THREAD;
	snw_status (*load)(const snw_host *host, const snw_character_view *character, const void *bytes, size_t count,
					   snw_model **model) SNW_OWNER_THREAD;
	void (*release)(snw_model *model) SNW_OWNER_THREAD;

	/* Optional: what drives the model's displacements, as one JSON object (UTF-8), so that an engine can evaluate it live
	 * instead of playing baked weights. Its members go into the `extras` of exported meshes as they are; each carries its own
	 * "version". docs/pose-space.md defines the member "poseSpace". */
	snw_status (*describe)(const snw_model *model, const double *values, const snw_sink *sink) SNW_OWNER_THREAD;
} snw_deformer;

/* The one exported symbol of a plug-in: a constant of this type named SNW_ENTRY_NAME.
 * `deformer(i)` gives the i-th of `deformer_count`, or NULL. */
typedef struct snw_entry {
	uint32_t size;
	uint32_t abi_major;
	uint32_t abi_minor;
	uint32_t deformer_count;
	const snw_deformer *(*deformer)(uint32_t index)SNW_ANY_THREAD;
} snw_entry;

#define SNW_ENTRY_SYMBOL sinew_entry
#define SNW_ENTRY_NAME "sinew_entry"

#ifdef __cplusplus
}
#endif

#endif
