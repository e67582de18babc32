"""Rewrites the attention of an exported encoder: the same numbers from fewer and smaller steps.

    python fuse_attention.py encoder.onnx

The bias of distances is looked up for each pair of words, since all pieces of a word stand in one place, in two tables of sums in place of five tables;
attention becomes one operation, in which the bias is the start of the product. Pages and fields are read one at a time, so nothing is masked. Export and quantization write tables and layers under the names used here.
"""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.utils import Extractor

from model import BUCKETS, HEADS, LAYERS
from page_features import GRID, MOST_LINES, MOST_ROWS

# The features that say where a word stands: left and right edge, row, line
PLACES = [1, 2, 7, 8]
# One of these places, or two whose mean it is; half the length of its table of buckets
EDGES = [((0,), GRID + 1), ((1,), GRID + 1), ((0, 1), GRID + 1)]
LINES = [((2,), MOST_ROWS + 1), ((3,), MOST_LINES + 1)]
OLD_BIAS = "/encoder/Cast_1_output_0"


class Graph:
    def __init__(self, model: onnx.ModelProto):
        self.model, self.nodes, self.count = model, [], 0

    def add(self, kind: str, *inputs: str, **attributes) -> str:
        self.count += 1
        output = f"distance_{kind}_{self.count}"
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def constant(self, value: np.ndarray) -> str:
        self.count += 1
        name = f"distance_constant_{self.count}"
        self.model.graph.initializer.append(numpy_helper.from_array(value, name))
        return name


def fuse(path: str) -> None:
    model = onnx.load(path)
    constants = {node.output[0]: numpy_helper.to_array(node.attribute[0].t) for node in model.graph.node if node.op_type == "Constant"}
    stored = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
    zero, scale = (stored[f"encoder.distance_{name}"] for name in ("zero_point", "scale"))
    distance = ((stored["encoder.distance_quantized"].astype(np.int32) - int(zero)) * scale).astype(np.float32)
    tables = {len(table) // 2: table for table in constants.values() if table.ndim == 1 and len(table) > 2 * BUCKETS}
    graph = Graph(model)
    bias = distance_bias(graph, tables, distance)
    attention = [
        helper.make_node(
            "MultiHeadAttention",
            [*(f"/encoder/layers.{layer}/own/{part}/Add_output_0" for part in "qkv"), "", "", bias],
            [f"/encoder/layers.{layer}/own/Reshape_3_output_0"],
            domain="com.microsoft",
            num_heads=HEADS,
        )
        for layer in range(LAYERS)
    ]
    replaced = {output for node in attention for output in node.output} | {OLD_BIAS}
    kept = [node for node in model.graph.node if not replaced.intersection(node.output)]
    del model.graph.node[:]
    model.graph.node.extend(in_order(graph.nodes + kept + attention))
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    onnx.save(without_leftovers(model), path)


def distance_bias(graph: Graph, tables: dict[int, np.ndarray], distance: np.ndarray) -> str:
    """[1, heads, t, t]: from how far edges and centres stand apart, and from rows and lines."""
    features = graph.add("Squeeze", graph.add("Cast", "features", to=TensorProto.INT32), graph.constant(np.array([0])))
    places = graph.add("Gather", features, graph.constant(np.array(PLACES)), axis=1)
    word, words = word_places(graph, places)
    looked_up, first = [], 0
    for kinds in (EDGES, LINES):
        index, table = None, None
        for order, (columns, half) in enumerate(kinds):
            # The buckets of a pair, side by side, are one place in the table of all their sums.
            size = BUCKETS ** (len(kinds) - 1 - order)
            values = [graph.add("Gather", words, graph.constant(np.array(column)), axis=1) for column in columns]
            value = values[0] if len(values) == 1 else graph.add("Div", graph.add("Add", *values), graph.constant(np.array(2, np.int32)))
            column = graph.add("Unsqueeze", graph.add("Add", value, graph.constant(np.array(half, np.int32))), graph.constant(np.array([0])))
            row = graph.add("Unsqueeze", value, graph.constant(np.array([1])))
            bucket = graph.add("Gather", graph.constant((tables[half] * size).astype(np.int32)), graph.add("Sub", column, row))
            index = bucket if index is None else graph.add("Add", index, bucket)
            shape = [BUCKETS if place == order else 1 for place in range(len(kinds))] + [HEADS]
            part = graph.constant(distance[first : first + BUCKETS].reshape(shape))
            table = part if table is None else graph.add("Add", table, part)
            first += BUCKETS
        rows = graph.add("Reshape", table, graph.constant(np.array([-1, HEADS])))
        looked_up.append(graph.add("Gather", rows, index))
    pairs = graph.add("Add", *looked_up)
    for axis in (0, 1):
        pairs = graph.add("Gather", pairs, word, axis=axis)
    return graph.add("Unsqueeze", graph.add("Transpose", pairs, perm=[2, 0, 1]), graph.constant(np.array([0])))


def word_places(graph: Graph, places: str) -> tuple[str, str]:
    """For each piece the number of its word, and the places of the words: a word begins where a place differs from the one before."""
    one = graph.constant(np.array([1]))
    start, end, last = (graph.constant(np.array([place])) for place in (0, 2**31 - 1, -1))
    change = graph.add("Sub", graph.add("Slice", places, one, end, start), graph.add("Slice", places, start, last, start))
    moved = graph.add("Cast", graph.add("Cast", graph.add("ReduceMax", graph.add("Abs", change), axes=[1], keepdims=0), to=TensorProto.BOOL), to=TensorProto.INT32)
    number = graph.add("CumSum", graph.add("Concat", graph.constant(np.array([0], np.int32)), moved, axis=0), graph.constant(np.array(0, np.int32)))
    begins = graph.add("Concat", graph.constant(np.array([1], np.int32)), moved, axis=0)
    firsts = graph.add("Squeeze", graph.add("NonZero", begins), start)
    return number, graph.add("Gather", places, firsts, axis=0)


def in_order(nodes: list[onnx.NodeProto]) -> list[onnx.NodeProto]:
    """Each node after those that it needs."""
    maker = {output: node for node in nodes for output in node.output}
    ordered, seen = [], set()

    def place(node: onnx.NodeProto) -> None:
        if node.output[0] in seen:
            return
        seen.add(node.output[0])
        for name in node.input:
            if name in maker:
                place(maker[name])
        ordered.append(node)

    sys.setrecursionlimit(10_000)
    for node in nodes:
        place(node)
    return ordered


def without_leftovers(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model without what its output does not need."""
    rest = Extractor(model).extract_model(["features"], ["encoded"])
    for one in (rest.graph.input[0], rest.graph.output[0]):
        one.type.tensor_type.shape.dim[0].dim_value = 1
    return rest


if __name__ == "__main__":
    fuse(*sys.argv[1:])
