"""Writes a language that has many words for everything: wordy.py EN.xml LANG.xml"""
import sys
import xml.etree.ElementTree as ET
import zlib
from xml.sax.saxutils import escape

with open(sys.argv[2], "w") as out:
    out.write('<language tag="zz" name="wordy">\n')
    for says in ET.parse(sys.argv[1]).getroot().find("module[@name='advisor/message']"):
        name, said = says.get("id"), says.text
        words = name.lower().split("_") + ["in", "so", "many", "words", "that", "no", "line", "has", "room", "for", "all", "of", "them", "and", "some", "more"]
        more = 16 + zlib.crc32(name.encode()) % 8
        out.write(f'  <says id="{name}">{escape(said)} {" ".join((words * 2)[:more])}.</says>\n')
    out.write("</language>\n")
