"""Adds a Wyoming server to Home Assistant Core and speaks. Reads JSON from the standard input, writes JSON."""

import asyncio
import base64
import json
import sys
import tempfile
from pathlib import Path

from homeassistant import bootstrap
from homeassistant.components import tts
from homeassistant.runner import RuntimeConfig

SECONDS = 120


async def start(folder):
    Path(folder, "configuration.yaml").write_text("http:\n  server_host: 127.0.0.1\n")
    hass = await bootstrap.async_setup_hass(RuntimeConfig(config_dir=folder, skip_pip=True))
    if hass is None or hass.config.recovery_mode:
        raise SystemExit("Home Assistant did not start")
    return hass


async def add(hass, host, port):
    """Takes the steps of the dialog that adds the integration."""
    flow = hass.config_entries.flow
    form = await flow.async_init("wyoming", context={"source": "user"})
    result = await flow.async_configure(form["flow_id"], {"host": host, "port": port})
    await hass.async_block_till_done()
    return {"steps": [form["type"], result["type"]], "title": result.get("title"), "errors": result.get("errors")}


async def speak(hass, text, language):
    engine = next(iter(hass.states.async_entity_ids("tts")))
    voices = hass.data["tts"].get_entity(engine).async_get_supported_voices(language)
    source = tts.generate_media_source_id(hass, text, engine=engine, language=language, cache=False)
    extension, audio = await tts.async_get_media_source_audio(hass, source)
    return {
        "engine": engine,
        "voices": [voice.voice_id for voice in voices or []],
        "extension": extension,
        "audio": base64.b64encode(audio).decode(),
    }


async def main():
    wanted = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as folder:
        hass = await start(folder)
        try:
            added = await add(hass, wanted["host"], wanted["port"])
            spoken = await speak(hass, wanted["text"], wanted["language"])
        finally:
            await hass.async_stop(force=True)
    json.dump({**added, **spoken}, sys.stdout)


asyncio.run(asyncio.wait_for(main(), SECONDS))
