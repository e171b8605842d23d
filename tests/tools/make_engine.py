#!/usr/bin/python3
"""make_engine.py ENGINES: writes the files that trtexec would write of small engines told in words.

ENGINES holds sections "== NAME: what it shows", each a list of lines, "#" begins a remark:

  tensor NAME DTYPE LAYOUT SHAPE [input|output]     layout CHW, CHW4, CHW32, HWC8, HWC … or - for none
  layer NAME TYPE IN,IN -> OUT,OUT TIMEus KEY=VALUE…     - for no tensor; KEY as in the layer list; ␣ is a blank;
                                                         TIME "?": the profile has no record of it
  runs N                                            of the profile (100 unless said)
  compute MS | h2d MS | d2h MS | latency MS | enqueue MS     whole queries, for the summary in the log
  wall S GPU_S                                      totals in the log
  option SECTION KEY: VALUE                         a line of the log: "option Build Precision: FP32+INT8"
  log TEXT                                          a line of the log as it is
  like NAME                                         begins with all lines of that section
  without NAME                                      … less the layer or tensor of that name, or lines that begin so
  also NAME                                         the files of that section are given, too
  rename SUFFIX                                     the profile has other names: it is of another build
  names                                             the layer list has names only

For each section: NAME.graph.json, NAME.profile.json, and NAME.log if some line of it is for the log; NAME.traces lists
the --trace options.
"""
import json
import sys

WORDS = {"float32": "FP32", "float16": "FP16", "int8": "Int8", "int32": "Int32", "int64": "Int64", "bool": "BOOL",
         "bfloat16": "BFloat16", "uint8": "UInt8", "float8": "FP8"}
WIDE = {"CHW2": "Two", "CHW4": "Four", "CHW16": "Sixteen", "CHW32": "Thirty-two"}
STAGES = {"compute": "GPU Compute Time", "h2d": "H2D Latency", "d2h": "D2H Latency", "latency": "Latency",
          "enqueue": "Enqueue Time"}


def format_text(dtype, layout):
    word = WORDS.get(dtype, dtype)
    if layout == "CHW":
        return f"Row major {'' if dtype == 'int8' else 'linear '}{word}{'' if dtype == 'float32' else ' format'}"
    if layout in WIDE:
        return f"{WIDE[layout]} wide channel vectorized row major {word} format"
    if layout.startswith("HWC"):
        return f"Channel major {word} format" + (f" where channel % {layout[3:]} == 0" if layout[3:] else "")
    if layout == "DLA":
        return f"Channel major {word} format where channel == 4 and column stride % 32 == 0"
    return word


def sections(path):
    found, name = {}, None
    for line in open(path):
        line = line.split("#")[0].rstrip() if not line.startswith("log ") else line.rstrip()
        if line.startswith("== "):
            name = line[3:].split(":")[0].strip()
            found[name] = []
        elif line and name:
            words = line.split()
            if words[0] == "like":
                found[name] += found[words[1]]
            elif words[0] == "without":
                what = line[len("without "):]
                found[name] = [x for x in found[name] if x.split()[1:2] != [what] and not x.startswith(what)]
            else:
                found[name].append(line)
    return found


def value(text):
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


class Engine:
    def __init__(self, lines):
        self.tensors, self.layers, self.bindings, self.log = {}, [], [], []
        self.runs, self.suffix, self.names = 100, "", False
        self.options, self.summary, self.also = {}, [], ""
        for line in lines:
            word, *rest = line.split()
            getattr(self, "take_" + {"h2d": "stage", "d2h": "stage", "compute": "stage", "latency": "stage",
                                     "enqueue": "stage"}.get(word, word))(line, *(rest if word in ("tensor", "layer") else ()))

    def take_tensor(self, line, name, dtype, layout, shape, *end):
        self.tensors[name] = {"Name": name, "Location": "Device",
                              "Dimensions": [int(d) for d in shape.split("x")] if shape != "-" else [],
                              "Format/Datatype": format_text(dtype, layout)}
        if end:
            self.bindings.append(name)

    def take_layer(self, line, name, kind, *rest):
        arrow = rest.index("->")
        pick = lambda text: [self.tensors[t] for t in text.split(",") if t != "-"]
        layer = {"Name": name.replace("␣", " "), "LayerType": kind, "Inputs": pick(rest[0]), "Outputs": pick(rest[arrow + 1])}
        time = rest[arrow + 2]
        for pair in rest[arrow + 3:]:
            key, _, text = pair.partition("=")
            layer[key] = value(text.replace("␣", " "))
        self.layers.append((layer, None if time == "?" else float(time[:-2])))

    def take_runs(self, line):
        self.runs = int(line.split()[1])

    def take_rename(self, line):
        self.suffix = " " + line.split()[1]

    def take_also(self, line):
        other = line.split()[1]
        self.also = f" --trace {other}.graph.json --trace {other}.profile.json"

    def take_names(self, line):
        self.names = True

    def take_stage(self, line):
        word, ms = line.split()
        self.summary.append(f"{STAGES[word]}: min = {ms} ms, max = {ms} ms, mean = {ms} ms, median = {ms} ms, "
                            f"percentile(90%) = {ms} ms, percentile(95%) = {ms} ms, percentile(99%) = {ms} ms")

    def take_wall(self, line):
        _, wall, gpu = line.split()
        self.summary += [f"Total Host Walltime: {wall} s", f"Total GPU Compute Time: {gpu} s"]

    def take_option(self, line):
        _, section, text = line.split(" ", 2)
        self.options.setdefault(section, []).append(text)

    def take_log(self, line):
        self.log.append(line[len("log "):])

    def write(self, name):
        layers = [l["Name"] for l, _ in self.layers] if self.names else [l for l, _ in self.layers]
        json.dump({"Layers": layers, "Bindings": self.bindings}, open(f"{name}.graph.json", "w"), indent=1)
        timed = [(l, us) for l, us in self.layers if us is not None]
        total = sum(us for _, us in timed) or 1
        rows = [f'{{ "name" : "{l["Name"]}{self.suffix}", "timeMs" : {us * self.runs / 1e3:.6g}, "averageMs" : {us / 1e3:.6g}, '
                f'"medianMs" : {us / 1e3:.6g}, "percentage" : {us / total * 100:.6g} }}' for l, us in timed]
        open(f"{name}.profile.json", "w").write("[\n  { \"count\" : %d }\n, %s\n]\n" % (self.runs, "\n, ".join(rows)))
        traces = f"--trace {name}.profile.json"
        head = "[11/22/2026-12:00:00] [I] "
        lines = list(self.log)
        for section, texts in self.options.items():
            lines += [f"{head}=== {section} Options ==="] + [head + t for t in texts]
        if self.summary:
            lines += [f"{head}=== Performance summary ==="] + [head + t for t in self.summary]
        if lines:
            open(f"{name}.log", "w").write("\n".join(lines) + "\n")
            traces += f" --trace {name}.log"
        open(f"{name}.traces", "w").write(traces + self.also + "\n")


def main():
    for name, lines in sections(sys.argv[1]).items():
        Engine(lines).write(name)


if __name__ == "__main__":
    main()
