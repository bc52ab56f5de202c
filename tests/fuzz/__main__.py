"""Fuzzes all targets for a long time, guided by coverage: `python -m tests.fuzz [SECONDS [TARGET...]]`.

Each target is fuzzed for SECONDS in a process of its own. An input that makes the target fail is kept as a
file in the working folder, and `python -m tests.fuzz FILE TARGET` reads this input once more.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS = 60
MISSING = "this needs atheris: run `make fuzz`, which installs it"
MOST_BYTES = 8_192


def main(arguments: list[str]) -> int:
    """Fuzzes all targets, or the named ones. Returns 1 if a search found a failure."""
    from tests.fuzz.targets import targets, tried

    known = targets()
    how = arguments[0] if arguments else str(SECONDS)
    names = arguments[1:] or list(known)
    if unknown := set(names) - set(known):
        print(f"there is no target {min(unknown)}; there are {', '.join(known)}")
        return 2
    if not how.isdecimal():
        tried(known[names[0]], Path(how).read_bytes())
        return 0
    return max(searched(name, int(how)) for name in names)


def searched(name: str, seconds: int) -> int:
    command = [sys.executable, "-m", "tests.fuzz", "--in", name]
    options = [f"-max_total_time={seconds}", f"-max_len={MOST_BYTES}", f"-artifact_prefix=fuzz-{name}-"]
    with tempfile.TemporaryDirectory(prefix="harness-corpus-") as private:
        (corpus := Path(private, "corpus")).mkdir()
        done = subprocess.run(
            [*command, *options, "-print_final_stats=1", str(corpus)],
            env=os.environ | {"TMPDIR": private},  # A search does not remove its temporary files.
            capture_output=True,
            text=True,
            check=False,
        )
    stats = [line for line in done.stderr.splitlines() if "number_of_executed" in line or "cov:" in line]
    print(
        f"{name}: {'nothing found' if done.returncode == 0 else 'FOUND'}; {' '.join(stats[-2:])}", flush=True
    )
    if done.returncode:
        print(done.stderr[-3_000:])
    return min(done.returncode, 1)


def search(name: str, options: list[str]) -> None:
    """Fuzzes one target in this process, until the time is up or the target fails."""
    import atheris

    with atheris.instrument_imports(include=["harness"]):
        from tests.fuzz.targets import targets, tried
    target = targets()[name]
    for number, seed in enumerate(target.seeds):
        Path(options[-1], f"seed-{number}").write_bytes(seed)
    atheris.Setup([sys.argv[0], *options], lambda data: tried(target, data))
    atheris.Fuzz()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--in"]:
        search(sys.argv[2], sys.argv[3:])
    else:
        try:
            import atheris  # noqa: F401
        except ImportError:
            sys.exit(MISSING)
        sys.exit(main(sys.argv[1:]))
