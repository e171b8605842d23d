"""Folders outside the repository that proofs need, each named by a variable: a proof that misses one ends with 77 and says which."""
import os
import pathlib
import sys


def folder(variable, what, given=None):
    """The folder that `given` or the variable names."""
    named = given or os.environ.get(variable)
    if not named or not pathlib.Path(named).is_dir():
        print(f"needs {what}: set {variable} to " + (f"a folder that is there ('{named}' is not)" if named else "its folder"))
        sys.exit(77)
    return pathlib.Path(named)


def corpus(below="", given=None):
    """Models, traces and tables of other projects, or one folder of them."""
    return folder("NPU_ADVISE_CORPUS", "the corpus of other projects' models", given) / below


def networks():
    return folder("NPU_ADVISE_NETWORKS", "the networks of make_networks.py and make_rknn_networks.py")
