#!/usr/bin/python3
"""What README.md, docs/ci.md and the action tell people to paste, run from that text in bare systems.

  recipes.py [--build DIR] [RECIPE…]      github gitlab jenkins pre-commit readme; $NPU_ADVISE_CHROOTS as distributions.sh left it

Each runs in a fresh copy of the system that it names; the addresses of the text lead to a server of this machine and to this
tree.  Where a recipe has a SHA-256, a package with another one is refused, and nothing is installed.
"""
import argparse
import hashlib
import http.server
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import threading

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SYSTEMS = {"debian:bookworm": "bookworm", "ubuntu-24.04": "noble"}
MOUNT = """root=$1; shift; mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$root" "$@" """


class System:
    """A bare system with a project in /builds/project, whose origin is /upstream.git, and this tree as /src.git."""

    def __init__(self, chroots, image, build):
        name = SYSTEMS[image]
        if os.geteuid() != 0 or not (chroots / name / "built/deb-1").is_dir():
            print(f"needs root, and the system and packages of {name} that distributions.sh leaves in $NPU_ADVISE_CHROOTS")
            sys.exit(77)
        self.package = next((chroots / name / "built" / "deb-1").glob("npu-advise_*.deb"))
        self.root = chroots / f"recipe-{name}"
        subprocess.run(["rm", "-rf", self.root], check=True)
        subprocess.run(["cp", "-a", chroots / name / "base", self.root], check=True)
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")
        project = self.root / "builds/project"
        (project / "models").mkdir(parents=True)
        shutil.copy(build / "networks/mnist-qdq-u8-nhwc.onnx", project / "models/digits.onnx")
        shutil.copy(build / "networks/yolov5s-qdq-f32.onnx", project / "models/boxes.onnx")
        (project / "npu-advise.json").write_text('{"fail_on": "warn"}')
        self.advise = build / "npu-advise"
        subprocess.run([self.advise, "models", "--isolated", "--write-baseline", "baseline.json"], cwd=project, capture_output=True, check=True)
        self.git(project, "init", "-q", "-b", "main")
        self.git(project, "add", ".")
        self.git(project, "commit", "-qm", "models")
        subprocess.run(["git", "clone", "-q", "--bare", project, self.root / "upstream.git"], check=True)
        self.git(project, "remote", "add", "origin", "/upstream.git")
        subprocess.run(["git", "clone", "-q", "--bare", "--no-hardlinks", ROOT, self.root / "src.git"], check=True)
        (self.root / "root/.gitconfig").write_text('[url "/src.git"]\n    insteadOf = https://example.org/npu-advise\n'
                                                   '    insteadOf = https://github.com/OWNER/npu-advise\n[user]\n    name = n\n    email = e\n')

    @staticmethod
    def git(folder, *words):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", *words], cwd=folder, check=True)

    def run(self, shell, text, variables=None, folder="/builds/project"):
        """Its status and what it printed."""
        script = "".join(f"export {key}={shlex.quote(value)}\n" for key, value in (variables or {}).items()) + f"cd {folder}\n" + text
        (self.root / "tmp/script").write_text(script)
        done = subprocess.run(["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", MOUNT, "sh", self.root, *shell, "/tmp/script"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return done.returncode, done.stdout

    def holds(self, *names):
        return all((self.root / "builds/project" / name).stat().st_size > 0 for name in names)

    def installed(self):
        return (self.root / "usr/bin/npu-advise").exists()

    def sha(self):
        return hashlib.sha256(self.package.read_bytes()).hexdigest()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def serve(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *a: Quiet(*a, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def blocks(path, language):
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / path).read_text(), re.M | re.S)


def demand(holds, what, text=""):
    if not holds:
        print(text[-3000:])
        raise SystemExit(f"recipes: {what}")


def expression(text, inputs):
    text = re.sub(r"\$\{\{ inputs\.([a-z0-9-]+) \}\}", lambda m: inputs[m.group(1)], text)
    return text.replace("${{ github.action_path }}", "/action/packaging/action")


def action(system, given, base_ref=""):
    """The steps of the action in order, as a runner runs them; status of the first that fails, else 0."""
    described = yaml.safe_load((ROOT / "packaging/action/action.yml").read_text())
    inputs = {name: given.get(name, one.get("default", "")) for name, one in described["inputs"].items()}
    demand(set(given) <= set(described["inputs"]), f"the action has no input {set(given) - set(described['inputs'])}")
    printed = ""
    for step in described["runs"]["steps"]:
        variables = {key: expression(value, inputs) for key, value in step["env"].items()}
        variables.update(GITHUB_STEP_SUMMARY="/tmp/summary", GITHUB_OUTPUT="/tmp/output", GITHUB_BASE_REF=base_ref)
        status, text = system.run(["bash", "--noprofile", "--norc", "-eo", "pipefail"], expression(step["run"], inputs), variables)
        printed += text
        if status:
            return status, printed
    return 0, printed


def github(make, server):
    job = yaml.safe_load(next(one for one in blocks("docs/ci.md", "yaml") if "runs-on" in one))["jobs"]["npu"]
    system = make(job["runs-on"])
    system.run(["sh", "-e"], "apt-get update -qq; apt-get install -y -qq git", folder="/")  # a runner has it
    subprocess.run(["git", "clone", "-q", ROOT, system.root / "action"], check=True)
    given = next(step["with"] for step in job["steps"] if "packaging/action" in step.get("uses", ""))
    given = {**{key: str(value) for key, value in given.items()}, "deb": f"{server(system)}/{system.package.name}"}
    for name, value in (("another SHA-256", "1" * 64), ("no SHA-256", ""), ("none but nearly one", system.sha()[:-1] + "g")):
        status, text = action(system, {**given, "sha256": value})
        demand(status == 2 and "::error" in text and not system.installed(), f"github: {name}: {status}", text)
    status, text = action(system, {**given, "deb": given["deb"] + ".gone", "sha256": system.sha()})
    demand(status == 2 and "404" in text and not system.installed(), f"github: an address of nothing: {status}", text)
    status, text = action(system, {**given, "sha256": system.sha()})
    demand(status == 0 and system.holds("npu-advise-results/npu.sarif", "npu-advise-results/npu.xml"), f"github: {status}", text)
    demand("status=0" in (system.root / "tmp/output").read_text() and "###" in (system.root / "tmp/summary").read_text(), "github: no output", text)
    status, text = action(system, {"models": "models/*.onnx", "args": "--fail-on warn", "settings": "none.json"})
    demand(status == 1 and "::warning" in text, f"github: a gate that fails: {status}", text)
    print("github: installs the package of its address and SHA-256 and no other; passes by its baseline, fails without")


def gitlab(make, server):
    job = yaml.safe_load(next(one for one in blocks("docs/ci.md", "yaml") if "before_script" in one))["npu"]
    system = make(job["image"])
    variables = {**job["variables"], "CI_DEFAULT_BRANCH": "main", "DEB": f"{server(system)}/{system.package.name}"}
    status, text = system.run(["sh", "-e"], "\n".join(job["before_script"]), {**variables, "SHA256": job["variables"]["SHA256"]})
    demand(status != 0 and not system.installed(), "gitlab: another SHA-256 is installed", text)
    status, text = system.run(["sh", "-e"], "\n".join(job["before_script"] + job["script"]), {**variables, "SHA256": system.sha()})
    demand(status == 0 and system.holds(*job["artifacts"]["reports"].values()), f"gitlab: {status}", text)
    print("gitlab: passes by the baseline of the target branch; its artifacts are there")


def jenkins(make, server):
    text = blocks("docs/ci.md", "groovy")[0]
    system = make(re.search(r"image '([^']*)'", text).group(1))
    variables = {"DEB": f"{server(system)}/{system.package.name}", "SHA256": system.sha()}
    status, printed = system.run(["sh", "-xe"], re.search(r"sh '''(.*?)'''", text, re.S).group(1), variables)
    demand(status == 1 and system.holds("npu.xml", "npu.sarif", "npu.html"), f"jenkins: {status}", printed)
    print("jenkins: the gate fails as it must; what it archives is there")


def pre_commit(make, server):
    system = make("debian:bookworm")
    text = next(one for one in blocks("docs/ci.md", "yaml") if "hooks:" in one)
    shutil.copy(system.package, system.root / "tmp/npu-advise.deb")
    status, printed = system.run(["sh", "-e"], "apt-get update -qq; apt-get install -y -qq pre-commit git /tmp/npu-advise.deb", folder="/")
    demand(status == 0, "pre-commit cannot be installed", printed)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=system.root / "src.git", capture_output=True, text=True, check=True).stdout.strip()
    for level, expected in (("error", 0), ("warn", 1)):
        pasted = text.replace("TAG", head).replace("--fail-on=error", f"--fail-on={level}")
        (system.root / "builds/project/.pre-commit-config.yaml").write_text("repos:\n" + pasted)
        status, printed = system.run(["sh", "-e"], "git add .; pre-commit run --all-files", {"PRE_COMMIT_COLOR": "never"})
        demand(status == expected and ("Passed" if expected == 0 else "Failed") in printed and "::" not in printed, f"pre-commit {level}: {status}", printed)
    print("pre-commit: passes at --fail-on=error, blocks at --fail-on=warn, prints no command of a CI")


def readme(make, server):
    text = (ROOT / "README.md").read_text().split("## In CI", 1)[1]
    job = yaml.safe_load(re.search(r"(?:^    .*\n)+", text, re.M).group(0))["review"]
    system = make(job["image"])
    project = system.root / "builds/project"
    shutil.copy(project / "models/digits.onnx", project / "model.onnx")
    subprocess.run([system.advise.parent / "npu-exec", "model.onnx", "--runs", "40", "--trace", "trace.json"], cwd=project, capture_output=True, check=True)
    status, printed = system.run(["sh", "-e"], "\n".join(job["script"]))
    demand(status == 0 and system.holds(*job["artifacts"]["paths"]), f"readme: {status}", printed)
    print("readme: clones, builds and passes its gate in the image that it names")


RECIPES = {"github": github, "gitlab": gitlab, "jenkins": jenkins, "pre-commit": pre_commit, "readme": readme}


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--build", default=str(ROOT / "build"))
    p.add_argument("recipe", nargs="*", default=list(RECIPES))
    given = p.parse_args()
    build = pathlib.Path(given.build).resolve()
    chroots = pathlib.Path(os.environ.get("NPU_ADVISE_CHROOTS", build / "chroots")).resolve()
    for name in given.recipe:
        RECIPES[name](lambda image: System(chroots, image, build), lambda system: serve(system.package.parent))


if __name__ == "__main__":
    main()
