// SPDX-License-Identifier: GPL-3.0-or-later
// What a method in C++ does that lets an exception out.

extern "C" void small_throw() {
	throw 1;
}
