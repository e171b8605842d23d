import pathlib, re, sys
import xml.etree.ElementTree as ET

LANG = "{http://www.w3.org/XML/1998/namespace}lang"
SPOKEN = ("title", "why", "risk", "place", "untried", "applies", "withheld", "fix", "example")
# Code, names and what is filled in are the same in every language.
CODE = re.compile(r"""\{[^}]*\}|'[^']*'|"[^"]*"|[\w.]+\([^)]*\)|\S*[_=:\[\]()-]\S*|\b(?:rewrite|furiosa compile|warboy)\b""")


def names(text):
    """What the templates in a text are about."""
    return set(re.findall(r"[@$][\w-]+", "".join(re.findall(r"\{[^}]*\}", text))))


def check(path):
    """Problems with a rule's texts, and how many pairs there are."""
    problems, pairs = [], 0
    elements = list(ET.parse(path).getroot())
    for element, behind in zip(elements, elements[1:] + [None]):
        if element.tag not in SPOKEN or element.get(LANG) or element.get("as") == "code":
            continue
        if behind is None or behind.get(LANG) != "ko" or behind.tag != element.tag:
            if re.search(r"\b[a-z]{3}", CODE.sub("", element.text)):
                problems.append(f"<{element.tag}> is not there in Korean: {element.text[:60]}")
            continue
        pairs += 1
        if not re.search(r"[가-힣]|\{say\(", behind.text):
            problems.append(f"<{element.tag} xml:lang='ko'> is not Korean: {behind.text[:60]}")
        lost = names(element.text) ^ names(behind.text)
        if lost - {"@bound"}:
            problems.append(f"<{element.tag}>: only one language tells {sorted(lost)}")
    return problems, pairs


count = 0
for path in sorted(pathlib.Path(sys.argv[1]).glob("NPU*.xml")):
    problems, pairs = check(path)
    print(*(f"{path.name}: {problem}" for problem in problems), sep="\n", end="\n" if problems else "")
    count += pairs
print("pairs of texts:", "more than 350" if count > 350 else count)
