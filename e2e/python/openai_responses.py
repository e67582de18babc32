import json

import openai
from client_report import CITY_SCHEMA, HELLO, TASK, print_report, weather

client = openai.OpenAI(api_key=TASK["key"], base_url=TASK["url"] + "/v1", max_retries=0)
TOOLS = [{"type": "function", "name": "weather", "parameters": CITY_SCHEMA, "strict": True}]


def asking(input):
    return {"model": TASK["model"], "input": input}


def create(**request):
    return client.responses.create(**request)


def stream(**request):
    with client.responses.stream(**request) as events:
        return events.get_final_response()


def summary(response):
    usage = [response.usage.input_tokens, response.usage.output_tokens]
    return {"text": response.output_text, "status": response.status, "usage": usage}


def round_trip(answer):
    question = {"role": "user", "content": "Compare the weather"}
    called = answer(**asking([question]), tools=TOOLS)
    calls = [item for item in called.output if item.type == "function_call"]
    places = [[call.call_id, json.loads(call.arguments)["city"]] for call in calls]
    results = [
        {"type": "function_call_output", "call_id": id, "output": weather(city)} for id, city in places
    ]
    said = [item.model_dump(exclude_none=True, exclude={"parsed_arguments"}) for item in called.output]
    told = answer(**asking([question, *said, *results]), tools=TOOLS)
    return {"calls": places, "text": told.output_text}


def thoughts(**more):
    output = stream(**asking("Think first"), **more).output
    return [[item.type, ((getattr(item, "summary", None) or item.content)[0]).text] for item in output]


def hosted(question, tool):
    reader = openai.OpenAI(api_key=TASK["hostedKey"], base_url=TASK["url"] + "/v1", max_retries=0)
    with reader.responses.stream(**asking(question), tools=[tool]) as events:
        return events.get_final_response().output


def searched():
    output = hosted("Search the handbook", {"type": "file_search", "vector_store_ids": ["any"]})
    cited = output[1].content[0].annotations[0]
    return {"types": [item.type for item in output], "cited": cited.filename}


def painted():
    output = hosted("Paint a fox", {"type": "image_generation"})
    return {"types": [item.type for item in output], "picture": output[0].result[:8]}


def follow_up():
    first = create(**asking(HELLO))
    second = create(**asking("Think first"), previous_response_id=first.id)
    return client.responses.retrieve(second.id).output_text


print_report({
    "whole": lambda: summary(create(**asking(HELLO))),
    "helper": lambda: summary(stream(**asking(HELLO))),
    "tools": lambda: round_trip(create),
    "streamedTools": lambda: round_trip(stream),
    "thoughts": thoughts,
    "summarised": lambda: thoughts(reasoning={"summary": "auto"}),
    "failed": lambda: create(**asking("Fail at once")),
    "broken": lambda: stream(**asking("Break midway")),
    "followUp": follow_up,
    "searched": searched,
    "painted": painted,
})
