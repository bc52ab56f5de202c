"""Owns `python -m harness`, which is the command `harness`; knows nothing else."""

from harness.cli import main

main(prog_name="harness")
