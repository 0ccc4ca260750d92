/* SPDX-License-Identifier: MIT
 *
 * A deformer: its static descriptor, its functions, and the one symbol through which the host finds it.
 *
 * Not aimed at: state between frames (what a model gives for a pose depends on that pose alone), topology that changes (points and
 * faces stay those of the rest), and shaders from plug-ins (the GPU runs the skin program and nothing else).
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
	const snw_parameter *const *parameters; /* [parameter_count] */
	uint32_t field_count;
	const snw_field_info *const *fields; /* [field_count] */
} snw_descriptor;

typedef struct snw_instance snw_instance; /* authoring state: mutable, owned by one thread at a time */
typedef struct snw_model snw_model;       /* what a fit returns: immutable, used from any thread at once */
typedef struct snw_deformer snw_deformer;

/* Everything a fit may read. Which parts are filled follows from the descriptor's needs and from what the scene holds. */
typedef struct snw_fit_input {
	uint32_t size;
	const snw_character_view *character;
	uint32_t example_count;
	const snw_example_view *const *examples; /* [example_count] */
	uint32_t group_count;
	const snw_group_view *const *groups; /* [group_count] */
	uint32_t sequence_count;             /* mesh animations without a rig behind them */
	const snw_sequence_view *const *sequences;
	uint32_t target_count; /* what a black-box rig makes of clips */
	const snw_sequence_view *const *targets;
	uint32_t value_count;
	const snw_value *values; /* [value_count], one for each row of the parameter table, within its hard range */
	/* The model that the layer's last fit left, of this deformer and loaded for this character; NULL where there is none. A fit
	 * may take from it what it can prove to be unchanged, and must give the bits that it would give without it. */
	const snw_model *previous;
	uint32_t override_count;
	const snw_override *const *overrides; /* [override_count], at most one for each parameter, scope and index */
} snw_fit_input;

/* Bytes out, for save. `write` returns SNW_OK or why it could not. */
typedef struct snw_sink {
	uint32_t size;
	void *context;
	snw_status(SNW_CALL *write)(void *context, const void *bytes, size_t count);
} snw_sink;

/* Bytes in. */
typedef struct snw_load_call {
	uint32_t size;
	const snw_host *host;
	const snw_character_view *character; /* the one that the model is to run on */
	const void *bytes;
	size_t count;
} snw_load_call;

/* What evaluation is told. `values` is [parameter_count], as in snw_fit_input; drive, prepare and deform may read only those of
 * stage DRIVE, lower those of stages LOWER and DRIVE. `scratch` belongs to the call alone: it is as long as the layout says,
 * aligned to 64, holds anything on entry and is gone at the return; NULL where the layout asks for none. */
typedef struct snw_drive_call {
	uint32_t size;
	const snw_model *model;
	const snw_value *values;
	const snw_pose_view *pose;
	void *scratch;
	const snw_drive_output *output; /* arrays to be written whole: they hold anything on entry */
} snw_drive_call;

typedef struct snw_deform_call {
	uint32_t size;
	const snw_model *model;
	const snw_value *values;
	const snw_pose_view *pose;
	const snw_drive_output *driven; /* what drive wrote for this pose */
	uint32_t mesh;
	uint32_t pass;
	uint32_t begin, end; /* the range of points to write: all of the mesh for prepare */
	/* Points, each [point_count][3]. All but points_out may be the same array. */
	const double *points_rest;  /* the mesh's rest */
	const double *points_below; /* what reached the layer: points_in of pass 0 */
	const double *points_in;    /* of this pass, whole */
	double *points_out;         /* write [begin, end) alone, and all of it; NULL for prepare */
	void *scratch;
	void *prepared; /* what prepare wrote for this pass, to be read alone by deform; NULL where the layout asks for none */
} snw_deform_call;

typedef struct snw_lower_call {
	uint32_t size;
	const snw_model *model;
	const snw_value *values;
	uint32_t mesh;
	snw_program_part *part; /* zeroed and sized by the host: use snw_put */
	const char **reason;    /* a static string: why it does not lower */
} snw_lower_call;

/* The functions of one deformer. All are required unless marked optional (NULL). Each is told whose it is: by `self`, which is the
 * deformer as the plug-in gave it, by its instance, or by its model. A function that fails leaves its outputs untouched.
 *
 * Every function may also return SNW_ERROR_MEMORY and SNW_ERROR_INTERNAL. A plug-in gives the words for a failure to the task
 * service before it returns; a status without words gets those of the table in base.h. A status that is not legal for a function
 * is reported as SNW_ERROR_INTERNAL. */
struct snw_deformer {
	uint32_t size;
	const snw_descriptor *descriptor;

	/* `host` outlives the instance and every model made with it. *instance is released by destroy. */
	snw_status(SNW_CALL *create)(const snw_deformer *self, const snw_host *host, snw_instance **instance) SNW_OWNER_THREAD;
	void(SNW_CALL *destroy)(snw_instance *instance) SNW_OWNER_THREAD;

	/* Learns a model, which may outlive the instance. `input` and all that it points at are gone at the return. Repeatable: the
	 * same input gives the same bits, on any number of threads. Legal: OK; NOT_CONVERGED and ILL_CONDITIONED, with a model worth
	 * keeping; CANCELLED, with no model; any error, with no model. Where progress answered stop, a fit either returns its best so
	 * far as NOT_CONVERGED or frees what it made and returns CANCELLED: both are right, going on is not. */
	snw_status(SNW_CALL *fit)(snw_instance *instance, const snw_fit_input *input, snw_model **model) SNW_OWNER_THREAD;

	/* Optional, NULL for nothing: how much drive writes, and the memory that evaluation works in. */
	void(SNW_CALL *layout)(const snw_model *model, snw_model_layout *layout) SNW_ANY_THREAD;

	/* Optional where the layout has no z, d and e: the pose → z, d, e. Legal: OK and errors. */
	snw_status(SNW_CALL *drive)(const snw_drive_call *call) SNW_EVALUATION;

	/* Optional where lower never refuses: points in → points out. Called `passes` times (optional, NULL for 1) with the output of
	 * one pass as the input of the next, each pass split into ranges over threads; what a point gets must not depend on the split.
	 * `prepare` (optional) is called once before the ranges of a pass, for what needs the whole mesh. Legal: OK and errors. */
	uint32_t(SNW_CALL *passes)(const snw_model *model, const snw_value *values) SNW_EVALUATION;
	snw_status(SNW_CALL *prepare)(const snw_deform_call *call) SNW_EVALUATION;
	snw_status(SNW_CALL *deform)(const snw_deform_call *call) SNW_EVALUATION;

	/* Optional: the layer's own part of the skin program for one mesh. Legal: OK; ERROR_UNSUPPORTED with *reason, which leaves the
	 * layer a black box for this mesh; other errors. */
	snw_status(SNW_CALL *lower)(const snw_lower_call *call) SNW_OWNER_THREAD;

	/* Optional, both, for a deformer with SNW_BINDS: a model as bytes, the same on every machine. load gives back a model that
	 * evaluates to the same bits, and refuses damaged bytes, or those of another character, with SNW_ERROR_DATA. Legal: OK and
	 * errors; save returns what the sink returned. */
	snw_status(SNW_CALL *save)(const snw_model *model, const snw_sink *sink) SNW_OWNER_THREAD;
	snw_status(SNW_CALL *load)(const snw_deformer *self, const snw_load_call *call, snw_model **model) SNW_OWNER_THREAD;
	void(SNW_CALL *release)(snw_model *model) SNW_OWNER_THREAD;

	/* Optional: what drives the model's displacements, as one JSON object (UTF-8), so that an engine can evaluate it live
	 * instead of playing baked weights. Its members go into the `extras` of exported meshes as they are; each carries its own
	 * "version". docs/pose-space.md defines the member "poseSpace". Legal: OK and errors. */
	snw_status(SNW_CALL *describe)(const snw_model *model, const snw_value *values, const snw_sink *sink) SNW_OWNER_THREAD;

	/* Optional: an extension of this deformer by "name/revision", or NULL. The pointer lives as long as the plug-in. */
	const void *(SNW_CALL *extension)(const snw_deformer *self, const char *id)SNW_ANY_THREAD;
};

typedef struct snw_open_call {
	uint32_t size;
	const char *path; /* of the shared object, absolute: files that belong to the plug-in stand beside it */
} snw_open_call;

/* The one exported symbol of a plug-in: a constant of this type named SNW_ENTRY_NAME. */
typedef struct snw_entry {
	uint32_t size;
	uint32_t abi_major;
	uint32_t abi_minor;
	uint32_t deformer_count;
	/* The i-th of deformer_count; NULL refuses it. What it points at stays as it is until close. */
	const snw_deformer *(SNW_CALL *deformer)(uint32_t index)SNW_OWNER_THREAD;
	/* Optional. open is called once, before the first call of `deformer`; any status but OK refuses the file, and close is then not
	 * called. close is called once, when nothing of the plug-in is in use any more. */
	snw_status(SNW_CALL *open)(const snw_open_call *call) SNW_OWNER_THREAD;
	void(SNW_CALL *close)(void) SNW_OWNER_THREAD;
} snw_entry;

#define SNW_ENTRY_SYMBOL sinew_entry
#define SNW_ENTRY_NAME "sinew_entry"

#ifdef __cplusplus
}
#endif

#endif
