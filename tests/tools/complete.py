#!/usr/bin/python3
"""What a shell completes, as somebody who types sees it:  complete.py bash|zsh|fish "npu-advise --objective " WORD…

Types the line and the key three times in an interactive shell on a terminal of its own (fish has a command that tells the same),
and fails unless each WORD is then on the screen.
"""
import os
import pty
import re
import select
import subprocess
import sys
import time

START = {"bash": (["bash", "--norc", "-i"], ". /usr/share/bash-completion/bash_completion\n"),
         "zsh": (["zsh", "-f", "-i"], "autoload -Uz compinit; compinit -u -D; unsetopt beep\n")}


def read(terminal, seconds):
    """What comes until nothing has come for so long."""
    found = b""
    while select.select([terminal], [], [], seconds)[0]:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        found += part
    return found.decode(errors="replace")


def typed(shell, line):
    words, begin = START[shell]
    process, terminal = pty.fork()
    if process == 0:
        os.execvpe(words[0], words, dict(os.environ, TERM="dumb", PS1="$ ", COLUMNS="200"))
    read(terminal, 3)
    os.write(terminal, begin.encode())
    read(terminal, 5)
    os.write(terminal, line.encode())
    for _ in range(3):
        os.write(terminal, b"\t")
        time.sleep(1)
    screen = read(terminal, 5)
    os.write(terminal, b"\x03exit\n")
    os.close(terminal)
    os.waitpid(process, 0)
    return screen


def main():
    shell, line, expected = sys.argv[1], sys.argv[2], sys.argv[3:]
    if shell == "fish":
        screen = subprocess.run(["fish", "-c", f"complete -C '{line}'"], capture_output=True, text=True, check=False).stdout
    else:
        screen = typed(shell, line)
    missing = [word for word in expected if not re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", screen)]
    print(f"{shell}: {line.strip()}: {'lacks ' + ' '.join(missing) if missing else 'completes'}")
    if missing:
        print(screen)
    sys.exit(bool(missing))


if __name__ == "__main__":
    main()
