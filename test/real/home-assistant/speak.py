"""Adds a Wyoming server to Home Assistant Core and speaks. Reads JSON from the standard input, writes JSON."""

import asyncio
import base64
import json
import sys
import tempfile
import time
from ipaddress import ip_address

from homeassistant import auth, bootstrap, config_entries, core, loader
from homeassistant.components import tts, zeroconf
from homeassistant.exceptions import HomeAssistantError
from homeassistant.setup import async_setup_component
from wyoming.client import AsyncClient

SECONDS = 570


class Server:
    """The service as a process of its own, at the same port after each start."""

    def __init__(self, command):
        self.command = command

    async def start(self):
        self.process = await asyncio.create_subprocess_exec(
            *self.command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
        )
        await self.process.stdout.readline()

    async def end(self, signal):
        getattr(self.process, signal)()
        await self.process.wait()


class Heard:
    """Tells when Home Assistant has read the first audio of a speech."""

    def __init__(self):
        self.audio = asyncio.Event()
        read = AsyncClient.read_event

        async def read_event(client):
            event = await read(client)
            if event is not None and event.type == "audio-chunk":
                self.audio.set()
            return event

        AsyncClient.read_event = read_event


async def start(folder):
    """Starts the core with the registries, without the integrations of a complete installation."""
    hass = core.HomeAssistant(folder)
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    await bootstrap.async_load_base_functionality(hass)
    hass.auth = await auth.auth_manager_from_config(hass, [{"type": "homeassistant"}], [])
    for component in ["homeassistant", "tts", "wyoming"]:
        if not await async_setup_component(hass, component, {}):
            raise SystemExit(f"Home Assistant did not start {component}")
    return hass


async def add(hass, host, port):
    """Takes the steps of the dialog that adds the integration."""
    flow = hass.config_entries.flow
    form = await flow.async_init("wyoming", context={"source": "user"})
    result = await flow.async_configure(form["flow_id"], {"host": host, "port": port})
    await hass.async_block_till_done()
    return {"steps": [form["type"], result["type"]], "title": result.get("title"), "errors": result.get("errors")}


async def discover(hass, host, port):
    """Takes the steps of the dialog for a service that zeroconf found."""
    flow = hass.config_entries.flow
    found = zeroconf.ZeroconfServiceInfo(
        ip_address=ip_address(host),
        ip_addresses=[ip_address(host)],
        port=port,
        hostname="computer.local.",
        type="_wyoming._tcp.local.",
        name="Herald on computer._wyoming._tcp.local.",
        properties={},
    )
    form = await flow.async_init("wyoming", context={"source": "zeroconf"}, data=found)
    result = await flow.async_configure(form["flow_id"], {})
    await hass.async_block_till_done()
    return {"steps": [form["step_id"], result["type"]], "title": result.get("title"), "errors": result.get("errors")}


def engine_of(hass):
    return next(iter(hass.states.async_entity_ids("tts")))


def voices_of(hass, language):
    listed = hass.data["tts"].get_entity(engine_of(hass)).async_get_supported_voices(language)
    return [{"id": voice.voice_id, "name": voice.name} for voice in listed or []]


async def speak(hass, text, language=None, voice=None, format="wav"):
    """Speaks as the action tts.speak does."""
    options = {"preferred_format": format, **({} if voice is None else {"voice": voice})}
    source = tts.generate_media_source_id(
        hass, text, engine=engine_of(hass), language=language, options=options, cache=False
    )
    extension, audio = await tts.async_get_media_source_audio(hass, source)
    return {"extension": extension, "audio": base64.b64encode(audio).decode()}


async def interrupt(hass, server, heard, signal, text):
    """Ends the service in mid speech, starts it again, and speaks. Home Assistant stays as it is."""
    heard.audio.clear()
    speech = asyncio.create_task(speak(hass, text))
    await heard.audio.wait()
    began = time.monotonic()
    await server.end(signal)
    try:
        await speech
        outcome = "spoken"
    except HomeAssistantError as error:
        outcome = str(error)[:80]
    seconds = time.monotonic() - began
    await server.start()
    return {"outcome": outcome, "seconds": seconds, "after": await speak(hass, "The service is back.")}


async def main():
    wanted = json.load(sys.stdin)
    server = Server(wanted["command"])
    heard = Heard()
    add_service = discover if wanted["isDiscovered"] else add
    await server.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            hass = await start(folder)
            try:
                reply = {
                    **await add_service(hass, "127.0.0.1", wanted["port"]),
                    "engine": engine_of(hass),
                    "voices": voices_of(hass, "en"),
                    "spoken": [await speak(hass, **speech) for speech in wanted["speeches"]],
                    "interrupted": [await interrupt(hass, server, heard, **one) for one in wanted["interruptions"]],
                }
            finally:
                await hass.async_stop(force=True)
    finally:
        await server.end("kill")
    json.dump(reply, sys.stdout)


asyncio.run(asyncio.wait_for(main(), SECONDS))
