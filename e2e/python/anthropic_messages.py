import anthropic
from client_report import CITY_SCHEMA, HELLO, TASK, print_report, weather


def client_with(key):
    """The other credential is None, and the environment has none."""
    return anthropic.Anthropic(**{TASK["credential"]: key}, base_url=TASK["url"], max_retries=0)


messages = client_with(TASK["key"]).messages
TOOLS = [{"name": "weather", "input_schema": CITY_SCHEMA}]


def asking(text):
    return {"model": TASK["model"], "max_tokens": 8000, "messages": [{"role": "user", "content": text}]}


def summary(message):
    text = "".join(block.text for block in message.content if block.type == "text")
    usage = [message.usage.input_tokens, message.usage.output_tokens]
    return {"text": text, "finish": message.stop_reason, "usage": usage}


def helper(**request):
    with messages.stream(**request) as stream:
        return stream.get_final_message()


def round_trip(answer):
    request = {**asking("Compare the weather"), "tools": TOOLS}
    called = answer(**request)
    uses = [block for block in called.content if block.type == "tool_use"]
    results = [
        {"type": "tool_result", "tool_use_id": use.id, "content": weather(use.input["city"])} for use in uses
    ]
    turns = [{"role": "assistant", "content": called.content}, {"role": "user", "content": results}]
    told = answer(**{**request, "messages": [*request["messages"], *turns]})
    return {"calls": [[use.id, use.input["city"]] for use in uses], "text": summary(told)["text"]}


def show():
    """The documents of the passages that come with an answer."""
    reader = client_with(TASK["readerKey"]).messages
    request = {**asking(TASK["readerQuestion"]), "extra_body": {"include": ["knowledge"]}}
    whole = reader.create(**request).model_extra["knowledge"]
    events = list(reader.create(**request, stream=True))
    streamed = [passage for event in events for passage in (event.model_extra or {}).get("knowledge", [])]
    return [[passage["document"] for passage in passages] for passages in (whole, streamed)]


def count():
    request = {**asking("Compare the weather"), "tools": TOOLS}
    countable = {name: value for name, value in request.items() if name != "max_tokens"}
    return messages.count_tokens(**countable).input_tokens == messages.create(**request).usage.input_tokens


print_report(
    {
        "whole": lambda: summary(messages.create(**asking(HELLO))),
        "streamed": lambda: summary(helper(**asking(HELLO))),
        "tools": lambda: round_trip(messages.create),
        "streamedTools": lambda: round_trip(helper),
        "countIsUsage": count,
        "shown": show,
        "failed": lambda: messages.create(**asking("Fail at once")),
        "overloaded": lambda: helper(**asking("Be overloaded")),
        "broken": lambda: helper(**asking("Break midway")),
        "wrongKey": lambda: client_with(TASK["wrongKey"]).messages.create(**asking(HELLO)),
    }
)
