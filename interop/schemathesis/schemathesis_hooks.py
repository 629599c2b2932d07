"""What no document can say of a request: which cursors were made by the API, and which client the requests themselves come from."""

import re
import sys

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    # One that has the form of a cursor and was made up is refused, as it should be: it is left out of what is sent.
    cursor = (case.query or {}).get("cursor")
    if isinstance(cursor, str) and re.fullmatch(r"[A-Za-z0-9_-]{1,7680}", cursor):
        del case.query["cursor"]
    # Whoever ends its own client, or the key that its token is signed with, is answered 401 from then on, and nothing
    # more is tried.
    own = (case.path_parameters or {}).get("id") == "checker"
    if (own and case.method != "GET") or (case.method == "DELETE" and case.path == "/v1/keys/{id}"):
        case.path_parameters["id"] = "somebody-else"


# What was changed last, for the one question that follows a token that ended: by which of them.
_changes = []


@schemathesis.hook
def after_call(context, case, response):
    if response.status_code == 401 and _changes and "Authorization" in response.request.headers:
        print(f"401 at {case.method} {case.path}; before it: {' | '.join(_changes)}", file=sys.stderr)
        _changes.clear()
    elif case.method not in ("GET", "HEAD", "OPTIONS") and response.status_code < 300:
        body = response.request.body
        _changes.append(f"{case.method} {response.request.url} {body!r:.300} {response.status_code}")
        del _changes[:-4]
