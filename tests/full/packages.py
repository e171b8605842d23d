"""The pinned npm packages of tests/full/package.json: where they are, fetched once when they are not there."""
import os
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent


def folder_with(name):
    """The node_modules that has the package, or None where it cannot be had."""
    given = pathlib.Path(os.environ.get("NPU_ADVISE_NODE_MODULES", HERE / "node_modules"))
    if not shutil.which("node"):
        return None
    if not (given / name).is_dir() and shutil.which("npm"):
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], cwd=HERE)
    return given if (given / name).is_dir() else None
