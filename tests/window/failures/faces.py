# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes without faces in a window: it names them, shows what there is, and goes on."""

from harness import drop_faces
from limbs import limbs
from driver import Window


def mesh_without_faces_is_opened_posed_and_sculpted_without_harm(folder):
    project = limbs(folder)
    drop_faces(project)
    with Window(folder, project, drawn=True) as window:
        assert not window.report()["alarmed"], window.report()["message"]
        window.drag(window.middle(), [(10, 0)], button=2)
        window.wait("orbit")
        window.key("Tab", "posing")
        window.drag(window.middle(), [(0, -5), (0, -5)])
        window.key("Tab", "posing")
        window.click("poses/bent")
        window.wait("pose bent")
        window.picture()
        assert not window.report()["alarmed"], window.report()["message"]


def file_of_points_alone_is_named_and_the_window_goes_on(folder):
    file, bare = folder / "bare.obj", folder / "bare.ase"
    file.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\n")
    bare.write_text(ASE)
    for path in (file, bare):
        with Window(folder, path, drawn=True) as window:
            state = window.report()
            assert state["alarmed"] and path.name in state["message"] and "faces" in state["message"], state["message"]
            window.key("Tab", "posing")
            window.picture()


ASE = """*3DSMAX_ASCIIEXPORT 200
*GEOMOBJECT {
*NODE_NAME "bare"
*MESH {
	*TIMEVALUE 0
	*MESH_NUMVERTEX 3
	*MESH_NUMFACES 0
	*MESH_VERTEX_LIST {
		*MESH_VERTEX 0 0.0 0.0 0.0
		*MESH_VERTEX 1 1.0 0.0 0.0
		*MESH_VERTEX 2 0.0 1.0 0.0
	}
}
}
"""


CASES = [mesh_without_faces_is_opened_posed_and_sculpted_without_harm, file_of_points_alone_is_named_and_the_window_goes_on]
