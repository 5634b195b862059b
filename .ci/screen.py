"""Plays games on a screen in a terminal of its own, and looks at what is there: python3 .ci/screen.py PROGRAM"""

import json
import os
import pty
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(sys.argv[1])
PATIENCE = 60.0


class Terminal:
    """A shell in a window of tmux, on a server of its own."""

    def __init__(self, width, height, folder, environment=""):
        self.socket = os.path.join(folder, "tmux")
        self.folder = folder
        self.tmux("new-session", "-d", "-x", str(width), "-y", str(height), f"env PS1='ready> ' {environment} sh")
        self.expect("ready>")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tmux("kill-server")

    def tmux(self, *args):
        line = ["tmux", "-f", "/dev/null", "-S", self.socket, *args]
        return subprocess.run(line, capture_output=True, text=True, cwd=self.folder, check=True).stdout

    def keys(self, *keys):
        self.tmux("send-keys", *keys)

    def run(self, line):
        self.tmux("send-keys", "-l", line)
        self.keys("Enter")

    def screen(self, colours=False):
        return self.tmux("capture-pane", "-p", *(["-e"] if colours else []))

    def is_alternate(self):
        return self.tmux("display-message", "-p", "#{alternate_on}").strip() == "1"

    def expect(self, *words, alternate=None):
        """Waits until all of the words are on the screen."""
        end = time.monotonic() + PATIENCE
        while True:
            screen = self.screen()
            if all(word in screen for word in words) and alternate in (None, self.is_alternate()):
                return screen
            assert time.monotonic() < end, f"{words} (alternate screen: {alternate}) not in:\n{screen}"
            time.sleep(0.05)

    def settings(self):
        """The settings of the terminal, as the shell finds them."""
        path = os.path.join(self.folder, "settings")
        if os.path.exists(path):
            os.remove(path)
        self.run("stty -g >part && mv part settings")
        end = time.monotonic() + PATIENCE
        while not os.path.exists(path):
            assert time.monotonic() < end, "no settings"
            time.sleep(0.05)
        with open(path, encoding="utf-8") as file:
            return file.read()


def judged(folder, *args):
    done = subprocess.run([PROGRAM, *args, "--format", "json"], capture_output=True, text=True, cwd=folder, check=True)
    return json.loads(done.stdout)


def a_game(width, height, environment=""):
    """A whole game, with a mistyped bid, a hint, and a look back; saved as in plain lines."""
    with tempfile.TemporaryDirectory() as folder, Terminal(width, height, folder, environment) as terminal:
        before = terminal.settings()
        terminal.run(f"{PROGRAM} play 3 --seed 1 --record game")
        screen = terminal.expect("Your bid, 1 to 3:", "hidden until you have", alternate=True)
        assert all(len(line) <= width for line in screen.splitlines())
        if height >= 18:
            assert "●" in screen and "A 3" in screen and "B 3" in screen, screen
        else:
            assert "A 3, B 3, the ball lies at 0" in screen, screen
        terminal.keys("r")
        rules = terminal.expect("Rules", "Both have 3 points")
        assert all(len(line) <= width for line in rules.splitlines())
        terminal.keys("9", "Enter")
        terminal.expect("A cannot bid 9")
        terminal.keys("?")
        hint = terminal.expect("Hint", "An optimal player")
        colours = terminal.screen(colours=True)
        # The ball of the picture has one.
        coloured = height >= 18 and "NO_COLOR" not in environment
        assert ("38;5;" in colours) == coloured, "colours are for those who want them"
        terminal.keys("2", "1", "BSpace", "Enter")
        first = terminal.expect("You bid 2, optimal bids ")
        terminal.keys("1", "Enter")
        terminal.expect("You have no points left and bid 0")
        terminal.keys("Enter")
        last = terminal.expect("Looking back", "The game is over", alternate=True)
        terminal.keys("Enter")
        terminal.expect("The game is over", "On average your bids cost you", "ready>", alternate=False)
        assert terminal.settings() == before, "the terminal is not as it was"
        bids = [turn["a"]["bid"] for turn in judged(folder, "replay", "game")["turns"]]
        assert bids[:2] == [2, 1], bids
        return hint, first, last


def the_same_in_lines():
    """The same bids in plain lines make the same record."""
    with tempfile.TemporaryDirectory() as folder:
        command = [PROGRAM, "play", "3", "--seed", "1", "--record", "lines"]
        subprocess.run(command, input="2\n1\n", text=True, capture_output=True, cwd=folder, check=True)
        with Terminal(80, 24, folder) as terminal:
            terminal.run(f"{PROGRAM} play 3 --seed 1 --record screen")
            terminal.expect("Your bid, 1 to 3:")
            terminal.keys("2", "Enter")
            terminal.expect("You bid 2")
            terminal.keys("1", "Enter")
            terminal.expect("You have no points left and bid 0")
            terminal.keys("Enter")
            terminal.expect("The game is over")
            terminal.keys("Enter")
            terminal.expect("ready>", alternate=False)
        subprocess.run(["cmp", "lines", "screen"], cwd=folder, check=True)


def a_terminal_without_a_cursor():
    """On a terminal that cannot be drawn over, a game is played in lines."""
    with tempfile.TemporaryDirectory() as folder, Terminal(80, 24, folder, "TERM=dumb") as terminal:
        terminal.run(f"{PROGRAM} play 3 --seed 1")
        terminal.expect("Your bid, 1 to 3 (?", alternate=False)
        terminal.run("2")
        terminal.expect("You bid 2", alternate=False)
        terminal.run("1")
        terminal.expect("The game is over", "ready>", alternate=False)


def stopped(how):
    """Ctrl-C, a signal from outside, and `q` leave the terminal as it was."""
    with tempfile.TemporaryDirectory() as folder, Terminal(80, 24, folder) as terminal:
        before = terminal.settings()
        terminal.run(f"{PROGRAM} play 5 --seed 1; echo status $?")
        terminal.expect("Your bid, 1 to 5:", alternate=True)
        if how == "q":
            terminal.keys("q")
            terminal.expect("The game ends at 5:5@0", "status 0", "ready>", alternate=False)
        elif how == "C-c":
            terminal.keys("C-c")
            terminal.expect("interrupted; nothing was written", "status 130", "ready>", alternate=False)
        else:
            shell = terminal.tmux("display-message", "-p", "#{pane_pid}").strip()
            child = subprocess.run(["pgrep", "-P", shell], capture_output=True, text=True, check=True).stdout.split()
            os.kill(int(child[0]), getattr(signal, how))
            terminal.expect("interrupted", "status 130", "ready>", alternate=False)
        assert terminal.settings() == before, "the terminal is not as it was"


def hung_up():
    """A terminal that is closed ends the game."""
    child, terminal = pty.fork()
    if child == 0:
        os.execve(PROGRAM, [PROGRAM, "play", "3"], {**os.environ, "TERM": "xterm"})
    # It has begun to draw when it goes to the alternate screen.
    shown = b""
    while b"\x1b[?1049h" not in shown:
        shown += os.read(terminal, 1 << 16)
    os.close(terminal)
    end = time.monotonic() + PATIENCE
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        assert time.monotonic() < end, os.kill(child, signal.SIGKILL) or "it goes on without a terminal"
        time.sleep(0.05)


def a_match_and_a_bot():
    """A match goes on from game to game; a bot that never answers is waited for, and Ctrl-C is heard meanwhile."""
    with tempfile.TemporaryDirectory() as folder, Terminal(100, 40, folder) as terminal:
        terminal.run(f"{PROGRAM} play 1 --to 1 --seed 3")
        for _ in range(2):
            terminal.expect("Your bid, 1 to 1:", "A new game")
            terminal.keys("1", "Enter")
            terminal.expect("nobody wins", "The score is 0 to 0")
            terminal.keys("Enter")
        terminal.expect("Your bid, 1 to 1:")
        terminal.keys("q")
        terminal.expect("ready>", alternate=False)
        terminal.run(f"clear; {PROGRAM} play 3 --against 'cmd:sleep 60'; echo status $?")
        time.sleep(1.0)
        terminal.keys("C-c")
        terminal.expect("interrupted", "status 130", alternate=False)


def a_blind_game():
    """The other's bids and account stay hidden until the game is over."""
    with tempfile.TemporaryDirectory() as folder, Terminal(80, 24, folder) as terminal:
        terminal.run(f"{PROGRAM} play 4 --blind --seed 1")
        terminal.expect("Blind Tennis from 4:4@0", "Your bid, 1 to 4:", alternate=True)
        terminal.keys("1", "Enter")
        screen = terminal.expect("You bid 1: the ball", "B ?", "Your bid, 1 to 3:")
        terminal.keys("?")
        terminal.expect("left, as", "Against the way optimal bids it is best to bid")
        terminal.keys("r")
        terminal.expect("Rules", "Both have 4 points")
        # The panel is a line too low for what blind Tennis adds.
        terminal.keys("Down")
        terminal.expect("only the ball is announced")
        terminal.keys("q")
        terminal.expect("Your bids, and those of optimal: 1 to ", "ready>", alternate=False)
        return screen


def main():
    for size in [(80, 24), (40, 12)]:
        for environment in ["", "NO_COLOR=1"]:
            shown = a_game(*size, environment)
        print(f"-- {size[0]} columns, {size[1]} lines", *shown, sep="\n")
    the_same_in_lines()
    a_terminal_without_a_cursor()
    for how in ["q", "C-c", "SIGINT", "SIGTERM"]:
        stopped(how)
    hung_up()
    a_match_and_a_bot()
    print(a_blind_game())
    with tempfile.TemporaryDirectory() as folder, Terminal(30, 5, folder) as terminal:
        terminal.run(f"{PROGRAM} play 3")
        terminal.expect("too small", alternate=True)
        terminal.keys("C-c")
        terminal.expect("ready>", alternate=False)
    print("the screen is drawn, and left as it was found")


main()
