"""Writes a language that has many words for everything: wordy.py PHRASES.def LANG.xml"""
import pathlib
import re
import sys
import zlib
from xml.sax.saxutils import escape

PHRASE = re.compile(r'PHRASE\((\w+),\s*((?:"(?:\\.|[^"\\])*"\s*)+)\)')
with open(sys.argv[2], "w") as out:
    out.write('<language tag="zz" name="wordy">\n')
    for name, english in PHRASE.findall(pathlib.Path(sys.argv[1]).read_text()):
        said = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', english)).replace('\\"', '"').replace("\\n", " ")
        words = name.lower().split("_") + ["in", "so", "many", "words", "that", "no", "line", "has", "room", "for", "all", "of", "them", "and", "some", "more"]
        more = 16 + zlib.crc32(name.encode()) % 8
        out.write(f'  <says id="{name}">{escape(said)} {" ".join((words * 2)[:more])}.</says>\n')
    out.write("</language>\n")
