# SPDX-License-Identifier: GPL-3.0-or-later
"""How far VTK's reader of glTF is from the stack: vtk_play.py DIAGONAL FILE.glb CLIP=FRAMES.mdd…, whose frames are 24 per second.
Prints JSON as play.mjs does."""

import json
import sys

import numpy
from vtk import vtkGLTFReader, vtkStreamingDemandDrivenPipeline
from vtk.util.numpy_support import vtk_to_numpy

RATE = 24


def read_frames(path):
    """The points of each frame of an MDD; frame f is at f / RATE seconds."""
    with open(path, "rb") as file:
        frames, points = numpy.frombuffer(file.read(8), ">i4")
        times = numpy.frombuffer(file.read(4 * frames), ">f4")
        assert abs(times - numpy.arange(frames) / RATE).max() < 1e-4, times
        return numpy.frombuffer(file.read(), ">f4").reshape(frames, points, 3).astype(float)


def played(path, clip, frames):
    reader = vtkGLTFReader()
    reader.SetFileName(path)
    reader.SetApplyDeformationsToGeometry(True)
    reader.SetFrameRate(RATE)
    reader.UpdateInformation()
    names = [reader.GetAnimationName(i) for i in range(reader.GetNumberOfAnimations())]
    reader.EnableAnimation(names.index(clip))
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    for frame in range(min(frames, len(times))):
        reader.UpdateTimeStep(times[frame])
        iterator = reader.GetOutput().NewIterator()
        parts = []
        while not iterator.IsDoneWithTraversal():
            parts.append(vtk_to_numpy(iterator.GetCurrentDataObject().GetPoints().GetData()).astype(float))
            iterator.GoToNextItem()
        yield numpy.concatenate(parts)


def farthest(paths, others, reach):
    """For each path the nearest of the others; the largest of these distances."""
    worst = 0
    for path in paths.transpose(1, 0, 2):
        near = numpy.nonzero(((others[0] - path[0]) ** 2).sum(1) < reach * reach)[0]
        apart = numpy.sqrt(((others[:, near] - path[:, None]) ** 2).sum(2)).max(0)
        worst = max(worst, apart.min() if len(apart) else numpy.inf)
    return worst


def main():
    diagonal, path = float(sys.argv[1]), sys.argv[2]
    truth, shown = [], []
    for word in sys.argv[3:]:
        clip, frames = word.split("=", 1)
        points = read_frames(frames)
        shown.append(numpy.stack(list(played(path, clip, len(points)))))
        truth.append(points[:len(shown[-1])])
    truth, shown = numpy.concatenate(truth), numpy.concatenate(shown)
    reach = 0.005 * diagonal  # nothing is that far off
    print(json.dumps({"max_percent": 100 * farthest(shown, truth, reach) / diagonal,
                      "missed_percent": 100 * farthest(truth, shown, reach) / diagonal,
                      "vertices": shown.shape[1], "points": truth.shape[1], "frames": len(truth)}))


main()
