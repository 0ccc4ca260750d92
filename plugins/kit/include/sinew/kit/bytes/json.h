/* SPDX-License-Identifier: MIT
 *
 * JSON, written straight to a sink, without spaces: for `describe`. Commas are placed by the writer.
 *
 *     snk_json json = snk_json_start(sink);
 *     snk_json_open_object(&json, NULL);
 *     snk_json_open_array(&json, "names");
 *     snk_json_text(&json, NULL, "elbow");
 *     snk_json_close_array(&json);
 *     snk_json_close_object(&json);
 *     return snk_json_finish(&json);
 *
 * A value has a key in an object, and none (NULL) elsewhere. The first failure of the sink is kept, and everything after it
 * does nothing. Nothing allocates. One writer, one thread at a time.
 */
#ifndef SINEW_KIT_BYTES_JSON_H
#define SINEW_KIT_BYTES_JSON_H

#include "sinew/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snk_json {
	snw_writer writer;
	uint32_t depth;  /* arrays and objects that are open */
	int needs_comma; /* before the next value or key */
} snk_json;

snk_json snk_json_start(const snw_sink *sink);

void snk_json_open_object(snk_json *json, const char *key);
void snk_json_close_object(snk_json *json);
void snk_json_open_array(snk_json *json, const char *key);
void snk_json_close_array(snk_json *json);

/* Text is UTF-8 and ends with a 0. Quotes, backslashes and control characters are escaped. */
void snk_json_text(snk_json *json, const char *key, const char *text);

/* With 17 digits, which give back the same double, and a point, whatever the locale. What is not finite becomes null. */
void snk_json_number(snk_json *json, const char *key, double number);
void snk_json_integer(snk_json *json, const char *key, int64_t number);
void snk_json_boolean(snk_json *json, const char *key, int value);

/* An array of numbers. */
void snk_json_numbers(snk_json *json, const char *key, size_t count, const double *numbers);

/* The status of the sink; SNW_ERROR_INTERNAL where an array or an object is still open. */
snw_status snk_json_finish(const snk_json *json);

#ifdef __cplusplus
}
#endif

#endif
