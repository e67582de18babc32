"""The tokenizer of a model file, and prompts in its chat format."""

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers

CONTROL = 3
# The splits of llama.cpp by the name in the model file; others have the one of GPT-2.
QWEN = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def splitter(name):
    if name == 'qwen2':
        return [pre_tokenizers.Split(Regex(QWEN), 'isolated'), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    digits = [pre_tokenizers.Digits(individual_digits=True)] if name == 'smollm' else []
    return [*digits, pre_tokenizers.ByteLevel(add_prefix_space=False)]


class Tokens:
    """Encodes prompts with control tokens, and texts without."""

    def __init__(self, metadata):
        words = metadata['tokenizer.ggml.tokens']
        merges = [tuple(merge.split(' ')) for merge in metadata['tokenizer.ggml.merges']]
        kinds = metadata['tokenizer.ggml.token_type']
        vocabulary = {word: index for index, word in enumerate(words)}
        self.tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges, ignore_merges=False))
        self.tokenizer.pre_tokenizer = pre_tokenizers.Sequence(splitter(metadata.get('tokenizer.ggml.pre')))
        self.tokenizer.decoder = decoders.ByteLevel()
        controls = [word for word, kind in zip(words, kinds) if kind == CONTROL]
        self.tokenizer.add_special_tokens([AddedToken(word, normalized=False) for word in controls])
        self.end = metadata['tokenizer.ggml.eos_token_id']

    def encode(self, text):
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def decode(self, ids):
        return self.tokenizer.decode(list(ids), skip_special_tokens=True)


def chat_prompt(turns, system=None):
    """The prompt up to the start of the answer; `turns` are (role, text). No system turn is added, as in the gateway."""
    said = ([('system', system)] if system else []) + list(turns)
    return ''.join(f'<|im_start|>{role}\n{text}<|im_end|>\n' for role, text in said) + '<|im_start|>assistant\n'
