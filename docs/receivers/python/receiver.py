"""A webhook receiver with nothing but Python (3.9 or newer):

WEBHOOK_SECRETS="whsec_…" PORT=3000 python3 receiver.py
"""

import base64
import hashlib
import hmac
import json
import os
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# During a rotation: the new secret and the old one, with a space between.
SECRETS = os.environ.get("WEBHOOK_SECRETS", "").split()
if not SECRETS:
    raise SystemExit("WEBHOOK_SECRETS is missing")
SCHEME = os.environ.get("WEBHOOK_SCHEME", "standard")
TOLERANCE = 300  # seconds
MAX_BODY = 65_536  # bytes
MAX_HANDLED = 100_000


def has_standard_signature(body, headers):
    """Standard Webhooks: signed with its time, so that nobody can send it again later."""
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    signatures = headers.get("webhook-signature", "").split(" ")
    if not event_id or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE:
        return False
    signed = f"{event_id}.{timestamp}.".encode() + body
    for secret in SECRETS:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        digest = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        # One signature for each secret that is valid at the sender's.
        if any(is_same(signature, f"v1,{digest}") for signature in signatures):
            return True
    return False


def has_sha256_signature(body, headers):
    """X-Webhook-Signature: the body alone, keyed with the whole secret as it was shown."""
    given = headers.get("x-webhook-signature", "")
    return any(
        is_same(given, "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()) for secret in SECRETS
    )


def is_same(given, expected):
    """Takes as long wherever the difference is. Bytes, because text must be ASCII there."""
    return hmac.compare_digest(given.encode(), expected.encode())


is_genuine = has_sha256_signature if SCHEME == "sha256" else has_standard_signature

# In production: a table with the id as its key, and the body, to which this adds before it answers.
# A worker takes its rows from there. Keep ids for 30 days: a delivery can be replayed that long.
handled = {}
lock = threading.Lock()


def handle_once(event):
    """One event at a time: two deliveries of the same one may arrive together."""
    with lock:
        if event["id"] not in handled:
            handle(event)
            handled[event["id"]] = True
        if len(handled) > MAX_HANDLED:
            del handled[next(iter(handled))]


def handle(event):
    event_id, topic, data = event["id"], event["topic"], event["data"]
    if topic == "order.paid":
        print(f"Ship order {data['orderNumber']} ({event_id})", flush=True)
    elif topic == "order.refunded":
        amount = f"{data['amount']} {data['currency']}"
        print(f"Book a refund of {amount} for order {data['orderNumber']} ({event_id})", flush=True)
    else:
        print(f"Ignore {topic} ({event_id})", flush=True)


class Receiver(BaseHTTPRequestHandler):
    timeout = 10  # seconds

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not re.fullmatch(r"[0-9]{1,12}", length):
            return self.answer(411)
        if int(length) > MAX_BODY:
            return self.answer(413)
        # The bytes as they came: parsed and printed again, they would have another signature.
        body = self.rfile.read(int(length))
        if not is_genuine(body, self.headers):
            return self.answer(401)
        # The records of a test event do not exist.
        if not self.headers.get("x-webhook-test"):
            try:
                handle_once(json.loads(body))
            except Exception as error:  # The event comes again.
                print(repr(error), flush=True)
                return self.answer(500)
        self.answer(204)

    def do_GET(self):
        self.answer(405)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
print("Ready", flush=True)
server.serve_forever()
