"""Calls an OpenAI-compatible service through the client library. Reads JSON from the standard input, writes JSON."""

import base64
import json
import sys

import openai

SECONDS = 60


def whole(client, body):
    reply = client.audio.speech.create(**body)
    return {"type": reply.response.headers["content-type"], "audio": base64.b64encode(reply.content).decode()}


def streamed(client, body):
    """Reads the reply part by part, while the service speaks."""
    with client.audio.speech.with_streaming_response.create(**body) as reply:
        audio = b"".join(reply.iter_bytes(1024))
        return {"type": reply.headers["content-type"], "audio": base64.b64encode(audio).decode()}


def models(client, _):
    return [model.id for model in client.models.list()]


def voices(client, _):
    """Reads the list of voices, for which the library has no function."""
    return [voice["id"] for voice in client.get("/audio/voices", cast_to=object)["voices"]]


def request_id(client, body):
    """Returns the identifiers of a speech and of a list, as the library shows them."""
    speech = client.audio.speech.with_raw_response.create(**body)
    return [speech.request_id, client.models.list()._request_id]


ACTIONS = {"whole": whole, "streamed": streamed, "models": models, "voices": voices, "request_id": request_id}


def result(client, name, body):
    try:
        return {"value": ACTIONS[name](client, body)}
    except openai.APIError as error:
        return {"error": type(error).__name__, "message": str(error), "request_id": getattr(error, "request_id", None)}


def main():
    wanted = json.load(sys.stdin)
    key = wanted["key"]
    client = openai.OpenAI(
        api_key=key or "none",
        # The library does not accept a blank key.
        default_headers={} if key else {"Authorization": "Bearer"},
        base_url=wanted["url"],
        max_retries=0,
        timeout=SECONDS,
    )
    json.dump([result(client, name, body) for name, body in wanted["calls"]], sys.stdout)


main()
