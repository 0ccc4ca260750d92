/* SPDX-License-Identifier: MIT
 *
 * The plug-in ABI, whole. A plug-in includes this and nothing else of Sinew.
 */
#ifndef SINEW_H
#define SINEW_H

#include "sinew/base.h"
#include "sinew/deformer.h"
#include "sinew/field.h"
#include "sinew/host.h"
#include "sinew/parameter.h"
#include "sinew/program.h"
#include "sinew/view.h"

#endif
