"""Speaks with a Wyoming server through the reference client. Reads JSON from the standard input, writes JSON."""

import asyncio
import base64
import json
import sys
import time

from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.client import AsyncClient
from wyoming.error import Error
from wyoming.info import Describe, Info
from wyoming.ping import Ping, Pong
from wyoming.tts import (
    Synthesize,
    SynthesizeChunk,
    SynthesizeStart,
    SynthesizeStop,
    SynthesizeStopped,
    SynthesizeVoice,
)

SECONDS = 30


async def describe(client):
    await client.write_event(Describe().event())
    info = Info.from_event(await client.read_event())
    return info.to_dict()


async def ping(client):
    await client.write_event(Ping(text="herald").event())
    return Pong.from_event(await client.read_event()).text


async def heard(client, is_last):
    """Collects the audio up to the last event."""
    types, audio, formats = [], b"", set()
    began = time.monotonic()
    first = None
    while True:
        event = await client.read_event()
        if event is None:
            raise SystemExit(f"the connection ended after {types}")
        if not types or types[-1] != event.type:
            types.append(event.type)
        if AudioStart.is_type(event.type):
            start = AudioStart.from_event(event)
            formats.add((start.rate, start.width, start.channels))
        if AudioChunk.is_type(event.type):
            chunk = AudioChunk.from_event(event)
            formats.add((chunk.rate, chunk.width, chunk.channels))
            audio += chunk.audio
            first = first or time.monotonic() - began
        if is_last(event.type) or Error.is_type(event.type):
            text = Error.from_event(event).text if Error.is_type(event.type) else None
            return {
                "types": types,
                "formats": sorted(formats),
                "audio": base64.b64encode(audio).decode(),
                "error": text,
                "seconds": {"first": first, "all": time.monotonic() - began},
            }


async def synthesize(client, text, voice):
    await client.write_event(Synthesize(text=text, voice=SynthesizeVoice(name=voice)).event())
    return await heard(client, AudioStop.is_type)


async def synthesize_in(client, text, language):
    """Names a language in place of a voice."""
    await client.write_event(Synthesize(text=text, voice=SynthesizeVoice(language=language)).event())
    return await heard(client, AudioStop.is_type)


async def stream(client, text, voice):
    """Sends the words one by one, as a language model writes them, and the whole text for servers without streaming."""
    await client.write_event(SynthesizeStart(voice=SynthesizeVoice(name=voice)).event())
    for word in text.split(" "):
        await client.write_event(SynthesizeChunk(text=f"{word} ").event())
    await client.write_event(Synthesize(text=text, voice=SynthesizeVoice(name=voice)).event())
    await client.write_event(SynthesizeStop().event())
    return await heard(client, SynthesizeStopped.is_type)


ACTIONS = {"describe": describe, "ping": ping, "synthesize": synthesize, "synthesize_in": synthesize_in, "stream": stream}


async def main():
    wanted = json.load(sys.stdin)
    async with AsyncClient.from_uri(wanted["url"], connect_timeout=SECONDS, read_timeout=SECONDS) as client:
        replies = [await ACTIONS[name](client, *arguments) for name, *arguments in wanted["actions"]]
    json.dump(replies, sys.stdout)


asyncio.run(main())
