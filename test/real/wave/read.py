"""Reads a WAV, base64 in JSON, with the module wave. Writes frames, hertz and bytes of samples as JSON."""

import base64
import io
import json
import sys
import wave

with wave.open(io.BytesIO(base64.b64decode(json.load(sys.stdin)))) as file:
    json.dump([file.getnframes(), file.getframerate(), len(file.readframes(10**9))], sys.stdout)
