/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plug-in that keeps the rules but for one function: the file misdeed.txt beside it says what that does, as "deform:crash".
 * With MISBEHAVES_BINDS it binds. It moves every point up, as a black box in two passes.
 */
#include <dlfcn.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sinew/helper_joints.h"
#include "sinew/plugin.h"
#include "sinew/report.h"

struct snw_model {
	uint32_t height;
};

void small_throw(void); /* throws.cpp */

static char wanted[100]; /* read when this is loaded */
static int has_fitted;
static const snw_host *the_host; /* of the last model; NULL before there is one */

static void read_misdeed(void) {
	Dl_info found;
	char path[1000];
	FILE *file = NULL;
	if (dladdr(wanted, &found)) {
		snprintf(path, sizeof path, "%.*smisdeed.txt", (int)(strrchr(found.dli_fname, '/') + 1 - found.dli_fname),
				 found.dli_fname);
		file = fopen(path, "rbe");
	}
	if (file) {
		wanted[fread(wanted, 1, sizeof wanted - 1, file)] = 0;
		fclose(file);
	}
}

/* The misdeed of a function; "" for none. */
static const char *misdeed_of(const char *function) {
	const size_t length = strlen(function);
	return strncmp(wanted, function, length) == 0 && wanted[length] == ':' ? wanted + length + 1 : "";
}

static int does(const char *function, const char *misdeed) {
	return strcmp(misdeed_of(function), misdeed) == 0;
}

__attribute__((no_sanitize("address", "undefined"))) static uint32_t overflow(uint32_t depth) {
	volatile char room[1000];
	room[depth % sizeof room] = (char)depth;
	return depth == UINT32_MAX ? 0 : overflow(depth + 1) + (uint32_t)room[(depth + 1) % sizeof room];
}

/* Writes over all memory behind a block, whatever it holds, until there is none. */
__attribute__((no_sanitize("address", "undefined"))) static void scribble(void) {
	for (volatile char *c = malloc(100);; c++) {
		*c = 0x5a;
	}
}

__attribute__((no_sanitize("address", "undefined"))) static void crash(void) {
	volatile uint32_t *volatile nowhere = (uint32_t *)8;
	*nowhere = 1;
}

/* Leaves a process behind, which holds all that this one has open. */
static void leave_process(int leaves_group) {
	if (fork() == 0) {
		if (leaves_group) {
			setsid();
		}
		sleep(20);
		_exit(0);
	}
}

/* Writes to whatever the program may have left open. */
static void overwrite_files(void) {
	char letters[1000];
	memset(letters, 'A', sizeof letters);
	for (int file = STDERR_FILENO + 1; file < 64; file++) {
		(void)!write(file, letters, sizeof letters);
	}
}

/* More memory than a plug-in may have. */
static int gets_too_much(void) {
	return mmap(NULL, (size_t)16 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) !=
		   MAP_FAILED;
}

/* Says more than anybody reads: by all services that take a text, and on standard output and standard error. */
static void flood(int rounds) {
	static const char clear[] = {'\033', '[', '2', 'J'}; /* the screen, on a terminal */
	static char words[1000];
	const snw_task_service *task = the_host ? the_host->service(the_host, SNW_SERVICE_TASK) : NULL;
	memset(words, '.', sizeof words - 1);
	memcpy(words, clear, sizeof clear);
	for (int i = 0; i < rounds; i++) {
		if (task) {
			task->line(the_host, SNW_LOG_WARNING, "flooding \033[31m%n%s");
			task->progress(the_host, (double)NAN, i % 2 ? "flooding" : NULL);
			task->fail(the_host, SNW_OK, "flooding");
			task->measure(the_host, "flooding", (double)NAN, "s");
		}
		fputs(words, i % 2 ? stdout : stderr);
	}
	fflush(stdout);
}

/* Returns if the function is to go on, or to return an error. */
static snw_status run(const char *function) {
	const char *misdeed = misdeed_of(function);
	if (strcmp(misdeed, "crash") == 0) {
		crash();
	} else if (strcmp(misdeed, "loop") == 0) {
		for (volatile uint32_t i = 0;; i++) {
		}
	} else if (strcmp(misdeed, "talk") == 0) {
		for (;;) {
			snw_report_progress(the_host, 0.5, "talking");
			snw_report_line(the_host, SNW_LOG_DEBUG, "talking");
		}
	} else if (strcmp(misdeed, "flood") == 0) {
		flood(1500);
	} else if (strcmp(misdeed, "kill") == 0) {
		kill(getppid(), SIGKILL);
	} else if (strcmp(misdeed, "abort") == 0) {
		abort();
	} else if (strcmp(misdeed, "exit") == 0) {
		exit(0);
	} else if (strcmp(misdeed, "throw") == 0) {
		small_throw();
	} else if (strcmp(misdeed, "scribble") == 0) {
		scribble();
	} else if (strcmp(misdeed, "overwrite") == 0) {
		overwrite_files();
	} else if (strcmp(misdeed, "signal") == 0) {
		kill(0, SIGTERM);
		pause();
	} else if (strcmp(misdeed, "child") == 0 || strcmp(misdeed, "orphan") == 0) {
		leave_process(strcmp(misdeed, "orphan") == 0);
	} else if (strcmp(misdeed, "child and crash") == 0) {
		leave_process(0);
		crash();
	} else if (strcmp(misdeed, "hoard") == 0) {
		return gets_too_much() ? SNW_OK : SNW_ERROR_MEMORY;
	} else if (strcmp(misdeed, "overflow") == 0) {
		return (snw_status)(overflow(0) > 0);
	}
	return strcmp(misdeed, "error") == 0 ? SNW_ERROR_DATA : SNW_OK;
}

__attribute__((constructor)) static void construct(void) {
	read_misdeed();
	(void)run("constructor");
}

__attribute__((destructor)) static void destruct(void) {
	(void)run("destructor");
	if (has_fitted) {
		(void)run("destructor after a fit");
	}
}

static snw_status create(const snw_deformer *self, const snw_host *host, snw_instance **instance) {
	the_host = host;
	const snw_status status = run("create");
	return status < 0 ? status : snw_instance_create(self, host, instance);
}

static void destroy(snw_instance *instance) {
	(void)run("destroy");
	snw_instance_destroy(instance);
}

static snw_status make_model(snw_model **model) {
	*model = calloc(1, sizeof **model);
	return *model ? SNW_OK : SNW_ERROR_MEMORY;
}

static snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	(void)instance, (void)input;
	const snw_status status = run("fit");
	has_fitted = 1;
	return status < 0 ? status : make_model(model);
}

static void release(snw_model *model) {
	(void)run("release");
	free(model);
}

static void layout(const snw_model *model, snw_model_layout *dest) {
	(void)model;
	(void)run("layout");
	snw_put(dest,
			&(snw_model_layout){.size = sizeof(snw_model_layout), .d_count = 1, .scratch_bytes = 64, .prepared_bytes = 64});
}

static snw_status drive(const snw_drive_call *call) {
	call->output->d[0] = does("drive", "nan") ? (double)NAN : 0.1;
	return run("drive");
}

static uint32_t passes(const snw_model *model, const snw_value *values) {
	(void)model, (void)values;
	(void)run("passes");
	return 2;
}

static snw_status prepare(const snw_deform_call *call) {
	(void)call;
	return run("prepare");
}

static snw_status deform(const snw_deform_call *call) {
	const snw_status status = run("deform");
	for (size_t i = call->begin; i < call->end; i++) {
		memcpy(call->points_out + 3 * i, call->points_in + 3 * i, 3 * sizeof *call->points_out);
		call->points_out[3 * i + 1] += call->driven->d[0] + (does("deform", "nan") ? (double)NAN : 0);
	}
	return status;
}

static snw_status lower(const snw_lower_call *call) {
	static const uint32_t coefficient = 0, point = 0, joint = SNW_NONE;
	static const uint64_t offsets[] = {0, 1};
	static const double vector[] = {(double)NAN, 0, 0};
	static const snw_displacements displacements = {.size = sizeof displacements,
													.count = 1,
													.coefficients = &coefficient,
													.offsets = offsets,
													.points = &point,
													.vectors = vector,
													.joints = &joint};
	const snw_status status = run("lower");
	if (does("lower", "nan")) {
		snw_put(call->part, &(snw_program_part){.size = sizeof(snw_program_part), .rest = &displacements});
		return SNW_OK;
	}
	*call->reason = "it moves points on its own";
	return status < 0 ? status : SNW_ERROR_UNSUPPORTED;
}

static snw_status save(const snw_model *model, const snw_sink *sink) {
	const snw_status status = run("save");
	return status < 0 ? status : sink->write(sink->context, model, sizeof *model);
}

static snw_status load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	the_host = call->host;
	const snw_status status = run("load");
	return status < 0 ? status : make_model(model);
}

static snw_status describe(const snw_model *model, const snw_value *values, const snw_sink *sink) {
	(void)model, (void)values;
	const snw_status status = run("describe");
	return status < 0 ? status : sink->write(sink->context, "{}", 2);
}

static void list(const snw_model *model, uint32_t *count, const snw_helper_joint *const **helpers) {
	(void)model;
	(void)run("list");
	*count = 0;
	*helpers = NULL;
}

static const void *extension(const snw_deformer *self, const char *id) {
	static const snw_helper_joints table = {sizeof table, list};
	(void)self;
	(void)run("extension");
	return strcmp(id, SNW_HELPER_JOINTS) == 0 ? &table : NULL;
}

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.test.misbehaves",
	.short_name = "test-misbehaves",
	.name = "Misbehaves",
	.version = "1.0",
	.paper = "",
	.needs = SNW_NEEDS_MESH,
#ifdef MISBEHAVES_BINDS
	.traits = SNW_BINDS,
#endif
};

static const snw_deformer deformer = {
	.size = sizeof deformer,
	.descriptor = &descriptor,
	.create = create,
	.destroy = destroy,
	.fit = fit,
	.layout = layout,
	.drive = drive,
	.passes = passes,
	.prepare = prepare,
	.deform = deform,
	.lower = lower,
	.save = save,
	.load = load,
	.release = release,
	.describe = describe,
	.extension = extension,
};

static const snw_deformer *deformer_at(uint32_t index) {
	(void)run("deformer");
	return index == 0 ? &deformer : NULL;
}

static snw_status open_file(const snw_open_call *call) {
	(void)call;
	return run("open");
}

static void close_file(void) {
	(void)run("close");
}

SNW_EXPORT extern const snw_entry SNW_ENTRY_SYMBOL;
const snw_entry SNW_ENTRY_SYMBOL = {
	sizeof(snw_entry), SNW_ABI_MAJOR, SNW_ABI_MINOR, 1, deformer_at, open_file, close_file,
};
