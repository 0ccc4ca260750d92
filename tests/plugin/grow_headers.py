#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies the plug-in headers as another revision of the ABI would have them.

    grow_headers.py PLUGINS_DIR OUTPUT_DIR same|fewer|tables|calls|more

`more` appends two members to every growable struct. `fewer`, `tables` and `calls` take the last ones away from those in their table:
`fewer` for grown.c; `tables` and `calls` for bare.c, which needs less, from the structs of which grown.c uses the last member.
Together they take members away from every struct. OUTPUT_DIR then holds `sinew/`, to be compiled against. OUTPUT_DIR.h, beside it,
says which revision this is and lists the growable structs.
"""

import os
import re
import sys

# The member from which on a struct loses all. The test deformer gets by without them.
LOSES = {
    "snw_mesh_view": "corner_uvs",
    "snw_rows_view": "influence_rows",
    "snw_reskin_call": "rows",
    "snw_transfer_call": "stencils",
    "snw_stencils_view": "shares",
    "snw_skeleton_view": "rest_global",
    "snw_character_view": "channel_count",
    "snw_pose_view": "clip",
    "snw_sequence_view": "clip",
    "snw_parameter": "role",
    "snw_deform_call": "prepared",
    "snw_deformer": "describe",
    "snw_open_call": "path",
    "snw_entry": "open",
    "snw_task_service": "fail",
    "snw_parallel_service": "thread_count",
    "snw_program_service": "runs",
    "snw_solver_service": "release",
    "snw_below_matrices_call": "indices",
    "snw_program_service": "runs",
    "snw_dense_call": "matrix",
    "snw_sparse_call": "column_offsets",
    "snw_skeleton_proposal": "slot_count",
    "snw_weights_proposal": "influence_offsets",
    "snw_pose_proposal": "name",
    "snw_track_proposal": "frame_count",
    "snw_proposal_service": "skeleton",
    "snw_displacements": "joints",
    "snw_program_part": "normal_palette",
    "snw_model_layout": "prepared_bytes",
    "snw_drive_output": "e",
    "snw_helper_joints": "list",
    "snw_helper_joint": "rotation",
    "snw_target_proposal": "frame_count",
    "snw_contact_pairs_call": "capacity",
    "snw_contact_points_call": "windings",
    "snw_contact_service": "release",
    "snw_group_falloffs": "settings",
}

# What grown.c keeps every member of, and why.
KEEPS = {
    "snw_descriptor": "it declares fields",
    "snw_fit_input": "it reads overrides",
    "snw_sink": "it saves",
    "snw_load_call": "it loads",
    "snw_drive_call": "it drives",
    "snw_lower_call": "it gives a reason where it does not lower",
    "snw_field_info": "it declares a field that its fit writes",
    "snw_field_view": "it reads and proposes values",
    "snw_field_proposal": "it proposes a field",
    "snw_host": "it asks for services",
    "snw_memory_service": "it releases memory",
    "snw_below_call": "it reads the points that come back",
    "snw_below_service": "it deforms with what lies below",
    "snw_override": "it reads the value of an override",
    "snw_example_view": "it reads the edited points where SNW_HAS says that they are there",
    "snw_member_view": "it reads masks",
    "snw_group_view": "it reads members",
}

# What these lose instead, in builds of bare.c. A method that binds never saves; one that has no fields never describes one.
BARE_LOSES = {
    "tables": {
        "snw_field_info": "written",
        "snw_fit_input": "previous",
        "snw_sink": "write",
        "snw_load_call": "bytes",
        "snw_host": "service",
        "snw_memory_service": "acquire",
        "snw_example_view": "edited_count",
        "snw_member_view": "mask",
        "snw_group_view": "members",
    },
    "calls": {
        "snw_descriptor": "field_count",
        "snw_override": "scope",
        "snw_drive_call": "scratch",
        "snw_lower_call": "reason",
        "snw_field_view": "values",
        "snw_field_proposal": "field",
        "snw_below_call": "points_posed",
        "snw_below_service": "deform",
    },
}

STRUCT = re.compile(r"(struct (snw_\w+) \{\n\tuint32_t size;)(.*?)(\n\})", re.S)
NEW_MEMBERS = "\n\tuint64_t grown_number;\n\tconst char *grown_text;"
DIRECTION = {"fewer": -1, "tables": -1, "calls": -1, "same": 0, "more": 1}


def grow(text, mode, names):
    loses = LOSES if mode == "fewer" else BARE_LOSES.get(mode, {})

    def change(match):
        opening, name, members, closing = match.groups()
        names.append(name)
        if mode == "more":
            members += NEW_MEMBERS
        elif name in loses:
            before = re.match(rf"(.*;|)[^;]*\b{loses[name]}\b", members, re.S)
            if not before:
                sys.exit(f"grow_headers.py: {name} has no member {loses[name]} to lose")
            members = before.group(1)
        return opening + members + closing

    return STRUCT.sub(change, re.sub(r"/\*.*?\*/", "", text, flags=re.S))


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main(plugins, output, mode):
    names = []
    for part in ("include", "runtime"):
        folder = os.path.join(plugins, part, "sinew")
        for header in sorted(os.listdir(folder)):
            with open(os.path.join(folder, header), encoding="utf-8") as file:
                text = file.read()
            write(os.path.join(output, "sinew", header), grow(text, mode, names))
    if KEEPS.keys() != BARE_LOSES["tables"].keys() | BARE_LOSES["calls"].keys():
        sys.exit("grow_headers.py: these lose members in no build: "
                 + ", ".join(sorted(KEEPS.keys() ^ (BARE_LOSES["tables"].keys() | BARE_LOSES["calls"].keys()))))
    if set(names) != LOSES.keys() | KEEPS.keys():
        sys.exit("grow_headers.py: it is not said whether these lose members, or they are gone: "
                 + ", ".join(sorted(set(names) ^ (LOSES.keys() | KEEPS.keys()))))
    rows = " ".join(f"ROW({name})" for name in names)
    write(output + ".h", f"#define GROWN {DIRECTION[mode]}\n#define GROWN_STRUCTS(ROW) {rows}\n")


main(*sys.argv[1:])
