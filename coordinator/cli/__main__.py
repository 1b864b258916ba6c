"""`python -m coordinator.cli`: the same as `mazewave`, where the script is not on PATH."""

from coordinator.cli.main import run

if __name__ == "__main__":
    run()
