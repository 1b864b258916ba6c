"""`python -m workers.browser`: a browser worker."""

import sys

from contract.channels import BROWSER_QUEUE
from workers.browser.actors import BrowserService
from workers.kit.main import serve
from workers.kit.settings import SettingsError, WorkerSettings


def main() -> int:
    try:
        settings = WorkerSettings.from_env()
    except SettingsError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return serve(BROWSER_QUEUE, BrowserService(), settings)


if __name__ == "__main__":
    raise SystemExit(main())
