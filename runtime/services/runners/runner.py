"""Runs the code of a function: calls its handler, or leaves it alone where it listens by itself."""

import asyncio
import hmac
import importlib.util
import inspect
import json
import os
import pathlib
import signal
import sys
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HERE = pathlib.Path(__file__).resolve().parent
SETTINGS = json.loads((HERE / "function.json").read_text("utf-8"))
MODE = SETTINGS["mode"]
HANDLER = SETTINGS["handler"]
TOKEN = os.environ.get("CORE_TRIGGER_TOKEN", "")
TOKEN_HEADER = "x-core-trigger-token"
TRIGGER_HEADER = "x-core-trigger"
BODY_AT_MOST = 1024 * 1024


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def code():
    """The module of the code; a program that listens by itself does so while it is loaded."""
    spec = importlib.util.spec_from_file_location("__main__", HERE / SETTINGS["code"])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check_token(sent):
    if sent is None and MODE == "event":
        raise Refused(401, f"{TOKEN_HEADER} is missing")
    if sent is not None and not (TOKEN and hmac.compare_digest(sent.encode(), TOKEN.encode())):
        raise Refused(403, f"{TOKEN_HEADER} is wrong")


def as_json(status, value):
    return status, {"content-type": "application/json"}, json.dumps(value, separators=(",", ":")).encode()


def called(call, argument):
    result = call(argument)
    return asyncio.run(result) if inspect.iscoroutine(result) else result


def event_answer(call, request):
    if request.path.split("?")[0] != "/":
        raise Refused(404, "events are sent to /")
    if request.command != "POST":
        raise Refused(405, "events are sent by POST")
    try:
        event = json.loads(request.body())
    except ValueError:
        raise Refused(400, "the body is no JSON") from None
    result = called(call, event)
    return (204, {}, b"") if result is None else as_json(200, result)


def http_answer(call, request):
    headers = {name.lower(): value for name, value in request.headers.items()}
    sent = headers.pop(TOKEN_HEADER, None)
    trigger = headers.pop(TRIGGER_HEADER, "")
    answer = called(
        call,
        {
            "method": request.command,
            "path": request.path,
            "headers": headers,
            "body": request.body().decode(errors="replace"),
            "trigger": None if sent is None else trigger,
        },
    )
    if answer is None:
        return 204, {}, b""
    if isinstance(answer, str):
        return 200, {}, answer.encode()
    status, told, body = answer.get("status", 200), answer.get("headers", {}), answer.get("body", "")
    if not isinstance(status, int) or not 200 <= status <= 599:
        raise ValueError(f"{status} is no status of an answer")
    if any("\n" in f"{name}{value}" or "\r" in f"{name}{value}" for name, value in told.items()):
        raise ValueError("a header has more than one line")
    if isinstance(body, (str, bytes)):
        return status, told, body.encode() if isinstance(body, str) else body
    _, usual, text = as_json(status, body)
    return status, {**usual, **told}, text


class Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Sends headers and body together: apart, the second waits for the acknowledgement of the first, which may take 40 ms.
    wbufsize = -1
    call = None

    def body(self):
        if "transfer-encoding" in self.headers:
            raise Refused(411, "content-length is missing")
        length = self.headers.get("content-length", "0")
        if not length.isdecimal():
            raise Refused(400, "content-length is no number")
        if int(length) > BODY_AT_MOST:
            raise Refused(413, f"the body is longer than {BODY_AT_MOST} bytes")
        self.left = 0
        return self.rfile.read(int(length))

    def answered(self):
        try:
            check_token(self.headers.get(TOKEN_HEADER))
            return (event_answer if MODE == "event" else http_answer)(Request.call, self)
        except Refused as refused:
            return as_json(refused.status, {"error": str(refused)})
        except Exception:
            traceback.print_exc()
            return as_json(500, {"error": "the function failed"})

    def serve(self):
        self.left = 1 if self.headers.get("content-length", "0") != "0" or "transfer-encoding" in self.headers else 0
        status, headers, body = self.answered()
        # What is left of a body that was not read would be taken for the next request.
        if self.left:
            self.close_connection = True
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, str(value))
        if "content-length" not in {name.lower() for name in headers} and status not in (204, 304):
            self.send_header("content-length", str(len(body)))
        if self.close_connection:
            self.send_header("connection", "close")
        self.end_headers()
        if self.command != "HEAD" and status not in (204, 304):
            self.wfile.write(body)

    def log_message(self, *_):
        pass

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = serve


def main():
    # The first process of a container is not ended by a signal that it does not listen to.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    call = getattr(code(), HANDLER or "handler", None)
    if callable(call):
        Request.call = staticmethod(call)
        ThreadingHTTPServer(("", int(os.environ["PORT"])), Request).serve_forever()
    elif HANDLER or MODE == "event":
        sys.exit(f"the code has no function {HANDLER or 'handler'}")


main()
