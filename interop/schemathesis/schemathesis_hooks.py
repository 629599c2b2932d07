"""A cursor that has the form of one and was made up is refused, as it should be: it is left out of what is sent."""

import re

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    cursor = (case.query or {}).get("cursor")
    if isinstance(cursor, str) and re.fullmatch(r"[A-Za-z0-9_-]{1,2048}", cursor):
        del case.query["cursor"]
