/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a text. Dear ImGui also breaks after a dot, which would part "4.12", and between a number and its unit.
 */
#include <cctype>
#include <cstring>

#include "window/imgui/internal.h"

namespace {

bool is_unit(const std::string &word) {
	static const char *const units[] = {"mm", "cm", "m", "in", "ft", "kB", "MB", "GB", "ms", "s", "%", "×"};
	for (const char *unit : units) {
		const size_t length = strlen(unit);
		if (word.compare(0, length, unit) == 0 && !isalnum((unsigned char)word.c_str()[length])) {
			return true;
		}
	}
	return false;
}

float width_of(const std::string &text) {
	return ImGui::CalcTextSize(text.c_str()).x;
}

} // namespace

std::string snw_wrapped(const char *text, float width) {
	std::string made, line;
	while (*text) {
		const size_t length = strcspn(text, " \n");
		std::string word(text, length);
		text += length;
		while (*text == ' ' && !word.empty() && isdigit((unsigned char)word.back()) &&
			   is_unit(std::string(text + 1, strcspn(text + 1, " \n")))) {
			const size_t more = 1 + strcspn(text + 1, " \n");
			word.append(text, more);
			text += more;
		}
		if (!line.empty() && width_of(line + word) > width) {
			line.pop_back(); /* the blank */
			made += line + "\n";
			line.clear();
		}
		line += word;
		if (*text == '\n') {
			made += line;
			line.clear();
			made += '\n';
		} else if (*text == ' ') {
			line += ' ';
		}
		text += *text ? 1 : 0;
	}
	return made + line;
}
