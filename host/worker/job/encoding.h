/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values as bytes, little endian, for messages and outcomes. Writing goes to a stream; check its error flag once at the end. Reading
 * never goes past the end, and sets `failed` if it would have to (sinew/bytes.h).
 */
#ifndef SINEW_HOST_WORKER_JOB_ENCODING_H
#define SINEW_HOST_WORKER_JOB_ENCODING_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "sinew/bytes.h"

void snw_record_put_u32(FILE *out, uint32_t value);
void snw_record_put_u64(FILE *out, uint64_t value);
void snw_record_put_f64(FILE *out, double value);
void snw_record_put_text(FILE *out, const char *text); /* NULL stays NULL */
void snw_record_put_bytes(FILE *out, const void *bytes, size_t count);
void snw_record_put_u32s(FILE *out, const uint32_t *values, size_t count); /* without the count */
void snw_record_put_f64s(FILE *out, const double *values, size_t count);

uint64_t snw_record_get_u64(snw_reader *reader);
char *snw_record_get_text(snw_reader *reader, snw_arena *arena);
unsigned char *snw_record_get_bytes(snw_reader *reader, snw_arena *arena, size_t *count);
/* NULL if fewer than `count` remain; then the reader has failed. */
uint32_t *snw_record_get_u32s(snw_reader *reader, snw_arena *arena, size_t count);
double *snw_record_get_f64s(snw_reader *reader, snw_arena *arena, size_t count);

#endif
