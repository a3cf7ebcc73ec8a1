"""Runs Home Assistant Core with media players and its REST API until the standard input ends. Reads a line of JSON, writes one."""

import asyncio
import contextlib
import io
import json
import sys
import tempfile
import wave
from datetime import timedelta

from homeassistant import auth, bootstrap, config_entries, core, loader
from homeassistant.components.media_player import MediaPlayerEntity, MediaPlayerEntityFeature, MediaPlayerState
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.setup import async_setup_component

FEATURES = (
    MediaPlayerEntityFeature.PLAY_MEDIA
    | MediaPlayerEntityFeature.MEDIA_ANNOUNCE
    | MediaPlayerEntityFeature.STOP
    | MediaPlayerEntityFeature.VOLUME_SET
)


class Announcer(MediaPlayerEntity):
    """A player that knows announcements, as the one of Sonos does: it plays its music again by itself."""

    _attr_name = "Announcer"
    _attr_should_poll = False
    _attr_supported_features = FEATURES
    _attr_state = MediaPlayerState.IDLE
    _attr_volume_level = 0.7
    started = 0
    announcement = None

    async def async_play_media(self, media_type, media_id, announce=None, **kwargs):
        if not announce:
            self.started += 1
            return self.show(MediaPlayerState.PLAYING, media_id)
        former = (self._attr_state, self._attr_media_content_id)
        reply = await async_get_clientsession(self.hass).get(media_id)
        with wave.open(io.BytesIO(await reply.read())) as file:
            seconds = file.getnframes() / file.getframerate()
        self.show(MediaPlayerState.PLAYING, media_id)
        self.announcement = asyncio.create_task(self.end(seconds, *former))

    async def end(self, seconds, *former):
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(seconds)
        self.show(*former)

    async def async_media_stop(self):
        self.announcement.cancel()

    async def async_set_volume_level(self, volume):
        self._attr_volume_level = volume
        self.async_write_ha_state()

    def show(self, state, content):
        self._attr_state = state
        self._attr_media_content_id = content
        self._attr_media_content_type = "music"
        self._attr_extra_state_attributes = {"started": self.started}
        self.async_write_ha_state()


async def start(folder, port, mpd):
    """Starts the core with its API, a player of MPD, a group with it and a player that knows announcements."""
    hass = core.HomeAssistant(folder)
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    await bootstrap.async_load_base_functionality(hass)
    hass.auth = await auth.auth_manager_from_config(hass, [{"type": "homeassistant"}], [])
    host, mpd_port = mpd.rsplit(":", 1)
    players = [
        {"platform": "mpd", "host": host, "port": int(mpd_port), "name": "Kitchen"},
        {"platform": "group", "name": "House", "entities": ["media_player.kitchen"]},
    ]
    settings = {"http": {"server_host": "127.0.0.1", "server_port": port}, "media_player": players}
    for component in ["http", "api", "homeassistant", "media_player"]:
        if not await async_setup_component(hass, component, settings):
            raise SystemExit(f"Home Assistant did not start {component}")
    await hass.data["media_player"].async_add_entities([Announcer()])
    await hass.async_start()
    return hass


async def token_of(hass):
    user = await hass.auth.async_create_user("Herald", group_ids=["system-admin"])
    refresh = await hass.auth.async_create_refresh_token(
        user,
        client_name="Herald",
        token_type="long_lived_access_token",
        access_token_expiration=timedelta(days=1),
    )
    return hass.auth.async_create_access_token(refresh)


async def main():
    wanted = json.loads(sys.stdin.readline())
    with tempfile.TemporaryDirectory() as folder:
        hass = await start(folder, wanted["port"], wanted["mpd"])
        print(json.dumps({"token": await token_of(hass)}), flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        await hass.async_stop(force=True)


asyncio.run(main())
