/* SPDX-License-Identifier: MIT
 *
 * A deformer: its static descriptor, its functions, and the one symbol through which the host finds it.
 *
 * Non-goals: state between frames (what a model computes for a pose depends on that pose alone), topology that changes (points
 * and faces are those of the rest), and shaders from plug-ins (the GPU runs skin programs and nothing else).
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

/* What a fit needs. The host refuses a fit that lacks any of it, and says what is missing. */
enum snw_needs {
	SNW_NEEDS_MESH = 1u << 0,
	SNW_NEEDS_FACES = 1u << 1,
	SNW_NEEDS_SKELETON = 1u << 2,
	SNW_NEEDS_SKIN = 1u << 3,
	SNW_NEEDS_EXAMPLES = 1u << 4,
	SNW_NEEDS_SEQUENCE = 1u << 5,
	SNW_NEEDS_TARGETS = 1u << 6,
	SNW_NEEDS_SAMPLES = 1u << 7, /* any of examples, sequences and targets; the fit gets them all */
	SNW_NEEDS_FRAMES = 1u << 8,  /* any of sequences and targets; the fit gets them all */
};

/* How a deformer behaves in the stack. */
enum snw_traits {
	/* Its fit reads the rest and the base skin alone and is instant: the host repeats it whenever it builds the stack, and
	 * never stores the model. */
	SNW_BINDS = 1u << 0,
	/* Its fit is quick and asks nothing of the user: the host repeats it whenever something that the last fit read has
	 * changed, as part of the same undoable step. */
	SNW_REFITS = 1u << 1,
	/* Its fit reproduces every example, whatever lies below: the host uses it to fit what a stroke makes. */
	SNW_CORRECTS = 1u << 2,
	/* It blends in place of the character's own, lowered or as a black box: the host puts it in place of the lowest layer that
	 * blends, not above it. What lies below it in a fit is that layer and those under it, even where that layer is muted. */
	SNW_REPLACES_BLEND = 1u << 3,
	/* With SNW_BINDS: it shows the character as its file has it, a linear blend of the joints, and other methods are compared
	 * with it. Interfaces call it "linear blend". At most one loaded deformer should have it; the first one counts. */
	SNW_BASELINE = 1u << 4,
	/* Its fit makes a skeleton for a character that has none, and proposes it with weights and tracks. The host keeps these
	 * proposals and nothing else: there is no layer, and the model is released. SNW_ROLE_BONES and SNW_ROLE_DRAWING are for
	 * it. */
	SNW_MAKES_SKELETON = 1u << 5,
	/* Its fit makes skin weights for the meshes of a character with a skeleton, and proposes them. Every joint has a slot. It
	 * gets all examples, sequences and targets that there are, and the host keeps the proposals alone, as above.
	 * SNW_ROLE_INFLUENCES says how many joints may move a point. */
	SNW_MAKES_WEIGHTS = 1u << 6,
	/* Its fit reads UVs (snw_mesh_view's corner_uvs): the host calls its model stale when they change. Without this trait other
	 * UVs leave a model current. */
	SNW_READS_UVS = 1u << 7,
	/* Its fit takes long, but its refit (`refits` of snw_fit_input) is quick: where the last fit read examples and no frames,
	 * the host refits it whenever examples, groups or the layers below have changed, as part of the same undoable step. After
	 * other changes its layer is stale until it is fitted. */
	SNW_REFITS_EXAMPLES = 1u << 8,
};

/* What a deformer is. Static: it and all that it points to stay as they are until the plug-in's close. */
typedef struct snw_descriptor {
	uint32_t size;
	const char *id;         /* reverse DNS, unique: "com.example.bulge" */
	const char *short_name; /* for the command line: lower case, words joined by '-' */
	const char *name;       /* for people: "Bulge" */
	const char *version;    /* "1.0": changes when saved models do */
	const char *paper;      /* authors, title, year; "" where there is none */
	uint32_t needs;         /* SNW_NEEDS_… */
	uint32_t traits;        /* SNW_BINDS, … */
	/* How many rings of neighbours one pass of `deform` reads around a point; 0: the point itself alone; SNW_NONE: the whole
	 * mesh. */
	uint32_t rings;
	uint32_t parameter_count;
	const snw_parameter *const *parameters; /* [parameter_count] */
	uint32_t field_count;
	const snw_field_info *const *fields; /* [field_count] */
} snw_descriptor;

typedef struct snw_instance snw_instance; /* authoring state: mutable, used by one thread at a time */
typedef struct snw_model snw_model;       /* what a fit returns: immutable, used by any number of threads at once */
typedef struct snw_deformer snw_deformer;

/* Everything that a fit may read. The descriptor's needs, and what the project holds, decide which parts are filled. */
typedef struct snw_fit_input {
	uint32_t size;
	const snw_character_view *character;
	uint32_t example_count;
	const snw_example_view *const *examples; /* [example_count] */
	uint32_t group_count;
	const snw_group_view *const *groups;       /* [group_count] */
	uint32_t sequence_count;                   /* mesh animations without a rig */
	const snw_sequence_view *const *sequences; /* [sequence_count] */
	uint32_t target_count;                     /* what another rig makes of clips */
	const snw_sequence_view *const *targets;   /* [target_count] */
	uint32_t value_count;
	const snw_value *values; /* [value_count], one for each row of the parameter table, within its hard range */
	/* The model of the layer's last fit, of this deformer and loaded for this character; NULL where there is none. A fit may
	 * reuse what it can prove to be unchanged, and must give the bits that it would give without it, unless it is a refit. */
	const snw_model *previous;
	uint32_t override_count;
	const snw_override *const *overrides; /* [override_count], at most one for each parameter, scope and index */
	/* 1: a refit, for a deformer with SNW_REFITS_EXAMPLES. `previous` is there. What the last fit chose (by leaving samples
	 * out, or by poses that no sample has) is kept, and the model holds it for the next refit; everything else is learned as a
	 * fit learns it. So the same input and the same choices give the same bits, however many refits have passed them on. Where
	 * `previous` has no choices, such as for a mesh that had no samples, they are made as in a fit. 0: a fit. */
	uint32_t refits;
} snw_fit_input;

/* Where save and describe write: bytes, in as many pieces as they like. `write` copies them, and returns SNW_OK or an error
 * that the plug-in passes on. Only the thread that save or describe runs on may call it. */
typedef struct snw_sink {
	uint32_t size;
	void *context;
	snw_status(SNW_CALL *write)(void *context, const void *bytes, size_t count); /* SNW_OWNER_THREAD */
} snw_sink;

/* What load is given. */
typedef struct snw_load_call {
	uint32_t size;
	const snw_host *host;                /* outlives the model */
	const snw_character_view *character; /* the one that the model will run on */
	const void *bytes;                   /* [count], of any alignment; they may be damaged */
	size_t count;
} snw_load_call;

/* What reskin is given. */
typedef struct snw_reskin_call {
	uint32_t size;
	const snw_host *host;                /* outlives the model */
	const snw_character_view *character; /* the one that the model will run on */
	const snw_rows_view *const *rows;    /* [character->mesh_count]: the skin of each mesh */
} snw_reskin_call;

/* What transfer is given. */
typedef struct snw_transfer_call {
	uint32_t size;
	const snw_host *host;             /* outlives the model */
	const snw_character_view *before; /* the character that the bytes are of */
	const void *bytes;                /* [count], of any alignment: what save wrote; they may be damaged */
	size_t count;
	/* The one that the model will run on: as before, but for the points and faces of its meshes. */
	const snw_character_view *character;
	const snw_stencils_view *const *stencils; /* [character->mesh_count] */
} snw_transfer_call;

/* What evaluation is given.
 *   - `values` is [parameter_count], as in snw_fit_input. drive, passes, prepare and deform may read only those of stage DRIVE;
 *     lower only those of stages LOWER and DRIVE.
 *   - `scratch` has the length that the layout asks for, aligned to 64; NULL where it asks for none. It belongs to this call
 *     alone: it holds anything on entry, and nothing in it survives the return. */
typedef struct snw_drive_call {
	uint32_t size;
	const snw_model *model;
	const snw_value *values;
	const snw_pose_view *pose;
	void *scratch;
	const snw_drive_output *output; /* every entry of its arrays is to be written */
} snw_drive_call;

typedef struct snw_deform_call {
	uint32_t size;
	const snw_model *model;
	const snw_value *values;
	const snw_pose_view *pose;
	const snw_drive_output *driven; /* what drive wrote for this pose; read only */
	uint32_t mesh;                  /* into the character's meshes */
	uint32_t pass;                  /* from 0 */
	uint32_t begin, end;            /* the range of points to write; all points for prepare */
	/* Points of the whole mesh, each [point_count][3]. All but points_out may be the same array. */
	const double *points_rest;  /* at rest */
	const double *points_below; /* as they reached the layer: points_in of pass 0 */
	const double *points_in;    /* as the pass before left them */
	double *points_out;         /* deform writes every point from begin to end - 1, and no other; NULL for prepare */
	void *scratch;
	/* As long as the layout asks for, aligned to 64; NULL where it asks for none. prepare writes it, and every deform of the
	 * same pass and mesh reads it. */
	void *prepared;
} snw_deform_call;

typedef struct snw_lower_call {
	uint32_t size;
	const snw_model *model;
	const snw_value *values;
	uint32_t mesh;          /* into the character's meshes */
	snw_program_part *part; /* sized by the host: use snw_put */
	const char **reason;    /* why it does not lower; a string that lives as long as the model */
	const snw_host *host;   /* its service `program` says what this host runs */
} snw_lower_call;

/* The functions of one deformer. All are required but those marked optional, which may be NULL. Each is given what it belongs
 * to: `self`, the deformer as the plug-in gave it, its instance, or its model.
 *
 * A function that returns a status returns SNW_OK or an error (any negative status of base.h), and nothing else unless its
 * comment says so; the host reports any other status as SNW_ERROR_INTERNAL. Before it returns an error, a plug-in gives the
 * words for it to the task service; an error without words is reported with those of the table in base.h. drive, prepare and
 * deform must not call services, so their errors have no words. */
struct snw_deformer {
	uint32_t size;
	const snw_descriptor *descriptor;

	/* A deformer with SNW_BINDS and nothing to bind has no `fit`. Then create, destroy and release are optional too, and a
	 * model has no size: the host makes it, and what `model` points to is not read. */

	/* Makes an instance. `host` outlives it and every model that it fits. The host ends it with destroy, which never gets
	 * NULL. */
	snw_status(SNW_CALL *create)(const snw_deformer *self, const snw_host *host, snw_instance **instance) SNW_OWNER_THREAD;
	void(SNW_CALL *destroy)(snw_instance *instance) SNW_OWNER_THREAD;

	/* Learns a model, which may outlive the instance and is ended with release. Repeatable: the same input gives the same bits,
	 * on any number of threads. Besides SNW_OK: SNW_NOT_CONVERGED and SNW_ILL_CONDITIONED, with a model worth keeping;
	 * SNW_CANCELLED, without one.
	 *
	 * A stop is a progress that returned 0. A fit then does not continue: it returns its best model so far as
	 * SNW_NOT_CONVERGED, or frees what it made and returns SNW_CANCELLED. Both are legal. */
	snw_status(SNW_CALL *fit)(snw_instance *instance, const snw_fit_input *input, snw_model **model) SNW_OWNER_THREAD;

	/* Optional where drive writes nothing and evaluation needs no memory: how much of both. Fills `layout` with
	 * snw_put. */
	void(SNW_CALL *layout)(const snw_model *model, snw_model_layout *layout) SNW_ANY_THREAD;

	/* Optional where the layout has no z, d and e: the pose → z, d, e. Repeatable, as fit is. */
	snw_status(SNW_CALL *drive)(const snw_drive_call *call) SNW_EVALUATION;

	/* `deform`: points in → points out. Optional where lower never refuses. It runs in passes, with the output of one as the
	 * input of the next. Each pass is split into ranges over threads; where a point goes must not depend on the split.
	 * `passes`: how many, at most 10000, asked when the stack is built. Optional: NULL for 1.
	 * `prepare`: called once before the ranges of a pass, for sums over the whole mesh. Optional. */
	uint32_t(SNW_CALL *passes)(const snw_model *model, const snw_value *values) SNW_EVALUATION;
	snw_status(SNW_CALL *prepare)(const snw_deform_call *call) SNW_EVALUATION;
	snw_status(SNW_CALL *deform)(const snw_deform_call *call) SNW_EVALUATION;

	/* Optional: the layer's part of the skin program for one mesh. Its arrays belong to the model and live as long as it does.
	 * SNW_ERROR_UNSUPPORTED, with a reason, makes the layer a black box for this mesh, which runs by deform. So does a part
	 * with a blend, palette, sign rule or kind of normals that the host does not know. */
	snw_status(SNW_CALL *lower)(const snw_lower_call *call) SNW_OWNER_THREAD;

	/* A model as bytes, the same on every machine. Both are optional for a deformer with SNW_BINDS. save returns what the sink
	 * returned. load makes a model that evaluates to the same bits; it returns SNW_ERROR_DATA for damaged bytes and for those
	 * of another character. release ends a model, and never gets NULL. */
	snw_status(SNW_CALL *save)(const snw_model *model, const snw_sink *sink) SNW_OWNER_THREAD;
	snw_status(SNW_CALL *load)(const snw_deformer *self, const snw_load_call *call, snw_model **model) SNW_OWNER_THREAD;
	void(SNW_CALL *release)(snw_model *model) SNW_OWNER_THREAD;

	/* Optional: what drives the model's displacements, as one JSON object (UTF-8), so that an engine can evaluate it live
	 * instead of playing baked weights. Its members go into the `extras` of exported meshes as they are; each has a "version".
	 * docs/pose-space.md defines the member "poseSpace". */
	snw_status(SNW_CALL *describe)(const snw_model *model, const snw_value *values, const snw_sink *sink) SNW_OWNER_THREAD;

	/* Optional, for a deformer whose model can be any skin of rows: the model of a skin that the host has made exactly, because
	 * it has changed the meshes, such as that of a subdivided character. It learns nothing: it lowers to SNW_BLEND_AFFINE over
	 * SNW_PALETTE_JOINTS with these rows, bit for bit, and to SNW_BLEND_NONE for a mesh without offsets. */
	snw_status(SNW_CALL *reskin)(const snw_deformer *self, const snw_reskin_call *call, snw_model **model) SNW_OWNER_THREAD;

	/* Optional: a table of an extension, by "name/revision"; NULL for one that the deformer does not have. The table lives
	 * until the plug-in's close. */
	const void *(SNW_CALL *extension)(const snw_deformer *self, const char *id)SNW_ANY_THREAD;

	/* Optional: a saved model for meshes that have other points and faces now. It learns nothing: what it holds for each point
	 * (weights, displacements) is that of the old points, by the stencils. With stencils that take each point to itself, it
	 * evaluates as the model does that load makes of the same bytes. SNW_ERROR_UNSUPPORTED for a model that cannot follow;
	 * otherwise the errors of load. */
	snw_status(SNW_CALL *transfer)(const snw_deformer *self, const snw_transfer_call *call, snw_model **model) SNW_OWNER_THREAD;
};

/* What open is given. */
typedef struct snw_open_call {
	uint32_t size;
	const char *path; /* of the shared object, absolute: a plug-in finds the files that it ships with beside it */
} snw_open_call;

/* The one exported symbol of a plug-in: a constant of this type named SNW_ENTRY_NAME. */
typedef struct snw_entry {
	uint32_t size;
	uint32_t abi_major;
	uint32_t abi_minor;
	uint32_t deformer_count;
	/* The deformer of an index below deformer_count; NULL for one that cannot run here. It and all that it points to stay as
	 * they are until close. A file has one entry, so neither this nor open and close are given an object: what they keep is the
	 * file's. */
	const snw_deformer *(SNW_CALL *deformer)(uint32_t index)SNW_OWNER_THREAD;
	/* Optional. open is called before the first call of `deformer`. Any status but SNW_OK refuses the file, and close is then
	 * not called. close is called when the host is done with everything that came from the plug-in. A process may load a file
	 * more than once: each open that succeeded has one close. */
	snw_status(SNW_CALL *open)(const snw_open_call *call) SNW_OWNER_THREAD;
	void(SNW_CALL *close)(void) SNW_OWNER_THREAD;
} snw_entry;

#define SNW_ENTRY_SYMBOL sinew_entry
#define SNW_ENTRY_NAME "sinew_entry"

#ifdef __cplusplus
}
#endif

#endif
