"""Tests the bridge to agents that are asked by HTTP, with a server on this machine."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from socketserver import BaseRequestHandler, TCPServer
from threading import Thread
from typing import Any

import pytest

import harness
from harness.cli.workspace import TEMPLATES
from harness.protocol.function_bot import FunctionTurn

pytestmark = pytest.mark.whole

TINY = str(TEMPLATES / "game" / "tiny.py")
BRIDGE = Path(__file__).parents[3] / "bots" / "bridges" / "http"
KEY = "sk-0123456789"
TOKEN = "token-987654321"


class Model(BaseHTTPRequestHandler):
    """A server that answers like a language model or a plain agent. Like a bad server, it repeats the
    secret key that it gets."""

    heard: list[tuple[str | None, Any]] = []  # noqa: RUF012

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        key = self.headers["Authorization"]
        self.heard.append((key, body))
        if self.path == "/broken":
            self.send_error(500, f"no {key}")
            return
        if self.path == "/moved":
            self.send_response(302)
            self.send_header("Location", "/")
            self.end_headers()
            return
        if self.path == "/slow":
            self.send_response(200)
            self.end_headers()
            with suppress(ConnectionError):
                # The loop ends when the gateway closes the connection.
                while True:
                    self.wfile.write(b" ")
        if self.path == "/large":
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"move": "' + b"x" * 20_000_000 + b'"}')
            return
        answer: Any = {"move": body["legal"][0]} if "legal" in body else None
        if answer is None:
            legal = body["messages"][0]["content"].partition("one in each line:\n")[2].split("\n")
            text = f"{legal[0]} is tempting.\nI take this one:\n  {legal[1]}"
            answer = {"choices": [{"message": {"content": text}}], "key": key}
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def agent(folder: Path, path: str, *flags: str, server: TCPServer | None = None) -> Iterator[Path]:
    """Starts a server and a gateway for the bot; yields the bot's folder."""
    Model.heard.clear()
    bot = folder / "agent"
    shutil.copytree(BRIDGE, bot)
    (bot / "token").write_text(TOKEN)
    address = str(folder / "socket")
    manifest = (BRIDGE / "bot.toml").read_text().replace("/tmp/agent.socket", address)
    (bot / "bot.toml").write_text(manifest)
    server = server or HTTPServer(("127.0.0.1", 0), Model)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}{path}"
    command = [sys.executable, str(BRIDGE / "gateway.py"), address, url, "--key", "API_KEY", *flags]
    with subprocess.Popen(command, env={**os.environ, "API_KEY": KEY}, stdout=subprocess.PIPE) as gateway:
        try:
            assert gateway.stdout
            assert gateway.stdout.readline() == b"ready\n"
            yield bot
        finally:
            gateway.terminate()
            server.shutdown()
            server.server_close()


def first(turn: FunctionTurn) -> str:
    return turn.legal[0]


def answer(folder: Path, question: Any) -> Any:
    """The answer of the gateway to a question of the bot. A question that is a text is sent as it is."""
    with socket.socket(socket.AF_UNIX) as line, line.makefile("rw") as gateway:
        line.settimeout(60)
        line.connect(str(folder / "socket"))
        gateway.write((question if isinstance(question, str) else json.dumps(question)) + "\n")
        gateway.flush()
        return json.loads(gateway.readline())


def test_a_model_plays_and_its_key_is_in_no_log(tmp_path: Path) -> None:
    with agent(tmp_path, "/", "--token", str(tmp_path / "agent" / "token"), "--model", "some-model") as bot:
        rows = harness.run([bot, first], TINY, logs=tmp_path / "logs", name="cup")
    assert [(row["matches"], row["faults"]) for row in rows] == [(2, 0), (2, 0)]
    assert {(key, body["model"]) for key, body in Model.heard} == {(f"Bearer {KEY}", "some-model")}
    turns = [turn for turn in harness.read_log(tmp_path / "logs" / "cup", "turn") if turn["said"] != "ready"]
    assert len([turn for turn in turns if turn["bot"] == "agent"]) == len(Model.heard)
    record = b"".join(path.read_bytes() for path in (tmp_path / "logs").rglob("*") if path.is_file())
    assert KEY.encode() not in record
    assert TOKEN.encode() not in record


def test_the_gateway_asks_only_for_its_own_bot_and_says_what_is_wrong(tmp_path: Path) -> None:
    own = {"token": TOKEN, "legal": ["bid 1", "bid 2"]}
    with agent(tmp_path, "/", "--token", str(tmp_path / "agent" / "token")):
        assert answer(tmp_path, own) == {"move": "bid 1"}
        assert "does not know this bot" in answer(tmp_path, {**own, "token": "another"})["error"]
        assert len(Model.heard) == 1
    shutil.rmtree(tmp_path / "agent")
    with agent(tmp_path, "/broken"):
        [(_, said)] = answer(tmp_path, {**own, "token": ""}).items()
        assert said == "the agent did not answer: HTTPError: HTTP Error 500: no Bearer ***"


@pytest.mark.parametrize(
    ("path", "words"),
    [("/moved", "HTTPError: HTTP Error 302: Found"), ("/large", "ValueError: it has more than 2 MB")],
)
def test_the_gateway_asks_one_address_and_reads_no_endless_answer(
    tmp_path: Path, path: str, words: str
) -> None:
    with agent(tmp_path, path):
        assert answer(tmp_path, {"token": "", "legal": ["bid 1"]}) == {
            "error": f"the agent did not answer: {words}"
        }
    assert len(Model.heard) == 1, "the key is sent to no other address"


OKAY = b"HTTP/1.1 200 OK\r\n"
MOVE = b'{"move": "bid 1"}'


class Sender(BaseRequestHandler):
    """Sends the first bytes of `sends` once, and then the second ones without end."""

    sends = (b"", b"")

    def handle(self) -> None:
        first, then = self.sends
        with suppress(ConnectionError):
            self.request.recv(1 << 16)
            self.request.sendall(first)
            while then:
                self.request.sendall(then)


@pytest.mark.parametrize(
    ("first", "then", "told"),
    [
        (OKAY + b"Content-Length: -7\r\n\r\n" + MOVE, b"", "bid 1"),
        (OKAY + b"Content-Length: 99999999999999999999\r\n\r\n" + MOVE, b"", "bid 1"),
        (OKAY + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(bytes(1 << 20)), b"", "UnicodeDecodeError"),
        (OKAY + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n", "Error: it "),
        (OKAY + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"x: y\r\n", "Error: it "),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n", "Error: it "),
        (OKAY, b"x: y\r\n", "got more than 100 headers"),
    ],
)
def test_what_a_lying_server_sends_ends_in_time(tmp_path: Path, first: bytes, then: bytes, told: str) -> None:
    class Liar(Sender):
        sends = (first, then)

    with agent(tmp_path, "", "--seconds", "0.5", server=TCPServer(("127.0.0.1", 0), Liar)):
        said = answer(tmp_path, {"token": "", "legal": []})
    assert told in str(said)


@pytest.mark.parametrize(
    "question", ["", "no json", "[]", "{}", '{"token": 3}', '{"token": "\\ud800"}', "[" * 9999]
)
def test_what_is_no_question_is_answered_with_an_error(
    tmp_path: Path, question: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with agent(tmp_path, "/"):
        assert answer(tmp_path, question) == {"error": "the gateway cannot read this question"}
        with socket.socket(socket.AF_UNIX) as line:  # A bot that ends while it waits for the answer.
            line.connect(str(tmp_path / "socket"))
            line.sendall(b"no json\n")
        assert answer(tmp_path, question) == {"error": "the gateway cannot read this question"}
    assert capfd.readouterr().err == ""
    assert not Model.heard


def test_an_answer_that_comes_byte_by_byte_ends_in_time(tmp_path: Path) -> None:
    with agent(tmp_path, "/slow", "--seconds", "1"):
        said = answer(tmp_path, {"token": "", "legal": []})
    assert said == {"error": "the agent did not answer: TimeoutError: it takes more than 1 s"}
