/* SPDX-License-Identifier: MIT
 *
 * What the host offers a plug-in: services by id. A service that a host does not have is NULL, so ask before you call.
 * A service pointer stays valid as long as the snw_host it came from. Every call takes the snw_host that the plug-in was given.
 * What a call is given is copied or done with when it returns, but for what it hands out itself: memory and factors live until
 * they are released, and are the plug-in's to release. No pointer may be NULL, but where a comment says so and where its count
 * is 0. A call that fails leaves its outputs as they were.
 */
#ifndef SINEW_HOST_H
#define SINEW_HOST_H

#include "sinew/base.h"
#include "sinew/view.h"

typedef struct snw_host snw_host;
struct snw_host {
	uint32_t size;
	uint32_t abi_major;
	uint32_t abi_minor;
	const char *name;    /* "sinew" */
	const char *version; /* of the host program */
	void *context;
	const void *(SNW_CALL *service)(const snw_host *host, const char *id)SNW_ANY_THREAD;
};

/* Log: a line for the user or the log file. */
#define SNW_SERVICE_LOG "sinew.log/0"
typedef enum snw_log_level { SNW_LOG_DEBUG = 0, SNW_LOG_INFO = 1, SNW_LOG_WARNING = 2, SNW_LOG_ERROR = 3 } snw_log_level;
typedef struct snw_log_service {
	uint32_t size;
	void(SNW_CALL *line)(const snw_host *host, int32_t level, const char *text) SNW_ANY_THREAD;
} snw_log_service;

/* Task: progress of the call in hand, and the words for its failure. `progress` answers 1 to go on, 0 to stop: what a fit
 * then returns stands at snw_deformer.fit. Call it at least every tenth of a second in long work. */
#define SNW_SERVICE_TASK "sinew.task/0"
typedef struct snw_task_service {
	uint32_t size;
	int32_t(SNW_CALL *progress)(const snw_host *host, double fraction, const char *what) SNW_ANY_THREAD;
	/* What went wrong, where, and what to do about it, in one line. Returns `status`, so that one can `return fail(…)`. */
	snw_status(SNW_CALL *fail)(const snw_host *host, snw_status status, const char *text) SNW_ANY_THREAD;
} snw_task_service;

/* Memory: counted by the host and subject to its limits. Alignment 64. `release(NULL)` does nothing. */
#define SNW_SERVICE_MEMORY "sinew.memory/0"
typedef struct snw_memory_service {
	uint32_t size;
	void *(SNW_CALL *acquire)(const snw_host *host, size_t bytes)SNW_ANY_THREAD; /* zeroed; NULL when there is none */
	void(SNW_CALL *release)(const snw_host *host, void *memory) SNW_ANY_THREAD;
} snw_memory_service;

/* Parallel-for over [0, count) in chunks of `grain`: the partition depends on count and grain alone, never on the number of
 * threads, so that results are the same bits on every machine. Returns when all chunks are done. Not nested. `thread` is below
 * thread_count, and no two chunks that run at the same time have the same one: scratch for each thread is an array of
 * thread_count. What a chunk gives must not depend on it. */
#define SNW_SERVICE_PARALLEL "sinew.parallel/0"
typedef void(SNW_CALL *snw_chunk)(void *argument, uint32_t begin, uint32_t end, uint32_t thread);
typedef struct snw_parallel_service {
	uint32_t size;
	void(SNW_CALL *run)(const snw_host *host, uint32_t count, uint32_t grain, snw_chunk chunk, void *argument) SNW_OWNER_THREAD;
	uint32_t(SNW_CALL *thread_count)(const snw_host *host) SNW_ANY_THREAD; /* at least 1; the same during one fit */
} snw_parallel_service;

/* Solvers: factor once, solve many. A factor is immutable and may be used from any thread. */
#define SNW_SERVICE_SOLVER "sinew.solver/0"
typedef struct snw_factor snw_factor;
typedef struct snw_solver_service {
	uint32_t size;
	/* LU of a dense n × n matrix, row-major. Errors: SNW_ERROR_SINGULAR if it has no inverse, SNW_ERROR_MEMORY; `reciprocal_condition` (may be NULL)
	 * gets an estimate in the 1-norm. */
	snw_status(SNW_CALL *dense)(const snw_host *host, uint32_t n, const double *matrix, snw_factor **factor,
								double *reciprocal_condition) SNW_ANY_THREAD;
	/* Cholesky of a sparse symmetric positive definite matrix: compressed columns of the lower triangle, rows ascending.
	 * Errors: SNW_ERROR_SINGULAR where it is not positive definite, SNW_ERROR_MEMORY. */
	snw_status(SNW_CALL *sparse)(const snw_host *host, uint32_t n, const uint32_t *column_offsets, const uint32_t *rows,
								 const double *values, snw_factor **factor) SNW_ANY_THREAD;
	/* In place: right_sides is [count][n], one right-hand side after another. */
	snw_status(SNW_CALL *solve)(const snw_host *host, const snw_factor *factor, uint32_t count,
								double *right_sides) SNW_ANY_THREAD;
	void(SNW_CALL *release)(const snw_host *host, snw_factor *factor) SNW_ANY_THREAD;
} snw_solver_service;

/* Below: "deform these rest points with everything under me", in double. During fit only. */
#define SNW_SERVICE_BELOW "sinew.below/0"
typedef struct snw_below_call {
	uint32_t size;
	uint32_t mesh;
	uint32_t pose_count;
	const snw_pose_view *const *poses; /* [pose_count] */
	uint32_t count;                    /* points for each pose */
	/* [count]: which points. Points that are not named stay at rest. NULL: all of them in order, and count is the mesh's. */
	const uint32_t *indices;
	const double *points_rest; /* [pose_count][count][3] */
	double *points_posed;      /* the same shape */
} snw_below_call;
typedef struct snw_below_service {
	uint32_t size;
	/* Rings of neighbours that a point depends on (0: itself alone); SNW_NONE: the whole mesh. */
	uint32_t(SNW_CALL *rings)(const snw_host *host, uint32_t mesh) SNW_ANY_THREAD;
	snw_status(SNW_CALL *deform)(const snw_host *host, const snw_below_call *call) SNW_ANY_THREAD;
} snw_below_service;

/* An extension of `below`: where it is affine per point at a fixed pose, its matrices. */
#define SNW_SERVICE_BELOW_AFFINE "sinew.below.affine/0"
typedef struct snw_below_affine_service {
	uint32_t size;
	/* matrices [count][12]: posed = matrix · (rest, 1). SNW_ERROR_UNSUPPORTED where it is not affine for this mesh. */
	snw_status(SNW_CALL *matrices)(const snw_host *host, uint32_t mesh, const snw_pose_view *pose, uint32_t count,
								   const uint32_t *indices, double *matrices) SNW_ANY_THREAD;
} snw_below_affine_service;

/* Proposals: a fit proposes, the host disposes. Everything proposed in one fit is committed as one undoable step when the
 * fit returns a result, and forgotten when it does not. Data are copied. */
#define SNW_SERVICE_PROPOSAL "sinew.proposal/0"
typedef struct snw_proposal_service {
	uint32_t size;
	/* A field declared as written in the descriptor. `owner` is a mesh for points and faces, else 0. */
	snw_status(SNW_CALL *field)(const snw_host *host, uint32_t owner, const snw_field_view *field) SNW_OWNER_THREAD;
	/* A skeleton with its slots, for a character that has none: SNW_ERROR_CONFLICT where there is one. */
	snw_status(SNW_CALL *skeleton)(const snw_host *host, const snw_skeleton_view *skeleton, uint32_t slot_count,
								   const uint32_t *slot_joints, const double *slot_inverse_binds) SNW_OWNER_THREAD;
	/* A base skin for one mesh, in place of what it has: influences as in snw_mesh_view. */
	snw_status(SNW_CALL *weights)(const snw_host *host, uint32_t mesh, const uint32_t *influence_offsets,
								  const uint32_t *influence_slots, const double *influence_weights) SNW_OWNER_THREAD;
	/* A named pose (`local` is read), or a track: poses at rising times, which become the clip `name`. */
	snw_status(SNW_CALL *pose)(const snw_host *host, const char *name, const snw_pose_view *pose) SNW_OWNER_THREAD;
	snw_status(SNW_CALL *track)(const snw_host *host, const char *name, uint32_t frame_count, const double *seconds,
								const snw_pose_view *const *poses) SNW_OWNER_THREAD;
} snw_proposal_service;

/* Measurements: numbers that a call took of itself, such as the seconds of its parts, for benchmarks. A line in the log is for
 * people; nobody reads numbers out of it. */
#define SNW_SERVICE_MEASUREMENT "sinew.measurement/0"
typedef struct snw_measurement_service {
	uint32_t size;
	/* `name` is the plug-in's, "inversion"; `unit` is "s" for seconds, "" for a count. A name that is reported again, for another
	 * mesh or group, adds to what was reported. The text is copied. */
	void(SNW_CALL *report)(const snw_host *host, const char *name, double value, const char *unit) SNW_OWNER_THREAD;
} snw_measurement_service;

/* The role of the calling thread, for a plug-in's own debug checks. */
#define SNW_SERVICE_THREAD_ROLE "sinew.thread-role/0"
typedef struct snw_thread_role_service {
	uint32_t size;
	int32_t(SNW_CALL *role)(const snw_host *host) SNW_ANY_THREAD; /* snw_thread_role */
} snw_thread_role_service;

#endif
