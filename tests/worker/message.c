/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages and requests between the program and its worker, whole and damaged.
 */
#include "check.h"
#include "mutate.h"

#include <sys/socket.h>

#include "worker/job/message.h"
#include "worker/job/request.h"

enum { DAMAGED = 20000 };

static size_t make_request(snw_message_kind kind, char **payload) {
	const snw_setting settings[] = {{"kernel", SNW_VALUE(1)}, {"width", SNW_VALUE(0.25)}};
	const snw_worker_request request = {
		.memory_bytes = 1 << 30,
		.path = "p.sinew",
		.import = {.file = "arm.fbx", .rest = "rest.obj", .frames_per_second = 30, .keep_points = true, .is_set = true},
		.fit = {.method = "inverse-psd", .layer = "elbows", .setting_count = 2, .settings = settings, .left_out_example = 3},
	};
	size_t count;
	FILE *out = open_memstream(payload, &count);
	if (kind == SNW_MESSAGE_IMPORT) {
		snw_worker_request_put_import(out, &request);
	} else {
		snw_worker_request_put_fit(out, &request);
	}
	fclose(out);
	return count;
}

static void request_sent_in_pieces_arrives_complete(void **state) {
	(void)state;
	int pair[2];
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	char *import, *fit;
	const size_t import_count = make_request(SNW_MESSAGE_IMPORT, &import), fit_count = make_request(SNW_MESSAGE_FIT, &fit);
	snw_error error = {0};
	check_ok(snw_message_send(pair[0], SNW_MESSAGE_IMPORT, import, import_count, &error), error);
	check_ok(snw_message_send(pair[0], SNW_MESSAGE_FIT, fit, fit_count, &error), error);
	check_ok(snw_message_send(pair[0], SNW_MESSAGE_CANCEL, NULL, 0, &error), error);
	shutdown(pair[0], SHUT_WR);
	snw_message_queue queue = {0};
	snw_message message;
	snw_arena *arena = snw_arena_create();
	snw_worker_request request;
	unsigned char byte;
	int taken = 0;
	while (recv(pair[1], &byte, 1, 0) == 1) { /* a byte at a time */
		check_ok(snw_message_queue_add(&queue, &byte, 1, &error), error);
		const snw_status status = snw_message_queue_take(&queue, &message, &error);
		if (status == SNW_ERROR_MISSING) {
			continue;
		}
		check_ok(status, error);
		if (taken == 0) {
			assert_int_equal(message.kind, SNW_MESSAGE_IMPORT);
			check_ok(snw_worker_request_get_import(message.payload, message.count, arena, &request, &error), error);
			assert_string_equal(request.import.file, "arm.fbx");
			assert_null(request.import.sequence);
			assert_true(request.import.keep_points && request.import.frames_per_second == 30);
		} else if (taken == 1) {
			check_ok(snw_worker_request_get_fit(message.payload, message.count, arena, &request, &error), error);
			assert_string_equal(request.fit.settings[1].key, "width");
			assert_true(request.fit.settings[1].value.numbers[0] == 0.25);
			assert_int_equal(request.fit.left_out_example, 3);
		} else {
			assert_int_equal(message.kind, SNW_MESSAGE_CANCEL);
		}
		taken++;
	}
	assert_int_equal(taken, 3);
	assert_false(snw_message_queue_receive(&queue, pair[1], true, &error));
	snw_message_queue_release(&queue);
	close(pair[0]);
	close(pair[1]);
	free(import);
	free(fit);
	snw_arena_destroy(arena);
}

static void message_of_another_version_is_refused_with_both(void **state) {
	(void)state;
	const uint32_t header[4] = {0x6b576e53, 77, SNW_MESSAGE_CANCEL, 0};
	snw_message_queue queue = {0};
	snw_message message;
	snw_error error = {0};
	check_ok(snw_message_queue_add(&queue, header, sizeof header, &error), error);
	assert_int_equal(snw_message_queue_take(&queue, &message, &error), SNW_ERROR_DATA);
	assert_non_null(strstr(error.text, "protocol 77"));
	snw_message_queue_release(&queue);
}

static void message_too_long_is_refused_on_both_sides(void **state) {
	(void)state;
	const uint32_t header[4] = {0x6b576e53, SNW_MESSAGE_VERSION, SNW_MESSAGE_DONE, SNW_MESSAGE_LIMIT + 1};
	snw_message_queue queue = {0};
	snw_message message;
	snw_error error = {0};
	check_ok(snw_message_queue_add(&queue, header, sizeof header, &error), error);
	assert_int_equal(snw_message_queue_take(&queue, &message, &error), SNW_ERROR_DATA);
	assert_int_equal(snw_message_send(-1, SNW_MESSAGE_DONE, header, SNW_MESSAGE_LIMIT + 1, &error), SNW_ERROR_LIMIT);
	snw_message_queue_release(&queue);
}

/* Every damaged copy gives whole messages, an error, or a wait for more; never a crash, and a request is whole or refused. */
static void messages_damaged_never_crash_the_reader(void **state) {
	(void)state;
	unsigned char stream[4096];
	size_t length = 0;
	char *payloads[2];
	for (int i = 0; i < 2; i++) {
		const snw_message_kind kind = i == 0 ? SNW_MESSAGE_IMPORT : SNW_MESSAGE_FIT;
		const size_t count = make_request(kind, &payloads[i]);
		const uint32_t header[4] = {0x6b576e53, SNW_MESSAGE_VERSION, kind, (uint32_t)count};
		memcpy(stream + length, header, sizeof header);
		memcpy(stream + length + sizeof header, payloads[i], count);
		length += sizeof header + count;
		free(payloads[i]);
	}
	const uint64_t seed = random_seed();
	for (uint64_t i = 0; i < DAMAGED; i++) {
		size_t count = 0;
		unsigned char *bytes = mutate_copy(stream, length, seed + i, &count);
		snw_arena *arena = snw_arena_create();
		snw_message_queue queue = {0};
		snw_message message;
		snw_worker_request request;
		assert_int_equal(snw_message_queue_add(&queue, bytes, count, NULL), SNW_OK);
		while (!snw_failed(snw_message_queue_take(&queue, &message, NULL))) {
			if (!snw_failed(snw_worker_request_get_import(message.payload, message.count, arena, &request, NULL))) {
				assert_non_null(request.path);
			}
			if (!snw_failed(snw_worker_request_get_fit(message.payload, message.count, arena, &request, NULL))) {
				assert_non_null(request.fit.method);
			}
		}
		snw_message_queue_release(&queue);
		snw_arena_destroy(arena);
		free(bytes);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(request_sent_in_pieces_arrives_complete),
		cmocka_unit_test(message_of_another_version_is_refused_with_both),
		cmocka_unit_test(message_too_long_is_refused_on_both_sides),
		cmocka_unit_test(messages_damaged_never_crash_the_reader),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
