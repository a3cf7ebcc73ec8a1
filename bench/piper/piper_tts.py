"""Measures piper-tts in its own process. Reads JSON lines with a text, writes JSON lines with the figures of its speech."""

import json
import re
import resource
import sys
import threading
import time

from piper import PiperVoice


def memory():
    with open("/proc/self/smaps_rollup", encoding="utf-8") as file:
        return int(re.search(r"^Pss:\s+(\d+)", file.read(), re.M).group(1)) / 1024


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main():
    voice, state = None, {"peak": 0.0, "runs": True}

    def look():
        while state["runs"]:
            state["peak"] = max(state["peak"], memory())
            time.sleep(0.05)

    threading.Thread(target=look, daemon=True).start()
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        text = json.loads(line)
        start, used, first, samples, rate = time.monotonic(), cpu(), None, [], 1
        state["peak"] = memory()
        voice = voice or PiperVoice.load(sys.argv[1])
        for chunk in voice.synthesize(text):
            first = first or time.monotonic() - start
            samples.append(chunk.audio_int16_bytes)
            rate = chunk.sample_rate
        audio = b"".join(samples)
        result = {
            "firstMs": first * 1000,
            "totalMs": (time.monotonic() - start) * 1000,
            "cpu": cpu() - used,
            "seconds": len(audio) / 2 / rate,
            "sampleRate": rate,
            "peak": state["peak"],
            "audio": audio.hex(),
        }
        print(json.dumps(result), flush=True)


main()
