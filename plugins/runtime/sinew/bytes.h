/* SPDX-License-Identifier: MIT
 *
 * A model as bytes: little endian, the same on every machine. Writing goes straight to the host's sink. Reading never goes past
 * the end: a read that would fails, and so does every later one; check `failed` once, after the last read.
 *
 * For plug-in authors: header only, optional, not part of the binary interface. One writer or reader, one thread at a time.
 */
#ifndef SINEW_BYTES_H
#define SINEW_BYTES_H

#include <string.h>

#include "sinew/deformer.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "saved models are little endian: swap bytes here before you build for such a machine"
#endif

typedef struct snw_writer {
	const snw_sink *sink;
	snw_status status; /* the first failure of the sink; later writes do nothing */
	uint64_t sum;      /* over everything written so far */
} snw_writer;

/* The 64-bit hash FNV-1a of Fowler, Noll and Vo, continued from `sum`; 0 to begin with. */
static inline uint64_t snw_bytes_sum(uint64_t sum, const void *bytes, size_t count) {
	const unsigned char *byte = (const unsigned char *)bytes;
	sum ^= UINT64_C(0xcbf29ce484222325);
	for (size_t i = 0; i < count; i++) {
		sum = (sum ^ byte[i]) * UINT64_C(0x100000001b3);
	}
	return sum ^ UINT64_C(0xcbf29ce484222325);
}

/* Does nothing once the sink has failed: check `status` after the last write. */
static inline void snw_write(snw_writer *writer, const void *bytes, size_t count) {
	if (writer->status == SNW_OK && count > 0) {
		writer->status = writer->sink->write(writer->sink->context, bytes, count);
		writer->sum = snw_bytes_sum(writer->sum, bytes, count);
	}
}

static inline void snw_write_u32(snw_writer *writer, uint32_t value) {
	snw_write(writer, &value, sizeof value);
}

static inline void snw_write_f64(snw_writer *writer, double value) {
	snw_write(writer, &value, sizeof value);
}

/* To be written last: a sum over the rest, by which a reader finds damage. */
static inline void snw_write_seal(snw_writer *writer) {
	const uint64_t sum = writer->sum;
	snw_write(writer, &sum, sizeof sum);
}

typedef struct snw_reader {
	const unsigned char *bytes;
	size_t count; /* still to be read */
	int failed;
} snw_reader;

/* A reader of sealed bytes, without their seal. It has failed from the start where the seal does not match. The bytes are
 * borrowed and may have any alignment. */
static inline snw_reader snw_read_sealed(const void *bytes, size_t count) {
	snw_reader reader = {(const unsigned char *)bytes, 0, 1};
	uint64_t sum = 0;
	if (count >= sizeof sum) {
		reader.count = count - sizeof sum;
		memcpy(&sum, reader.bytes + reader.count, sizeof sum);
		reader.failed = sum != snw_bytes_sum(0, bytes, reader.count);
	}
	return reader;
}

/* Copies `count` bytes to dest, or fails and zeroes dest. */
static inline void snw_read(snw_reader *reader, void *dest, size_t count) {
	if (count == 0) {
		return;
	}
	if (reader->failed || count > reader->count) {
		reader->failed = 1;
		memset(dest, 0, count);
		return;
	}
	memcpy(dest, reader->bytes, count);
	reader->bytes += count;
	reader->count -= count;
}

static inline uint32_t snw_read_u32(snw_reader *reader) {
	uint32_t value;
	snw_read(reader, &value, sizeof value);
	return value;
}

static inline double snw_read_f64(snw_reader *reader) {
	double value;
	snw_read(reader, &value, sizeof value);
	return value;
}

/* A count of elements that are still to come: fails where the bytes that remain cannot hold them, so that the count may
 * become the size of an allocation. */
static inline uint32_t snw_read_count(snw_reader *reader, size_t element_bytes) {
	const uint32_t count = snw_read_u32(reader);
	if (element_bytes > 0 && count > reader->count / element_bytes) {
		reader->failed = 1;
		return 0;
	}
	return count;
}

#endif
