"""What no document can say of a request: which cursors were made by the API, and which client the requests themselves come from."""

import re

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    # One that has the form of a cursor and was made up is refused, as it should be: it is left out of what is sent.
    cursor = (case.query or {}).get("cursor")
    if isinstance(cursor, str) and re.fullmatch(r"[A-Za-z0-9_-]{1,2048}", cursor):
        del case.query["cursor"]
    # Whoever ends its own client, or the key that its token is signed with, is answered 401 from then on, and nothing
    # more is tried.
    own = (case.path_parameters or {}).get("id") == "checker"
    if (own and case.method != "GET") or (case.method == "DELETE" and case.path == "/v1/keys/{id}"):
        case.path_parameters["id"] = "somebody-else"
