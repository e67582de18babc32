"""A decoder of the llama family (llama, qwen2, qwen3) with the weights of a model file and a low-rank adapter on every linear layer."""

import math

import torch
import torch.nn.functional as F

# Tokens of all rows whose keys and values are kept at once.
CACHE_TOKENS = 800_000
LINEAR = ('attn_q', 'attn_k', 'attn_v', 'attn_output', 'ffn_gate', 'ffn_up', 'ffn_down')


class Adapter(torch.nn.Module):
    """A and B of one linear layer: y = W x + B A x."""

    def __init__(self, inputs, outputs, rank):
        super().__init__()
        self.a = torch.nn.Parameter(torch.randn(rank, inputs) / math.sqrt(inputs))
        self.b = torch.nn.Parameter(torch.zeros(outputs, rank))


class Decoder(torch.nn.Module):
    """`forward` gives hidden states; `logits` turns them into scores of words. `adapts` turns the adapter on and off."""

    def __init__(self, file, *, rank, device, dtype, layers=None):
        super().__init__()
        facts = file.metadata
        self.architecture = facts['general.architecture']
        fact = lambda name: facts[f'{self.architecture}.{name}']
        self.layers = min(layers or fact('block_count'), fact('block_count'))
        self.heads, self.groups = fact('attention.head_count'), fact('attention.head_count_kv')
        self.epsilon = fact('attention.layer_norm_rms_epsilon')
        self.base = facts.get(f'{self.architecture}.rope.freq_base', 10000.0)
        width = fact('embedding_length')
        self.size = facts.get(f'{self.architecture}.attention.key_length', width // self.heads)
        # llama.cpp turns neighbouring values of a head for llama, and the two halves for the others.
        self.neighbours = self.architecture == 'llama'
        self.dtype, self.device, self.rank, self.adapts = dtype, device, rank, True
        self.weights = {
            name: torch.from_numpy(file.tensor(name)).to(device=device, dtype=dtype) for name in file.places if self.needs(name)
        }
        self.head = self.weights.get('output.weight', self.weights['token_embd.weight'])
        self.adapters = torch.nn.ModuleDict()
        for layer in range(self.layers):
            for part in LINEAR:
                outputs, inputs = self.weights[f'blk.{layer}.{part}.weight'].shape
                self.adapters[f'{layer}_{part}'] = Adapter(inputs, outputs, rank)
        self.adapters.to(device)

    def needs(self, name):
        return 'rope_freqs' not in name and not (name.startswith('blk.') and int(name.split('.')[1]) >= self.layers)

    def linear(self, x, layer, part):
        y = F.linear(x, self.weights[f'blk.{layer}.{part}.weight'], self.weights.get(f'blk.{layer}.{part}.bias'))
        if not self.adapts:
            return y
        adapter = self.adapters[f'{layer}_{part}']
        return y + F.linear(F.linear(x, adapter.a.to(x.dtype)), adapter.b.to(x.dtype))

    def norm(self, x, name):
        weight = self.weights.get(name)
        return x if weight is None else F.rms_norm(x, (x.shape[-1],), weight, self.epsilon)

    def angles(self, positions):
        """Cosines and sines, [rows, 1, tokens, size / 2]."""
        steps = torch.arange(0, self.size, 2, device=positions.device, dtype=torch.float32)
        turns = positions[:, None, :, None].float() * self.base ** (-steps / self.size)
        return turns.cos(), turns.sin()

    def turn(self, x, angles):
        cos, sin = angles
        if self.neighbours:
            one, two = x.float().unflatten(-1, (-1, 2)).unbind(-1)
            return torch.stack([one * cos - two * sin, one * sin + two * cos], dim=-1).flatten(-2).to(x.dtype)
        one, two = x.float().chunk(2, dim=-1)
        return torch.cat([one * cos - two * sin, one * sin + two * cos], dim=-1).to(x.dtype)

    def block(self, x, layer, angles, cache=None, mask=None):
        rows, tokens, _ = x.shape
        y = self.norm(x, f'blk.{layer}.attn_norm.weight')
        split = lambda part, heads: self.linear(y, layer, part).view(rows, tokens, heads, self.size).transpose(1, 2)
        q = self.turn(self.norm(split('attn_q', self.heads), f'blk.{layer}.attn_q_norm.weight'), angles)
        k = self.turn(self.norm(split('attn_k', self.groups), f'blk.{layer}.attn_k_norm.weight'), angles)
        v = split('attn_v', self.groups)
        if cache is not None:
            k, v = cache.add(layer, k, v)
        if mask is not None:
            # Not every kernel takes groups together with a mask.
            k, v = (t.repeat_interleave(self.heads // self.groups, 1) for t in (k, v))
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=mask is None, enable_gqa=mask is None)
        x = x + self.linear(mixed.transpose(1, 2).flatten(2), layer, 'attn_output')
        y = self.norm(x, f'blk.{layer}.ffn_norm.weight')
        gated = F.silu(self.linear(y, layer, 'ffn_gate')) * self.linear(y, layer, 'ffn_up')
        return x + self.linear(gated, layer, 'ffn_down')

    def forward(self, ids, positions=None, cache=None, mask=None):
        if positions is None:
            positions = torch.arange(ids.shape[1], device=ids.device)[None]
        angles = self.angles(positions)
        x = F.embedding(ids, self.weights['token_embd.weight'])
        for layer in range(self.layers):
            x = self.block(x, layer, angles, cache, mask)
        return self.norm(x, 'output_norm.weight')

    def logits(self, hidden):
        return F.linear(hidden, self.head).float()

    def pairs(self):
        """The adapter by names of the model file, as numpy."""
        named = {}
        for key, adapter in self.adapters.items():
            layer, part = key.split('_', 1)
            named[f'blk.{layer}.{part}.weight'] = (adapter.a.detach().float().cpu().numpy(), adapter.b.detach().float().cpu().numpy())
        return named

    def load_pairs(self, named):
        with torch.no_grad():
            for key, adapter in self.adapters.items():
                layer, part = key.split('_', 1)
                a, b = named[f'blk.{layer}.{part}.weight']
                adapter.a.copy_(torch.as_tensor(a))
                adapter.b.copy_(torch.as_tensor(b))


class Cache:
    """Keys and values of all layers, with room for the longest answer."""

    def __init__(self, model, rows, room):
        shape = (model.layers, rows, model.groups, room, model.size)
        self.keys = torch.zeros(shape, device=model.device, dtype=model.dtype)
        self.values = torch.zeros(shape, device=model.device, dtype=model.dtype)
        self.used = 0

    def add(self, layer, k, v):
        end = self.used + k.shape[2]
        self.keys[layer, :, :, self.used : end] = k
        self.values[layer, :, :, self.used : end] = v
        return self.keys[layer, :, :, :end], self.values[layer, :, :, :end]


@torch.no_grad()
def write_answers(model, prompts, *, end, most, temperature=0.0, seed=1, rows=768, keep_open=False):
    """Answers of a list of prompts (ids), greedily or sampled, as lists of ids without the end. A None is an answer that was cut, unless `keep_open`."""
    answers = [None] * len(prompts)
    order = sorted(range(len(prompts)), key=lambda index: len(prompts[index]))
    generator = torch.Generator(device=model.device).manual_seed(seed)
    start = 0
    while start < len(order):
        # Few rows where prompts are long: the memory of keys and values has a bound.
        longest = len(prompts[order[min(len(order), start + rows) - 1]]) + most
        chosen = order[start : start + max(1, min(rows, CACHE_TOKENS // longest))]
        start += len(chosen)
        for index, answer in zip(chosen, batch_answers(model, [prompts[i] for i in chosen], end, most, temperature, generator, keep_open)):
            answers[index] = answer
    return answers


def batch_answers(model, prompts, end, most, temperature, generator, keep_open):
    rows, longest = len(prompts), max(map(len, prompts))
    room = longest + most
    lengths = torch.tensor([len(prompt) for prompt in prompts])
    ids = torch.zeros(rows, longest, dtype=torch.long)
    for row, prompt in enumerate(prompts):
        ids[row, : len(prompt)] = torch.tensor(prompt)
    # Padding stands after a prompt, where causal attention does not see it, and is masked once answers follow it.
    there = torch.arange(room) < lengths[:, None]
    there[:, longest:] = True
    ids, there, place = ids.to(model.device), there.to(model.device), lengths.to(model.device)[:, None]
    cache = Cache(model, rows, room)
    hidden = model(ids, None, cache)
    cache.used = longest
    hidden = hidden[torch.arange(rows, device=model.device), place[:, 0] - 1][:, None]
    written = torch.full((rows, most), end, dtype=torch.long, device=model.device)
    open_rows = torch.ones(rows, dtype=torch.bool, device=model.device)
    for step in range(most):
        logits = model.logits(hidden[:, -1])
        if temperature > 0:
            token = torch.multinomial(torch.softmax(logits / temperature, -1), 1, generator=generator)[:, 0]
        else:
            token = logits.argmax(-1)
        token = torch.where(open_rows, token, end)
        written[:, step] = token
        open_rows &= token != end
        # Asking the device waits for it, so it is asked now and then only.
        if step % 8 == 7 and not open_rows.any():
            break
        hidden = model(token[:, None], place, cache, there[:, None, None, : cache.used + 1])
        cache.used += 1
        place = place + 1
    lists, are_open = written.tolist(), open_rows.tolist()
    return [None if is_open and not keep_open else row[: row.index(end)] if end in row else row for row, is_open in zip(lists, are_open)]
