import json

import openai
from client_report import CITY_SCHEMA, HELLO, TASK, print_report, weather

client = openai.OpenAI(api_key=TASK["key"], base_url=TASK["url"] + "/v1", max_retries=0)
stranger = openai.OpenAI(api_key=TASK["wrongKey"], base_url=TASK["url"] + "/v1", max_retries=0)
completions = client.chat.completions
TOOLS = [{"type": "function", "function": {"name": "weather", "parameters": CITY_SCHEMA, "strict": True}}]
FACTS_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "degrees": {"type": "number"}},
    "required": ["city", "degrees"],
    "additionalProperties": False,
}


def asking(text):
    return {"model": TASK["model"], "messages": [{"role": "user", "content": text}]}


def summary(completion):
    choice = completion.choices[0]
    usage = completion.usage and [completion.usage.prompt_tokens, completion.usage.completion_tokens]
    return {"text": choice.message.content, "finish": choice.finish_reason, "usage": usage}


def iterate(text):
    chunks = list(completions.create(**asking(text), stream=True, stream_options={"include_usage": True}))
    choices = [choice for chunk in chunks for choice in chunk.choices]
    usage = chunks[-1].usage
    return {
        "text": "".join(choice.delta.content or "" for choice in choices),
        "finish": choices[-1].finish_reason,
        "usage": [usage.prompt_tokens, usage.completion_tokens],
    }


def helper(text, **more):
    with completions.stream(**asking(text), **more) as stream:
        return stream.get_final_completion()


def round_trip(answer):
    called = answer("Compare the weather", tools=TOOLS).choices[0].message
    calls = [[call.id, json.loads(call.function.arguments)["city"]] for call in called.tool_calls]
    results = [{"role": "tool", "tool_call_id": id, "content": weather(city)} for id, city in calls]
    turns = [called.model_dump(exclude_none=True), *results]
    request = asking("Compare the weather")
    told = completions.create(**{**request, "messages": [*request["messages"], *turns]}, tools=TOOLS)
    return {"calls": calls, "text": told.choices[0].message.content}


def show():
    """The documents of the passages that come with an answer."""
    reader = openai.OpenAI(api_key=TASK["readerKey"], base_url=TASK["url"] + "/v1", max_retries=0)
    request = {**asking(TASK["readerQuestion"]), "extra_body": {"include": ["knowledge"]}}
    whole = reader.chat.completions.create(**request).model_extra["knowledge"]
    chunks = list(reader.chat.completions.create(**request, stream=True))
    streamed = [passage for chunk in chunks for passage in (chunk.model_extra or {}).get("knowledge", [])]
    return [[passage["document"] for passage in passages] for passages in (whole, streamed)]


def facts():
    schema = {"name": "facts", "strict": True, "schema": FACTS_SCHEMA}
    format = {"type": "json_schema", "json_schema": schema}
    completion = completions.create(**asking("Give the facts"), response_format=format)
    return json.loads(completion.choices[0].message.content)


print_report(
    {
        "whole": lambda: summary(completions.create(**asking(HELLO))),
        "streamed": lambda: iterate(HELLO),
        "helper": lambda: summary(helper(HELLO, stream_options={"include_usage": True})),
        "tools": lambda: round_trip(lambda text, **more: completions.create(**asking(text), **more)),
        "streamedTools": lambda: round_trip(helper),
        "facts": facts,
        "shown": show,
        "failed": lambda: completions.create(**asking("Fail at once")),
        "broken": lambda: iterate("Break midway"),
        "wrongKey": lambda: stranger.chat.completions.create(**asking(HELLO)),
        "unknownModel": lambda: completions.create(**{**asking(HELLO), "model": "no-such-model"}),
    }
)
