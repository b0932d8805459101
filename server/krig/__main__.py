"""`python -m krig` is `krig`."""

import sys

from krig.app.cli import main

if __name__ == "__main__":
    sys.exit(main())
