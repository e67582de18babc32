"""What the scripts beside this file share: the task, the tool, and the report that a test reads."""

import json
import sys

TASK = json.loads(sys.argv[1])
HELLO = "Say hello"
CITY_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
DEGREES = {"Rome": 21, "Oslo": 9}


def weather(city):
    return f"{DEGREES[city]} in {city}"


def outcome_of(call):
    """What a call gave, or the error that the client made of it."""
    try:
        return call()
    except Exception as error:
        return {
            "error": type(error).__name__,
            "status": getattr(error, "status_code", None),
            "requestId": getattr(error, "request_id", None),
            "type": type_of(getattr(error, "body", None)),
        }


def type_of(body):
    """Anthropic's client keeps the whole body, OpenAI's its `error`."""
    if not isinstance(body, dict):
        return None
    inner = body.get("error", body)
    return inner.get("type") if isinstance(inner, dict) else None


def print_report(calls):
    print(json.dumps({name: outcome_of(call) for name, call in calls.items()}))
