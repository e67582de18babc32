"""Reads model files (GGUF), takes their weights out of quantisation, and writes adapters in the form that llama.cpp loads."""

import struct

import numpy as np

MAGIC = b'GGUF'
ALIGNMENT = 32
SCALARS = {0: '<B', 1: '<b', 2: '<H', 3: '<h', 4: '<I', 5: '<i', 6: '<f', 7: '<?', 10: '<Q', 11: '<q', 12: '<d'}
STRING, ARRAY = 8, 9
# Type number: (values in a block, bytes in a block)
BLOCKS = {0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 12: (256, 144), 13: (256, 176), 14: (256, 210)}
F32, F16, Q8_0 = 0, 1, 8


class GgufFile:
    """Metadata and tensors of a file; tensors are dequantised when asked for."""

    def __init__(self, path):
        self.data = np.memmap(path, dtype=np.uint8, mode='r')
        self.at = 0
        if bytes(self.data[:4]) != MAGIC:
            raise ValueError(f'{path} is not a GGUF file')
        self.at = 8
        tensors, pairs = self._scalar('<Q'), self._scalar('<Q')
        self.metadata = {}
        for _ in range(pairs):
            key = self._text()
            self.metadata[key] = self._value(self._scalar('<I'))
        self.places = {}
        for _ in range(tensors):
            name = self._text()
            shape = [self._scalar('<Q') for _ in range(self._scalar('<I'))]
            self.places[name] = (tuple(reversed(shape)), self._scalar('<I'), self._scalar('<Q'))
        alignment = self.metadata.get('general.alignment', ALIGNMENT)
        self.begin = -(-self.at // alignment) * alignment

    def tensor(self, name):
        """The values of a tensor, float32, rows first."""
        shape, kind, offset = self.places[name]
        values, size = BLOCKS[kind]
        count = int(np.prod(shape))
        start = self.begin + offset
        raw = np.asarray(self.data[start : start + count // values * size])
        return dequantise(raw, kind).reshape(shape)

    def _scalar(self, form):
        size = struct.calcsize(form)
        (value,) = struct.unpack(form, self.data[self.at : self.at + size].tobytes())
        self.at += size
        return value

    def _text(self):
        size = self._scalar('<Q')
        text = self.data[self.at : self.at + size].tobytes().decode('utf-8', 'replace')
        self.at += size
        return text

    def _value(self, kind):
        if kind == STRING:
            return self._text()
        if kind == ARRAY:
            inner, count = self._scalar('<I'), self._scalar('<Q')
            return [self._value(inner) for _ in range(count)]
        return self._scalar(SCALARS[kind])


def dequantise(raw, kind):
    """Bytes of one of llama.cpp's types, as float32."""
    if kind == F32:
        return raw.view('<f4').astype(np.float32)
    if kind == F16:
        return raw.view('<f2').astype(np.float32)
    blocks = raw.reshape(-1, BLOCKS[kind][1])
    return {2: q4_0, 3: q4_1, 6: q5_0, 7: q5_1, 8: q8_0, 12: q4_k, 13: q5_k, 14: q6_k}[kind](blocks).reshape(-1)


def halves(blocks, start):
    return np.ascontiguousarray(blocks[:, start : start + 2]).view('<f2').astype(np.float32)


def nibbles(packed):
    return np.concatenate([packed & 15, packed >> 4], axis=1).astype(np.float32)


def fifth_bits(blocks, start):
    bits = np.ascontiguousarray(blocks[:, start : start + 4]).view('<u4')
    return ((bits >> np.arange(32, dtype=np.uint32)) & 1).astype(np.float32) * 16


def q4_0(b):
    return (nibbles(b[:, 2:]) - 8) * halves(b, 0)


def q4_1(b):
    return nibbles(b[:, 4:]) * halves(b, 0) + halves(b, 2)


def q5_0(b):
    return (nibbles(b[:, 6:]) + fifth_bits(b, 2) - 16) * halves(b, 0)


def q5_1(b):
    return (nibbles(b[:, 8:]) + fifth_bits(b, 4)) * halves(b, 0) + halves(b, 2)


def q8_0(b):
    return np.ascontiguousarray(b[:, 2:]).view(np.int8).astype(np.float32) * halves(b, 0)


def six_bit_scales(packed):
    """The eight scales and minima of a block of 256, packed in 12 bytes."""
    low, high, mixed = packed[:, 0:4], packed[:, 4:8], packed[:, 8:12]
    scales = np.concatenate([low & 63, (mixed & 15) | ((low >> 6) << 4)], axis=1)
    minima = np.concatenate([high & 63, (mixed >> 4) | ((high >> 6) << 4)], axis=1)
    return scales.astype(np.float32), minima.astype(np.float32)


def by_scales(values, blocks):
    scales, minima = six_bit_scales(blocks[:, 4:16])
    scaled = values.reshape(-1, 8, 32) * (halves(blocks, 0) * scales)[:, :, None]
    return scaled - (halves(blocks, 2) * minima)[:, :, None]


def q4_k(b):
    packed = b[:, 16:].reshape(-1, 4, 32)
    return by_scales(np.stack([packed & 15, packed >> 4], axis=2).astype(np.float32), b)


def q5_k(b):
    high, packed = b[:, 16:48], b[:, 48:].reshape(-1, 4, 32)
    low = np.stack([packed & 15, packed >> 4], axis=2).reshape(-1, 8, 32)
    fifth = (high[:, None, :] >> np.arange(8, dtype=np.uint8)[None, :, None]) & 1
    return by_scales((low | (fifth << 4)).astype(np.float32), b)


def q6_k(b):
    low, high = b[:, :128].reshape(-1, 2, 64), b[:, 128:192].reshape(-1, 2, 32)
    scales = np.ascontiguousarray(b[:, 192:208]).view(np.int8).astype(np.float32).reshape(-1, 2, 4, 2)
    parts = [
        (low[:, :, :32] & 15) | ((high & 3) << 4),
        (low[:, :, 32:] & 15) | (((high >> 2) & 3) << 4),
        (low[:, :, :32] >> 4) | (((high >> 4) & 3) << 4),
        (low[:, :, 32:] >> 4) | ((high >> 6) << 4),
    ]
    values = np.stack(parts, axis=2).astype(np.float32) - 32
    scaled = values.reshape(-1, 2, 4, 2, 16) * scales[..., None]
    return scaled.reshape(-1, 256) * halves(b, 208)


def quantise_q8_0(values):
    """Float32 values as Q8_0: a scale and 32 signed bytes a block."""
    blocks = values.astype(np.float32).reshape(-1, 32)
    scale = np.abs(blocks).max(axis=1, keepdims=True) / 127
    inverse = np.divide(1, scale, out=np.zeros_like(scale), where=scale > 0)
    whole = np.round(blocks * inverse).astype(np.int8)
    return np.concatenate([scale.astype('<f2').view(np.uint8), whole.view(np.uint8)], axis=1).reshape(-1)


def write_adapter(path, pairs, *, architecture, alpha, kind, facts):
    """Writes {weight name: (A [rank, in], B [out, rank])} as a LoRA adapter; `kind` is F16 or Q8_0."""
    fields = {
        'general.architecture': architecture,
        'general.type': 'adapter',
        'adapter.type': 'lora',
        'adapter.lora.alpha': float(alpha),
        **facts,
    }
    entries, blobs, offset = [], [], 0
    for name, matrices in pairs.items():
        for suffix, matrix in zip(('lora_a', 'lora_b'), matrices):
            own = kind if matrix.shape[1] % BLOCKS[kind][0] == 0 else F16
            blob = (quantise_q8_0(matrix) if own == Q8_0 else matrix.astype('<f2')).tobytes()
            entries.append((f'{name}.{suffix}', matrix.shape, own, offset))
            blob += bytes(-len(blob) % ALIGNMENT)
            blobs.append(blob)
            offset += len(blob)
    head = MAGIC + struct.pack('<IQQ', 3, len(entries), len(fields))
    head += b''.join(packed_text(key) + packed_value(value) for key, value in fields.items())
    for name, shape, own, place in entries:
        head += packed_text(name) + struct.pack('<I', len(shape))
        head += b''.join(struct.pack('<Q', size) for size in reversed(shape)) + struct.pack('<IQ', own, place)
    head += bytes(-len(head) % ALIGNMENT)
    with open(path, 'wb') as file:
        file.write(head)
        for blob in blobs:
            file.write(blob)


def read_adapter(path):
    """{weight name: (A, B)} of an adapter file."""
    file = GgufFile(path)
    names = [name.removesuffix('.lora_a') for name in file.places if name.endswith('.lora_a')]
    return {name: (file.tensor(f'{name}.lora_a'), file.tensor(f'{name}.lora_b')) for name in names}


def packed_text(text):
    raw = text.encode()
    return struct.pack('<Q', len(raw)) + raw


def packed_value(value):
    if isinstance(value, str):
        return struct.pack('<I', STRING) + packed_text(value)
    return struct.pack('<I', 6) + struct.pack('<f', value)
