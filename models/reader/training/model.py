"""The network: one encoder for pages and for fields, a decoder in which fields look at the page, pointers into the page."""

import math

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from page_features import FEATURES, GRID, MOST_LINES, MOST_ROWS, WINDOW

WIDTH, HEADS, LAYERS, INNER, FIELD_LAYERS, POINTER = 384, 12, 6, 1536, 2, 96
SCORES = 4  # start, end, begins, inside
BUCKETS = 32
FAR = -1e4


def distance_buckets(limit: int, fine: int) -> Tensor:
    """Signed distances from -limit to limit in 32 buckets: fine nearby, coarser farther away."""
    table = []
    for distance in range(-limit, limit + 1):
        size = abs(distance)
        level = size * 4 / fine if size < fine else 4 + 11.99 * math.log(size / fine) / math.log(limit / fine)
        level = int(min(15, level))
        table.append(16 + level if distance >= 0 else 15 - level)
    return torch.tensor(table)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))

    def forward(self, x: Tensor, memory: Tensor, bias: Tensor) -> Tensor:
        batch, size = x.shape[0], WIDTH // HEADS
        q, k, v = (t.view(batch, -1, HEADS, size).transpose(1, 2) for t in (self.q(x), self.k(memory), self.v(memory)))
        if self.training and q.is_cuda:
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=bias.to(q.dtype))
        else:
            mixed = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(size) + bias, -1) @ v
        return self.out(mixed.transpose(1, 2).reshape(batch, -1, WIDTH))


class Layer(nn.Module):
    def __init__(self, looks_at_page: bool = False):
        super().__init__()
        self.own, self.norm = Attention(), nn.LayerNorm(WIDTH, eps=1e-12)
        self.page = Attention() if looks_at_page else None
        self.page_norm = nn.LayerNorm(WIDTH, eps=1e-12) if looks_at_page else None
        self.up, self.down, self.last_norm = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH), nn.LayerNorm(WIDTH, eps=1e-12)
        self.drop = nn.Dropout(0.05)

    def forward(self, x: Tensor, bias: Tensor, page: Tensor | None = None, page_bias: Tensor | None = None) -> Tensor:
        x = self.norm(x + self.drop(self.own(x, x, bias)))
        if self.page is not None:
            x = self.page_norm(x + self.drop(self.page(x, page, page_bias)))
        return self.last_norm(x + self.drop(self.down(F.gelu(self.up(x)))))


class Encoder(nn.Module):
    """MiniLM's six layers, plus embeddings of places, plus a bias in attention from how far pieces stand apart."""

    def __init__(self, vocabulary: int):
        super().__init__()
        self.word, self.position = nn.Embedding(vocabulary, WIDTH), nn.Embedding(WINDOW, WIDTH)
        self.norm, self.drop = nn.LayerNorm(WIDTH, eps=1e-12), nn.Dropout(0.05)
        self.left, self.right, self.middle = (nn.Embedding(128, WIDTH) for _ in range(3))
        self.height, self.gap, self.row_gap = (nn.Embedding(16, WIDTH) for _ in range(3))
        for table in (self.left, self.right, self.middle, self.height, self.gap, self.row_gap):
            nn.init.normal_(table.weight, std=0.01)
            table.weight.data[0] = 0
        # left edges, right edges, centres, rows, lines
        self.distance = nn.Parameter(torch.zeros(5 * BUCKETS, HEADS))
        self.register_buffer("across", distance_buckets(GRID + 1, 12), persistent=False)
        self.register_buffer("rows", distance_buckets(MOST_ROWS + 1, 4), persistent=False)
        self.register_buffer("lines", distance_buckets(MOST_LINES + 1, 8), persistent=False)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def embed(self, features: Tensor) -> Tensor:
        coarse = lambda k: torch.div(features[..., k] + 7, 8, rounding_mode="floor")
        position = torch.arange(features.shape[1], device=features.device)
        x = self.word(features[..., 0]) + self.position(position)[None] + self.left(coarse(1)) + self.right(coarse(2)) + self.middle(coarse(3))
        return self.drop(self.norm(x + self.height(features[..., 4]) + self.gap(features[..., 5]) + self.row_gap(features[..., 6])))

    def buckets(self, features: Tensor) -> list[Tensor]:
        centre = torch.div(features[..., 1] + features[..., 2], 2, rounding_mode="floor")
        columns = [(features[..., 1], self.across), (features[..., 2], self.across), (centre, self.across), (features[..., 7], self.rows), (features[..., 8], self.lines)]
        return [table[value[:, None, :] - value[:, :, None] + len(table) // 2] + k * BUCKETS for k, (value, table) in enumerate(columns)]

    def distance_bias(self, features: Tensor) -> Tensor:
        buckets = self.buckets(features)
        if self.training:
            # A product has a quick gradient, a gather of few rows a slow one.
            kind = torch.bfloat16 if features.is_cuda else torch.float32
            hot = sum(F.one_hot(b, 5 * BUCKETS).to(kind) for b in buckets) if not features.is_cuda else self._hot(buckets, kind)
            bias = hot @ self.distance.to(kind)
        else:
            bias = sum(F.embedding(b, self.distance) for b in buckets)
        return bias.permute(0, 3, 1, 2)

    @staticmethod
    def _hot(buckets: list[Tensor], kind: torch.dtype) -> Tensor:
        wanted = torch.arange(BUCKETS, device=buckets[0].device)
        return torch.cat([((b - k * BUCKETS)[..., None] == wanted).to(kind) for k, b in enumerate(buckets)], -1)

    def forward(self, features: Tensor, mask: Tensor, placed: bool = True) -> Tensor:
        """features [B,T,9], mask [B,T] -> [B,T,384]; fields stand nowhere."""
        x = self.embed(features)
        bias = ((1 - mask) * FAR)[:, None, None, :]
        if placed:
            bias = bias + self.distance_bias(features)
        bias = bias.to(x.dtype)
        for layer in self.layers:
            x = layer(x, bias)
        return x


class Pointer(nn.Module):
    """Fields look at each other and at the page, then score each piece of it."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Layer(looks_at_page=True) for _ in range(FIELD_LAYERS))
        self.field_side, self.page_side = nn.Linear(WIDTH, SCORES * POINTER), nn.Linear(WIDTH, SCORES * POINTER)
        self.field_mix, self.page_mix, self.mix = nn.Linear(WIDTH, POINTER), nn.Linear(WIDTH, POINTER), nn.Linear(POINTER, SCORES)

    def forward(self, fields: Tensor, field_mask: Tensor, page: Tensor, page_mask: Tensor) -> Tensor:
        """fields [B,F,384], page [B,T,384] -> [B,F,T,4]."""
        batch, count, length = fields.shape[0], fields.shape[1], page.shape[1]
        own = ((1 - field_mask) * FAR)[:, None, None, :].to(fields.dtype)
        other = ((1 - page_mask) * FAR)[:, None, None, :].to(fields.dtype)
        for layer in self.layers:
            fields = layer(fields, own, page, other)
        a = self.field_side(fields).view(batch, count, SCORES, POINTER).transpose(1, 2)
        b = self.page_side(page).view(batch, length, SCORES, POINTER).transpose(1, 2)
        scores = (a @ b.transpose(-1, -2)).permute(0, 2, 3, 1) / math.sqrt(POINTER)
        return scores + self.mix(F.relu(self.field_mix(fields)[:, :, None] + self.page_mix(page)[:, None]))


class Reader(nn.Module):
    def __init__(self, vocabulary: int):
        super().__init__()
        self.encoder, self.pointer = Encoder(vocabulary), Pointer()

    def fields(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Field texts [N,L] -> the mean of their pieces [N,384]."""
        x = self.encoder(F.pad(ids[..., None], (0, FEATURES - 1)), mask, placed=False)
        mask = mask[..., None].to(x.dtype)
        return (x * mask).sum(1) / mask.sum(1).clamp(min=1)

    def forward(self, features: Tensor, mask: Tensor, ids: Tensor, id_mask: Tensor, field_mask: Tensor) -> Tensor:
        batch, count, length = ids.shape
        page = self.encoder(features, mask)
        fields = self.fields(ids.view(-1, length), id_mask.view(-1, length)).view(batch, count, WIDTH)
        return self.pointer(fields, field_mask, page, mask)


def load_minilm(reader: Reader, path: str) -> None:
    """Begins from MiniLM: data/start.npz of prepare_weights.py."""
    stored = np.load(path)

    def tensor(name: str) -> Tensor:
        return torch.tensor(stored[name] if name in stored else stored[name + ".int8"].astype(np.float32) * stored[name + ".scale"])

    encoder = reader.encoder
    encoder.word.weight.data.copy_(tensor("embeddings.word_embeddings.weight"))
    position = tensor("embeddings.position_embeddings.weight") + tensor("embeddings.token_type_embeddings.weight")[0]
    encoder.position.weight.data[:512] = position
    encoder.position.weight.data[512:] = position[256 : 256 + WINDOW - 512]
    encoder.norm.load_state_dict({k: tensor(f"embeddings.LayerNorm.{k}") for k in ("weight", "bias")})
    for i, layer in enumerate(encoder.layers):
        parts = {"attention.self.query": layer.own.q, "attention.self.key": layer.own.k, "attention.self.value": layer.own.v, "attention.output.dense": layer.own.out, "attention.output.LayerNorm": layer.norm, "intermediate.dense": layer.up, "output.dense": layer.down, "output.LayerNorm": layer.last_norm}
        for name, part in parts.items():
            part.load_state_dict({k: tensor(f"encoder.layer.{i}.{name}.{k}") for k in ("weight", "bias")})
