#!/usr/bin/python3
"""wide.py RUNS [--every N] INPUT…: runs a command on each of many inputs; what is said is compared as what the case leaves.

RUNS has a command a line ("#" begins a remark): words for the shell with {} for the input, {name} for its name alone and {dir} for a
folder in which it lies alone.  An input is run by one of the lines, by its name, so that one more changes nothing for the others.
An INPUT is a file, or TARGET.tar.xz, kept inputs of a fuzz target but for those called made-…, which are many and alike; of all, one of
N is taken.  A *.textpb is encoded first; a file that lines of
"%%%%" cut in parts becomes as many files, {} is the first and {2} the second.
LINE.said has for each input of that line: its name, the exit status, stdout and stderr.
"""
import argparse
import pathlib
import shutil
import subprocess
import tarfile
import zlib

INPUTS = pathlib.Path(".in")


def unpacked(path):
    with tarfile.open(path) as archive:
        for member in sorted(archive.getmembers(), key=lambda m: m.name):
            if member.isfile() and not pathlib.Path(member.name).name.startswith("made-"):
                yield pathlib.Path(member.name).name, archive.extractfile(member).read()


def encoded(path):
    import onnx
    from google.protobuf import text_format
    return text_format.Parse(path.read_text(), onnx.ModelProto()).SerializeToString(deterministic=True)


def number_of(name):
    return zlib.crc32(name.encode())


def inputs(paths, every):
    """(name, bytes) of one of so many."""
    return ((name, data) for name, data in all_inputs(paths) if number_of(name) % every == 0)


def all_inputs(paths):
    for path in map(pathlib.Path, paths):
        if path.name.endswith(".tar.xz"):
            yield from unpacked(path)
        elif path.suffix == ".textpb":
            yield f"{path.parent.name}-{path.stem}.onnx", encoded(path)
        else:
            yield path.name, path.read_bytes()


def laid_out(name, data):
    """The input's parts as files of a folder of its own."""
    folder = INPUTS / (name + ".d")
    folder.mkdir(parents=True)
    parts = data.split(b"\n%%%%\n")
    files = [folder / (name if i == 0 else f"{i + 1}.json") for i in range(len(parts))]
    for file, part in zip(files, parts):
        file.write_bytes(part)
    return folder, files


def run(line, folder, files):
    """What is said."""
    words = {"{}": files[0], "{name}": files[0].name, "{dir}": folder, "{2}": files[1] if len(files) > 1 else "/dev/null"}
    for word, value in words.items():
        line = line.replace(word, str(value))
    done = subprocess.run(["sh", "-c", line], capture_output=True, stdin=subprocess.DEVNULL)
    return f"== {files[0].name}: {done.returncode}\n".encode() + done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runs", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("inputs", nargs="+")
    options = parser.parse_args()
    lines = [line for line in options.runs.read_text().splitlines() if line and line[0] != "#"]
    shutil.rmtree(INPUTS, ignore_errors=True)
    said = [open(f"{i + 1:02}.said", "wb") for i in range(len(lines))]
    for name, data in inputs(options.inputs, options.every):
        folder, files = laid_out(name, data)
        k = number_of(name) // options.every % len(lines)
        said[k].write(run(lines[k], folder, files))
        shutil.rmtree(folder)
    for file in said:
        file.close()
    # A byte that is no text would keep the whole from being compared.
    for file in said:
        path = pathlib.Path(file.name)
        path.write_text(path.read_bytes().decode("utf8", "backslashreplace").replace("\0", "\\0"))


if __name__ == "__main__":
    main()
