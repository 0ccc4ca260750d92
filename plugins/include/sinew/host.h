/* SPDX-License-Identifier: MIT
 *
 * What the host offers a plug-in: services by id. A service that a host does not have is NULL, so check before you call.
 *
 *   - Every function takes the snw_host that the plug-in was given. Services live as long as that host, and a host as long as
 *     the instances and models that it was given to.
 *   - What a call is given is copied, or no longer needed, when it returns. Memory and factors live until the plug-in releases
 *     them, which it does before its model or instance is gone.
 *   - passes, drive, prepare and deform call no service. There a service does nothing, and such a call lengthens no limit of
 *     time: it returns NULL for memory, 1 to continue, and SNW_ERROR_UNSUPPORTED as a status.
 *   - A function that returns a status may also return SNW_ERROR_ARGUMENT for a pointer that is missing or an index out of
 *     range, SNW_ERROR_DATA for numbers that are not finite, and SNW_ERROR_MEMORY. It then leaves its outputs as they were, and
 *     keeps words for the user: a plug-in may return the status as it is.
 */
#ifndef SINEW_HOST_H
#define SINEW_HOST_H

#include "sinew/base.h"
#include "sinew/program.h"
#include "sinew/view.h"

typedef struct snw_host snw_host;
struct snw_host {
	uint32_t size;
	uint32_t abi_major;
	uint32_t abi_minor;
	const char *name;    /* "sinew" */
	const char *version; /* of the host program */
	void *context;       /* the host's: a plug-in leaves it alone */
	/* The table of a service, by an id below; NULL where this host, or this call, does not have it. */
	const void *(SNW_CALL *service)(const snw_host *host, const char *id)SNW_ANY_THREAD;
};

/* Task: what a call says while it runs. */
#define SNW_SERVICE_TASK "sinew.task/0"
typedef enum snw_log_level { SNW_LOG_DEBUG = 0, SNW_LOG_INFO = 1, SNW_LOG_WARNING = 2, SNW_LOG_ERROR = 3 } snw_log_level;
typedef struct snw_task_service {
	uint32_t size;
	/* Returns 1 to continue, 0 to stop: snw_deformer.fit says what a fit then returns. `fraction` is from 0 to 1; `step`
	 * names the step in a word or two, or is NULL. Call it at least every tenth of a second during long work. */
	int32_t(SNW_CALL *progress)(const snw_host *host, double fraction, const char *step) SNW_ANY_THREAD;
	/* What went wrong, where, and what to do about it, in one line. Returns `status`, so that one can `return fail(…)`. */
	snw_status(SNW_CALL *fail)(const snw_host *host, snw_status status, const char *text) SNW_ANY_THREAD;
	/* A line of text for the user or the log file; `level` is an snw_log_level. */
	void(SNW_CALL *line)(const snw_host *host, int32_t level, const char *text) SNW_ANY_THREAD;
	/* A number that the call measured of itself, such as the seconds of one of its parts, for benchmarks; nothing reads numbers
	 * from lines. `name` is the plug-in's choice, "inversion"; `unit` is "s" for seconds, "" for a count. A name that is
	 * measured again, for another mesh or group, adds to the earlier value. */
	void(SNW_CALL *measure)(const snw_host *host, const char *name, double value, const char *unit) SNW_OWNER_THREAD;
} snw_task_service;

/* Memory: counted by the host and subject to its limits. */
#define SNW_SERVICE_MEMORY "sinew.memory/0"
typedef struct snw_memory_service {
	uint32_t size;
	/* Zeroed and aligned to 64; NULL when there is none. Not NULL for 0 bytes otherwise. */
	void *(SNW_CALL *acquire)(const snw_host *host, size_t bytes)SNW_ANY_THREAD;
	void(SNW_CALL *release)(const snw_host *host, void *memory) SNW_ANY_THREAD; /* NULL does nothing */
} snw_memory_service;

/* Parallel-for. A chunk gets its range of [0, count) and the index of the thread that runs it. The index is below thread_count,
 * and no two chunks that run at the same time have the same one: an array of thread_count elements is scratch for each thread.
 * What a chunk computes must not depend on it. A chunk may allocate, and call the services that are for any thread. */
#define SNW_SERVICE_PARALLEL "sinew.parallel/0"
typedef void(SNW_CALL *snw_chunk)(void *argument, uint32_t begin, uint32_t end, uint32_t thread); /* SNW_ANY_THREAD */
typedef struct snw_parallel_service {
	uint32_t size;
	/* Runs chunks of `grain` elements (the last may be shorter) and returns when all are done. The partition depends on count
	 * and grain alone, never on the number of threads, so that results are the same bits on every machine. Not nested. A grain
	 * of 0 is 1. */
	void(SNW_CALL *run)(const snw_host *host, uint32_t count, uint32_t grain, snw_chunk chunk, void *argument) SNW_OWNER_THREAD;
	uint32_t(SNW_CALL *thread_count)(const snw_host *host) SNW_ANY_THREAD; /* at least 1; the same during one fit */
} snw_parallel_service;

/* Solvers: factor once, solve many. A factor is for any thread, except while it is refactored. The host reports while it
 * factors, and cannot stop. */
#define SNW_SERVICE_SOLVER "sinew.solver/0"
typedef struct snw_factor snw_factor;
typedef struct snw_dense_call {
	uint32_t size;
	uint32_t n;                   /* at least 1 */
	const double *matrix;         /* [n][n], row-major */
	double *reciprocal_condition; /* gets an estimate in the 1-norm, from 0 to 1; NULL for none */
} snw_dense_call;
/* A symmetric matrix: its lower triangle, diagonal included, in compressed columns. Column c holds the entries
 * column_offsets[c] to column_offsets[c + 1] - 1. */
typedef struct snw_sparse_call {
	uint32_t size;
	uint32_t n;                     /* at least 1 */
	const uint32_t *column_offsets; /* [n + 1], from 0, not falling */
	const uint32_t *rows;           /* [column_offsets[n]], ascending within each column, none above the diagonal */
	const double *values;           /* [column_offsets[n]] */
	/* Unknowns that belong together, such as those of one vertex, each block a run of rows: block b is the rows
	 * block_offsets[b] to block_offsets[b + 1] - 1. The order of elimination is then chosen among blocks, which is faster than
	 * among rows. NULL if every row is a block. */
	const uint32_t *block_offsets; /* [block_count + 1], from 0, rising, to n */
	uint64_t block_count;
	/* The most bytes that the factor may take, working memory included; 0 for no limit. It is checked before they are
	 * allocated. */
	uint64_t most_bytes;
	uint64_t *bytes; /* gets what the factor takes, or would take if that is over the limit; NULL for none */
} snw_sparse_call;
typedef struct snw_solver_service {
	uint32_t size;
	/* LU of a dense matrix. Errors: SNW_ERROR_SINGULAR if it has no inverse, SNW_ERROR_LIMIT if it is too large. */
	snw_status(SNW_CALL *dense)(const snw_host *host, const snw_dense_call *call, snw_factor **factor) SNW_ANY_THREAD;
	/* Cholesky of a sparse matrix. Errors: SNW_ERROR_SINGULAR if it is not positive definite; SNW_ERROR_DATA for columns, rows
	 * or blocks that are out of order; SNW_ERROR_LIMIT if the factor would take more than most_bytes, or has too many
	 * entries for the host. */
	snw_status(SNW_CALL *sparse)(const snw_host *host, const snw_sparse_call *call, snw_factor **factor) SNW_ANY_THREAD;
	/* In place: right_sides is [count][n], one right-hand side after another. */
	snw_status(SNW_CALL *solve)(const snw_host *host, const snw_factor *factor, uint32_t count,
								double *right_sides) SNW_ANY_THREAD;
	void(SNW_CALL *release)(const snw_host *host, snw_factor *factor) SNW_ANY_THREAD; /* NULL does nothing */
	/* A sparse factor of a matrix with other values at the same places: [column_offsets[n]] of the call that made it. It has
	 * the bits of a new factor, without choosing the order of elimination again. No other thread may use the factor meanwhile.
	 * After an error it can be refactored and released, but not solved with. Errors: SNW_ERROR_SINGULAR if the matrix is not
	 * positive definite; SNW_ERROR_ARGUMENT for a dense factor. */
	snw_status(SNW_CALL *refactor)(const snw_host *host, snw_factor *factor, const double *values) SNW_ANY_THREAD;
} snw_solver_service;

/* Programs: what this host runs, so that `lower` can choose. */
#define SNW_SERVICE_PROGRAM "sinew.program/0"
typedef struct snw_program_service {
	uint32_t size;
	/* 1 if the host knows the blend, the palette, the sign rule and the kind of normals of a part, 0 if not. Nothing else of
	 * the part is read. */
	int32_t(SNW_CALL *runs)(const snw_host *host, const snw_program_part *part) SNW_ANY_THREAD;
} snw_program_service;

/* Below: deforms rest points with every layer below, in double. NULL outside a fit, and in one that binds. */
#define SNW_SERVICE_BELOW "sinew.below/0"
typedef struct snw_below_call {
	uint32_t size;
	uint32_t mesh; /* into the character's meshes */
	uint32_t pose_count;
	const snw_pose_view *const *poses; /* [pose_count] */
	uint32_t count;                    /* points for each pose */
	/* [count]: which points. All others stay at rest. NULL: all points in order; count is then the mesh's. */
	const uint32_t *indices;
	const double *points_rest; /* [pose_count][count][3] */
	double *points_posed;      /* [pose_count][count][3] */
} snw_below_call;
typedef struct snw_below_matrices_call {
	uint32_t size;
	uint32_t mesh; /* into the character's meshes */
	const snw_pose_view *pose;
	uint32_t count;
	const uint32_t *indices; /* [count]: which points. NULL: all points in order; count is then the mesh's */
	double *matrices;        /* [count][12]: posed = matrix · (rest, 1) */
} snw_below_matrices_call;
typedef struct snw_below_service {
	uint32_t size;
	/* How many rings of neighbours a posed point depends on (0: itself alone); SNW_NONE: the whole mesh. */
	uint32_t(SNW_CALL *rings)(const snw_host *host, uint32_t mesh) SNW_ANY_THREAD;
	/* Errors: those of the layers below. */
	snw_status(SNW_CALL *deform)(const snw_host *host, const snw_below_call *call) SNW_ANY_THREAD;
	/* The matrix of each point at a pose. Errors: SNW_ERROR_UNSUPPORTED where the layers below are not affine at each point of
	 * this mesh; those of the layers below. */
	snw_status(SNW_CALL *matrices)(const snw_host *host, const snw_below_matrices_call *call) SNW_ANY_THREAD;
} snw_below_service;

/* Proposals: what a fit produces besides its model. All proposals of a fit are committed with its model as one undoable step,
 * or dropped if it returns none. NULL as for `below`. Everything is copied. */
#define SNW_SERVICE_PROPOSAL "sinew.proposal/0"
typedef struct snw_field_proposal {
	uint32_t size;
	uint32_t owner;              /* the mesh of points or faces, else 0 */
	const snw_field_view *field; /* as the descriptor declares it */
} snw_field_proposal;
/* The host computes the rest of the skeleton (order, rest_global). */
typedef struct snw_skeleton_proposal {
	uint32_t size;
	const snw_skeleton_view *skeleton; /* joint_count, names, parents and rest_local are read */
	uint32_t slot_count;
	const uint32_t *slot_joints;      /* [slot_count] */
	const double *slot_inverse_binds; /* [slot_count][12], rest space → joint space */
} snw_skeleton_proposal;
/* Influences as in snw_mesh_view, over the slots of the skeleton that this fit proposed, else the character's. */
typedef struct snw_weights_proposal {
	uint32_t size;
	uint32_t mesh;
	const uint32_t *influence_offsets;
	const uint32_t *influence_slots;
	const double *influence_weights;
} snw_weights_proposal;
/* Of the pose, `local` and `seconds` are read. rotation_vectors may be NULL for the shortest rotations from rest, and
 * channel_count 0 for the channels' initial values. */
typedef struct snw_pose_proposal {
	uint32_t size;
	const char *name;
	const snw_pose_view *pose;
} snw_pose_proposal;
typedef struct snw_track_proposal {
	uint32_t size;
	const char *name; /* of the clip that is made */
	uint32_t frame_count;
	const double *seconds;             /* [frame_count], rising */
	const snw_pose_view *const *poses; /* [frame_count], read as in a pose proposal, except for their seconds */
} snw_track_proposal;
/* A mesh as it should look at moments of a clip. */
typedef struct snw_target_proposal {
	uint32_t size;
	const char *name;
	uint32_t mesh;
	uint64_t clip; /* the clip's id, as in snw_pose_view.clip; 0: the clip of the last track that this fit has proposed */
	uint32_t frame_count;
	const double *seconds;     /* [frame_count], rising; moments of the clip */
	const float *points_posed; /* [frame_count][point_count of the mesh][3], metres */
} snw_target_proposal;
typedef struct snw_proposal_service {
	uint32_t size;
	/* A field that the descriptor declares with `written`. */
	snw_status(SNW_CALL *field)(const snw_host *host, const snw_field_proposal *proposal) SNW_OWNER_THREAD;
	/* A skeleton with its slots. Errors: SNW_ERROR_CONFLICT if the character has one, or this fit has proposed one. */
	snw_status(SNW_CALL *skeleton)(const snw_host *host, const snw_skeleton_proposal *proposal) SNW_OWNER_THREAD;
	/* A base skin for one mesh, which replaces what it has. */
	snw_status(SNW_CALL *weights)(const snw_host *host, const snw_weights_proposal *proposal) SNW_OWNER_THREAD;
	/* A named pose. */
	snw_status(SNW_CALL *pose)(const snw_host *host, const snw_pose_proposal *proposal) SNW_OWNER_THREAD;
	/* A track: poses over time, which become a clip. */
	snw_status(SNW_CALL *track)(const snw_host *host, const snw_track_proposal *proposal) SNW_OWNER_THREAD;
	/* Target frames, for fits and measures. A target of that name is replaced. Errors: SNW_ERROR_MISSING if there is no such
	 * clip. */
	snw_status(SNW_CALL *target)(const snw_host *host, const snw_target_proposal *proposal) SNW_OWNER_THREAD;
} snw_proposal_service;

/* Contact: which triangles of posed meshes meet or are near each other, and how far points are from a surface. NULL in hosts
 * that do not have it. Points count as floats. The triangles of a mesh are counted face after face, each face cut as it is
 * drawn and exported at rest (quads along the shorter diagonal, if neither folds a half over). */
#define SNW_SERVICE_CONTACT "sinew.contact/0"
typedef struct snw_contact_mesh snw_contact_mesh; /* the triangles of a mesh, sorted for queries, at one pose */
typedef struct snw_contact_pair {
	uint32_t triangles[2]; /* of the first and the second mesh */
	double distance;       /* between them, metres; 0 if they meet */
} snw_contact_pair SNW_FROZEN;
typedef struct snw_contact_pairs_call {
	uint32_t size;
	const snw_contact_mesh *first,
		*second;     /* the same twice for a mesh with itself: each pair once, the lower triangle first */
	double distance; /* how far apart a pair may be, metres; 0 for pairs that meet */
	uint32_t rings;  /* of a mesh with itself: triangles that share points, or have points within so many rings, are no pair */
	uint32_t capacity;
	snw_contact_pair *pairs; /* gets at most [capacity] pairs, rising by their triangles, none missed before the last */
	uint32_t *count;         /* gets the number of all pairs, which may be more */
} snw_contact_pairs_call;
typedef struct snw_contact_points_call {
	uint32_t size;
	const snw_contact_mesh *mesh;
	uint32_t count;
	const double *points; /* [count][3] */
	double distance;      /* how far to look, metres */
	uint32_t *triangles;  /* [count]: gets the nearest triangle, SNW_NONE if none is so near */
	double *nearest;      /* [count][3]: gets the nearest place of that triangle */
	double *windings;     /* [count]: gets the winding number, over 0.5 inside a closed surface; NULL for none */
} snw_contact_points_call;
typedef struct snw_contact_service {
	uint32_t size;
	/* Sorts the triangles of one of the character's meshes, at rest. Once a mesh, for all its poses. */
	snw_status(SNW_CALL *open)(const snw_host *host, uint32_t mesh, snw_contact_mesh **contact) SNW_ANY_THREAD;
	/* Moves it to posed points, [point_count][3]. No query of it may run meanwhile. */
	snw_status(SNW_CALL *pose)(const snw_host *host, snw_contact_mesh *contact, const double *points_posed) SNW_ANY_THREAD;
	snw_status(SNW_CALL *pairs)(const snw_host *host, const snw_contact_pairs_call *call) SNW_ANY_THREAD;
	snw_status(SNW_CALL *nearest)(const snw_host *host, const snw_contact_points_call *call) SNW_ANY_THREAD;
	void(SNW_CALL *release)(const snw_host *host, snw_contact_mesh *contact) SNW_ANY_THREAD; /* NULL does nothing */
} snw_contact_service;

#endif
