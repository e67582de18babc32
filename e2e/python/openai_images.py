import base64
import io
import struct

import openai
from client_report import TASK, print_report

client = openai.OpenAI(api_key=TASK["key"], base_url=TASK["url"] + "/v1", max_retries=0)
PROMPT = "a fox in the snow"
with open(TASK["picture"], "rb") as file:
    PICTURE = file.read()


def summary(answer):
    png = base64.b64decode(answer.data[0].b64_json)
    meta = answer.model_extra["meta"]
    return {
        "isPng": png[1:4] == b"PNG",
        "size": list(struct.unpack(">II", png[16:24])),
        "prompt": meta["prompt"],
        "steps": meta["steps"],
        "seed": str(meta["seed"]),
    }


def edit(image):
    return summary(
        client.images.edit(
            model=TASK["model"], prompt=PROMPT, image=image, size="1024x1536", extra_body={"seed": 2**64 - 1}
        )
    )


print_report(
    {
        "generated": lambda: summary(
            client.images.generate(prompt=PROMPT, extra_body={"seed": 2**64 - 1, "steps": 2})
        ),
        "fromFile": lambda: edit(open(TASK["picture"], "rb")),
        "fromBytes": lambda: edit(("fox.png", PICTURE)),
        "fromStream": lambda: edit(io.BytesIO(PICTURE)),
        "fromSeveral": lambda: edit([("one.png", PICTURE), open(TASK["picture"], "rb")]),
        "wrongSize": lambda: client.images.generate(prompt=PROMPT, size="256x256"),
    }
)
