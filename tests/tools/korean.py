#!/usr/bin/python3
"""Finds English words and wrong terms in Korean texts.

  korean.py [--names A,B] [--columns N] [FILE]...     default: rules/lang/ko.xml and the Korean texts of rules/*.xml

A file that ends in .xml is read by its Korean elements, any other line by line (a screen).  Identifiers are no English: code in
backticks or quotes, options, names with a capital inside, a digit, a dot or an underscore, values between bars, examples of commands, operators, acronyms, what is filled in,
NAMES, and those of --names (of a model).  A command that goes on after a backslash is one line.  With --columns also lines that are
wider.  One line per find: file, words, text.  Status 1 if there is one.
"""
import argparse
import pathlib
import re
import sys
import unicodedata
import xml.etree.ElementTree as ET

ROOT = pathlib.Path(__file__).resolve().parents[2]
LANG = "{http://www.w3.org/XML/1998/namespace}lang"
CODE = re.compile(r"`[^`]*`|\S*\w\|\S*|'[^']*'|\"[^\"]*\"|--?[A-Za-z][\w-]*(?:=\S+| [A-Za-z][A-Za-z./]*)?|\S*[\w.]\([^)]*\)(?:\.\w+)?|\S*[_/=*…]\S*|\S*\.\w+|^ +npu-advise [^#]*|\w+(?:-\w+)+")
WORD = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{3,}(?![A-Za-z0-9])")
# Words that stay English, each group with its reason.
ALLOWED = {
    "commands, files and options as they are typed": "npu advise exec apply calibrate explain diff taskset nvpmodel Ctrl Enter Esc Shift top opset",
    "values of options, files and operators": "true false opt mixed min max mode ceil grid perm pads strides dilations vector launch mac sram dram pcie",
    "names of products": "Warboy warboy furiosa trtexec nsys profile protobuf airockchip librknnrt rknn Jetson onnxsim oneDNN zlib gzip Python Landlock seccomp Spearman Perfetto",
    "names of the runtime and of spans in its traces": "submitter receiver submit recv queue enqueue performance Inference Run Total Elementwise Mask Runtime Lower Unlower Quantize Dequantize Pool Conv ONNX",
    "streams and file formats, which Korean writers spell so": "stdout stderr stdin dfg",
}
NAMES = set(" ".join(ALLOWED.values()).split())
# Words that mean something else, or of which another one is the term.
TERMS = (
    (r"실수(?!치)", "부동 소수점 (float)"),
    (r"(?<![A-Za-z가-힣])float(?![A-Za-z0-9])", "부동 소수점 (float)"),
    (r"공급사|벤더", "제조사 (vendor)"),
    (r"양자화 도구", "양자화기 (quantizer)"),
    (r"(?<![가-힣])층(?![가-힣]*적)|층의|층마다", "레이어 (layer)"),
    (r"컨볼루션", "합성곱 (convolution)"),
    (r"어플리케이션|응용 프로그램", "애플리케이션 (application)"),
    (r"작업자|일꾼", "워커 (worker)"),
    (r"그림|사진|화상", "이미지 (image)"),
    (r"권고|권장 사항", "추천 (recommendation)"),
    (r"이득", "절감 (saving)"),
    (r"처리율", "처리량 (throughput)"),
    (r"전선", "프런트 (front)"),
    (r"질의", "쿼리 (query)"),
    (r"절약", "절감 (saving)"),
    (r"판정 불가", "판단 불가 (undecided)"),
)


def operators():
    return set(re.findall(r' name="(\w+)"', (ROOT / "graph/infer/ops.xml").read_text()))


def commands():
    return set(re.findall(r' name="(\w+)"', (ROOT / "advisor/options/commands.xml").read_text()))


def texts(path):
    if path.suffix != ".xml":
        yield from re.sub(r" \\\n +", " ", path.read_text()).splitlines()
        return
    root = ET.parse(path).getroot()
    before = None
    for element in root.iter():
        code, before = element.text == before, element.text  # a setting, which no language changes
        if element.text and not code and (element.get(LANG) == "ko" or element.tag == "says" and root.get("tag") == "ko"):
            yield " ".join(element.text.split())


def finds(text, names):
    rest = CODE.sub(" ", re.sub(r"\{[^}]*\}", " ", text))
    for word in WORD.findall(rest):
        if not re.search(r"[a-z]", word) or re.search(r"[a-z][A-Z]|[A-Z]{2}", word) or word in names:
            continue
        yield word, "Korean"
    for pattern, say in TERMS:
        for match in re.finditer(pattern, rest):
            yield match[0], say


def words_in(lines, names=()):
    """English words in the lines of a screen, but identifiers."""
    return [word for line in lines for word, say in finds(re.sub(r"^[A-Za-z ]+: ", "", line), NAMES | operators() | commands() | set(names)) if say == "Korean"]


def width(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--names", default="")
    parser.add_argument("--columns", type=int)
    o = parser.parse_args()
    files = o.files or [ROOT / "rules/lang/ko.xml", *sorted((ROOT / "rules").glob("*.xml"))]
    names, found, count = NAMES | operators() | commands() | set(o.names.split(",")), 0, 0
    for path in files:
        for line in path.read_text().splitlines() if o.columns else []:
            if width(line) > o.columns:
                found += 1
                print(f"{path.name}: {width(line)} columns: {line[:60]}")
        for text in texts(path):
            count += 1
            for word, say in finds(re.sub(r"^[A-Za-z ]+: ", "", text), names):  # the word that a line of the glossary explains
                found += 1
                print(f"{path.name}: {word} (say: {say}) in: {text[:100]}")
    print(f"{'more than 1,500' if count > 1500 else count} texts, {found} found")
    return found > 0 or count == 0


if __name__ == "__main__":
    sys.exit(main())
