"""The pinned npm packages of tests/full/package.json, for proofs in Python."""
import pathlib
import shutil
import subprocess

HERE = pathlib.Path(__file__).resolve().parent


def folder_with(name):
    """The node_modules that has the package, or None where it cannot be had."""
    if not shutil.which("node"):
        return None
    found = subprocess.run([HERE / "packages"], stdout=subprocess.PIPE, text=True)
    folder = pathlib.Path(found.stdout.strip())
    return folder if found.returncode == 0 and (folder / name).is_dir() else None
