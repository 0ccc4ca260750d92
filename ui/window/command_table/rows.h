/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of the command table, by menu. command.h explains the columns.
 */
#ifndef SINEW_UI_WINDOW_COMMAND_TABLE_ROWS_H
#define SINEW_UI_WINDOW_COMMAND_TABLE_ROWS_H

/* clang-format off */

#define SNW_COMMANDS_FILE(ROW) \
	ROW(SAMPLE, sample, "sample", "", "ae", "", "File", "New sample arm", "Makes an arm with clips and targets, in a new project, to try things on") \
	ROW(OPEN, open, "open", "T", "ae", "Ctrl+O", "File", "Open…", "Opens a project, or imports a character: glTF, FBX, Collada, OBJ") \
	ROW(RECENT, recent, "recent", "n", "ae", "", "", "Open recent", "Opens the n-th of the recent projects") \
	ROW(FORGET_CRASHED, forget_crashed, "forget-crashed", "", "ae", "", "", "Dismiss crashed sessions", "Crashed sessions are no longer offered. Their projects do not change") \
	ROW(DROP, drop, "drop", "t", "ae", "", "", "Drop a file", "A project or character is opened; frames of as many points become a target; an OBJ of as many points becomes the sculpt of the chosen example") \
	ROW(SAVE, save, "save", "", "ae", "Ctrl+S", "-File", "Save", "Marks the present state as saved. Every change is in the file already; this is a place to come back to") \
	ROW(SAVE_AS, save_as, "save-as", "T", "ae", "Ctrl+Shift+S", "File", "Save as…", "Copies the project to another file and continues there") \
	ROW(REVERT, revert, "revert", "", "ae", "", "File", "Back to what was saved", "Takes back every change since the last Save; Redo brings them again") \
	ROW(EXPORT, export, "export", "T", "ae", "Ctrl+E", "-File", "Export…", "Writes glTF, OBJ, PC2 or MDD; what it loses is shown before it is written") \
	ROW(EXPORT_WRITE, export_write, "export-write", "", "ae", "", "", "Write the export", "Keeps the export that was shown") \
	ROW(EXPORT_DROP, export_drop, "export-drop", "", "av", "", "", "Drop the export", "Throws the export that was shown away") \
	ROW(PICTURE, picture, "picture", "T", "av", "P F12", "-File", "Write a picture", "Writes the window as a PNG, to the folder where the program was started") \
	ROW(QUIT, quit, "quit", "", "av", "Ctrl+Q", "-File", "Quit", "Closes the window. Nothing has to be saved: every change is in the project")

#define SNW_COMMANDS_EDIT(ROW) \
	ROW(UNDO, undo, "undo", "", "ae", "Ctrl+Z", "Edit", "Undo", "Takes the last change back") \
	ROW(REDO, redo, "redo", "", "ae", "Ctrl+Shift+Z Ctrl+Y", "Edit", "Redo", "Makes the change again that was taken back last") \
	ROW(HISTORY, history, "history", "n", "ae", "", "", "Go to a place in the history", "Undoes or redoes up to the entry of that number") \
	ROW(ESCAPE, escape, "escape", "", "av", "Escape", "", "Leave", "Closes what is open, ends what is under way") \
	ROW(DRAG_CANCEL, drag_cancel, "drag-cancel", "", "av", "", "", "Cancel the stroke or drag", "Undoes the stroke or drag in progress and nothing else") \
	ROW(SUBDIVIDE_CATMULL_CLARK, subdivide_catmull_clark, "subdivide-catmull-clark", "", "ae", "", "-Edit", "Subdivide by Catmull-Clark", "Makes every face quads, with the skin, sculpts, morphs, targets and fields refined alike; Undo takes it back") \
	ROW(SUBDIVIDE_LOOP, subdivide_loop, "subdivide-loop", "", "ae", "", "Edit", "Subdivide by Loop", "The same for meshes of triangles alone: each becomes four") \
	ROW(PREFERENCES, preferences, "preferences", "", "av", "Ctrl+,", "-Edit", "Preferences…", "Navigation, size of letters, keys") \
	ROW(PREFER, prefer, "prefer", "t", "av", "", "", "Set a preference", "KEY VALUE, as in the preferences file") \
	ROW(BIND, bind, "bind", "t", "av", "", "", "Give a command a key", "COMMAND KEYS")

#define SNW_COMMANDS_POSE(ROW) \
	ROW(POSING, posing, "posing", "", "av", "Tab", "Pose", "Pose or sculpt", "Changes between posing and sculpting") \
	ROW(JOINT, joint, "joint", "t", "av", "", "", "Choose a joint", "Chooses a joint by its name") \
	ROW(POSE, pose, "pose", "t", "av", "", "", "Go to a pose", "Shows a pose by its name") \
	ROW(ROTATE, rotate, "rotate", "nnnt", "ae", "", "", "Rotate a joint", "Its rotation vector away from rest, in degrees") \
	ROW(TRY_ROTATE, try_rotate, "try-rotate", "nnnt", "av", "", "", "Rotate a joint for now", "The same while it is being dragged") \
	ROW(POSE_ADD, pose_add, "pose-add", "T", "ae", "Ctrl+Return", "Pose", "Add this pose", "Keeps what is shown as a pose with a name") \
	ROW(POSE_NAME, pose_name, "pose-name", "T", "ae", "", "Pose", "Rename the pose…", "Gives the pose that is shown another name") \
	ROW(POSE_REMOVE, pose_remove, "pose-remove", "T", "ae", "", "Pose", "Remove the pose", "Removes the pose that is shown") \
	ROW(POSE_REST, pose_rest, "pose-rest", "", "av", "", "Pose", "Go to rest", "Shows the rest pose") \
	ROW(JOINT_RESET, joint_reset, "joint-reset", "T", "pe", "Alt+R", "-Pose", "Reset the joint", "Turns the chosen joint back to rest") \
	ROW(POSE_RESET, pose_reset, "pose-reset", "", "pe", "Alt+Shift+R", "Pose", "Reset all joints", "Turns every joint of this pose back to rest") \
	ROW(POSE_COPY, pose_copy, "pose-copy", "", "pv", "Ctrl+C", "Pose", "Copy the pose", "Remembers the pose that is shown") \
	ROW(POSE_PASTE, pose_paste, "pose-paste", "", "pe", "Ctrl+V", "Pose", "Paste the pose", "Shows the remembered pose here") \
	ROW(POSE_MIRROR, pose_mirror, "pose-mirror", "", "pe", "Ctrl+M", "Pose", "Mirror the pose", "Exchanges left and right") \
	ROW(SPACE, space, "space", "N", "pv", "X", "-Pose", "Axes of the gizmo", "Local, parent or world axes, in turn; or 1, 2, 3") \
	ROW(SUGGEST, suggest, "suggest", "", "ae", "", "Pose", "Suggest a pose to sculpt", "In a clip with a target, tries its frames as examples; else leaves each example out in turn")

#define SNW_COMMANDS_SCULPT(ROW) \
	ROW(BRUSH, brush, "brush", "t", "sv", "", "", "Choose a brush", "Chooses a brush by its name") \
	ROW(BRUSH_NUMBER, brush_number, "brush-number", "n", "sv", "", "", "Choose a brush", "Chooses a brush by its number") \
	ROW(RADIUS, radius, "radius", "n", "sv", "", "", "Radius of the brush", "Centimetres") \
	ROW(LARGER, larger, "larger", "", "sv", "]", "Sculpt", "Larger brush", "A fifth larger") \
	ROW(SMALLER, smaller, "smaller", "", "sv", "[", "Sculpt", "Smaller brush", "A fifth smaller") \
	ROW(STRENGTH, strength, "strength", "n", "sv", "", "", "Strength of the brush", "0 to 1") \
	ROW(PAINT_VALUE, paint_value, "paint-value", "n", "sv", "", "", "Value that is painted", "What the paint brush brings the field towards") \
	ROW(PAINT_FIELD, paint_field, "paint-field", "t", "av", "", "", "Paint a field", "Takes the paint brush to a named field; the first stroke makes it where there is none") \
	ROW(PAINT_WEIGHTS, paint_weights, "paint-weights", "", "sv", "", "Sculpt", "Paint the joint's weights", "Paint and blur change how much the chosen joint moves the skin, instead of a field") \
	ROW(FALLOFF, falloff, "falloff", "n", "sv", "", "", "Fall-off of the brush", "Which curve") \
	ROW(VOLUME, volume, "volume", "", "sv", "", "Sculpt", "Reach through the volume", "The brush reaches points near in space, not only along the surface") \
	ROW(SYMMETRY, symmetry, "symmetry", "", "sv", "", "Sculpt", "Symmetry", "What is done on one side happens on the other") \
	ROW(STROKE, stroke, "stroke", "nnnN", "sv", "", "", "Begin a stroke", "Where: fractions of the viewport from its top left corner; how hard; held keys: 1 Shift, 2 Ctrl") \
	ROW(DAB, dab, "dab", "nnn", "sv", "", "", "Go on with the stroke", "Where, as above") \
	ROW(STROKE_END, stroke_end, "stroke-end", "", "sv", "", "", "End the stroke", "It becomes part of the example, and the corrective follows") \
	ROW(MASK_CLEAR, mask_clear, "mask-clear", "", "sv", "Alt+M", "-Sculpt", "Clear the mask", "Every point can be moved again") \
	ROW(MASK_INVERT, mask_invert, "mask-invert", "", "sv", "Ctrl+I", "Sculpt", "Invert the mask", "What was held can be moved, and the other way round")

#define SNW_COMMANDS_EXAMPLE(ROW) \
	ROW(EXAMPLE_ADD, example_add, "example-add", "T", "ae", "Ctrl+Shift+A", "Examples", "Add an example here", "Keeps what is shown as an example in this pose, to be sculpted") \
	ROW(EXAMPLE, example, "example", "t", "av", "", "", "Choose an example", "Chooses an example by its name") \
	ROW(EXAMPLE_GO, example_go, "example-go", "T", "av", "", "Examples", "Go to the example", "Shows the pose in which it was sculpted") \
	ROW(EXAMPLE_UPDATE, example_update, "example-update", "T", "ae", "", "Examples", "Update from what is shown", "The example becomes what the character looks like now") \
	ROW(EXAMPLE_FILE, example_file, "example-file", "t", "ae", "", "", "Take a sculpt from a file", "An OBJ with as many points becomes the example's sculpt") \
	ROW(EXAMPLE_SOLO, example_solo, "example-solo", "T", "ae", "", "Examples", "Solo", "Shows what this example does alone, until Solo is pressed again; the project stays as it is") \
	ROW(EXAMPLE_MUTE, example_mute, "example-mute", "T", "ae", "", "Examples", "Mute", "Leaves the example out of what is learned, until it is unmuted") \
	ROW(EXAMPLE_MIRROR, example_mirror, "example-mirror", "T", "ae", "", "Examples", "Mirror", "Makes, or updates, the example of the other side") \
	ROW(EXAMPLE_NAME, example_name, "example-name", "T", "ae", "", "Examples", "Rename the example…", "Gives the chosen example another name") \
	ROW(EXAMPLE_REMOVE, example_remove, "example-remove", "T", "ae", "", "-Examples", "Delete", "Deletes the chosen example; Undo brings it back")

#define SNW_COMMANDS_GROUP(ROW) \
	ROW(GROUP, group, "group", "t", "av", "", "", "Choose a group", "Chooses a corrective group by its name") \
	ROW(GROUP_ADD, group_add, "group-add", "T", "ae", "", "-Examples", "New group…", "A corrective group: examples that the same joints drive learn together") \
	ROW(GROUP_NAME, group_name, "group-name", "T", "ae", "", "Examples", "Rename the group…", "Gives the chosen group another name, also in the settings that are for it alone") \
	ROW(GROUP_REMOVE, group_remove, "group-remove", "T", "ae", "", "Examples", "Delete the group", "Deletes the chosen group with the settings that are for it alone; its examples stay") \
	ROW(GROUP_EARLIER, group_earlier, "group-earlier", "", "ae", "Alt+Shift+Up", "Examples", "Group earlier", "Groups act in their order; each adds what the earlier ones leave") \
	ROW(GROUP_LATER, group_later, "group-later", "", "ae", "Alt+Shift+Down", "Examples", "Group later", "Groups act in their order; each adds what the earlier ones leave") \
	ROW(GROUP_PLACE, group_place, "group-place", "n", "ae", "", "", "Place of the group", "Moves the chosen group to that place, counted from 0") \
	ROW(GROUP_JOINT, group_joint, "group-joint", "t", "ae", "", "", "Joint of the group", "Lets a joint drive the chosen group; again: takes it out") \
	ROW(GROUP_FREE, group_free, "group-free", "", "ae", "", "Examples", "Let the method choose the joints", "The group is driven by the joints that its examples turn and its sculpted points follow") \
	ROW(EXAMPLE_JOIN, example_join, "example-join", "t", "ae", "", "", "Into a group", "Puts the chosen example into a group; it may be in several") \
	ROW(EXAMPLE_MOVE, example_move, "example-move", "t", "ae", "", "", "Into another group", "Moves the chosen example from the chosen group into another one") \
	ROW(EXAMPLE_LEAVE, example_leave, "example-leave", "T", "ae", "", "Examples", "Out of the group", "Takes the chosen example out of the chosen group, without deleting it") \
	ROW(EXAMPLE_MASK, example_mask, "example-mask", "T", "ae", "", "", "Mask in the group", "The field that says which points of the chosen example the chosen group moves; without one, all of them") \
	ROW(EXAMPLE_PLACE, example_place, "example-place", "n", "ae", "", "", "Place in the group", "Moves the chosen example to that place in the chosen group, counted from 0") \
	ROW(EXAMPLE_EARLIER, example_earlier, "example-earlier", "", "ae", "Alt+Up", "Examples", "Example up", "Moves the chosen example up in its group") \
	ROW(EXAMPLE_LATER, example_later, "example-later", "", "ae", "Alt+Down", "Examples", "Example down", "Moves the chosen example down in its group")

#define SNW_COMMANDS_STACK(ROW) \
	ROW(FIT, fit, "fit", "T", "ae", "Ctrl+F", "Stack", "Fit", "Learns the skin from the examples, in a process of its own") \
	ROW(CANCEL, cancel, "cancel", "", "av", "", "Stack", "Cancel the fit", "Stops what is running and discards its result") \
	ROW(LAYER, layer, "layer", "n", "av", "", "", "Choose a layer", "By its place from the bottom") \
	ROW(LAYER_ADD, layer_add, "layer-add", "t", "ae", "", "", "Add a layer", "A method that binds, or one to be fitted") \
	ROW(LAYER_UP, layer_up, "layer-up", "", "ae", "Ctrl+Up", "Stack", "Layer up", "Moves the chosen layer up by one") \
	ROW(LAYER_DOWN, layer_down, "layer-down", "", "ae", "Ctrl+Down", "Stack", "Layer down", "Moves the chosen layer down by one") \
	ROW(LAYER_PLACE, layer_place, "layer-place", "n", "ae", "", "", "Place of the layer", "Moves the chosen layer to that place, counted from the bottom") \
	ROW(LAYER_MUTE, layer_mute, "layer-mute", "N", "ae", "", "Stack", "Mute the layer", "Leaves the layer out; again: takes it in") \
	ROW(LAYER_REMOVE, layer_remove, "layer-remove", "", "ae", "", "Stack", "Remove the layer", "Removes the chosen layer; Undo brings it back") \
	ROW(SET, set, "set", "t", "ae", "", "", "Set a parameter", "KEY=VALUE of the chosen layer, or KEY@NAME=VALUE for one group or joint alone") \
	ROW(TRY_SET, try_set, "try-set", "t", "ae", "", "", "Set a parameter for now", "The same while it is being dragged, where nothing has to be learned for it") \
	ROW(UNSET, unset, "unset", "t", "ae", "", "", "Take a setting away", "KEY, back to its first value; or KEY@NAME, which one group or joint had for itself") \
	ROW(CHOOSE_FILE, choose_file, "choose-file", "t", "ae", "", "", "Choose a file for a parameter", "KEY of the chosen layer, or KEY@NAME: lists files, and sets the one that is chosen") \
	ROW(MEASURE, measure, "measure", "", "ae", "", "-Stack", "Measure", "The error table: linear blend and the stack, at the examples and over the targets")

#define SNW_COMMANDS_TIME(ROW) \
	ROW(PLAY, play, "play", "N", "av", "Space", "Time", "Play or pause", "Plays the clip") \
	ROW(STEP, step, "step", "n", "av", "", "", "Step", "So many frames forward") \
	ROW(STEP_ON, step_on, "step-on", "", "av", "Right", "Time", "Next frame", "The clip's next frame") \
	ROW(STEP_BACK, step_back, "step-back", "", "av", "Left", "Time", "Frame before", "The clip's frame before") \
	ROW(SEEK, seek, "seek", "n", "av", "", "", "Go to a time", "Seconds") \
	ROW(START, start, "start", "", "av", "Shift+Left", "Time", "To the start", "The clip's first moment") \
	ROW(LOOP, loop, "loop", "", "av", "", "Time", "Loop", "Begins again at the end") \
	ROW(SPEED, speed, "speed", "n", "av", "", "", "Speed", "Times as fast") \
	ROW(CLIP, clip, "clip", "t", "av", "", "", "Choose a clip", "By its name")

#define SNW_COMMANDS_VIEW(ROW) \
	ROW(ORBIT, orbit, "orbit", "nn", "av", "", "", "Turn the view", "Radians of yaw and pitch") \
	ROW(PAN, pan, "pan", "nn", "av", "", "", "Pan the view", "Of the viewport's height, to the right and up") \
	ROW(ZOOM, zoom, "zoom", "nNN", "av", "", "", "Zoom the view", "Times the distance; the place in the viewport that stays where it is, from the middle (0 0) to the right and upper edges (1 1)") \
	ROW(FRAME, frame, "frame", "", "av", "A Home", "View", "Frame everything", "Brings everything into view") \
	ROW(FRAME_CHOSEN, frame_chosen, "frame-chosen", "", "av", "F", "View", "Frame what is chosen", "Brings the chosen joint, or everything, into view") \
	ROW(FRONT, front, "front", "", "av", "Keypad1", "View", "From the front", "Looks along −z") \
	ROW(BACK, back, "back", "", "av", "Ctrl+Keypad1", "View", "From behind", "Looks along +z") \
	ROW(SIDE, side, "side", "", "av", "Keypad3", "View", "From the side", "Looks along −x") \
	ROW(OTHER_SIDE, other_side, "other-side", "", "av", "Ctrl+Keypad3", "View", "From the other side", "Looks along +x") \
	ROW(TOP, top, "top", "", "av", "Keypad7", "View", "From above", "Looks down") \
	ROW(BELOW, below, "below", "", "av", "Ctrl+Keypad7", "View", "From below", "Looks up") \
	ROW(PARALLEL, parallel, "parallel", "", "av", "Keypad5", "View", "Without perspective", "Lines that are parallel stay so: for lining things up") \
	ROW(BEFORE, before, "before", "n", "av", "hold:B", "-View", "Before (hold)", "Shows the linear blend while the key is held") \
	ROW(METHOD, method, "method", "n", "av", "", "", "Choose a method", "What poses the character, by its number") \
	ROW(HEAT, heat, "heat", "N", "av", "H", "View", "Error as heat map", "Paints how far each point is from what it should be") \
	ROW(FIELD, field, "field", "t", "av", "", "", "Show a field", "Paints a named field on the skin: error, influences (each joint's colour, mixed by the weights), or one of the project's") \
	ROW(PLOT, plot, "plot", "t", "av", "", "", "Choose the curve", "What the curve under the timeline shows: the largest error of each frame, or a field over frames that a fit has left") \
	ROW(SKELETON, skeleton, "skeleton", "", "av", "S", "View", "Skeleton", "Shows the bones") \
	ROW(SHADING, shading, "shading", "n", "av", "", "", "Shading", "0 materials, 1 clay, 2 x-ray, 3 edges alone") \
	ROW(LIGHTS, lights, "lights", "n", "av", "", "", "Lights", "0 studio, 1 raking, which shows every dent, 2 even") \
	ROW(SUBDIVIDE, subdivide, "subdivide", "n", "av", "", "", "Subdivided preview", "0 the mesh itself, 1 or 2 smoother") \
	ROW(RESET_GRAPHICS, reset_graphics, "reset-graphics", "", "av", "", "", "Reset the graphics", "Creates everything on the graphics card again, as after a reset of the driver") \
	ROW(FLAT, flat, "flat", "", "av", "L", "View", "Flat facets", "Shows each face as it is") \
	ROW(WIREFRAME, wireframe, "wireframe", "", "av", "W", "View", "Wireframe", "Draws the edges") \
	ROW(GRID, grid, "grid", "", "av", "G", "View", "Ground grid", "Shows the ground") \
	ROW(GHOSTS, ghosts, "ghosts", "", "av", "O", "View", "Ghosts of the examples", "Shows the poses of the nearest examples faintly") \
	ROW(PANELS, panels, "panels", "", "av", "Ctrl+Space", "View", "Panels", "Hides the panels, or shows them again") \
	ROW(TAB, tab, "tab", "n", "av", "", "", "Show a tab", "Of the right panel")

#define SNW_COMMANDS_HELP(ROW) \
	ROW(PALETTE, palette, "palette", "", "av", "Ctrl+P F3", "Help", "Find a command…", "Lists every command; typing narrows it down") \
	ROW(KEYS, keys, "keys", "", "av", "F1", "Help", "Keys", "Lists the keys") \
	ROW(REPORT, report, "report", "", "av", "F11 Ctrl+F11", "", "Report", "Writes the state, and where everything is, to standard output, once nothing is under way") \
	ROW(REPORT_AT_ONCE, report_at_once, "report-at-once", "", "av", "Shift+F11", "", "Report at once", "The same without waiting for what is under way") \
	ROW(WRITE_SCRIPT, write_script, "write-script", "", "av", "", "Help", "Record of this session", "Writes what has been done as a script, for a bug report")

/* clang-format on */

#endif
