"""Fetches and handles the events of a pull endpoint, with nothing but Python (3.9 or newer):

BASE_URL=https://… TOKEN=svt_… SHOP_ID=shop_… ENDPOINT_ID=whe_… python3 consumer.py
"""

import json
import os
import sqlite3
import time
import urllib.request

BASE_URL, TOKEN = os.environ["BASE_URL"], os.environ["TOKEN"]
ENDPOINT = {"shopId": os.environ["SHOP_ID"], "endpointId": os.environ["ENDPOINT_ID"]}
LONGEST_PAUSE = 30  # seconds

RECEIVE = """mutation ($shopId: ID!, $endpointId: ID!) {
  receiveEvents(shopId: $shopId, endpointId: $endpointId, limit: 100, leaseSeconds: 60, waitSeconds: 20) { id event attempts }
}"""
ACKNOWLEDGE = """mutation ($shopId: ID!, $endpointId: ID!, $ids: [ID!]!) {
  acknowledgeEvents(shopId: $shopId, endpointId: $endpointId, ids: $ids) { changed }
}"""
EXTEND = """mutation ($shopId: ID!, $endpointId: ID!, $ids: [ID!]!, $leaseSeconds: Int!) {
  extendLease(shopId: $shopId, endpointId: $endpointId, ids: $ids, leaseSeconds: $leaseSeconds) { changed }
}"""


def ask(query, **variables):
    request = urllib.request.Request(
        f"{BASE_URL}/graphql",
        json.dumps({"query": query, "variables": {**ENDPOINT, **variables}}).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"},
    )
    with urllib.request.urlopen(request, timeout=40) as response:
        answer = json.load(response)
    if answer.get("errors"):
        raise RuntimeError(answer["errors"][0]["message"])
    return answer["data"]


database = sqlite3.connect(os.environ.get("DATABASE", "consumer.db"))
database.execute("create table if not exists handled (id text primary key, at text default current_timestamp)")


def handle(event):
    """Handles an event once. Write your changes here too: they commit together with the id, or not at all."""
    with database:
        cursor = database.execute("insert into handled (id) values (?) on conflict do nothing", [event["id"]])
        if cursor.rowcount == 0:
            return
        if event["topic"] == "order.paid":
            print(f"Ship order {event['data']['orderNumber']} ({event['id']})", flush=True)
        else:
            print(f"Ignore {event['topic']} ({event['id']})", flush=True)


pause = 1
while True:
    try:
        received = ask(RECEIVE)["receiveEvents"]
        handled = []
        for delivery in received:
            try:
                handle(json.loads(delivery["event"]))
                handled.append(delivery["id"])
            except Exception as error:
                # The others do not wait for it. It comes again: after 5 seconds, and later each time.
                print(repr(error), flush=True)
                ask(EXTEND, ids=[delivery["id"]], leaseSeconds=min(5 * 2 ** (delivery["attempts"] - 1), 300))
        if handled:
            # After the commit: after a crash before this line, the events come again, and are known.
            ask(ACKNOWLEDGE, ids=handled)
            pause = 1
        elif received:
            raise RuntimeError("No event could be handled")
        else:
            # The server is stopping, or too many wait.
            time.sleep(1)
    except Exception as error:
        print(repr(error), flush=True)
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)
