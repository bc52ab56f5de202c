"""The gateway of the bot agent.py. It runs outside the sandbox, with the network and the key. The bot has
neither of them.

    python3 gateway.py SOCKET URL [--model NAME] [--key VARIABLE] [--token FILE] [--seconds 60]

SOCKET     the socket that it makes; the plan shows it to the bots with `visible`
URL        the only address that it asks
--model    the agent is a language model behind an API of chat completions; without it, the agent gets the
           question as JSON, and answers with {"move": "..."}
--key      the environment variable with the key of the API
--token    a file with a secret: only a bot that sends this secret may ask
"""

import argparse
import contextlib
import hmac
import http.client
import io
import json
import os
import re
import socketserver
import sys
import time
import urllib.request
from pathlib import Path

MOST = 10_000_000
"""The largest number of bytes that a question may have."""
MOST_ANSWER = 2_000_000
"""The largest number of bytes that an answer may have. An answer that is a list in JSON may need 25 times as
much memory as it has bytes."""
CHUNK = 1 << 16
"""The largest number of bytes to read at once."""
PROMPT = """You play the game {game}. You have seat {seat}. Options: {options}.
What has happened:
{events}
What you know of the position:
{view}
The legal moves, one in each line:
{legal}
Think if you need to. Then write your move as the last line, exactly as it is in the list."""


class NoOtherAddress(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: with a redirect, the key would be sent to the other address too."""

    def redirect_request(self, *_):
        return None


class Bounded(io.RawIOBase):
    """Reads what a server sends: at most MOST_ANSWER bytes, for no longer than the connection's time-out.

    The time-out of a socket begins again with each byte, so it is not enough. And http.client reads all
    answers `100 Continue`, and all lines after the last chunk, before it returns. A bad server could send
    such answers and lines without end.
    """

    def __init__(self, line):
        self.line, self.stream, self.bytes = line, line.makefile("rb", buffering=0), 0
        self.seconds = line.gettimeout()
        self.until = time.monotonic() + self.seconds

    def readable(self):
        return True

    def readinto(self, buffer):
        left, read = self.until - time.monotonic(), -1
        if left > 0:
            self.line.settimeout(left)
            with contextlib.suppress(TimeoutError):
                read = self.stream.readinto(buffer)
        if read < 0:
            raise TimeoutError(f"it takes more than {self.seconds:g} s")
        self.bytes += read
        if self.bytes > MOST_ANSWER:
            raise ValueError(f"it has more than {MOST_ANSWER // 1_000_000} MB")
        return read

    def close(self):
        self.stream.close()
        super().close()


class BoundedAnswer(http.client.HTTPResponse):
    def __init__(self, line, *given, **named):
        super().__init__(line, *given, **named)
        self.fp.close()
        self.fp = io.BufferedReader(Bounded(line), CHUNK)


class Plain(http.client.HTTPConnection):
    response_class = BoundedAnswer


class Encrypted(http.client.HTTPSConnection):
    response_class = BoundedAnswer


class ByPlain(urllib.request.HTTPHandler):
    def http_open(self, asked):
        return self.do_open(Plain, asked)


class ByEncrypted(urllib.request.HTTPSHandler):
    def https_open(self, asked):
        return self.do_open(Encrypted, asked)


OPENER = urllib.request.build_opener(NoOtherAddress, ByPlain, ByEncrypted)


class Gateway(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True

    def __init__(self, given):
        self.given = given
        self.key = os.environ[given.key] if given.key else ""
        self.token = Path(given.token).read_text().strip() if given.token else ""
        super().__init__(given.socket, Question)
        os.chmod(given.socket, 0o666)  # The bot in its sandbox may run as another user.

    def move(self, question):
        """The agent's move."""
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        body = question
        if self.given.model:
            lists = {key: "\n".join(question[key]) for key in ("options", "events", "view", "legal")}
            text = PROMPT.format(**{**question, **lists})
            body = {"model": self.given.model, "messages": [{"role": "user", "content": text}]}
        asked = urllib.request.Request(self.given.url, json.dumps(body).encode(), headers)
        with OPENER.open(asked, timeout=self.given.seconds) as answer:
            # `read` would reserve memory for as many bytes as the server claims to send.
            text = b"".join(iter(lambda: answer.read1(CHUNK), b""))
        found = json.loads(text)
        if not self.given.model:
            return str(found["move"])
        return picked(found["choices"][0]["message"]["content"], question["legal"])


class Question(socketserver.StreamRequestHandler):
    timeout = 10
    """How many seconds the gateway waits for each part of a question. Without this limit, a bot could keep
    the socket busy."""

    def handle(self):
        text = json.dumps(self.answer())
        key = self.server.key
        if key:  # The answer of a server may repeat the key.
            text = text.replace(key, "***").replace(json.dumps(key)[1:-1], "***")
        with contextlib.suppress(ConnectionError):  # The bot may have ended while it waited.
            self.wfile.write(text.encode() + b"\n")

    def answer(self):
        """What the bot gets: a table with `move` or `error`."""
        server = self.server
        try:
            question = json.loads(self.rfile.readline(MOST))
            known = hmac.compare_digest(question.pop("token").encode(), server.token.encode())
        except (ValueError, AttributeError, KeyError, TypeError, RecursionError, OSError):
            return {"error": "the gateway cannot read this question"}
        if not known:
            return {"error": "the gateway does not know this bot: the bot has sent another token"}
        try:
            return {"move": server.move(question)}
        except Exception as error:
            return {"error": f"the agent did not answer: {type(error).__name__}: {error}"}


def picked(text, legal):
    """The legal move that the text names last; if the text names no legal move, its last line."""
    places = {move: [found.start() for found in re.finditer(re.escape(move), text)] for move in legal}
    named = [(found[-1], len(move), move) for move, found in places.items() if found]
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    return max(named)[2] if named else lines[-1] if lines else "nothing"


def main():
    parser = argparse.ArgumentParser(description="asks an agent behind HTTP for agent.py")
    parser.add_argument("socket")
    parser.add_argument("url")
    parser.add_argument("--model", default="")
    parser.add_argument("--key", default="")
    parser.add_argument("--token", default="")
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    if given.key and not os.environ.get(given.key):
        sys.exit(f"the environment has no {given.key}")
    Path(given.socket).unlink(missing_ok=True)
    with Gateway(given) as gateway, contextlib.suppress(KeyboardInterrupt):
        print("ready", flush=True)
        gateway.serve_forever()
    Path(given.socket).unlink(missing_ok=True)


if __name__ == "__main__":
    main()
