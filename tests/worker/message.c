/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages between the program and its other processes, and requests to the worker, whole and damaged.
 */
#include "check.h"
#include "mutate.h"

#include <sys/mman.h>
#include <sys/socket.h>

#include "message/message.h"
#include "worker/job/job.h"

enum { DAMAGED = 20000 };

/* ---- messages ------------------------------------------------------------------------------------------------------------ */

static void message_arrives_whole_and_in_its_order(void **state) {
	(void)state;
	int ends[2];
	snw_message message = {.kind = SNW_MESSAGE_PROGRESS, .number = 0.5};
	assert_true(snw_message_open_sockets(ends));
	assert_int_equal(snw_message_receive(ends[1], false, &message), SNW_MESSAGE_NONE);
	snw_message_set_text(&message, "fitting");
	assert_true(snw_message_send(ends[0], &message));
	assert_true(snw_message_send(ends[0], &(snw_message){.kind = SNW_MESSAGE_DONE, .status = SNW_ERROR_LIMIT}));
	close(ends[0]);
	message = (snw_message){0};
	assert_int_equal(snw_message_receive(ends[1], true, &message), SNW_MESSAGE_ARRIVED);
	assert_int_equal(message.kind, SNW_MESSAGE_PROGRESS);
	assert_true(message.number == 0.5);
	assert_string_equal(message.text, "fitting");
	assert_int_equal(snw_message_receive(ends[1], true, &message), SNW_MESSAGE_ARRIVED);
	assert_int_equal(message.status, SNW_ERROR_LIMIT);
	assert_int_equal(snw_message_receive(ends[1], true, &message), SNW_MESSAGE_ENDED);
	close(ends[1]);
}

static void message_to_a_process_that_is_gone_fails(void **state) {
	(void)state;
	int ends[2];
	assert_true(snw_message_open_sockets(ends));
	close(ends[1]);
	assert_false(snw_message_send(ends[0], &(snw_message){.kind = SNW_MESSAGE_CANCEL}));
	close(ends[0]);
}

static void text_without_an_end_gets_one(void **state) {
	(void)state;
	int ends[2];
	snw_message message = {.kind = SNW_MESSAGE_NOTICE};
	assert_true(snw_message_open_sockets(ends));
	memset(message.text, 'a', sizeof message.text);
	memset(message.unit, 'm', sizeof message.unit);
	assert_true(snw_message_send(ends[0], &message));
	assert_int_equal(snw_message_receive(ends[1], true, &message), SNW_MESSAGE_ARRIVED);
	assert_int_equal(strnlen(message.text, sizeof message.text), sizeof message.text - 1);
	assert_int_equal(strnlen(message.unit, sizeof message.unit), sizeof message.unit - 1);
	snw_message_set_text(&message, NULL);
	assert_string_equal(message.text, "");
	close(ends[0]);
	close(ends[1]);
}

static void what_is_no_message_is_invalid(void **state) {
	(void)state;
	const snw_message good = {.version = SNW_MESSAGE_VERSION, .kind = SNW_MESSAGE_DONE};
	snw_message other = good, unknown = good;
	unsigned char longer[sizeof good + 1] = {0};
	other.version++;
	unknown.kind = SNW_MESSAGE_KIND_COUNT;
	memcpy(longer, &good, sizeof good);
	const struct {
		const void *bytes;
		size_t count;
		snw_message_state state;
	} packets[] = {{&good, sizeof good, SNW_MESSAGE_ARRIVED},
				   {&good, sizeof good - 1, SNW_MESSAGE_INVALID},
				   {longer, sizeof longer, SNW_MESSAGE_INVALID},
				   {&other, sizeof other, SNW_MESSAGE_INVALID},
				   {&unknown, sizeof unknown, SNW_MESSAGE_INVALID}};
	int ends[2];
	assert_true(snw_message_open_sockets(ends));
	for (size_t i = 0; i < sizeof packets / sizeof *packets; i++) {
		snw_message message;
		assert_int_equal(send(ends[0], packets[i].bytes, packets[i].count, 0), packets[i].count);
		assert_int_equal(snw_message_receive(ends[1], true, &message), packets[i].state);
	}
	close(ends[0]);
	close(ends[1]);
}

/* ---- requests ------------------------------------------------------------------------------------------------------------ */

static const snw_setting settings[] = {{"kernel", SNW_VALUE(1)}, {"width", SNW_VALUE(0.25)}};
static const snw_import_frames_of_mesh further[] = {{"left.pc2", "left.obj"}, {"right.pc2", NULL}};

/* A file with a request for a job. */
static int make_request(snw_worker_job job) {
	const snw_worker_request request = {
		.job = job,
		.memory_bytes = 1 << 30,
		.cpu_seconds = 7,
		.path = "p.sinew",
		.import = {.file = "arm.fbx",
				   .rest = "rest.obj",
				   .frames_per_second = 30,
				   .keep_points = true,
				   .is_set = true,
				   .further_count = 2,
				   .further = further},
		.fit = {.method = "inverse-psd",
				.layer = "elbows",
				.setting_count = 2,
				.settings = settings,
				.left_out_example = 3,
				.refits = true},
		.read = {.kind = SNW_FILE_KIND_FRAMES, .count = 9, .frames_per_second = 25},
	};
	snw_error error = {0};
	const int file = memfd_create("sinew-test", MFD_CLOEXEC);
	snw_stream out = snw_stream_file_begin(file);
	snw_worker_request_put(&out, &request);
	check_ok(snw_stream_file_end(&out, "the request", &error), error);
	return file;
}

static void get_request(int file, snw_arena *arena, snw_worker_request *request) {
	snw_stream_contents contents;
	snw_error error = {0};
	assert_true(snw_stream_contents_open(file, &contents));
	check_ok(snw_worker_request_get(&contents.in, arena, request, &error), error);
	assert_true(snw_stream_contents_are_read(&contents));
	snw_stream_contents_close(&contents);
	close(file);
	assert_string_equal(request->path, "p.sinew");
	assert_true(request->memory_bytes == 1 << 30 && request->cpu_seconds == 7);
}

static void request_is_read_as_it_was_written(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	snw_worker_request request;
	get_request(make_request(SNW_WORKER_IMPORT), arena, &request);
	assert_int_equal(request.job, SNW_WORKER_IMPORT);
	assert_string_equal(request.import.file, "arm.fbx");
	assert_null(request.import.sequence);
	assert_true(request.import.keep_points && request.import.is_set && request.import.frames_per_second == 30);
	assert_string_equal(request.import.further[1].sequence, "right.pc2");
	assert_null(request.import.further[1].rest);
	get_request(make_request(SNW_WORKER_FIT), arena, &request);
	assert_string_equal(request.fit.settings[1].key, "width");
	assert_true(request.fit.settings[1].value.numbers[0] == 0.25);
	assert_int_equal(request.fit.left_out_example, 3);
	assert_true(request.fit.refits);
	get_request(make_request(SNW_WORKER_READ), arena, &request);
	assert_int_equal(request.read.kind, SNW_FILE_KIND_FRAMES);
	assert_true(request.read.count == 9 && request.read.frames_per_second == 25);
	snw_arena_destroy(arena);
}

/* Every damaged copy is whole or refused; never a crash. */
static void request_damaged_never_crashes_the_reader(void **state) {
	(void)state;
	const uint64_t seed = random_seed();
	for (snw_worker_job job = 0; job < SNW_WORKER_JOB_COUNT; job++) {
		snw_stream_contents contents;
		const int file = make_request(job);
		assert_true(snw_stream_contents_open(file, &contents));
		for (uint64_t i = 0; i < DAMAGED / SNW_WORKER_JOB_COUNT; i++) {
			size_t count = 0;
			unsigned char *bytes = mutate_copy(contents.map, contents.bytes, seed + i, &count);
			snw_stream in = {.at = bytes, .end = bytes + count};
			snw_arena *arena = snw_arena_create();
			snw_worker_request request;
			if (!snw_failed(snw_worker_request_get(&in, arena, &request, NULL))) {
				assert_non_null(request.path);
				assert_true(request.job != SNW_WORKER_FIT || request.fit.method);
			}
			snw_arena_destroy(arena);
			free(bytes);
		}
		snw_stream_contents_close(&contents);
		close(file);
	}
}

TEST_GROUP(message) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(message_arrives_whole_and_in_its_order), cmocka_unit_test(message_to_a_process_that_is_gone_fails),
		cmocka_unit_test(text_without_an_end_gets_one),           cmocka_unit_test(what_is_no_message_is_invalid),
		cmocka_unit_test(request_is_read_as_it_was_written),      cmocka_unit_test(request_damaged_never_crashes_the_reader),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
