"""What no document can say of a request: which cursors were made by the API, and which client the requests themselves come from."""

import re

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    # One that has the form of a cursor and was made up is refused, as it should be: it is left out of what is sent.
    cursor = (case.query or {}).get("cursor")
    if isinstance(cursor, str) and re.fullmatch(r"[A-Za-z0-9_-]{1,2048}", cursor):
        del case.query["cursor"]
    # Whoever deletes or disables itself is answered 401 from then on, and nothing more is tried.
    if case.method != "GET" and (case.path_parameters or {}).get("id") == "checker":
        case.path_parameters["id"] = "somebody-else"
