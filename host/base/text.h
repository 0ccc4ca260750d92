/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text from strangers: which bytes are letters, and which would do something to the terminal that shows them.
 */
#ifndef SINEW_HOST_BASE_TEXT_H
#define SINEW_HOST_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes of the letter at `text`, in UTF-8; 0 where there is none, or no good one. */
size_t snw_text_letter(const char *text);

/* The bytes of the control character at `text` (U+0000 to U+001F, U+007F to U+009F); 0 where there is none. */
size_t snw_text_control(const char *text);

/* Every control character and every byte that is not UTF-8 becomes `instead`. True where there were control characters. */
bool snw_text_clean(char *text, char instead);

#endif
