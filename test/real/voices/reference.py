"""Speaks with the reference program of Piper voices. Reads JSON from the standard input, writes JSON."""

import base64
import json
import sys

import numpy
from piper import PiperVoice, SynthesisConfig

# Without noise, the model has one result for each input.
QUIET = SynthesisConfig(noise_scale=0, noise_w_scale=0, length_scale=1, normalize_audio=False)


def encoded(samples):
    return base64.b64encode(numpy.asarray(samples, dtype="<f4").tobytes()).decode()


def learned(phonemes):
    """Leaves out the mark of newer versions of eSpeak, which the voice joe never learned: its row of the embedding is unused."""
    return [phoneme for phoneme in phonemes if phoneme != "ʲ"]


def main():
    wanted = json.load(sys.stdin)
    voice = PiperVoice.load(wanted["model"])
    spelled = [encoded(voice.phoneme_ids_to_audio(ids, QUIET)) for ids in wanted["ids"]]
    spoken = [
        encoded(numpy.concatenate([chunk.audio_float_array for chunk in voice.synthesize(text, QUIET)]))
        for text in wanted["texts"]
    ]
    ids = [[voice.phonemes_to_ids(learned(sentence)) for sentence in voice.phonemize(text)] for text in wanted["texts"]]
    json.dump({"spelled": spelled, "spoken": spoken, "ids": ids}, sys.stdout)


main()
