#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Everything that the tests of export write, through the Khronos glTF validator: validate.py FOLDER TEST...
# Runs each test with a folder to leave its files in. The validator is installed into FOLDER when it is missing; where node or
# the network is not there the check skips and says so (exit status 77).
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def skip(reason):
    print('skipped:', reason)
    sys.exit(77)


def install(folder):
    if os.path.isdir(os.path.join(folder, 'node_modules', 'gltf-validator')):
        return
    os.makedirs(folder, exist_ok=True)
    shutil.copy(os.path.join(HERE, 'package.json'), folder)
    command = ['npm', 'install', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error']
    if subprocess.run(command, cwd=folder, timeout=120, stdin=subprocess.DEVNULL).returncode != 0:
        skip('the glTF validator could not be installed; is there a network?')


def main():
    folder, tests = sys.argv[1], sys.argv[2:]
    if not shutil.which('node') or not shutil.which('npm'):
        skip('no node to run the glTF validator')
    install(folder)
    with tempfile.TemporaryDirectory() as exports:
        for test in tests:
            result = subprocess.run([test], env=dict(os.environ, SINEW_EXPORTS=exports), stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT)
            if result.returncode != 0:
                sys.stdout.buffer.write(result.stdout)
                sys.exit(1)
        files = sorted(os.path.join(exports, name) for name in os.listdir(exports))
        files = [name for name in files if name.endswith(('.glb', '.gltf'))]
        print(len(files), 'files')
        sys.exit(subprocess.run(['node', os.path.join(HERE, 'validate.cjs'), folder] + files).returncode)


main()
