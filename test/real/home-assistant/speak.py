"""Adds a Wyoming server to Home Assistant Core and speaks. Reads JSON from the standard input, writes JSON."""

import asyncio
import base64
import json
import sys
import tempfile

from homeassistant import auth, bootstrap, config_entries, core, loader
from homeassistant.components import tts
from homeassistant.setup import async_setup_component

SECONDS = 120


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
