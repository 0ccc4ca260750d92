/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the build knows of itself. Meson writes it (about.c.in).
 */
#ifndef SINEW_UI_WINDOW_ABOUT_ABOUT_H
#define SINEW_UI_WINDOW_ABOUT_ABOUT_H

/* Lines, each with its end: the version, the build, the libraries with the versions it was built with, the licence. */
extern const char snw_about[];
/* The folder of the pages: in the source tree; installed, below the prefix; and that prefix. */
extern const char snw_source_pages[], snw_installed_pages[], snw_installed_prefix[];

#endif
