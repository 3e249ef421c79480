"""Calls a function for one of its schedules: call.py <address> <schedule>."""

import datetime
import json
import os
import sys
import urllib.error
import urllib.request

address, trigger = sys.argv[1:]
request = urllib.request.Request(
    address,
    method="POST",
    headers={
        "content-type": "application/json",
        "x-core-trigger": trigger,
        "x-core-trigger-token": os.environ["CORE_TRIGGER_TOKEN"],
    },
    data=json.dumps({"trigger": trigger, "at": datetime.datetime.now(datetime.timezone.utc).isoformat()}).encode(),
)
try:
    status = urllib.request.urlopen(request).status
except urllib.error.HTTPError as error:
    status = error.code
print(f"{trigger}: {status}")
sys.exit(0 if status < 400 else 1)
