/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Projects with their history, and messages between the program and its worker.
 */
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "fuzz/readers.h"
#include "fuzz/scratch.h"
#include "message/message.h"
#include "project/project.h"
#include "scene/fixture.h"
#include "worker/job/job.h"

/* ---- projects ------------------------------------------------------------------------------------------------------------ */

/* Everything that verbs do to a project from somebody else. */
static void use_project(const char *path) {
	snw_project *project = NULL;
	if (snw_failed(snw_project_open(path, false, &project, NULL))) {
		return;
	}
	snw_arena *arena = snw_arena_create();
	snw_scene *scene = NULL;
	snw_history_entry *entries;
	uint32_t count;
	(void)snw_project_scene(project, &scene, NULL);
	(void)snw_project_history(project, arena, &entries, &count, NULL);
	for (int i = 0; i < 4 && !snw_failed(snw_project_undo(project, NULL, NULL)); i++) {
	}
	(void)snw_project_redo(project, NULL, NULL);
	(void)snw_project_forget(project, NULL);
	snw_scene_destroy(scene);
	snw_arena_destroy(arena);
	snw_project_close(project);
}

static void remove_project(void) {
	unlink(scratch_path("a.sinew"));
	unlink(scratch_path("a.sinew-journal"));
	unlink(scratch_path("a.sinew-wal"));
	unlink(scratch_path("a.sinew-shm"));
}

void fuzz_project(const unsigned char *bytes, size_t count) {
	use_project(scratch_file("a.sinew", bytes, count));
	remove_project();
}

/* An intact project with an untrusted rollback journal. */
void fuzz_journal(const unsigned char *bytes, size_t count) {
	static unsigned char *project;
	static size_t project_count;
	project = project ? project : seed_of_project(0, &project_count);
	(void)scratch_file("a.sinew-journal", bytes, count);
	use_project(scratch_file("a.sinew", project, project_count));
	remove_project();
}

unsigned char *seed_of_project(unsigned index, size_t *count) {
	(void)index;
	char path[200];
	snprintf(path, sizeof path, "%s", scratch_path("seed.sinew"));
	snw_scene *scene = fixture_scene();
	snw_project *project = NULL;
	snw_status status = snw_project_write(path, scene, "made", NULL);
	status = snw_failed(status) ? status : snw_project_open(path, false, &project, NULL);
	for (int i = 0; i < 3 && !snw_failed(status); i++) {
		snw_pose pose = scene->poses[0];
		char name[20];
		snprintf(name, sizeof name, "pose %d", i);
		pose.name = name;
		status = snw_project_begin(project, name, NULL);
		status = snw_failed(status) ? status : snw_project_put_pose(project, &pose, NULL, NULL);
		status = snw_failed(status) ? status : snw_project_commit(project, NULL);
	}
	snw_project_close(project);
	snw_scene_destroy(scene);
	unsigned char *bytes = file_as_seed(path, count);
	unlink(path);
	return bytes;
}

/* The journal that a program leaves if it is killed in a commit: a copy from the middle of a transaction. */
unsigned char *seed_of_journal(unsigned index, size_t *count) {
	(void)index;
	size_t project_count;
	unsigned char *project = seed_of_project(0, &project_count);
	char path[200], journal[220];
	snprintf(path, sizeof path, "%s", scratch_file("seed.sinew", project, project_count));
	snprintf(journal, sizeof journal, "%s-journal", path);
	sqlite3 *database = NULL;
	if (sqlite3_open(path, &database) != SQLITE_OK ||
		sqlite3_exec(database, "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; UPDATE pose SET name = name || 'x'", NULL,
					 NULL, NULL) != SQLITE_OK ||
		sqlite3_db_cacheflush(database) != SQLITE_OK) {
		exit(2);
	}
	unsigned char *bytes = file_as_seed(journal, count);
	sqlite3_close(database);
	unlink(path);
	unlink(journal);
	free(project);
	return bytes;
}

/* ---- the worker's answers ------------------------------------------------------------------------------------------------ */

/* A packet from a process. */
void fuzz_messages(const unsigned char *bytes, size_t count) {
	int ends[2];
	snw_message message;
	const size_t most = 2 * sizeof message;
	if (!snw_message_open_sockets(ends)) {
		exit(2);
	}
	(void)send(ends[0], bytes, count < most ? count : most, MSG_NOSIGNAL);
	if (snw_message_receive(ends[1], false, &message) == SNW_MESSAGE_ARRIVED &&
		strnlen(message.text, sizeof message.text) == sizeof message.text) {
		abort();
	}
	close(ends[0]);
	close(ends[1]);
}

unsigned char *seed_of_messages(unsigned index, size_t *count) {
	(void)index;
	snw_message *message = calloc(1, sizeof *message);
	if (!message) {
		exit(2);
	}
	*message = (snw_message){.version = SNW_MESSAGE_VERSION, .kind = SNW_MESSAGE_PROGRESS, .number = 0.5, .text = "fitting"};
	*count = sizeof *message;
	return (unsigned char *)message;
}

enum { POINTS = 3 };

/* The first byte says what the program has asked for. */
void fuzz_result(const unsigned char *bytes, size_t count) {
	if (count == 0) {
		return;
	}
	const int file = memfd_create("sinew-fuzz", MFD_CLOEXEC);
	if (file < 0 || write(file, bytes + 1, count - 1) != (ssize_t)(count - 1)) {
		exit(2);
	}
	const snw_read_request request = {
		.kind = (snw_file_kind)(bytes[0] % SNW_FILE_KIND_COUNT), .count = POINTS, .picture_bytes = 1 << 20};
	snw_arena *arena = snw_arena_create();
	snw_read_result result;
	(void)snw_read_get_result(&request, "a", file, arena, &result, NULL);
	snw_arena_destroy(arena);
	close(file);
}

unsigned char *seed_of_result(unsigned index, size_t *count) {
	static const char *const texts[] = {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
										"{\"local_rotations_xyzw\": {\"elbow\": [0, 0, 0.6, 0.8]}}"};
	static const snw_file_kind kinds[] = {SNW_FILE_KIND_MESH, SNW_FILE_KIND_POSE};
	const snw_read_request request = {.kind = kinds[index], .count = POINTS};
	const int file = memfd_create("sinew-fuzz", MFD_CLOEXEC);
	snw_arena *arena = snw_arena_create();
	char path[200];
	snprintf(path, sizeof path, "%s", scratch_file("seed.obj", texts[index], strlen(texts[index])));
	if (file < 0 || snw_failed(snw_job_read(&request, path, file, NULL, arena, NULL))) {
		exit(2);
	}
	const off_t size = lseek(file, 0, SEEK_END);
	unsigned char *bytes = malloc((size_t)size + 1);
	if (!bytes || pread(file, bytes + 1, (size_t)size, 0) != size) {
		exit(2);
	}
	bytes[0] = (unsigned char)kinds[index];
	*count = (size_t)size + 1;
	snw_arena_destroy(arena);
	close(file);
	unlink(path);
	return bytes;
}
