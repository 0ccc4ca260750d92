/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"

#include <stdbool.h>

size_t snw_utf8_length(const char *text) {
	const unsigned char *bytes = (const unsigned char *)text;
	if (bytes[0] < 0x80) {
		return 1;
	}
	const size_t length = bytes[0] >= 0xf0 ? 4 : bytes[0] >= 0xe0 ? 3 : bytes[0] >= 0xc2 ? 2 : 0;
	if (length == 0 || bytes[0] > 0xf4) {
		return 0;
	}
	for (size_t i = 1; i < length; i++) {
		if ((bytes[i] & 0xc0) != 0x80) {
			return 0;
		}
	}
	const bool overlong = (bytes[0] == 0xe0 && bytes[1] < 0xa0) || (bytes[0] == 0xf0 && bytes[1] < 0x90);
	const bool outside = (bytes[0] == 0xed && bytes[1] > 0x9f) || (bytes[0] == 0xf4 && bytes[1] > 0x8f);
	return overlong || outside ? 0 : length;
}
